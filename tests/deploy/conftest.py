"""A house of real processes, each as compose.yaml starts it: its words, its environment, its secrets, its user."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

import pytest
import redis
from click.testing import CliRunner

from services.cli import main
from services.client import Client
from services.server import end_with_parent, find_binary
from services.store import connect
from tests.deploy.files import DEPLOY, ROOT, compose, make_secrets, moved, read
from tests.house.houses import START_S, STOP_S, free_port, wait_for


@dataclass
class House:
    """In `folder`: `secrets` as they were made, the store's data, the volumes, what the processes say."""

    folder: Path
    store_port: int = field(default_factory=free_port)
    port: int = field(default_factory=free_port)
    servers: list[subprocess.Popen[bytes]] = field(default_factory=list)
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)
    services: dict[str, Any] = field(default_factory=lambda: compose()["services"])

    @property
    def secrets(self) -> Path:
        return self.folder / "secrets"

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def prepare(self) -> None:
        made = make_secrets(self.secrets, "--store", f"127.0.0.1:{self.store_port}")
        assert made.returncode == 0, made.stderr
        for name in ("redis.conf", "replica.conf"):
            (self.secrets / name).write_text(moved(read(DEPLOY / name), self.secrets), "utf-8")

    def start_store(self) -> None:
        """With the command line of compose.yaml, on loopback and on a port of its own."""
        program, *words = self.services["redis"]["command"]
        assert program == "valkey-server" and words[1:] == ["--bind", "*", "-::*"]
        self.serve("redis", moved(words[0], self.secrets), "--bind", "127.0.0.1", "--port", str(self.store_port))
        wait_for(self.answers, "the store answers")

    def answers(self) -> bool:
        """To the question that the container's health check asks."""
        with closing(self.client("health", "-")) as client:
            return answers(client)

    def serve(self, name: str, *words: str) -> None:
        """A server of the store, its data in a folder of its name."""
        (self.folder / name).mkdir(exist_ok=True)
        command = [str(find_binary(None).path), *words, "--dir", str(self.folder / name)]
        self.servers.append(self._run(name, command, dict(os.environ)))

    def start(self, name: str) -> None:
        """A service of our own image."""
        self.processes.append(self._run(name, self.command(name), self.environment(name)))

    def command(self, name: str) -> list[str]:
        words = [str(word) for word in self.services[name]["command"]]
        if name == "api":
            assert words[1:] == ["--host", "0.0.0.0", "--port", "8000"]
            words[2], words[4] = "127.0.0.1", str(self.port)
        return [sys.executable, "-m", "services.cli", *words]

    def environment(self, name: str) -> dict[str, str]:
        """Its settings, with the container's folders somewhere else, and nothing of the suite's own."""
        kept = {key: value for key, value in os.environ.items() if not key.startswith("CROUPIER_")}
        chosen = {"CROUPIER_DATA_DIR": "/var/lib/croupier", **self.services[name]["environment"]}
        places = {"/run/secrets": self._mounted(name), "/var/lib": self.folder / "volumes"}
        for key, value in chosen.items():
            for inside, outside in places.items():
                value = value.replace(inside, str(outside))
            chosen[key] = value
        return {**kept, **chosen}

    def _mounted(self, name: str) -> Path:
        """The folder that a container would see its secrets in."""
        folder = self.folder / "run" / name
        if not folder.exists():
            folder.mkdir(parents=True)
            for secret in self.services[name]["secrets"]:
                source, target = (secret["source"], secret["target"]) if isinstance(secret, dict) else (secret, secret)
                (folder / target).symlink_to(DEPLOY_SECRETS[source].replace("secrets", str(self.secrets), 1))
        (self.folder / "volumes" / "croupier").mkdir(mode=0o700, parents=True, exist_ok=True)
        return folder

    def _run(self, name: str, command: list[str], environment: dict[str, str]) -> subprocess.Popen[bytes]:
        with (self.folder / f"{name}.log").open("ab") as log:
            return subprocess.Popen(
                command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                preexec_fn=end_with_parent,
            )  # fmt: skip

    def operator(self, *words: str, **more: str) -> str:
        """What `docker compose run --rm operator …` says; nobody's right was missing. `more`: other settings."""
        done = CliRunner().invoke(main, list(words), env={**self.environment("operator"), **more})
        assert done.exit_code == 0, done.output
        assert self.denied() == []
        return done.stdout

    def denied(self) -> list[str]:
        """What somebody wanted of the store and may not."""
        with closing(self.client("operator")) as client:
            return [str(entry) for entry in client.execute_command("ACL", "LOG")]

    def address(self, user: str) -> str:
        """The store's, with the user's password."""
        return read(self.secrets / f"{user}.toml").split('"')[1]

    def client(self, user: str = "", password: str = "") -> Any:
        """The store as one of its users, by the password that was made or another one; without a name, a stranger."""
        if user and not password:
            return connect(self.address(user), single=True)
        return connect(f"redis://{user}:{password}@127.0.0.1:{self.store_port}".replace("//:@", "//"))

    def stop(self) -> None:
        """As a machine goes down: the store last."""
        for together in (self.processes, self.servers):
            for process in together:
                process.terminate()
            for process in together:
                gone(process)


def gone(process: subprocess.Popen[bytes]) -> None:
    try:
        process.wait(STOP_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


DEPLOY_SECRETS = {name: secret["file"] for name, secret in compose()["secrets"].items()}


def answers(client: Any) -> bool:
    try:
        return bool(client.ping())
    except redis.ConnectionError:
        return False


def ready(url: str) -> bool:
    try:
        with urlopen(url, timeout=5) as answer:
            return bool(answer.status == 200)
    except (URLError, OSError):
        return False


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """The store alone, until something asks for more."""
    house = House(tmp_path_factory.mktemp("deployed"))
    try:
        house.prepare()
        house.start_store()
        yield house
    finally:
        house.stop()


@pytest.fixture(scope="session")
def house(store: House) -> House:
    """A worker and the API, ready."""
    store.start("worker")
    store.start("api")
    wait_for(lambda: ready(f"{store.url}/readyz"), "the API is ready", START_S)
    return store


@pytest.fixture(scope="session")
def host(house: House) -> Iterator[Client]:
    """Whoever has the token that `croupier token` prints."""
    with closing(Client(house.url, house.operator("token").strip())) as client:
        yield client


def on_turn(host: Client, table: str) -> dict[str, Any] | None:
    """The public view, once somebody is on turn."""
    view = host.get(f"/tables/{table}").body["view"]
    return view if view["hand"] and view["hand"]["actor"] is not None else None


@pytest.fixture(scope="session")
def table(house: House, host: Client) -> str:
    """Where Ann and Bob have played a hand of razz: one brought it in, the other folded."""
    answer = host.post("/tables", {"game": "razz", "options": {"hand_gap_seconds": 0}})
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
            send = partial(player.command, table, seat["last"] + 1, {"verb": verb, "turn": view["turn"]}, 10)
            done = wait_for(lambda send=send: None if (sent := send()).status == 202 else sent, "it is decided")
            assert done.status == 200, done
    return table
