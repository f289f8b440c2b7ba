"""Verify one finished hand from what is stored of it, as a row of checks.

Without a seed: chain, decoding, fold, chips, openings of the cards that became public, the public cut. With the
unsealed seed also the whole commitment, and the recorded commands decided again, which must give the same bytes. No
text of a check ever holds a card, a seed or a salt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple

from engine import snapshot
from engine.deck import CARDS, Deck, hand_id, sealed_deck, split_openings, verify_opening
from engine.events import ChipsAdded, Event, HandEnded, HandStarted, RoundDealt, Sat, Stood
from engine.game import games
from engine.refusals import LogBroken, Refused
from engine.state import Table
from engine.table import act, evolve
from engine.view import view
from services.cut import Watch, difference, told
from services.reader import ChainBroken, check_chain
from services.recording import command_again
from services.sealing import SealKey
from services.segment import Decision, Segment, decisions, told_the_same
from services.wire import EVENTS, NO_FIT, WireError


class Check(NamedTuple):
    """`detail` says what was checked, or names the first difference by its version."""

    name: str
    ok: bool
    detail: str


class Verdict(NamedTuple):
    checks: tuple[Check, ...]

    @property
    def ok(self) -> bool:
        """Whether every check that could be made holds."""
        return all(check.ok for check in self.checks)

    def as_json(self) -> dict[str, Any]:
        """`{"ok", "checks": [{"name", "ok", "detail"}]}`."""
        return {"ok": self.ok, "checks": [check._asdict() for check in self.checks]}


class Differs(Exception):
    """What a check found; the text is safe to show."""


class Case:
    """A finished hand on the table of whoever audits it: read once, folded once, for all the checks.

    `hashed`: its chain was computed from the bytes and met the head when it was read (as the archive does).
    `table` is the table after the last event, once the fold has come so far; `unbalanced` the first event at which
    chips came from nowhere. `watch` has seen who pledged seeds and the order in which cards were dealt.
    """

    def __init__(self, segment: Segment, seed: bytes | None = None, hashed: bool = False) -> None:
        self.segment = segment
        self.seed = seed
        self.hashed = hashed
        self.events: list[Event] = []
        self.table: Table | None = None
        self.unbalanced = ""
        self.watch = Watch({})

    @cached_property
    def deck(self) -> Deck:
        """The deck that the seed gives for this hand."""
        assert self.seed is not None, "checks of the deck are made only with its seed"
        return sealed_deck(self.seed, hand_id(self.segment.table, self.segment.hand))

    def verdict(self) -> Verdict:
        """All checks that can be made: those after decoding only if it can be read, the deck's only with its seed."""
        return self._judged(AFTER_DECODING | (WITH_SEED if self.seed is not None else {}))

    def so_far(self) -> Verdict:
        """The checks of a piece of a log that ends anywhere, even within a hand."""
        return self._judged({"fold": fits, "chips": chips})

    def _judged(self, tests: Mapping[str, Callable[[Case], str]]) -> Verdict:
        checks = [run("chain", chain, self), run("decode", decode, self)]
        if checks[-1].ok:
            checks += [run(name, test, self) for name, test in tests.items()]
        return Verdict(tuple(checks))


def verify(segment: Segment, seed: bytes | None = None) -> Verdict:
    """All checks of one hand. `seed`: the unsealed seed, for whoever may know the whole deck."""
    return Case(segment, seed).verdict()


def run(name: str, test: Callable[[Case], str], case: Case) -> Check:
    """One check. A damaged log may break the program anywhere, which is a finding too; of it only the kind is
    told, for the text of a foreign error might hold values.
    """
    try:
        return Check(name, True, test(case))
    except (Differs, ChainBroken) as difference:
        return Check(name, False, str(difference))
    except Exception as error:
        return Check(name, False, type(error).__name__)


def chain(case: Case) -> str:
    segment = case.segment
    if not case.hashed:
        check_chain(segment.table, segment.entries, segment.prev_head, segment.head)
    return f"versions {segment.first} to {segment.last} follow from each other"


def decode(case: Case) -> str:
    for entry in case.segment.entries:
        try:
            case.events.append(EVENTS.decode(entry.event))
        except WireError as error:
            raise Differs(f"version {entry.version} cannot be read: {type(error).__name__}") from None
    return f"{len(case.events)} events can be read"


def fits(case: Case) -> str:
    """Every event fits the table as it is after the one before."""
    table = case.segment.start()
    expected = table.chips()
    watch = case.watch = Watch(table.pledges)
    for version, event in enumerate(case.events, case.segment.first):
        fitted(table, event, version)
        watch.see(event, table.hand.dealt if table.hand else 0)
        expected += brought(event, table)
        if not case.unbalanced and table.chips() != expected:
            case.unbalanced = f"{table.chips()} chips after version {version}, not {expected}"
    case.table = table
    return f"{len(case.events)} events fit"


def fold(case: Case) -> str:
    """Every event fits, the hand is the one asked for, and its last stacks are what its events give."""
    fits(case)
    table, hand = case.table, case.segment.hand
    if table is None or table.playing or table.number != hand:
        raise Differs(f"the log does not end hand {hand}")
    return f"hand {hand} ends with the stacks that its events give"


def fitted(table: Table, event: Event, version: int) -> None:
    """The table goes on by one event. Raises Differs where it does not fit."""
    try:
        evolve(table, event)
    except (LogBroken, *NO_FIT) as error:
        raise Differs(f"version {version} does not fit: {type(error).__name__}") from None


def chips(case: Case) -> str:
    """After every event the table holds what came to it and did not go (COM-55)."""
    if case.unbalanced:
        raise Differs(case.unbalanced)
    if case.table is None:
        raise Differs("cannot be counted: the events do not fit")
    return f"{case.table.chips()} chips at the end, balanced after every event"


def brought(event: Event, table: Table) -> int:
    """Chips that the event brings to the table; negative: takes from it."""
    bring = BRINGS.get(type(event))
    return bring(event, table) if bring else 0


BRINGS: dict[type[Any], Callable[[Any, Table], int]] = {
    Sat: lambda event, table: event.chips,
    Stood: lambda event, table: -event.chips,
    ChipsAdded: lambda event, table: event.amount,
    HandEnded: lambda event, table: -table.hand.rake if table.hand else 0,
}


def openings(case: Case) -> str:
    """Every card that became public is the one committed to at its position."""
    segment = case.segment
    root, count = start_of(segment, case.events).root, 0
    hand = hand_id(segment.table, segment.hand)
    for version, event in enumerate(case.events, segment.first):
        for at, card, opening in opened(event):
            if root and not verify_opening(root, hand, at, card, opening):
                raise Differs(f"version {version}: position {at} is not what was committed to")
            count += 1
    return f"{count} public cards open" if root else "dealt without a commitment"


def opened(event: Event) -> Iterator[tuple[int, int, bytes]]:
    """Position, card and opening of each card that the event shows."""
    cards = getattr(event, "cards", b"")
    if not cards:
        return
    at = event.up if isinstance(event, RoundDealt) else event.at  # type: ignore[attr-defined]
    yield from zip(at, cards, split_openings(at, event.openings), strict=True)  # type: ignore[attr-defined]


def started(segment: Segment) -> HandStarted:
    """The event that began the hand. Raises Differs."""
    return start_of(segment, segment.events())


def start_of(segment: Segment, events: Iterable[Event]) -> HandStarted:
    """The same, of events that have been read. Raises Differs."""
    for event in events:
        if isinstance(event, HandStarted):
            return event
    raise Differs(f"hand {segment.hand} does not begin here")


def same_table(case: Case, played: Table) -> str:
    """The log alone, folded without the deck, gives the table that was played."""
    end = case.segment.end()
    if snapshot.take(end) != snapshot.take(played) or view(end) != view(played):
        raise Differs("the log gives another table than the one that was played")
    return "the log gives the table that was played"


def cut(case: Case) -> str:
    """The cut is what the players' pledged and revealed seeds give, and the cards were dealt by it."""
    segment, seeds = case.segment, told(case.events)
    hand = hand_id(segment.table, segment.hand)
    if found := difference(case.watch, seeds, start_of(segment, case.events).root, hand):
        raise Differs(found)
    return f"{seeds.label}: {len(seeds.used)} seeds, {len(case.watch.order)} cards in the order of the cut"


def commitment(case: Case) -> str:
    """The seed gives the deck that was committed to before anything was dealt: the 52 leaves are a permutation."""
    if case.deck.root != start_of(case.segment, case.events).root:
        raise Differs("the sealed seed does not give the root that was published")
    if sorted(case.deck.cards) != list(range(CARDS)):
        raise Differs("the deck does not hold each card once")
    return "the 52 leaves are a permutation, the one the seed gives"


def decided_again(case: Case) -> str:
    """The recorded commands, decided by this program, give the stored bytes again: under the rules of then."""
    if (rules := other_rules(case)) is not None:
        return f"{NOT_AGAIN} {rules}"
    segment, seed, head, count = case.segment, case.seed or b"", case.segment.prev_head, 0
    table, events = segment.start(), iter(case.events)
    for step in decisions(segment.entries):
        facts = list(islice(events, len(step.entries)))
        command = command_again(step.recorded, seed, head, table, facts)
        compare(step, acted_again(table, command, step, case.deck))
        head, count = step.entries[-1].hash, count + 1
    return f"{count} commands give the same bytes again"


NOT_AGAIN = "not decided again: dealt under"


def other_rules(case: Case) -> str | None:
    """The version of the rules that the hand was dealt under, if this program has another one (or none) of its game."""
    began = start_of(case.segment, case.events)
    known = games().get(began.game)
    return None if known is not None and known.rules == began.rules else began.rules


def acted_again(table: Table, command: Any, step: Decision, deck: Deck) -> list[Event]:
    """What the command gives now, with this deck; `table` goes on from there."""
    try:
        return act(table, command, step.recorded.now_ms, lambda seed, hand: deck)
    except Refused as refusal:
        raise Differs(f"version {step.entries[0].version}: refused now, {refusal.code}") from None


def compare(step: Decision, events: list[Event]) -> None:
    """Raises Differs at the first event that is another one now, in today's words and in the earlier ones."""
    if told_the_same(step.entries, events):
        return
    again = [EVENTS.encode(event) for event in events]
    for entry, event in zip(step.entries, again, strict=False):
        if entry.event != event:
            raise Differs(f"version {entry.version} is decided otherwise now")
    if len(step.entries) != len(again):
        counts = f"{len(again)} events now, {len(step.entries)} stored"
        raise Differs(f"version {step.entries[-1].version}: {counts}")


def unsealed(segment: Segment, key: SealKey) -> bytes | None:
    """The seed of the hand; None where none was kept (a bare deck). Raises SealBroken."""
    if not segment.sealed_seed:
        return None
    return key.open(segment.sealed_seed, segment.table, segment.hand)


AFTER_DECODING: dict[str, Callable[[Case], str]] = {"fold": fold, "chips": chips, "openings": openings, "cut": cut}
WITH_SEED: dict[str, Callable[[Case], str]] = {"commitment": commitment, "decide": decided_again}
