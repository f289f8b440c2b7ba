"""A house whose archive is in PostgreSQL."""

from __future__ import annotations

from pathlib import Path

from services.archive import Archive
from tests.house.houses import Table, house, wait_for
from tests.jobs.postgres import running_postgres


def test_hands_are_archived_verified_and_shown(tmp_path: Path) -> None:
    """P149, on the other kind of database: chores write, the API reads, nothing is kept in a file beside it."""
    with running_postgres() as postgres:
        url = postgres.database()
        environment = {"CROUPIER_DATABASE_URL": url, "CROUPIER_DURABILITY": "dev"}
        with house(tmp_path, environment=environment) as up, Archive(url) as archive:
            table = Table(up, "razz", seats=2, hand_gap_seconds=0)
            for seat, player in enumerate(("Ann", "Bob")):
                table.sit(seat, player, 1000)
            view = table.wait(lambda view: bool(view["hand"] and view["hand"]["legal"]), "a hand is dealt")
            opener = view["hand"]["actor"]
            table.command(opener, verb="bring_in", turn=view["turn"])
            table.command(1 - opener, verb="fold", turn=table.see()["view"]["turn"])
            wait_for(lambda: archive.tail(table.id).hand, "the hand is archived", 120)
            wait_for(lambda: (table.id, 1) not in archive.unverified(100), "the hand is verified", 120)
            assert archive.failed() == []
            shown = table.host.get(f"/tables/{table.id}/hands").body["items"]
            assert {player["player"] for player in shown[-1]["players"]} == {"Ann", "Bob"}
            table.close()
        assert not (tmp_path / "data" / "archive.db").exists()
