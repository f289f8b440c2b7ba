"""What the tests' worker can be made to do wrong, from outside and while it runs.

Files in its folder: `stall-<pid>` stops that worker (SIGSTOP) between its next deal and the commit of it;
`poison-<table id>` names a kind of command on which the engine breaks at that table (with a pid: in that worker only).
`CROUPIER_TEST_UNCHECKED` takes one check out of the commit script; `CROUPIER_TEST_LEAK` makes the worker tell what it
must not.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha1
from pathlib import Path
from typing import Any

from engine.table import act
from services.batch import Commit
from services.log import Durability, Lease, Log
from services.settings import Settings
from workers import owner
from workers.fold import Worker
from workers.setup import ENGINE

UNCHECKED = "CROUPIER_TEST_UNCHECKED"
LEAK = "CROUPIER_TEST_LEAK"
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
    owner.act = poisoned(folder)
    if check := os.environ.get(UNCHECKED):
        uncheck(check)
    if channel := os.environ.get(LEAK):
        from tests.service import leaks

        leaks.PLANTED[channel]()


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
