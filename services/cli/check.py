"""`croupier check`: real hand histories and rule-book scenarios, played through the engine."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from services.check import check
from services.cli._text import counted
from services.formats import is_history, open_history
from services.formats.record import BrokenHistory
from services.formats.sheet import Sheet, unreadable
from services.report import HandReport, Known, read_known
from services.settings import Settings


def or_corpus(ctx: click.Context, param: click.Parameter, files: tuple[Path, ...]) -> tuple[Path, ...]:
    """The files that are named, or the folder of real hands that the settings name."""
    if files:
        return files
    corpus = Settings().corpus
    if corpus is None or not corpus.exists():
        raise click.BadParameter("name a FILE, or a folder of hands in CROUPIER_CORPUS")
    return (corpus,)


@click.command
@click.argument(
    "files", nargs=-1, metavar="FILE...", type=click.Path(exists=True, path_type=Path), callback=or_corpus
)
@click.option(
    "--known",
    "known_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Explained differences: hand id, rule id, sentence, separated by tabs.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(files: tuple[Path, ...], known_file: Path | None, as_json: bool) -> None:
    """Play recorded hands through the engine and compare every payoff.

    FILE is a PHH file, PokerStars or Full Tilt text, a hands.jsonl (with its expected.jsonl beside it), a
    file of rule-book scenarios, or a folder of such files; without any, CROUPIER_CORPUS. Exit status 1 if
    there is a difference that --known does not explain.
    """
    try:
        known = read_known(known_file) if known_file else {}
    except BrokenHistory as broken:
        raise click.UsageError(f"--known: {broken}") from None
    sheets = [sheet for file in files for sheet in _sheets(file)]
    if not sheets:
        raise click.UsageError("no hand history in " + ", ".join(map(str, files)))
    reports = _check_all(sheets, known)
    summary = _summary(reports)
    if as_json:
        click.echo(
            json.dumps({"hands": [report.to_json() for report in reports], "summary": summary}, indent=2)
        )
    else:
        _print(reports, summary)
    if summary["unexplained"]:
        raise SystemExit(1)


def _sheets(path: Path) -> Iterator[Sheet]:
    """The hands of a file, or of every file of a folder that holds some."""
    if path.is_dir():
        for inside in sorted(path.rglob("*")):
            if inside.is_file() and is_history(inside):
                yield from _sheets(inside)
        return
    try:
        yield from open_history(path)
    except BrokenHistory as broken:
        yield unreadable(broken)


def _check_all(sheets: list[Sheet], known: dict[str, Known]) -> list[HandReport]:
    quiet = not sys.stderr.isatty()
    with click.progressbar(sheets, file=sys.stderr, hidden=quiet) as bar:
        return [check(sheet, known) for sheet in bar]


def _summary(reports: list[HandReport]) -> dict[str, Any]:
    """Counts, and why hands were skipped."""
    skipped: dict[str, int] = {}
    for report in reports:
        if report.skipped:
            skipped[report.skipped] = skipped.get(report.skipped, 0) + 1
    explained = sum(1 for report in reports if report.known)
    different = sum(1 for report in reports if not report.ok)
    return {
        "hands": len(reports),
        "played": len(reports) - sum(skipped.values()),
        "agree": len(reports) - sum(skipped.values()) - different,
        "explained": explained,
        "unexplained": different - explained,
        "skipped": sum(skipped.values()),
        "skipped_because": skipped,
    }


def _print(reports: list[HandReport], summary: dict[str, Any]) -> None:
    """One line per hand, one per difference, then the counts."""
    for report in reports:
        click.echo(f"{_word(report):<9} {report.id}{_remark(report)}")
        for difference in report.differences:
            click.echo(f"          {difference}")
    told = "{played} played ({agree} agree, {explained} explained, {unexplained} differ), {skipped} skipped"
    click.echo(f"{counted(summary['hands'], 'hand')}: {told.format(**summary)}")
    for reason, count in summary["skipped_because"].items():
        click.echo(f"skipped, {reason}: {count}")


def _word(report: HandReport) -> str:
    if report.skipped:
        return "skipped"
    if report.ok:
        return "played"
    return "explained" if report.known else "DIFFERS"


def _remark(report: HandReport) -> str:
    if report.skipped:
        return f"  {report.skipped}"
    return f"  {report.known.rule}: {report.known.why}" if report.known else ""
