"""What is wrong with this installation: each thing that Croupier relies on, looked at without changing any."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import socket
import stat
import sys
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import NamedTuple

from packaging.requirements import Requirement

from services.archive import Archive
from services.sealing import SealKey, SigningKey, ViewKey, check_entropy
from services.server import find_binary, label_of, socket_path
from services.settings import DurabilityLevel, Settings, unknown_names
from services.store import connect, require_partitions, unfit
from services.trouble import TROUBLE, explain

DISK_LEAST = 1 << 30
PYTHON_LEAST = (3, 11)


class Finding(NamedTuple):
    name: str
    ok: bool
    detail: str


class Wrong(Exception):
    """What is wrong, and what helps."""


def examine(settings: Settings, port: int) -> list[Finding]:
    """Everything, in the order in which a start would need it."""
    return [finding(name, lambda look=look: look(settings, port)) for name, look in LOOKS.items()]  # type: ignore[misc]


def finding(name: str, look: Callable[[], str]) -> Finding:
    """One look."""
    try:
        return Finding(name, True, look())
    except Wrong as error:
        return Finding(name, False, str(error))
    except TROUBLE as error:
        return Finding(name, False, explain(error))


def python(settings: Settings, port: int) -> str:
    if sys.version_info < PYTHON_LEAST:
        raise Wrong(f"Python {sys.version.split()[0]}: 3.11 or newer is needed")
    return sys.version.split()[0]


def packages(settings: Settings, port: int) -> str:
    """Everything that Croupier requires is there, in a version it accepts."""
    needed = [Requirement(line) for line in requires("croupier") or []]
    needed = [one for one in needed if one.marker is None or one.marker.evaluate({"extra": ""})]
    wrong = [text for one in needed if (text := package(one))]
    if wrong:
        raise Wrong(f"{', '.join(wrong)}: install Croupier again")
    return f"croupier {version('croupier')}, {len(needed)} packages"


def package(needed: Requirement) -> str:
    """What is wrong with a package, "" if nothing."""
    try:
        found = version(needed.name)
    except PackageNotFoundError:
        return f"{needed.name} is missing"
    return "" if needed.specifier.contains(found, prereleases=True) else f"{needed.name} {found}"


def environment(settings: Settings, port: int) -> str:
    """A setting that is misspelt is none, and what it should have said does not hold."""
    if unknown := unknown_names():
        raise Wrong(f"{', '.join(unknown)}: no setting is called so")
    return "every CROUPIER_ variable is a setting"


def randomness(settings: Settings, port: int) -> str:
    check_entropy()
    return "the system's random source passes its check"


def data_folder(settings: Settings, port: int) -> str:
    """It can be written, and nobody else can read it."""
    folder = settings.data_dir
    there = nearest(folder)
    if not there.is_dir():
        raise Wrong(f"{there} is no folder")
    if not os.access(there, os.W_OK | os.X_OK):
        raise Wrong(f"{there} cannot be written")
    if there != folder:
        return f"{folder} will be made at the first start"
    mode = stat.S_IMODE(folder.stat().st_mode)
    if mode & 0o077:
        raise Wrong(f"{folder} is open to others (mode {mode:04o}): chmod 700")
    return str(folder)


def nearest(folder: Path) -> Path:
    """The folder, or the one that it would be made in."""
    return next(path for path in (folder, *folder.absolute().parents) if path.exists())


def disk(settings: Settings, port: int) -> str:
    """A full disk stops every table."""
    folder = nearest(settings.data_dir)
    free = shutil.disk_usage(folder).free
    if free < DISK_LEAST:
        raise Wrong(f"{free >> 20} MiB free at {folder}: make room, at least {DISK_LEAST >> 20} MiB")
    return f"{free >> 30} GiB free"


def seal_key(settings: Settings, port: int) -> str:
    return key(settings, "seal")


def view_key(settings: Settings, port: int) -> str:
    return key(settings, "view")


def signing_key(settings: Settings, port: int) -> str:
    return key(settings, "signing")


def key(settings: Settings, purpose: str) -> str:
    """A key file that exists is a key that nobody else can read. None is made here."""
    kinds = {"seal": SealKey, "view": ViewKey, "signing": SigningKey}
    file = settings.key_file(purpose)  # type: ignore[arg-type]
    configured = getattr(settings, f"{purpose}_key_file") is not None
    if not file.exists() and not configured:
        if settings.redis_url is None and (settings.data_dir / "archive.db").exists():
            raise Wrong(f"{file} is gone, but hands were played here: bring it back from its copy")
        return f"{file} will be made at the first start"
    kinds[purpose].load(settings.data_dir, file)
    return str(file)


def host_token(settings: Settings, port: int) -> str:
    file = settings.data_dir / "host.token"
    if not file.exists():
        return f"{file} will be made at the first start"
    if stat.S_IMODE(file.stat().st_mode) & 0o077:
        raise Wrong(f"{file} is open to others: chmod 600")
    return str(file)


def server(settings: Settings, port: int) -> str:
    """The given store, or the program that would be the embedded one."""
    if settings.redis_url is not None:
        return store_at(settings, settings.redis_url, settings.durability)
    binary = find_binary(settings.redis_server)
    return f"{binary.path} is {binary.label}"


def policies(settings: Settings, port: int) -> str:
    """The embedded server, if it runs, keeps what it is given."""
    folder = settings.data_dir.resolve() / "redis"
    if settings.redis_url is not None or not folder.exists():
        return "no embedded server here"
    path = socket_path(folder)
    if not answers(path):
        return "the embedded server does not run"
    if "durability" in settings.model_fields_set:
        return store_at(settings, f"unix://{path}", settings.durability)
    return store_at(settings, f"unix://{path}", "standard", "dev")  # whoever started it chose (a demo: every second)


def answers(path: Path) -> bool:
    """Whether somebody listens on the socket."""
    with socket.socket(socket.AF_UNIX) as probe:
        return probe.connect_ex(str(path)) == 0


def store_at(settings: Settings, url: str, *levels: DurabilityLevel) -> str:
    """A store that is new enough, evicts nothing, syncs as the first of the levels that it reaches, and is all ours."""
    client = connect(url)
    try:
        require_partitions(client, settings.partitions)
        wrong = {level: unfit(client, level) for level in levels}
        label = label_of(client)
    finally:
        client.close()
    reached = next((level for level in levels if not wrong[level]), levels[-1])
    if wrong[reached]:
        raise Wrong("; ".join(wrong[reached]))
    return f"{label}, durability {reached}"


def queue(settings: Settings, port: int) -> str:
    """The chores' Redis, if it is another one."""
    if settings.queue_url is None:
        return "the same server"
    client = connect(settings.queue_url)
    try:
        client.ping()
        return label_of(client)
    finally:
        client.close()


def archive(settings: Settings, port: int) -> str:
    """It opens, and no audit has found a hand that differs."""
    if settings.database_url is None and not (settings.data_dir / "archive.db").exists():
        return "will be made with the first finished hand"
    with Archive(settings.archive_url) as opened:
        failed = opened.failed()
    if failed:
        table, hand, check = failed[0]
        raise Wrong(f"{len(failed)} hands differ from their log, the first is {table} hand {hand} ({check})")
    return "opens; no archived hand differs from its log"


def free_port(settings: Settings, port: int) -> str:
    """Free, or taken by a Croupier."""
    with socket.socket() as probe:
        if probe.connect_ex(("127.0.0.1", port)) != 0:
            return f"{port} is free"
    if not is_croupier(port):
        raise Wrong(f"{port} is taken by another program: choose one with --port")
    return f"{port} is answered by a running service"


def is_croupier(port: int) -> bool:
    """Any program may have a page for any address; ours says that it is alive."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=3)
    try:
        connection.request("GET", "/healthz")
        return bool(json.loads(connection.getresponse().read(200)) == {"status": "alive"})
    except (OSError, http.client.HTTPException, ValueError):
        return False
    finally:
        connection.close()


LOOKS: dict[str, Callable[[Settings, int], str]] = {
    "python": python,
    "packages": packages,
    "settings": environment,
    "randomness": randomness,
    "data folder": data_folder,
    "disk": disk,
    "seal key": seal_key,
    "view key": view_key,
    "signing key": signing_key,
    "host token": host_token,
    "server": server,
    "embedded server": policies,
    "queue": queue,
    "archive": archive,
    "port": free_port,
}
