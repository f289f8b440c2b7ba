/** Cards drawn by hand: suit by shape, sign and colour; one image with a spoken name each. */

import { svg } from "./dom.js";
import { cardName, rankText, text } from "./texts.js";

// Outlines in a box of 24 × 24.
const SHAPES = {
  c: "M12 1.5a4.7 4.7 0 0 1 3.9 7.3 4.8 4.8 0 1 1-2.7 7.4L15.2 22H8.8l2-5.8a4.8 4.8 0 1 1-2.7-7.4A4.7 4.7 0 0 1 12 1.5z",
  d: "M12 1l8 11-8 11-8-11z",
  h: "M12 22C5 15.5 1.5 11.5 1.5 7.3A5.3 5.3 0 0 1 12 5.5a5.3 5.3 0 0 1 10.5 1.8C22.5 11.5 19 15.5 12 22z",
  s: "M12 1.5C14.5 6.5 22 10 22 15.2a4.6 4.6 0 0 1-8.6 2.2L15.2 22H8.8l1.8-4.6A4.6 4.6 0 0 1 2 15.2C2 10 9.5 6.5 12 1.5z",
};

/**
 * @param {string | null} card "As"; null is a back
 * @param {{up?: boolean}} how `up`: one of the own cards that lies face up before everybody
 */
export function drawCard(card, { up = false } = {}) {
  const label = cardName(card) + (up ? `, ${text("table.up")}` : "");
  const kind = card ? `card suit-${card[1]}` : "card back";
  const frame = svg("svg", { class: up ? `${kind} up` : kind, viewBox: "0 0 60 84", role: "img", "aria-label": label });
  frame.append(svg("rect", { class: "paper", x: 1, y: 1, width: 58, height: 82, rx: 7 }));
  frame.append(...(card ? face(card) : [svg("rect", { class: "pattern", x: 7, y: 7, width: 46, height: 70, rx: 4 })]));
  return frame;
}

/** Rank and suit stand at the left edge, where an overlapping neighbour leaves them visible. */
function face([rank, suit]) {
  const narrow = rank === "T" ? { textLength: 26, lengthAdjust: "spacingAndGlyphs" } : {};
  const index = svg("text", { x: 15, y: 29, class: "index", ...narrow }, rankText(rank));
  return [index, shape(suit, "translate(4 35) scale(.85)"), shape(suit, "translate(25 43) scale(1.3)")];
}

function shape(suit, transform) {
  return svg("path", { d: SHAPES[suit], transform });
}

export function drawCards(cards, up = []) {
  return cards.map((card, place) => drawCard(card, { up: up.includes(place) }));
}
