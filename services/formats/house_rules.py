"""The options of our own tables, as an export names them beside a format that has no place for them.

Only those that change what is legal or what is paid, and only where they differ from the game's defaults. A history
that has them, even none, is played under our rules; any other under the usual ones of a room.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from engine.game import Game, Value
from services.formats.figures import Nonsense

Rule = int | bool | str

_OF_THE_TABLE = frozenset({
    "name", "seats", "action_seconds", "time_bank_seconds", "disconnect_grace_seconds", "disconnect_policy",
    "history.per_session", "buy_in.min", "buy_in.max", "hand_gap_seconds", "max_missed_orbits", "button",
})  # fmt: skip
"""Options that no hand depends on once it is dealt."""


def house_rules(game: Game, options: Mapping[str, Value]) -> dict[str, Rule]:
    """What this table plays otherwise than the game's defaults; keys in order. Of a mixed table: for this game."""
    return {
        option.key: value
        for option in sorted(game.all_options(), key=lambda option: option.key)
        if option.key not in _OF_THE_TABLE and (value := options[option.key]) not in (option.default, None)
    }


def in_words(rules: Mapping[str, Rule]) -> str:
    """`key=value key=value`, for formats that have nothing but text."""
    return " ".join(f"{key}={value if isinstance(value, str) else json.dumps(value)}" for key, value in rules.items())


def from_words(text: str) -> dict[str, Rule]:
    """The inverse of `in_words`. Raises `Nonsense`."""
    found: dict[str, Rule] = {}
    for word in text.split():
        key, sign, value = word.partition("=")
        if not sign or key in found:
            raise Nonsense(f"not a house rule: {word[:40]!r}")
        found[key] = int(value) if value.isascii() and value.isdigit() else _WORDS.get(value, value)
    return found


def checked(value: object) -> dict[str, Rule]:
    """House rules as a file holds them. Raises `Nonsense`."""
    if not isinstance(value, dict) or not all(isinstance(item, int | str) for item in value.values()):
        raise Nonsense("house rules that are not keys with numbers or words")
    return value


_WORDS: dict[str, Rule] = {"true": True, "false": False}
