"""Sitting down, acting, leaving: what one player after the other does over HTTP."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest
from flask.testing import FlaskClient

from services.keys import partition_keys
from services.store import connect
from services.wire import pack
from tests.api.conftest import Service
from tests.api.story import API, Player, Story, bearer


def test_two_sit_down_and_one_folds_the_other_wins(story: Story, ann: Player, bob: Player) -> None:
    story.dealt()
    turn = story.on_turn()
    turn.act("bring_in", 5) if "bring_in" in story.view()["hand"]["legal"] else turn.act("fold")
    other = story.on_turn()
    told = other.act("fold")
    assert told["status"] == "accepted"
    assert told["events"][0]["event"] == "Folded"
    assert told["events"][-1]["version"] == told["version"]


def test_a_command_is_202_and_its_outcome_can_be_fetched(story: Story, ann: Player, bob: Player) -> None:
    player = story.on_turn()
    response = player.send({"verb": "sit_out"}, wait=0)
    assert response.status_code == 202
    assert response.headers["Location"].endswith(response.get_json()["command"])
    story.until(lambda view: view["seats"][player.seat]["sitting_out"])
    told = story.client.get(response.headers["Location"], headers=bearer(player.token)).get_json()
    assert (told["status"], told["events"][0]["event"]) == ("accepted", "SatOut")


def test_who_does_not_number_his_commands_may_send_many_at_once(service: Service, story: Story) -> None:
    """Each has its effect once, also where he would not wait: none is taken for another under the same number."""
    host = bearer(service.host_token)

    def rename(number: int) -> int:
        client = service.app.test_client()
        headers = {**host, "Prefer": f"wait={number % 2}"}
        return client.patch(story.path, json={"options": {"name": f"no {number}"}}, headers=headers).status_code

    with ThreadPoolExecutor(16) as pool:
        assert set(pool.map(rename, range(16))) == {200}
    names = [event["options"]["name"] for event in story.events() if event["event"] == "OptionsChanged"]
    assert sorted(names) == sorted(f"no {number}" for number in range(16))


def test_who_is_refused_a_seat_leaves_no_token_behind(service: Service, story: Story, ann: Player) -> None:
    """Else whoever asks for one often enough fills the store with them for a month."""
    with closing(connect(str(service.settings.redis_url))) as store:
        before = set(store.scan_iter("token:*"))
        for player, seat, chips in (("Bob", 0, 1000), ("Bob", 1, 1), ("Ann", 2, 1000)):
            body = {"player": player, "chips": chips}
            assert story.client.put(f"{story.path}/seats/{seat}", json=body).status_code == 409
        assert set(store.scan_iter("token:*")) <= before
    assert ann.view()["you"]["seat"] == 0


def test_a_command_at_no_table_is_not_awaited(client: FlaskClient, service: Service) -> None:
    response = client.get(f"{API}/tables/017-nosuch/commands/host-1", headers=bearer(service.host_token))
    assert (response.status_code, response.get_json()["code"]) == (404, "not_found")


def test_p070_the_same_command_again_repeats_the_answer_and_not_the_effect(
    story: Story, ann: Player, bob: Player
) -> None:
    player = story.on_turn()
    body = {"verb": "sit_out"}
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(lambda _: player.send(body, k=7).get_json(), range(2))
    again = player.send(body, k=7).get_json()
    assert first == second == again
    assert [event["event"] for event in story.events()].count("SatOut") == 1


def test_p134_a_key_reused_for_another_body_is_refused(story: Story, ann: Player, bob: Player) -> None:
    player = story.on_turn()
    player.send({"verb": "sit_out"}, k=9)
    refused = player.send({"verb": "sit_in"}, k=9)
    assert (refused.status_code, refused.get_json()["code"], refused.get_json()["last"]) == (422, "k_reused", 9)
    late = player.send({"verb": "sit_in"}, k=8)
    assert (late.status_code, late.get_json()["code"]) == (410, "superseded")
    gone = story.client.get(f"{story.path}/commands/{player.actor}-8", headers=bearer(player.token))
    assert gone.status_code == 410


def test_p064_a_click_meant_for_an_old_decision_is_stale(story: Story, ann: Player, bob: Player) -> None:
    story.dealt()
    old = story.view()["turn"]
    turn = story.on_turn()
    turn.act("bring_in", 5)
    late = turn.send({"verb": "complete", "amount": 10, "turn": old})
    assert (late.status_code, late.get_json()["code"]) == (412, "stale_turn")
    assert late.get_json()["turn"] == story.view()["turn"]


def test_a_refusal_says_what_would_be_legal(story: Story, ann: Player, bob: Player) -> None:
    turn = story.on_turn()
    refused = turn.send({"verb": "complete", "amount": 999, "turn": story.view()["turn"]})
    problem = refused.get_json()
    assert refused.status_code == 409
    assert refused.content_type == "application/problem+json"
    assert problem["legal_actions"] == story.view()["hand"]["legal"]
    assert problem["type"] == f"/problems/{problem['code']}"


def test_p069_out_of_turn_is_refused_and_the_deadline_stays(story: Story, ann: Player, bob: Player) -> None:
    deadline = story.dealt()["hand"]["deadline"]
    refused = story.waiting().send({"verb": "call", "turn": story.view()["turn"]})
    assert (refused.status_code, refused.get_json()["code"]) == (409, "not_your_turn")
    assert refused.get_json()["legal_actions"] == {}
    assert story.view()["hand"]["deadline"] == deadline


def test_p072_three_at_once_for_one_seat(story: Story) -> None:
    clients = [story.client.application.test_client() for _ in range(3)]

    def sit(number: int) -> tuple[int, str]:
        body = {"player": f"P{number}", "chips": 1000}
        response = clients[number].put(f"{story.path}/seats/3", json=body)
        return response.status_code, response.get_json().get("code", "")

    with ThreadPoolExecutor(3) as pool:
        answers = sorted(pool.map(sit, range(3)))
    assert answers == [(201, ""), (409, "seat_taken"), (409, "seat_taken")]


def test_p073_one_player_one_seat(story: Story, ann: Player) -> None:
    again = story.client.put(f"{story.path}/seats/4", json={"player": "Ann", "chips": 1000})
    assert (again.status_code, again.get_json()["code"]) == (409, "already_seated")


def test_p120_taking_a_name_or_seat_of_somebody_shows_nothing_of_his(story: Story, ann: Player, bob: Player) -> None:
    story.dealt()
    taken = story.client.put(f"{story.path}/seats/0", json={"player": "Ann", "chips": 1000})
    assert taken.status_code == 409
    assert "token" not in taken.get_json()
    assert "you" not in story.view()


def test_p156_who_has_the_seats_token_gets_his_seat_again(story: Story, ann: Player) -> None:
    again = story.client.put(f"{story.path}/seats/0", json={"player": "Ann", "chips": 1000}, headers=bearer(ann.token))
    told = again.get_json()
    assert (again.status_code, told["actor"], told["last"]) == (200, ann.actor, 0)
    assert "token" not in told
    assert [event["event"] for event in story.events()].count("Sat") == 1


def test_leaving_frees_the_seat_and_the_token_with_it(story: Story, ann: Player) -> None:
    left = story.client.delete(f"{story.path}/seats/0", headers=bearer(ann.token))
    assert left.status_code == 200
    assert story.view()["seats"][0] is None
    next_ann = story.sit(0, "Ann")
    refused = story.client.get(f"{story.path}/seats/0/actions", headers=bearer(ann.token))
    assert (refused.status_code, refused.get_json()["code"]) == (403, "not_your_seat")
    assert "you" not in story.view(ann.token)
    assert story.view(next_ann.token)["you"]["seat"] == 0


def test_p121_a_spectator_cannot_act(story: Story, ann: Player, bob: Player, service: Service) -> None:
    story.dealt()
    before = story.seen()["version"]
    stranger = Story.opened(story.client, service.host_token).sit(0, "Eve")
    body = {"verb": "fold", "turn": story.view()["turn"], "seat": 0}
    for token, status in ((stranger.token, 403), ("cr_" + "x" * 43, 401), (service.host_token, 403)):
        refused = Player(story, 0, "Eve", token, "x").send(body)
        assert refused.status_code == status
    nobody = story.client.post(f"{story.path}/commands", json=body, headers={"Idempotency-Key": "1"})
    assert nobody.status_code == 401
    other_seat = ann.send({**body, "seat": 1})
    assert (other_seat.status_code, other_seat.get_json()["code"]) == (403, "not_your_seat")
    assert story.seen()["version"] == before


def test_actions_are_for_the_seat_alone(story: Story, ann: Player, bob: Player) -> None:
    turn = story.on_turn()
    told = turn.actions()
    assert told["on_turn"]
    assert told["legal"]["bring_in"] == {"least": 5, "most": 5}
    assert told["last"] == turn.k
    assert all(preset["amount"] > 0 for preset in told["presets"])
    waiting = story.waiting()
    assert (waiting.actions()["legal"], waiting.actions()["presets"]) == ({}, [])
    refused = story.client.get(f"{story.path}/seats/0/actions", headers=bearer(bob.token))
    assert refused.status_code == 403


def test_a_seat_decided_late_is_taken_with_the_token_that_was_given_before(story: Story) -> None:
    """The client did not wait for the outcome: 202, and its token is good once the worker has agreed."""
    body = {"player": "Ann", "chips": 1000}
    response = story.client.put(f"{story.path}/seats/0", json=body, headers={"Prefer": "wait=0"})
    told = response.get_json()
    assert (response.status_code, told["status"]) == (202, "pending")
    story.until(lambda view: view["seats"][0] is not None)
    assert Player(story, 0, "Ann", told["token"], told["actor"]).send({"verb": "sit_out"}).status_code == 200
    outcome = story.client.get(response.headers["Location"], headers=bearer(told["token"])).get_json()
    assert (outcome["status"], outcome["events"][0]["event"]) == ("accepted", "Sat")


def test_a_player_numbers_his_commands_from_one(story: Story, ann: Player, service: Service) -> None:
    """Sitting down, and what a host asks for without a key, do not use up anybody's numbers."""
    assert ann.send({"verb": "sit_out"}, k=1).status_code == 200
    host = {**bearer(service.host_token), "Idempotency-Key": "1"}
    paused = story.client.post(f"{story.path}/state", json={"state": "paused"}, headers=host)
    assert (paused.status_code, paused.get_json()["command"]) == (200, "host-1")
    again = story.client.post(f"{story.path}/state", json={"state": "paused"}, headers=host)
    assert again.get_json() == paused.get_json()


def test_who_waits_has_his_turn_while_a_long_log_is_added_up(
    service: Service, story: Story, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Under gevent nobody else is served by a process that does not pause."""
    for state in ("paused", "running") * 5:
        story.order(state)
    pauses: list[float] = []
    monkeypatch.setattr("api.ledger.AT_ONCE", 4)
    monkeypatch.setattr("api.ledger.time.sleep", pauses.append)
    assert story.client.get(f"{story.path}/ledger").get_json()["balanced"]
    assert pauses[:3] == [0] * 3 and story.seen()["version"] == 11


def test_the_ledger_balances(story: Story, ann: Player, bob: Player) -> None:
    """Who comes and goes with what; as a sheet it has the columns that tools for settling up know."""
    story.dealt()
    story.on_turn().act("bring_in", 5)
    loser = story.on_turn()
    loser.act("fold")
    loser.send({"verb": "add_chips", "amount": 50})
    story.client.delete(f"{story.path}/seats/{loser.seat}", headers=bearer(loser.token))
    story.until(lambda view: view["seats"][loser.seat] is None or view["seats"][loser.seat]["leaving"])
    ledger = story.client.get(f"{story.path}/ledger").get_json()
    assert ledger["balanced"]
    nets = {session["player"]: session["net"] for session in ledger["items"]}
    assert sum(nets.values()) == 0
    assert nets[loser.name] < 0
    sheet = story.client.get(f"{story.path}/ledger", headers={"Accept": "text/csv"}).text.splitlines()
    assert sheet[0] == "player_nickname,player_id,session_start_at,session_end_at,buy_in,buy_out,stack,net"
    assert len(sheet) == 3


@pytest.mark.parametrize("name", ["Ann (host)", "Ann$1", "A.B", "x: raises", "a  b", "🂡", "<script>alert(1)</script>"])
def test_p111_p112_names_come_back_as_they_are(story: Story, name: str) -> None:
    assert story.sit(2, name).name == name
    assert story.view()["seats"][2]["player"] == name


def test_p111_a_combining_accent_is_composed(story: Story) -> None:
    assert story.sit(2, "Re\u0301mi").name == "Rémi"
    again = story.client.put(f"{story.path}/seats/3", json={"player": "Rémi", "chips": 1000})
    assert again.get_json()["code"] == "already_seated"


def test_the_host_pauses_resumes_and_closes(story: Story, service: Service) -> None:
    host = bearer(service.host_token)
    for state, event in (("paused", "Paused"), ("running", "Resumed"), ("closed", "Closed")):
        told = story.client.post(f"{story.path}/state", json={"state": state, "why": "tea"}, headers=host)
        assert (told.status_code, told.get_json()["events"][0]["event"]) == (200, event)
    again = story.client.post(f"{story.path}/state", json={"state": "closed"}, headers=host)
    assert (again.status_code, again.get_json()["code"]) == (409, "table_closed")


def test_the_host_changes_options_between_hands(story: Story, service: Service) -> None:
    host = bearer(service.host_token)
    version = story.seen()["version"]
    changes = {"options": {"name": "High stakes"}}
    stale = story.client.patch(story.path, json=changes, headers={**host, "If-Match": f'"{version + 1}"'})
    assert (stale.status_code, stale.get_json()["code"]) == (412, "version_conflict")
    told = story.client.patch(story.path, json=changes, headers={**host, "If-Match": f'"{version}"'})
    assert told.status_code == 200
    assert story.view()["name"] == "High stakes"


def test_only_the_host_opens_tables_and_a_repeated_key_opens_one(client: FlaskClient, service: Service) -> None:
    body = {"game": "omaha8", "options": {"seats": 4}}
    assert client.post(f"{API}/tables", json=body).status_code == 401
    headers = {**bearer(service.host_token), "Idempotency-Key": "41"}
    first, second = (client.post(f"{API}/tables", json=body, headers=headers) for _ in range(2))
    assert first.get_json() == second.get_json()
    assert client.get(first.headers["Location"]).status_code == 200
    other = client.post(f"{API}/tables", json={**body, "game": "razz"}, headers=headers)
    assert other.get_json()["code"] == "k_reused"


def test_the_lobby_filters_and_pages(client: FlaskClient, service: Service) -> None:
    opened = {Story.opened(client, service.host_token, "omaha8", name="lobby test").table for _ in range(5)}
    found: list[str] = []
    cursor = ""
    while True:
        rows = client.get(f"{API}/tables?game=omaha8&limit=2&free=true{cursor}").get_json()
        found += [row["table"] for row in rows["items"] if row["name"] == "lobby test"]
        if rows["next"] is None:
            break
        cursor = f"&cursor={rows['next']}"
    assert set(found) == opened
    assert len(found) == 5
    everywhere, page = (client.get(f"{address}?free=false") for address in (f"{API}/tables", "/"))
    assert everywhere.status_code == 200
    assert 'name="free" value="true" >' in page.text


def test_a_row_that_somebody_else_has_put_there_does_not_close_the_lobby(story: Story, service: Service) -> None:
    """P147. Nor does it hide from the host what stands still."""
    store, keys = connect(str(service.settings.redis_url)), partition_keys(0)
    foreign = {"000-zz1": b"\xff", "000-zz2": pack(7), "000-zz3": pack({}), "no table": pack([])}
    for key in (keys.tables, keys.parked):
        store.hset(key, mapping=foreign)
    found, own = story.client.get(f"{API}/tables?limit=100"), story.row()
    frozen = story.client.get(f"{API}/ops/frozen", headers=bearer(service.host_token))
    for key in (keys.tables, keys.parked):
        store.hdel(key, *foreign)
    store.close()
    assert (found.status_code, frozen.status_code, frozen.get_json()["items"]) == (200, 200, [])
    assert own is not None


def test_closed_tables_are_shown_to_who_asks_for_them(story: Story, service: Service) -> None:
    story.client.post(f"{story.path}/state", json={"state": "closed"}, headers=bearer(service.host_token))
    assert story.row() is None
    assert story.row("&status=closed") is not None


def test_the_player_whose_choice_it_is_names_the_next_game(client: FlaskClient, service: Service) -> None:
    """MIX-07 over HTTP: one of two has the choice; between hands the other is refused."""
    options = {"rotation": "razz stud", "rotation.choose": True, "hand_gap_seconds": 1, "rotation.choose_seconds": 60}
    story = Story.opened(client, service.host_token, "mixed", **options)
    for seat, name in enumerate(("Ann", "Bob")):
        story.sit(seat, name)
    story.dealt()
    story.on_turn().act("bring_in", 5)
    story.on_turn().act("fold")
    view = story.until(lambda view: view["rotation"]["chooser"] is not None)
    assert view["rotation"] == {"games": ["razz", "stud"], "next": "razz", "chooser": view["rotation"]["chooser"]}
    chooser = story.players[view["rotation"]["chooser"]]
    other = story.players[1 - chooser.seat]
    assert other.send({"verb": "choose_game", "choice": "stud"}).get_json()["code"] == "not_your_turn"
    assert chooser.send({"verb": "choose_game", "choice": "holdem"}).get_json()["code"] == "illegal_action"
    assert chooser.send({"verb": "choose_game"}).status_code == 422
    told = chooser.send({"verb": "choose_game", "choice": "stud"}).get_json()
    chosen = told["events"][0]
    assert (chosen["event"], chosen["game"], chosen["default"]) == ("GameChosen", "stud", False)
    story.until(lambda view: view["number"] == 2)
    assert story.view()["hand"]["game"] == "stud"
    assert story.view()["game"] == "mixed"
