/** What lies in the middle of the felt: the board, a market, the pots. */

import { drawCard, drawCards } from "./cards.js";
import { el, refill } from "./dom.js";
import { namer } from "./seats.js";
import { number, text } from "./texts.js";

export function drawMiddle(middle, view) {
  const hand = view.hand;
  const board = hand?.board ?? [];
  const market = hand && !hand.over ? (hand.market ?? {}) : {};
  const pots = hand ? potTexts(view) : [];
  refill(middle, [board, market, pots, view.status, hand?.street], () => [
    drawBoard(board),
    "left" in market ? drawMarket(market) : null,
    ...pots.map((line) => el("p", { class: "pot" }, line)),
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

/** The whole pot; when somebody is all-in also each pot with those who can win it. */
function potTexts(view) {
  const hand = view.hand;
  if (hand.over) return [];
  const whole = [text("table.pot", { amount: hand.pot })];
  const contested = view.seats.some((place) => place?.state === "all_in");
  if (!contested || hand.pots.length < 2) return whole;
  return [...whole, ...hand.pots.map((pot, number) => potText(view, pot, number))];
}

function potText(view, pot, number) {
  const players = pot.eligible.map(namer(view)).join(", ");
  const key = number === 0 ? "table.main_pot" : "table.side_pot";
  return text(key, { number, amount: pot.amount, players });
}
