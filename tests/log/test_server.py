"""The embedded server: one per data folder, never older than its data, gone with its supervisor."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from services.server import (
    Binary,
    find_binary,
    identify,
    require_no_downgrade,
    running,
    socket_path,
    start_server,
)
from services.settings import Settings
from services.store import StoreUnfit, connect, require_fit

SUPERVISOR = """
import sys, time
from pathlib import Path
from services.server import start_server
from services.settings import Settings
server = start_server(Settings(data_dir=Path(sys.argv[1]), durability="standard"))
print("adopted" if server.adopted else "mine", server.label, flush=True)
time.sleep(60)
"""


def settings(folder: Path) -> Settings:
    return Settings(data_dir=folder, durability="standard")


def fake_binary(folder: Path, says: str) -> Path:
    path = folder / "redis-server"
    path.write_text(f"#!/bin/sh\necho '{says}'\n", encoding="ascii")
    path.chmod(0o755)
    return path


def test_it_keeps_its_data_and_is_fit_for_the_level(tmp_path: Path) -> None:
    server = start_server(settings(tmp_path))
    client = connect(server.url)
    require_fit(client, "standard")
    client.set("a", 1)
    server.stop()
    server = start_server(settings(tmp_path))
    assert client.get("a") == b"1"
    client.close()
    server.stop()


def test_the_second_to_start_adopts_the_server(tmp_path: Path) -> None:
    mine = start_server(settings(tmp_path))
    other = start_server(settings(tmp_path))
    assert not mine.adopted
    assert other.adopted
    assert (mine.url, mine.label) == (other.url, other.label)
    other.stop()
    assert running(tmp_path / "redis", tmp_path / "redis" / "redis.sock") == mine.label
    mine.stop()
    assert running(tmp_path / "redis", tmp_path / "redis" / "redis.sock") is None


def test_who_adopted_it_takes_it_over_when_its_supervisor_goes(tmp_path: Path) -> None:
    """As when somebody stops the house and starts it again before it is gone."""
    mine = start_server(settings(tmp_path))
    other = start_server(settings(tmp_path))
    other.keep()
    assert other.adopted
    client = connect(other.url)
    client.set("a", 1)
    mine.stop()
    other.keep()
    assert not other.adopted
    assert client.get("a") == b"1"
    client.close()
    other.stop()
    assert running(tmp_path / "redis", tmp_path / "redis" / "redis.sock") is None


def test_of_three_that_start_at_once_one_supervises(tmp_path: Path) -> None:
    command = [sys.executable, "-c", SUPERVISOR, str(tmp_path)]
    started = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    said = [process.stdout.readline().split()[0] for process in started if process.stdout]
    for process in started:
        process.kill()
        process.communicate()
    assert sorted(said) == ["adopted", "adopted", "mine"]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child of its parent's death")
def test_it_ends_with_a_killed_supervisor_and_the_next_one_finds_all_data(tmp_path: Path) -> None:
    command = [sys.executable, "-c", SUPERVISOR, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as supervisor:
        assert supervisor.stdout is not None
        supervisor.stdout.readline()
        client = connect(f"unix://{socket_path(tmp_path / 'redis')}")
        client.set("a", 1)
        supervisor.send_signal(signal.SIGKILL)
    server = start_server(settings(tmp_path))
    assert not server.adopted
    assert client.get("a") == b"1"
    client.close()
    server.stop()


def test_a_folder_too_deep_for_a_socket_gets_a_private_short_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deep = tmp_path / ("deep" * 25)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    server = start_server(settings(deep))
    assert server.url.startswith(f"unix://{tmp_path}/croupier-{os.getuid()}/")
    assert (tmp_path / f"croupier-{os.getuid()}").stat().st_mode & 0o777 == 0o700
    server.stop()


def test_an_open_folder_for_the_short_socket_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    (tmp_path / f"croupier-{os.getuid()}").mkdir(mode=0o777)
    (tmp_path / f"croupier-{os.getuid()}").chmod(0o777)
    with pytest.raises(StoreUnfit, match="private"):
        socket_path(tmp_path / ("deep" * 25))


def test_the_wheel_brings_a_server_where_the_path_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert find_binary(None).flavour == "valkey"


def test_a_too_old_server_is_passed_over_on_the_path_and_refused_when_configured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Redis 6.2 opens the files of a newer one as empty, without an error."""
    old = fake_binary(tmp_path, "Redis server v=6.2.14 sha=00000000:0")
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    assert find_binary(None).version >= (7, 0)
    with pytest.raises(StoreUnfit, match=r"6\.2\.14.*apt-get install"):
        find_binary(old)


def test_something_else_is_no_server(tmp_path: Path) -> None:
    with pytest.raises(StoreUnfit, match="no Redis or Valkey"):
        identify(fake_binary(tmp_path, "hello"))
    with pytest.raises(StoreUnfit, match="cannot be run"):
        identify(tmp_path / "nothing")


def test_a_downgrade_of_the_data_is_refused(tmp_path: Path) -> None:
    (tmp_path / "SERVER").write_text("valkey 9.1.2\n", encoding="utf-8")
    require_no_downgrade(tmp_path, Binary(Path("v"), "valkey", (9, 1, 0)))
    require_no_downgrade(tmp_path, Binary(Path("r"), "redis", (7, 0, 15)))
    with pytest.raises(StoreUnfit, match="newer than valkey"):
        require_no_downgrade(tmp_path, Binary(Path("v"), "valkey", (8, 1, 8)))


def test_a_server_that_cannot_start_says_where_to_look(tmp_path: Path) -> None:
    path = fake_binary(tmp_path, "Redis server v=7.0.15")
    with path.open("a", encoding="ascii") as script:
        script.write('test "$1" = --version || exit 3\n')
    with pytest.raises(StoreUnfit, match=r"ended \(3\).*server\.log"):
        start_server(Settings(data_dir=tmp_path, redis_server=path))
    start_server(settings(tmp_path)).stop()  # the lock is free again


def test_a_server_that_was_killed_is_started_again_with_its_data(tmp_path: Path) -> None:
    server = start_server(settings(tmp_path))
    client = connect(server.url)
    client.set("a", 1)
    assert server.process is not None
    server.process.kill()
    server.process.wait(timeout=10)
    server.keep()
    assert client.get("a") == b"1"
    client.close()
    server.stop()


def test_a_server_that_still_loads_its_log_is_not_ready(tmp_path: Path) -> None:
    """Half a million entries take a while; whoever waited may use the store at once."""
    server = start_server(settings(tmp_path))
    client = connect(server.url)
    for _ in range(50):  # none of them takes long, on whatever machine
        client.eval("for i = 1, 10000 do redis.call('RPUSH', 'list', 'x') end", 0)
    server.stop()
    server = start_server(settings(tmp_path))
    assert client.llen("list") == 500_000
    client.close()
    server.stop()
