/** The players' cut of the deck: whose seeds made it, and the reader's own seed, random for each hand. */

import { Problem, change, tableUrl } from "./api.js";
import { text } from "./texts.js";

const SEED_BYTES = 32;

/** Whose seeds decide where the cards of a hand come from. */
export function cutText({ label, players }) {
  if (label !== "players") return text(`cut.${label}`);
  return players.length === 1 ? text("cut.player") : text("cut.players", { count: players.length });
}

/** Pledges a seed before each hand and reveals it once the root of that hand is public. */
export class Seeds {
  /** @param {string} table */
  constructor(table) {
    this.table = table;
    this.asked = "";
  }

  /**
   * Do what this state asks of the player of `seat`. What the server refuses is left out: the hand is dealt without our
   * seed, and the next hand has another one. What did not reach it is sent again with the next state.
   */
  async follow(view, seat) {
    const place = view.seats[seat];
    if (!place || !crypto.subtle) return; // without a secure context (https, localhost) there is no hash to pledge
    if (view.hand?.cut.awaited.includes(place.player)) return this.once("seed", seat, view.number);
    const waits = !place.pledged && !place.sitting_out && !place.leaving && view.status === "running";
    return waits ? this.once("pledge", seat, view.number + 1) : undefined;
  }

  async once(what, seat, hand) {
    const asked = `${what} ${hand}`;
    if (asked === this.asked) return;
    this.asked = asked;
    const body = what === "seed" ? this.kept(hand) : await this.made(hand);
    const url = `${tableUrl(this.table)}/seats/${seat}/${what}`;
    if (body) await change("PUT", url, body).catch((error) => this.failed(error));
  }

  failed(error) {
    if (!(error instanceof Problem)) this.asked = "";
  }

  /** The seed of this hand: any tab of this player may reveal it, also after the page was loaded anew. */
  kept(hand) {
    const stored = JSON.parse(localStorage.getItem(slot(this.table)) ?? "null");
    return stored?.hand === hand ? stored : null;
  }

  /** The pledge of this hand's seed, which is made for it if it is not there yet. */
  async made(hand) {
    const seed = this.kept(hand)?.seed ?? hex(crypto.getRandomValues(new Uint8Array(SEED_BYTES)));
    localStorage.setItem(slot(this.table), JSON.stringify({ hand, seed }));
    return { hand, pledge: await pledgeOf(this.table, hand, seed) };
  }
}

function slot(table) {
  return `croupier.seed.${table}`;
}

/** SHA-256 of 0x05, the hand's id (table, zero, number as eight bytes) and the seed; in hex. */
async function pledgeOf(table, hand, seed) {
  const number = new Uint8Array(8);
  new DataView(number.buffer).setBigUint64(0, BigInt(hand));
  const bytes = [5, ...new TextEncoder().encode(table), 0, ...number, ...unhex(seed)];
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", new Uint8Array(bytes))));
}

function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function unhex(text) {
  return text.match(/../g).map((byte) => Number.parseInt(byte, 16));
}
