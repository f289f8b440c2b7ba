"""The demo's tables: one of every game; a tournament that is over makes room for the next one."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from engine.game import games
from services import demo
from services.bots import TableBots
from services.client import Client
from services.policies import POLICIES
from tests.api.conftest import Service


def test_there_is_a_table_of_every_game() -> None:
    assert {table.game for table in demo.DEMO_TABLES} == games().keys()


def test_a_tournament_that_is_won_is_followed_by_the_next(
    service: Service, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Record 12: at a table of its own, of the same name; the bots sit down again. Nobody folds: it is over soon."""
    all_in_at_once = {"hasaga.stack": 10, "hasaga.levels": "10/10+10"}
    options = {"seats": 8, "hand_gap_seconds": 0, **all_in_at_once}
    table = demo.DemoTable("Short Hasaga", "hasaga", options, 3, 20)
    monkeypatch.setattr(demo, "DEMO_TABLES", (table,))
    url = f"http://{service.url}"
    first = demo.open_tables(Client(url, service.host_token))[table.name]
    crew = TableBots(url, first, ["Ada", "Blaise", "Carl"], table.chips, think_s=0, policy=POLICIES["calldown"])

    def seated() -> None:
        if crew.table != first and len(crew.bots) == 3:
            crew.stop.set()

    crew.changed = seated
    demo.keep(crew, table, Client(url, service.host_token), 0.05)
    ended = client.get(f"/api/v1/tables/{first}").get_json()["view"]
    begun = client.get(f"/api/v1/tables/{crew.table}").get_json()["view"]
    assert ended["status"] == "closed" and 1 in ended["tournament"]["ranks"].values()
    assert (begun["name"], begun["status"]) == (table.name, "running")
