"""`croupier export`: finished hands in the formats of others, and in our own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import click

from services.archive import Archive, ArchiveDamaged
from services.audit_log import Read
from services.bundle import write as bundle_of
from services.cli._local import DATA_DIR, fail, kept, printable, settings_of, table_id
from services.cli._text import HAND
from services.cli.replay import NOT_SHOWN, deck_for, viewer_of
from services.exports import FORMATS, Format
from services.exports.answer import CANNOT_HOLD, CannotHold, Export
from services.exports.story import Story, known_to, story_of
from services.history import History, NoSuchHand
from services.reader import LogDamaged
from services.replay import NotForYou, Viewer
from services.sealing import KeyFileRefused
from services.segment import Segment
from services.settings import Settings
from services.unsealing import CannotUnseal, me

BUNDLE = "bundle"


class Written(NamedTuple):
    """A hand and its export; or why the format cannot hold it."""

    hand: int
    export: Export | None
    refused: str = ""

    def to_json(self) -> dict[str, Any]:
        if self.export is None:
            return {"hand": self.hand, "code": CANNOT_HOLD, "detail": self.refused}
        unsaid = [item._asdict() for item in self.export.unsaid]
        return {"hand": self.hand, "text": self.export.text, "unsaid": unsaid}


@click.command(short_help="Write finished hands in the formats of others, or as a bundle.")
@click.argument("table", callback=table_id)
@click.argument("hand", type=HAND, required=False)
@click.option("--format", "name", type=click.Choice([*FORMATS, BUNDLE]), required=True, help="What to write.")
@click.option("--as", "viewer", callback=viewer_of, default="public", metavar="VIEWER", help="public, seat:N or full.")
@click.option("--reason", callback=printable, help="Why you look at hidden cards; it goes into the audit log.")
@click.option("--public", is_flag=True, help="bundle: without the sealed seeds, for everybody.")
@DATA_DIR
@click.option("--json", "as_json", is_flag=True, help="Text and what it leaves out, as one JSON object.")
def command(
    table: str,
    hand: int | None,
    name: str,
    viewer: Viewer,
    reason: str | None,
    public: bool,
    data_dir: Path | None,
    as_json: bool,
) -> None:
    """Write HAND of TABLE, or all its finished hands, to standard output.

    What the format cannot say of a hand is listed on standard error, never guessed. Hidden cards (seat:N, full) need
    the seal key of this installation and a reason, which is logged. A bundle is for `croupier verify`; it tells nobody
    a hidden card, but whoever has the seal key too finds them in its sealed seeds. Exit status 1 if nothing could be
    written.
    """
    if name == BUNDLE and (viewer is not None or as_json):
        raise click.UsageError("a bundle is the same for everybody, and no text")
    if viewer is not None and reason is None:
        raise click.UsageError("hidden cards are shown for a --reason only, which is logged")
    settings = settings_of(data_dir)
    try:
        with kept(settings) as (reader, archive):
            teller = Teller(History(reader, archive), archive, settings, viewer, reason or "")
            if name == BUNDLE:
                return put_bundle(teller, table, hand, not public)
            kind = FORMATS[name]
            found = (write(kind, teller, segment) for segment in teller.segments(table, hand))
            written = told(found, kind, hand is None, as_json)
    except NoSuchHand as missing:
        fail(f"not there: {missing}")
    except (ArchiveDamaged, LogDamaged) as damaged:
        fail(f"nothing more can be exported, the log is damaged: {damaged} (croupier audit)")
    except NotForYou:
        fail("that seat was not dealt in")
    except (CannotUnseal, KeyFileRefused) as refused:
        fail(NOT_SHOWN.get(str(refused), NOT_SHOWN["no_seed"]))
    if not written:
        raise SystemExit(1)


@dataclass(frozen=True, slots=True)
class Teller:
    """Tells hands of this installation to one viewer, for his reason."""

    past: History
    archive: Archive
    settings: Settings
    viewer: Viewer
    reason: str

    def segments(self, table: str, hand: int | None) -> Iterator[Segment]:
        """The one hand, or all from the first on. Raises NoSuchHand if there is none at all."""
        number = hand or 1
        yield self.past.segment(table, number)
        while hand is None:
            number += 1
            try:
                yield self.past.segment(table, number)
            except NoSuchHand:
                return

    def story(self, segment: Segment) -> Story:
        """With the cards that the viewer may see, whose unsealing is logged first."""
        if self.viewer is None:
            return story_of(segment)
        view = "full" if self.viewer == "full" else f"seat:{self.viewer}"
        read = Read(me(), f"export {view}", segment.table, segment.hand, self.reason)
        deck = deck_for(self.past, self.archive, self.settings, read)
        return story_of(segment, view, known_to(segment, self.viewer, deck))


def put_bundle(teller: Teller, table: str, hand: int | None, sealed: bool) -> None:
    """One file, whether of one hand or of all."""
    for piece in bundle_of(teller.segments(table, hand), teller.archive.log, sealed):
        click.echo(piece, nl=False)


def write(kind: Format, teller: Teller, segment: Segment) -> Written:
    """One hand as the viewer may tell it."""
    try:
        return Written(segment.hand, kind.write(teller.story(segment)))
    except CannotHold as why:
        return Written(segment.hand, None, str(why))


def told(found: Iterator[Written], kind: Format, many: bool, as_json: bool) -> bool:
    """Print each as it comes; whether there was anything to print."""
    if as_json:
        hands = list(found)
        click.echo(json.dumps({"hands": [one.to_json() for one in hands]}, indent=2))
        return any(one.export for one in hands)
    any_written = False
    for hand, export, refused in found:
        if export is None:
            click.echo(f"croupier: hand {hand}: {CANNOT_HOLD}: {refused}", err=True)
            continue
        any_written = True
        click.echo((kind.part(hand, export) if many else export.text).encode(), nl=False)
        for item in export.unsaid:
            click.echo(f"hand {hand} leaves out {item.code}: {item.text}", err=True)
    return any_written
