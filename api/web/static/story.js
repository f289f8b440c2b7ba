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
function tell(event, nameOf, card = shortCard) {
  const key = `event.${event.event}`;
  if (SILENT.has(event.event) || !has(key)) return null;
  if (event.event === "Dealt" && !event.cards.length) return null;
  return text(key, values(event, nameOf, card));
}

/**
 * All there is to tell about some events, each with the names of its time: seats change hands.
 * @param {any[]} events oldest first
 * @param {(seat: number) => string} nameOf who sits there now, for what happened before the first hand told of here
 * @returns {{event: any, line: string}[]}
 */
export function chronicle(events, nameOf) {
  const names = new Map();
  const then = (seat) => names.get(seat) ?? nameOf(seat);
  return events.flatMap((event) => {
    for (const [seat, player] of seatings(event)) names.set(seat, player);
    const line = tell(event, then);
    return line ? [{ event, line }] : [];
  });
}

function seatings(event) {
  if (event.event === "HandStarted") return event.seats;
  return event.event === "Sat" ? [[event.seat, event.player]] : [];
}

/** An event for the ears: cards by name; null when it can be seen well enough. */
export function say(event, nameOf) {
  return SPOKEN.has(event.event) ? tell(event, nameOf, cardName) : null;
}

/**
 * What each seat did on this street so far, short enough for its plate, and which seat brought in.
 * @param {any[]} events oldest first
 */
export function lately(events) {
  const hand = since(events, "HandStarted");
  const bubbles = {};
  for (const event of since(hand, "StreetBegan")) {
    const key = `bubble.${event.event}`;
    if (has(key)) bubbles[event.seat] = text(key, values(event, String, shortCard));
  }
  return { bubbles, bringIn: hand.find((event) => event.event === "BroughtIn")?.seat ?? null };
}

/** The events after the last one of a kind; all, if there is none. */
function since(events, kind) {
  return events.slice(events.findLastIndex((event) => event.event === kind) + 1);
}

function values(event, nameOf, card) {
  return {
    player: event.player ?? (event.seat === undefined ? "" : nameOf(event.seat)),
    amount: event.amount ?? event.to ?? event.chips ?? (event.live ?? 0) + (event.dead ?? 0),
    number: event.number ?? 0,
    street: event.street ? text(`street.${event.street}`) : "",
    game: event.game ? text(`game.${event.game}`) : "",
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
