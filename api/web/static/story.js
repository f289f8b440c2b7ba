/** Events in words: for the log beside the felt, the bubbles at the seats and the dealer's voice. */

import { named } from "./seats.js";
import { cardName, has, shortCard, text } from "./texts.js";

// Told by the felt already, told by another event, or of no use to a player.
const SILENT = new Set([
  "TurnBegan", "TurnEnded", "AntePaid", "AntesPaid", "RoundDealt", "HandEnded", "Connected", "Disconnected",
  "BlindsOwed", "OrbitMissed", "LevelExtended", "Burned", "Awaited", "AnswersOpened", "TimeBankUsed",
  "ClockExtended", "GraceGiven", "SeedPledged", "SeedsAwaited", "SeedRevealed", "CutFixed",
]);
const SPOKEN = new Set([
  "HandStarted", "StreetBegan", "BoardDealt", "Folded", "Checked", "Called", "RaisedTo", "BroughtIn", "TimedOut",
  "Shown", "Mucked", "HandVoided", "Paused", "Resumed", "Closed", "MarketShown", "Bought", "Declared", "Fee", "Looked",
  "RevealAsked", "Revealed", "CardAdded", "DeadBought", "Merged", "Blocked", "ExtraBlindTaken", "BankPaid", "Sold",
  "LevelStarted", "SeatEliminated", "PlayerRanked",
]);
const PRIVATE = new Set(["Looked", "Revealed", "CardAdded", "DeadBought"]); // whose card only one player is told

// Events that are told in different words.
const VARIANTS = {
  Awarded: ({ share }) => (share === "only" ? "whole" : "share"),
  Bought: ({ cards }) => (cards.length ? "open" : "hidden"),
  DeadBought: ({ target }) => (target < 0 ? "burned" : "folded"),
  Fee: ({ to }) => to,
  Looked: ({ target }) => (target < 0 ? "burned" : "folded"),
  PlayerRanked: ({ rank }) => (rank === 1 ? "first" : "other"),
  Sold: ({ cards }) => (cards.length ? "cards" : "nothing"),
};

/**
 * @param {any} event as the server shows it: `{event: "Called", seat: 2, amount: 40}`
 * @param {(seat: number) => string} nameOf
 * @returns {string | null} null when there is nothing to tell
 */
function tell(event, nameOf, card = shortCard) {
  const variant = VARIANTS[event.event]?.(event);
  const key = `event.${event.event}${variant ? `.${variant}` : ""}`;
  if (SILENT.has(event.event) || !has(key)) return null;
  if (event.event === "Dealt" && !event.cards.length) return null;
  const line = text(key, values(event, nameOf, card));
  const seen = PRIVATE.has(event.event) && event.cards?.length;
  return seen ? text("event.seen", { line, cards: listed(event.cards, card) }) : line;
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
  return events.flatMap((event, at) => {
    for (const [seat, player] of seatings(event)) names.set(seat, named(player, seat));
    return hands(withCards(event, events, at)).flatMap((one) => {
      const line = tell(one, then);
      return line ? [{ event, line }] : [];
    });
  });
}

/** A round dealt as what each seat gets of it that can be seen: own cards face down, everybody's face up. */
function hands(event) {
  if (event.event !== "RoundDealt") return [event];
  const count = event.seats.length;
  const own = new Map((event.own ?? []).map(({ seat, cards }) => [seat, cards]));
  return event.seats.map((seat, place) => {
    const up = event.cards.filter((_, at) => at % count === place);
    return { event: "Dealt", seat, cards: [...(own.get(seat) ?? []), ...up] };
  });
}

function seatings(event) {
  if (event.event === "HandStarted") return event.seats;
  return event.event === "Sat" ? [[event.seat, event.player]] : [];
}

/** The latest event for the ears: cards by name; null when it can be seen well enough. */
export function say(events, nameOf) {
  const event = events.at(-1);
  return SPOKEN.has(event.event) ? tell(withCards(event, events, events.length), nameOf, cardName) : null;
}

/** A card that is bought has been shown by an event before this one, the `at`-th. */
function withCards(event, events, at) {
  if (event.event !== "Bought" || event.cards?.length) return event;
  const hand = since(events.slice(0, at), "HandStarted");
  const shown = hand.findLast((one) => one.cards?.length && one.at?.includes(event.at[0]));
  return { ...event, cards: shown?.cards ?? [] };
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
    player: playerOf(event, nameOf),
    amount: event.amount ?? event.price ?? event.to ?? event.chips ?? (event.live ?? 0) + (event.dead ?? 0),
    number: event.number ?? event.level ?? event.rank ?? 0,
    street: event.street ? text(`street.${event.street}`) : "",
    game: event.game ? text(`game.${event.game}`) : "",
    cards: listed(event.cards ?? [], card),
    share: event.share ? text(`share.${event.share}`) : "",
    ...gameValues(event, nameOf),
  };
}

/** What only events of one game have. */
function gameValues(event, nameOf) {
  return {
    side: event.source ? text(`side.${event.source}`) : "",
    item: event.item ? text(`item.${event.item}`) : "",
    slot: (event.slot ?? 0) + 1,
    target: event.target === undefined ? "" : nameOf(event.target),
    absorbed: event.absorbed === undefined ? "" : nameOf(event.absorbed),
    streets: (event.streets ?? []).map((street) => text(`street.${street}`)).join(", "),
    choices: (event.choices ?? []).map(([seat, choice]) => declaration(nameOf(seat), choice)).join(", "),
  };
}

function declaration(player, choice) {
  return text("event.choice", { player, choice: text(`declare.${choice}`) });
}

function playerOf({ player, seat }, nameOf) {
  if (seat === undefined) return player ?? "";
  return player === undefined ? nameOf(seat) : named(player, seat);
}

function listed(cards, card) {
  return cards.map(card).join(" ");
}
