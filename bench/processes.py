"""Servers and workers as processes of their own, the way they are deployed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

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
