"""Seven-card stud: the highest hand wins, fixed limit (rule ids STD-nn)."""

from __future__ import annotations

from functools import partial

from engine.game import Option, Options, Share
from engine.rankings import high, showing_highs
from engine.showdown import Award, Showing
from engine.state import Hand
from engine.steps import First, Step
from engine.stud import all_cards, best_board, boards, doors, streets, stud_game


def best(hand: Hand, seat: int) -> int:
    """Best five of the seven, the community card included (STD-11, STD-12)."""
    return high(all_cards(hand, seat))


def lowest_door_card(hand: Hand) -> int:
    """The ace is high; equal ranks by suit, clubs lowest (STD-03, STD-04)."""
    cards = doors(hand)
    return hand.live()[cards.index(min(cards))]


def highest_board(tie: str) -> First:
    """Who shows the most: four, three, two of a kind, then by rank (STD-07). Equal boards: the first clockwise from the
    dealer, or by the suit of the highest card (STD-08).
    """
    return partial(best_board, scores=showing_highs, tie=max if tie == "high_suit" else None)


def open_pair(hand: Hand) -> bool:
    """A live seat shows two cards of one rank on fourth street (STD-10)."""
    return any(first >> 2 == second >> 2 for first, second, *_ in boards(hand).values())


def steps(options: Options) -> tuple[Step, ...]:
    double = open_pair if options["stud.open_pair"] == "double" else None
    opener = highest_board(str(options["stud.high_tie"]))
    return (*streets(options, lowest_door_card, opener, double), Showing(), Award())


GAME = stud_game(
    "stud",
    "Seven-card stud",
    (
        Option("stud.open_pair", "double", "bets on fourth street with a pair in sight (STD-10)",
               choices=("double", "single")),
        Option("stud.high_tie", "clockwise", "equal highest boards (STD-08)", choices=("clockwise", "high_suit")),
    ),
    steps,
    Share("high", best),
)  # fmt: skip
