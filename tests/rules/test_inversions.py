"""The tests of the rules can fail: a sample of the inversions here, all of them with CROUPIER_CHAOS=1."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.rules.citations import NO_RULE, rule_ids
from tests.rules.inversion_list import INVERSIONS
from tests.rules.inversions import ROOT, inverted

ALL = ["--all"] if os.environ.get("CROUPIER_CHAOS") else []


def test_every_inversion_still_has_its_text_in_the_engine() -> None:
    for inversion in INVERSIONS:
        assert inverted(inversion) != (ROOT / "engine" / inversion.file).read_text(encoding="utf-8")
    with pytest.raises(ValueError, match="has not this text once"):
        inverted(INVERSIONS[0]._replace(old="no such rule"))


def test_every_rule_is_broken_at_least_once() -> None:
    rules = [key for key, meaning in rule_ids().items() if not meaning.startswith(NO_RULE)]
    broken = {inversion.rule for inversion in INVERSIONS}
    assert [key for key in rules if key not in broken] == []


@pytest.mark.timeout(1800)
def test_broken_rules_are_noticed_by_the_tests_that_cite_them() -> None:
    """In a process of its own, which has not imported the engine yet."""
    command = [sys.executable, "-m", "tests.rules.inversions", *ALL]
    run = subprocess.run(command, cwd=Path(ROOT), capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
