"""Showing hands in order (COM-60..63) and paying the pots (COM-50..55)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from engine.betting import Betting
from engine.draft import Draft
from engine.events import Awarded, Mucked, Raked, Shown, StreetBegan, UnmatchedReturned
from engine.game import Options
from engine.pots import Pot, equal_shares, pots, unmatched
from engine.state import Hand
from engine.steps import Args, Automatic, Move, Range, Step, WithoutChoices

Scores = dict[int, tuple[int | None, ...]]


def scores(hand: Hand) -> Scores:
    """Per live seat its rank for every share of the pot; kept on the hand while the showdown lasts."""
    if hand.scores is None:
        shares, unseen = hand.game.shares, mucked_unseen(hand)
        hand.scores = {
            i: (None,) * len(shares) if i in unseen else tuple([share.rank(hand, i) for share in shares])
            for i in hand.live()
        }
    return hand.scores


def mucked_unseen(hand: Hand) -> list[int]:
    """Whoever decides a finished hand again without its deck misses only cards that were never shown: such a hand was
    mucked, which takes that it had no claim (COM-61). Who knows the deck knows every hand.
    """
    if hand.deal is None or hand.deal.complete:
        return []
    return [index for index, seat in hand.seats.items() if any(hand.deck[at] is None for at in seat.cards)]


def show(draft: Draft, index: int) -> None:
    """Turn up the cards that are not yet open; the openings of the others are in earlier events."""
    hand = draft.hand
    at = bytes(hand.seats[index].cards)
    draft.tell(Shown, (index, at, *hand.reveal(at)))


def first_to_show(hand: Hand) -> int:
    """The last voluntary bettor, looking back street by street; else first in order of action (COM-60)."""
    last = hand.aggressor
    counts = hand.options["showdown.first"] == "latest_street" or hand.aggressor_street == hand.round
    if counts and last is not None and hand.seats[last].live:
        return last
    return next(i for i in hand.after[hand.first - 1] if hand.seats[i].live)


def face_up(options: Options) -> tuple[Step, ...]:
    """What follows a betting street where the table wants it."""
    return (FaceUp(),) if options["showdown.all_in_face_up"] else ()


@dataclass(frozen=True)
class FaceUp(Automatic):
    """Hands are turned up once nobody can bet any more (COM-63)."""

    def enter(self, draft: Draft) -> None:
        hand = draft.hand
        live = hand.live()
        if sum(hand.seats[i].stack > 0 for i in live) > 1:
            return
        for index in live:
            if not all(hand.open[at] for at in hand.seats[index].cards):
                show(draft, index)


@dataclass(frozen=True)
class Showing(WithoutChoices):
    """In order: hands that tie or beat what is shown for some pot are shown, the others may show or muck (COM-61)."""

    street: str = "showdown"
    pays: ClassVar[bool] = False

    def enter(self, draft: Draft) -> None:
        give_back(draft)
        draft.tell(StreetBegan, (self.street, first_to_show(draft.hand), 0, 0))
        self.go_on(draft)

    def go_on(self, draft: Draft) -> None:
        hand = draft.hand
        seats = hand.seats
        contested = contested_pots(hand)
        for index in hand.after[hand.first - 1]:
            seat = seats[index]
            if not seat.live or seat.shown or seat.mucked:
                continue
            if not has_claim(hand, index, contested):
                draft.give_turn(index)
                return
            show(draft, index)

    def options(self, hand: Hand) -> dict[str, Range]:
        return {"show": (0, 0), "muck": (0, 0)}

    def act(self, draft: Draft, move: Move) -> None:
        index = draft.hand.actor
        assert index is not None
        if move.verb == "show":
            show(draft, index)
        else:
            draft.tell(Mucked, (index,))
        self.go_on(draft)

    def default(self, hand: Hand) -> Move:
        return Move("muck", 0)

    def refusal(self, hand: Hand, verb: str, amount: int | None, args: Args | None = None) -> str:
        return "illegal_action"


def has_claim(hand: Hand, index: int, contested: list[Pot]) -> bool:
    """Does this seat tie or beat, for a pot it may win, every hand already shown for it (high, or low)?"""
    ranks, seats = scores(hand), hand.seats
    own = ranks[index]
    for _, eligible in contested:
        if index not in eligible:
            continue
        shown = [ranks[i] for i in eligible if seats[i].shown]
        for share, rank in enumerate(own):
            if rank is not None and rank >= max([theirs[share] or 0 for theirs in shown], default=0):
                return True
    return False


def contested_pots(hand: Hand) -> list[Pot]:
    """As `pots`; kept on the hand while its hands are shown and paid."""
    if hand.contested is None:
        hand.contested = pots(hand)
    return hand.contested


OddOrder = Callable[[Hand, list[int]], list[int]]  # winners of a tie, the first gets the first odd chip
Split = Callable[[int, list[int], int], list[tuple[int, int]]]


def from_button(hand: Hand, winners: list[int]) -> list[int]:
    """Clockwise from the button's left, which is dealing order (COM-54)."""
    return winners


@dataclass(frozen=True)
class Award(Automatic):
    """Each pot on its own. `whole`: hands that tie for all shares split the pot as a whole (OM8-C05)."""

    odd_order: OddOrder = from_button
    split: Split = equal_shares
    whole: bool = False
    pays: ClassVar[bool] = True

    def enter(self, draft: Draft) -> None:
        hand = draft.hand
        live = hand.live()
        give_back(draft)
        take_rake(draft)
        if len(live) == 1:
            draft.emit(Awarded(0, "all", live[0], hand.in_middle()))
            return
        for number, pot in enumerate(contested_pots(hand)):
            for share, seat, amount in self.payments(hand, pot):
                draft.emit(Awarded(number, share, seat, amount))

    def payments(self, hand: Hand, pot: Pot) -> list[tuple[str, int, int]]:
        """(share, seat, amount) of every payment from this pot; they sum to it."""
        unit = hand.options.number("odd_chip_unit")
        names = [share.name for share in hand.game.shares]
        claims = [(name, winners) for name, winners in zip(names, winners_of(hand, pot), strict=True) if winners]
        if len(claims) == 2 and self.whole and claims[0][1] == claims[1][1]:
            parts = [("both", claims[0][1], pot.amount)]
        elif len(claims) == 2:
            low = pot.amount // (2 * unit) * unit
            parts = [(*claims[0], pot.amount - low), (*claims[1], low)]
        else:
            parts = [("only", claims[0][1], pot.amount)]
        return [
            (name, seat, amount)
            for name, winners, chips in parts
            for seat, amount in self.split(chips, self.odd_order(hand, winners), unit)
        ]


def winners_of(hand: Hand, pot: Pot) -> list[list[int]]:
    """Per share, the eligible seats with the best rank; empty where nobody qualifies."""
    if len(pot.eligible) == 1:
        return [list(pot.eligible)] + [[] for _ in hand.game.shares[1:]]
    ranks = scores(hand)
    found = []
    for share in range(len(hand.game.shares)):
        best = max((ranks[i][share] for i in pot.eligible if ranks[i][share] is not None), default=None)  # type: ignore[type-var]
        found.append([i for i in pot.eligible if best is not None and ranks[i][share] == best])
    return found


def in_first_round(hand: Hand) -> bool:
    """No betting round but the first has begun."""
    rounds = [at for at, step in enumerate(hand.script.steps) if isinstance(step, Betting)]
    return hand.step <= rounds[0]


def give_back(draft: Draft) -> None:
    """Before the pots are contested, or paid without a contest."""
    back = unmatched(draft.hand)
    if back:
        draft.emit(UnmatchedReturned(*back))


def take_rake(draft: Draft) -> None:
    """Percent of what is contested, rounded down, capped; none in the first round if the table says so (COM-55)."""
    hand = draft.hand
    percent = hand.options.number("rake.percent")
    if not percent or (hand.options["rake.no_flop_no_drop"] and in_first_round(hand)):
        return
    amount = hand.in_middle() * percent // 100
    cap = hand.options["rake.cap"]
    amount = amount if cap is None else min(amount, hand.options.number("rake.cap"))
    if amount:
        draft.emit(Raked(amount))
        hand.contested = None
