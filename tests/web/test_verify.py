"""The page that checks a bundle by itself, in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from services.bundle import MAGIC, read
from services.wire import pack
from tests.api.story import Story
from tests.proofs.tampering import changed, changes, hand_row, pairs, rebuilt
from tests.web.people import PHONE, Person, faults

BUNDLE = Path(__file__).parents[1] / "vectors" / "omaha8.bundle"
WHOLE = BUNDLE.read_bytes()
CHECKS = ("Order of the hands", "Chain of events", "Public cards", "Place in the log", "Signature")


def choose(page: Page, data: bytes) -> None:
    """Once the page's program has come: until then the field is disabled."""
    expect(page.locator("#file")).to_be_enabled()
    page.locator("#file").set_input_files({"name": "it.bundle", "mimeType": "x/y", "buffer": data})


def results(page: Page) -> dict[str, str]:
    """What stands behind each check."""
    rows = page.locator("#checks tr")
    expect(rows).to_have_count(len(CHECKS))
    return {row.locator("th").inner_text(): row.locator("td").first.inner_text() for row in rows.all()}


def test_a_bundle_is_checked_without_the_house(person: Person) -> None:
    """Once the page is there, the network is cut; three hands agree."""
    page = person.page
    page.goto("/verify")
    expect(page.get_by_label("Bundle")).to_be_enabled()
    page.wait_for_load_state("networkidle")
    page.context.set_offline(True)
    choose(page, WHOLE)
    expect(page.get_by_role("status")).to_have_text("Everything agrees. Table 000-sim000000-0, hands: 3.")
    assert results(page) == dict.fromkeys(CHECKS, "agrees")
    expect(page.locator("#checks")).to_contain_text("hands: 3")


def test_a_changed_byte_is_named(person: Person) -> None:
    """In an event, in an opening whose hashes were computed anew, in the signed note."""
    page = person.page
    page.goto("/verify")
    for near, check, where in (
        (b"TableOpened", "Chain of events", "hand 1, event 1"),
        (b"croupier.example/hands\n", "Place in the log", "hand 3"),
    ):
        at = WHOLE.rindex(near) + len(near) + 3
        choose(page, WHOLE[:at] + bytes([WHOLE[at] ^ 1]) + WHOLE[at + 1 :])
        expect(page.locator("#checks")).to_contain_text(where)
        expect(page.get_by_role("status")).to_contain_text("Something differs.")
        assert results(page)[check] == "differs"


def test_a_card_that_was_not_committed_to_is_named(person: Person) -> None:
    """The forger has computed every hash anew: the opening and the log give him away."""
    bundle = read(WHOLE)
    hand = bundle.hands[0]
    at = next(at for at, event in enumerate(hand.segment.events()) if type(event).__name__ == "BoardDealt")
    entry = hand.segment.entries[at]
    other = next(other for field, other in changes(entry.event) if field == "BoardDealt.cards")
    forged = rebuilt(hand.segment, changed(pairs(hand.segment), at, other))
    page = person.page
    page.goto("/verify")
    choose(page, MAGIC + pack([bundle.table, bundle.key]) + hand_row(hand, forged))
    expect(page.locator("#checks")).to_contain_text(f"hand 1, event {entry.version}")
    wrong = {"Public cards": "differs", "Place in the log": "differs"}
    assert results(page) == {**dict.fromkeys(CHECKS, "agrees"), **wrong}


def test_another_key_and_a_file_that_is_none(person: Person) -> None:
    page = person.page
    page.goto("/verify")
    page.get_by_label("Public key").fill("other.example/log+00000000+AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")
    choose(page, WHOLE)
    expect(page.get_by_role("status")).to_contain_text("Something differs.")
    assert results(page) == {**dict.fromkeys(CHECKS, "agrees"), "Signature": "differs"}
    for data in (b"", b"croupier", WHOLE[:-1], b"croupier-bundle/1\n" + b"\x91" * 1000):
        choose(page, data)
        expect(page.get_by_role("status")).to_have_text("This file is no bundle.")


def test_the_replay_leads_to_bundle_and_page(person: Person, razz: Story) -> None:
    """What is downloaded there is checked here; a hand that ended just now has no checkpoint yet."""
    razz.sit(0, "Ann")
    razz.sit(1, "Bob")
    razz.on_turn().act("bring_in")
    razz.on_turn().act("fold")
    razz.until(lambda view: view["number"] > 1)
    page = person.page
    page.goto(f"/tables/{razz.table}/hands/1")
    with page.expect_download() as download:
        page.get_by_role("link", name="Bundle to verify").click()
    page.get_by_role("link", name="Verify a hand").click()
    choose(page, Path(download.value.path()).read_bytes())
    expect(page.get_by_role("status")).to_have_text(f"What could be checked agrees. Table {razz.table}, hands: 1.")
    unchecked = {"Place in the log": "not checked", "Signature": "not checked"}
    assert results(page) == {**dict.fromkeys(CHECKS, "agrees"), **unchecked}


@pytest.mark.parametrize("language", ["fr", "es"])
def test_in_other_languages_and_on_a_phone(contexts: Any, language: str) -> None:
    person = Person(contexts(viewport=PHONE, bypass_csp=True).new_page())
    page = person.page
    page.goto(f"/verify?lang={language}")
    choose(page, WHOLE)
    expect(page.get_by_role("status")).to_contain_text({"fr": "Tout concorde", "es": "Todo coincide"}[language])
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert faults(page) == []
    assert person.complaints == []
