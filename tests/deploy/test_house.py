"""From a command to its event and into the archive, every process as compose.yaml starts it."""

from __future__ import annotations

import json
import re
from contextlib import closing
from itertools import islice
from urllib.request import urlopen

import pytest

from services.archive import Archive
from services.client import Answer, Client
from tests.deploy.conftest import House
from tests.deploy.files import expressions
from tests.house.houses import free_port, wait_for


def test_the_hosts_token_is_made_once(house: House, host: Client) -> None:
    assert house.operator("token").strip() == host.token
    kept = house.folder / "volumes" / "croupier" / "host.token"
    assert kept.stat().st_mode & 0o077 == 0 and kept.read_text("ascii").strip() == host.token


def test_a_hand_is_played_and_watched(house: House, host: Client, table: str) -> None:
    """And nobody lacked a right."""
    told = host.get(f"/tables/{table}/events?after=0").body["items"]
    assert {"HandStarted", "HandEnded"} <= {item["event"] for item in told}
    with urlopen(f"{house.url}/api/v1/tables/{table}/stream", timeout=20) as stream:
        first = b"".join(islice(stream, 5)).decode()
    assert "event: snapshot" in first
    assert house.denied() == []


def test_the_chores_archive_it_and_unseal_it_for_an_auditor(house: House, host: Client, table: str) -> None:
    """The API asks the chores by way of their queue; what a busy machine does not answer at once is asked for again."""
    house.start("jobs")
    with Archive(house.environment("api")["CROUPIER_DATABASE_URL"]) as archive:
        wait_for(lambda: archive.tail(table).hand >= 1, "the hand is archived")
    token = host.post("/tokens", {"role": "auditor", "name": "Carla", "reason": "a complaint"})
    assert token.status == 201, token
    path = f"/tables/{table}/hands/1/deal?unsealed=true&reason=complaint"
    with closing(Client(house.url, token.body["token"])) as auditor:
        deal = wait_for(lambda: answered(auditor, path), "the chores answer")
    assert deal.ok and len(deal.body["opened"]) == 52, deal.code
    assert house.denied() == []


def answered(client: Client, path: str) -> Answer | None:
    answer = client.get(path)
    return None if answer.status == 503 else answer


def test_the_auditors_user_is_enough_to_audit(house: House, table: str) -> None:
    own = {"CROUPIER_CONFIG": str(house.secrets / "auditor.toml"), "CROUPIER_DATA_DIR": str(house.folder / "auditor")}
    assert json.loads(house.operator("audit", "--table", table, "--json", **own))["ok"]


def test_the_operator_sees_that_all_is_well(house: House, table: str) -> None:
    told = json.loads(house.operator("doctor", "--port", str(free_port()), "--json"))
    assert [found for found in told["checks"] if not found["ok"]] == []


# --- what it tells of itself ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def told(house: House, table: str) -> str:
    """/metrics of a house in which a hand was played."""
    with urlopen(f"{house.url}/metrics", timeout=20) as answer:
        return str(answer.read().decode())


def test_every_number_that_is_asked_for_is_told_and_every_told_one_asked_for(told: str) -> None:
    kinds = dict(re.findall(r"^# TYPE (\w+) (\w+)$", told, re.M))
    known = {name for name in kinds if not name.endswith("_created")}
    asked = set(re.findall(r"\bcroupier_\w+", " ".join(expressions())))
    assert {name.removesuffix("_bucket") if name.endswith("_bucket") else name for name in asked} == known
    assert all(kinds[name.removesuffix("_bucket")] == "histogram" for name in asked if name.endswith("_bucket"))


def test_every_label_that_is_asked_for_is_told(told: str) -> None:
    """Routes with their value: a route that is called otherwise would give an empty picture."""
    asked = " ".join(expressions())
    assert {f'route="{route}"' for route in re.findall(r'route="([^"]+)"', asked)} <= set(
        re.findall(r'route="[^"]+"', told)
    )
    known = set(re.findall(r'[{,](\w+)="', told)) | {"job", "code"}  # the code of a refusal, and the scrape's own
    assert set(re.findall(r'[{,]\s*(\w+)\s*!?=~?"', asked)) <= known
    assert set(re.findall(r"by \((\w+)\)", asked)) <= known
