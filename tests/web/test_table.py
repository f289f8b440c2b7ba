"""Playing from the page: sit down, act, see what happened, come back, do it twice."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Route, expect

from tests.api.conftest import Service
from tests.api.story import Story
from tests.web.people import PHONE, OpenTable, Person, answers, clear_of_the_bar, fits, play_out

DECISIONS = ("BroughtIn", "Called", "Checked")


def my_turn(person: Person, seat: int, story: Story) -> None:
    """Others by HTTP until it is the person's turn."""
    while story.dealt()["hand"]["actor"] != seat:
        answers(story.on_turn())
    person.awaits_turn()


def test_a_razz_hand_from_the_page_to_the_showdown(person: Person, open_table: OpenTable) -> None:
    """RAZ-08, RAZ-27: two down, one up; cards 1, 2 and 7 of the others stay backs until the showdown (P105)."""
    razz = open_table("razz", hand_gap_seconds=3)
    person.sit(razz, 0, "Ann")
    razz.sit(1, "Bob")
    razz.dealt()
    bob = person.seat(1).locator(".card")
    expect(bob).to_have_count(3)
    assert [card.get_attribute("aria-label") for card in bob.all()][:2] == ["face-down card"] * 2
    expect(person.page.locator("#own .card.up")).to_have_count(1)

    play_out(person, 0, razz)

    expect(person.page.locator("#result p").first).to_contain_text(re.compile(r"(Ann|Bob) wins \d+"))
    expect(person.page.locator("#result p").first).to_contain_text(" with ")
    expect(person.page.locator("#own .card")).to_have_count(7)
    expect(person.page.locator("#log")).to_contain_text("Seventh street")
    expect(person.seat(0).or_(person.seat(1)).get_by_text("bring-in").first).to_be_visible()


def test_an_omaha_hand_with_a_raise_by_keyboard(person: Person, open_table: OpenTable) -> None:
    """R goes to the amount, Enter sends it; the button carries it; presets come from the server (OM8-35)."""
    omaha = open_table("omaha8", **{"omaha.structure": "pot_limit", "hand_gap_seconds": 3})
    person.sit(omaha, 0, "Ann", 200)
    omaha.sit(1, "Bob", 200)
    my_turn(person, 0, omaha)
    person.page.keyboard.press("r")
    person.page.keyboard.type("5")
    expect(person.button("raise")).to_have_text("Raise to 5")
    person.page.keyboard.press("Enter")
    omaha.until(lambda view: view["hand"]["price"] == 5)
    expect(person.seat(0)).to_contain_text("makes it 5")
    omaha.on_turn().act("call")

    my_turn(person, 0, omaha)
    expect(person.page.locator(".board .card")).to_have_count(3)
    expect(person.page.locator(".preset").first).to_be_visible()
    person.page.keyboard.press("1")
    least = person.page.locator("#bar input.amount").get_attribute("min")
    expect(person.button("bet")).to_have_text(f"Bet {least}")
    play_out(person, 0, omaha)
    expect(person.page.locator("#own .own-hand")).to_contain_text([re.compile("High: "), re.compile("Low: ")])
    expect(person.page.locator("#result p").first).to_contain_text("wins")


def test_on_a_phone_no_limit_leaves_the_own_plate_in_sight(person: Person, open_table: OpenTable) -> None:
    holdem = open_table("holdem")
    person.sit(holdem, 0, "Ann", 200)
    holdem.sit(1, "Bob", 200)
    while not (hand := holdem.dealt()["hand"])["board"]:
        if hand["actor"] == 0:
            person.plays_on()
        else:
            answers(holdem.on_turn())
        holdem.until(lambda view, was=hand["actor"]: view["hand"]["board"] or view["hand"]["actor"] != was)
    my_turn(person, 0, holdem)
    fits(person.page, PHONE)
    expect(person.page.locator("#own .own-hand")).to_contain_text("High: ")
    assert clear_of_the_bar(person.seat(0).locator(".plate"))
    person.page.locator(".preset").last.click()
    expect(person.page.locator("#bar .amount")).to_have_value("198")


def test_an_amount_that_is_not_legal_is_never_sent(person: Person, omaha: Story) -> None:
    person.sit(omaha, 0, "Ann", 200)
    omaha.sit(1, "Bob", 200)
    my_turn(person, 0, omaha)
    turn = omaha.view()["turn"]
    amount = person.page.locator("#bar input.amount")
    amount.fill("100000")
    expect(amount).to_have_attribute("aria-invalid", "true")
    expect(person.button("raise")).to_be_disabled()
    amount.press("Enter")
    person.page.wait_for_timeout(200)
    assert omaha.view()["turn"] == turn


def test_a_reload_in_the_middle_of_a_hand_finds_seat_and_cards(person: Person, razz: Story) -> None:
    """P156: the session keeps its seat; nobody sits down twice."""
    person.sit(razz, 0, "Ann")
    razz.sit(1, "Bob")
    my_turn(person, 0, razz)
    before = person.own_cards()
    person.page.reload()
    person.awaits_turn()
    assert person.own_cards() == before
    expect(person.page.locator("#log")).to_contain_text("Ann sits down with 400")
    assert [place["player"] for place in razz.view()["seats"] if place] == ["Ann", "Bob"]
    person.plays_on()


def test_p156_two_windows_of_one_player_show_and_do_the_same(person: Person, contexts: Any, razz: Story) -> None:
    person.sit(razz, 0, "Ann")
    razz.sit(1, "Bob")
    my_turn(person, 0, razz)
    twin = Person(person.page.context.new_page())
    twin.visit(razz)
    twin.awaits_turn()
    assert twin.own_cards() == person.own_cards()
    turn = razz.view()["turn"]
    twin.plays_on()
    razz.until(lambda view: view["turn"] > turn)
    my_turn(person, 0, razz)
    person.plays_on()
    razz.until(lambda view: view["turn"] > turn + 1)
    acts = [event["event"] for event in razz.events() if event["event"] in DECISIONS and event["seat"] == 0]
    assert len(acts) == 2, acts
    assert twin.complaints == []


def test_others_see_backs_where_the_player_sees_his_cards(person: Person, contexts: Any, razz: Story) -> None:
    """P120, P121: a spectator of the same table gets neither cards nor buttons."""
    person.sit(razz, 0, "Ann")
    razz.sit(1, "Bob")
    razz.dealt()
    expect(person.page.locator("#own .card")).to_have_count(3)
    watcher = Person(contexts().new_page())
    watcher.visit(razz)
    expect(watcher.seat(0).locator(".card.back")).to_have_count(2)
    expect(watcher.page.locator("#own")).to_be_hidden()
    expect(watcher.page.locator("#bar .act")).to_have_count(0)


def test_p112_a_name_is_text_and_never_markup(person: Person, razz: Story) -> None:
    name = "<script>alert(1)</script>"
    alarms: list[str] = []
    person.page.on("dialog", lambda dialog: (alarms.append(dialog.message), dialog.dismiss()))
    person.sit(razz, 0, name)
    razz.sit(1, "Bob")
    razz.dealt()
    expect(person.seat(0).locator(".name")).to_have_text(name)
    play_out(person, 0, razz)
    expect(person.page.locator("#log")).to_contain_text(name)
    person.page.goto(f"/tables/{razz.table}/hands")
    expect(person.page.locator("tbody").last).to_contain_text(name)
    assert alarms == []


def test_a_lost_answer_is_asked_for_again_under_the_same_key(person: Person, razz: Story) -> None:
    """The first request is carried out and its answer lost: the repetition takes no second effect."""
    person.sit(razz, 0, "Ann")
    razz.sit(1, "Bob")
    my_turn(person, 0, razz)
    keys: list[str] = []

    def lose_the_first(route: Route) -> None:
        keys.append(route.request.headers["idempotency-key"])
        if len(keys) == 1:
            route.fetch()
            route.abort()
        else:
            route.continue_()

    person.page.route("**/commands", lose_the_first)
    person.plays_on()
    assert len(keys) == 2 and keys[0] == keys[1]
    expect(person.page.locator("#trouble")).to_be_empty()
    assert sum(event["seat"] == 0 for event in razz.events() if event["event"] in DECISIONS) == 1
    person.complaints.clear()  # the browser itself notes the aborted request


def test_p071_buttons_are_locked_until_the_answer(person: Person, razz: Story) -> None:
    person.sit(razz, 0, "Ann")
    razz.sit(1, "Bob")
    my_turn(person, 0, razz)
    waiting: list[Route] = []
    person.page.route("**/commands", lambda route: waiting.append(route))
    button = person.page.locator("#bar .act.bring_in, #bar .act.call")
    button.click()
    expect(person.page.locator("#bar")).to_have_class("bar locked")
    person.page.keyboard.press("c")
    button.dispatch_event("click")
    assert len(waiting) == 1
    waiting[0].continue_()
    expect(person.page.locator("#bar")).to_have_class("bar")


def test_p064_a_click_for_an_old_decision_is_told_so(person: Person, razz: Story) -> None:
    """The turn number goes with every decision; the refusal is told in words (stale_turn)."""
    person.sit(razz, 0, "Ann")
    razz.sit(1, "Bob")
    my_turn(person, 0, razz)

    def answer_an_old_turn(route: Route) -> None:
        body = route.request.post_data_json
        route.continue_(post_data={**body, "turn": 999_999})

    person.page.route("**/commands", answer_an_old_turn)
    person.page.locator("#bar .act.bring_in, #bar .act.call").click()
    expect(person.page.locator("#trouble")).to_have_text("Too late: that decision is over.")
    expect(person.page.locator("#bar")).to_have_class("bar")
    person.complaints.clear()  # the browser notes the status 412


def test_p153_a_broken_stream_is_taken_up_where_it_ended(person: Person, web: Service, razz: Story) -> None:
    person.sit(razz, 0, "Ann")
    razz.sit(1, "Bob")
    my_turn(person, 0, razz)
    person.plays_on()
    for stream in list(web.house.hub._channels[razz.table].streams):
        stream.slow = True
    my_turn(person, 0, razz)
    lines = person.page.locator("#log li").all_inner_texts()
    assert sum(line == "Hand #1" for line in lines) == 1


def test_sitting_out_coming_back_and_leaving(person: Person, razz: Story) -> None:
    person.sit(razz, 0, "Ann")
    person.page.get_by_role("button", name="Sit out").click()
    expect(person.seat(0)).to_contain_text("sitting out")
    person.page.get_by_role("button", name="I am back").click()
    expect(person.seat(0)).not_to_contain_text("sitting out")
    person.page.get_by_role("button", name="Add chips").click()
    person.page.get_by_label("Buy-in").fill("100")
    person.page.get_by_role("button", name="Add", exact=True).click()
    expect(person.seat(0)).to_contain_text("500")
    person.page.get_by_role("button", name="Leave").click()
    expect(person.seat(0).get_by_role("button")).to_have_text("Take seat 1")


def test_who_leaves_in_a_hand_watches_it_to_its_end(person: Person, razz: Story) -> None:
    """COM-11: his seat is his until then, but he has given its token back and asks for nothing more."""
    person.sit(razz, 0, "Ann")
    razz.order("paused")
    razz.sit(1, "Bob")
    razz.sit(2, "Cyd")
    razz.order("running")
    expect(person.page.locator("#own .card")).to_have_count(3)
    person.page.get_by_role("button", name="Leave").click()
    razz.until(lambda view: view["seats"][0]["leaving"])
    expect(person.page.locator("#seat-actions button")).to_have_count(0)
    razz.until(lambda view: view["hand"]["actor"] != 0)
    answers(razz.on_turn())
    expect(person.page.locator("#log")).to_contain_text(re.compile("(Bob|Cyd) (brings|calls)"))


def test_a_paused_table_counts_nothing_down(person: Person, razz: Story) -> None:
    """COM-73: the time of the pause is given back when it is over; until then the page names none."""
    person.sit(razz, 0, "Ann")
    razz.sit(1, "Bob")
    seat = razz.dealt()["hand"]["actor"]
    clock = person.seat(seat).locator(".clock")
    expect(clock).to_have_text(re.compile("[0-9]+"))
    razz.order("paused")
    expect(clock).to_have_text("")
    razz.order("running")
    expect(clock).to_have_text(re.compile("[0-9]+"))


def test_posting_is_offered_exactly_while_it_is_allowed(person: Person, open_table: OpenTable) -> None:
    """COM-69: a newcomer owes a big blind; before the big blind and on the button he may not post: no button then."""
    omaha = open_table("omaha8", action_seconds=600)
    for seat, name in ((1, "Bob"), (3, "Carl"), (5, "Dan")):
        omaha.sit(seat, name, 200)
    omaha.dealt()
    person.sit(omaha, 0, "Ann", 200)
    expect(person.seat(0)).to_contain_text("waiting for the big blind")
    while not (view := omaha.dealt())["seats"][0]["cards"]:
        allowed = view["seats"][0]["may_post"]
        expect(person.page.get_by_role("button", name="Post blinds now")).to_have_count(int(allowed))
        while (now := omaha.dealt())["number"] == view["number"]:
            omaha.players[now["hand"]["actor"]].act("fold" if "fold" in now["hand"]["legal"] else "check")


def test_a_refused_buy_in_is_explained_in_the_dialog(person: Person, razz: Story) -> None:
    razz.sit(1, "Ann")
    person.visit(razz)
    person.seat(0).get_by_role("button").click()
    person.page.get_by_label("Name").fill("Ann")
    person.page.get_by_role("button", name="Sit down").click()
    expect(person.page.locator("#ask .trouble")).not_to_be_empty()
    expect(person.page.locator("#ask")).to_be_visible()
    person.complaints.clear()  # the browser notes the status 409


def test_the_next_game_of_a_dealers_choice_table_from_the_page(person: Person, open_table: OpenTable) -> None:
    keys = {"rotation": "razz stud", "rotation.choose": True, "rotation.choose_seconds": 60, "hand_gap_seconds": 1}
    mixed = open_table("mixed", **keys)
    person.visit(mixed)
    expect(person.page.locator("#seat-actions")).to_be_empty()  # who only watches chooses nothing
    person.sit(mixed, 0, "Ann", 1000)
    bob = mixed.sit(1, "Bob")
    play_out(person, 0, mixed)
    if mixed.until(lambda view: view["rotation"]["chooser"] is not None)["rotation"]["chooser"] == 1:
        bob.send({"verb": "choose_game", "choice": "razz"})
        mixed.until(lambda view: view["number"] == 2)
        play_out(person, 0, mixed)
    person.page.get_by_role("button", name="Deal Seven-card stud").click()
    mixed.until(lambda view: view["hand"]["game"] == "stud")
    expect(person.page.locator("#where")).to_contain_text("Seven-card stud")
