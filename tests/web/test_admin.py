"""The host's page: everything at one place, and nothing that the API would not let his token do."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Locator, Page, expect

import workers.owner
from engine.state import Table
from tests.api.conftest import Service
from tests.api.story import API, Story, bearer
from tests.web.people import PHONE, Person, faults


def enter(page: Page, token: str) -> None:
    page.goto("/admin")
    page.get_by_label("Token").fill(token)
    page.get_by_label("Token").press("Enter")


@pytest.fixture
def host(person: Person, web: Service) -> Page:
    """The host's window, once he is in."""
    enter(person.page, web.host_token)
    expect(person.page.get_by_role("heading", name="The machine")).to_be_visible()
    return person.page


def row(page: Page, story: Story) -> Locator:
    return page.locator("#tables tr", has=page.locator(f"a[href='/tables/{story.table}']"))


def test_the_host_pauses_a_table_runs_it_again_and_closes_it(host: Page, razz: Story) -> None:
    """Closing is asked for once more, and what he says why is in the log."""
    mine = row(host, razz)
    expect(mine).to_contain_text("Razz by the river")
    mine.get_by_role("button", name="Pause: Razz by the river").click()
    expect(mine).to_contain_text("paused")
    assert razz.view()["status"] == "paused"
    mine.get_by_role("button", name="Run").click()
    expect(mine).to_contain_text("running")
    mine.get_by_role("button", name="Close").click()
    ask = host.get_by_role("dialog", name="Close Razz by the river?")
    ask.get_by_role("button", name="Cancel").click()
    expect(mine).to_contain_text("running")
    mine.get_by_role("button", name="Close").click()
    ask.get_by_label("Why").fill("the evening is over")
    ask.get_by_role("button", name="Close").click()
    expect(mine).to_have_count(0)
    assert [event["why"] for event in razz.events() if event["event"] == "Closed"] == ["the evening is over"]
    host.get_by_label("State").select_option("closed")
    expect(mine.get_by_role("button")).to_have_count(1)  # its money can still be looked at


def test_a_button_keeps_the_focus_while_the_numbers_beside_it_change(host: Page, razz: Story) -> None:
    mine = row(host, razz)
    mine.get_by_role("button", name="Money").focus()
    razz.sit(0, "Ann")
    expect(mine).to_contain_text("1 of 6")
    expect(mine.get_by_role("button", name="Money")).to_be_focused()


def test_the_money_of_a_table_balances(host: Page, razz: Story) -> None:
    razz.sit(0, "Ann", 500)
    row(host, razz).get_by_role("button", name="Money").click()
    money = host.get_by_role("dialog", name="Money at Razz by the river")
    expect(money.get_by_role("row", name="Ann")).to_contain_text("500")
    expect(money).to_contain_text("It balances. Rake: 0.")
    money.get_by_role("button", name="Done").click()
    expect(money).to_be_hidden()


def test_a_table_is_opened_with_the_options_that_were_changed(host: Page, person: Person, http: FlaskClient) -> None:
    """What is left as it is the game decides; a value that cannot be taken is named, and nothing is opened."""
    host.get_by_text("Open a table").first.click()
    form = host.locator("#new-table")
    form.get_by_label("Game").select_option("omaha8")
    form.get_by_label("name", exact=True).fill("Backroom")
    form.get_by_label("omaha.structure").select_option("pot_limit")
    form.get_by_label("omaha.big_blind").fill("10")
    form.get_by_label("omaha.small_blind").fill("30")
    form.get_by_role("button", name="Open a table").click()
    expect(host.get_by_role("alert")).to_have_text("omaha.small_blind: this value cannot be taken.")
    expect(host.locator("#tables")).not_to_contain_text("Backroom")
    assert ["409" in complaint for complaint in person.complaints] == [True]  # what a browser says of any refusal
    person.complaints.clear()
    form.get_by_label("omaha.small_blind").fill("4")
    form.get_by_role("button", name="Open a table").click()
    expect(form.get_by_role("status")).to_have_text("Backroom is open.")
    expect(host.locator("#tables")).to_contain_text("Backroom")
    path = form.get_by_role("link").get_attribute("href")
    view = http.get(f"{API}{path}/events").get_json()["items"][0]["options"]
    assert (view["omaha.structure"], view["omaha.big_blind"], view["omaha.small_blind"]) == ("pot_limit", 10, 4)


def test_a_table_that_a_fault_has_stopped_is_started_again(
    host: Page, razz: Story, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its kind and place are told; retrying folds the table from its log."""
    act = workers.owner.act

    def faulty(table: Table, *more: Any) -> Any:
        if table.id == razz.table:
            raise ZeroDivisionError
        return act(table, *more)

    monkeypatch.setattr(workers.owner, "act", faulty)
    razz.client.put(f"{razz.path}/seats/0", json={"player": "Ann", "chips": 500})
    monkeypatch.undo()
    stopped = host.locator("#frozen tr", has=host.get_by_text(razz.table))
    expect(stopped).to_contain_text("ZeroDivisionError")
    expect(row(host, razz)).to_contain_text("frozen")
    stopped.get_by_role("button", name="Start again").click()
    expect(stopped).to_have_count(0)
    expect(row(host, razz)).to_contain_text("running")


def test_an_auditors_token_is_told_once_and_noted(host: Page, http: FlaskClient) -> None:
    host.get_by_text("Give somebody access").click()
    form = host.locator("#access")
    form.get_by_label("Name").fill("Dana")
    form.get_by_label("Why").fill("the yearly check")
    form.get_by_role("button", name="Make a token").click()
    expect(form.get_by_role("status")).to_contain_text("For Dana, told this once:")
    token = form.locator("code").inner_text()
    assert http.get(f"{API}/me", headers=bearer(token)).get_json()["kind"] == "auditor"
    host.get_by_text("Who looked at what is hidden").click()
    expect(host.locator("#log tr").first).to_contain_text("token auditor")
    expect(host.locator("#log tr").first).to_contain_text("for Dana: the yearly check")
    host.reload()
    expect(host.get_by_role("heading", name="The machine")).to_be_visible()
    expect(host.locator("#given")).to_be_empty()


def test_an_operator_may_look(person: Person, http: FlaskClient, web: Service, razz: Story) -> None:
    body = {"role": "operator", "name": "Omar", "reason": "night shift"}
    token = http.post(f"{API}/tokens", json=body, headers=bearer(web.host_token)).get_json()["token"]
    enter(person.page, token)
    expect(person.page.locator("#machine")).to_contain_text("Partitions without a worker: 0 of 4")
    expect(row(person.page, razz).get_by_role("button")).to_have_text(["Money"])
    for hidden in ("Open a table", "Give somebody access", "Who looked at what is hidden"):
        expect(person.page.get_by_text(hidden).first).to_be_hidden()


def test_the_token_stays_in_the_tab_until_it_is_forgotten(host: Page, web: Service, contexts: Any) -> None:
    """In no address and in no cookie; another window asks anew."""
    host.reload()
    expect(host.get_by_role("heading", name="The machine")).to_be_visible()
    assert web.host_token not in host.url + str(host.context.cookies())
    host.get_by_role("button", name="Sign out").click()
    expect(host.get_by_label("Token")).to_be_visible()
    expect(host.locator("#house")).to_be_hidden()
    host.reload()
    expect(host.get_by_label("Token")).to_have_value("")


def test_any_other_token_opens_nothing(contexts: Any, web: Service, razz: Story) -> None:
    page = contexts().new_page()
    for token in ("cr_nobody", razz.sit(0, "Ann").token):
        enter(page, token)
        expect(page.get_by_role("alert")).to_contain_text("That is no host's or operator's token")
        expect(page.locator("#house")).to_be_hidden()
        assert page.evaluate("sessionStorage.length") == 0


@pytest.mark.parametrize(("language", "title"), [("en", "The machine"), ("fr", "La machine"), ("es", "La máquina")])
def test_in_every_language_on_a_phone_for_everybody(contexts: Any, web: Service, language: str, title: str) -> None:
    """Nothing to scroll sideways, targets of 44 px, no fault that axe finds."""
    person = Person(contexts(viewport=PHONE, bypass_csp=True).new_page())
    page = person.page
    page.goto(f"/admin?lang={language}")
    page.locator("#token").fill(web.host_token)
    page.locator("#entrance button").click()
    expect(page.get_by_role("heading", name=title)).to_be_visible()
    for summary in page.locator("summary").all():
        summary.click()
    expect(page.locator("#new-table label").nth(5)).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    for target in page.locator("button:visible, summary:visible, select:visible, input:visible").all():
        box = target.bounding_box()
        assert box is not None and box["height"] >= 44, target.inner_text()
    assert not re.search(r"\badmin\.[a-z_]", page.locator("main").inner_text())
    assert faults(page) == []
    assert person.complaints == []
