"""What `make` sets up: once, and again when it cannot work any more."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PYTHON = """#!/bin/sh
echo "$@" >> "$LOG"
case "$*" in *"-m venv"*) mkdir -p .venv/bin; rm -f .venv/.installed; cp "$0" .venv/bin/python ;; esac
"""


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A clone with a Python that only notes what it is asked for."""
    folder = tmp_path / "a clone"
    (folder / ".ci").mkdir(parents=True)
    for name in ("Makefile", "pyproject.toml", ".ci/venv", ".ci/requirements.lock"):
        shutil.copy(ROOT / name, folder / name)
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "python3.14").write_text(PYTHON, encoding="utf-8")
    (programs / "python3.14").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    monkeypatch.setenv("LOG", str(tmp_path / "asked"))
    return folder


def asked(clone: Path) -> list[str]:
    """What `make install` has Python do: make the environment, install into it."""
    log = clone.parent / "asked"
    log.unlink(missing_ok=True)
    done = subprocess.run(["make", "install"], cwd=clone, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    words = log.read_text(encoding="utf-8") if log.exists() else ""
    return [name for name in ("-m venv", "-m pip install") if name in words]


BOTH = ["-m venv", "-m pip install"]


def test_an_environment_is_made_once(clone: Path) -> None:
    assert asked(clone) == BOTH
    assert asked(clone) == []


def test_new_requirements_are_installed_into_it(clone: Path) -> None:
    asked(clone)
    os.utime(clone / ".ci" / "requirements.lock", (2**32, 2**32))
    assert asked(clone) == ["-m pip install"]


def test_it_is_made_again_in_a_folder_that_was_moved(clone: Path) -> None:
    """Its programs begin with the path of the old one."""
    asked(clone)
    moved = clone.rename(clone.parent / "moved")
    assert asked(moved) == BOTH
    assert asked(moved) == []


def test_it_is_made_again_when_its_python_is_gone(clone: Path) -> None:
    asked(clone)
    (clone / ".venv" / "bin" / "python").unlink()
    assert asked(clone) == BOTH


def test_one_that_was_broken_off_is_finished(clone: Path) -> None:
    asked(clone)
    (clone / ".venv" / ".installed").unlink()
    assert asked(clone) == ["-m pip install"]
