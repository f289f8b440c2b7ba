"""Verify one finished hand from what is stored of it, as a row of checks.

Without a seed: chain, decoding, fold, chips, openings of the cards that became public. With the unsealed seed
also the whole commitment, and the recorded commands decided again, which must give the same bytes. No text of
a check ever holds a card, a seed or a salt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

from engine.deck import hand_id, sealed_deck, verify_opening
from engine.events import ChipsAdded, Event, HandEnded, HandStarted, Sat, Stood
from engine.refusals import LogBroken, Refused
from engine.state import Table
from engine.table import act, evolve
from services.reader import ChainBroken, check_chain
from services.recording import command_again
from services.sealing import SealKey
from services.segment import Decision, Segment, decisions
from services.wire import EVENTS, WireError


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


def verify(segment: Segment, seed: bytes | None = None) -> Verdict:
    """All checks of one hand. `seed`: the unsealed seed, for whoever may know the whole deck."""
    checks = [run("chain", chain, segment), run("decode", decode, segment)]
    if checks[-1].ok:
        checks += [run(name, test, segment) for name, test in AFTER_DECODING.items()]
        if seed is not None:
            checks += [run(name, partial(test, seed=seed), segment) for name, test in WITH_SEED.items()]
    return Verdict(tuple(checks))


def run(name: str, test: Callable[[Segment], str], segment: Segment) -> Check:
    """One check. A damaged log may break the program anywhere, which is a finding too; of it only the kind is
    told, for the text of a foreign error might hold values.
    """
    try:
        return Check(name, True, test(segment))
    except (Differs, ChainBroken) as difference:
        return Check(name, False, str(difference))
    except Exception as error:
        return Check(name, False, type(error).__name__)


def chain(segment: Segment) -> str:
    check_chain(segment.table, segment.entries, segment.prev_head, segment.head)
    return f"versions {segment.first} to {segment.last} follow from each other"


def decode(segment: Segment) -> str:
    for entry in segment.entries:
        try:
            EVENTS.decode(entry.event)
        except WireError as error:
            raise Differs(f"version {entry.version} cannot be read: {type(error).__name__}") from None
    return f"{len(segment.entries)} events can be read"


def fold(segment: Segment) -> str:
    """Every event fits, the hand is the one asked for, and its last stacks are what its events give."""
    *_, (_, table) = folded(segment)
    if table.playing or table.number != segment.hand:
        raise Differs(f"the log does not end hand {segment.hand}")
    return f"hand {segment.hand} ends with the stacks that its events give"


def folded(segment: Segment) -> Iterator[tuple[Event, Table]]:
    """Each event with the table after it (always the same object)."""
    table = segment.start()
    for entry, event in zip(segment.entries, segment.events(), strict=True):
        try:
            evolve(table, event)
        except (LogBroken, AssertionError, LookupError) as error:
            raise Differs(f"version {entry.version} does not fit: {type(error).__name__}") from None
        yield event, table


def chips(segment: Segment) -> str:
    """After every event the table holds what came to it and did not go (COM-55)."""
    expected = segment.start().chips()
    for version, (event, table) in enumerate(folded(segment), segment.first):
        expected += brought(event, table)
        if table.chips() != expected:
            raise Differs(f"{table.chips()} chips after version {version}, not {expected}")
    return f"{expected} chips, after every event"


def brought(event: Event, table: Table) -> int:
    """Chips that the event brings to the table; negative: takes from it."""
    if isinstance(event, Sat):
        return event.chips
    if isinstance(event, Stood):
        return -event.chips
    if isinstance(event, ChipsAdded):
        return event.amount
    if isinstance(event, HandEnded) and table.hand is not None:
        return -table.hand.rake
    return 0


def openings(segment: Segment) -> str:
    """Every card that became public is the one committed to at its position."""
    root, count = started(segment).root, 0
    hand = hand_id(segment.table, segment.hand)
    for version, event in enumerate(segment.events(), segment.first):
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
    at, proofs = event.at, event.openings  # type: ignore[attr-defined]
    start = 0
    for position, card in zip(at, cards, strict=True):
        length = OPENING_BYTES[position >= 48] if proofs else 0
        yield position, card, proofs[start : start + length]
        start += length


OPENING_BYTES = (208, 144)
"""Salt and path; the last four of 52 leaves have a shorter path (RFC 6962)."""


def started(segment: Segment) -> HandStarted:
    """The event that began the hand."""
    for event in segment.events():
        if isinstance(event, HandStarted):
            return event
    raise Differs("no hand begins here")


def commitment(segment: Segment, seed: bytes) -> str:
    """The seed gives the deck that was committed to before anything was dealt."""
    if sealed_deck(seed, hand_id(segment.table, segment.hand)).root != started(segment).root:
        raise Differs("the sealed seed does not give the root that was published")
    return "all 52 cards are those committed to"


def decided_again(segment: Segment, seed: bytes) -> str:
    """The recorded commands, decided by this program, give the stored bytes again."""
    table, head, count = segment.start(), segment.prev_head, 0
    for step in decisions(segment.entries):
        command = command_again(step.recorded, seed, head)
        compare(step, acted_again(table, command, step))
        head, count = step.entries[-1].hash, count + 1
    return f"{count} commands give the same bytes again"


def acted_again(table: Table, command: Any, step: Decision) -> list[bytes]:
    """What the command gives now; `table` goes on from there."""
    try:
        return [EVENTS.encode(event) for event in act(table, command, step.recorded.now_ms)]
    except Refused as refusal:
        raise Differs(f"version {step.entries[0].version}: refused now, {refusal.code}") from None


def compare(step: Decision, again: list[bytes]) -> None:
    """Raises Differs at the first event that is another one now."""
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


AFTER_DECODING: dict[str, Callable[[Segment], str]] = {"fold": fold, "chips": chips, "openings": openings}
WITH_SEED: dict[str, Callable[..., str]] = {"commitment": commitment, "decide": decided_again}
