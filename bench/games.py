"""Every game by itself, six players (or as many as it takes): hands and actions a second, beside Razz and, for hold'em
and Hasaga, beside pokerfast's FastHand.

The commands are those of `croupier simulate --bare`, taken down beforehand. What is timed is `act` in place and the
packing of every event, with all that an action is checked against: what is legal, and what is for sale.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any

from bench import pokerfast_side
from bench.measure import Row, Subject, rate
from engine.commands import Act
from engine.game import games
from engine.state import Table
from engine.table import act
from services.simulate import Setup, Simulator
from services.wire import EVENTS

HANDS = 60
BESIDE = "razz"
MUST, AIM = 1 / 3, 1.0
"""Of Razz's actions a second."""
LEAST, GOOD = 40_000, 100_000
"""Actions a second; hands a second accordingly."""
PEER, PEER_HANDS = "pokerfast FastHand NLHE", 200
AS_PEER = ("hasaga", "holdem")


class Course(Simulator):
    """The commands of HANDS hands, the same each time, to be decided again."""

    def __init__(self, game: str) -> None:
        super().__init__(Setup(game, hands=HANDS, bare=True), 0, lambda stored: None)
        self.taken: list[tuple[Any, ...]] = []
        for _ in self.play():
            pass
        self.actions = sum(isinstance(command, Act) for _, command, *_ in self.taken)

    def do(self, command: Any) -> None:
        super().do(command)
        self.taken.append((self.table.id, command, self.now, self.deal))

    def again(self) -> int:
        """The number of events."""
        table, events = Table(""), 0
        for name, command, now, deal in self.taken:
            if table.id != name:
                table = Table(name)
            events += len([EVENTS.encode(event) for event in act(table, command, now, deal)])
        return events


@contextmanager
def subject() -> Iterator[Subject]:
    """Actions a CPU second; the notes tell how many make a hand."""
    courses = {name: Course(name) for name, game in games().items() if game.shares}
    candidates = {name: partial(rate, course.actions, course.again) for name, course in courses.items()}
    kinds = pokerfast_side.decisions(PEER_HANDS)
    candidates[PEER] = partial(rate, len(kinds), partial(pokerfast_side.play, PEER_HANDS, kinds))
    yield Subject(candidates, tuple(rows(courses)), lambda: [note(*each) for each in courses.items()])


def rows(courses: Mapping[str, Course]) -> Iterator[Row]:
    """Ratios first, then what each game comes to by itself."""
    for name in courses:
        if name != BESIDE:
            yield Row(f"{name} : {BESIDE}, actions/s", name, BESIDE, MUST, AIM)
    for name in AS_PEER:
        yield Row(f"{name} : {PEER}, actions/s", name, PEER, 1, 2)
    for name, course in courses.items():
        yield Row(f"{name}, actions/s", name, None, LEAST, GOOD, "")
        hands = HANDS / course.actions
        yield Row(f"{name}, hands/s", name, None, LEAST * hands, GOOD * hands, "", hands)


def note(name: str, course: Course) -> str:
    """What a hand of the game is."""
    return f"{name}: {course.actions / HANDS:.1f} actions and {course.again() / HANDS:.1f} events a hand"
