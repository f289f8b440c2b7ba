"""The long tests: `make chaos`, or `python -m tests.chaos [rulebook] [checks] [storm] [inversions]` for some of them.

`--rounds N` makes the storm longer or shorter (12 rounds of seven blows). All of it takes about half an hour on two
busy cores, and says every half minute that it is still at work. Exit status 1 if one failed.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.house.houses import ROOT, house

PATIENCE_S = 3600
SIGN_S = 30


def rulebook(folder: Path, rounds: int) -> bool:
    """Every worked example and all 480 random deals over HTTP."""
    from tests.house.test_rulebook import DEALS, EXAMPLES, play_all

    with house(folder, environment={"CROUPIER_DURABILITY": "dev"}) as up:
        wrong = play_all(up, [*EXAMPLES, *DEALS])
    for name, differences in wrong.items():
        print(name, *differences, sep="\n  ")
    print(f"{len(EXAMPLES)} examples and {len(DEALS)} random deals, {len(wrong)} of them wrong")
    return not wrong


def checks(folder: Path, rounds: int) -> bool:
    """Every accident against the commit script, five times over: the races must come out the same each time."""
    for _ in range(5):
        if not pytest_passes("tests/house/test_checks.py", "tests/house/test_trouble.py"):
            return False
    return True


def pytest_passes(*files: str) -> bool:
    command = [sys.executable, "-m", "pytest", "-q", "-x", *files]
    return subprocess.run(command, cwd=ROOT, timeout=PATIENCE_S).returncode == 0


def storm(folder: Path, rounds: int) -> bool:
    """Kill and stop everything again and again; compare every promise with the log."""
    from tests.house.storms import ROUND, weather

    outcome = weather(folder, rounds, rounds * len(ROUND) * 250)
    blows = ", ".join(f"{count} × {blow}" for blow, count in sorted(outcome.blows.items()))
    print(f"{outcome.blows.total()} blows ({blows}); clients repeated {outcome.troubles} requests")
    print(f"{len(outcome.acks)} acknowledged commands compared, {outcome.hands} hands decided again")
    for wrong in outcome.wrong:
        print(wrong)
    return not outcome.wrong


def inversions(folder: Path, rounds: int) -> bool:
    """Every rule of the engine broken once; a test that cites the rule must notice."""
    command = [sys.executable, "-m", "tests.rules.inversions", "--all"]
    return subprocess.run(command, cwd=ROOT, timeout=PATIENCE_S).returncode == 0


PARTS: dict[str, Callable[[Path, int], bool]] = {
    "rulebook": rulebook,
    "checks": checks,
    "storm": storm,
    "inversions": inversions,
}


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--rounds", type=int, default=12)
    chosen = parser.parse_args(arguments)
    failed = [name for name in chosen.parts or PARTS if not passes(name, chosen.rounds)]
    print(f"failed: {', '.join(failed)}" if failed else "all passed")
    return 1 if failed else 0


def passes(name: str, rounds: int) -> bool:
    print(f"--- {name}: {PARTS[name].__doc__}", flush=True)
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="chaos-") as folder, signs_of_life(name, started):
        good = PARTS[name](Path(folder), rounds)
    print(f"--- {name} {'passed' if good else 'FAILED'} in {time.monotonic() - started:.0f} s", flush=True)
    return good


@contextmanager
def signs_of_life(name: str, started: float) -> Iterator[None]:
    """A line every SIGN_S seconds."""
    over = threading.Event()

    def tell() -> None:
        while not over.wait(SIGN_S):
            print(f"... {name}: {time.monotonic() - started:.0f} s", flush=True)

    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        over.set()
        teller.join()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
