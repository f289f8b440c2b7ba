"""A table worker with stacked decks: `python -m tests.house.stacked fold`, and the chores beside it, `jobs`. Only
tests start them.

`CROUPIER_TEST_DECKS` names a folder. Its file `<table id>.json` says what is dealt at that table, by hand number:
`{"1": {"deck": "As Kd …" (the top, the rest follows), "plan": [button, small, big, [order], [[seat, live, dead]]],
"seed": hex, "stacks": [of each chair, null where nobody sits]}}`; each of them may be missing. Such a table deals those
hands only; a table without a file is dealt as in production. `python -m tests.house.stacked up PORT WORKERS [demo]`
is `croupier up` with this worker. `CROUPIER_TEST_REVEAL_MS`: how long its hands wait for the players' seeds.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import engine.cut
from engine.cards import parse_many
from engine.commands import StartHand
from engine.deck import Deck, commit, hand_id, sealed_deck, shuffle
from engine.events import ChipsAdded, Event, SeatEliminated
from engine.positions import NOBODY, Plan
from engine.refusals import Refused
from engine.state import Post, Table
from services.cli import up
from services.logs import set_up_logs
from services.sealing import fresh_seed
from services.settings import Settings
from services.sweeping import Sweeper
from tests.house import faults
from workers import owner
from workers.fold import Worker, run
from workers.jobs import run as run_jobs
from workers.setup import make_worker

FOLDER = "CROUPIER_TEST_DECKS"
REVEAL_MS = "CROUPIER_TEST_REVEAL_MS"


class Decks:
    """The folder of decks. Files may be written and changed while the worker runs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def of_table(self, table: str) -> dict[str, Any] | None:
        path = self.folder / f"{table}.json"
        return json.loads(path.read_text("utf-8")) if path.exists() else None

    def deal(self, seed: bytes, hand: bytes) -> Deck:
        """The deck with real salts and a real commitment. Refused: this table has no deck for the hand."""
        table, number = hand[:-9].decode(), int.from_bytes(hand[-8:])
        assert hand == hand_id(table, number)
        stacked = self.of_table(table)
        if stacked is None:
            return sealed_deck(seed, hand)
        prescribed = stacked.get(str(number))
        if prescribed is None:
            raise Refused("no_deck")
        return commit(full_deck(prescribed.get("deck", ""), shuffle(seed, hand)), seed, hand)

    def plan(self, table: Table) -> tuple[bytes, Plan | None] | None:
        """What the file prescribes for the table's next hand."""
        stacked = self.of_table(table.id)
        if stacked is None:
            return None
        prescribed = stacked.get(str(table.number + 1))
        if prescribed is None:
            return fresh_seed(), deals_nothing(table)
        seed = bytes.fromhex(prescribed["seed"]) if "seed" in prescribed else fresh_seed()
        return seed, plan_of(prescribed.get("plan"))

    def stacks(self, table: Table) -> list[int | None]:
        """What its next hand begins with, for a tournament in its middle; [] where the file says nothing of it."""
        prescribed = (self.of_table(table.id) or {}).get(str(table.number + 1), {})
        return list(prescribed.get("stacks", ()))


def stacking(decks: Decks, inner: Any) -> Any:
    """`act` that brings the prescribed stacks about before it deals: by facts, so that the log gives the same table."""

    def acting(table: Table, command: Any, *rest: Any) -> list[Event]:
        facts = restacked(table, decks.stacks(table)) if isinstance(command, StartHand) else []
        for fact in facts:
            fact.apply(table)
        return [*facts, *inner(table, command, *rest)]

    return acting


def restacked(table: Table, stacks: list[int | None]) -> list[Event]:
    """A chair with a stack of 0 has been eliminated."""
    facts: list[Event] = []
    for chair, chips in enumerate(stacks):
        if chips is not None and chips != table.place(chair).chips:
            facts.append(ChipsAdded(chair, chips - table.place(chair).chips, "", "prescribed"))
            facts += [SeatEliminated(chair)] if chips == 0 else []
    return facts


def full_deck(top: str, others: bytes) -> bytes:
    """52 cards: those of the text, then the rest in the given order."""
    first = bytes(parse_many(top)) if top else b""
    return first + bytes(card for card in others if card not in first)


def deals_nothing(table: Table) -> Plan:
    """For a hand without a deck: the deal refuses, and all that was asked before it is who sits there."""
    return Plan(0, NOBODY, NOBODY, tuple(index for index, place in enumerate(table.places) if place))


def plan_of(listed: list[Any] | None) -> Plan | None:
    if listed is None:
        return None
    button, small, big, order, posts = listed
    return Plan(button, small, big, tuple(order), tuple(Post(*post) for post in posts))


def stacked_worker(settings: Settings) -> Worker:
    decks = Decks(Path(os.environ[FOLDER]))
    worker = make_worker(settings, decks.deal, decks.plan)
    faults.inject(worker, settings, decks.folder)
    owner.act = stacking(decks, owner.act)
    return worker


def leave_stacked_tables_alone(decks: Decks) -> None:
    """Their decks are of no seed, their stacks and buttons of no command: chores that looked would stop them."""
    verdict = Sweeper._verdict

    def lenient(sweeper: Sweeper, table: str, hand: int) -> str:
        return verdict(sweeper, table, hand) if decks.of_table(table) is None else "ok"

    Sweeper._verdict = lenient  # type: ignore[method-assign]


def main(arguments: list[str]) -> int:
    engine.cut.REVEAL_MS = int(os.environ.get(REVEAL_MS, engine.cut.REVEAL_MS))
    settings = Settings()
    set_up_logs(settings.log_level)
    match arguments:
        case ["fold"]:
            run(stacked_worker(settings))
            return 0
        case ["jobs"]:
            leave_stacked_tables_alone(Decks(Path(os.environ[FOLDER])))
            run_jobs(settings)
            return 0
        case ["up", port, workers, *demo]:
            return up.run(settings, "127.0.0.1", int(port), int(workers), bool(demo), "tests.house.stacked")
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
