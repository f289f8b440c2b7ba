"""Razz: seven-card stud, lowest hand wins, fixed limit (rule ids RAZ-nn)."""

from __future__ import annotations

from engine.game import Option, Options, Share
from engine.rankings import razz_low, showing_lows
from engine.showdown import Award, Showing, from_button
from engine.state import Hand
from engine.steps import Step
from engine.stud import all_cards, best_board, doors, streets, stud_game

# Of each card: ace lowest, equal ranks c < d < h < s (RAZ-C03, COM-04).
LOW_ORDER = [((card >> 2) + 1) % 13 * 4 + (card & 3) for card in range(52)]


def low(hand: Hand, seat: int) -> int:
    """Best five of the seven, the community card included (RAZ-28, RAZ-34)."""
    return razz_low(all_cards(hand, seat))


def highest_door_card(hand: Hand) -> int:
    """Ace is low; equal ranks by suit, spade highest (RAZ-09, RAZ-12, RAZ-C03, COM-04)."""
    cards = [LOW_ORDER[card] for card in doors(hand)]
    return hand.live()[cards.index(max(cards))]


def lowest_board(hand: Hand) -> int:
    """Lowest own up cards by COM-03 (RAZ-C05, RAZ-C07). Equal boards: first clockwise from the dealer, or by the
    suit of the highest up card, as TDA has it."""
    tie = highest_card if hand.options["razz.low_tie"] == "high_suit" else None
    return best_board(hand, showing_lows, tie)


def lowest_card_first(hand: Hand, winners: list[int]) -> list[int]:
    """Odd chips: lowest own card by rank, then suit c < d < h < s (RAZ-C08); or clockwise, by key."""
    if hand.options["razz.odd_chip"] == "clockwise":
        return from_button(hand, winners)
    return sorted(winners, key=lambda i: min(LOW_ORDER[card] for card in hand.cards_of(i)))


def highest_card(cards: list[int]) -> int:
    return max([LOW_ORDER[card] for card in cards])


def steps(options: Options) -> tuple[Step, ...]:
    return (*streets(options, highest_door_card, lowest_board), Showing(), Award(odd_order=lowest_card_first))


GAME = stud_game(
    "razz",
    "Razz",
    (
        Option("razz.odd_chip", "low_card", "odd chip of a tie (RAZ-C08)", choices=("low_card", "clockwise")),
        Option("razz.low_tie", "clockwise", "equal lowest boards (RAZ-C05)", choices=("clockwise", "high_suit")),
    ),
    steps,
    Share("low", low),
)
