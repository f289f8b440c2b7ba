"""Abyssinia from the page: cards bought in the market, betting, declarations, the end told in words."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import ViewportSize, expect

from tests.api.story import Player, Story
from tests.web.people import DESKTOP, PHONE, OpenTable, Person, answers, fits

BUYS = (("left", DESKTOP), ("blind", PHONE), ("right", DESKTOP), ("left", PHONE), ("blind", DESKTOP))


def until_decision(person: Person, story: Story, seat: int = 0) -> dict[str, Any] | None:
    """Others by HTTP until it is the person's turn; the view, or None once the hand is over."""
    while True:
        view = story.until(lambda now: bool(now["hand"]) and (now["hand"]["over"] or now["hand"]["actor"] is not None))
        if view["hand"]["over"]:
            return None
        if view["hand"]["actor"] == seat:
            person.awaits_turn()
            return view
        if not bets_in_the_first_round(story.players[view["hand"]["actor"]], view):
            answers(story.players[view["hand"]["actor"]])


def bets_in_the_first_round(player: Player, view: dict[str, Any]) -> bool:
    wanted = view["hand"]["street"] == "bet1" and "bet" in view["hand"]["legal"]
    return wanted and player.send({"verb": "bet", "amount": 1, "turn": view["turn"]}).status_code == 200


def moved_on(story: Story, view: dict[str, Any]) -> None:
    story.until(lambda now: now["turn"] != view["turn"] or now["hand"]["over"])


def buys(person: Person, story: Story, view: dict[str, Any], source: str, size: ViewportSize) -> None:
    """The button says what it costs (ABY-03); the card then lies face up before the buyer (ABY-12)."""
    button = person.page.locator(f"#bar .buy.{source}")
    expect(person.page.locator("#bar .act")).to_have_count(3)  # nobody may pass or fold now (ABY-C02)
    offer = view["hand"]["market"].get(source)
    expect(button).to_contain_text(f"for {offer['price']}" if offer else "for 1–4")
    before = len(person.own_cards())
    fits(person.page, size)
    button.click()
    moved_on(story, view)
    expect(person.page.locator("#own .card.up")).to_have_count(before + 1)


def test_a_whole_hand_with_declarations(person: Person, open_table: OpenTable) -> None:
    """ABY-09, ABY-13, ABY-38, ABY-C11: five purchases and rounds, then a declaration; net results at the end. In a wide
    window and, every other time, as on a phone.
    """
    story = open_table("abyssinia", seats=6, **{"abyssinia.declare": True})
    person.sit(story, 0, "Ann", 100)
    bob = story.sit(2, "Bob", 100)
    story.dealt()
    bob.send({"verb": "sit_out"})  # so that no other hand follows
    purchases = iter(BUYS)
    while view := until_decision(person, story):
        street = view["hand"]["street"]
        if street.startswith("buy"):
            buys(person, story, view, *next(purchases))
        elif street == "declare":
            expect(person.page.locator("#bar .declare")).to_have_text(["High", "Low", "Both"])
            person.button("declare.low").click()
            moved_on(story, view)
        else:
            fits(person.page, PHONE)  # Bob's bet does not lie on the market
            person.plays_on()
            moved_on(story, view)
    expect(person.page.locator("#own .card")).to_have_count(5)
    expect(person.page.locator("#own .own-hand")).to_have_text([re.compile("^High: "), re.compile("^Low: ")])
    expect(person.page.locator("#own .own-account")).to_contain_text(re.compile(r"Paid: ante 1, cards \d+, bets 1"))
    expect(person.seat(0)).to_contain_text("Low")
    expect(person.page.locator("#result")).to_contain_text("wins")
    expect(person.page.locator("#result")).to_contain_text(re.compile(r"(Ann|Bob): net [+−-]?\d+"))
    log = person.page.locator("#log")
    expect(log).to_contain_text(re.compile(r"Declarations – (Bob: High, Ann: Low|Ann: Low, Bob: High)"))
    expect(log).to_contain_text(re.compile(r"Ann buys (10|[2-9JQKA])[♣♦♥♠] for [124]"))
    expect(log).to_contain_text("Market, left:")
