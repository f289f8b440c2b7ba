"""Nothing secret in any answer, log line, address or metric (P116-P121); what a cookie may do and what not."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import structlog
from flask.testing import FlaskClient

from services.accounts import Accounts, Credential, Holder, ensure_host_token
from services.store import connect
from tests.api.conftest import Service
from tests.api.story import API, Player, Story, bearer

CARD = re.compile(r'"([2-9TJQKA][cdhs])"')


def test_a_seat_that_changed_hands_elsewhere_takes_no_command_of_the_old_session(
    service: Service, story: Story, ann: Player
) -> None:
    """This process remembers whose seat it was; the store, asked with the command, knows better."""
    assert ann.send({"verb": "sit_out"}).status_code == 200
    taken = Holder(story.seen()["version"] + 1, "somebody")
    Accounts(connect(str(service.settings.redis_url))).hold(story.table, 0, taken)
    late = ann.send({"verb": "sit_in"})
    assert (late.status_code, late.get_json()["code"]) == (403, "not_your_seat")
    assert story.view()["seats"][0]["sitting_out"]


def hidden_cards(player: Player) -> set[str]:
    """The cards of a player that nobody else may know: his first two in razz."""
    return set(player.view()["you"]["cards"][:2])


def public_answers(story: Story, after: int = 0) -> str:
    """All that anybody is told of what happened after that version: earlier hands had the same cards, face up."""
    paths = ["", "/seats", f"/events?after={after}", "/chain"]
    answers = [story.client.get(f"{story.path}{path}").text for path in paths]
    answers += [story.client.get(path).text for path in ("/metrics", f"{API}/tables", "/healthz", "/readyz")]
    return "".join(answers)


def test_p116_p117_hidden_cards_are_never_answered_to_others(story: Story, ann: Player, bob: Player) -> None:
    """Neither during a hand nor after everybody folded, nor in the next hand."""
    hidden: set[str] = set()
    shown: set[str] = set()
    after = 0
    for _ in range(2):
        story.dealt()
        own = hidden_cards(ann) | hidden_cards(bob)
        shown = {card for place in story.view()["seats"][:2] for card in place["cards"] if card}
        assert not own & set(CARD.findall(public_answers(story, after)))
        assert not hidden_cards(bob) & set(CARD.findall(json.dumps(ann.view()) + json.dumps(ann.actions())))
        number = story.view()["number"]
        after = story.client.get(story.path).json["version"]
        story.on_turn().act("bring_in", 5)
        story.on_turn().act("fold")
        story.until(lambda view, number=number: view["number"] > number)  # type: ignore[misc]
        hidden |= own
    assert hidden
    assert shown
    events = story.client.get(f"{story.path}/hands/1").text
    assert not hidden & set(CARD.findall(story.client.get(f"{story.path}/hands/1/replay").text)) - shown_in(events)


def shown_in(text: str) -> set[str]:
    return set(CARD.findall(text))


def test_p117_a_new_hand_shows_no_card_of_the_old_one(story: Story, ann: Player, bob: Player) -> None:
    story.dealt()
    old = ann.view()["you"]
    story.on_turn().act("bring_in", 5)
    story.on_turn().act("fold")
    story.until(lambda view: view["number"] == 2 and view["hand"]["actor"] is not None)
    new = ann.view()["you"]
    assert (old["hand"], new["hand"]) == (1, 2)
    assert [place["cards"][:2] for place in story.view()["seats"][:2]] == [[None, None]] * 2


def test_p119_tokens_and_cards_stay_out_of_the_log(
    story: Story, ann: Player, bob: Player, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even when the program fails in the middle of a request."""
    story.dealt()

    secrets = {ann.token, bob.token, service.host_token, *hidden_cards(ann)}

    def broken(*_: object) -> None:
        raise RuntimeError(" ".join(secrets))

    monkeypatch.setattr(service.house.tables, "own", broken)
    with structlog.testing.capture_logs() as lines:
        response = story.client.get(story.path, headers=bearer(bob.token))
    assert (response.status_code, response.get_json()["code"]) == (500, "internal_error")
    assert lines[0]["error"] == "RuntimeError"
    assert not [secret for secret in secrets if secret in json.dumps(lines) + response.text]


def test_tokens_are_stored_as_hashes_and_never_shown(story: Story, ann: Player, service: Service) -> None:
    store = connect(str(service.settings.redis_url))
    stored = b"".join(store.scan_iter()) + b"".join(store.get(key) or b"" for key in store.scan_iter("token:*"))
    assert ann.token.encode() not in stored
    assert ann.token not in public_answers(story)
    assert ann.token not in json.dumps(ann.actions())
    assert ann.token not in repr(Accounts(store).find(ann.token))


def test_only_the_owner_reads_the_host_token(tmp_path: Path, service: Service) -> None:
    store = connect(str(service.settings.redis_url))
    token = ensure_host_token(store, tmp_path)
    assert (tmp_path / "host.token").stat().st_mode & 0o777 == 0o600
    assert ensure_host_token(store, tmp_path) == token
    assert Accounts(store).find(token) == Credential("host", "host")
    store.delete(*store.scan_iter("token:*"))
    assert ensure_host_token(store, tmp_path) == token
    ensure_host_token(store, service.settings.data_dir)


@pytest.mark.parametrize("header", ["Basic YTpi", "Bearer", "Bearer x", "Bearer cr_short", "bearer\tcr_"])
def test_a_token_that_nobody_issued_is_401(client: FlaskClient, story: Story, header: str) -> None:
    response = client.get(story.path, headers={"Authorization": header})
    assert (response.status_code, response.get_json()["code"]) == (401, "unauthenticated")
    assert "Bearer" in response.headers["WWW-Authenticate"]


def browser_at(story: Story, seat: int, name: str) -> FlaskClient:
    """A browser with the cookie it got when it sat down."""
    browser = story.client.application.test_client()
    assert browser.put(f"{story.path}/seats/{seat}", json={"player": name, "chips": 1000}).status_code == 201
    return browser


def test_the_cookie_is_for_this_browser_only(story: Story) -> None:
    browser = story.client.application.test_client()
    response = browser.put(f"{story.path}/seats/0", json={"player": "Ann", "chips": 1000})
    cookie = response.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert browser.get(story.path).get_json()["view"]["you"]["seat"] == 0


@pytest.mark.parametrize(
    ("headers", "allowed"),
    [
        ({"Sec-Fetch-Site": "same-origin"}, True),
        ({"Origin": "http://localhost"}, True),
        ({"Sec-Fetch-Site": "cross-site"}, False),
        ({"Sec-Fetch-Site": "same-site"}, False),
        ({"Origin": "https://evil.example"}, False),
        ({"Origin": "null"}, False),
        ({}, False),
    ],
)
def test_a_cookie_acts_from_our_own_pages_only(story: Story, headers: dict[str, str], allowed: bool) -> None:
    browser = browser_at(story, 0, "Ann")
    response = browser.post(
        f"{story.path}/commands",
        json={"verb": "sit_out"},
        headers={**headers, "Idempotency-Key": "2", "Prefer": "wait=5"},
    )
    assert response.status_code == (200 if allowed else 403)
    assert [event["event"] for event in story.events()].count("SatOut") == allowed


def test_a_form_of_another_site_is_no_command(story: Story) -> None:
    browser = browser_at(story, 0, "Ann")
    response = browser.post(
        f"{story.path}/commands",
        data='{"verb":"sit_out"}',
        headers={"Content-Type": "text/plain", "Origin": "http://localhost", "Idempotency-Key": "2"},
    )
    assert (response.status_code, response.get_json()["code"]) == (415, "unsupported_media_type")


def test_every_answer_carries_the_security_headers(story: Story) -> None:
    for path in (story.path, "/docs", "/problems/backlog", "/nothing", f"{API}/nothing"):
        headers = story.client.get(path).headers
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "no-referrer"
