"""Are the tests of a rule able to fail? Each inversion breaks one rule in a copy of the engine; the tests that cite
the rule run against the copy, and one of them must fail.

    python -m tests.rules.inversions            a sample that moves with the number of inversions
    python -m tests.rules.inversions --all
    python -m tests.rules.inversions COM-22     those of one rule
"""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import sys
import tempfile
from pathlib import Path

import hypothesis  # noqa: F401  (once, not in every child)
import pytest

from tests.rules.citations import citations
from tests.rules.inversion_list import INVERSIONS, Inversion

ROOT = Path(__file__).parent.parent.parent
SAMPLE = 8
TELL_EVERY = 25
SLOW = "test_every_game.py"  # tells the rules too, but takes its time to find the smallest example
RUN = (
    "-q",
    "--timeout=60",
    "-x",
    "-p",
    "no:cacheprovider",
    "-p",
    "no:schemathesis",
    "-W",
    "ignore",
    "--rootdir",
    str(ROOT),
)


def inverted(inversion: Inversion) -> str:
    """The file with the inversion. Raises ValueError if its text does not occur once."""
    text = (ROOT / "engine" / inversion.file).read_text(encoding="utf-8")
    if text.count(inversion.old) != 1:
        raise ValueError(f"{inversion.rule}: {inversion.file} has not this text once: {inversion.old!r}")
    return text.replace(inversion.old, inversion.new)


def survives(inversion: Inversion, tests: list[str]) -> bool:
    """Whether all these tests still pass. Runs them in a forked process, which imports the copy."""
    with tempfile.TemporaryDirectory() as folder:
        copied = Path(folder) / "engine"
        shutil.copytree(ROOT / "engine", copied, ignore=shutil.ignore_patterns("__pycache__"))
        (copied / inversion.file).write_text(inverted(inversion), encoding="utf-8")
        child = os.fork()
        if child == 0:
            os._exit(judge(folder, tests))
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def judge(folder: str, tests: list[str]) -> int:
    """In the child: pytest's exit code; an engine that cannot even be imported counts as noticed."""
    sys.path.insert(0, folder)
    sys.dont_write_bytecode = True
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        import engine.table

        assert engine.table.__file__.startswith(folder), "the tests would run against the true engine"
        return int(pytest.main([*RUN, *tests]))


def chosen(arguments: list[str]) -> list[Inversion]:
    """All, those of the rules named, or every so many of them."""
    if "--all" in arguments:
        return list(INVERSIONS)
    if arguments:
        return [inversion for inversion in INVERSIONS if inversion.rule in arguments]
    return list(INVERSIONS[:: len(INVERSIONS) // SAMPLE])


def main(arguments: list[str]) -> int:
    """Number of survivors; each is printed."""
    assert "engine" not in sys.modules, "the engine must be imported by the children"
    cited = {key: [test for test in tests if SLOW not in test] for key, tests in citations().items()}
    picked = chosen(arguments)
    survivors = []
    for number, inversion in enumerate(picked, 1):
        if survives(inversion, cited[inversion.rule]):
            survivors.append(inversion)
        if number % TELL_EVERY == 0:
            print(f"{number} of {len(picked)}, now {inversion.rule}", flush=True)
    for inversion in survivors:
        print(f"SURVIVES {inversion.rule}: {inversion.file}: {inversion.old!r} -> {inversion.new!r}")
    print(f"{len(picked)} inversions of {len(INVERSIONS)}, {len(survivors)} unnoticed")
    return len(survivors)


if __name__ == "__main__":
    sys.exit(min(1, main(sys.argv[1:])))
