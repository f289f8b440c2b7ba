/** Whose seats are whose, and what they are called. In some games a player has two seats side by side: 3a and 3b. */

import { text } from "./texts.js";

const EACH = Number(document.body.dataset.seatsEach ?? 1); // seats of one player

/** "3", or "3a" and "3b" where a player has two. */
export function seatLabel(seat) {
  return chairNumber(seat) + (EACH > 1 ? "ab"[seat % EACH] : "");
}

/** The number of the place that a player takes, from 1. */
export function chairNumber(seat) {
  return Math.floor(seat / EACH) + 1;
}

/** A player as he is told of: with the seat's label where that is not plain from the name. */
export function named(player, seat) {
  return EACH > 1 ? `${player} ${seatLabel(seat)}` : player;
}

/** Names of those who sit in `view`, by seat. */
export function namer(view) {
  return (seat) => {
    const player = view?.seats[seat]?.player;
    return player ? named(player, seat) : text("table.seat", { number: seatLabel(seat) });
  };
}

/** The chair that is taken for a player with this one. */
export function isFirstChair(seat) {
  return seat % EACH === 0;
}

/** The reader's seats that are his now: none for a spectator, and for a player whose leaving has been carried out. */
export function ownSeats(view) {
  const own = view?.seats[view?.you?.seat];
  if (!own) return [];
  return view.seats.flatMap((place, seat) => (place?.player === own.player ? [seat] : []));
}

/** The seats that may decide now: the one on turn, or all that are awaited at once. */
export function onTurn(hand) {
  if (!hand || hand.over || hand.actor === null) return [];
  return hand.awaited.length ? hand.awaited : [hand.actor];
}

/** The reader's cards, by seat. */
export function ownCards(view) {
  const told = [view.you, ...(view.you?.also ?? [])].filter(Boolean);
  return Object.fromEntries(told.map(({ seat, cards }) => [seat, cards ?? []]));
}
