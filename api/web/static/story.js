/** Events in words: for the log beside the felt, the bubbles at the seats and the dealer's voice. */

import { cardName, handName, has, shortCard, text } from "./texts.js";

// Told by the felt already, or of no use to a player.
const SILENT = new Set(["TurnBegan", "AntePaid", "HandEnded", "Connected", "Disconnected"]);
const WHOLE = new Set(["only", "both"]);
const SPOKEN = new Set([
  "HandStarted", "StreetBegan", "BoardDealt", "Folded", "Checked", "Called", "RaisedTo", "BroughtIn", "TimedOut",
  "Shown", "Mucked", "HandVoided", "Paused", "Resumed", "Closed",
]);

/**
 * @param {any} event as the server shows it: `{event: "Called", seat: 2, amount: 40}`
 * @param {(seat: number) => string} nameOf
 * @returns {string | null} null when there is nothing to tell
 */
export function tell(event, nameOf, card = shortCard) {
  const key = `event.${event.event}`;
  if (SILENT.has(event.event) || !has(key)) return null;
  if (event.event === "Dealt" && !event.cards.length) return null;
  return text(key, values(event, nameOf, card));
}

/** The same for the ears: cards by name. */
export function say(event, nameOf) {
  return SPOKEN.has(event.event) ? tell(event, nameOf, cardName) : null;
}

/** What the seat did last, short enough for its plate; null when the event is no action. */
export function bubble(event, nameOf) {
  const key = `bubble.${event.event}`;
  return has(key) ? text(key, values(event, nameOf, shortCard)) : null;
}

function values(event, nameOf, card) {
  return {
    player: event.player ?? (event.seat === undefined ? "" : nameOf(event.seat)),
    amount: event.amount ?? event.to ?? event.chips ?? (event.live ?? 0) + (event.dead ?? 0),
    number: event.number ?? 0,
    street: event.street ? text(`street.${event.street}`) : "",
    cards: (event.cards ?? []).map(card).join(" "),
  };
}

/** Names of the players in `view` by seat. */
export function namer(view) {
  return (seat) => view?.seats[seat]?.player ?? text("table.seat", { number: seat + 1 });
}

/** Who has won what in a hand that is over: a line per winner and share, with the hand if it was shown. */
export function results(view) {
  const totals = new Map();
  for (const [, share, seat, amount] of view.hand.awards) {
    const key = `${seat} ${share}`;
    totals.set(key, { share, seat, amount: (totals.get(key)?.amount ?? 0) + amount });
  }
  return [...totals.values()].map((award) => resultLine(award, view));
}

function resultLine({ share, seat, amount }, view) {
  const key = share === "only" ? "table.won" : "table.won_as";
  const line = text(key, { player: namer(view)(seat), amount, share: text(`share.${share}`) });
  const hand = shownHand(view.hand.names?.[seat] ?? [], share);
  return hand ? text("table.with", { text: line, hand }) : line;
}

/** `names`: what the seat has shown, by share. A share of its own is high or low; the others take all there is. */
function shownHand(names, share) {
  const won = names.filter((name) => name.category && (name.share === share || WHOLE.has(share)));
  return won.map(handName).join(" / ");
}
