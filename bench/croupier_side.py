"""Our engine playing given hands on the path that ships: `act` in place, every event packed for the log."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bench.hands import ANTE, BIG_BET, BIG_BLIND, BRING_IN, SEATS, SMALL_BET, SMALL_BLIND, STACK, Hand
from engine.commands import Act, OpenTable, Sit, StartHand
from engine.deck import Deck, bare_deck
from engine.events import BroughtIn, Called, Checked, Event, Folded, RaisedTo
from engine.table import Table, act, options
from services.wire import EVENTS

NOW, SEED, HEAD = 1_700_000_000_000, bytes(32), bytes(32)
PLAYERS = tuple(f"player-{seat}" for seat in range(SEATS))

# Where the rule book leaves a choice, what PokerKit does, so that the final stacks can be compared.
OPTIONS: dict[str, dict[str, object]] = {
    "omaha8": {
        "omaha.big_blind": BIG_BLIND,
        "omaha.small_blind": SMALL_BLIND,
        "omaha.identical_split": "halves",
    },
    "razz": {
        "razz.ante": ANTE,
        "razz.bring_in": BRING_IN,
        "razz.small": SMALL_BET,
        "razz.big": BIG_BET,
        "razz.odd_chip": "clockwise",
    },
}

Legal = dict[str, tuple[int, int]]
Policy = Callable[[Legal, Callable[[], float]], str]

PASSIVE = ("check", "call", "bring_in", "muck")


def calldown(legal: Legal, draw: Callable[[], float]) -> str:
    """Bring in, check or call; muck what need not be shown."""
    for verb in PASSIVE:
        if verb in legal:
            return verb
    raise AssertionError("nothing passive to do")


def at_random(legal: Legal, draw: Callable[[], float]) -> str:
    """Uniform over: fold when facing a bet, check or call (or bring in), raise at the minimum."""
    if "muck" in legal:
        return "muck"
    kinds = list(legal)  # offered in just this order
    return kinds[int(draw() * len(kinds))]


POLICIES: dict[str, Policy] = {"random": at_random, "calldown": calldown}


def open_table(game: str) -> Table:
    """A table of six, everybody with the stack of the engine rows."""
    table = Table("000-bench")
    act(table, OpenTable(game, {"seats": SEATS, **OPTIONS[game]}), NOW)
    for seat, player in enumerate(PLAYERS):
        act(table, Sit(seat, player, STACK), NOW)
    return table


def decks(hands: Sequence[Hand]) -> list[Deck]:
    """The hands' cards as decks without a commitment."""
    return [bare_deck(hand.cards) for hand in hands]


def play(table: Table, policy: str, hand: Hand, deck: Deck) -> list[Event]:
    """The next hand of the table to its end; the hand's events."""
    choose, draw = POLICIES[policy], iter(hand.draws).__next__
    for place in table.places:
        place.chips = STACK  # type: ignore[union-attr]
    events = act(table, StartHand(SEED, HEAD), NOW, lambda seed, hand_id: deck)
    running = table.hand
    assert running is not None
    while not running.over:
        seat = running.actor
        assert seat is not None
        verb = choose(options(table), draw)
        events += act(table, Act(seat, PLAYERS[seat], verb, None, table.turn), NOW)
    return events


def packed(events: Sequence[Event]) -> list[bytes]:
    """The bytes that go into the log."""
    return [EVENTS.encode(event) for event in events]


def actions(events: Sequence[Event]) -> int:
    """How many of them are decisions of players."""
    return sum(isinstance(event, (Folded, Checked, Called, RaisedTo, BroughtIn)) for event in events)


def stacks(table: Table) -> list[int]:
    """Final stacks, beginning with the seat dealt to first."""
    assert table.hand is not None
    return [seat.stack for seat in table.hand.seats.values()]
