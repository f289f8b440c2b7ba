"""The store as deployed: the server is what redis.conf promises, and its users may do no more than they need."""

from __future__ import annotations

import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import redis

from services.store import connect, require_fit
from tests.deploy.conftest import House, answers
from tests.deploy.files import DEPLOY, make_secrets, read
from tests.house.houses import free_port, wait_for

TABLE = "{p000}:t:000-x"
NOT_ALLOWED = [
    *(("api", *words) for words in (
        ("HSET", f"{TABLE}:sec", "1", "made up"),
        ("XADD", f"{TABLE}:ev", "*", "e", "made up"),     # an event that nobody decided
        ("HSET", f"{TABLE}:st", "ver", "9"),
        ("HSET", f"{TABLE}:pub", "ver", "9"),
        ("HSET", "{p000}:own", "epoch", "9"),
        ("EVAL", "return redis.call('HGET', KEYS[1], '1')", "1", f"{TABLE}:st"),
        ("XTRIM", "{p000}:in", "MAXLEN", "0"),
        ("DEL", "{p000}:in"),
        ("CONFIG", "GET", "appendfsync"), ("KEYS", "*"), ("SCAN", "0"), ("FLUSHALL",), ("MONITOR",),
    )),
    *(("worker", *words) for words in (
        ("GET", "token:x"), ("SET", "token:x", "made up"), ("LRANGE", "rq:queue:croupier", "0", "-1"),
        ("CONFIG", "SET", "appendfsync", "no"), ("FLUSHALL",), ("KEYS", "*"), ("SHUTDOWN",), ("ACL", "LIST"),
    )),
    *(("jobs", *words) for words in (
        ("GET", "token:x"), ("SET", "token:x", "made up"), ("ZADD", "workers", "1", "me"),
        ("CONFIG", "SET", "appendfsync", "no"), ("FLUSHALL",), ("KEYS", "*"), ("DEL", f"{TABLE}:ev"),
    )),
    *(("auditor", *words) for words in (
        ("XADD", "{p000}:in", "*", "c", "made up"), ("HSET", f"{TABLE}:st", "ver", "9"), ("DEL", f"{TABLE}:ev"),
        ("GET", "token:x"), ("EVAL", "return 1", "0"), ("CONFIG", "SET", "appendfsync", "no"),
    )),
    *(("operator", *words) for words in (
        ("CONFIG", "SET", "appendfsync", "no"), ("FLUSHALL",), ("ACL", "SETUSER", "me", "on"), ("SHUTDOWN",),
        ("REPLICAOF", "NO", "ONE"),
    )),
]  # fmt: skip


def configured(client: Any, *names: str) -> dict[str, str]:
    return {name: client.config_get(name)[name] for name in names}


def test_the_server_is_what_redis_conf_says(store: House) -> None:
    """And it is what the program asks of a store at the level standard."""
    told = dict(line.split(" ", 1) for line in read(DEPLOY / "redis.conf").splitlines() if line and line[0] != "#")
    elsewhere = {"bind", "port", "aclfile"}  # the test's own
    assert set(told) - elsewhere == {
        "protected-mode", "appendonly", "appendfsync", "no-appendfsync-on-rewrite", "aof-use-rdb-preamble",
        "aof-load-truncated", "save", "maxmemory-policy", "repl-diskless-sync-delay",
    }  # fmt: skip
    with closing(store.client("operator")) as client:
        names = sorted(set(told) - elsewhere)
        assert configured(client, *names) == {name: told[name].strip('"') for name in names}
        require_fit(client, "standard")


@pytest.mark.parametrize("words", NOT_ALLOWED, ids=" ".join)
def test_nobody_may_do_what_he_need_not(store: House, words: tuple[str, ...]) -> None:
    user, *command = words
    with closing(store.client(user)) as client, pytest.raises(redis.exceptions.NoPermissionError):
        client.execute_command(*command)
    forget(store)


def forget(store: House) -> None:
    """What was refused here was asked for; other tests demand that nothing was."""
    with closing(store.client("operator")) as client:
        client.execute_command("ACL", "LOG", "RESET")


def test_strangers_may_do_nothing(store: House) -> None:
    """A name without its password is no better; and the health check's says nothing but that it is up."""
    with closing(store.client()) as stranger, pytest.raises(redis.AuthenticationError):
        stranger.get("token:x")
    with closing(store.client("operator", "operator")) as guess, pytest.raises(redis.AuthenticationError):
        guess.ping()
    with closing(store.client("health", "-")) as health, pytest.raises(redis.exceptions.NoPermissionError):
        health.get("token:x")
    forget(store)


def test_a_second_server_has_every_commit_at_the_level_strict(store: House) -> None:
    """deploy/replica.conf, its address replaced by the first server's here."""
    conf = store.secrets / "replica.conf"
    assert "replicaof redis 6379" in read(conf)
    here = read(conf).replace("replicaof redis 6379", f"replicaof 127.0.0.1 {store.store_port}")
    conf.write_text(here, "utf-8")
    with closing(store.client("worker")) as worker:
        store.serve("replica", str(conf), "--port", str(free_port()))
        wait_for(lambda: worker.info()["connected_slaves"] == 1, "the replica has come")
        require_fit(worker, "strict")
        worker.zadd("workers", {"somebody": 0})
        wait_for(lambda: worker.execute_command("WAIT", 1, 1000) == 1, "the replica has it")
        worker.zrem("workers", "somebody")


def back_up(*words: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(DEPLOY / "backup_log.py"), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


def test_a_copy_of_the_log_that_was_made_while_the_store_ran_is_loaded(store: House) -> None:
    """Also if the server is about to rewrite its files; nothing of the copying stays behind in its folder."""
    folder = store.folder / "redis"
    with closing(store.client("operator")) as client:
        client.rpush("written", *range(1000))
        client.bgrewriteaof()
        client.rpush("written", "last")
        done = back_up(folder, store.folder / "copied")
        assert done.returncode == 0, done.stderr
        assert not list(folder.glob(".backup*"))
        client.delete("written")
    port = free_port()
    store.serve("copied", str(store.secrets / "redis.conf"), "--port", str(port))
    restored = connect(store.address("operator").replace(f":{store.store_port}/", f":{port}/"))
    with closing(restored):
        wait_for(lambda: answers(restored), "the copy is loaded")
        assert restored.lrange("written", 0, -1) == [b"%d" % n for n in range(1000)] + [b"last"]


def test_a_backup_of_nothing_and_one_over_another_are_refused(tmp_path: Path) -> None:
    (tmp_path / "store").mkdir()
    nothing = back_up(tmp_path / "store", tmp_path / "copy")
    assert (nothing.returncode, nothing.stdout) == (1, "") and "holds no log" in nothing.stderr
    again = back_up(tmp_path / "store", tmp_path / "copy")
    assert again.returncode == 1 and "File exists" in again.stderr


def test_secrets_are_made_once_and_for_their_owner_only(tmp_path: Path) -> None:
    folder = tmp_path / "secrets"
    assert make_secrets(folder).returncode == 0
    made = {path.name: (path.stat().st_mode & 0o777, path.read_bytes()) for path in folder.iterdir()}
    assert {name for name, (mode, _) in made.items() if mode != 0o600} == {"users.acl"}
    again = make_secrets(folder)
    assert (again.returncode, again.stdout) == (1, "") and "not empty" in again.stderr
    assert {path.name: (path.stat().st_mode & 0o777, path.read_bytes()) for path in folder.iterdir()} == made


def test_no_password_is_known_to_the_store_or_used_twice(tmp_path: Path) -> None:
    """Every place of users.acl is filled; two houses have nothing in common."""
    for name in ("one", "other"):
        assert make_secrets(tmp_path / name).returncode == 0
    users = read(tmp_path / "one" / "users.acl")
    passwords = [read(path).split(":")[2].split("@")[0] for path in sorted((tmp_path / "one").glob("*.toml"))]
    assert len(set(passwords)) == 5 and not any(password in users for password in passwords)
    assert "} on" not in users and users.count(" #") == 6
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() != (tmp_path / "other" / path.name).read_bytes()
