"""Instructions an action, counted by callgrind: they repeat exactly where times do not, so a change is judged by them.

The release's own counts lie in `instructions.json`; `python -m bench.instructions --keep` writes the present ones.
"""

from __future__ import annotations

import gc
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path

from bench import croupier_side
from bench.hands import random_hands
from bench.measure import Row, Subject

GAMES, POLICIES = ("omaha8", "razz"), ("random", "calldown")
HANDS = 20
KEPT = Path(__file__).with_suffix(".json")


def play(game: str, policy: str) -> int:
    """Play and pack HANDS hands; the number of actions in them."""
    hands, table = random_hands(0, HANDS), croupier_side.open_table(game)
    decks = croupier_side.decks(hands)
    played = [croupier_side.play(table, policy, *pair) for pair in zip(hands, decks, strict=True)]
    return sum(croupier_side.actions(events) for events in played if croupier_side.packed(events))


def counted_play(game: str, policy: str) -> None:
    """In the child: once to build every table, then once under the counter.

    What is there by then is kept out of the garbage collector, as in a worker that is ready (`services/readiness.py`):
    whether a collection of everything falls into the count would be chance.
    """
    play(game, policy)
    gc.collect()
    gc.freeze()
    switch_counting("on")
    play(game, policy)
    switch_counting("off")


def switch_counting(state: str) -> None:
    subprocess.run(["callgrind_control", f"--instr={state}", str(os.getpid())], stdout=subprocess.DEVNULL, check=True)


@cache
def instructions(game: str, policy: str) -> float:
    """Instructions an action, of a process of its own."""
    command = ["valgrind", "--tool=callgrind", "--instr-atstart=no", "--callgrind-out-file=/dev/null", sys.executable]
    child = subprocess.run(
        [*command, "-m", __spec__.name, game, policy],
        env=os.environ | {"PYTHONHASHSEED": "0"},
        capture_output=True,
        text=True,
        check=True,
    )
    collected = re.search(r"Collected : (\d+)", child.stderr)
    assert collected, child.stderr
    return int(collected[1]) / play(game, policy)


@contextmanager
def subject() -> Iterator[Subject]:
    """Every game and policy against the counts of the last release. Needs valgrind."""
    kept = json.loads(KEPT.read_text())
    candidates, rows = {}, []
    for game in GAMES:
        for policy in POLICIES:
            name = f"{game} {policy}"
            candidates[name] = partial(instructions, game, policy)
            candidates[f"{name}, last release"] = partial(float, kept[name])
            rows.append(Row(f"{name}, instructions an action", name, f"{name}, last release", must=1.03, aim=1.0))
    yield Subject(candidates, tuple(rows))


def keep() -> None:
    """Write the present counts."""
    counts = {f"{game} {policy}": round(instructions(game, policy)) for game in GAMES for policy in POLICIES}
    KEPT.write_text(json.dumps(counts, indent=2) + "\n")


if __name__ == "__main__":
    if sys.argv[1:] == ["--keep"]:
        keep()
    else:
        counted_play(sys.argv[1], sys.argv[2])
