"""Razz: seven-card stud, lowest hand wins, fixed limit (rule ids RAZ-nn)."""

from __future__ import annotations

from engine.betting import Betting
from engine.game import LIMIT_OPTIONS, Game, Option, Options, Share
from engine.limits import FixedLimit
from engine.positions import dealer_plan
from engine.rankings import razz_low, showing_low
from engine.refusals import Refused
from engine.showdown import Award, FaceUp, Showing, from_button
from engine.state import Hand, Stakes
from engine.steps import Antes, Deal, Step


def low(hand: Hand, seat: int) -> int:
    """Best five of the seven, the community card included (RAZ-28, RAZ-34)."""
    deck = hand.deck
    return razz_low([deck[at] for at in [*hand.seats[seat].cards, *hand.board]])  # type: ignore[misc]


def door(hand: Hand, seat: int) -> int:
    card = hand.deck[hand.seats[seat].up[0]]
    assert card is not None
    return card


def highest_door_card(hand: Hand) -> int:
    """Ace is low; equal ranks by suit, spade highest (RAZ-09, RAZ-12, RAZ-C03, COM-04)."""
    return max(hand.live(), key=lambda i: low_order(door(hand, i)))


def lowest_board(hand: Hand) -> int:
    """Lowest own up cards by COM-03 (RAZ-C05, RAZ-C07). Equal boards: first clockwise from the dealer, or by the
    suit of the highest up card, as TDA has it."""
    deck, seats = hand.deck, hand.seats
    boards: dict[int, list[int]] = {i: [deck[at] for at in seats[i].up] for i in hand.live()}  # type: ignore[misc]
    if hand.options["razz.low_tie"] == "high_suit":
        return max(boards, key=lambda i: (showing_low(boards[i]), max(map(low_order, boards[i]))))
    return max(boards, key=lambda i: showing_low(boards[i]))


def lowest_card_first(hand: Hand, winners: list[int]) -> list[int]:
    """Odd chips: lowest own card by rank, then suit c < d < h < s (RAZ-C08); or clockwise, by key."""
    if hand.options["razz.odd_chip"] == "clockwise":
        return from_button(hand, winners)
    return sorted(winners, key=lambda i: min(low_order(card) for card in hand.cards_of(i)))


def low_order(card: int) -> int:
    """Ace lowest, equal ranks c < d < h < s (RAZ-C03, COM-04)."""
    return ((card >> 2) + 1) % 13 * 4 + (card & 3)


def stakes(options: Options) -> Stakes:
    """Ante, bring-in and the two bets; the big bet is twice the small one (RAZ-C02, RAZ-22)."""
    small = options.number("razz.small")
    big = options.number("razz.big") if options["razz.big"] is not None else 2 * small
    bring_in = small // 2 if options["razz.bring_in"] is None else options.number("razz.bring_in")
    if big != 2 * small or not 1 <= bring_in < small:
        raise Refused("bad_option", key="razz.bring_in", least=1, most=small - 1, big=2 * small)
    return Stakes(options.number("razz.ante"), bring_in, 0, 0, small, big)


def steps(options: Options) -> tuple[Step, ...]:
    limit = FixedLimit(options.number("limit.max_raises"), bool(options["limit.heads_up_uncapped"]))
    return (
        Antes(),
        Deal(down=2, up=1),
        Betting("3rd", highest_door_card, limit, bring_in=True),
        FaceUp(),
        Deal(up=1, burn=True),
        Betting("4th", lowest_board, limit),
        FaceUp(),
        Deal(up=1, burn=True),
        Betting("5th", lowest_board, limit, big=True),
        FaceUp(),
        Deal(up=1, burn=True),
        Betting("6th", lowest_board, limit, big=True),
        FaceUp(),
        Deal(down=1, burn=True),
        Betting("7th", lowest_board, limit, big=True),
        FaceUp(),
        Showing(),
        Award(odd_order=lowest_card_first),
    )


GAME = Game(
    name="razz",
    title="Razz",
    seats=range(2, 9),
    options=(
        *LIMIT_OPTIONS,
        Option("razz.ante", 1, "ante (RAZ-07)", least=0),
        Option("razz.bring_in", None, "bring-in; default half the small bet (RAZ-11, RAZ-C02)", least=1, optional=True),
        Option("razz.small", 10, "bet on third and fourth street", least=2),
        Option("razz.big", None, "bet from fifth street on: twice the small bet (RAZ-22)", least=2, optional=True),
        Option("razz.short_stub", "community", "when the deck runs short (RAZ-C06)", choices=("community",)),
        Option("razz.odd_chip", "low_card", "odd chip of a tie (RAZ-C08)", choices=("low_card", "clockwise")),
        Option("razz.low_tie", "clockwise", "equal lowest boards (RAZ-C05)", choices=("clockwise", "high_suit")),
    ),
    stakes=stakes,
    steps=steps,
    seating=dealer_plan,
    shares=(Share("low", low),),
    rules="razz/1",
)
