"""The last hands of a player's session: his own, with all that was live at the showdown (COM-64, OM8-82..84)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.conftest import Service
from tests.api.story import API, Player, Story, bearer
from tests.rules.stories import rule

PASSIVE = ("check", "call", "bring_in", "muck")


def own_hands(player: Player) -> list[dict[str, Any]]:
    response = player.story.client.get(f"{player.story.path}/seats/{player.seat}/hands", headers=bearer(player.token))
    assert response.status_code == 200, response.text
    return list(response.get_json()["items"])


def called_down(story: Story) -> None:
    """A hand to the showdown, where whoever is beaten mucks."""
    number = story.dealt()["number"]
    while (view := story.view())["number"] == number and view["hand"]["actor"] is not None:
        legal = view["hand"]["legal"]
        verb = next(verb for verb in PASSIVE if verb in legal)
        story.on_turn().act(verb, legal[verb][0] or None)
    story.until(lambda view: view["number"] > number)


def cards(record: dict[str, Any], seat: int) -> list[str]:
    found: list[str] = next(one["cards"] for one in record["seats"] if one["seat"] == seat)
    return found


@rule("COM-64")
def test_both_players_keep_both_hands_of_a_showdown_mucked_or_not(story: Story, ann: Player, bob: Player) -> None:
    called_down(story)
    for player in (ann, bob):
        (record,) = own_hands(player)
        assert (record["number"], record["own"]) == (1, player.seat)
        assert [len(cards(record, seat)) for seat in (0, 1)] == [7, 7]
    assert own_hands(ann)[0]["seats"] == own_hands(bob)[0]["seats"]


@rule("COM-64")
def test_a_folded_hand_and_an_uncontested_one_stay_their_owners(story: Story, ann: Player, bob: Player) -> None:
    story.dealt()
    story.on_turn().act("bring_in", 5)
    story.on_turn().act("fold")
    story.until(lambda view: view["number"] == 2)
    for mine, other in ((ann, bob), (bob, ann)):
        (record,) = own_hands(mine)
        assert (len(cards(record, mine.seat)), cards(record, other.seat)) == (3, [])
        assert sum(one["end"] - one["start"] for one in record["seats"]) == 0


@rule("COM-64")
def test_only_hands_that_he_was_dealt_into_newest_first(story: Story, ann: Player, bob: Player) -> None:
    called_down(story)
    cyd = story.sit(2, "Cyd")
    called_down(story)
    called_down(story)
    assert [record["number"] for record in own_hands(ann)] == [3, 2, 1]
    assert 1 not in [record["number"] for record in own_hands(cyd)]


def test_nobody_else_may_have_them(story: Story, ann: Player, bob: Player, service: Service) -> None:
    path = f"{story.path}/seats/{ann.seat}/hands"
    assert story.client.get(path).status_code == 401
    for token in (bob.token, service.host_token):
        assert story.client.get(path, headers=bearer(token)).status_code == 403


@pytest.mark.parametrize(("language", "title"), [("en", "Your hands"), ("fr", "Vos coups"), ("es", "Tus manos")])
def test_the_page_shows_them_to_the_player_alone(service: Service, language: str, title: str) -> None:
    """By the cookie that he got when he sat down, without JavaScript."""
    browser, stranger = service.app.test_client(), service.app.test_client()
    story = Story.opened(service.app.test_client(use_cookies=False), service.host_token)
    sat = browser.put(f"{API}/tables/{story.table}/seats/0", json={"player": "Ann", "chips": 1000}).get_json()
    ann = story.players[0] = Player(story, 0, "Ann", sat["token"], sat["actor"], sat["last"])
    story.sit(1, "Bob")
    called_down(story)
    page = browser.get(f"/tables/{story.table}/hands?lang={language}").text
    (record,) = own_hands(ann)
    assert title in page and " ".join(cards(record, 0)) in page and f"Bob: {' '.join(cards(record, 1))}" in page
    assert title not in stranger.get(f"/tables/{story.table}/hands?lang={language}").text
