"""Any list of games in turn, or the dealer's choice of them (rule ids MIX-nn)."""

from __future__ import annotations

import importlib
import pkgutil

import engine.games
from engine.game import Game, Option
from engine.games.horse import ORDER, TEN_TWENTY
from engine.rotation import mix, mixable


def others() -> tuple[Game, ...]:
    """Every other game of this folder that can be dealt in turn with others (MIX-10)."""
    names = sorted(info.name for info in pkgutil.iter_modules(engine.games.__path__))
    modules = [importlib.import_module(f"engine.games.{name}") for name in names if not __name__.endswith(f".{name}")]
    return tuple(module.GAME for module in modules if mixable(module.GAME))


GAME = mix(
    "mixed",
    "Mixed games",
    others(),
    Option("rotation", ORDER, "names of games in their order, separated by spaces (MIX-01, MIX-10)", most=200,
           samples=("razz", "stud8 holdem", "abyssinia omaha8 stud", "omaha abyssinia razz holdem")),
    {**TEN_TWENTY, "holdem.structure": "limit"},
)
