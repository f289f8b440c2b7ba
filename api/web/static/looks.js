/** Cards that the reader has paid to see, and where they lie now. */

import { namer, ownSeats } from "./seats.js";
import { shortCard, text } from "./texts.js";

/**
 * @param {any} view
 * @param {number | undefined} target a seat; undefined: the burned cards
 * @returns {string | null} the card in that slot if the reader has seen it there
 */
export function seenCard(view, target, slot) {
  const { at = [], cards = [] } = view.you?.looks ?? {};
  const position = view.hand?.positions?.[target ?? "burned"]?.[slot];
  return cards[at.indexOf(position)] ?? null;
}

/** "burned card 1", "card 2 of Bob 2a", or the hand's name alone; with the card where the reader knows it. */
export function placeText(view, { target, slot }) {
  const player = target === undefined ? "" : namer(view)(target);
  if (slot === undefined) return player;
  const place = text(target === undefined ? "look.burned" : "look.of", { slot: slot + 1, player });
  const card = seenCard(view, target, slot);
  return card ? text("event.seen", { line: place, cards: shortCard(card) }) : place;
}

/** A line for every card that the reader has seen and that still lies with somebody else. */
export function seenTexts(view) {
  const positions = view.hand?.positions ?? {};
  const gone = (view.hand?.gone ?? []).map(String);
  const places = Object.entries(positions).flatMap(([owner, cards]) => {
    const target = owner === "burned" ? undefined : Number(owner);
    return cards.map((_, slot) => ({ target, slot }));
  });
  const strange = ({ target, slot }) => !ownSeats(view).includes(target) && !gone.includes(`${target ?? -1},${slot}`);
  const seen = places.filter((place) => strange(place) && seenCard(view, place.target, place.slot));
  return seen.map((place) => placeText(view, place));
}
