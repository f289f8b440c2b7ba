"""Reading the log back: decode and fold, beside eventsourcing's replay from SQLite and PokerKit's from PHH."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event

from bench import croupier_side, pokerkit_side
from bench.hands import random_hands
from bench.measure import Row, Subject, rate
from engine.state import Table
from services.wire import fold

GAMES, POLICIES = ("omaha8", "razz"), ("random", "calldown")
HANDS, REPEATS = 20, 20
AGGREGATE_EVENTS, AGGREGATES = 200, 10


class Pot(Aggregate):
    """The least that could be called a hand: six stacks and what they put in."""

    @event("Opened")
    def __init__(self, seats: int, stack: int) -> None:
        self.stacks = [stack] * seats
        self.chips = 0

    @event("Called")
    def call(self, seat: int, amount: int) -> None:
        self.stacks[seat] -= amount
        self.chips += amount


class Library(Application[UUID]):
    """eventsourcing with its default transcoder and a SQLite file."""

    def write(self) -> UUID:
        """An aggregate of AGGREGATE_EVENTS events."""
        pot = Pot(seats=6, stack=AGGREGATE_EVENTS)
        for turn in range(AGGREGATE_EVENTS - 1):
            pot.call(turn % 6, 1)
        self.save(pot)
        return pot.id


class Logs:
    """The hands of one game and policy, as our log and as PHH documents."""

    def __init__(self, game: str, policy: str) -> None:
        self.name, self.game = f"{game} {policy}", game
        hands, table = random_hands(0, HANDS), croupier_side.open_table(game)
        self.opened = copy.deepcopy(table)
        decks = croupier_side.decks(hands)
        played = [croupier_side.play(table, policy, *pair) for pair in zip(hands, decks, strict=True)]
        self.log = [stored for events in played for stored in croupier_side.packed(events)]
        self.stacks = croupier_side.stacks(table)
        self.documents = [pokerkit_side.history(game, policy, hand) for hand in hands]

    def fold_on(self, tables: Sequence[Table]) -> None:
        """The whole log, hand after hand, on each of these tables, where everybody sits."""
        for table in tables:
            fold(table, self.log)

    def folds(self) -> float:
        """Events a second."""
        tables = [copy.deepcopy(self.opened) for _ in range(REPEATS)]
        measured = rate(REPEATS * len(self.log), partial(self.fold_on, tables))
        assert croupier_side.stacks(tables[-1]) == self.stacks, "the fold ends elsewhere than the play"
        return measured

    def replays(self) -> None:
        for document in self.documents:
            pokerkit_side.replay(document)

    def candidates(self) -> dict[str, Callable[[], float]]:
        return {
            f"{self.name} events": self.folds,
            f"{self.name} PHH": lambda: rate(HANDS, self.replays),
        }

    def rows(self) -> Iterator[Row]:
        """Events against the library's events, hands against PokerKit's hands."""
        yield Row(f"{self.name} events : eventsourcing SQLite", f"{self.name} events", "eventsourcing", 20, 50)
        per_event = HANDS / len(self.log)
        yield Row(
            f"{self.name} hands : PokerKit PHH",
            f"{self.name} events",
            f"{self.name} PHH",
            40,
            75,
            times=per_event,
        )


def read_all(library: Library, aggregates: Sequence[UUID]) -> None:
    for aggregate in aggregates:
        library.repository.get(aggregate)


@contextmanager
def subject() -> Iterator[Subject]:
    """Ours reads bytes in memory; the library reads its rows from a SQLite file that is in the page cache."""
    logs = [Logs(game, policy) for game in GAMES for policy in POLICIES]
    with TemporaryDirectory() as folder:
        environment = {
            "PERSISTENCE_MODULE": "eventsourcing.sqlite",
            "SQLITE_DBNAME": str(Path(folder, "events.db")),
        }
        with Library(environment) as library:
            aggregates = [library.write() for _ in range(AGGREGATES)]
            read = partial(read_all, library, aggregates)
            candidates = {"eventsourcing": lambda: rate(AGGREGATES * AGGREGATE_EVENTS, read)}
            for log in logs:
                candidates |= log.candidates()
            yield Subject(candidates, tuple(row for log in logs for row in log.rows()))
