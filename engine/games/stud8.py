"""Seven-card stud high-low, eight or better, fixed limit (rule ids ST8-nn)."""

from __future__ import annotations

from engine.game import Option, Options, Share
from engine.games.stud import best, highest_board, lowest_door_card
from engine.rankings import eight_or_better
from engine.showdown import Award, Showing
from engine.state import Hand
from engine.steps import Step
from engine.stud import all_cards, streets, stud_game


def low(hand: Hand, seat: int) -> int | None:
    """Five different ranks of eight or lower among the seven; None if there are not five (ST8-04)."""
    return eight_or_better(all_cards(hand, seat))


def steps(options: Options) -> tuple[Step, ...]:
    opener = highest_board(str(options["stud8.high_tie"]))
    whole = options["stud8.identical_split"] == "whole"
    return (*streets(options, lowest_door_card, opener), Showing(), Award(whole=whole))


GAME = stud_game(
    "stud8",
    "Seven-card stud Hi-Lo 8 or better",
    (
        Option("stud8.high_tie", "clockwise", "equal highest boards (STD-08)", choices=("clockwise", "high_suit")),
        Option("stud8.identical_split", "whole", "same hands win high and low (ST8-08)", choices=("whole", "halves")),
    ),
    steps,
    Share("high", best),
    Share("low", low),
)
