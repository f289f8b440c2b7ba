"""A finished hand decided again by somebody who does not know its deck: with the cards, salts and facts that its events
have opened. What needs the deck is named, and nothing else is taken on trust.

* A hand that was mucked has no claim (`engine.showdown.mucked_unseen`): that it had none is for who has the key.
* The first button was drawn: any seed that draws it will do.
* A card bought blind that nobody ever saw has one of the values that cost what was paid.
* A choice that was never told keeps the seal that the log has of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from engine.commands import Act
from engine.deck import CARDS, Deck
from engine.events import AnswersOpened, ChoiceSealed, Event, HandStarted, Mucked, StreetBegan
from engine.game import Options
from engine.games.abyssinia import BLIND, Bought, Declared, price
from engine.next_game import next_game
from engine.play import choices
from engine.positions import NOBODY, blind_plan
from engine.rotation import plan_for
from engine.state import Table
from engine.table import evolve
from services.audit import NOT_AGAIN, Case, Differs, acted_again, compare, opened, other_rules, start_of
from services.recording import LEFT_OUT, command_again
from services.segment import decisions

TRIES = 10_000
UNTOLD = bytes(16)
HIDDEN = 255
NEEDS_KEY = "not re-decided: needs the key"


class OpenedCards(Deck):
    """What everybody knows of a deck: the cards its events have opened, with their openings, and the salts told.

    A card that is not known is HIDDEN and has no opening, so that an event that shows it is not the log's.
    """

    complete = False
    __slots__ = ("_told", "_values", "untold")

    def __init__(self, root: bytes, known: dict[int, tuple[int, bytes]], told: dict[bytes, bytes]) -> None:
        self.root = root
        self.cards = bytes(known[at][0] if at in known else HIDDEN for at in range(CARDS))
        self._values = [known[at][0] if at in known else None for at in range(CARDS)]
        self._openings = {at: opening for at, (_, opening) in known.items()}
        self._told = told
        self.untold: list[int] = []

    @property
    def values(self) -> list[int | None]:
        return self._values

    def stand_in(self, at: int, card: int) -> None:
        """The card that nobody ever saw is taken for this one."""
        self._values[at] = card

    def opening(self, at: int) -> bytes:
        return self._openings.get(at, b"")

    def salt(self, label: bytes) -> bytes:
        """Of a choice, if the log tells it; else `untold` notes the seat."""
        if label not in self._told:
            self.untold.append(int(label.rpartition(b"/")[2]))
        return self._told.get(label, UNTOLD)


def decided_openly(case: Case) -> str:
    """The recorded commands, decided by this program without the deck, give the stored bytes again."""
    segment = case.segment
    table, head, count = segment.start(), segment.prev_head, 0
    cards, gaps = opened_cards(case), mucked(case.events)
    for step in decisions(segment.entries):
        events = case.events[step.entries[0].version - segment.first :][: len(step.entries)]
        command = command_again(step.recorded, seed_like(table, events, gaps), head, table, events)
        try:
            again = acted_again(table, some_choice(command, table, cards), step, cards)
        except (AssertionError, LookupError, TypeError, ValueError) as error:
            raise Differs(f"version {step.entries[0].version}: cannot be decided, {type(error).__name__}") from None
        compare(step, with_sealed(again, events, cards, gaps))
        head, count = step.entries[-1].hash, count + 1
    same = f"{count} commands give the same bytes again"
    return f"{same}; {NEEDS_KEY}: {', '.join(gaps)}" if gaps else same


def decided_if_ours(case: Case) -> str:
    """The same; a hand that was dealt under rules that this program does not play is not decided."""
    rules = other_rules(case)
    return decided_openly(case) if rules is None else f"{NOT_AGAIN} {rules}"


def opened_cards(case: Case) -> OpenedCards:
    """From all events of the hand, later ones included: who decided knew the deck."""
    known = {at: (card, opening) for event in case.events for at, card, opening in opened(event)}
    cards = OpenedCards(start_of(case.segment, case.events).root, known, told_salts(case.events))
    for event in case.events:
        if isinstance(event, Bought) and event.source == BLIND and event.at[0] not in known:
            cards.stand_in(event.at[0], costing(options_of(case), event.price))
    return cards


def told_salts(events: Iterable[Event]) -> dict[bytes, bytes]:
    """Label -> salt of every choice that was told (`engine/choosing.py`)."""
    told, street = {}, ""
    for event in events:
        if isinstance(event, StreetBegan):
            street = event.street
        if isinstance(event, AnswersOpened | Declared):
            for place, (seat, _) in enumerate(event.choices):
                told[f"{street}/{seat}".encode()] = event.salts[16 * place : 16 * place + 16]
    return told


def options_of(case: Case) -> Options:
    """What the hand was dealt under. Raises Differs."""
    table = case.segment.start()
    for event in case.events:
        evolve(table, event)
        if isinstance(event, HandStarted):
            assert table.hand is not None
            return table.hand.options
    raise Differs("no hand begins here")


def costing(options: Options, chips: int) -> int:
    """A card of this price. Raises Differs if none costs that."""
    for card in range(CARDS):
        if price(options, card) == chips:
            return card
    raise Differs(f"no card costs {chips}")


def mucked(events: Iterable[Event]) -> list[str]:
    """What a showdown leaves to the key."""
    seats = [event.seat for event in events if isinstance(event, Mucked)]
    return [f"the mucked hand of seat {seat}" for seat in seats]


def seed_like(table: Table, events: Sequence[Event], gaps: list[str]) -> bytes:
    """For a start whose button was drawn: some seed that draws the same one. Any seed for everything else."""
    started = next((event for event in events if isinstance(event, HandStarted)), None)
    if started is None or not draws_button(table):
        return bytes(32)
    gaps.append("the drawn button")
    for number in range(TRIES):
        seed = number.to_bytes(32)
        plan = plan_for(table, next_game(table), seed)
        if plan is None or plan.button == started.button:
            return seed
    raise Differs("the button is at a place that is never drawn")


def draws_button(table: Table) -> bool:
    """Whether the next hand's button comes from its seed (COM-65, RAZ-C01)."""
    if next_game(table).seating is blind_plan:
        return table.big is None or table.big == NOBODY
    return table.button is None


def some_choice(command: Any, table: Table, cards: OpenedCards) -> Any:
    """Of a choice that was never told any will do: nothing but its seal has come of it."""
    if not isinstance(command, Act) or command.args != LEFT_OUT or command.seat not in cards.untold:
        return command
    assert table.hand is not None
    return command._replace(args=choices(table.hand)[command.verb][0])


def with_sealed(again: list[Event], events: Sequence[Event], cards: OpenedCards, gaps: list[str]) -> list[Event]:
    """Seals of choices that were never told are those of the log."""
    found = list(again)
    for at, (made, kept) in enumerate(zip(again, events, strict=False)):
        if not isinstance(kept, ChoiceSealed) or not isinstance(made, ChoiceSealed):
            continue
        if made.seat == kept.seat and kept.seat in cards.untold:
            gaps.append(f"the untold choice of seat {kept.seat}")
            found[at] = kept
    return found
