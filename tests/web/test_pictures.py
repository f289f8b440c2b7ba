"""The README's pictures come from the running client: `CROUPIER_PICTURES=1 pytest tests/web/test_pictures.py`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.api.story import Story
from tests.web.people import OpenTable, Person, answers

IMAGES = Path(__file__).parents[2] / "docs" / "images"
OTHERS = ("Bob", "Chloé", "Dimitri", "Eva")
BETTOR = 3
TABLES = (
    ("razz", {"name": "Low road"}),
    ("razz", {"name": "Slow road", "razz.small": 4, "razz.bring_in": 2}),
    ("omaha8", {"name": "Deep water", "omaha.structure": "no_limit"}),
    ("omaha8", {"name": "Shallows", "seats": 9}),
)


@pytest.fixture
def album(tmp_path: Path) -> Path:
    """Where pictures go: into the documentation only when asked."""
    return IMAGES if os.environ.get("CROUPIER_PICTURES") else tmp_path


def test_picture_of_a_table(person: Person, open_table: OpenTable, album: Path) -> None:
    table = open_table("omaha8", **{"name": "Riverside", "omaha.structure": "pot_limit", "omaha.big_blind": 10,
                                    "hand_gap_seconds": 5})  # fmt: skip
    person.sit(table, 0, "Ann", 1000)
    for seat, name in enumerate(OTHERS, start=1):
        table.sit(seat, name, 1000 + 150 * seat)
    until_the_flop(table, person)
    expect(person.page.locator(".board .card")).to_have_count(3)
    person.page.screenshot(path=album / "table.png")
    assert (album / "table.png").stat().st_size > 50_000


def until_the_flop(table: Story, person: Person) -> None:
    """And on until it is the person's turn."""
    while (hand := table.dealt()["hand"])["actor"] != 0 or not hand["board"]:
        if hand["actor"] == 0:
            person.plays_on()
            table.until(lambda view: view["hand"]["actor"] != 0 or view["hand"]["board"])
        elif hand["board"] and "bet" in hand["legal"] and hand["actor"] == BETTOR:
            table.on_turn().act("bet", 30)
        else:
            answers(table.on_turn())
    person.awaits_turn()


def test_picture_of_the_lobby(person: Person, open_table: OpenTable, album: Path) -> None:
    for many, (game, options) in enumerate(TABLES, start=2):
        table = open_table(game, hand_gap_seconds=60, **options)
        for seat, name in enumerate(OTHERS[:many]):
            table.sit(seat, name, 400)
    person.page.set_viewport_size({"width": 1280, "height": 520})
    person.page.goto("/")
    person.page.screenshot(path=album / "lobby.png")
    assert (album / "lobby.png").stat().st_size > 20_000
