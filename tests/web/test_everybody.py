"""Phones, dark rooms, keyboards and screen readers."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.api.story import Story
from tests.web.people import PHONE, Person, answers, faults, fits

FRENCH_CARD = re.compile(
    "^(as|roi|dame|valet|dix|neuf|huit|sept|six|cinq|quatre|trois|deux) de (pique|cœur|carreau|trèfle)$"
)


def seated(person: Person, story: Story) -> None:
    """Ann at the page, on turn."""
    person.sit(story, 0, "Ann", 200)
    story.sit(1, "Bob", 200)
    while story.dealt()["hand"]["actor"] != 0:
        answers(story.on_turn())
    person.awaits_turn()


def test_a_phone_in_portrait(contexts: Any, omaha: Story) -> None:
    """Nothing to scroll sideways, actions on the screen, targets of 44 px and more."""
    person = Person(contexts(viewport=PHONE, has_touch=True, is_mobile=True).new_page())
    seated(person, omaha)
    page = person.page
    fits(page, PHONE)
    for target in page.locator("button:visible, a:visible:not(.skip), select:visible, #bar input:visible").all():
        box = target.bounding_box()
        assert box is not None and box["height"] >= 44, target.inner_text()
    assert person.complaints == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_fault(contexts: Any, omaha: Story, scheme: str) -> None:
    person = Person(contexts(color_scheme=scheme, bypass_csp=True).new_page())
    person.page.goto("/")
    assert faults(person.page) == []
    seated(person, omaha)
    assert faults(person.page) == []
    person.page.keyboard.press("?")
    expect(person.page.get_by_role("dialog", name="Keys")).to_be_visible()
    assert faults(person.page) == []
    person.page.goto(f"/tables/{omaha.table}/hands")
    assert faults(person.page) == []


def test_keys_press_the_buttons_that_are_there(person: Person, omaha: Story) -> None:
    """C calls, F folds; neither while a dialog is open or when it is somebody else's turn."""
    seated(person, omaha)
    turn = omaha.view()["turn"]
    person.page.keyboard.press("?")
    person.page.keyboard.press("c")
    person.page.keyboard.press("Escape")
    expect(person.page.get_by_role("dialog", name="Keys")).to_be_hidden()
    assert omaha.view()["turn"] == turn
    person.page.keyboard.press("r")
    expect(person.page.locator("#bar .amount")).to_be_focused()
    person.page.keyboard.press("Enter")
    omaha.until(lambda view: view["turn"] > turn)
    person.page.keyboard.press("f")
    omaha.on_turn().act("raise", omaha.on_turn().actions()["legal"]["raise"]["least"])
    person.awaits_turn()
    person.page.keyboard.press("f")
    omaha.until(lambda view: view["number"] == 2)


def test_a_page_opened_in_mid_turn_offers_the_least_raise(person: Person, omaha: Story) -> None:
    """The state comes before the server has said who we are: the amount must not stay at nothing."""
    seated(person, omaha)
    least, _ = omaha.view()["hand"]["legal"]["raise"]
    person.page.reload()
    person.awaits_turn()
    expect(person.page.locator("#bar .amount")).to_have_value(str(least))
    expect(person.button("raise")).to_have_text(f"Raise to {least}")


def test_cards_have_spoken_names_and_one_voice_tells_what_happens(contexts: Any, razz: Story) -> None:
    person = Person(contexts(locale="fr-FR").new_page())
    razz.sit(1, "Bob")
    razz.sit(2, "Carl")
    person.visit(razz)
    razz.dealt()
    up = person.seat(1).locator(".card").last
    expect(up).to_have_attribute("aria-label", FRENCH_CARD)
    razz.on_turn().act("bring_in")
    expect(person.page.locator("[aria-live]")).to_have_count(1)
    expect(person.page.locator("[aria-live]")).to_contain_text("paie le bring-in de 5")


def test_the_deck_has_two_colours_where_the_reader_wants_them(person: Person, razz: Story) -> None:
    person.visit(razz)
    person.page.get_by_label("Four-colour deck").uncheck()
    person.page.reload()
    expect(person.page.locator("body")).not_to_have_class("at-table four-colours")
    expect(person.page.get_by_label("Four-colour deck")).not_to_be_checked()
