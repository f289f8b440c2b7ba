"""The three catalogues say the same things, and everything the pages say is in them."""

from __future__ import annotations

import re
from inspect import getsource
from pathlib import Path

import pytest

from api.languages import LANGUAGES, Texts, catalogue
from api.problems import KINDS, RULES
from engine.events import OF_GAMES
from engine.game import games
from engine.games.abyssinia import BLIND, DECLARATIONS, SIDES
from engine.games.hasaga.extra_blind import ANSWERS
from engine.games.hasaga.shop import BLOCKS, ITEMS
from engine.view import VISIBLE, out_of_hand, state_of

ROOT = Path(__file__).parents[2]
WEB, ENGINE = ROOT / "api" / "web", ROOT / "engine"
SOURCES = [*sorted(WEB.glob("static/**/*.js")), *sorted(WEB.glob("templates/*.html"))]
ENGLISH = catalogue("en")
NAMES = re.compile(r"\{(\w+)\}")
HOST_ONLY = {"in_progress", "reason_required", "not_unsealed", "format_cannot_hold",
             "unsupported_media_type", "body_too_large", "method_not_allowed", "not_acceptable", "unknown_game",
             "unknown_option", "bad_option", "trimmed", "unknown_table", "already_connected", "already_disconnected",
             "no_hand", "no_such_table", "stale_level", "table_exists", "too_early"}  # fmt: skip

OF_SEEDS = {"stale_hand", "malformed_seed", "already_pledged", "no_pledge", "seed_mismatch", "seed_too_early",
            "seed_too_late", "already_revealed"}  # fmt: skip
"""What the page pledges and reveals by itself; nobody is told when it comes too late."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_keys_and_names(language: str) -> None:
    texts = catalogue(language)
    assert texts.keys() == ENGLISH.keys()
    assert all(texts.values())
    for key, text in texts.items():
        assert set(NAMES.findall(text)) == set(NAMES.findall(ENGLISH[key])), key


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.name)
def test_every_text_of_a_source_is_in_the_catalogue(source: Path) -> None:
    used = re.findall(r"""\btexts?\(\s*["']([\w.]+)["']""", source.read_text("utf-8"))
    assert set(used) <= ENGLISH.keys()


def test_games_streets_and_problems_have_names() -> None:
    for game in games().values():
        assert f"game.{game.name}" in ENGLISH
        options = game.resolve({})
        for step in () if game.deals(options) else game.steps(options):
            assert not step.street or f"street.{step.street}" in ENGLISH
    for code in KINDS.keys() - HOST_ONLY - OF_SEEDS:
        assert f"problem.{code}" in ENGLISH, code


def test_every_event_that_is_shown_has_words_or_is_silent_on_purpose() -> None:
    """A variant (`event.Fee.bank`) is words enough: which ones there are is in `VARIANTS` of story.js."""
    story = (WEB / "static" / "story.js").read_text("utf-8")
    silent = set(re.findall(r'"(\w+)"', story[story.index("const SILENT") : story.index("]);")]))
    told = {key.split(".")[1] for key in ENGLISH if key.startswith("event.")}
    shown = {*VISIBLE, *OF_GAMES}
    assert shown <= told | silent
    assert silent <= shown


def test_what_games_let_choose_has_names() -> None:
    assert {f"declare.{choice}" for choice in DECLARATIONS} <= ENGLISH.keys()
    assert {f"side.{side}" for side in (*SIDES, BLIND)} <= ENGLISH.keys()
    assert {f"item.{item.name}" for item in ITEMS} <= ENGLISH.keys()
    scarce = {item.name for item in ITEMS} - {"merge", *BLOCKS}  # of which there may be none to be had
    assert {f"shop.none.{item}" for item in scarce} <= ENGLISH.keys()
    assert {f"exb.{answer}" for answer in ANSWERS} <= ENGLISH.keys()
    assert {f"{said}{to}" for to in ("bank", "pot") for said in ("shop.to_", "event.Fee.")} <= ENGLISH.keys()


def test_every_refusal_that_a_player_may_hear_has_words() -> None:
    """The codes stand in the engine's source: raised at once, or returned as the reason."""
    engine = " ".join(path.read_text("utf-8") for path in sorted(ENGINE.rglob("*.py")))
    codes = {*re.findall(r'Refused\(\s*"(\w+)"', engine), *re.findall(r'return "(\w+_\w+)"', engine)}
    for code in codes - HOST_ONLY - OF_SEEDS - states():
        assert f"problem.{code}" in ENGLISH, code
    assert codes - states() <= {*KINDS, *RULES}, "each can be looked up"
    assert all(f'"{code}"' in engine for code in RULES)


def test_every_state_of_a_seat_has_a_word() -> None:
    assert {f"state.{state}" for state in states()} <= ENGLISH.keys()


def states() -> set[str]:
    """The words of COM-73."""
    return set(re.findall(r'"(\w+)"', getsource(state_of) + getsource(out_of_hand)))


def test_numbers_are_written_as_the_language_writes_them() -> None:
    written = [Texts(language).written(1234567) for language in LANGUAGES]
    assert written == ["1,234,567", "1\u202f234\u202f567", "1.234.567"]
    assert Texts("en")("lobby.seated", players=3, seats=6) == "3 of 6"
    assert Texts("en").name("game", "not_translated_yet") == "not_translated_yet"
