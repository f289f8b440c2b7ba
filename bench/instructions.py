"""Instructions an action, counted by callgrind: they repeat exactly where times do not, so a change is judged by them.

The release's own counts lie in `instructions.json`; `python -m bench.instructions --keep` writes the present ones.
"""

from __future__ import annotations

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
FEW, MANY = 5, 25  # hands of two runs; their difference is free of imports and of building tables
KEPT = Path(__file__).with_suffix(".json")


def play(game: str, policy: str, count: int) -> int:
    """Play and pack that many hands; the number of actions in them."""
    hands, table = random_hands(0, count), croupier_side.open_table(game)
    actions = 0
    for hand, deck in zip(hands, croupier_side.decks(hands), strict=True):
        events = croupier_side.play(table, policy, hand, deck)
        croupier_side.packed(events)
        actions += croupier_side.actions(events)
    return actions


def counted(game: str, policy: str, hands: int) -> int:
    """Instructions of a process that plays so many hands."""
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", sys.executable]
    child = subprocess.run(
        [*command, "-m", __spec__.name, game, policy, str(hands)],
        env=os.environ | {"PYTHONHASHSEED": "0"},
        capture_output=True,
        text=True,
        check=True,
    )
    return int(re.search(r"Collected : (\d+)", child.stderr)[1])  # type: ignore[index]


@cache
def instructions(game: str, policy: str) -> float:
    """Instructions an action."""
    actions = play(game, policy, MANY) - play(game, policy, FEW)
    return (counted(game, policy, MANY) - counted(game, policy, FEW)) / actions


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
        play(sys.argv[1], sys.argv[2], int(sys.argv[3]))
