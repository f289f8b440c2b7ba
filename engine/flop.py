"""What hold'em and the Omaha games share: blinds, a limit of three, five common cards. Keys carry the game's name."""

from __future__ import annotations

from engine.betting import Betting
from engine.game import BUTTON_OPTIONS, LIMIT_OPTIONS, Option, Options
from engine.limits import Limit, NoLimit, PotLimit, fixed_limit
from engine.refusals import Refused
from engine.showdown import face_up
from engine.state import Hand, Stakes
from engine.steps import Blinds, Board, Deal, Step, left_of_big_blind, left_of_button

STRUCTURES = ("limit", "pot_limit", "no_limit")


def blind_options(game: str, structure: str = "limit") -> tuple[Option, ...]:
    """Structure and stakes of a table (OM8-35, OM8-C01..C03, HLD-07..09)."""
    return (
        *LIMIT_OPTIONS,
        *BUTTON_OPTIONS,
        Option(f"{game}.structure", structure, "betting structure", choices=STRUCTURES),
        Option(f"{game}.big_blind", 2, "big blind; in limit also the small bet", least=1),
        Option(f"{game}.small_blind", None, "small blind; default half the big blind", least=0, optional=True),
        Option(f"{game}.burn", True, "burn a card before flop, turn and river", choices=(True, False)),
    )


def limit_of(game: str, options: Options) -> Limit:
    structure = options[f"{game}.structure"]
    if structure == "limit":
        return fixed_limit(options)
    return PotLimit() if structure == "pot_limit" else NoLimit()


def blind_stakes(game: str, options: Options) -> Stakes:
    """The big blind is the small bet; the big bet is its double in limit (OM8-C02), the same otherwise (OM8-C03)."""
    big_blind = options.number(f"{game}.big_blind")
    small_blind = options.number(f"{game}.small_blind")
    if options[f"{game}.small_blind"] is None:
        small_blind = max(1, big_blind // 2)
    if small_blind > big_blind:
        raise Refused("bad_option", key=f"{game}.small_blind", least=0, most=big_blind)
    double = 2 if options[f"{game}.structure"] == "limit" else 1
    return Stakes(0, 0, small_blind, big_blind, big_blind, double * big_blind)


def rounds(game: str, options: Options, hole: int) -> tuple[Step, ...]:
    """Blinds, `hole` cards down each, and four betting rounds with three, one and one common cards between them."""
    limit, burn, shown = limit_of(game, options), bool(options[f"{game}.burn"]), face_up(options)
    return (
        Blinds(),
        Deal(down=hole),
        Betting("preflop", left_of_big_blind, limit, blind=True),
        *shown,
        Board(3, burn),
        Betting("flop", left_of_button, limit),
        *shown,
        Board(1, burn),
        Betting("turn", left_of_button, limit, big=True),
        *shown,
        Board(1, burn),
        Betting("river", left_of_button, limit, big=True),
        *shown,
    )


def board(hand: Hand) -> list[int]:
    deck = hand.deck
    return [deck[at] for at in hand.board]  # type: ignore[misc]
