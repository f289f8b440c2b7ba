"""From a command to its event and into the archive, every process as compose.yaml starts it."""

from __future__ import annotations

import json
from contextlib import closing
from itertools import islice
from urllib.request import urlopen

from services.archive import Archive
from services.client import Answer, Client
from tests.deploy.conftest import House
from tests.service.houses import free_port, wait_for


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
    """The API asks the chores by way of their queue; the operator finds nothing wrong with the installation."""
    house.start("jobs")
    with Archive(house.environment("api")["CROUPIER_DATABASE_URL"]) as archive:
        wait_for(lambda: archive.tail(table).hand == 1, "the hand is archived")
    token = host.post("/tokens", {"role": "auditor", "name": "Carla", "reason": "a complaint"})
    assert token.status == 201, token
    with closing(Client(house.url, token.body["token"])) as auditor:
        deal: Answer = auditor.get(f"/tables/{table}/hands/1/deal?unsealed=true&reason=complaint")
    assert deal.ok and len(deal.body["opened"]) == 52, deal.code
    assert house.denied() == []


def test_the_auditors_user_is_enough_to_audit(house: House, table: str) -> None:
    own = {"CROUPIER_CONFIG": str(house.secrets / "auditor.toml"), "CROUPIER_DATA_DIR": str(house.folder / "auditor")}
    assert json.loads(house.operator("audit", "--table", table, "--json", **own))["ok"]


def test_the_operator_sees_that_all_is_well(house: House, table: str) -> None:
    told = json.loads(house.operator("doctor", "--port", str(free_port()), "--json"))
    assert [found for found in told["checks"] if not found["ok"]] == []
