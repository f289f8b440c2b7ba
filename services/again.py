"""`python -m services.again`: decides hands again that come on standard input, for a program of another version.

`croupier audit` runs this file of another checkout or wheel, whose own rules, events and engine it uses. What crosses
the pipe is fixed: a frame is its length (4 bytes, big-endian) and MessagePack.

    out, once   [PROTOCOL, file of the engine that decides]
    in          [table, hand, before, prev_head, [[version, event, hash, command], …], seed]
    out         [outcome, version, text]: outcome is one of `Outcome`, at the first version that differs (0: none)
"""

from __future__ import annotations

import sys
from itertools import islice
from typing import IO, Any, Literal, NamedTuple

import engine
from engine.deck import hand_id, sealed_deck
from engine.events import Event, HandEnded
from engine.refusals import Refused
from engine.table import act
from services.reader import Entry
from services.recording import command_again
from services.segment import Segment, decisions, told_the_same
from services.wire import pack, unpack

PROTOCOL = "croupier-again/1"
FRAME_MOST = 16 << 20
Outcome = Literal["same", "events", "stacks", "refused", "fault"]
"""Byte by byte the same; other events but the same stacks; other stacks; a command is refused; the program breaks."""


class Settled(NamedTuple):
    """How this version settles a hand, beside how it was settled. `text` holds no card and no seed."""

    outcome: Outcome
    version: int
    text: str


def settled(segment: Segment, seed: bytes) -> Settled:
    """The recorded commands decided by this version of the rules."""
    made: list[Event] = []
    first = 0
    deck = sealed_deck(seed, hand_id(segment.table, segment.hand))
    table, stored, head = segment.start(), iter(segment.events()), segment.prev_head
    for step in decisions(segment.entries):
        facts = list(islice(stored, len(step.entries)))
        command = command_again(step.recorded, seed, head, table, facts)
        try:
            events = act(table, command, step.recorded.now_ms, lambda seed, hand: deck)
        except Refused as refusal:
            return Settled("refused", step.entries[0].version, f"{refusal.code} at version {step.entries[0].version}")
        if not first and not told_the_same(step.entries, events):
            first = step.entries[0].version
        made += events
        head = step.entries[-1].hash
    return compared(stacks_of(segment.events()), stacks_of(made), first)


def compared(before: tuple[int, ...], now: tuple[int, ...], first: int) -> Settled:
    """Of the stacks at the end, and the first version whose command has other facts now."""
    if before != now:
        return Settled("stacks", first, f"stacks {list(now)} instead of {list(before)}")
    return Settled("events", first, "other events, the same stacks") if first else Settled("same", 0, "")


def stacks_of(events: list[Event]) -> tuple[int, ...]:
    """At the end of the hand, in dealing order; () where it does not end."""
    return next((tuple(event.stacks) for event in reversed(events) if isinstance(event, HandEnded)), ())


# --- the pipe -----------------------------------------------------------------------------------------------


def send(pipe: IO[bytes], value: Any) -> None:
    """One frame."""
    data = pack(value)
    pipe.write(len(data).to_bytes(4) + data)
    pipe.flush()


def receive(pipe: IO[bytes]) -> Any:
    """The next frame; None at the end. Raises ValueError for what is none."""
    length = int.from_bytes(head) if len(head := pipe.read(4)) == 4 else 0
    if not 0 < length <= FRAME_MOST:
        return None
    return unpack(pipe.read(length))


def question(segment: Segment, seed: bytes) -> tuple[Any, ...]:
    """A hand as it crosses the pipe."""
    entries = [tuple(entry) for entry in segment.entries]
    return segment.table, segment.hand, segment.before, segment.prev_head, entries, seed


def answered(asked: Any) -> Settled:
    """What breaks this version is an answer too; of it only the kind is told."""
    table, hand, before, prev_head, entries, seed = asked
    try:
        return settled(Segment(table, hand, before, prev_head, tuple(Entry(*entry) for entry in entries)), seed)
    except Exception as error:
        return Settled("fault", 0, type(error).__name__)


def main() -> None:
    """Until standard input ends."""
    questions, answers = sys.stdin.buffer, sys.stdout.buffer
    send(answers, [PROTOCOL, str(engine.__file__)])
    while (asked := receive(questions)) is not None:
        send(answers, tuple(answered(asked)))


if __name__ == "__main__":
    main()
