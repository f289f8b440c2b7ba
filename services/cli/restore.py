"""`croupier restore`: the archive back into a store that is behind it, or a lost hand voided."""

from __future__ import annotations

import json
import time
from pathlib import Path

import click

from services.cli._local import DATA_DIR, fail, printable, run_repair, settings_of, store, table_id
from services.inbox import Inbox
from services.orders import Void
from services.outcomes import decode_outcome
from services.reader import Reader
from services.store import Client, connect, now_ms
from services.wire import COMMANDS, Envelope

ACTOR = "restore"
PATIENCE_S = 10.0


@click.command(short_help="Bring the archive back into a store that is behind it.")
@click.option("--table", callback=table_id, help="Only this table.  [default: all of the archive]")
@click.option("--void", is_flag=True, help="Instead: void the running hand of this frozen table; all chips go back.")
@click.option("--reason", callback=printable, help="Why the hand is voided; the players read it.")
@DATA_DIR
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(table: str | None, void: bool, reason: str | None, data_dir: Path | None, as_json: bool) -> None:
    """Set tables whose store is behind the archive forward to where the archive is.

    Exactly the missing events are appended; a store with another past is left alone and told as a fork. Restored tables
    stand frozen until the host retries them. Doing it twice changes nothing.
    """
    settings = settings_of(data_dir)
    if void:
        if not table or not reason:
            raise click.UsageError("--void needs --table and --reason")
        with store(settings) as url:
            void_hand(connect(url), table, reason)
        text = f"{table}: the hand is void, every stack is as it was before it"
        click.echo(json.dumps({"ok": True, "table": table}) if as_json else text)
    else:
        run_repair(settings, "restore", *(["--table", table] if table else []), *(["--json"] * as_json))


def void_hand(client: Client, table: str, reason: str) -> None:
    """Ask the table's owner, and wait for his answer."""
    reader, k = Reader(client), now_ms(client)
    if not reader.head(table)[0]:
        fail(f"not there: {table}")
    Inbox(client).append(Envelope(table, ACTOR, k, COMMANDS.encode(Void(ACTOR, reason))))
    give_up = time.monotonic() + PATIENCE_S
    while (receipt := reader.receipt(table, ACTOR)) is None or receipt.k < k:
        if time.monotonic() > give_up:
            fail("no table worker answers; the hand is voided as soon as one runs")
        time.sleep(0.05)
    outcome = decode_outcome(receipt.result)
    if not outcome.accepted:
        fail(f"{outcome.code}: only the running hand of a frozen table can be voided")
