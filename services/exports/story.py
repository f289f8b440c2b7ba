"""A finished hand as one viewer may tell it: the facts every export writes, from the stored bytes alone.

Cards are those that became public and those the viewer knows; any other is `??`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, NamedTuple

from engine.cards import NAMES
from engine.commands import Act
from engine.deck import Deck
from engine.events import AnswersOpened, Awaited, ChoiceSealed, Event, HandEnded, HandStarted, HandVoided, TimedOut
from engine.state import Hand, Table
from engine.table import evolve
from services.formats.figures import UNKNOWN
from services.recording import CHOICE, LEFT_OUT
from services.records import hand_record
from services.replay import NotForYou
from services.segment import Segment, decisions
from services.wire import COMMANDS, EVENTS

Known = Mapping[int, str]
"""Deck position → card, of what the viewer knows beside what is public."""
NOTHING: Known = {}


class Decided(NamedTuple):
    """What a seat decided, as it was sent; `timeout`: its clock did (COM-71), verb and all else are empty then.
    `others_wait`: of several who were awaited this one had left, and the others could still answer.
    """

    seat: int
    verb: str = ""
    amount: int | None = None
    args: dict[str, Any] | None = None
    timeout: bool = False
    others_wait: bool = False


@dataclass(frozen=True, slots=True)
class Story:
    """`hand`: as it ended, folded without its deck. `events`: from `HandStarted` to the end of the hand, and
    `first` the version of the first of them; `head`: chain hash after the last entry of the hand's log.
    """

    table: str
    name: str
    hand: Hand
    started: HandStarted
    events: tuple[Event, ...]
    decisions: tuple[Decided, ...]
    known: Known
    view: str
    ended_ms: int
    first: int
    head: bytes
    voided: bool

    @property
    def id(self) -> str:
        """Of the hand among all hands of this installation."""
        return f"{self.table}-{self.hand.number}"

    def card(self, at: int) -> str:
        """The card at a deck position, `??` if this viewer does not know it."""
        card = self.hand.deck[at]
        return NAMES[card] if card is not None else self.known.get(at, UNKNOWN)

    def cards(self, at: bytes | list[int]) -> tuple[str, ...]:
        """The cards at these positions."""
        return tuple(self.card(position) for position in at)


def story_of(segment: Segment, view: str = "public", known: Known = NOTHING) -> Story:
    """The hand of a segment. `known`: what the viewer named `view` is entitled to see. Raises WireError."""
    table, events = segment.start(), segment.events()
    for event in events:
        evolve(table, event)
    begin = next(at for at, event in enumerate(events) if isinstance(event, HandStarted))
    end = next(at for at, event in enumerate(events) if isinstance(event, HandEnded | HandVoided))
    started = events[begin]
    assert isinstance(started, HandStarted) and table.hand is not None
    voided = isinstance(events[end], HandVoided)
    return Story(
        table=segment.table,
        name=name_of(table),
        hand=table.hand,
        started=started,
        events=tuple(events[begin : end + 1]),
        decisions=() if voided else tuple(decided(segment)),
        known=known,
        view=view,
        ended_ms=segment.ended_ms,
        first=segment.first + begin,
        head=segment.head,
        voided=voided,
    )


def known_to(segment: Segment, viewer: Literal["full"] | int, deck: Deck) -> Known:
    """What a seat's player came to know of this hand, or all of it. Raises NotForYou for a seat that was not in it."""
    if viewer == "full":
        return {at: NAMES[card] for at, card in enumerate(deck.cards)}
    hand = segment.end().hand
    assert hand is not None
    if viewer not in hand.seats:
        raise NotForYou
    hand.learn(deck)
    return dict(hand_record(hand, viewer)["known"])


def name_of(table: Table) -> str:
    """What its host calls the table."""
    return str(table.options["name"]) if table.options else ""


def decided(segment: Segment) -> list[Decided]:
    """All decisions of the hand in order: sent ones from the recorded commands, the clock's from the events. What was
    chosen in secret is in no command, but in the event that told all choices.
    """
    found: list[Decided] = []
    told: dict[int, str] = {}
    for event in segment.events():
        told.update(getattr(event, "choices", ()))
    for decision in decisions(segment.entries):
        command = COMMANDS.decode(decision.recorded.command)
        if isinstance(command, Act):
            args = {CHOICE: told[command.seat]} if command.args == LEFT_OUT else command.args
            found.append(Decided(command.seat, command.verb, command.amount, args))
        found += timeouts([EVENTS.decode(entry.event) for entry in decision.entries])
    return found


def timeouts(events: list[Event]) -> list[Decided]:
    """Turns that timed out. That nobody else answers of several who are awaited is nobody's decision."""
    return [
        Decided(event.seat, timeout=True, others_wait=isinstance(after, ChoiceSealed) and awaits(events))
        for event, after in pairwise(events)
        if isinstance(event, TimedOut) and not isinstance(after, AnswersOpened)
    ]


def awaits(events: list[Event]) -> bool:
    """Several seats were asked at once."""
    return any(isinstance(event, Awaited | AnswersOpened) for event in events)
