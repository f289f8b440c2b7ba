"""Omaha high-low, eight or better: limit, pot-limit and no-limit (rule ids OM8-nn)."""

from __future__ import annotations

from engine.betting import Betting
from engine.game import BUTTON_OPTIONS, LIMIT_OPTIONS, Game, Option, Options, Share
from engine.limits import FixedLimit, Limit, NoLimit, PotLimit
from engine.positions import blind_plan
from engine.rankings import omaha_high, omaha_low
from engine.refusals import Refused
from engine.showdown import Award, FaceUp, Showing
from engine.state import Hand, Stakes
from engine.steps import Blinds, Board, Deal, Step, left_of_big_blind, left_of_button


def board(hand: Hand) -> list[int]:
    deck = hand.deck
    return [deck[at] for at in hand.board]  # type: ignore[misc]


def high(hand: Hand, seat: int) -> int:
    """Exactly two hole cards and three board cards (OM8-26, OM8-68)."""
    return omaha_high(hand.cards_of(seat), board(hand))


def low(hand: Hand, seat: int) -> int | None:
    """Five different ranks of eight or lower, two and three; None if there is no such hand (OM8-69, OM8-C04)."""
    return omaha_low(hand.cards_of(seat), board(hand))


def limit_of(options: Options) -> Limit:
    structure = options["omaha.structure"]
    if structure == "limit":
        return FixedLimit(options.number("limit.max_raises"), bool(options["limit.heads_up_uncapped"]))
    return PotLimit() if structure == "pot_limit" else NoLimit()


def stakes(options: Options) -> Stakes:
    """The big blind is the small bet; the big bet is its double in limit (OM8-C02), the same otherwise (OM8-C03)."""
    big_blind = options.number("omaha.big_blind")
    small_blind = options.number("omaha.small_blind")
    if options["omaha.small_blind"] is None:
        small_blind = max(1, big_blind // 2)
    if small_blind > big_blind:
        raise Refused("bad_option", key="omaha.small_blind", least=0, most=big_blind)
    double = 2 if options["omaha.structure"] == "limit" else 1
    return Stakes(0, 0, small_blind, big_blind, big_blind, double * big_blind)


def steps(options: Options) -> tuple[Step, ...]:
    limit = limit_of(options)
    burn = bool(options["omaha.burn"])
    return (
        Blinds(),
        Deal(down=4),
        Betting("preflop", left_of_big_blind, limit, blind=True),
        FaceUp(),
        Board(3, burn),
        Betting("flop", left_of_button, limit),
        FaceUp(),
        Board(1, burn),
        Betting("turn", left_of_button, limit, big=True),
        FaceUp(),
        Board(1, burn),
        Betting("river", left_of_button, limit, big=True),
        FaceUp(),
        Showing(),
        Award(whole=options["omaha.identical_split"] == "whole"),
    )


GAME = Game(
    name="omaha8",
    title="Omaha Hi-Lo 8 or better",
    seats=range(2, 11),
    options=(
        *LIMIT_OPTIONS,
        *BUTTON_OPTIONS,
        Option("omaha.structure", "limit", "betting structure (OM8-35)", choices=("limit", "pot_limit", "no_limit")),
        Option("omaha.big_blind", 2, "big blind; in limit also the small bet (OM8-C02)", least=1),
        Option("omaha.small_blind", None, "small blind; default half the big blind (OM8-11)", least=0, optional=True),
        Option("omaha.burn", True, "burn a card before flop, turn and river (OM8-C01)", choices=(True, False)),
        Option("omaha.identical_split", "whole", "same hands win high and low (OM8-C05)", choices=("whole", "halves")),
    ),
    stakes=stakes,
    steps=steps,
    seating=blind_plan,
    shares=(Share("high", high), Share("low", low)),
    rules="omaha8/1",
    blinds=True,
)
