"""`python -m bench`: run the subjects and print the table."""

from __future__ import annotations

import json
import platform
import sys
from functools import partial
from importlib import import_module
from importlib.metadata import version

import click

from bench.measure import Figure, Outcome, run

SUBJECTS = (
    "engines", "games", "evaluators", "deal", "bytes", "replay", "audit", "histories", "loop", "latency", "web", "live",
)  # fmt: skip
ON_REQUEST = ("instructions",)  # takes many minutes and needs valgrind
PEERS = (
    "pokerkit", "phevaluator", "pokerfast", "eventsourcing", "rq", "redis", "msgpack", "flask", "granian", "gunicorn",
)  # fmt: skip


@click.command()
@click.option(
    "--only", type=click.Choice((*SUBJECTS, *ON_REQUEST)), multiple=True, help="This subject; may be repeated."
)
@click.option("--rounds", type=click.IntRange(1), default=5, show_default=True, help="Interleaved rounds of each.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--gate", is_flag=True, help="Exit 1 if a must is missed.")
def main(only: tuple[str, ...], rounds: int, as_json: bool, gate: bool) -> None:
    """Measure Croupier beside its peers and the bare parts it stands on."""
    outcomes = {}
    for name in only or SUBJECTS:
        with click.progressbar(label=f"{name:<10}", length=0, file=sys.stderr) as bar:
            subject = import_module(f"bench.{name}").subject
            with subject() as prepared:
                bar.length = rounds * len(prepared.candidates)
                outcomes[name] = run(prepared, rounds, partial(bar.update, 1))
        if not as_json:
            print_table(name, outcomes[name])
    if as_json:
        click.echo(json.dumps(as_data(outcomes, rounds), indent=2))
    missed = any(not figure.must_met for outcome in outcomes.values() for figure in outcome.figures)
    sys.exit(gate and missed)


def print_table(name: str, outcome: Outcome) -> None:
    """One line a row, then the medians behind them and the notes."""
    click.echo(f"\n{name}\n{'what':<52} {'measured':>11} {'must':>9} {'aim':>9}  verdict")
    for figure in outcome.figures:
        row = figure.row
        click.echo(
            f"{row.what:<52} {amount(figure.value, row.unit):>11} {amount(row.must, row.unit):>9} "
            f"{amount(row.aim, row.unit):>9}  {verdict(figure)}"
        )
    for candidate, median in outcome.medians.items():
        click.echo(f"    {candidate:<48} {median:>11,.4g}  (spread {outcome.spreads[candidate]:.0%})")
    for note in outcome.notes:
        click.echo(f"    {note}")


def amount(value: float, unit: str) -> str:
    """At most three significant digits below a thousand, whole numbers above, with the unit."""
    return f"{value:,.0f}{unit}" if value >= 1000 else f"{value:.3g}{unit}"


def verdict(figure: Figure) -> str:
    """Which of the two marks is met."""
    return "aim met" if figure.aim_met else "must met" if figure.must_met else "MISSED"


def as_data(outcomes: dict[str, Outcome], rounds: int) -> dict[str, object]:
    """The same as plain data, with what it was measured on."""
    return {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "peers": {peer: version(peer) for peer in PEERS},
        "rounds": rounds,
        "rows": [
            {"subject": name, "what": f.row.what, "value": f.value, "unit": f.row.unit, "must": f.row.must,
             "aim": f.row.aim, "must_met": f.must_met, "aim_met": f.aim_met}
            for name, outcome in outcomes.items() for f in outcome.figures
        ],
        "medians": {name: outcome.medians for name, outcome in outcomes.items()},
        "spreads": {name: outcome.spreads for name, outcome in outcomes.items()},
        "notes": {name: outcome.notes for name, outcome in outcomes.items()},
    }  # fmt: skip


if __name__ == "__main__":
    main()
