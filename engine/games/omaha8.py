"""Omaha high-low, eight or better: limit, pot-limit and no-limit (rule ids OM8-nn)."""

from __future__ import annotations

from functools import partial

from engine.flop import blind_options, blind_stakes, board, rounds
from engine.game import Game, Option, Options, Share
from engine.positions import blind_plan
from engine.rankings import omaha_high, omaha_low
from engine.showdown import Award, Showing
from engine.state import Hand
from engine.steps import Step


def high(hand: Hand, seat: int) -> int:
    """Exactly two hole cards and three board cards (OM8-26, OM8-68)."""
    return omaha_high(hand.cards_of(seat), board(hand))


def low(hand: Hand, seat: int) -> int | None:
    """Five different ranks of eight or lower, two and three; None if there is no such hand (OM8-69, OM8-C04)."""
    return omaha_low(hand.cards_of(seat), board(hand))


def steps(options: Options) -> tuple[Step, ...]:
    whole = options["omaha.identical_split"] == "whole"
    return (*rounds("omaha", options, hole=4), Showing(), Award(whole=whole))


GAME = Game(
    name="omaha8",
    title="Omaha Hi-Lo 8 or better",
    seats=range(2, 11),
    chairs=9,
    options=(
        *blind_options("omaha"),
        Option("omaha.identical_split", "whole", "same hands win high and low (OM8-C05)", choices=("whole", "halves")),
    ),
    stakes=partial(blind_stakes, "omaha"),
    steps=steps,
    seating=blind_plan,
    shares=(Share("high", high), Share("low", low)),
    rules="omaha8/1",
    blinds=True,
)
