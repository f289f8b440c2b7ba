"""The lobby and the lists work as plain pages; languages follow the reader."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from tests.api.story import Story
from tests.web.people import OpenTable, Person


def test_the_lobby_without_javascript(contexts: Any, razz: Story, omaha: Story) -> None:
    razz.sit(0, "Ann")
    page = contexts(java_script_enabled=False).new_page()
    page.goto("/?game=razz&free=true")
    row = page.locator("tr", has=page.locator(f"a[href='/tables/{razz.table}']"))
    expect(row).to_contain_text("Razz by the river")
    expect(row).to_contain_text("ante 1, bring-in 5, bets 10/20")
    expect(row).to_contain_text("1 of 6")
    expect(row.get_by_role("cell").last).to_have_text("–")  # no hand is archived yet
    expect(page.locator(f"a[href='/tables/{omaha.table}']")).to_have_count(0)


def test_filters_are_a_form_and_a_link(person: Person, razz: Story, omaha: Story) -> None:
    """An empty choice is no filter, so the form's own address can be shared."""
    page = person.page
    page.goto("/")
    page.get_by_label("Game").select_option("omaha8")
    page.get_by_role("button", name="Filter").click()
    expect(page).to_have_url("/?game=omaha8&structure=")
    expect(page.locator(f"a[href='/tables/{omaha.table}']")).to_be_visible()
    expect(page.locator(f"a[href='/tables/{razz.table}']")).to_have_count(0)
    expect(page.get_by_label("Game")).to_have_value("omaha8")


def test_the_lobby_refreshes_itself(person: Person, open_table: OpenTable) -> None:
    person.page.goto("/?game=razz")
    story = open_table("razz", name="Opened just now")
    expect(person.page.locator(f"a[href='/tables/{story.table}']")).to_be_visible()


def test_an_unknown_filter_or_table_is_a_problem_and_no_fault(http: Any) -> None:
    assert http.get("/?game=no%20such").status_code == 422
    assert http.get("/tables/000-nothere").status_code == 404
    assert http.get("/tables/000-nothere/hands").status_code == 404
    assert http.get("/web/locales/xx.json").status_code == 404


def test_languages_by_browser_by_link_and_by_memory(contexts: Any, razz: Story) -> None:
    """`?lang=` wins and is remembered; without it the cookie, then Accept-Language."""
    page = contexts(locale="es-ES").new_page()
    page.goto(f"/tables/{razz.table}")
    expect(page.locator("#status")).to_have_text("Estás mirando. Ocupa un asiento libre para jugar.")
    page.get_by_role("link", name="fr", exact=True).click()
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    expect(page.locator("#status")).to_contain_text("Vous regardez")
    page.goto("/")
    expect(page.locator("h1")).to_have_text("Tables")
    expect(page.get_by_role("button", name="Filtrer")).to_be_visible()


def test_pages_need_no_inline_script_or_style(http: Any, razz: Story) -> None:
    """The content policy allows none, so none is served."""
    for path in ("/", f"/tables/{razz.table}", f"/tables/{razz.table}/hands"):
        response = http.get(path)
        assert "script-src 'self'; style-src 'self'" in response.headers["Content-Security-Policy"]
        assert "<style" not in response.text
        assert " style=" not in response.text
        assert " onclick=" not in response.text
        assert response.text.count("<script") == response.text.count('<script type="module" src="/web/')
