/**
 * Checks a bundle (docs/auditing.md) in the browser by hashing and one signature: order and chain of the events, the
 * cards that became public, the place in the log of hands, and the signature under its head.
 */

import { Unreadable, Values } from "./messagepack.js";

const MAGIC = "croupier-bundle/1\n";
const MOST = 64 * 1024 * 1024;
const DECK = 52;
/** The field with positions; cards and their openings come next. */
const SHOWS = { Dealt: 1, BoardDealt: 0, Shown: 1, MarketShown: 1, Sold: 1 };
const ROOT = 9; // of HandStarted
const ascii = new TextEncoder();

/** What differs, and where: `hand`, and `version` where it is one event. */
export class Differs extends Error {
  constructor(version = null) {
    super("differs");
    this.version = version;
  }
}

/** The file lacks what the check needs (`reason`: no_checkpoint), or the browser does (no_ed25519). */
export class Unchecked extends Error {
  constructor(reason) {
    super(reason);
    this.reason = reason;
  }
}

/**
 * @param {Uint8Array} data
 * @param {string} key the log's public key from elsewhere; "" believes the one in the file
 * @returns {Promise<{table: string, hands: number, checks: {name: string, state: string, count: number}[]}>}
 */
export async function verify(data, key) {
  const { table, named, hands } = read(data);
  const found = new Map();
  let before = null;
  for (const hand of hands) {
    const previous = before;
    const checks = {
      order: () => order(hand, previous),
      chain: () => chain(hand),
      openings: () => openings(hand),
      log: () => inLog(hand),
      checkpoint: () => signed(hand, key || named),
    };
    for (const [name, check] of Object.entries(checks)) note(found, name, hand.number, await outcome(check));
    before = hand;
  }
  return { table, hands: hands.length, checks: [...found.values()] };
}

async function outcome(check) {
  try {
    await check();
    return { state: "ok" };
  } catch (error) {
    if (error instanceof Unchecked) return { state: "unchecked", reason: error.reason };
    return { state: "differs", version: error instanceof Differs ? error.version : null };
  }
}

/** One row a check: the first that does not hold, else how many do. */
function note(found, name, hand, result) {
  const row = found.get(name) ?? { name, state: "ok", count: 0 };
  if (result.state === "ok") row.count += 1;
  const worse = { ok: 0, unchecked: 1, differs: 2 };
  if (worse[result.state] > worse[row.state]) Object.assign(row, result, { hand });
  found.set(name, row);
}

/** Raises Unreadable for whatever is no bundle. */
function read(data) {
  const head = ascii.encode(MAGIC);
  if (data.length > MOST || head.some((byte, at) => data[at] !== byte)) throw new Unreadable("no bundle");
  const values = new Values(data.subarray(head.length));
  const start = values.value();
  if (!Array.isArray(start) || start.length !== 2) throw new Unreadable("no bundle");
  const [table, named] = start;
  const hands = [];
  while (values.more) hands.push(handOf(table, values.value()));
  if (!hands.length) throw new Unreadable("no hand");
  return { table, named, hands };
}

function handOf(table, value) {
  if (!Array.isArray(value) || value.length !== 9) throw new Unreadable("no hand");
  const [number, first, before, prev, events, hashes, , , proof] = value;
  if (!Array.isArray(events) || !Array.isArray(hashes) || !events.length) throw new Unreadable("no hand");
  const id = join(ascii.encode(table), [0], whole(number));
  return { table, number, first, before, prev, events, hashes, proof, id, last: first + events.length - 1 };
}

function order(hand, before) {
  const follows = before
    ? hand.number === before.number + 1 && hand.first === before.last + 1 && same(hand.prev, before.hashes.at(-1))
    : hand.prev.length === 32 || (hand.number === 1 && hand.first === 1 && hand.prev.length === 0);
  if (!follows) throw new Differs(hand.first);
}

async function chain(hand) {
  let head = hand.prev;
  for (const [at, event] of hand.events.entries()) {
    const length = whole(event.length).slice(4);
    head = head.length
      ? await sha256([2], head, length, event)
      : await sha256([3], ascii.encode(hand.table), event);
    if (!same(head, hand.hashes[at])) throw new Differs(hand.first + at);
  }
  if (hand.events.length !== hand.hashes.length) throw new Differs(hand.last);
}

/** Every card that became public is the one at its place in the tree of 52 leaves whose root was told before the deal. */
async function openings(hand) {
  let root = null;
  for (const [at, data] of hand.events.entries()) {
    const [, name, ...fields] = new Values(data).value();
    if (name === "HandStarted") root = fields[ROOT];
    const shown = name === "RoundDealt" ? faceUp(fields) : name in SHOWS && fields.slice(SHOWS[name]);
    if (shown && !(await allOpen(hand.id, root, ...shown))) throw new Differs(hand.first + at);
  }
  if (!root) throw new Differs();
}

/** Of a round to several seats the cards face down come first; they stay closed. */
function faceUp([seats, at, down, cards, proofs]) {
  return [at.slice(down * seats.length), cards, proofs];
}

async function allOpen(id, root, positions, cards, proofs) {
  let start = 0;
  for (const [place, card] of cards.entries()) {
    const position = positions[place];
    const length = position < 48 ? 208 : 144; // a salt of 16 bytes, and six hashes or four
    const opening = proofs.slice(start, start + length);
    const leaf = await sha256([0], id, [position, card], opening.slice(0, 16));
    const path = [];
    for (let at = 16; at < opening.length; at += 32) path.push(opening.slice(at, at + 32));
    if (!same(await rootOf(leaf, position, DECK, path), root)) return false;
    start += length;
  }
  return true;
}

/** The hand, and the table before it, are a leaf of the tree whose root is in the checkpoint. */
async function inLog(hand) {
  if (!hand.proof) throw new Unchecked("no_checkpoint");
  const [at, path, text] = hand.proof;
  const [, size, root] = text.split("\n");
  const versions = [whole(hand.first), whole(hand.last)];
  const prev = hand.prev.length ? hand.prev : new Uint8Array(32);
  const before = await sha256(hand.before);
  const leaf = await sha256([0], hand.id, ...versions, prev, hand.hashes.at(-1), before);
  if (!same(await rootOf(leaf, at, Number(size), path), unbase64(root))) throw new Differs();
}

/** The root that leaf `at` of `size` and its path lead to; null if it leads nowhere (RFC 9162, 2.1.3.2). */
async function rootOf(leaf, at, size, path) {
  const steps = [...path];
  let node = leaf;
  for (; size > 1; at = Math.floor(at / 2), size = Math.ceil(size / 2)) {
    const right = at % 2 === 1;
    if (!right && at + 1 >= size) continue;
    const step = steps.shift();
    if (!step) return null;
    node = right ? await sha256([1], step, node) : await sha256([1], node, step);
  }
  return steps.length ? null : node;
}

/** The checkpoint is signed by the key: `name+id+base64 of 0x01 and 32 bytes` (c2sp.org/signed-note). */
async function signed(hand, key) {
  if (!hand.proof) throw new Unchecked("no_checkpoint");
  const note = hand.proof[2];
  const end = note.lastIndexOf("\n\n");
  const [name, , encoded] = key.trim().split(/\+([0-9a-f]{8})\+/);
  const data = unbase64(encoded);
  const id = (await sha256(ascii.encode(`${name}\n`), data)).slice(0, 4);
  const good = await importKey(data.slice(1));
  for (const line of note.slice(end + 2).split("\n")) {
    const [mark, signer, written] = line.split(" ");
    if (mark !== "—" || signer !== name || !note.startsWith(`${name}\n`)) continue;
    const signature = unbase64(written);
    const text = ascii.encode(note.slice(0, end + 1));
    if (same(signature.slice(0, 4), id) && (await crypto.subtle.verify("Ed25519", good, signature.slice(4), text))) return;
  }
  throw new Differs();
}

async function importKey(data) {
  try {
    return await crypto.subtle.importKey("raw", data, "Ed25519", false, ["verify"]);
  } catch (error) {
    if (error instanceof DOMException && error.name === "NotSupportedError") throw new Unchecked("no_ed25519");
    throw error;
  }
}

async function sha256(...parts) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", join(...parts)));
}

function join(...parts) {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** Eight bytes, big-endian. */
function whole(number) {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(number));
  return bytes;
}

function same(one, two) {
  return Boolean(one && two) && one.length === two.length && one.every((byte, at) => byte === two[at]);
}

function unbase64(text) {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}
