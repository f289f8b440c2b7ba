"""`croupier rng`: the battery on the production shuffle, and raw output for other batteries."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable

import click

from engine.drbg import HmacDrbg
from services.rng.battery import BIRTHS, Finding, avalanche, examine, known_answer
from services.rng.shuffles import controls, production
from services.sealing import fresh_seed

CONTROL_DECKS = 12_000
BIRTHS_EACH = 11
"""Decks for "no deck twice", for each of `--decks`: by default enough to find a seed of 32 bits."""
BLOCK = 4096


@click.command(short_help="Test the shuffle that deals here.")
@click.option("--decks", default=20_000, show_default=True, type=click.IntRange(1000, 10_000_000), help="Decks a test.")
@click.option("--raw", type=click.IntRange(min=1), help="Instead: this many bytes of the generator on standard output.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(decks: int, raw: int | None, as_json: bool) -> None:
    """Test the shuffle that deals here, and show that the tests reject the shuffles known to be wrong.

    For dieharder: croupier rng --raw 10000000000 | dieharder -a -g 200
    """
    chance = HmacDrbg(fresh_seed(), personalisation=b"battery")
    if raw is not None:
        return write_raw(chance, raw)
    tests = [known_answer(), avalanche(chance)]
    tests += watched(examine(production(chance), decks, chance, BIRTHS_EACH * decks), as_json)
    judged = [(dealer.name, fault(examine(dealer, CONTROL_DECKS, chance, BIRTHS))) for dealer in controls(chance)]
    ok = all(test.ok for test in tests) and all(found for _, found in judged)
    if as_json:
        found = [{"name": name, "rejected": bool(by), "by": by} for name, by in judged]
        click.echo(json.dumps({"ok": ok, "decks": decks, "tests": [t._asdict() for t in tests], "controls": found}))
    else:
        tell(judged, ok)
    sys.exit(0 if ok else 1)


def watched(findings: Iterable[Finding], quiet: bool) -> list[Finding]:
    """The findings, told one by one: the battery takes a while."""
    kept: list[Finding] = []
    for finding in findings:
        kept.append(finding)
        if not quiet:
            click.echo(f"{'ok    ' if finding.ok else 'FAILED'}  {finding.name:26} {finding.detail}")
    return kept


def fault(findings: Iterable[Finding]) -> str:
    """The first test that rejects a control; "" if none does."""
    return next((finding.name for finding in findings if not finding.ok), "")


def tell(judged: list[tuple[str, str]], ok: bool) -> None:
    for name, by in judged:
        click.echo(f"{'rejected' if by else 'MISSED'}  {name:26} {by}")
    click.echo("The shuffle passes and every control is rejected." if ok else "Something is wrong.")


def write_raw(chance: HmacDrbg, count: int) -> None:
    """Output of the production generator in blocks, each from its own request."""
    while count > 0:
        block = chance.generate(min(BLOCK, count))
        click.echo(block, nl=False)
        count -= len(block)
