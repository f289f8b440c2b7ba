"""A replay is what was served then: frames recorded from live streams, beside the replay of the same hand."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing
from typing import Any

import pytest
from flask.testing import FlaskClient

from services.store import connect
from tests.api.conftest import Service
from tests.api.story import API, Player, Story, Watcher, bearer

Frames = list[dict[str, Any]]


@pytest.fixture
def story(service: Service, client: FlaskClient) -> Story:
    """A pause between hands: a private view that is asked for after the next deal holds nothing of the hand before."""
    return Story.opened(client, service.host_token, hand_gap_seconds=1)


@pytest.fixture
def recorded(story: Story, service: Service, ann: Player, bob: Player) -> Iterator[dict[str, Frames]]:
    """Hand 1, called down to the showdown, as everybody, Ann and Bob were shown it live."""
    with ExitStack() as open_streams:
        tokens = {"public": "", "seat:0": ann.token, "seat:1": bob.token}
        streams = {who: Watcher(service.url, story, token, last=1) for who, token in tokens.items()}
        watchers = {who: open_streams.enter_context(stream) for who, stream in streams.items()}
        play_down(story)
        yield {who: watcher.until(next_hand) for who, watcher in watchers.items()}


def next_hand(message: dict[str, Any]) -> bool:
    return message["kind"] == "state" and message["data"]["view"]["number"] == 2


def play_down(story: Story) -> None:
    """Bring in, then check or call to the end."""
    story.dealt()
    while (view := story.view())["number"] == 1:
        hand = view["hand"]
        if hand["actor"] is None or hand["over"]:
            continue
        legal = story.players[hand["actor"]].actions()["legal"]
        verb = next((verb for verb in ("check", "call", "bring_in", "show") if verb in legal), None)
        if verb is not None:
            story.players[hand["actor"]].send({"verb": verb, "turn": view["turn"]})


def states(frames: Frames) -> dict[int, dict[str, Any]]:
    """Version → the view that was served of hand 1."""
    served = {one["data"]["version"]: one["data"]["view"] for one in frames if one["kind"] in ("snapshot", "state")}
    return {version: view for version, view in served.items() if view["hand"] and view["hand"]["number"] == 1}


def test_every_step_of_a_replay_is_the_frame_of_then_for_each_viewer(
    story: Story, client: FlaskClient, recorded: dict[str, Frames], ann: Player, bob: Player
) -> None:
    """COM-75: forwards and back, public and private; proofs of own cards were given when they were dealt."""
    tokens = {"public": {}, "seat:0": bearer(ann.token), "seat:1": bearer(bob.token)}
    for who, frames in recorded.items():
        served = states(frames)
        address = f"{story.path}/hands/1/replay?view={who}"
        steps = client.get(address, headers=tokens[who]).get_json()["steps"]
        replayed = {step["version"]: step["view"] for step in steps}
        assert len(served) >= 10
        for version, view in served.items():
            assert replayed[version] == without_proofs(view), (who, version)
        for step in reversed(steps[1:-1:3]):
            assert client.get(f"{address}&step={step['step']}", headers=tokens[who]).get_json() == step


def without_proofs(view: dict[str, Any]) -> dict[str, Any]:
    return {**view, "you": {**view["you"], "openings": []}} if "you" in view else view


def test_every_event_of_a_replay_is_the_frame_of_then(
    story: Story, client: FlaskClient, recorded: dict[str, Frames]
) -> None:
    steps = client.get(f"{story.path}/hands/1/replay").get_json()["steps"]
    events = {step["version"]: step["event"] for step in steps if step["event"] is not None}
    told = {one["data"]["version"]: one["data"] for one in recorded["public"] if one["kind"] == "event"}
    first, last = min(events), max(events)
    served = {version: plain(event) for version, event in told.items() if first <= version <= last}
    assert {version: event for version, event in events.items() if version in served} == served
    assert len(served) == len(events)


def plain(event: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in event.items() if name not in ("version", "head")}


def test_a_link_shows_the_view_its_maker_had_to_whoever_has_it(
    story: Story, client: FlaskClient, recorded: dict[str, Frames], ann: Player, bob: Player, service: Service
) -> None:
    """One view of one hand: his own, that he published; nothing of the other hand, seat, or of the next hand."""
    body = {"table": story.table, "hand": 1, "step": 8, "view": "seat:0"}
    made = client.post(f"{API}/shares", json=body, headers=bearer(ann.token))
    assert made.status_code == 201, made.text
    name = made.get_json()["share"]
    assert made.get_json()["url"] == f"/tables/{story.table}/hands/1?step=8&view=seat%3A0&share={name}"
    address = f"{story.path}/hands/1/replay?step=8"
    own = client.get(f"{address}&view=seat:0", headers=bearer(ann.token)).get_json()
    assert client.get(f"{address}&view=seat:0&share={name}").get_json() == own
    assert len(own["view"]["you"]["cards"]) >= 3
    assert "you" not in client.get(f"{address}&share={name}").get_json()["view"]
    assert client.get(f"{address}&view=seat:1&share={name}").status_code == 403
    assert client.get(f"{address}&view=full&share={name}").status_code == 403
    assert client.get(f"{story.path}/hands/2/replay?share={name}").status_code == 404
    assert client.get(f"{address}&share={'x' * 22}").status_code == 404
    with closing(connect(str(service.settings.redis_url))) as store:
        stored = {key: store.get(key) for key in store.scan_iter("share:*")}
    assert stored and not any(name.encode() in key for key in stored)
    assert not any(card.encode() in one for one in stored.values() for card in own["view"]["you"]["cards"][:2] if one)


def test_nobody_shares_what_he_may_not_see(
    story: Story, client: FlaskClient, recorded: dict[str, Frames], ann: Player, bob: Player, service: Service
) -> None:
    body = {"table": story.table, "hand": 1, "view": "seat:0"}
    for token in (bob.token, service.host_token):
        assert client.post(f"{API}/shares", json=body, headers=bearer(token)).status_code == 403
    assert client.post(f"{API}/shares", json=body).status_code == 401
    for wrong, status in (({"view": "full"}, 422), ({"hand": 2}, 404), ({"step": 9999}, 404), ({"seconds": 1}, 422)):
        refused = client.post(f"{API}/shares", json={**body, **wrong}, headers=bearer(ann.token))
        assert refused.status_code == status, wrong
    public = client.post(f"{API}/shares", json={**body, "view": "public"}, headers=bearer(bob.token))
    assert public.status_code == 201
