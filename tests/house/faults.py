"""What the tests' worker can be made to do wrong, from outside and while it runs.

Files in its folder: `stall-<pid>` stops that worker (SIGSTOP) between its next deal and the commit of it;
`poison-<table id>` names a kind of command on which the engine breaks at that table (with a pid: in that worker only).
`leak-<table id>` names a channel by which the worker tells that table's hole cards. `CROUPIER_TEST_UNCHECKED` takes
one check out of the commit script.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha1
from pathlib import Path
from typing import Any

import structlog

from engine.cards import NAMES
from engine.table import act
from engine.view import table_view
from services import public_view
from services.batch import Commit
from services.log import Durability, Lease, Log
from services.settings import Settings
from workers import owner
from workers.fold import Worker
from workers.setup import ENGINE

log = structlog.get_logger()
UNCHECKED = "CROUPIER_TEST_UNCHECKED"
CHECKS = {"epoch": "'FENCED'", "cursor": "'STALE_CURSOR'", "version": "'CONFLICT'"}
"""The answer that marks each check's line in `commit.lua`."""


class StallingLog(Log):
    """Stops its process where a worker is at its most dangerous: decided, not yet committed."""

    folder: Path

    def commit(self, lease: Lease, commits: Sequence[Commit], cursor: str | None = None) -> None:
        marker = self.folder / f"stall-{os.getpid()}"
        if any(one.seed for one in commits) and marker.exists():
            marker.unlink()
            os.kill(os.getpid(), signal.SIGSTOP)
        super().commit(lease, commits, cursor)


class EngineBroken(Exception):
    """Stands for a fault nobody has thought of."""


def inject(worker: Worker, settings: Settings, folder: Path) -> None:
    log = StallingLog(worker.client, ENGINE, Durability(settings.durability))
    log.folder = folder
    worker.tools = replace(worker.tools, log=log)
    owner.act = leaking_act(folder, poisoned(folder))
    public_view.table_view = leaking_view(folder)
    if check := os.environ.get(UNCHECKED):
        uncheck(check)


def poisoned(folder: Path) -> Any:
    def breaking(table: Any, command: Any, *rest: Any) -> Any:
        poison = folder / f"poison-{table.id}"
        kind = type(command).__name__
        if poison.exists() and poison.read_text() in (kind, f"{kind} {os.getpid()}"):
            raise EngineBroken
        return act(table, command, *rest)

    return breaking


def uncheck(check: str) -> None:
    """The commit script without the line that answers so."""
    script = Log._commit
    lines = script.text.splitlines()
    kept = [line for line in lines if CHECKS[check] not in line]
    assert len(kept) == len(lines) - 1
    script.text = "\n".join(kept)
    script.sha = sha1(script.text.encode(), usedforsecurity=False).hexdigest()


def told(table: Any) -> dict[str, list[str]]:
    """The hole cards of every seat of the running hand."""
    hand = table.hand
    return {str(seat): [NAMES[card] for card in hand.cards_of(seat)] for seat in hand.seats} if hand else {}


def looked(table: Any) -> dict[str, list[str]]:
    """What each player has paid to see in the running hand."""
    hand = table.hand
    return {player: [NAMES[hand.deck[at]] for at in seen] for player, seen in hand.looks.items()} if hand else {}


NOTES = {"view": told, "looks": looked}


def leaking_view(folder: Path) -> Any:
    """The public view with one word too many: all hole cards (`view`), or what players have paid to see (`looks`)."""

    def leaking(table: Any) -> Any:
        seen, note = table_view(table), NOTES.get(leaks(folder, table.id))
        return {**seen, "note": note(table)} if note else seen

    return leaking


def leaking_act(folder: Path, inner: Any) -> Any:
    """Events that show what they deal face down (`event`); a log line that knows it (`log`)."""

    def leaking(table: Any, command: Any, *rest: Any) -> Any:
        events = inner(table, command, *rest)
        if leaks(folder, table.id) == "event":
            return [shown(table, event) for event in events]
        if leaks(folder, table.id) == "log" and table.playing:
            log.debug("decided", table=table.id, cards=told(table))
        return events

    return leaking


def leaks(folder: Path, table: str) -> str:
    path = folder / f"leak-{table}"
    return path.read_text() if path.exists() else ""


def shown(table: Any, event: Any) -> Any:
    if type(event).__name__ != "RoundDealt":
        return event
    return event._replace(down=0, cards=bytes(table.hand.deck[at] for at in event.at))
