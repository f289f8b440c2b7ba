"""Hold'em: two cards each, five in the middle; no-limit, pot-limit and limit (rule ids HLD-nn)."""

from __future__ import annotations

from engine.flop import blind_options, blind_stakes, board, rounds
from engine.game import Game, Option, Options, Share
from engine.positions import blind_plan
from engine.rankings import high
from engine.showdown import Award, Showing
from engine.state import Hand, Stakes
from engine.steps import Antes, Step


def best(hand: Hand, seat: int) -> int:
    """The best five of the own two and the board, in any mixture (HLD-06)."""
    return high([*hand.cards_of(seat), *board(hand)])


def stakes(options: Options) -> Stakes:
    """Blinds, and an ante where the table has one (HLD-10)."""
    return blind_stakes("holdem", options)._replace(ante=options.number("holdem.ante"))


def steps(options: Options) -> tuple[Step, ...]:
    return (Antes(), *rounds("holdem", options, hole=2), Showing(), Award())


GAME = Game(
    name="holdem",
    title="Hold'em",
    seats=range(2, 11),
    options=(
        *blind_options("holdem", "no_limit"),
        Option("holdem.ante", 0, "ante of everybody dealt in (HLD-10)", least=0),
    ),
    stakes=stakes,
    steps=steps,
    seating=blind_plan,
    shares=(Share("high", best),),
    rules="holdem/1",
    blinds=True,
)
