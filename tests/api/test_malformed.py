"""What a sloppy reader would guess at is refused with a code, and nothing of it reaches the table (P064-P067)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from api.bodies import Malformed, read_json
from services.keys import partition_keys, partition_of
from services.reader import Reader
from services.store import connect
from services.wire import decode_envelope
from tests.api.conftest import Service
from tests.api.story import API, Player, Story, bearer

PROBLEM = "application/problem+json"


def assert_problem(response: Any, code: str | None = None) -> dict[str, Any]:
    problem = dict(response.get_json())
    assert 400 <= response.status_code < 500, response.text
    assert response.content_type == PROBLEM
    assert problem["status"] == response.status_code
    assert problem["code"] == (code or problem["code"])
    return problem


def commands_of(player: Player, service: Service) -> set[int]:
    """The numbers of this player's commands that wait in the inbox or were answered; others may send what they like."""
    store = connect(str(service.settings.redis_url))
    entries = store.xrange(partition_keys(partition_of(player.story.table)).inbox)
    sent = [decode_envelope(fields[b"c"]) for _, fields in entries]
    found = {envelope.k for envelope in sent if envelope.actor == player.actor}
    last = Reader(store).receipt(player.story.table, player.actor)
    return found | ({last.k} if last else set())


AMOUNTS = [
    "-50", "-0", "0", "0.5", "1e309", "1e2", "10.5", "10.00001", "NaN", "Infinity", "true", '"100"', '" 100 "',
    '"140 + 100"', '"1_000"', '"1,000"', '"٣٠"', "[]", "{}", "2147483648", str(10**30), "٣٠", "0x10", "+5", "010",
]  # fmt: skip


@pytest.mark.parametrize("amount", AMOUNTS)
def test_p066_only_a_whole_number_is_an_amount(
    service: Service, story: Story, ann: Player, bob: Player, amount: str
) -> None:
    turn = story.on_turn()
    before = commands_of(turn, service), story.seen()["version"]
    body = f'{{"verb":"complete","turn":{story.view()["turn"]},"amount":{amount}}}'
    assert_problem(turn.send(body.encode()), "malformed")
    assert (commands_of(turn, service), story.seen()["version"]) == before


@pytest.mark.parametrize("verb", ["bet", "raise", "complete", "add_chips"])
@pytest.mark.parametrize("amount", [{}, {"amount": None}])
def test_p066_a_sized_action_without_its_size(
    story: Story, ann: Player, bob: Player, verb: str, amount: dict[str, Any]
) -> None:
    body = {"verb": verb, "turn": story.dealt()["turn"], **amount}
    assert_problem(story.on_turn().send(body), "malformed")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"[]",
        b"7",
        b'"fold"',
        b"{",
        b'{"verb":"fold","turn":1}{"verb":"fold","turn":1}',
        b'{"verb":"fold","verb":"check","turn":1}',
        b'{"verb":"b400b19999b20000f","turn":1}',
        b'{"verb":"0c","turn":1}',
        b'{"verb":"fold","turn":1,"hand":3}',
        b'{"verb":"fold","turn":true}',
        b'{"verb":"fold","turn":"1"}',
        b'{"verb":"fold","turn":0}',
        b'{"verb":"fold"}',
        b'{"verb":["fold"],"turn":1}',
        b'{"verb":"fold","turn":1,"amount":5}',
        b'{"verb":"fold","turn":' + b"9" * 400 + b"}",
        b'{"verb":"fold","turn":' + b"9" * 3900 + b"}",
        b'\xff\xfe{"verb":"fold","turn":1}',
        b'\xef\xbb\xbf{"verb":"fold","turn":1}',
        b'{"verb":"fold","turn":1,"item":"\\ud800"}',
        b"[" * 4000,
        b'{"a":' * 600 + b"1" + b"}" * 600,
    ],
)
def test_p065_a_body_is_one_command_and_nothing_else(service: Service, story: Story, ann: Player, body: bytes) -> None:
    before = commands_of(ann, service)
    assert_problem(ann.send(body), "malformed")
    assert commands_of(ann, service) == before


@pytest.mark.parametrize("key", ["", "0", "-1", "1.5", "abc", "٣", "1" * 40, "01", "1 "])
def test_keys_are_decimal(story: Story, ann: Player, key: str) -> None:
    assert_problem(ann.send({"verb": "sit_out"}, **{"Idempotency-Key": key}), "malformed")


def test_bodies_are_json_and_short(story: Story, ann: Player) -> None:
    assert_problem(ann.send(b"verb=fold", **{"Content-Type": "text/plain"}), "unsupported_media_type")
    assert_problem(ann.send(json.dumps({"verb": "fold", "turn": 1, "item": "x" * 5000})), "body_too_large")


@pytest.mark.parametrize(
    "options",
    [
        {"razz.small": "10"},
        {"razz.small": 10.5},
        {"razz.small": True},
        {"razz.small": -4},
        {"razz.small": None},
        {"seats": 200},
        {"name": 7},
        {"no.such": 1},
        {"name": {"deep": 1}},
        [],
        None,
    ],
)
def test_p067_stakes_as_text_are_refused_when_the_table_is_opened(
    client: FlaskClient, service: Service, options: Any
) -> None:
    body = {"game": "razz", "options": options}
    assert_problem(client.post(f"{API}/tables", json=body, headers=bearer(service.host_token)))


@pytest.mark.parametrize(
    "name", ["", " ", " Ann", "Ann ", "a" * 31, "new\nline", "tab\t", "\u202eevil", "zero\u200bwidth", "nul\0", 7, None]
)
def test_names_that_nobody_could_read_are_refused(story: Story, name: Any) -> None:
    assert_problem(story.client.put(f"{story.path}/seats/0", json={"player": name, "chips": 1000}))


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("tables/017-nosuch", 404),
        ("tables/999-x", 404),
        ("tables/17-x", 404),
        ("tables/017-X", 404),
        ("tables/..%2f..%2fetc", 404),
        ("tables/{t}/seats/9/actions", 404),
        ("tables/{t}/seats/-1/actions", 404),
        ("tables/{t}/seats/٣/actions", 404),
        ("tables/{t}/hands/0", 404),
        ("tables/{t}/hands/1e3", 404),
        ("tables/{t}/hands/7", 404),
        ("tables/{t}/commands/x", 404),
        ("tables/{t}/events?after=-1", 422),
        ("tables/{t}/events?after=1&after=2", 422),
        ("tables/{t}/events?limit=100000", 422),
        ("tables/{t}?wait=1e9", 422),
        ("tables/{t}/hands?last=x", 422),
        ("tables?cursor=%00", 422),
        ("tables?limit=0", 422),
        ("nothing", 404),
        ("/tables", 404),
        ("tables/", 404),
    ],
)
def test_addresses_and_queries_are_checked(story: Story, path: str, status: int) -> None:
    response = story.client.get(f"{API}/{path.replace('{t}', story.table)}")
    assert_problem(response)
    assert response.status_code == status


def test_a_method_that_an_address_does_not_know(story: Story) -> None:
    response = story.client.delete(f"{story.path}/events")
    assert_problem(response, "method_not_allowed")
    assert "GET" in response.headers["Allow"]


@given(st.binary(max_size=200) | st.text(max_size=100).map(str.encode))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        value = read_json(data)
    except Malformed:
        return
    assert json.loads(data) == value


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
fields = ["verb", "amount", "turn", "seat", "item", "indices", "choice"]


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    body=st.fixed_dictionaries({}, optional=dict.fromkeys(fields, anything)), verb=st.sampled_from(["fold", "sit_out"])
)
def test_no_body_breaks_a_command(story: Story, ann: Player, body: dict[str, Any], verb: str) -> None:
    for sent in (body, {**body, "verb": verb}):
        response = ann.send(json.dumps(sent).encode(), wait=2)
        assert response.status_code in (200, 400, 403, 409, 412, 413, 422), response.text
