"""The last hands and the replayer: the address is the state."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser, StorageState, expect

from tests.api.conftest import Service
from tests.api.story import Story
from tests.web.conftest import opened
from tests.web.people import PHONE, Person, play_out


class Kept(NamedTuple):
    """A table, and what Ann's browser keeps: her session there."""

    story: Story
    storage: StorageState


@pytest.fixture(scope="module")
def kept(browser: Browser, web: Service) -> Kept:
    """Ann has played a hand of razz from the page, to the showdown."""
    razz = Story.opened(web.app.test_client(use_cookies=False), web.host_token)
    context = opened(browser, web)
    person = Person(context.new_page())
    person.sit(razz, 0, "Ann")
    razz.sit(1, "Bob")
    play_out(person, 0, razz)
    razz.until(lambda view: view["number"] > 1)
    assert person.complaints == []
    storage = context.storage_state()
    context.close()
    return Kept(razz, storage)


@pytest.fixture
def played(kept: Kept) -> Story:
    return kept.story


@pytest.fixture
def person(contexts: Any, kept: Kept) -> Iterator[Person]:
    """Ann, in a new window of her browser."""
    person = Person(contexts(storage_state=kept.storage).new_page())
    yield person
    assert person.complaints == []


def test_last_hands_without_javascript(contexts: Any, played: Story) -> None:
    page = contexts(java_script_enabled=False).new_page()
    page.goto(f"/tables/{played.table}/hands")
    row = page.locator("tbody tr").last
    expect(row).to_contain_text("Hand #1")
    expect(row).to_contain_text(re.compile("Ann, Bob|Bob, Ann"))


def test_steps_by_key_slider_and_list_are_in_the_address(person: Person, played: Story) -> None:
    page = person.page
    page.goto(f"/tables/{played.table}/hands/1?step=3")
    expect(page.locator("#where")).to_contain_text("Step 3 of ")
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile(r"\?step=4&view=public$"))
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(re.compile("step=2&"))
    page.keyboard.press("End")
    expect(page.locator("#result p").first).to_contain_text("wins")
    last = page.locator("#step").get_attribute("max")
    expect(page.locator("#step")).to_have_value(str(last))
    page.get_by_role("button", name="Third street").click()
    expect(page.locator("#events [aria-current]")).to_have_text("Third street")
    page.keyboard.press("Home")
    expect(page).to_have_url(re.compile("step=0&"))
    page.get_by_role("slider", name="Step").fill(str(last))
    page.reload()
    expect(page.locator("#where")).to_contain_text(f"Step {last} of {last}")


def test_own_cards_in_the_replay_are_the_players_alone(person: Person, contexts: Any, played: Story) -> None:
    """COM-64: from his own seat a player sees his down cards; from another's, or as a stranger, nobody does."""
    page = person.page
    page.goto(f"/tables/{played.table}/hands/1?step=10&view=seat:0")
    expect(page.locator("#own .card")).not_to_have_count(0)
    expect(page.locator("#own .card.back")).to_have_count(0)
    page.get_by_label("Seen from").select_option("seat:1")
    expect(page.locator("#trouble")).to_have_text("These cards are not yours to see.")
    stranger = contexts().new_page()
    stranger.goto(f"/tables/{played.table}/hands/1?step=10&view=seat:0")
    expect(stranger.locator("#trouble")).to_have_text("These cards are not yours to see.")
    person.complaints.clear()  # the browser notes the status 403


def test_the_hand_s_files_are_those_of_the_formats_that_can_hold_it(person: Person, played: Story) -> None:
    """Open Hand History has no razz. A file tells what is seen on the page."""
    page = person.page
    page.goto(f"/tables/{played.table}/hands/1?view=seat:0")
    expect(page.locator("#files a")).to_have_text(["PHH", "PokerStars", "JSON", "Bundle to verify"])
    for view in ("seat:0", "public"):
        page.get_by_label("Seen from").select_option(view)
        expect(page.get_by_role("link", name="JSON")).to_have_attribute("href", re.compile(f"view={view}$"))
        with page.expect_download() as download:
            page.get_by_role("link", name="JSON").click()
        assert json.loads(Path(download.value.path()).read_text(encoding="utf-8"))["view"] == view


def test_a_step_is_shared_by_a_link(person: Person, contexts: Any, played: Story) -> None:
    """The address where everybody saw it; from his own seat a link that shows his cards to whoever has it."""
    page = person.page
    page.goto(f"/tables/{played.table}/hands/1?step=10")
    expect(page.locator("#where")).to_contain_text("Step 10")
    page.get_by_role("button", name="Share this step").click()
    expect(page.get_by_label("Link to this step")).to_have_value(page.url)
    page.get_by_label("Seen from").select_option("seat:0")
    expect(page.locator("#own .card")).not_to_have_count(0)
    page.get_by_role("button", name="Share this step").click()
    expect(page.locator("#shared")).to_contain_text("sees your cards")
    link = page.get_by_label("Link to this step").input_value()
    stranger = contexts(viewport=PHONE).new_page()
    stranger.goto(link)
    expect(stranger.locator("#where")).to_contain_text("Step 10")
    expect(stranger.locator("#own .card.back")).to_have_count(0)
    expect(stranger.locator("#own .card")).not_to_have_count(0)
    expect(stranger.get_by_role("link", name="JSON")).to_have_attribute("href", re.compile("view=public$"))
    stranger.get_by_role("button", name="Share this step").click()
    expect(stranger.get_by_label("Link to this step")).to_have_value(stranger.url)
    assert stranger.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
