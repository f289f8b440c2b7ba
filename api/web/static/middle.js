/** What lies in the middle of the felt: the board, a market, the pots. */

import { drawCard, drawCards } from "./cards.js";
import { el, refill } from "./dom.js";
import { seenCard } from "./looks.js";
import { namer } from "./seats.js";
import { number, text } from "./texts.js";

export function drawMiddle(middle, view) {
  const hand = view.hand;
  const board = hand?.board ?? [];
  const market = hand && !hand.over ? (hand.market ?? {}) : {};
  const pots = hand ? potLines(view) : [];
  const burned = hand && !hand.over ? burnedCards(view) : [];
  refill(middle, [board, market, burned, pots, view.status, hand?.street], () => [
    el("div", { class: "common" }, drawBoard(board), burned.length ? drawBurned(burned) : null),
    "left" in market ? drawMarket(market) : null,
    pots.length ? el("div", { class: "pots" }, ...pots.map(drawPot)) : null,
    view.status === "running" ? null : el("p", { class: "pot" }, text(`status.${view.status}`)),
  ]);
}

/** Razz has at most one card in the middle: the shared last one. */
function drawBoard(board) {
  const label = text(board.length === 1 ? "table.community" : "table.board");
  const row = { class: `cards board many-${board.length}`, role: "group", "aria-label": label };
  return el("div", row, ...drawCards(board));
}

/** One card each side of the deck, with its price. */
function drawMarket({ left, right }) {
  const label = text("table.market");
  const deck = el("span", { class: "ware" }, drawCard(null));
  return el("div", { class: "market", role: "group", "aria-label": label }, ware(left), deck, ware(right));
}

function ware(offer) {
  if (!offer) return null;
  const label = text("table.price", { amount: offer.price });
  const price = el("span", { class: "price", role: "img", "aria-label": label }, number(offer.price));
  return el("span", { class: "ware" }, drawCard(offer.card), price);
}

/** Where they can be bought: those that still lie there, as the reader knows them. */
function burnedCards(view) {
  const { positions, gone = [] } = view.hand;
  const slots = (positions?.burned ?? []).map((_, slot) => slot);
  const left = slots.filter((slot) => !gone.some(([target, place]) => target < 0 && place === slot));
  return left.map((slot) => seenCard(view, undefined, slot));
}

function drawBurned(cards) {
  return el("div", { class: "burned" }, el("span", {}, text("table.burned")), ...drawCards(cards));
}

/** The whole pot, what is blocked; when somebody is all-in also each pot with those who can win it. */
function potLines(view) {
  const hand = view.hand;
  if (hand.over) return [];
  const streets = (hand.blocked ?? []).map((street) => text(`street.${street}`)).join(", ");
  const blocked = streets ? [{ line: text("table.blocked", { street: streets }), kind: "blocked" }] : [];
  const whole = [{ line: text("table.pot", { amount: hand.pot }) }, ...blocked];
  const contested = view.seats.some((place) => place?.state === "all_in");
  if (!contested || hand.pots.length < 2) return whole;
  return [...whole, ...hand.pots.map((pot, number) => potLine(view, pot, number))];
}

function potLine(view, pot, number) {
  if (number === 0) return { line: text("table.main_pot", { amount: pot.amount }) };
  const players = pot.eligible.map(namer(view)).join(", ");
  return { line: text("table.side_pot", { number, amount: pot.amount }), players };
}

/** Who can win a side pot is written out where there is room. */
function drawPot({ line, players, kind = "" }) {
  if (!players) return el("p", { class: `pot ${kind}` }, line);
  const full = `${line} (${players})`;
  return el("p", { class: "pot", title: full }, line, el("span", { class: "eligible" }, ` (${players})`));
}
