/** The own cards, large, and what they make. */

import { drawCards } from "./cards.js";
import { byId, el, refill } from "./dom.js";
import { handName, text } from "./texts.js";

/**
 * @param {any} view
 * @param {number | null} seat ours; null for a spectator
 * @param {{share: string, category?: string, ranks?: string}[]} names of the hand for each share, from the server
 */
export function drawOwn(view, seat, names) {
  const cards = seat === null ? [] : view.you.cards;
  const place = seat === null ? null : view.seats[seat];
  const own = byId("own");
  own.hidden = !cards.length;
  own.classList.toggle("folded", Boolean(place?.folded));
  refill(own, [cards, place?.up, names], () => [
    cardRow(cards, place?.up ?? []),
    ...names.map((name) => el("p", { class: "own-hand" }, nameText(name))),
  ]);
}

function cardRow(cards, up) {
  const label = text("table.own_cards");
  return el("div", { class: `cards many-${cards.length}`, role: "group", "aria-label": label }, ...drawCards(cards, up));
}

/** High and low in their own lines; a share that the hand does not qualify for is said too. */
function nameText(name) {
  return text(`table.${name.share}`, { hand: name.category ? handName(name) : text("table.no_low") });
}
