"""A PostgreSQL server of the tests' own, where its programs are installed (Debian: apt-get install postgresql)."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pytest
import sqlalchemy as sa

from services.server import end_with_parent
from tests.house.houses import wait_for

OWN_FOLDERS = "/usr/lib/postgresql"  # where Debian keeps them, off the PATH
FAST = ("-c", "fsync=off", "-c", "full_page_writes=off", "-c", "shared_buffers=16MB")


class Postgres:
    """Listens on a socket in `folder` only."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._numbers = count(1)

    def url(self, database: str) -> str:
        return f"postgresql://croupier@/{database}?host={self.folder}"

    def database(self) -> str:
        """The URL of a new, empty database."""
        name = f"archive{next(self._numbers)}"
        self.administer(f"CREATE DATABASE {name}")
        return self.url(name)

    def administer(self, statement: str) -> None:
        made = sa.make_url(self.url("postgres")).set(drivername="postgresql+psycopg")
        engine = sa.create_engine(made, isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            connection.execute(sa.text(statement))
        engine.dispose()

    def answers(self) -> bool:
        try:
            self.administer("SELECT 1")
        except sa.exc.OperationalError:
            return False
        return True


def program(name: str) -> Path | None:
    """On the PATH, or the newest of Debian's."""
    found = shutil.which(name)
    if found:
        return Path(found)
    return max(Path(OWN_FOLDERS).glob(f"*/bin/{name}"), default=None)


@contextmanager
def running_postgres() -> Iterator[Postgres]:
    """Skips, with what is missing, where the programs are not installed."""
    initdb, server = program("initdb"), program("postgres")
    if initdb is None or server is None:
        pytest.skip("NOT TESTED on PostgreSQL: no initdb and postgres here (Debian: apt-get install postgresql)")
    owner = unprivileged()
    with tempfile.TemporaryDirectory(prefix="postgres-") as folder:
        if owner:
            shutil.chown(folder, owner)
        data = Path(folder, "data")
        made = [initdb, "-D", data, "-U", "croupier", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"]
        subprocess.run(made, user=owner, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        command = [server, "-D", data, "-k", folder, "-c", "listen_addresses=", *FAST]
        process = subprocess.Popen(
            command, user=owner, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            preexec_fn=end_with_parent,
        )  # fmt: skip
        try:
            postgres = Postgres(Path(folder))
            wait_for(postgres.answers, "PostgreSQL does not answer")
            yield postgres
        finally:
            process.send_signal(signal.SIGINT)  # fast: SIGTERM would wait for whoever is still connected
            process.wait(30)


def unprivileged() -> str | None:
    """Who runs it: PostgreSQL refuses to be run by root."""
    if os.geteuid() != 0:
        return None
    names = [user.pw_name for user in pwd.getpwall()]
    return "postgres" if "postgres" in names else "nobody"
