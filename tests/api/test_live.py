"""Live streams: a snapshot first, then every event once and in order, to the right eyes (P142, P153-P156)."""

from __future__ import annotations

import json
import threading
import time
from queue import Queue
from typing import Any

import pytest
from flask.testing import FlaskClient

from api.app import create_app
from api.frames import NDJSON
from api.hub import QUEUE_MOST, Hub
from api.metrics import Metrics
from api.presence import Presence
from services.keys import table_keys
from services.store import connect
from services.wire import Notice
from tests.api.conftest import Service
from tests.api.story import Player, Story, Watcher, bearer


def play_to_the_end(story: Story) -> None:
    """One brings in, the other folds."""
    story.dealt()
    story.on_turn().act("bring_in", 5)
    story.on_turn().act("fold")


def versions(messages: list[dict[str, Any]]) -> list[int]:
    return [message["data"]["version"] for message in messages if message["kind"] == "event"]


def test_p154_a_snapshot_first_and_then_what_follows_it(service: Service, story: Story, ann: Player) -> None:
    with Watcher(service.url, story) as watcher:
        assert watcher.response.headers["Content-Type"].startswith("text/event-stream")
        assert watcher.response.headers["X-Accel-Buffering"] == "no"
        messages = watcher.messages()
        first = next(messages)
        assert (first["kind"], first["id"]) == ("snapshot", first["data"]["version"])
        assert first["data"]["view"]["seats"][0]["player"] == "Ann"
        story.sit(1, "Bob")
        event = next(messages)
        assert (event["kind"], event["id"], event["data"]["event"]) == ("event", first["id"] + 1, "Sat")
        assert event["data"]["player"] == "Bob"


def test_a_process_that_only_streams_hears_of_what_happens(service: Service, story: Story) -> None:
    """Nothing in it ever waits for a command: the first stream itself starts the feed."""
    streaming = create_app(service.settings)
    frames = streaming.test_client().get(f"{story.path}/stream", headers={"Accept": NDJSON}, buffered=False)
    lines = (json.loads(line) for chunk in frames.iter_encoded() for line in chunk.splitlines())
    assert next(lines)["type"] == "snapshot"
    story.sit(0, "Ann")
    assert next(lines)["data"]["event"] == "Sat"
    frames.close()
    streaming.extensions["croupier"].feed.stop()


def test_after_the_events_of_a_command_comes_the_state(service: Service, story: Story, ann: Player) -> None:
    with Watcher(service.url, story) as watcher:
        messages = watcher.messages()
        next(messages)
        story.client.post(f"{story.path}/state", json={"state": "paused"}, headers=bearer(service.host_token))
        event, state = next(messages), next(messages)
        assert (event["kind"], state["kind"], state["id"]) == ("event", "state", event["id"])
        assert state["data"]["view"]["status"] == "paused"
        assert state["data"]["head"] == event["data"]["head"]


def test_p153_every_event_once_whatever_the_number_of_reconnects(
    service: Service, story: Story, ann: Player, bob: Player
) -> None:
    story.dealt()
    with Watcher(service.url, story) as watcher:
        snapshot = watcher.until(lambda message: message["kind"] == "snapshot")[0]
    last, got = snapshot["id"], []
    for _ in range(3):
        play_to_the_end(story)
        with Watcher(service.url, story, last=last) as watcher:
            head = story.seen()["version"]
            messages = watcher.until(lambda message, head=head: message["data"]["version"] >= head)  # type: ignore[misc]
        assert messages[0]["kind"] == "event"
        got += versions(messages)
        last = got[-1]
    assert got == list(range(snapshot["id"] + 1, last + 1))


def test_nothing_missed_nothing_sent_but_the_state_that_may_have_got_lost(service: Service, story: Story) -> None:
    version = story.seen()["version"]
    with Watcher(service.url, story, last=version) as watcher:
        state = next(watcher.messages())
    assert (state["kind"], state["id"], state["data"]["version"]) == ("state", None, version)


def test_a_client_that_knows_more_than_the_store_starts_anew(service: Service, story: Story) -> None:
    with Watcher(service.url, story, last=10**6) as watcher:
        first = next(watcher.messages())
    assert (first["kind"], first["id"]) == ("resync", story.seen()["version"])


def test_a_hole_in_the_log_is_a_resync(service: Service, story: Story, ann: Player, bob: Player) -> None:
    play_to_the_end(story)
    story.until(lambda view: view["number"] >= 2)
    keys = table_keys(story.table)
    connect(str(service.settings.redis_url)).xtrim(keys.events, minid="6", approximate=False)
    with Watcher(service.url, story, last=2) as watcher:
        first = next(watcher.messages())
    assert first["kind"] == "resync"
    assert first["data"]["view"]["seats"][1]["player"] == "Bob"


def test_a_bad_last_event_id_is_a_problem(story: Story) -> None:
    response = story.client.get(f"{story.path}/stream", headers={"Last-Event-ID": "17; drop"})
    assert (response.status_code, response.get_json()["code"]) == (400, "malformed")


def test_own_cards_go_to_their_own_stream_alone(service: Service, story: Story, ann: Player) -> None:
    def dealt(message: dict[str, Any]) -> bool:
        hand = message["kind"] == "state" and message["data"]["view"]["hand"]
        return bool(hand and hand["actor"] is not None)

    with Watcher(service.url, story, ann.token) as own, Watcher(service.url, story) as public:
        assert next(own.messages())["id"] == next(public.messages())["id"]
        story.sit(1, "Bob")
        to_ann, to_all = own.until(dealt), public.until(dealt)
    mine = to_ann[-1]["data"]["view"]["you"]
    (deal,) = (m["data"] for m in to_ann if m["data"].get("event") == "RoundDealt")
    assert len(mine["cards"]) == 3
    assert [*deal["own"][0]["cards"], deal["cards"][deal["seats"].index(0)]] == mine["cards"]
    assert versions(to_ann) == versions(to_all)
    down = mine["cards"][:2]
    assert not any(f'"{card}"' in json.dumps(message) for card in down for message in to_all)
    assert "you" not in to_all[-1]["data"]["view"]
    assert [own["seat"] for own in deal["own"]] == [0]
    assert len(deal["cards"]) == 2


def test_ndjson_for_programs(service: Service, story: Story, ann: Player) -> None:
    with Watcher(service.url, story, accept="application/x-ndjson") as watcher:
        lines = watcher.raw()
        first = json.loads(next(lines))
        story.sit(1, "Bob")
        second = json.loads(next(lines))
    assert (first["type"], second["type"], second["id"]) == ("snapshot", "event", first["id"] + 1)


def test_p155_a_silent_stream_is_pinged_and_a_closed_one_forgotten(service: Service, story: Story) -> None:
    hub = Hub(service.house.tables, Metrics(), ping_s=0.05)
    bursts = hub.bursts(story.table, None, None)
    assert [frame.kind for frame in next(bursts)] == ["snapshot"]
    assert next(bursts) == []
    assert hub.watched() == 1
    bursts.close()
    assert hub.watched() == 0


def test_p155_a_client_that_cannot_keep_up_is_closed(service: Service, story: Story) -> None:
    """Its queue is bounded; it comes back with its last id and misses nothing."""
    hub = Hub(service.house.tables, Metrics())
    bursts = hub.bursts(story.table, None, None)
    [snapshot] = next(bursts)
    for number in range(QUEUE_MOST + 2):
        before = story.seen()["version"]
        state = "paused" if number % 2 == 0 else "running"
        story.client.post(f"{story.path}/state", json={"state": state}, headers=bearer(story.host_token))
        hub.hear([Notice(story.table, before, before + 1, b"", "", 0, b"")])
    assert list(bursts) == []
    assert hub.watched() == 0
    again = hub.bursts(story.table, None, snapshot.id)
    events = [frame.id for frame in next(again) if frame.kind == "event"]
    assert snapshot.id is not None
    assert events == list(range(snapshot.id + 1, snapshot.id + 1 + QUEUE_MOST + 2))
    again.close()


def test_an_old_session_is_shut_out_when_somebody_takes_its_seat(service: Service, story: Story, ann: Player) -> None:
    """Ann leaves, another Ann sits down there and is dealt in: the first one's stream shows none of it."""
    bob = story.sit(1, "Bob")
    story.dealt()
    with Watcher(service.url, story, ann.token) as watcher:
        messages = watcher.messages()
        assert next(messages)["data"]["view"]["you"]["cards"]
        assert story.client.delete(f"{story.path}/seats/0", headers=bearer(ann.token)).status_code == 200
        bob.act(*(("bring_in", 5) if "bring_in" in story.dealt()["hand"]["legal"] else ("fold",)))
        story.until(lambda view: view["seats"][0] is None)
        sat = story.sit(0, "Ann")
        rest = list(messages)
    assert rest[-1]["data"]["view"].get("you") is None
    taken = next(m["data"]["version"] for m in rest if m["data"].get("event") == "Sat")
    after = [m for m in rest if m["data"]["version"] >= taken and m["kind"] == "event"]
    assert not any("own" in m["data"] for m in after)
    assert story.view(sat.token)["you"]["seat"] == 0


def test_a_thousand_watchers_cost_one_frame(service: Service, story: Story) -> None:
    """What everybody sees is encoded once and shared."""
    hub = Hub(service.house.tables, Metrics())
    streams = [hub.bursts(story.table, None, None) for _ in range(1000)]
    for bursts in streams:
        next(bursts)
    before = story.seen()["version"]
    story.sit(0, "Ann")
    hub.hear([Notice(story.table, before, before + 1, b"", "", 0, b"")])
    assert len({tuple(map(id, next(bursts))) for bursts in streams}) == 1
    for bursts in streams:
        bursts.close()


def test_two_tabs_see_the_same_and_act_as_one(service: Service, story: Story, ann: Player, bob: Player) -> None:
    """P156: one token, two streams; a command sent by both under one key takes effect once."""
    story.dealt()
    with Watcher(service.url, story, ann.token) as left, Watcher(service.url, story, ann.token) as right:
        first, second = next(left.messages()), next(right.messages())
        assert first["data"]["view"]["you"] == second["data"]["view"]["you"]
        answers = [ann.send({"verb": "sit_out"}, k=5).get_json() for _ in range(2)]
        assert answers[0] == answers[1]
        assert left.until(lambda m: m["data"].get("event") == "SatOut")
        assert right.until(lambda m: m["data"].get("event") == "SatOut")
    assert sum(place is not None for place in story.view()["seats"]) == 2


def connected(view: dict[str, Any]) -> bool:
    return bool(view["seats"][0]["connected"])


def test_p077_who_closes_his_last_stream_is_disconnected_after_a_grace(
    story: Story, ann: Player, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The grace of each end is over when this test says so."""
    presence, ends = Presence(service.house.tables), list[tuple[str, int, str]]()
    monkeypatch.setattr(presence, "_later", ends.append)
    with presence.of(story.table, 0, "Ann"):
        with presence.of(story.table, 0, "Ann"):
            pass
        assert ends == []
    with presence.of(story.table, 0, "Ann"):  # the page was loaded again
        presence._gone(ends.pop())
        assert connected(story.view())
    presence._gone(ends.pop())
    story.until(lambda view: not connected(view))
    with presence.of(story.table, 0, "Ann"):
        story.until(connected)
    kinds = [event["event"] for event in story.events()]
    assert (kinds.count("Disconnected"), kinds.count("Connected")) == (1, 1)


def test_p077_a_stream_at_another_process_keeps_its_player_connected(
    story: Story, ann: Player, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page has come back elsewhere; whoever had it before does not know, and says that it has gone (COM-72).

    The other process's clock is a minute ahead.
    """
    elsewhere, ends = Presence(service.house.tables), list[tuple[str, int, str]]()
    monkeypatch.setattr(elsewhere, "_later", ends.append)
    monkeypatch.setattr(elsewhere, "_k", int(time.time() * 1000) + 60_000)
    with elsewhere.of(story.table, 0, "Ann"):
        pass
    with Watcher(service.url, story, ann.token) as watcher:
        next(watcher.messages())
        elsewhere._gone(ends.pop())
        assert watcher.until(lambda message: message["data"].get("event") == "Disconnected")
        assert watcher.until(lambda message: message["data"].get("event") == "Connected")
        assert connected(story.view())


def test_what_is_sent_is_timed_by_the_clock_of_the_deadlines(
    story: Story, service: Service, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """COM-73: the store's, wherever this process runs."""
    monkeypatch.setattr(service.house.feed, "now_ms", lambda: 42)
    assert client.get(f"/api/v1/tables/{story.table}").get_json()["now"] == 42
    with Watcher(service.url, story) as watcher:
        assert next(watcher.messages())["data"]["now"] == 42


def test_events_pass_while_fifty_streams_are_cut(service: Service, story: Story, ann: Player) -> None:
    """P155: dead clients cost nothing for long, and everybody else is served meanwhile."""
    watchers = [Watcher(service.url, story) for _ in range(50)]
    for watcher in watchers:
        next(watcher.messages())
        watcher.close()
    story.sit(1, "Bob")
    assert story.dealt()["hand"]["number"] == 1
    story.on_turn().act("bring_in", 5)
    give_up = time.monotonic() + 60
    while service.house.hub.watched(story.table) and time.monotonic() < give_up:
        story.on_turn().send({"verb": "sit_out"})
        story.on_turn().send({"verb": "sit_in"})
    assert service.house.hub.watched(story.table) == 0


def test_long_poll_returns_with_the_change(service: Service, story: Story, ann: Player) -> None:
    version = story.seen()["version"]
    answers: Queue[dict[str, Any]] = Queue()
    client = service.app.test_client()
    asking = threading.Thread(
        target=lambda: answers.put(client.get(f"{story.path}?after={version}&wait=20").get_json()), daemon=True
    )
    asking.start()
    time.sleep(0.3)
    assert answers.empty()
    story.sit(1, "Bob")
    assert answers.get(timeout=60)["version"] > version


def test_a_view_that_has_not_changed_is_not_sent_again(story: Story) -> None:
    first = story.client.get(story.path)
    again = story.client.get(story.path, headers={"If-None-Match": first.headers["ETag"]})
    assert (first.headers["ETag"], again.status_code, again.data) == (f'"{first.get_json()["version"]}"', 304, b"")
