"""`python -m workers rebuild` and `restore`: views from the log, the archive back into the store."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import click

from services.accounts import ensure_host_token
from services.archive import Archive, ArchiveError
from services.audit_log import AuditLog, NotLogged, Read
from services.cli._local import fail
from services.cli._text import counted
from services.history import History
from services.reader import LogDamaged, Reader
from services.sealing import KeyFileRefused, SealBroken, SealKey, ViewKey
from services.settings import Settings
from services.store import Client, StoreError, connect
from services.unsealing import me
from workers.rebuilding import Busy, Rebuilder, Tools
from workers.restoring import Restored, Restorer
from workers.setup import ENGINE

NOT_REBUILT = (Busy, LogDamaged, SealBroken, ArchiveError)


class Place(NamedTuple):
    """Where repairs are made."""

    settings: Settings
    client: Client
    archive: Archive


@contextmanager
def place() -> Iterator[Place]:
    settings = Settings()
    assert settings.redis_url is not None, "repairs need a store"
    client = connect(settings.redis_url)
    try:
        with Archive(settings.archive_url) as archive:
            yield Place(settings, client, archive)
    finally:
        client.close()


def tables_of(at: Place) -> list[str]:
    """All tables that the store or its log of clocks and rows knows."""
    reader = Reader(at.client)
    stored = {table for partition in range(at.settings.partitions) for table in reader.lobby(partition)}
    return sorted(stored.union(table for table in at.archive.tables() if reader.head(table)[0]))


def rebuilder(at: Place) -> Rebuilder:
    """With the keys of this installation, after the entry in the audit log. Raises KeyFileRefused or NotLogged."""
    settings, reader = at.settings, Reader(at.client)
    seal_key = SealKey.load(settings.data_dir, settings.key_file("seal"))
    view_key = ViewKey.load(settings.data_dir, settings.key_file("view"))
    AuditLog(at.archive.engine).write(Read(me(), "rebuild", "", 0, "private views and players' records again"))
    return Rebuilder(Tools(at.client, reader, History(reader, at.archive), seal_key, view_key))


def rebuilt(at: Place, tables: list[str]) -> list[dict[str, str]]:
    """Rebuild the views of tables; those that could not be, with the reason."""
    if not tables:
        return []
    builder, failed = rebuilder(at), []
    with click.progressbar(tables, label="views", file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:
        for table in bar:
            try:
                builder.table(table)
            except NOT_REBUILT as error:
                failed.append({"table": table, "error": f"{type(error).__name__}: {error}"})
    return failed


def restored(at: Place, tables: list[str]) -> list[Restored]:
    """Restore tables whose store is behind."""
    many = sum(len(at.archive.numbers(table)) for table in tables)
    with click.progressbar(length=many, label="hands", file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:
        restorer = Restorer(at.client, at.archive, ENGINE, bar.update)
        return [restorer.table(table) for table in tables]


@click.group
def repairs() -> None:
    """Not for people: `croupier rebuild` and `croupier restore` start a store where none runs."""


@repairs.command
@click.option("--table")
@click.option("--json", "as_json", is_flag=True)
def rebuild(table: str | None, as_json: bool) -> None:
    """Views again from the log."""
    with failures(), place() as at:
        if table and not Reader(at.client).head(table)[0]:
            fail(f"not there: {table}")
        tables = [table] if table else tables_of(at)
        failed = rebuilt(at, tables)
    report = {"ok": not failed, "tables": len(tables), "failed": failed}
    tell(report, as_json, [f"{one['table']}  {one['error']}" for one in failed])


@repairs.command
@click.option("--table")
@click.option("--json", "as_json", is_flag=True)
def restore(table: str | None, as_json: bool) -> None:
    """The archive back into the store."""
    with failures(), place() as at:
        if table and not (Reader(at.client).head(table)[0] or at.archive.numbers(table, last=1)):
            fail(f"not there: {table}")
        ensure_host_token(at.client, at.settings.data_dir)
        found = restored(at, [table] if table else at.archive.tables())
        failed = rebuilt(at, [one.table for one in found if one.done == "restored"])
    ok = not failed and all(one.done != "refused" for one in found)
    report = {"ok": ok, "tables": [one._asdict() for one in found], "failed": failed}
    lines = [f"{one.table}  {one.done:8}  {one.detail}" for one in found if one.done != "same"]
    tell(report, as_json, [*lines, *(f"{one['table']}  {one['error']}" for one in failed)])


@contextmanager
def failures() -> Iterator[None]:
    """What ends the whole repair, as one line."""
    try:
        yield
    except (StoreError, ArchiveError, KeyFileRefused, NotLogged, ValueError) as error:
        click.echo(f"croupier: {type(error).__name__}: {error}", err=True)
        raise SystemExit(1) from None


def tell(report: dict[str, Any], as_json: bool, lines: list[str]) -> None:
    """The report, and the status."""
    count = report["tables"] if isinstance(report["tables"], int) else len(report["tables"])
    summary = f"{counted(count, 'table')}: {'all is well' if report['ok'] else 'not all could be done'}"
    click.echo(json.dumps(report, indent=2) if as_json else "\n".join([*lines, summary]))
    sys.exit(0 if report["ok"] else 1)
