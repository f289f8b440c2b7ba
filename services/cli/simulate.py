"""`croupier simulate`: tables played by a policy inside this process."""

from __future__ import annotations

import json
import sys
from functools import partial
from typing import Any

import click

from engine.game import find_game
from engine.refusals import Refused
from services.audit import Case, Verdict, run, same_table
from services.cli._text import GAME, chosen_options, facts, refusal
from services.policies import POLICIES
from services.reader import Entry
from services.segment import Segment
from services.simulate import Played, Setup, Simulator, Summary, seats_of, simulate
from services.variety import Varied


@click.command(short_help="Play GAME with simulated players; print the digest of all logs.")
@click.argument("game", type=GAME, metavar="GAME")
@click.option("--tables", default=1, type=click.IntRange(1, 100_000), show_default=True, help="How many.")
@click.option("--hands", default=1000, type=click.IntRange(1), show_default=True, help="Hands per table.")
@click.option("--seats", type=int, help="Players.  [default: 6, or as many as the game takes]")
@click.option("--seed", default=0, show_default=True, help="The same seed gives the same digest.")
@click.option("--policy", type=click.Choice(list(POLICIES)), default="random", show_default=True, help="How they play.")
@click.option("--set", "chosen", multiple=True, metavar="KEY=VALUE", help="An option; repeatable.")
@click.option("--vary", is_flag=True, help="Random options, players and stacks, at a new table every 40 hands.")
@click.option("--bare", is_flag=True, help="Decks as arguments: neither seeds nor commitments.")
@click.option("--audit", is_flag=True, help="Verify every hand from its log as soon as it is over.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    game: str, chosen: tuple[str, ...], vary: bool, bare: bool, audit: bool, as_json: bool, **much: Any
) -> None:
    """Play GAME with simulated players; print the digest of all logs and the speed.

    The digest is SHA-256 over all stored event bytes in order. Everybody sits down with 100 big bets; with --vary all
    is left to chance that --set and --seats leave open.
    """
    if bare and audit:
        raise click.UsageError("--bare decks have no commitment to audit")
    require_players(game, much["seats"])
    setup = Setup(game, chosen=chosen_options(game, chosen), bare=bare, keep=audit, **much)
    auditor, quiet = Auditor(audit), not sys.stderr.isatty()
    try:
        with click.progressbar(length=setup.tables * setup.hands, file=sys.stderr, hidden=quiet) as bar:
            summary = simulate(setup, lambda played: auditor.see(played, bar), Varied if vary else Simulator)
    except Refused as refused:
        raise click.UsageError(refusal(refused)) from None
    report = {**as_dict(setup, summary, vary), **({"audited": auditor.as_json()} if audit else {})}
    click.echo(json.dumps(report, indent=2) if as_json else facts(report))
    if auditor.failed:
        raise SystemExit(1)


def require_players(name: str, many: int | None) -> None:
    """As many as the game takes."""
    game = find_game(name)
    least, most = game.seats[0] // game.seats_each, game.seats[-1] // game.seats_each
    if many is not None and not least <= many <= most:
        raise click.UsageError(f"--seats {many}: {name} takes {least} to {most} players")


class Auditor:
    """Verifies each hand from its log alone, if `strict`, and remembers those that fail."""

    def __init__(self, strict: bool) -> None:
        self.strict = strict
        self.version = 0
        self.hands = 0
        self.failed: list[tuple[str, int, Verdict]] = []

    def see(self, played: Played, bar: Any) -> None:
        """A hand is over."""
        bar.update(1)
        if self.strict:
            self.check(played)

    def check(self, played: Played) -> None:
        if played.before is None:
            self.version = 0
        entries = tuple(Entry(version, *row) for version, row in enumerate(played.log, self.version + 1))
        self.version, self.hands = self.version + len(entries), self.hands + 1
        table = played.table
        segment = Segment(table.id, table.number, played.before, played.prev_head, entries)
        case = Case(segment, played.seed)
        same = run("same table", partial(same_table, played=table), case)
        verdict = Verdict((*case.verdict().checks, same))
        if not verdict.ok:
            self.failed.append((table.id, table.number, verdict))

    def as_json(self) -> dict[str, Any]:
        """Number of hands, and those that failed with their checks."""
        failed = [{"table": table, "hand": hand, **verdict.as_json()} for table, hand, verdict in self.failed]
        return {"hands": self.hands, "ok": not failed, "failed": failed}


def as_dict(setup: Setup, summary: Summary, vary: bool) -> dict[str, Any]:
    """What is printed."""
    return {
        "game": setup.game,
        "tables": setup.tables,
        "seats": None if vary and not setup.seats else seats_of(setup, find_game(setup.game)),
        "seed": setup.seed,
        "policy": setup.policy,
        "hands": summary.hands,
        "actions": summary.actions,
        "events": summary.events,
        "digest": summary.digest,
        "hands_per_second": round(summary.hands / summary.seconds, 1),
        "actions_per_second": round(summary.actions / summary.seconds, 1),
    }
