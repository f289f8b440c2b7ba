"""Hasaga, the Haute-Savoie variant of no-limit hold'em with two hands per player (rule ids HAS-nn)."""

from __future__ import annotations

from functools import cache
from typing import Any

from engine.game import BUTTON_OPTIONS, Game, Option, Options, Share
from engine.games.hasaga.extra_blind import ExtraBlinds, lacking
from engine.games.hasaga.rounds import Round, asked
from engine.games.hasaga.sales import SALE_PRICES, Selling, SplitPools
from engine.games.hasaga.shop import EXTRA_CARDS_MOST, OPTIONS, destinations, extra_cards, not_for_sale, prices
from engine.limits import NoLimit
from engine.play import choices
from engine.positions import blind_plan
from engine.rankings import at_most_two
from engine.refusals import Refused
from engine.showdown import Award, Showing
from engine.state import Hand, Stakes
from engine.steps import Antes, Blinds, Board, Deal, Step, left_of_big_blind, left_of_button
from engine.tournament import Tournament

LEVELS = (
    "5/10 10/20 20/40 30/60 40/80 50/100 60/120 75/150 100/200 150/300 200/400 "  # HAS-32
    "300/600+20 400/800+50 500/1000+75 750/1500+100 1000/2000+200 1500/3000+300"  # HAS-33
)


def high(hand: Hand, seat: int) -> int:
    """At most two of the hand's cards with the board (HAS-09, HAS-C06)."""
    return at_most_two(hand.cards_of(seat), [hand.deck[at] for at in hand.board])  # type: ignore[misc]


def levels(options: Options) -> tuple[Stakes, ...]:
    """`small/big` or `small/big+ante` per level; the small blind is the least bet and the least raise (HAS-05)."""
    return read_levels(str(options["hasaga.levels"]))


@cache
def read_levels(text: str) -> tuple[Stakes, ...]:
    """Raises Refused `bad_option`."""
    found = tuple(map(read_level, text.split()))
    if not found:
        raise Refused("bad_option", key="hasaga.levels", level="")
    return found


def read_level(word: str) -> Stakes:
    blinds, _, ante = word.partition("+")
    small, _, big = blinds.partition("/")
    least, price, dead = chips(small), chips(big), chips(ante or "0")
    if not 1 <= least <= price or dead < 0:
        raise Refused("bad_option", key="hasaga.levels", level=word[:30])
    return Stakes(dead, 0, least, price, least, least)


def chips(text: str) -> int:
    """A whole number of up to seven figures; -1 for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 8 else -1


def stakes(options: Options) -> Stakes:
    """Of the first level."""
    return levels(options)[0]


def steps(options: Options) -> tuple[Step, ...]:
    limit = NoLimit(fixed=True)
    return (
        Antes(),
        Blinds(),
        ExtraBlinds(),
        Deal(down=2),
        Round("preflop", left_of_big_blind, limit, blind=True),
        Board(3, of="flop"),
        Round("flop", left_of_button, limit),
        Board(1, of="turn"),
        Round("turn", left_of_button, limit),
        Board(1, of="river"),
        Round("river", left_of_button, limit),
        Selling(),
        Showing(),
        Award(),
        SplitPools(),
    )


def own_view(hand: Hand) -> dict[str, Any]:
    """What only this game shows: the shop and why some of it cannot be had, what each awaited seat lacks for an extra
    blind, who waits for whose card, blocked streets, extra blinds, fees, and slots whose card was bought away.
    """
    look = asked(hand)
    seats = hand.seats
    return {
        "prices": prices(hand),
        "not_for_sale": not_for_sale(hand, choices(hand).get("purchase", ())) if shop_open(hand) else {},
        "destinations": destinations(hand),
        "extra_cards": {str(index): extra_cards(hand, index) for index in hand.live()},
        "extra_cards_most": EXTRA_CARDS_MOST,
        "positions": positions(hand),
        "lacking": {str(index): lacking(hand, index) for index in hand.awaited},
        "sale_prices": SALE_PRICES if hand.street == "sales" else {},
        "awaiting_reveal": {"buyer": look.seat, "target": look.target} if look else None,
        "blocked": list(hand.skipped),
        "extra_blinds": [index for index, seat in seats.items() if seat.closed],
        "fees": {str(index): seat.fees for index, seat in seats.items() if seat.fees},
        "gone": [list(place) for place in hand.gone],
    }


def shop_open(hand: Hand) -> bool:
    """A seat has a betting turn, and no card has to be shown first."""
    return hand.actor is not None and isinstance(hand.script.steps[hand.step], Round) and not asked(hand)


def positions(hand: Hand) -> dict[str, list[int]]:
    """Deck positions of the burned cards and of each seat's, in the order of their slots."""
    return {"burned": list(hand.burned), **{str(index): list(seat.cards) for index, seat in hand.seats.items()}}


GAME = Game(
    name="hasaga",
    title="Hasaga",
    seats=range(4, 13, 2),
    options=(
        *BUTTON_OPTIONS,
        Option("showdown.all_in_face_up", False, "hands stay face down (COM-63, HAS-42)", choices=(False,)),
        Option("hasaga.stack", 1500, "chips of each of the two stacks (HAS-25)", least=1),
        Option("hasaga.levels", LEVELS, "blinds and antes of the levels (HAS-32, HAS-33)", most=400,
               samples=("5/10 10/20 20/40", "5/10+3", "1/2 1/3+1 7/7", "300/600+20 3/6")),
        Option("hasaga.level_seconds", 600, "length of a level (HAS-31)", least=1, most=86_400),
        *OPTIONS,
        Option("hasaga.seating", "adjacent", "where a player's hands lie (HAS-C01)", choices=("adjacent",)),
        Option("hasaga.exb.call_price", "bb", "what others must call after an extra blind (HAS-C39)",
               choices=("bb", "exb")),
        Option("hasaga.exb_window_seconds", 5, "time to take the extra blind (HAS-C37)", most=600),
        Option("hasaga.merge_after", "split_halves", "a merged stack after the hand (HAS-C29)",
               choices=("split_halves",)),
    ),
    stakes=stakes,
    steps=steps,
    seating=blind_plan,
    shares=(Share("high", high),),
    rules="hasaga/1",
    blinds=True,
    structure="no_limit",
    view=own_view,
    late={"exb": "exb_too_late"},  # HAS-C37
    seats_each=2,
    tournament=Tournament(levels, lambda options: options.number("hasaga.level_seconds") * 1000,
                          lambda options: options.number("hasaga.stack")),
)  # fmt: skip
