"""The browser has its say in the cut of the deck, and the page says whose say it was."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.api.story import Story
from tests.web.people import OpenTable, Person, play_out

INSECURE = "Object.defineProperty(crypto, 'subtle', { value: undefined })"


@pytest.fixture
def razz(open_table: OpenTable) -> Story:
    return open_table("razz", hand_gap_seconds=1)


@pytest.fixture(autouse=True)
def time_to_reveal(monkeypatch: pytest.MonkeyPatch) -> None:
    """A minute: the page's seeds count, however slow the machine."""
    monkeypatch.setattr("engine.cut.REVEAL_MS", 60_000)


def deal(story: Story, hand: int) -> dict[str, Any]:
    return dict(story.client.get(f"{story.path}/hands/{hand}/deal").get_json())


def test_a_hand_is_cut_by_the_player_at_the_page(person: Person, razz: Story) -> None:
    person.sit(razz, 0, "Ann")
    razz.until(lambda view: view["seats"][0]["pledged"])
    razz.sit(1, "Bob")
    expect(person.page.locator("#where")).to_contain_text("cut by one player")
    play_out(person, 0, razz)
    cut = deal(razz, 1)["cut"]
    assert (cut["label"], [seed["player"] for seed in cut["seeds"]]) == ("players", ["Ann"])
    assert cut["cut"] != list(range(52)) and len({*cut["cut"]}) == 52
    person.page.goto(f"/tables/{razz.table}/hands/1?step=3")
    expect(person.page.locator("#where")).to_contain_text("the players cut the deck")
    person.page.goto(f"/tables/{razz.table}/hands/1?step=5")
    expect(person.page.locator("#where")).to_contain_text("cut by one player")


def test_a_page_loaded_anew_reveals_what_it_had_pledged(person: Person, razz: Story) -> None:
    """And it pledges another seed for every hand."""
    person.sit(razz, 0, "Ann")
    razz.until(lambda view: view["seats"][0]["pledged"])
    person.page.reload()
    razz.sit(1, "Bob")
    for number in (1, 2):
        razz.until(lambda view, number=number: view["number"] == number)
        play_out(person, 0, razz)
    seeds = [deal(razz, number)["cut"]["seeds"] for number in (1, 2)]
    assert [len(found) for found in seeds] == [1, 1]
    assert seeds[0][0]["bytes"] != seeds[1][0]["bytes"]


def test_a_spectator_is_told_in_his_language(contexts: Any, razz: Story) -> None:
    person = Person(contexts(locale="fr-FR").new_page())
    person.visit(razz)
    razz.sit(0, "Ann")
    razz.sit(1, "Bob")
    expect(person.page.locator("#where")).to_contain_text("coupé par aucun joueur")
    assert person.complaints == []


def test_who_may_not_hash_plays_without_a_pledge(person: Person, razz: Story) -> None:
    person.page.add_init_script(INSECURE)
    asked: list[str] = []
    person.page.on("request", lambda request: asked.append(request.url))
    person.sit(razz, 0, "Ann")
    razz.sit(1, "Bob")
    expect(person.page.locator("#where")).to_contain_text("cut by no player")
    assert not [url for url in asked if re.search("/(pledge|seed)$", url)]
