"""From a command to its event and into the archive, every process as compose.yaml starts it."""

from __future__ import annotations

import json
from contextlib import closing
from itertools import islice
from typing import Any
from urllib.request import urlopen

import pytest

from services.archive import Archive
from services.client import Answer, Client
from tests.deploy.conftest import House
from tests.service.houses import free_port, wait_for


def on_turn(host: Client, table: str) -> dict[str, Any] | None:
    """The public view, once somebody is on turn."""
    view = host.get(f"/tables/{table}").body["view"]
    return view if view["hand"] and view["hand"]["actor"] is not None else None


@pytest.fixture(scope="module")
def table(house: House, host: Client) -> str:
    """Where Ann and Bob have played a hand of razz: one brought it in, the other folded."""
    answer = host.post("/tables", {"game": "razz", "options": {"hand_gap_seconds": 30}})
    assert answer.status == 201, answer
    table = str(answer.body["table"])
    seats = []
    for seat, name in enumerate(("Ann", "Bob")):
        sat = host.put(f"/tables/{table}/seats/{seat}", {"player": name, "chips": 1000})
        assert sat.status == 201, sat
        seats.append(sat.body)
    with closing(Client(house.url)) as player:
        for verb in ("bring_in", "fold"):
            view = wait_for(lambda: on_turn(host, table), "somebody is on turn")
            seat = seats[view["hand"]["actor"]]
            player.token = seat["token"]
            done = player.command(table, seat["last"] + 1, {"verb": verb, "turn": view["turn"]}, 10)
            assert done.status == 200, done
    return table


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
