"""Stacked decks are for tests: nothing that ships can be made to deal one (fairness 1.1)."""

from __future__ import annotations

import ast
from inspect import signature
from pathlib import Path

import pytest

from engine.deck import hand_id, sealed_deck, verify_opening
from engine.refusals import Refused
from services.cli import up
from tests.house.houses import ROOT
from tests.house.stacked import FOLDER, Decks

SHIPPED = sorted(path for name in ("engine", "services", "workers", "api") for path in (ROOT / name).rglob("*.py"))


def calls(path: Path, name: str) -> list[ast.Call]:
    """Calls of `name` in a file, also as an attribute."""
    found = [node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call)]
    return [call for call in found if getattr(call.func, "id", getattr(call.func, "attr", "")) == name]


def test_shipped_workers_choose_neither_deal_nor_plan() -> None:
    """Every call of `make_worker` passes the settings and nothing else."""
    found = [call for path in SHIPPED for call in calls(path, "make_worker")]
    assert len(found) == 1
    assert all(len(call.args) == 1 and not call.keywords for call in found)


def test_no_shipped_house_runs_another_worker() -> None:
    """`croupier up` names no worker module: the default is the shipped one."""
    (chosen,) = calls(ROOT / "services/cli/up.py", "exit")
    (run,) = chosen.args
    assert isinstance(run, ast.Call)
    assert len(run.args) == len(("settings", "host", "port", "workers", "demo")) and not run.keywords
    assert signature(up.run).parameters["worker_module"].default == "workers"


@pytest.mark.parametrize("word", [FOLDER, "CROUPIER_TEST", "from tests", "import tests", "worker_module="])
def test_nothing_shipped_knows_of_the_tests(word: str) -> None:
    assert [path for path in SHIPPED if word in path.read_text("utf-8")] == []


def test_a_stacked_deck_is_committed_to_like_any_other(tmp_path: Path) -> None:
    """Its cards lie where the file says, under real salts; a table without a file is dealt as in production."""
    (tmp_path / "017-a.json").write_text('{"1": {"deck": "As Kd"}}')
    seed, hand = bytes(range(32)), hand_id("017-a", 1)
    deck = Decks(tmp_path).deal(seed, hand)
    assert deck.cards[:2] == bytes((51, 45)) and deck.root != sealed_deck(seed, hand).root
    assert all(verify_opening(deck.root, hand, at, deck.cards[at], deck.opening(at)) for at in range(52))
    assert Decks(tmp_path).deal(seed, hand_id("017-b", 1)) == sealed_deck(seed, hand_id("017-b", 1))


def test_a_stacked_table_deals_no_other_hand(tmp_path: Path) -> None:
    (tmp_path / "017-a.json").write_text('{"1": {}}')
    with pytest.raises(Refused, match="no_deck"):
        Decks(tmp_path).deal(bytes(32), hand_id("017-a", 2))
