"""The files of `deploy/` as their programs read them, and the store's users on a server of a test's own."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from deploy import new_secrets
from services.store import connect

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
UNITS = DEPLOY / "systemd"
ALERTS = DEPLOY / "prometheus" / "alerts.yml"
BOARD = DEPLOY / "grafana" / "dashboards" / "croupier.json"
ETC = "/etc/croupier"
BIN = Path(sys.executable).parent


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def compose() -> dict[str, Any]:
    """compose.yaml with its anchors resolved."""
    found: dict[str, Any] = yaml.safe_load(read(DEPLOY / "compose.yaml"))
    return found


def croupiers() -> dict[str, dict[str, Any]]:
    """The services of compose.yaml that run our own image."""
    return {name: service for name, service in compose()["services"].items() if service["image"] == "croupier"}


def unit_files() -> list[Path]:
    return sorted(path for path in UNITS.rglob("*") if path.is_file())


def unit_settings(text: str, key: str) -> Iterator[str]:
    """Every value that a unit file gives a key."""
    for line in text.splitlines():
        name, _, value = line.partition("=")
        if name == key:
            yield value


def environment_of(text: str) -> dict[str, str]:
    """What a unit file adds to the environment of its program."""
    pairs = (pair for value in unit_settings(text, "Environment") for pair in shlex.split(value))
    return {name: value for name, _, value in (pair.partition("=") for pair in pairs)}


def make_secrets(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """As an operator does it."""
    command = [sys.executable, str(DEPLOY / "new_secrets.py"), str(folder), *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


def moved(text: str, etc: Path) -> str:
    """A configuration whose /etc/croupier is another folder."""
    return text.replace(ETC, os.fspath(etc))


def rules() -> list[dict[str, Any]]:
    (group,) = yaml.safe_load(read(ALERTS))["groups"]
    found: list[dict[str, Any]] = group["rules"]
    return found


def panels() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(read(BOARD))["panels"]
    return found


def expressions() -> Iterator[str]:
    yield from (rule["expr"] for rule in rules())
    yield from (target["expr"] for panel in panels() for target in panel["targets"])


def run(*words: str | Path, **environment: str) -> str:
    """What a checker says. AssertionError if it is not content."""
    done = subprocess.run(
        [str(word) for word in words], capture_output=True, text=True, timeout=60, env={**os.environ, **environment}
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def tool(name: str) -> str:
    """The program, or a skipped test."""
    found = shutil.which(name, path=f"{BIN}{os.pathsep}{os.environ['PATH']}")
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def admit(url: str) -> Callable[[str], str]:
    """Let the users of `deploy/users.acl` into a running server (a unix:// address); each one's own address."""
    passwords = {user: f"password-of-{user}" for user in (*new_secrets.PROGRAMS, "replica")}
    client = connect(url)
    for line in new_secrets.users(read(new_secrets.RULES), passwords).splitlines():
        _, user, *rules = line.split()
        if user != "default":  # whoever started the server goes on using it
            client.execute_command("ACL SETUSER", user, "reset", *rules)
    client.close()
    return lambda user: f"{url.replace('unix://', f'unix://{user}@')}?password={passwords[user]}"
