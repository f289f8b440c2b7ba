"""The worker is killed while a hand waits for its players' seeds; another one goes on, and the cut is the players'."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.commands import OpenTable, Pause, PledgeSeed, Resume, RevealSeed, Sit
from engine.deck import hand_id, pledge_of, public_cut
from services.public_view import joined
from services.reader import Reader
from services.server import start_server
from services.settings import Settings
from services.store import connect
from services.wire import EVENTS
from tests.house.houses import wait_for
from tests.house.stacked import REVEAL_MS
from tests.house.team import Caller, Team

TABLE = "000-cut"
PLAYERS = ("ann", "bob", "cyd")
SEEDS = {player: player[0].encode() * 32 for player in PLAYERS}


class Stage:
    """A table of three for whose first hand all have pledged."""

    def __init__(self, folder: Path, url: str, reveal_ms: int) -> None:
        self.store = connect(url)
        self.reader = Reader(self.store)
        self.team = Team(folder, url, self.store, {REVEAL_MS: str(reveal_ms)})
        self.first = self.team.hire()
        self.caller = Caller(connect(url))
        self.ask("host", OpenTable("razz", {"hand_gap_seconds": 0, "buy_in.max": 0}))
        self.ask("host", Pause("host"))
        for seat, player in enumerate(PLAYERS):
            self.ask(player, Sit(seat, player, 400))
            self.ask(player, PledgeSeed(player, 1, pledge_of(SEEDS[player], hand_id(TABLE, 1))))
        self.ask("host", Resume("host"))
        wait_for(lambda: self.cut()["label"] == "pending", "the hand waits for the seeds")

    def ask(self, actor: str, command: Any) -> None:
        assert self.caller.ask(TABLE, actor, command).code == ""

    def reveal(self, player: str) -> None:
        self.ask(player, RevealSeed(player, 1, SEEDS[player]))

    def cut(self) -> dict[str, Any]:
        """As the public view tells it; {} before the first hand."""
        view = self.reader.view(TABLE)
        hand = joined(view.parts)["hand"] if view else None
        return hand["cut"] if hand else {"label": ""}

    def events(self) -> list[Any]:
        version, _ = self.reader.head(TABLE)
        return [EVENTS.decode(entry.event) for entry in self.reader.entries(TABLE, 0, version)]

    def kill(self) -> None:
        """SIGKILL for the worker; another one takes the partition."""
        self.team.dismiss(self.first)
        self.first = self.team.hire()

    def fixed(self) -> Any:
        """The one cut of the hand, once it is made."""
        wait_for(lambda: self.cut()["label"] != "pending", "the cut is fixed")
        (found,) = [event for event in self.events() if type(event).__name__ == "CutFixed"]
        return found

    def close(self) -> None:
        self.team.close()
        self.store.close()


@pytest.fixture
def stage(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Stage]:
    with start_server(Settings(data_dir=tmp_path / "data", durability="standard")) as server:
        stage = Stage(tmp_path, server.url, request.param)
        yield stage
        stage.close()


def expected(stage: Stage, *players: str) -> bytes:
    (root,) = [event.root for event in stage.events() if type(event).__name__ == "HandStarted"]
    return public_cut([SEEDS[player] for player in players], root, hand_id(TABLE, 1))


@pytest.mark.parametrize("stage", [60_000], indirect=True)
def test_seeds_revealed_before_and_after_the_kill_make_the_cut_together(stage: Stage) -> None:
    stage.reveal("bob")
    stage.kill()
    stage.reveal("ann")
    stage.reveal("cyd")
    assert stage.fixed().cut == expected(stage, *PLAYERS)
    (dealt,) = [event.at for event in stage.events() if type(event).__name__ == "RoundDealt"]
    assert dealt == expected(stage, *PLAYERS)[:9]


@pytest.mark.parametrize("stage", [4_000], indirect=True)
def test_the_time_to_reveal_runs_out_though_its_worker_is_gone(stage: Stage) -> None:
    stage.reveal("bob")
    stage.kill()
    fixed = stage.fixed()
    assert [player for player, _ in fixed.seeds] == ["bob"]
    assert fixed.cut == expected(stage, "bob")
