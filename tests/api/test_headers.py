"""What clients say in headers: which version they know, which media type they take (RFC 9110)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from engine.commands import ChangeOptions
from services.reader import Reader
from services.segment import decisions
from services.store import connect
from services.wire import COMMANDS
from tests.api.conftest import Service
from tests.api.story import API, Player, Story, bearer


@pytest.mark.parametrize(
    ("known", "status"),
    [
        ('"{v}"', 304),
        ('W/"{v}"', 304),
        ('"0", "{v}"', 304),
        ('"0",W/"{v}"', 304),
        ("*", 304),
        ('"0"', 200),
        ('W/"0", "{v}0"', 200),
        ("", 200),
    ],
)
def test_a_view_that_is_known_in_any_way_is_not_sent_again(story: Story, known: str, status: int) -> None:
    """A proxy that packs answers makes a weak tag of ours; a cache may know several."""
    version = story.seen()["version"]
    response = story.client.get(story.path, headers={"If-None-Match": known.replace("{v}", str(version))})
    assert (response.status_code, response.headers["ETag"]) == (status, f'"{version}"')


@pytest.mark.parametrize(
    ("wanted", "status"),
    [('"{v}"', 200), ("*", 200), ('"0", "{v}"', 200), ('W/"{v}"', 412), ('"0"', 412), ("", 412), ("x", 412)],
)
def test_only_the_version_that_was_seen_is_changed(story: Story, wanted: str, status: int) -> None:
    version = story.seen()["version"]
    headers = {**bearer(story.host_token), "If-Match": wanted.replace("{v}", str(version))}
    response = story.client.post(f"{story.path}/state", json={"state": "paused"}, headers=headers)
    assert response.status_code == status
    assert story.seen()["version"] == version + (status == 200)


def test_of_many_who_change_the_same_version_one_does(service: Service, story: Story) -> None:
    """The table's owner compares: whoever looks before he asks may be too late. A repeated key has its answer again."""
    seen = {**bearer(story.host_token), "If-Match": f'"{story.seen()["version"]}"'}

    def rename(number: int, key: str = "") -> TestResponse:
        headers = {**seen, "Idempotency-Key": key} if key else seen
        body = {"options": {"name": f"no {number}"}}
        return service.app.test_client().patch(story.path, json=body, headers=headers)

    with ThreadPoolExecutor(12) as pool:
        answers = [answer.status_code for answer in pool.map(rename, range(12))]
    assert sorted(answers) == [200] + [412] * 11
    late = rename(12, key="3").get_json()
    assert (late["code"], late["version"], story.seen()["version"]) == ("version_conflict", 2, 2)
    seen["If-Match"] = '"2"'
    first, again = (rename(13, key="4") for _ in range(2))
    assert (first.status_code, again.get_json()) == (200, first.get_json())
    with closing(connect(str(service.settings.redis_url))) as store:
        *_, last = decisions(Reader(store).load(story.table, from_snapshot=False).entries)
    plain = ChangeOptions("host", {"name": "no 13"})
    assert COMMANDS.decode(last.recorded.command) == plain, "what it was compared with is no part of the log"


@pytest.mark.parametrize(
    ("path", "accepted", "media"),
    [
        ("events", "application/json; charset=utf-8", "application/json"),
        ("events", "text/html, application/json;charset=utf-8;q=0.9", "application/json"),
        ("events", "application/json;q=0.4, application/x-ndjson;q=0.5", "application/x-ndjson"),
        ("events", "text/html,*/*;q=0.8", "application/json"),
        ("ledger", "text/csv; header=present", "text/csv"),
        ("stream", "text/event-stream;charset=utf-8", "text/event-stream"),
    ],
)
def test_a_parameter_makes_no_other_type_of_a_media_type(story: Story, path: str, accepted: str, media: str) -> None:
    response = story.client.get(f"{story.path}/{path}", headers={"Accept": accepted}, buffered=False)
    assert (response.status_code, response.mimetype) == (200, media)
    response.close()


@pytest.mark.parametrize("accepted", ["application/json;q=0", "*/*;q=0", "json"])
def test_what_cannot_be_had_is_told_with_what_can(story: Story, accepted: str) -> None:
    response = story.client.get(f"{story.path}/events", headers={"Accept": accepted})
    assert (response.status_code, response.get_json()["code"]) == (406, "not_acceptable")
    assert "application/x-ndjson" in response.get_json()["offered"]


def test_methods_that_somebody_makes_up_are_counted_as_one(client: FlaskClient) -> None:
    """Each would be kept for ever as a number of its own."""
    for number in range(3):
        assert client.open("/healthz", method=f"BREW{number}").status_code == 405
    text = client.get("/metrics").text
    assert 'croupier_http_requests_total{method="other",route="none",status="405"}' in text
    assert "BREW" not in text


def test_every_header_that_counts_is_documented(client: FlaskClient) -> None:
    """Who may be told to wait can say for how long; whoever numbers his commands need not be a player."""
    api = client.get("/openapi.json").get_json()["paths"]
    for methods in api.values():
        for method, told in methods.items():
            headers = {one["name"]: one["required"] for one in told.get("parameters", ()) if one["in"] == "header"}
            assert ("Prefer" in headers) == ("202" in told["responses"] and method != "get"), told["operationId"]
            assert headers.get("Idempotency-Key", False) == (told["operationId"] == "act")
            assert "Retry-After" in told["responses"]["503"]["headers"]
    assert "If-Match" in str(api[f"{API}/tables/{{table}}"]["patch"]["parameters"])


def test_who_is_nobody_is_told_so_before_his_body_is_read(service: Service, story: Story, ann: Player) -> None:
    for path in (f"{story.path}/seats/0/pledge", f"{story.path}/seats/0/seed"):
        assert story.client.put(path, data=b"{").status_code == 401
        assert story.client.put(path, data=b"{", headers=bearer(service.host_token)).status_code == 403
