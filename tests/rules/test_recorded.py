"""Recorded hands give the same bytes on every Python and under every hash seed (P125; COM-76)."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from engine.game import games
from tests.rules.inversions import ROOT
from tests.rules.recorded import FOLDER, differences, digests, replayed
from tests.rules.stories import rule

PYTHONS = [f"python3.{minor}" for minor in (11, 12, 13, 14) if minor != sys.version_info.minor]


def replay(python: str, hash_seed: str) -> "subprocess.CompletedProcess[str]":
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [python, "-m", "tests.rules.recorded"]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


def find(python: str) -> str | None:
    """A Python of this version that runs: on the path, or among those that pyenv has installed."""
    installed = Path.home().glob(f".pyenv/versions/*/bin/{python}")
    for candidate in [shutil.which(python), *map(str, sorted(installed))]:
        if candidate and subprocess.run([candidate, "-c", ""], capture_output=True).returncode == 0:
            return candidate
    return None


@rule("COM-76")
def test_every_game_has_recorded_courses_and_they_replay() -> None:
    names = {path.name.split("-")[0] for path in FOLDER.glob("*.json")}
    assert names == set(games())
    assert differences() == []


@rule("COM-76")
@pytest.mark.parametrize("hash_seed", ["0", "4242"])
def test_the_hash_seed_changes_nothing(hash_seed: str) -> None:
    run = replay(sys.executable, hash_seed)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "canonical and stored bytes" in run.stdout


@rule("COM-76")
@pytest.mark.parametrize("python", PYTHONS)
def test_every_supported_python_gives_the_same_bytes(python: str) -> None:
    found = find(python)
    if found is None:
        pytest.skip(f"{python} IS NOT HERE: the recorded hands have not been replayed on it")
    run = replay(found, "7")
    assert run.returncode == 0, run.stdout + run.stderr


@rule("COM-76")
def test_a_course_that_began_a_millisecond_later_is_another_course() -> None:
    recorded = json.loads(sorted(FOLDER.glob("*.json"))[0].read_text(encoding="utf-8"))
    recorded["commands"][0][0] += 1
    _, facts = replayed(json.dumps(recorded))
    assert all(recorded["digests"][kind] != digest for kind, digest in digests(facts).items())
