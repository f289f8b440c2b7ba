"""Servers and workers as processes of their own, the way they are deployed."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.error import URLError
from urllib.request import urlopen

from services.server import start_server
from services.settings import Settings


@contextmanager
def store() -> Iterator[Settings]:
    """The embedded server in a folder of its own, as `croupier up --demo` starts it; one partition.

    The limits on backlog and request rate are in force, but never reached.
    """
    with TemporaryDirectory() as folder:
        settings = Settings(data_dir=Path(folder), durability="dev", partitions=1, backlog=1_000_000, rate=1_000_000)
        server = start_server(settings)
        try:
            yield settings.model_copy(update={"redis_url": server.url})
        finally:
            server.stop()


def environment(settings: Settings) -> Mapping[str, str]:
    """What tells another process about this store."""
    assert settings.redis_url is not None
    return os.environ | {
        "CROUPIER_REDIS_URL": settings.redis_url,
        "CROUPIER_DATA_DIR": str(settings.data_dir),
        "CROUPIER_DURABILITY": settings.durability,
        "CROUPIER_PARTITIONS": str(settings.partitions),
        "CROUPIER_BACKLOG": str(settings.backlog),
        "CROUPIER_RATE": str(settings.rate),
        "CROUPIER_LOG_LEVEL": "error",
    }


@contextmanager
def running(settings: Settings, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """`python arguments…` for this store, ended afterwards."""
    process = subprocess.Popen([sys.executable, *arguments], env=environment(settings), stdout=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.terminate()
        process.wait(timeout=30)


@contextmanager
def house(durability: str) -> Iterator[tuple[int, Path]]:
    """All that `croupier up` starts, under its usual settings but for the durability: port and data folder."""
    port = free_port()
    with TemporaryDirectory() as folder:
        command = [str(Path(sys.executable).with_name("croupier")), "up", "--data-dir", folder, "--port", str(port)]
        chosen = os.environ | {"CROUPIER_DURABILITY": durability, "CROUPIER_LOG_LEVEL": "error"}
        process = subprocess.Popen(command, env=chosen, stdout=subprocess.DEVNULL)
        try:
            wait_for(port, "/readyz")
            yield port, Path(folder)
        finally:
            process.terminate()
            process.wait(timeout=60)


def cpu_seconds(pid: int) -> float:
    """User and system time of a process and of all that it has started."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    own = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return own + sum(cpu_seconds(int(child)) for task in tasks for child in (task / "children").read_text().split())


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_for(port: int, path: str) -> None:
    """Until the server answers, at most a minute."""
    for _ in range(600):
        try:
            with urlopen(f"http://127.0.0.1:{port}{path}", timeout=5):
                return
        except (URLError, OSError):
            time.sleep(0.1)
    raise TimeoutError(f"nobody answers on port {port}")
