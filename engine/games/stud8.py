"""Seven-card stud high-low, eight or better, fixed limit (rule ids ST8-nn)."""

from __future__ import annotations

from functools import partial

from engine.game import LIMIT_OPTIONS, Game, Option, Options, Share
from engine.games.stud import best, highest_board, lowest_door_card
from engine.limits import FixedLimit
from engine.positions import dealer_plan
from engine.rankings import eight_or_better
from engine.showdown import Award, Showing
from engine.state import Hand
from engine.steps import Step
from engine.stud import all_cards, ante_options, ante_stakes, streets


def low(hand: Hand, seat: int) -> int | None:
    """Five different ranks of eight or lower among the seven; None if there are not five (ST8-04)."""
    return eight_or_better(all_cards(hand, seat))


def steps(options: Options) -> tuple[Step, ...]:
    limit = FixedLimit(options.number("limit.max_raises"), bool(options["limit.heads_up_uncapped"]))
    opener = highest_board(str(options["stud8.high_tie"]))
    whole = options["stud8.identical_split"] == "whole"
    return (*streets(lowest_door_card, opener, limit), Showing(), Award(whole=whole))


GAME = Game(
    name="stud8",
    title="Seven-card stud Hi-Lo 8 or better",
    seats=range(2, 9),
    options=(
        *LIMIT_OPTIONS,
        *ante_options("stud8"),
        Option("stud8.high_tie", "clockwise", "equal highest boards (STD-08)", choices=("clockwise", "high_suit")),
        Option("stud8.identical_split", "whole", "same hands win high and low (ST8-08)", choices=("whole", "halves")),
    ),
    stakes=partial(ante_stakes, "stud8"),
    steps=steps,
    seating=dealer_plan,
    shares=(Share("high", best), Share("low", low)),
    rules="stud8/1",
)
