"""`croupier replay`: a finished hand step by step, from its log."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import click

from engine.deck import Deck
from engine.refusals import LogBroken, Refused
from services.archive import Archive, ArchiveDamaged
from services.audit_log import AuditLog, Read
from services.cli._felt import felt, plain, told
from services.cli._local import DATA_DIR, fail, kept, printable, settings_of, table_id
from services.cli._text import HAND, refusal
from services.history import History, NoSuchHand
from services.reader import LogDamaged
from services.replay import NoSuchStep, NotForYou, Replay, Viewer
from services.sealing import KeyFileRefused, SealKey
from services.settings import Settings
from services.unsealing import CannotUnseal, deck_from, me, unseal
from services.what_if import FORM, NobodysTurn, WhatIf, what_if
from services.what_if import read as read_what_if
from services.wire import WireError

NOT_SHOWN = {
    "no_such_hand": "not there: no finished hand of that number",
    "in_progress": "in_progress: nobody may see the cards of a hand that is being played",
    "not_logged": "not_logged: the audit log cannot be written, so nothing is shown",
    "no_seed": "these cards need the seal key under which the hand was dealt",
}
NOT_REAL = "--- not real: what would have come of another decision ---"


def viewer_of(ctx: click.Context, param: click.Parameter, text: str) -> Viewer:
    """public, seat:N or full."""
    match = re.fullmatch(r"public|full|seat:([0-9]{1,2})", text)
    if match is None:
        raise click.BadParameter("public, seat:N or full")
    if match[1] is not None:
        return int(match[1])
    return "full" if text == "full" else None


def other_of(ctx: click.Context, param: click.Parameter, text: str | None) -> WhatIf | None:
    """STEP:VERB[:AMOUNT], and arguments."""
    if text is None:
        return None
    try:
        return read_what_if(text)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


@click.command(short_help="Show HAND of TABLE step by step, from its log.")
@click.argument("table", callback=table_id)
@click.argument("hand", type=HAND)
@click.option("--step", type=click.IntRange(0), help="Only this one, with the table.  [default: every step]")
@click.option("--as", "viewer", callback=viewer_of, default="public", metavar="VIEWER", help="public, seat:N or full.")
@click.option("--what-if", "other", callback=other_of, metavar=FORM, help="Another decision.")
@click.option("--reason", callback=printable, help="Why you look at hidden cards; it goes into the audit log.")
@DATA_DIR
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    table: str,
    hand: int,
    step: int | None,
    viewer: Viewer,
    other: WhatIf | None,
    reason: str | None,
    data_dir: Path | None,
    as_json: bool,
) -> None:
    """Replay HAND of TABLE.

    Hidden cards (seat:N, full, --what-if) need the seal key of this installation and a reason: who saw them, when
    and why is kept in the audit log.
    """
    if other is not None:
        viewer = "full"
    if viewer is not None and reason is None:
        raise click.UsageError("hidden cards are shown for a --reason only, which is logged")
    settings = settings_of(data_dir)
    try:
        with kept(settings) as (reader, archive):
            past = History(reader, archive)
            read = Read(me(), what(viewer, other), table, hand, reason or "")
            deck = None if viewer is None else deck_for(past, archive, settings, read)
            replay = Replay(past.segment(table, hand), viewer, deck)
        shown = what_if(replay, other) if other else steps(replay, step)
    except (NoSuchHand, NoSuchStep) as missing:
        fail(f"not there: {missing}")
    except (CannotUnseal, KeyFileRefused) as refused:
        fail(NOT_SHOWN.get(str(refused), NOT_SHOWN["no_seed"]))
    except NotForYou:
        fail("there is no such seat")
    except NobodysTurn:
        fail("at that step nobody has the turn")
    except (ArchiveDamaged, LogDamaged, LogBroken, WireError) as damaged:
        fail(f"cannot be replayed, the log is damaged: {type(damaged).__name__} (croupier audit)")
    except Refused as refused:
        fail(refusal(refused))
    click.echo(json.dumps(shown, indent=2) if as_json else text_of(shown))


def what(viewer: Viewer, other: WhatIf | None) -> str:
    """How the audit log names this look at a hand."""
    if other is not None:
        return f"what-if {other.step}:{other.verb}"
    return f"replay seat:{viewer}" if isinstance(viewer, int) else "replay full"


def deck_for(past: History, archive: Archive, settings: Settings, read: Read) -> Deck:
    """The whole deck, after the entry in the audit log. Raises KeyFileRefused or CannotUnseal."""
    key = SealKey.load(settings.data_dir, settings.key_file("seal"))
    return deck_from(unseal(past, key, AuditLog(archive.engine), read), read.table, read.hand)


def steps(replay: Replay, step: int | None) -> dict[str, Any]:
    """One step, or all of them."""
    return {"steps": replay.all()} if step is None else replay.step(step)


def text_of(shown: dict[str, Any]) -> str:
    """For people: a line per event, and the table where it ends."""
    if "view" in shown:
        return f"{shown['step']} of {shown['steps']}  {told(shown['event'])}\n{felt(shown['view'])}"
    if "stacks" in shown:
        return "\n".join([NOT_REAL, *map(told, shown["events"]), f"stacks {plain(shown['stacks'])}", NOT_REAL])
    lines = [f"{step['step']:>4}  {told(step['event'])}" for step in shown["steps"]]
    return "\n".join([*lines, felt(shown["steps"][-1]["view"])])
