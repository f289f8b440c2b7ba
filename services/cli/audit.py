"""`croupier audit`: everything that is stored, verified again."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import click

from services.archive import Archive
from services.audit import Check
from services.audit_log import AuditLog, NotLogged, Read
from services.auditor import Auditor, Tally
from services.checkpoint import NoteBroken
from services.cli._local import DATA_DIR, fail, kept, settings_of, table_id
from services.cli._text import HAND, counted
from services.hand_log import NoSuchLeaf
from services.other_rules import NoSuchRules, OtherRules, Referee, find_rules
from services.reader import LogDamaged, Reader
from services.readiness import get_ready
from services.sealing import KeyFileRefused, SealKey
from services.settings import Settings
from services.signing import LogRewritten, reread
from services.unsealing import me

NAMED = 100
"""Hands that differ, named in the text; the JSON names all."""
FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command(short_help="Verify everything that is stored; name the first difference.")
@click.option("--table", callback=table_id, help="This table.")
@click.option("--hand", type=HAND, help="Only this finished hand of the table.")
@click.option("--all", "everything", is_flag=True, help="All tables of the store and the archive.")
@click.option("--key", "key_file", type=FILE, help="The seal key: also deal and decide every hand again.")
@click.option("--decide", "openly", is_flag=True, help="Without the key: decide again what is known.")
@click.option("--diff", "rules", help="Another version of the rules: which hands would it settle differently?")
@DATA_DIR
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    table: str | None,
    hand: int | None,
    everything: bool,
    key_file: Path | None,
    openly: bool,
    rules: str | None,
    data_dir: Path | None,
    as_json: bool,
) -> None:
    """Verify chain, events, chips, openings and the seam of archive and store; name the first difference.

    Every command is decided again with the key. Without it this takes --decide, for it takes three times as long; what
    only the deck can tell is then taken from what followed, as `croupier verify` does.

    RULES of --diff is a checkout or wheel of Croupier, or a name in the data folder's `rules`; it needs the seal key.
    """
    if (everything or (rules is not None and not table)) == bool(table) or (hand and not table):
        raise click.UsageError("--all, or --table T, or --table T --hand N")
    settings = settings_of(data_dir)
    if rules is not None and key_file is None:
        key_file = settings.key_file("seal")
    key = key_of(settings, key_file)
    get_ready()
    try:
        with kept(settings) as (reader, archive):
            if key is not None:
                AuditLog(archive.engine).write(Read(me(), "audit", table or "", hand or 0, "every deck dealt again"))
            with Referee(settings.data_dir) as referee, compared(settings, rules) as other:
                report = audited(Work(settings, reader, archive, key, referee, other, openly), table, hand)
    except NotLogged as error:
        fail(f"the audit log cannot be written ({error}), so no seed was unsealed")
    click.echo(json.dumps(report, indent=2) if as_json else text_of(report))
    sys.exit(0 if report["ok"] else 1)


def key_of(settings: Settings, file: Path | None) -> SealKey | None:
    """The seal key of a file."""
    try:
        return SealKey.load(settings.data_dir, file) if file else None
    except KeyFileRefused as refused:
        raise click.UsageError(str(refused)) from None


class Work(NamedTuple):
    """What is audited, and with what."""

    settings: Settings
    reader: Reader
    archive: Archive
    key: SealKey | None
    referee: Referee
    other: OtherRules | None
    openly: bool = False


@contextmanager
def compared(settings: Settings, rules: str | None) -> Iterator[OtherRules | None]:
    """The other version of the rules, if one is named."""
    if rules is None:
        yield None
        return
    try:
        with OtherRules(find_rules(settings.data_dir, rules)) as other:
            yield other
    except NoSuchRules as error:
        raise click.UsageError(str(error)) from None


def audited(work: Work, table: str | None, hand: int | None) -> dict[str, Any]:
    """`{"ok", "tables", "hands", "hands_per_second", "redealt", "compared", "checks", "differing"}`."""
    tables = [known(table, work)] if table else all_tables(work)
    tally, start = Tally(), time.perf_counter()
    many = 1 if hand else work.archive.count() if table is None else len(work.archive.numbers(table))
    with click.progressbar(length=many, label="hands", file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:
        auditor = Auditor(work.reader, work.archive, work.key, bar.update, work.referee, work.other, work.openly)
        for one in tables:
            look(auditor, one, hand, tally)
    seconds = time.perf_counter() - start
    if table is None:
        tally.add("the archive", [audit_log(work.archive), log_of_hands(work)])
    return {
        "ok": tally.ok,
        "tables": len(tables),
        "hands": tally.hands,
        "hands_per_second": round(tally.hands / seconds, 1),
        "redealt": work.key is not None,
        "compared": str(work.other.path) if work.other else None,
        "checks": [check._asdict() for check in tally.checks()],
        "differing": [one.as_json() for one in tally.differing],
    }


def log_of_hands(work: Work) -> Check:
    """Every archived hand is a leaf of the log as it was signed, and the audit log has what it had then."""
    try:
        return Check("hand log", True, reread(work.archive, work.settings.signer_memory))
    except (LogRewritten, NoSuchLeaf, NoteBroken) as rewritten:
        return Check("hand log", False, str(rewritten))


def audit_log(archive: Archive) -> Check:
    """Every entry of who looked follows from the one before."""
    many, difference = AuditLog(archive.engine).check()
    return Check("audit log", not difference, difference or f"{many} entries")


def known(table: str, work: Work) -> str:
    """The table, if it is one."""
    try:
        if work.reader.head(table)[0] or work.archive.numbers(table, last=1):
            return table
    except ValueError:
        raise click.UsageError(f"{table!r} is no table's id") from None
    fail(f"not there: {table}")


def look(auditor: Auditor, table: str, hand: int | None, tally: Tally) -> None:
    """One table, or one hand of it. What breaks off an audit is its finding."""
    try:
        if hand is None:
            auditor.table(table, tally)
        elif not auditor.hand(table, hand, tally):
            fail(f"not there: {table} hand {hand}")
    except LogDamaged as damaged:
        tally.note(table, "log", str(damaged))


def all_tables(work: Work) -> list[str]:
    """Of the store and of the archive, in order."""
    stored = {table for partition in range(work.settings.partitions) for table in work.reader.lobby(partition)}
    return sorted(stored.union(work.archive.tables()))


def text_of(report: dict[str, Any]) -> str:
    """A line a check, and what it came to."""
    lines = [f"{'ok    ' if c['ok'] else 'FAILED'}  {c['name']:10} {c['detail']}" for c in report["checks"]]
    many = f"{counted(report['hands'], 'hand')} of {counted(report['tables'], 'table')}"
    speed, good = f"{report['hands_per_second']:,.0f} hands/s", "all is well" if report["ok"] else "SOMETHING DIFFERS"
    dealt = "every deck dealt again" if report["redealt"] else "no deck dealt again (--key)"
    named = [f"        {one['table']} hand {one['hand']}: {said(one['checks'])}" for one in report["differing"][:NAMED]]
    return "\n".join([*lines, *named, f"{many}, {speed}, {dealt}: {good}"])


def said(checks: list[dict[str, str]]) -> str:
    return "; ".join(f"{check['name']}, {check['detail']}" for check in checks)
