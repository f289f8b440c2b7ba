"""Another version of the rules, asked how it settles hands: a checkout or wheel of Croupier, in a process of its own.

RULES is a path, or a name under the data folder's `rules/`: there `razz-1` or `razz-1.whl` holds the version that hands
dealt under `razz/1` are decided with once this program knows `razz/2`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Self

from services.again import PROTOCOL, Settled, question, receive, send
from services.audit import Case, Check, started
from services.segment import Segment

FOLDER = "rules"


class NoSuchRules(Exception):
    """There is nothing of that name, or it is no version that can be asked."""


def find_rules(data_dir: Path, name: str) -> Path:
    """The checkout or wheel: a path, or a name under `rules/` of the data folder. Raises NoSuchRules."""
    plain = name.replace("/", "-")
    kept = data_dir / FOLDER
    for path in (Path(name), kept / plain, kept / f"{plain}.whl"):
        if path.suffix == ".whl" and path.is_file():
            return path.resolve()
        if (path / "engine").is_dir() and (path / "services").is_dir():
            return path.resolve()
    raise NoSuchRules(f"{name} is no checkout or wheel of Croupier, and none of that name is in {kept}")


class OtherRules:
    """For `with`. Nothing of this process's environment reaches the other version but the path to Python."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._folder = tempfile.TemporaryDirectory()
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "services.again"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=self._folder.name,
            env={"PATH": os.environ.get("PATH", ""), "PYTHONPATH": str(path), "PYTHONHASHSEED": "0"},
        )

    def __enter__(self) -> Self:
        """Raises NoSuchRules: what runs is not that version, or it cannot be asked."""
        assert self._process.stdout is not None
        greeting = receive(self._process.stdout)
        if not greeting or greeting[0] != PROTOCOL or not greeting[1].startswith(str(self.path)):
            self.close()
            raise NoSuchRules(f"{self.path} cannot be asked: it has no services/again.py that runs")
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def settle(self, segment: Segment, seed: bytes) -> Settled:
        """How that version settles a hand. Raises NoSuchRules: it has ended."""
        assert self._process.stdin is not None and self._process.stdout is not None
        try:
            send(self._process.stdin, question(segment, seed))
            answer = receive(self._process.stdout)
        except BrokenPipeError:
            answer = None
        if answer is None:
            raise NoSuchRules(f"{self.path} has ended")
        return Settled(*answer)

    def close(self) -> None:
        """End the process."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        self._process.wait(30)
        self._folder.cleanup()

    def check(self, segment: Segment, seed: bytes) -> Check:
        """Whether that version settles the hand alike: the same stacks at the end."""
        found = self.settle(segment, seed)
        return Check("diff", found.outcome in ("same", "events"), f"{found.outcome}: {found.text}")


class Referee:
    """Old hands are decided by the version of the rules that they were dealt under, if it is kept. For `with`."""

    def __init__(self, data_dir: Path | None) -> None:
        self._data_dir = data_dir
        self._known: dict[str, OtherRules | None] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for other in self._known.values():
            if other is not None:
                other.close()

    def decide(self, check: Check, case: Case) -> Check:
        """The check of a hand that this program has no rules for; itself where nobody can decide it."""
        other = self._find(started(case.segment).rules)
        if other is None or case.seed is None:
            return check
        found = other.settle(case.segment, case.seed)
        return Check(check.name, found.outcome == "same", f"{found.outcome}: {found.text}")

    def _find(self, rules: str) -> OtherRules | None:
        if rules not in self._known:
            try:
                path = find_rules(self._data_dir, rules) if self._data_dir else None
                self._known[rules] = OtherRules(path).__enter__() if path else None
            except NoSuchRules:
                self._known[rules] = None
        return self._known[rules]
