"""`croupier replay`: a finished hand step by step, from its log."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import click

from engine.deck import Deck, hand_id, sealed_deck
from engine.refusals import Refused
from services.audit import unsealed
from services.cli._felt import felt, told
from services.cli._local import DATA_DIR, fail, history, settings_of
from services.history import History, NoSuchHand
from services.replay import NoSuchStep, NotForYou, Replay, Viewer
from services.sealing import KeyFileRefused, SealBroken, SealKey
from services.segment import Segment
from services.settings import Settings
from services.what_if import NobodysTurn, WhatIf, what_if


def viewer_of(ctx: click.Context, param: click.Parameter, text: str) -> Viewer:
    """public, seat:N or full."""
    match = re.fullmatch(r"public|full|seat:([0-9]{1,2})", text)
    if match is None:
        raise click.BadParameter("public, seat:N or full")
    if match[1] is not None:
        return int(match[1])
    return "full" if text == "full" else None


def other_of(ctx: click.Context, param: click.Parameter, text: str | None) -> WhatIf | None:
    """STEP:VERB[:AMOUNT]."""
    if text is None:
        return None
    match = re.fullmatch(r"([0-9]{1,4}):([a-z_]+)(?::([0-9]{1,9}))?", text)
    if match is None:
        raise click.BadParameter("STEP:VERB or STEP:VERB:AMOUNT")
    return WhatIf(int(match[1]), match[2], int(match[3]) if match[3] else None)


@click.command
@click.argument("table")
@click.argument("hand", type=click.IntRange(1))
@click.option("--step", type=click.IntRange(0), help="Only this one, with the table.  [default: every step]")
@click.option("--as", "viewer", callback=viewer_of, default="public", metavar="VIEWER", help="public, seat:N or full.")
@click.option("--what-if", "other", callback=other_of, metavar="STEP:VERB[:AMOUNT]", help="Another decision.")
@DATA_DIR
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    table: str,
    hand: int,
    step: int | None,
    viewer: Viewer,
    other: WhatIf | None,
    data_dir: Path | None,
    as_json: bool,
) -> None:
    """Replay HAND of TABLE. Hidden cards (seat:N, full, --what-if) need the seal key of this installation."""
    settings = settings_of(data_dir)
    try:
        with history(settings) as past:
            replay = open_replay(past, settings, table, hand, "full" if other else viewer)
        shown = what_if(replay, other) if other else steps(replay, step)
    except (NoSuchHand, NoSuchStep) as missing:
        fail(f"not there: {missing}")
    except (NotForYou, SealBroken, KeyFileRefused):
        fail("these cards need the seal key under which the hand was dealt")
    except NobodysTurn:
        fail("at that step nobody has the turn")
    except Refused as refused:
        fail(f"{refused.code} {refused.detail or ''}")
    click.echo(json.dumps(shown, indent=2) if as_json else text_of(shown))


def open_replay(past: History, settings: Settings, table: str, hand: int, viewer: Viewer) -> Replay:
    """The replay for a viewer; the deck is unsealed only for one who sees hidden cards."""
    segment = past.segment(table, hand)
    return Replay(segment, viewer, deck_of(segment, settings) if viewer is not None else None)


def deck_of(segment: Segment, settings: Settings) -> Deck | None:
    """The whole deck. Raises KeyFileRefused or SealBroken."""
    seed = unsealed(segment, SealKey.load(settings.data_dir, settings.key_file("seal")))
    return sealed_deck(seed, hand_id(segment.table, segment.hand)) if seed else None


def steps(replay: Replay, step: int | None) -> dict[str, Any]:
    """One step, or all of them."""
    return {"steps": replay.all()} if step is None else replay.step(step)


def text_of(shown: dict[str, Any]) -> str:
    """For people: a line per event, and the table where it ends."""
    if "view" in shown:
        return f"{shown['step']} of {shown['steps']}  {told(shown['event'])}\n{felt(shown['view'])}"
    if "stacks" in shown:
        return "\n".join([*map(told, shown["events"]), f"stacks {shown['stacks']}"])
    lines = [f"{step['step']:>4}  {told(step['event'])}" for step in shown["steps"]]
    return "\n".join([*lines, felt(shown["steps"][-1]["view"])])
