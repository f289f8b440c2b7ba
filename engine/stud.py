"""What razz and the seven-card stud games share: antes and a bring-in, the seven cards, those that lie open.

Each game says who opens: on third street by the door cards, from fourth on by the boards. Its keys carry its name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from engine.betting import Betting
from engine.game import LIMIT_OPTIONS, Game, Option, Options, Share
from engine.limits import fixed_limit
from engine.positions import dealer_plan
from engine.refusals import Refused
from engine.showdown import face_up
from engine.state import Hand, Stakes
from engine.steps import Antes, Deal, First, Step


def stud_game(
    name: str, title: str, options: tuple[Option, ...], steps: Callable[[Options], tuple[Step, ...]], *shares: Share
) -> Game:
    """A game of this family; `options`: its keys beside the stakes and the number of raises."""
    return Game(
        name=name,
        title=title,
        seats=range(2, 9),
        options=(*LIMIT_OPTIONS, *ante_options(name), *options),
        stakes=partial(ante_stakes, name),
        steps=steps,
        seating=dealer_plan,
        shares=shares,
        rules=f"{name}/1",
    )


def ante_options(game: str) -> tuple[Option, ...]:
    """The stakes of a table (RAZ-C02, STD-05)."""
    return (
        Option(f"{game}.ante", 1, "ante", least=0),
        Option(f"{game}.bring_in", None, "bring-in; default half the small bet", least=1, optional=True),
        Option(f"{game}.small", 10, "bet on third and fourth street", least=2),
        Option(f"{game}.big", None, "bet from fifth street on: twice the small bet", least=2, optional=True),
        Option(f"{game}.short_stub", "community", "when the deck runs short (RAZ-C06)", choices=("community",)),
    )


def ante_stakes(game: str, options: Options) -> Stakes:
    """Ante, bring-in and the two bets; the big bet is twice the small one (RAZ-C02, RAZ-22, STD-05)."""
    small = options.number(f"{game}.small")
    big = options.number(f"{game}.big") if options[f"{game}.big"] is not None else 2 * small
    bring_in = small // 2 if options[f"{game}.bring_in"] is None else options.number(f"{game}.bring_in")
    if big != 2 * small or not 1 <= bring_in < small:
        raise Refused("bad_option", key=f"{game}.bring_in", least=1, most=small - 1, big=2 * small)
    return Stakes(options.number(f"{game}.ante"), bring_in, 0, 0, small, big)


def streets(
    options: Options, door_card: First, board: First, open_pair: Callable[[Hand], bool] | None = None
) -> tuple[Step, ...]:
    """Antes and the five streets. `door_card` brings in, `board` opens later streets; where `open_pair` holds on
    fourth street, the big bet may be made there (STD-10).
    """
    limit, shown = fixed_limit(options), face_up(options)
    return (
        Antes(),
        Deal(down=2, up=1),
        Betting("3rd", door_card, limit, bring_in=True),
        *shown,
        Deal(up=1, burn=True),
        Betting("4th", board, limit, double=open_pair),
        *shown,
        Deal(up=1, burn=True),
        Betting("5th", board, limit, big=True),
        *shown,
        Deal(up=1, burn=True),
        Betting("6th", board, limit, big=True),
        *shown,
        Deal(down=1, burn=True),
        Betting("7th", as_on_sixth(board), limit, big=True),
        *shown,
    )


def as_on_sixth(board: First) -> First:
    """No open card is new on seventh street: who opened sixth does again, unless that hand is folded (RAZ-31)."""
    return lambda hand: hand.first if hand.seats[hand.first].live else board(hand)


def doors(hand: Hand) -> list[int]:
    """The one card of third street that everybody sees of each live seat, in dealing order."""
    deck, seats = hand.deck, hand.seats
    return [deck[seats[index].up[0]] for index in hand.live()]  # type: ignore[misc]


def boards(hand: Hand) -> dict[int, list[int]]:
    """The open cards of every live seat, the community card not among them (RAZ-C07, STD-07)."""
    deck, seats = hand.deck, hand.seats
    return {i: [deck[at] for at in seats[i].up] for i in hand.live()}  # type: ignore[misc]


Scores = Callable[[Sequence[int | None], Iterable[Sequence[int]]], list[int]]


def best_board(hand: Hand, scores: Scores, tie: Callable[[list[int]], int] | None) -> int:
    """The live seat whose open cards score most. Equal boards: the one with the greatest `tie`, without it the first
    clockwise from the dealer.
    """
    live, seats = hand.live(), hand.seats
    found = scores(hand.deck, [seats[index].up for index in live])
    best = max(found)
    if tie is None:
        return live[found.index(best)]
    shown = boards(hand)
    return max([index for index, score in zip(live, found, strict=True) if score == best], key=lambda i: tie(shown[i]))


def all_cards(hand: Hand, seat: int) -> list[int]:
    """A seat's cards and the community card, if one was dealt (RAZ-28, STD-12)."""
    return [*map(hand.deck.__getitem__, [*hand.seats[seat].cards, *hand.board])]  # type: ignore[list-item]
