"""Hasaga from the page: two hands, the extra blind, the shop, a card shown, a sale; the tournament around them."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import expect

from tests.api.story import Story
from tests.web.people import DESKTOP, PHONE, OpenTable, Person, answers, clear_of_the_bar, faults, fits

ANN_A, ANN_B = 0, 1  # her chairs


def awaits_answer(person: Person, label: str) -> None:
    expect(person.page.locator("#status")).to_contain_text(f"Your turn with hand {label}")
    expect(person.page.locator("#own .acting")).to_contain_text(label)


def takes_the_extra_blind(person: Person, story: Story) -> None:
    """Both hands are asked at once, each with what it lacks (HAS-C37, HAS-C38); answers are told together."""
    story.until(lambda view: bool(view["hand"]) and {ANN_A, ANN_B} <= set(view["hand"]["awaited"]))
    page = person.page
    expect(page.locator("#bar .asked")).to_have_text(["Hand 1a", "Hand 1b"])
    expect(page.locator("#bar .exb.yes").first).to_have_text(re.compile(r"Extra blind: (20|15|10) more"))
    fits(page, PHONE)
    page.locator("#bar .exb.yes").first.click()
    expect(page.locator("#bar .asked")).to_have_text(["Hand 1b"])
    page.locator("#bar .exb.no").click()
    expect(page.locator("#bar .exb")).to_have_count(0)


def buys_a_card(person: Person) -> None:
    """The shop tells prices, destinations and limits (HAS-11, HAS-C12, HAS-C16); it stays open after a purchase."""
    page, own_plate = person.page, person.page.locator(".turn .plate")
    for size in (PHONE, DESKTOP):
        fits(page, size)
        assert clear_of_the_bar(own_plate)
    page.get_by_text("Shop", exact=True).click()
    shop = page.locator("#bar .shop")
    expect(shop.locator("li")).to_have_count(8)
    expect(shop.locator("li").nth(3)).to_have_text(re.compile("Merge both hands40 into the pot"))
    expect(shop.locator("li").nth(2)).to_contain_text("30 to the bank")
    expect(shop.locator("li").first).to_contain_text("No card has been burned yet.")  # and so not for sale
    for size, seen in ((PHONE, page.locator(".pot").first), (DESKTOP, own_plate)):
        fits(page, size)
        assert clear_of_the_bar(seen)
    assert faults(page) == []
    shop.get_by_role("button", name="Buy: Extra card").click()
    expect(shop).to_contain_text("Extra cards of this hand: 1 of 2")
    expect(page.locator("#own .acting .card")).to_have_count(3)
    expect(page.locator("#level")).to_contain_text("Bank +10")  # 30 bought, 20 for the bank's own extra blind (HAS-38)
    page.get_by_text("Shop", exact=True).click()


def sells_a_card(person: Person) -> None:
    """Marked cards are sold for what the bank pays (HAS-23); a hand with an extra card is not asked (HAS-22)."""
    page = person.page
    confirm = page.locator("#bar .sell")
    expect(confirm).to_have_text("Keep all cards")
    card = page.locator("#bar .card-toggle").first
    price = str(card.inner_text()).rpartition(" ")[2]
    card.click()
    expect(card).to_have_attribute("aria-pressed", "true")
    expect(confirm).to_have_text(f"Sell for {price}")
    fits(page, PHONE)
    confirm.click()
    expect(page.locator("#log")).to_contain_text(re.compile(rf"Ann 1a sells (10|[2-9JQKA])[♣♦♥♠] for {price}"))


def test_a_hand_with_extra_blind_purchase_reveal_and_sale(contexts: Any, open_table: OpenTable) -> None:
    """HAS-12..24, HAS-34..38: all of it by the controls of the page, in wide and narrow windows."""
    person = Person(contexts(bypass_csp=True).new_page())
    story = open_table("hasaga", **{"seats": 4, "hasaga.exb_window_seconds": 60})
    person.sit(story, ANN_A, "Ann", 3000)
    bob = story.sit(2, "Bob", 3000)
    takes_the_extra_blind(person, story)
    for seat in (2, 3):
        answers(bob, seat)
    expect(person.seat(ANN_A)).to_contain_text("extra blind")
    expect(person.page.locator("#own .own-seat")).to_have_count(2)

    done: set[str] = set()
    while (view := story.until(lambda now: now["number"] > 1 or on_turn(now)))["number"] == 1:
        hand, turn = view["hand"], view["turn"]
        if hand["actor"] == ANN_B and "reveal" in hand["legal"]:
            expect(person.page.locator("#bar .reveal").first).to_have_text(re.compile("Show .* to Bob 2[ab]"))
            person.button("reveal").first.click()
            done.add("reveal")
        elif "sell" in hand["legal"] and hand["actor"] == ANN_A:
            sells_a_card(person)
            done.add("sale")
        elif hand["actor"] in (ANN_A, ANN_B):
            awaits_answer(person, "1a" if hand["actor"] == ANN_A else "1b")
            if "purchase" not in done:
                buys_a_card(person)
                done.add("purchase")
            person.plays_on()
        elif hand["street"] == "flop" and "asked" not in done:
            look = {"verb": "purchase", "item": "see_live", "target": ANN_B, "seat": hand["actor"], "turn": turn}
            assert bob.send(look).status_code == 200
            done.add("asked")
        else:
            answers(bob, hand["actor"])
        story.until(lambda now, was=(turn, hand["actor"]): (now["turn"], now["hand"]["actor"]) != was)
    assert done == {"purchase", "asked", "reveal", "sale"}
    log = person.page.locator("#log")
    for line in (
        "Ann 1a takes the extra blind",
        "Ann 1b pays 30 to the bank: Extra card",
        "Ann 1b shows Bob 2",
        "wins",
    ):
        expect(log).to_contain_text(line)
    assert person.complaints == []


def test_a_shop_that_has_nothing_to_sell_says_why(person: Person, open_table: OpenTable) -> None:
    """HAS-C10: who could not call any more buys nothing, and sees what it would have cost."""
    story = open_table("hasaga", **{"seats": 4, "hasaga.exb_window_seconds": 0, "hasaga.stack": 12})
    person.sit(story, ANN_A, "Ann", 24)
    bob = story.sit(2, "Bob", 24)
    asked = story.until(lambda view: on_turn(view) and not view["hand"]["awaited"])["hand"]
    while asked["actor"] not in (ANN_A, ANN_B):
        answers(bob, asked["actor"])
        asked = story.until(lambda view, last=asked["actor"]: view["hand"]["actor"] != last)["hand"]
    assert "purchase" not in asked["legal"]
    shop = person.page.locator("#bar .shop")
    expect(shop.locator("li")).to_have_count(8)
    shop.get_by_text("Shop", exact=True).click()
    expect(shop.locator("li").nth(2)).to_have_text("Extra card30 to the bankNot enough chips.")
    expect(shop.get_by_role("button")).to_have_count(0)


def ranked(view: dict[str, Any]) -> bool:
    return bool(view["tournament"]["ranks"])


def on_turn(view: dict[str, Any]) -> bool:
    return bool(view["hand"]) and view["hand"]["actor"] is not None


def test_a_tournament_to_its_winner(person: Person, open_table: OpenTable) -> None:
    """HAS-C44, HAS-C46: level, clock, standings; who joins late is told so; at the end the winner."""
    all_in_at_once = {"hasaga.stack": 10, "hasaga.levels": "10/10+10 20/20+10"}
    story = open_table("hasaga", **{"seats": 4, **all_in_at_once})
    person.visit(story)
    expect(person.page.get_by_role("button", name=re.compile("Take seat"))).to_have_count(2)  # for four hands
    story.sit(0, "Ann", 20)
    story.sit(2, "Bob", 20)
    expect(person.page.locator("#level")).to_have_text(
        re.compile(r"Level 1: blinds 10/10, ante 10 · next: blinds 20/20, ante 10\s*\d+:\d\d\s*Bank 0")
    )
    while not (view := story.until(lambda now: ranked(now) or on_turn(now)))["tournament"]["ranks"]:
        answers(story.players[view["hand"]["actor"] // 2 * 2], view["hand"]["actor"])
    winner = next(player for player, rank in view["tournament"]["ranks"].items() if rank == 1)
    expect(person.page.locator("#result")).to_contain_text(f"{winner} wins the tournament")
    expect(person.page.locator("#standings li").first).to_have_text(f"{winner}winner")
    expect(person.page.locator("#standings li").last).to_contain_text("out, place 2")
    expect(person.page.locator("#status")).to_have_text(re.compile("This tournament has begun"))
    expect(person.page.locator("#log")).to_contain_text(f"{winner} wins the tournament")
