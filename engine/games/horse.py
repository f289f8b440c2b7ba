"""H.O.R.S.E.: hold'em, Omaha-8, razz, stud and stud-8 in turn, all with fixed limits (rule id MIX-09)."""

from __future__ import annotations

from engine.game import Option
from engine.games import holdem, omaha8, razz, stud, stud8
from engine.rotation import mix

ORDER = "holdem omaha8 razz stud stud8"
TEN_TWENTY = {"holdem.big_blind": 10, "omaha.big_blind": 10}  # what the games with antes have as it is

GAME = mix(
    "horse",
    "H.O.R.S.E.",
    (holdem.GAME, omaha8.GAME, razz.GAME, stud.GAME, stud8.GAME),
    Option("rotation", ORDER, "the games in their order (MIX-09)", choices=(ORDER,)),
    {**TEN_TWENTY, "holdem.structure": ("limit",), "omaha.structure": ("limit",)},
)
