"""Omaha, high only: the rules of Omaha high-low without a low half (`engine/games/omaha8.py`)."""

from __future__ import annotations

from functools import partial

from engine.flop import blind_options, blind_stakes, rounds
from engine.game import Game, Options, Share
from engine.games.omaha8 import high
from engine.positions import blind_plan
from engine.showdown import Award, Showing
from engine.steps import Step


def steps(options: Options) -> tuple[Step, ...]:
    return (*rounds("omaha", options, hole=4), Showing(), Award())


GAME = Game(
    name="omaha",
    title="Omaha",
    seats=range(2, 11),
    options=blind_options("omaha", "pot_limit"),
    stakes=partial(blind_stakes, "omaha"),
    steps=steps,
    seating=blind_plan,
    shares=(Share("high", high),),
    rules="omaha/1",
    blinds=True,
)
