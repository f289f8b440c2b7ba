/** Draws a table as a view describes it: seats round the felt, cards, bets. Knows no rules. */

import { layBets } from "./bets.js";
import { drawCards } from "./cards.js";
import { el, refill } from "./dom.js";
import { seenCard } from "./looks.js";
import { drawMiddle } from "./middle.js";
import { chairNumber, isFirstChair, named, onTurn, ownSeats } from "./seats.js";
import { number, text } from "./texts.js";

const CROWD = 9; // chairs; with more of them each is drawn smaller
// Width by height of the line that the seats are spread along.
const WIDE = 2.1;
const TALL = 0.6;
const SQUARE = 1;

/**
 * @param {Element} felt
 * @param {any} view what the server sends
 * @param {{bottom?: number, bubbles?: Record<number, string>, bringIn?: number | null, take?: (seat: number) => void}} how
 *   `bottom`: the seat drawn nearest to the reader; `take`: what a click on a free seat does
 */
export function drawFelt(felt, view, how = {}) {
  const chairs = view.seats.length;
  const ratio = ratioOf(felt.clientWidth / felt.clientHeight);
  felt.classList.toggle("crowded", chairs > CROWD);
  felt.querySelector(".seats").append(...missing(felt, chairs));
  view.seats.forEach((place, seat) => {
    const { x, y } = spot((seat - (how.bottom ?? 0) + chairs) % chairs, chairs, ratio);
    drawSeat(put(felt.querySelector(`[data-seat="${seat}"]`), x, y), view, seat, place, how);
    drawBet(felt.querySelector(`[data-bet="${seat}"]`), place);
  });
  drawMiddle(felt.querySelector(".middle"), view);
  layBets(felt);
}

/** By the shape of the felt, its width by its height. */
function ratioOf(shape) {
  if (shape > 1.2) return WIDE;
  return shape < 0.9 ? TALL : SQUARE;
}

/**
 * Where the k-th of n seats is, clockwise from the bottom; -1…1 both ways. Seats are evenly spread along the sides of a
 * rectangle (`ratio`: its width by its height) whose corners are then pulled in.
 */
function spot(k, n, ratio) {
  const side = ratio / (ratio + 1);
  const [x, y] = onRectangle(((k / n) * 2 + side / 2) % 2, side);
  const bulge = (x ** 4 + y ** 4) ** 0.25;
  return { x: x / bulge, y: y / bulge };
}

/** `way`: 0…2 round the rectangle from its bottom right corner; the bottom and the top are each `side` long. */
function onRectangle(way, side) {
  if (way >= 1) return onRectangle(way - 1, side).map((part) => -part);
  if (way < side) return [1 - 2 * (way / side), 1];
  return [-1, 1 - 2 * ((way - side) / (1 - side))];
}

function put(element, x, y) {
  element.style.setProperty("--x", x.toFixed(3));
  element.style.setProperty("--y", y.toFixed(3));
  element.classList.toggle("right-hand", x > 0.1);
  return element;
}

function missing(felt, chairs) {
  if (felt.querySelector("[data-seat]")) return [];
  return Array.from({ length: chairs }, (_, seat) => seat).flatMap((seat) => [
    el("li", { class: "seat", "data-seat": seat }),
    el("li", { class: "spot", "data-bet": seat }),
  ]);
}

function drawSeat(pod, view, seat, place, how) {
  const hand = view.hand;
  const mine = ownSeats(view).includes(seat);
  const turn = onTurn(hand).includes(seat);
  const won = Boolean(hand?.over && hand.awards.some((award) => award[2] === seat));
  const marks = { button: hand?.button === seat, bringIn: how.bringIn === seat, ...choiceOf(hand, seat) };
  const bubble = how.bubbles?.[seat] ?? "";
  pod.classList.toggle("turn", turn);
  pod.classList.toggle("won", won);
  pod.classList.toggle("mine", mine);
  pod.classList.toggle("betting", Boolean(place?.bet));
  pod.classList.toggle("folded", Boolean(place?.folded && !hand?.over));
  const free = !place && Boolean(how.take) && view.status === "running" && isFirstChair(seat);
  const cards = place && !mine && !place.folded && !place.mucked ? shownCards(view, seat, place) : [];
  refill(pod, [place, cards, turn, marks, bubble, free], () =>
    place ? occupied(place, cards, turn, marks, bubble) : [vacant(seat, free ? how.take : null)],
  );
}

/** Face up where everybody knows the card, or the reader alone. */
function shownCards(view, seat, place) {
  return place.cards.map((card, slot) => card ?? seenCard(view, seat, slot));
}

/** What the seat has chosen: that it has, until all have; then what. */
function choiceOf(hand, seat) {
  const declared = hand?.declared?.find((one) => one.seat === seat)?.choice ?? null;
  const extraBlind = Boolean(!hand?.over && hand?.extra_blinds?.includes(seat));
  return { chosen: Boolean(hand?.chosen.includes(seat)), declared, extraBlind };
}

function vacant(seat, take) {
  const label = text("table.take", { number: chairNumber(seat) });
  if (!take) return el("span", { class: "vacant" }, text("state.empty"));
  return el("button", { class: "vacant take", type: "button", onclick: () => take(seat) }, label);
}

function occupied(place, cards, turn, marks, bubble) {
  return [
    el("span", { class: `cards many-${cards.length}` }, ...drawCards(cards)),
    el(
      "span",
      { class: "plate" },
      el("span", { class: "name" }, el("span", { class: "who" }, place.player), handLabel(place.seat)),
      el("span", { class: "chips" }, number(place.chips)),
      marks.button ? el("span", { class: "dealer", role: "img", "aria-label": text("table.button") }, "D") : null,
      turn ? el("span", { class: "clock", "aria-hidden": "true" }) : null,
    ),
    ...badges(marks),
    el("span", { class: "word" }, bubble || stateWord(place)),
  ];
}

/** " 3a": kept where a long name is cut short. */
function handLabel(seat) {
  const label = named("", seat);
  return label ? el("span", { class: "hand-label" }, label) : null;
}

function badges({ bringIn, chosen, declared, extraBlind }) {
  const words = [
    bringIn ? text("table.bring_in") : null,
    chosen ? text("table.has_chosen") : null,
    declared ? text(`declare.${declared}`) : null,
    extraBlind ? text("table.extra_blind") : null,
  ];
  return words.filter(Boolean).map((word) => el("span", { class: "mark" }, word));
}

/** One word when the seat is anything but simply in the hand. */
function stateWord(place) {
  if (place.leaving) return text("state.leaving");
  return place.state === "in" ? "" : text(`state.${place.state}`);
}

function drawBet(spotForBet, place) {
  const bet = place?.bet ?? 0;
  const label = text("table.bet", { amount: bet });
  refill(spotForBet, bet, () =>
    bet ? [el("span", { class: "chip", role: "img", "aria-label": label }, number(bet))] : [],
  );
}
