"""The three checks of the commit script, each with the accident that only it can stop.

Each accident is staged twice: with all checks it must end well; with its check taken out of the script the reckoning
must find a broken promise or a torn log. So every check is needed, and the reckoning of the kill tests sees what it
is there to see.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.commands import AddChips, OpenTable, Pause, Resume, Sit
from services.keys import table_keys
from services.reader import Reader
from services.server import start_server
from services.settings import Settings
from services.store import connect
from tests.house.faults import UNCHECKED
from tests.house.houses import signal_to, wait_for
from tests.house.ledger import Ledger
from tests.house.team import Caller, Team, halt, is_stopped

TABLES = ("000-x", "000-y")
GAP_S = 2


class Stage:
    """A store, workers with or without a check, and two tables of two players each that are paused."""

    def __init__(self, folder: Path, url: str, environment: dict[str, str]) -> None:
        self.folder = folder
        self.store = connect(url)
        self.team = Team(folder, url, self.store, environment)
        self.first = self.team.hire()
        self.caller = Caller(connect(url))
        self.still: dict[str, int] = {}
        for table in TABLES:
            self.caller.ask(table, "host", OpenTable("razz", {"hand_gap_seconds": GAP_S, "buy_in.max": 0}))
            self.caller.ask(table, "host", Pause("host"))
            for seat, player in enumerate(("ann", "bob")):
                self.caller.ask(table, player, Sit(seat, player, 400))

    def version(self, table: str) -> int:
        return Reader(self.store).head(table)[0]

    def copy(self) -> dict[bytes, bytes]:
        """The partition as it is now; also what a replica would have that is a moment behind."""
        return {key: self.store.dump(key) for key in self.store.scan_iter("{p000}:*")}

    def fall_back(self, copy: dict[bytes, bytes]) -> None:
        """A failover to that replica: what came later is gone."""
        self.store.delete(*self.store.scan_iter("{p000}:*"))
        for key, value in copy.items():
            self.store.restore(key, 0, value)

    def reckoning(self) -> list[str]:
        """What is wrong. A table that stands still has said so, and then nothing may move there."""
        ledger = Ledger(self.store, self.folder / "data", admitted=("LostTail", "EngineBroken"))
        moved = [table for table, version in self.still.items() if self.version(table) != version]
        try:
            return ledger.judge(TABLES, self.caller.acks) + [f"moved while it stood still: {table}" for table in moved]
        finally:
            ledger.close()

    def close(self) -> None:
        self.team.close()
        self.store.close()


@pytest.fixture
def stage(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Stage]:
    check: str = request.param
    with start_server(Settings(data_dir=tmp_path / "data", durability="standard")) as server:
        stage = Stage(tmp_path, server.url, {UNCHECKED: check} if check else {})
        yield stage
        stage.close()


def zombie(stage: Stage) -> None:
    """A worker has dealt a hand and falls asleep before its commit. Another takes over, breaks at the same deal and
    freezes the table, for the operator to look at. Then the first one wakes up.

    It takes such a table to need the epoch: whatever else the second does moves the cursor or a version.
    """
    table, team = TABLES[0], stage.team
    (team.decks / f"stall-{stage.first}").touch()
    second = team.hire()
    (team.decks / f"poison-{table}").write_text(f"StartHand {second}")
    stage.caller.ask(table, "host", Resume("host"))
    wait_for(lambda: is_stopped(stage.first), "the first worker falls asleep")
    wait_for(lambda: table in Reader(stage.store).parked(0), "the second freezes the table")
    stage.still[table] = stage.version(table)
    team.wake(stage.first)
    assert team.owner().startswith(f"{second}-")


def forgotten_command(stage: Stage) -> None:
    """A command was done and acknowledged; then a failover forgets it, and the next command is for another table."""
    (x, y), worker = TABLES, stage.first
    halt(worker)
    k = stage.caller.send(x, "ann", AddChips(0, "ann", 10))
    copy = stage.copy()
    signal_to(worker, signal.SIGCONT)
    assert stage.caller.answer(x, "ann", k).code == ""
    halt(worker)
    stage.fall_back(copy)
    signal_to(worker, signal.SIGCONT)
    stage.caller.ask(y, "ann", AddChips(0, "ann", 10))


def forgotten_deal(stage: Stage) -> None:
    """The clock dealt a hand; then a failover forgets it, and the next command is for that table."""
    table, worker = TABLES[0], stage.first
    stage.caller.ask(table, "host", Resume("host"))
    halt(worker)
    copy, before = stage.copy(), stage.version(table)
    signal_to(worker, signal.SIGCONT)
    wait_for(lambda: stage.version(table) > before, "a hand is dealt")
    halt(worker)
    stage.fall_back(copy)
    signal_to(worker, signal.SIGCONT)
    stage.caller.ask(table, "ann", AddChips(0, "ann", 10))


Accident = Callable[[Stage], None]
ACCIDENTS: list[Any] = [
    pytest.param("epoch", zombie, "moved while it stood still", id="epoch"),
    pytest.param("cursor", forgotten_command, "lost or moved", id="cursor"),
    pytest.param("version", forgotten_deal, "LogGap", id="version"),
]


@pytest.mark.parametrize("stage", [""], indirect=True)
@pytest.mark.parametrize("accident", [zombie, forgotten_command, forgotten_deal])
def test_with_all_checks_it_ends_well(stage: Stage, accident: Accident) -> None:
    """P133, P142, P143: no promise is broken, unless the table says that it stands still for a lost tail."""
    accident(stage)
    assert stage.reckoning() == []
    why = stage.store.hget(table_keys(TABLES[0]).state, "frozen")
    assert why == (b"EngineBroken" if accident is zombie else b"LostTail")


@pytest.mark.parametrize(("stage", "accident", "found"), ACCIDENTS, indirect=["stage"])
def test_without_its_check_the_accident_is_found(stage: Stage, accident: Accident, found: str) -> None:
    accident(stage)
    assert any(found in wrong for wrong in stage.reckoning())
