"""What the service says about itself, how it slows clients down, and what it does when the store is in trouble."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import schemathesis
from flask.testing import FlaskClient
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import positive_data_acceptance
from sqlalchemy.exc import OperationalError

import workers.owner
from api.languages import LANGUAGES, catalogue
from api.limits import BURST_S, Limits
from api.operations import OPERATIONS, PREFIX, Operation
from api.problems import KINDS, RULES
from engine.cards import parse
from engine.deck import hand_id, shuffle, verify_opening
from engine.state import Table
from services.archive_tables import deal_report
from services.inbox import Backlog
from services.rng.deals import judged
from services.store import OutcomeUnknown, StoreRefused
from tests.api.conftest import Service
from tests.api.story import API, Player, Story, bearer


def test_alive_and_ready(client: FlaskClient) -> None:
    assert client.get("/healthz").get_json() == {"status": "alive"}
    assert client.get("/readyz").get_json()["workers"] == 1


def test_not_ready_without_a_worker(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("api.ops.workers", lambda client: [])
    response = client.get("/readyz")
    assert (response.status_code, response.headers["Retry-After"]) == (503, "1")


def test_metrics_count_by_route_and_never_by_table(story: Story, ann: Player) -> None:
    text = story.client.get("/metrics").text
    assert 'croupier_http_requests_total{method="PUT",route="/api/v1/tables/<table:table>/seats/<seat:seat>"' in text
    assert "croupier_command_lag_seconds" in text
    assert story.table not in text


def test_metrics_tell_what_an_audit_and_the_signer_found_wrong(
    client: FlaskClient, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An alarm needs a number; while the archive does not answer it is none."""
    assert "croupier_audit_differences 0.0" in client.get("/metrics").text
    monkeypatch.setattr(service.house.archive, "failed", lambda: [("017-ann", 3, "decide")])
    assert "croupier_audit_differences 1.0" in client.get("/metrics").text

    assert "croupier_checkpoint_refused 0.0" in client.get("/metrics").text
    monkeypatch.setattr(service.house.archive.log, "refused", lambda: True)
    assert "croupier_checkpoint_refused 1.0" in client.get("/metrics").text

    def away() -> None:
        raise OperationalError("select", {}, Exception("away"))

    monkeypatch.setattr(service.house.archive, "failed", away)
    assert "croupier_audit_differences NaN" in client.get("/metrics").text


def test_the_report_on_real_deals_is_there_for_everybody_in_every_language(
    client: FlaskClient, service: Service
) -> None:
    assert client.get(f"{API}/ops/deals").get_json() == {"items": [], "next": None}
    assert "too few hands" in client.get("/ops/deals?lang=en").text
    decks = [shuffle(bytes([number] * 32), hand_id("017-x", number)) for number in range(256)]
    unlucky = judged(decks, judged([*decks, decks[0]], None))
    with service.house.archive.engine.begin() as connection:
        connection.execute(deal_report.insert().values(number=2, report=json.dumps(unlucky)))
    told = client.get(f"{API}/ops/deals").get_json()["items"][0]
    assert (told["number"], told["deals"], told["total"]) == (2, 256, 513)
    assert 'href="/ops/deals"' in client.get("/").text
    pages = {language: client.get(f"/ops/deals?lang={language}").text for language in ("en", "fr", "es")}
    for language, word in (("en", "Five-card hands"), ("fr", "Mains de cinq cartes"), ("es", "Manos de cinco cartas")):
        assert word in pages[language]
        assert "deals." not in pages[language]
    alarms = sum(test["state"] == "alarm" for test in told["tests"])
    assert f"croupier_deal_alarms {alarms}.0" in client.get("/metrics").text
    with service.house.archive.engine.begin() as connection:
        connection.execute(deal_report.delete())


def test_operators_see_partitions_and_workers(client: FlaskClient, service: Service) -> None:
    host = bearer(service.host_token)
    rows = client.get(f"{API}/ops/partitions", headers=host).get_json()["items"]
    assert len(rows) == service.settings.partitions
    assert all(row["owner"] and row["lease_ms"] > 0 for row in rows)
    assert len(client.get(f"{API}/ops/workers", headers=host).get_json()["items"]) == 1
    assert client.get(f"{API}/ops/frozen", headers=host).get_json() == {"items": [], "next": None}
    assert client.get(f"{API}/ops/frozen").status_code == 401


def test_who_am_i(story: Story, ann: Player, service: Service) -> None:
    told = story.client.get(f"{API}/me", headers=bearer(ann.token)).get_json()
    assert told == {"kind": "seat", "actor": ann.actor, "table": story.table, "seat": 0, "player": "Ann"}
    assert story.client.get(f"{API}/me", headers=bearer(service.host_token)).get_json()["kind"] == "host"


def test_finished_hands_and_their_replay(story: Story, ann: Player, bob: Player) -> None:
    story.dealt()
    folds = story.on_turn()
    cards = {player.seat: player.view()["you"]["cards"] for player in (ann, bob)}
    folds.act("bring_in", 5)
    story.on_turn().act("fold")
    story.until(lambda view: view["number"] == 2)
    hands = story.client.get(f"{story.path}/hands").get_json()
    assert [hand["hand"] for hand in hands["items"]] == [1]
    one = story.client.get(f"{story.path}/hands/1", headers=bearer(ann.token)).get_json()
    assert one["events"][-1]["event"] == "HandEnded"
    assert one["yours"]["own"] == 0
    steps = story.client.get(f"{story.path}/hands/1/replay").get_json()["steps"]
    last = story.client.get(f"{story.path}/hands/1/replay?step={len(steps) - 1}").get_json()
    assert last == steps[-1]
    assert story.client.get(f"{story.path}/hands/1/replay?step={len(steps)}").status_code == 404
    own = f"{story.path}/hands/1/replay?step={len(steps) - 1}&view=seat:0"
    assert story.client.get(own, headers=bearer(ann.token)).get_json()["view"]["you"]["cards"] == cards[0]
    for token in ({}, bearer(bob.token)):
        refused = story.client.get(own, headers=token)
        assert (refused.status_code, refused.get_json()["code"]) == (403, "not_for_you")
    full = story.client.get(f"{story.path}/hands/1/replay?view=full", headers=bearer(ann.token))
    assert full.status_code == 403


def test_a_finished_hand_can_be_checked(story: Story, ann: Player, bob: Player) -> None:
    """Here, and by anybody: the door cards open to the root that was published before they were dealt."""
    story.dealt()
    root = story.view()["hand"]["root"]
    doors = {place["cards"][2] for place in story.view()["seats"][:2]}
    story.on_turn().act("bring_in", 5)
    story.on_turn().act("fold")
    story.until(lambda view: view["number"] == 2)
    verdict = story.client.get(f"{story.path}/hands/1/verify").get_json()
    assert verdict["ok"]
    assert {"chain", "openings"} <= {check["name"] for check in verdict["checks"]}
    deal = story.client.get(f"{story.path}/hands/1/deal").get_json()
    assert (deal["root"], {card["card"] for card in deal["opened"]}) == (root, doors)
    for card in deal["opened"]:
        opening = bytes.fromhex(card["opening"])
        assert verify_opening(bytes.fromhex(root), hand_id(story.table, 1), card["at"], parse(card["card"]), opening)


def test_the_log_as_json_lines_and_messagepack(story: Story, ann: Player) -> None:
    from services.wire import unpack

    document = story.client.get(f"{story.path}/events?limit=1").get_json()
    assert (document["items"][0]["event"], document["next"]) == ("TableOpened", 1)
    rest = story.client.get(f"{story.path}/events?after=1").get_json()
    assert rest["next"] is None
    lines = story.client.get(f"{story.path}/events", headers={"Accept": "application/x-ndjson"})
    assert len(lines.text.splitlines()) == 2
    packed = story.client.get(f"{story.path}/events", headers={"Accept": "application/vnd.msgpack"})
    assert unpack(packed.data)["items"][1]["player"] == "Ann"
    assert story.client.get(f"{story.path}/events", headers={"Accept": "image/png"}).status_code == 406


def test_three_hundred_at_once_share_a_few_connections(story: Story, service: Service) -> None:
    with ThreadPoolExecutor(300) as pool:
        seen = set(pool.map(lambda _: service.house.tables.reader.head(story.table)[0], range(3000)))
    assert seen == {1}


# --- limits and trouble ----------------------------------------------------------------------------------------------


def test_a_bucket_runs_dry_and_fills_again(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("api.limits.time.monotonic", lambda: now[0])
    limits = Limits(rate=10)
    assert [limits.take("ann") for _ in range(10 * BURST_S)] == [0.0] * 10 * BURST_S
    assert limits.take("ann") == pytest.approx(0.1)
    assert limits.take("bob") == 0.0
    now[0] += 0.11
    assert (limits.take("ann"), limits.take("ann") > 0) == (0.0, True)


def test_too_many_requests_are_429_with_retry_after(client: FlaskClient, service: Service, story: Story) -> None:
    limits = Limits(rate=1)
    house = service.app.extensions["croupier"]
    object.__setattr__(house, "limits", limits)
    try:
        answers = [client.get(story.path, environ_base={"REMOTE_ADDR": "203.0.113.9"}) for _ in range(BURST_S + 1)]
        guesses = [
            client.get(story.path, environ_base={"REMOTE_ADDR": "203.0.113.8"}, headers=bearer(f"cr_{number:043}"))
            for number in range(BURST_S + 1)
        ]
    finally:
        object.__setattr__(house, "limits", Limits(service.settings.rate))
    assert [answer.status_code for answer in answers] == [200] * BURST_S + [429]
    assert answers[-1].headers["Retry-After"] == "1"
    assert [answer.status_code for answer in guesses] == [401] * BURST_S + [429]


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (Backlog("partition 3"), "backlog"),
        (StoreRefused("OOM"), "durability_degraded"),
        (OutcomeUnknown("ConnectionError"), "outcome_unknown"),
    ],
)
def test_trouble_with_the_store_is_503_and_safe_to_repeat(
    story: Story, ann: Player, service: Service, monkeypatch: pytest.MonkeyPatch, error: Exception, code: str
) -> None:
    def refuse(*words: object) -> None:
        raise error

    monkeypatch.setattr(service.house.tables._inbox, "append", refuse)
    trouble = ann.send({"verb": "sit_out"}, k=5)
    assert (trouble.status_code, trouble.get_json()["code"]) == (503, code)
    assert trouble.headers["Retry-After"] == "1"
    monkeypatch.undo()
    assert ann.send({"verb": "sit_out"}, k=5).status_code == 200


def test_an_append_of_unknown_outcome_is_repeated_and_takes_effect_once(
    story: Story, ann: Player, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reply was lost, the entry was not: the same (actor, k) again is no second command (P142)."""
    inbox = service.house.tables._inbox
    append: Callable[..., str] = inbox.append
    lost = []

    def lose_first(*words: Any) -> str:
        entry = append(*words)
        if not lost:
            lost.append(entry)
            raise OutcomeUnknown("ConnectionError")
        return entry

    monkeypatch.setattr(inbox, "append", lose_first)
    assert ann.send({"verb": "sit_out"}).status_code == 200
    assert lost
    assert [event["event"] for event in story.events()].count("SatOut") == 1


@pytest.mark.parametrize("arrives", [True, False])
def test_who_may_have_been_seated_gets_his_token_and_asks_again(
    story: Story, service: Service, monkeypatch: pytest.MonkeyPatch, arrives: bool
) -> None:
    """Else the seat might be taken by somebody who cannot play it."""
    inbox = service.house.tables._inbox
    append: Callable[..., str] = inbox.append

    def lose(*words: Any) -> str:
        if arrives:
            append(*words)
        raise OutcomeUnknown("ConnectionError")

    monkeypatch.setattr(inbox, "append", lose)
    path, wanted = f"{story.path}/seats/0", {"player": "Ann", "chips": 1000}
    trouble = story.client.put(path, json=wanted)
    told = trouble.get_json()
    assert (trouble.status_code, told["code"], trouble.headers["Retry-After"]) == (503, "outcome_unknown", "1")
    assert told["token"] in trouble.headers["Set-Cookie"]
    monkeypatch.undo()
    again = [story.client.put(path, json=wanted, headers=bearer(told["token"])) for _ in range(2)]
    assert [answer.status_code for answer in again][1:] == [200]
    assert {answer.get_json()["actor"] for answer in again} == {told["actor"]}
    assert [event["event"] for event in story.events()].count("Sat") == 1
    assert story.client.put(path, json=wanted).get_json()["code"] == "seat_taken"
    assert story.view(told["token"])["you"]["seat"] == 0


def test_a_fault_freezes_one_table_and_the_host_starts_it_again(
    story: Story, ann: Player, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command that met the fault is kept; what it said is told to nobody."""
    other = Story.opened(story.client, service.host_token)
    act, secret = workers.owner.act, "As Kd"

    def faulty(table: Table, *more: Any) -> Any:
        if table.id == story.table:
            raise ZeroDivisionError(secret)
        return act(table, *more)

    monkeypatch.setattr(workers.owner, "act", faulty)
    broken = ann.send({"verb": "sit_out"})
    assert (broken.status_code, broken.get_json()["code"]) == (500, "engine_error")
    monkeypatch.undo()
    refused = ann.send({"verb": "sit_out"})
    assert (refused.status_code, refused.get_json()["code"]) == (409, "table_frozen")
    assert other.sit(0, "Eve").name == "Eve"
    host = bearer(service.host_token)
    frozen = story.client.get(f"{API}/ops/frozen", headers=host).get_json()["items"]
    assert [(row["table"], row["error"]) for row in frozen] == [(story.table, "ZeroDivisionError")]
    assert secret not in str(frozen)
    assert lobby_status(story) == "frozen"
    assert "The table has been stopped for a check." in story.client.get(f"/tables/{story.table}?lang=en").text
    assert story.client.post(f"{API}/ops/frozen/{story.table}/retry", headers=host).status_code == 200
    assert ann.send({"verb": "sit_out"}).status_code == 200
    assert lobby_status(story) == "running"
    assert story.client.post(f"{API}/ops/frozen/{story.table}/retry", headers=host).status_code == 404


def lobby_status(story: Story) -> str:
    """What the lobby says of the table, among those of the same status."""
    (status,) = (status for status in ("running", "frozen") if story.row(f"&status={status}"))
    return status


# --- the document ----------------------------------------------------------------------------------------------------


def test_every_operation_is_documented(client: FlaskClient) -> None:
    api = client.get("/openapi.json").get_json()
    documented = {(method.upper(), path) for path, methods in api["paths"].items() for method in methods}
    assert documented == {(known.method, PREFIX + known.path) for known in OPERATIONS}
    assert api["openapi"].startswith("3.1")
    bodies = [
        told["requestBody"] for methods in api["paths"].values() for told in methods.values() if "requestBody" in told
    ]
    assert all(body["required"] for body in bodies)


def test_every_list_says_how_it_goes_on(story: Story, ann: Player) -> None:
    for known in OPERATIONS:
        path = PREFIX + known.path.replace("{table}", story.table).replace("{seat}", "0")
        if known.method == "GET" and "{" not in path and known.id != "stream":
            told = story.client.get(path, headers=bearer(ann.token)).data
            assert b'{"items":' not in told[:9] or "next" in json.loads(told), path


def test_docs_and_problem_pages_need_nobody_else(client: FlaskClient) -> None:
    page = client.get("/docs").text
    assert "/tables/{table}/commands" in page
    assert "<script" not in page
    assert "://" not in page
    for code in [*KINDS, *RULES]:
        assert client.get(f"/problems/{code}").status_code == 200
        assert f'href="/problems/{code}"' in page


def test_what_a_refusal_means_is_told_in_the_readers_language(client: FlaskClient) -> None:
    for language in LANGUAGES:
        told = client.get("/problems/seat_taken", headers={"Accept-Language": language}).text
        assert told.startswith("Seat taken (HTTP 409)") and catalogue(language)["problem.seat_taken"] in told
    for code in ("never_heard_of", "Backlog", "backlog%00", "x" * 500):
        assert client.get(f"/problems/{code}").get_json()["code"] == "not_found"


def cases_of(service: Service, known: Operation, mode: GenerationMode, **fixed: Any) -> Any:
    schema = schemathesis.openapi.from_wsgi("/openapi.json", service.app)
    return schema[PREFIX + known.path][known.method].as_strategy(generation_mode=mode, **fixed)


FUZZ = settings(max_examples=12, phases=[Phase.generate], suppress_health_check=list(HealthCheck))


@pytest.mark.parametrize("known", [known for known in OPERATIONS if known.id != "stream"], ids=lambda known: known.id)
def test_what_fits_the_document_is_answered_as_it_says(
    known: Operation, service: Service, story: Story, ann: Player
) -> None:
    @FUZZ
    @given(case=cases_of(service, known, GenerationMode.POSITIVE), real=st.booleans())
    def check(case: Any, real: bool) -> None:
        if real and "table" in known.names:
            case.path_parameters["table"] = story.table
        case.query.pop("wait", None)  # long-polls are told of elsewhere, in less time
        token = ann.token if real and known.auth == "seat" else service.host_token
        # A made-up key is superseded, a made-up turn or version is stale: 410 and 412, as the document says.
        may_fail = "Idempotency-Key" in known.headers
        case.call_and_validate(headers=bearer(token), excluded_checks=[positive_data_acceptance] * may_fail)

    check()


@pytest.mark.parametrize("known", [known for known in OPERATIONS if known.body], ids=lambda known: known.id)
def test_what_does_not_fit_the_document_is_refused(
    known: Operation, service: Service, story: Story, ann: Player
) -> None:
    path = {name: value for name, value in {"table": story.table, "seat": 0}.items() if name in known.names}
    token = ann.token if known.auth == "seat" else service.host_token

    @FUZZ
    @given(case=cases_of(service, known, GenerationMode.NEGATIVE, path_parameters=path))
    def check(case: Any) -> None:
        assume("Authorization" not in case.headers)  # ours would take the place of what is expected to be refused
        response = case.call(headers=bearer(token))
        if response.status_code != 413:  # too large is refused before anybody looks at what it says
            case.validate_response(response)

    check()
