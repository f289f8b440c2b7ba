"""Deciding before one's turn, and learning that it is one's turn."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.api.story import Player, Story
from tests.web.people import OpenTable, Person

COUNTED = """
window.rung = 0;
window.AudioContext = class extends AudioContext { constructor() { super(); window.rung += 1; } };
"""


@pytest.fixture
def flop(person: Person, open_table: OpenTable) -> Story:
    """Ann at the page in seat 0 has the button, Bob in seat 1 is the first to act on the flop; the pot is 4."""
    story = open_table("omaha8", **{"omaha.structure": "pot_limit"})
    person.sit(story, 0, "Ann", 200)
    story.sit(1, "Bob", 200)
    while (hand := story.dealt()["hand"])["button"] != 0 or not hand["board"]:
        passes(person, story, give_up=hand["button"] != 0)
    return story


def passes(person: Person, story: Story, *, give_up: bool) -> None:
    """Whoever has the turn folds, or does what costs least."""
    view = story.dealt()
    if view["hand"]["actor"] != 0:
        legal = view["hand"]["legal"]
        story.on_turn().act(next(verb for verb in ("fold", "check", "call")[not give_up :] if verb in legal))
    elif give_up and "fold" in view["hand"]["legal"]:
        person.awaits_turn()
        person.button("fold").click()
    else:
        person.plays_on()
    goes_on(story, view)


def goes_on(story: Story, view: dict[str, Any]) -> None:
    """The decision of that view has been taken."""
    story.until(lambda later: later["turn"] > view["turn"])


def bob(story: Story) -> Player:
    return story.players[1]


def ahead(person: Person, name: str) -> Locator:
    return person.page.locator("#ahead").get_by_role("button", name=name, exact=True)


def test_check_or_fold_checks_while_that_is_free(person: Person, flop: Story) -> None:
    """Nothing is ever folded that could be checked."""
    ahead(person, "Check or fold").click()
    expect(ahead(person, "Check or fold")).to_have_attribute("aria-pressed", "true")
    bob(flop).act("check")
    flop.until(lambda view: len(view["hand"]["board"]) == 4)
    assert not flop.view()["hand"]["over"]
    expect(ahead(person, "Check or fold")).to_have_attribute("aria-pressed", "false")  # forgotten with the street


def test_check_or_fold_folds_to_a_bet(person: Person, flop: Story) -> None:
    ahead(person, "Check or fold").click()
    number = flop.view()["number"]
    bob(flop).act("bet", 4)
    flop.until(lambda view: view["number"] > number)
    assert [event["seat"] for event in flop.events() if event["event"] == "Folded"][-1] == 0


def test_a_check_is_not_a_call(person: Person, flop: Story) -> None:
    """The bet changes what the decision would mean, so the page asks."""
    ahead(person, "Check").click()
    bob(flop).act("bet", 4)
    person.awaits_turn()
    expect(person.button("call")).to_have_text("Call 4")
    expect(person.page.locator("#ahead")).to_be_empty()


@pytest.fixture
def raised(person: Person, open_table: OpenTable) -> Story:
    """Three at the table, Ann in the big blind; the first has raised to 4, and the small blind has the turn."""
    story = open_table("omaha8", **{"omaha.structure": "pot_limit"})
    person.sit(story, 0, "Ann", 200)
    for seat, name in ((1, "Bob"), (2, "Carl")):
        story.sit(seat, name, 200)
    while len((hand := story.dealt()["hand"])["order"]) < 3 or hand["big"] != 0 or hand["board"]:
        passes(person, story, give_up=True)
    story.on_turn().act("raise", 4)
    return story


def test_a_call_is_sent_for_the_amount_it_named(person: Person, raised: Story) -> None:
    ahead(person, "Call 2").click()
    raised.on_turn().act("call")
    raised.until(lambda view: bool(view["hand"]["board"]))
    assert [event["amount"] for event in raised.events() if event["event"] == "Called" and event["seat"] == 0][-1] == 2


def test_a_call_is_of_no_other_amount(person: Person, raised: Story) -> None:
    ahead(person, "Call 2").click()
    raised.on_turn().act("raise", 8)
    person.awaits_turn()
    expect(person.button("call")).to_have_text("Call 6")


def test_a_choice_can_be_taken_back(person: Person, flop: Story) -> None:
    ahead(person, "Check").click()
    ahead(person, "Check").click()
    expect(ahead(person, "Check")).to_have_attribute("aria-pressed", "false")
    bob(flop).act("check")
    person.awaits_turn()


def test_two_hands_are_never_decided_ahead(person: Person, open_table: OpenTable) -> None:
    """In Hasaga a click would not say which hand it means."""
    story = open_table("hasaga", **{"hasaga.exb_window_seconds": 0})
    person.sit(story, 0, "Ann", 3000)
    story.sit(2, "Bob", 3000)
    story.until(lambda view: bool(view["hand"] and view["hand"]["street"] == "preflop"))
    while (view := story.dealt())["hand"]["actor"] in (0, 1):
        person.plays_on()
        goes_on(story, view)
    expect(person.page.locator("#status")).to_contain_text("Bob")
    expect(person.page.locator("#ahead")).to_be_empty()


def test_the_title_tells_whose_turn_it_is(person: Person, flop: Story) -> None:
    plain = person.page.title()
    bob(flop).act("check")
    expect(person.page).to_have_title(f"● Your turn · {plain}")
    person.plays_on()
    expect(person.page).to_have_title(plain)


def test_a_sound_is_off_until_it_is_wanted_and_rings_once_a_turn(person: Person, flop: Story) -> None:
    page = person.page
    page.add_init_script(COUNTED)
    page.reload()
    expect(page.get_by_label("Sound on my turn")).not_to_be_checked()
    page.get_by_label("Sound on my turn").check()
    assert page.evaluate("window.rung") == 1  # to hear how it sounds
    page.reload()
    expect(page.get_by_label("Sound on my turn")).to_be_checked()
    bob(flop).act("bet", 4)
    person.awaits_turn()
    assert page.evaluate("window.rung") == 1
