"""`croupier up --demo` from its first start to its last stop, as its operator meets it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from services.client import Client
from services.demo import DEMO_TABLES
from tests.house.houses import ROOT, Up, descendants, free_port, processes, signal_to, wait_for

CROUPIER = Path(sys.executable).parent / "croupier"
NAMES = {table.name for table in DEMO_TABLES}


class Shipped(Up):
    """The command itself, nothing of the tests in it."""

    def command(self) -> list[str]:
        data = ["--data-dir", str(self.folder / "data"), "--port", str(self.port)]
        return [str(CROUPIER), "up", *(["--demo"] if self.demo else []), *data]


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[Shipped]:
    """Not started yet."""
    demo = Shipped(tmp_path, demo=True)
    yield demo
    demo.kill()


def lobby(client: Client) -> dict[str, dict[str, Any]]:
    """Name → row."""
    return {row["name"]: row for row in client.get("/tables").body.get("items", [])}


def playing(client: Client, table: str, beyond: int = 0) -> dict[str, Any]:
    """The table as soon as a hand runs there at a version greater than `beyond`."""

    def look() -> dict[str, Any]:
        seen = client.get(f"/tables/{table}").body
        hand = seen["view"]["hand"]
        return seen if seen["version"] > beyond and hand and not hand["over"] else {}

    return wait_for(look, "a hand runs")


def events(client: Client, table: str, after: int) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = client.get(f"/tables/{table}/events?after={after}&limit=1000").body["items"]
    return items


def test_from_the_first_start_to_the_last_stop(demo: Shipped) -> None:
    """It says where everything is; bots play; Ctrl-C leaves nothing behind; the next start goes on in mid-hand."""
    demo.start()
    assert demo.url in demo.said[0] and demo.token.startswith("cr_")
    assert any(str(demo.folder / "data") in line for line in demo.said)
    assert any(line.startswith("server") and line.split()[1] in ("redis", "valkey") for line in demo.said)
    client = demo.client()
    tables = wait_for(lambda: lobby(client) if len(lobby(client)) == len(NAMES) else {}, "the demo's tables")
    assert set(tables) == NAMES
    ids = sorted(row["table"] for row in tables.values())
    before = {table: playing(client, table) for table in ids}
    players = {table: [place and place["player"] for place in seen["view"]["seats"]] for table, seen in before.items()}
    stop_cleanly(demo)
    client.close()

    again = Shipped(demo.folder, demo=True).start()
    try:
        client = again.client()
        assert again.token == demo.token and sorted(row["table"] for row in lobby(client).values()) == ids
        after = {table: playing(client, table, before[table]["version"]) for table in ids}
        extended = 0
        for table in ids:
            since = events(client, table, before[table]["version"])
            goes_on(table, before[table]["view"], since)
            extended += any(event["event"] == "ClockExtended" and event["reason"] == "outage" for event in since)
            seated = [place and place["player"] for place in after[table]["view"]["seats"]]
            assert [name for name in players[table] if name] == [name for name in seated if name]
        assert extended, "no running turn got the time of the pause back"
        client.close()
        stop_cleanly(again)
    finally:
        again.kill()


def goes_on(table: str, before: dict[str, Any], since: list[dict[str, Any]]) -> None:
    """The running hand was played on; no hand began before it was over."""
    kinds = [event["event"] for event in since]
    started = [event["number"] for event in since if event["event"] == "HandStarted"]
    assert started == list(range(before["number"] + 1, before["number"] + 1 + len(started))), table
    if started and "HandEnded" not in kinds[: kinds.index("HandStarted")]:
        assert before["hand"]["over"], f"{table} forgot its running hand"


def stop_cleanly(demo: Shipped) -> None:
    """Exit status 0, and of all its processes none is left."""
    assert demo.process is not None
    family = descendants(demo.process.pid)
    assert len(family) >= 5, "store, worker, chores, API, bots"
    assert demo.stop() == 0, demo.errors.read_text()[-2000:]
    assert set(family) & set(processes()) == set()
    assert "Traceback" not in demo.errors.read_text()


def test_two_houses_in_one_folder_share_it(demo: Shipped) -> None:
    """The second adopts the store of the first: same tables, more workers; it goes, and the first goes on.

    And when the first is killed, all that it started ends by itself and the next start works.
    """
    demo.demo = False
    demo.start()
    table = demo.open_table("razz", name="shared")
    second = Shipped(demo.folder, port=free_port())
    try:
        second.start()
        client = second.client()
        assert lobby(client)["shared"]["table"] == table and second.token == demo.token
        assert client.post(f"/tables/{table}/state", {"state": "paused"}).ok
        client.close()
        assert second.stop() == 0
    finally:
        second.kill()
    client = demo.client()
    assert client.post(f"/tables/{table}/state", {"state": "running"}).ok
    client.close()
    killed(demo)
    third = Shipped(demo.folder).start()
    try:
        assert third.stop(signal.SIGTERM) == 0
    finally:
        third.kill()


def killed(demo: Shipped) -> None:
    """SIGKILL, and nothing of it is left."""
    assert demo.process is not None
    family = descendants(demo.process.pid)
    signal_to(demo.process.pid, signal.SIGKILL)
    demo.process.wait(10)
    wait_for(lambda: not set(family) & set(processes()), "nothing is left")


# --- stores that are refused -----------------------------------------------------------------------------------------


def refusal(folder: Path, **environment: str) -> str:
    """What `croupier up` says on its way out."""
    command = [str(CROUPIER), "up", "--data-dir", str(folder / "data"), "--port", str(free_port())]
    chosen = {f"CROUPIER_{name}": value for name, value in environment.items()}
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, **chosen}, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and "Traceback" not in done.stderr, done.stderr
    return done.stderr


def test_a_server_too_old_is_refused(tmp_path: Path) -> None:
    program = tmp_path / "redis-server"
    program.write_text("#!/bin/sh\necho 'Redis server v=6.2.14 sha=00000000:0'\n", encoding="ascii")
    program.chmod(0o755)
    said = refusal(tmp_path, REDIS_SERVER=str(program))
    assert "redis 6.2.14" in said and "7.0 or newer" in said


def test_a_server_that_would_forget_the_log_is_refused(tmp_path: Path) -> None:
    """Somebody else's store, without an append-only file and with eviction: both are named, nothing is started."""
    program = shutil.which("redis-server") or shutil.which("valkey-server")
    if program is None:
        pytest.skip("no server on the path")
    address = tmp_path / "foreign.sock"
    options = ["--port", "0", "--unixsocket", str(address), "--save", "", "--maxmemory-policy", "allkeys-lru"]
    with subprocess.Popen([program, *options], stdout=subprocess.DEVNULL, cwd=tmp_path) as server:
        try:
            wait_for(address.exists, "the foreign server listens")
            said = refusal(tmp_path, REDIS_URL=f"unix://{address}")
        finally:
            server.kill()
    assert "appendonly yes" in said and "noeviction" in said


def test_a_store_that_is_not_there_is_named(tmp_path: Path) -> None:
    assert "CROUPIER_REDIS_URL does not answer" in refusal(tmp_path, REDIS_URL=f"unix://{tmp_path}/nobody.sock")
