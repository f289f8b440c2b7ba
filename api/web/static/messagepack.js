/** Reads MessagePack, as far as a bundle uses it. Whatever a length announces, nothing is made of bytes that are not there. */

const DEEPEST = 16;
const LENGTHS = { 0xc4: 1, 0xc5: 2, 0xc6: 4, 0xd9: 1, 0xda: 2, 0xdb: 4, 0xdc: 2, 0xdd: 4, 0xde: 2, 0xdf: 4 };
const UNSIGNED = { 0xcc: 1, 0xcd: 2, 0xce: 4, 0xcf: 8 };
const SIGNED = { 0xd0: 1, 0xd1: 2, 0xd2: 4, 0xd3: 8 };
const TEXTS = new TextDecoder("utf-8", { fatal: true });

export class Unreadable extends Error {}

/** Values one after the other: numbers, texts, bytes (Uint8Array), arrays, maps (Map), true, false and null. */
export class Values {
  /** @param {Uint8Array} data */
  constructor(data) {
    this.data = data;
    this.at = 0;
  }

  get more() {
    return this.at < this.data.length;
  }

  value(depth = 0) {
    if (depth > DEEPEST) throw new Unreadable("values within values");
    const first = this.whole(1);
    if (first < 0x80 || first >= 0xe0) return first < 0x80 ? first : first - 0x100;
    if (first < 0x90) return this.compound(0xde, first & 15, depth);
    if (first < 0xa0) return this.compound(0xdc, first & 15, depth);
    if (first < 0xc0) return this.compound(0xd9, first & 31, depth);
    if (first === 0xc0) return null;
    if (first === 0xc2 || first === 0xc3) return first === 0xc3;
    if (first in UNSIGNED) return this.whole(UNSIGNED[first]);
    if (first in SIGNED) return this.negative(SIGNED[first]);
    if (first in LENGTHS) return this.compound(first, this.whole(LENGTHS[first]), depth);
    throw new Unreadable("a kind of value that is not used");
  }

  take(count) {
    if (this.at + count > this.data.length) throw new Unreadable("the file ends within a value");
    this.at += count;
    return this.data.subarray(this.at - count, this.at);
  }

  /** Big-endian; what a number cannot hold exactly is none of ours. */
  whole(bytes) {
    const found = this.take(bytes).reduce((sum, byte) => sum * 256 + byte, 0);
    if (!Number.isSafeInteger(found)) throw new Unreadable("too large a number");
    return found;
  }

  negative(bytes) {
    const view = this.take(bytes);
    const found = BigInt.asIntN(8 * bytes, view.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n));
    if (!Number.isSafeInteger(Number(found))) throw new Unreadable("too large a number");
    return Number(found);
  }

  compound(kind, count, depth) {
    if (kind < 0xd9) return this.take(count);
    if (kind < 0xdc) return TEXTS.decode(this.take(count));
    const items = [];
    for (let at = 0; at < (kind < 0xde ? count : 2 * count); at += 1) items.push(this.value(depth + 1));
    return kind < 0xde ? items : new Map(items.flatMap((item, at) => (at % 2 ? [] : [[item, items[at + 1]]])));
  }
}
