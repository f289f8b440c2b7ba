"""Recorded hands give the same bytes on every Python and under every hash seed (P125; COM-76)."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from engine import snapshot
from engine.commands import REGISTRY
from engine.deck import sealed_deck
from engine.events import earlier_words
from engine.game import games
from engine.table import Table, act
from engine.view import view
from services.wire import fold, pack
from tests.rules.inversions import ROOT
from tests.rules.recorded import FOLDER, differences, digests, replayed, whole
from tests.rules.stories import rule

EARLIER = [path for path in sorted(FOLDER.glob("*.json")) if '"words"' not in path.read_text(encoding="utf-8")[:80]]
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
@pytest.mark.parametrize("path", EARLIER, ids=[path.stem for path in EARLIER])
def test_a_log_in_earlier_words_folds_to_the_same_table(path: Path) -> None:
    """What was stored then, read back after every command, beside the table that the same commands give today."""
    recorded = json.loads(path.read_text(encoding="utf-8"))
    acting, folded = Table(recorded["table"]), Table(recorded["table"])
    for now, name, values in recorded["commands"]:
        for fact in act(acting, REGISTRY[name](*map(whole, values)), now, sealed_deck):
            fold(folded, [pack(words) for words in earlier_words(fact)])
        assert view(folded) == view(acting)
    assert snapshot.take(folded) == snapshot.take(acting)


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
