"""Exports over HTTP: for everybody, for the player, the same bytes after archiving, refusals with a code."""

from __future__ import annotations

import json
from typing import Any

import pytest

from services.check import check
from services.formats import recognise
from tests.api.conftest import Service
from tests.api.story import Player, Story, bearer


@pytest.fixture
def finished(story: Story, ann: Player, bob: Player) -> Story:
    """One hand, won without a showdown: nobody's own cards became public."""
    story.dealt()
    story.on_turn().act("bring_in", 5)
    story.on_turn().act("fold")
    story.until(lambda view: view["number"] == 2)
    return story


def fetched(story: Story, suffix: str, token: str = "", view: str = "public") -> Any:
    headers = bearer(token) if token else {}
    return story.client.get(f"{story.path}/hands/1/export.{suffix}?view={view}", headers=headers)


@pytest.mark.parametrize("suffix", ["phh", "txt", "json"])
def test_everybody_can_have_the_hand_and_play_it_again(finished: Story, suffix: str) -> None:
    response = fetched(finished, suffix)
    assert response.status_code == 200
    assert response.headers["Content-Disposition"].endswith(f'-1.{suffix}"')
    reader = recognise(response.text)
    assert reader is not None
    (report,) = [check(sheet, {}) for sheet in reader("hand", response.text)]
    assert report.ok and not report.skipped


def test_what_a_format_leaves_out_is_in_a_header(finished: Story) -> None:
    assert "hidden_cards" in fetched(finished, "phh").headers["Croupier-Unsaid"].split(", ")
    assert fetched(finished, "json").headers["Croupier-Unsaid"] == "proofs"


def test_a_player_gets_his_own_cards_and_nobody_elses(finished: Story, ann: Player, bob: Player) -> None:
    public, own = fetched(finished, "json").get_json(), fetched(finished, "json", ann.token, "seat:0").get_json()
    cards = {seat["seat"]: seat["cards"] for seat in own["seats"]}
    assert "??" not in cards[ann.seat] and cards[bob.seat].count("??") == 2
    assert all(seat["cards"].count("??") == 2 for seat in public["seats"])
    for token in ("", bob.token):
        refused = fetched(finished, "phh", token, "seat:0")
        assert (refused.status_code, refused.get_json()["code"]) == (403, "not_for_you")


def test_who_has_a_link_to_a_view_may_have_its_export(finished: Story, ann: Player) -> None:
    body = {"table": finished.table, "hand": 1, "view": "seat:0"}
    made = finished.client.post("/api/v1/shares", json=body, headers=bearer(ann.token)).get_json()
    own = fetched(finished, "json", ann.token, "seat:0")
    assert fetched(finished, "json", view=f"seat:0&share={made['share']}").data == own.data
    public = fetched(finished, "json", view=f"public&share={made['share']}")
    assert public.data == fetched(finished, "json").data
    assert fetched(finished, "json", view=f"seat:1&share={made['share']}").status_code == 403
    assert fetched(finished, "json", view=f"seat:0&share={'x' * 22}").status_code == 404


def test_archived_or_not_the_bytes_are_the_same(finished: Story, service: Service) -> None:
    before = {suffix: fetched(finished, suffix).data for suffix in ("phh", "txt", "json")}
    archive = service.house.archive
    for segment in service.house.history.waiting(finished.table):
        archive.insert(segment)
    assert archive.segment(finished.table, 1) is not None
    assert before == {suffix: fetched(finished, suffix).data for suffix in before}


def test_a_game_that_a_format_cannot_hold_is_refused_with_a_code(finished: Story) -> None:
    refused = fetched(finished, "ohh")
    assert (refused.status_code, refused.get_json()["code"]) == (409, "format_cannot_hold")
    assert "Razz" in refused.get_json()["detail"]


def test_no_such_format_no_such_hand(finished: Story) -> None:
    assert fetched(finished, "docx").get_json()["code"] == "not_found"
    assert finished.client.get(f"{finished.path}/hands/9/export.phh").status_code == 404
    assert json.loads(fetched(finished, "phh", view="nobody").text)["code"] == "malformed"
