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
  const pots = hand ? potTexts(view) : [];
  const burned = hand && !hand.over ? burnedCards(view) : [];
  refill(middle, [board, market, burned, pots, view.status, hand?.street], () => [
    drawBoard(board),
    "left" in market ? drawMarket(market) : null,
    drawBelow(burned, pots),
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

/** Under the board: burned cards, where they are for sale, and the pots; side by side where there is room. */
function drawBelow(burned, pots) {
  const lines = el("div", { class: "pots" }, ...pots.map((line) => el("p", { class: "pot" }, line)));
  return el("div", { class: "below" }, burned.length ? drawBurned(burned) : null, pots.length ? lines : null);
}

/** The whole pot; when somebody is all-in also each pot with those who can win it. */
function potTexts(view) {
  const hand = view.hand;
  if (hand.over) return [];
  const streets = (hand.blocked ?? []).map((street) => text(`street.${street}`)).join(", ");
  const blocked = streets ? [text("table.blocked", { street: streets })] : [];
  const whole = [text("table.pot", { amount: hand.pot }), ...blocked];
  const contested = view.seats.some((place) => place?.state === "all_in");
  if (!contested || hand.pots.length < 2) return whole;
  return [...whole, ...hand.pots.map((pot, number) => potText(view, pot, number))];
}

function potText(view, pot, number) {
  const players = pot.eligible.map(namer(view)).join(", ");
  const key = number === 0 ? "table.main_pot" : "table.side_pot";
  return text(key, { number, amount: pot.amount, players });
}
