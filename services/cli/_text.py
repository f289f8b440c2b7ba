"""What the commands share: reading `key=value`, printing rows."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import click

from engine.game import find_game, games
from engine.refusals import Refused

WORDS = {"none": None, "true": True, "false": False}
NUMBER = re.compile(r"-?[0-9]{1,16}")
GAME = click.Choice(list(games()))
HAND = click.IntRange(1, 1_000_000_000)


class Number(click.FloatRange):
    """A number within bounds, of which "nan" is beside and "inf" beyond any."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number: float = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value} is no number", param, ctx)
        return number


def chosen_options(game: str, pairs: Iterable[str]) -> dict[str, Any]:
    """`key=value` texts as options of the game; whether they may be set is for the engine to say."""
    texts = {option.key for option in find_game(game).all_options() if isinstance(option.default, str)}
    chosen: dict[str, Any] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals:
            raise click.UsageError(f"--set {pair}: write key=value")
        if not value.isprintable():
            raise click.UsageError(f"--set {key}: write printable characters")
        chosen[key] = value if key in texts else value_of(value)
    return chosen


def value_of(text: str) -> Any:
    """A number, true, false, none, or the text itself."""
    if text.lower() in WORDS:
        return WORDS[text.lower()]
    return int(text) if NUMBER.fullmatch(text) else text


def refusal(refused: Refused) -> str:
    """A refusal in a line: its code, and what it says of the case."""
    told = ", ".join(f"{name} {offered(fact) if name == 'legal' else fact}" for name, fact in refused.detail.items())
    return f"{refused.code}: {told}" if told else refused.code


def offered(legal: Any) -> str:
    """Verbs with the bounds of their amounts."""
    return ", ".join(verb + sized(*bounds) for verb, bounds in legal.items()) or "nothing"


def sized(least: int, most: int) -> str:
    """The bounds of an amount, "" where there is none."""
    if not most:
        return ""
    return f" {least}" if least == most else f" {least}…{most}"


def counted(many: int, what: str) -> str:
    """`1 hand`, `2 hands`."""
    return f"{many} {what}" if many == 1 else f"{many} {what}s"


def show(value: object) -> str:
    """A value the way `--set` reads it; of several, each."""
    if isinstance(value, bool) or value is None:
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:,.1f}"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {show(one)}" for name, one in value.items()) or "none"
    if isinstance(value, (list, tuple)):
        return "; ".join(map(show, value)) or "none"
    return str(value)


def facts(report: Mapping[str, object]) -> str:
    """A line per fact."""
    width = max(len(name) for name in report)
    return "\n".join(f"{name.replace('_', ' '):<{width}}  {show(value)}" for name, value in report.items())


def rows(heads: Sequence[str], lines: Iterable[Sequence[object]]) -> str:
    """Columns under their heads."""
    texts = [tuple(heads), *(tuple(map(show, line)) for line in lines)]
    widths = [max(len(line[at]) for line in texts) for at in range(len(heads))]
    return "\n".join("  ".join(map(str.ljust, line, widths)).rstrip() for line in texts)
