"""A betting street: who is asked, what is legal, what an action does (COM-10..34, RAZ-C04, RAZ-C09)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from engine.draft import Draft
from engine.events import BroughtIn, Called, Checked, Folded, RaisedTo, Returned, StreetBegan
from engine.limits import Limit
from engine.pots import uncalled
from engine.state import NOT_YET, Hand, Seat
from engine.steps import Args, First, Move, Range, WithoutChoices

RAISES = ("bet", "raise", "complete")  # synonyms: each means "to `amount`"
DOUBLE = "double"  # as those, by the double bet where the street's bet is the single one (STD-10)
NOTHING = (0, 0)  # the amount of a fold or a check


@dataclass(frozen=True)
class Betting(WithoutChoices):
    """`big`: the double bet of later limit streets. `blind`: the big blind is the bet that opens this street.

    `double`: when the big bet may be made on a street of small ones. A street that is skipped is not played (HAS-C31).
    """

    street: str
    first: First
    limit: Limit
    big: bool = False
    blind: bool = False
    bring_in: bool = False
    double: Callable[[Hand], bool] | None = None
    pays: ClassVar[bool] = False

    def enter(self, draft: Draft) -> None:
        hand = draft.hand
        if self.street in hand.skipped:
            return
        stakes = hand.stakes
        size = stakes.big_bet if self.big else stakes.small_bet
        draft.tell(StreetBegan, (self.street, self.first(hand), self.opening_price(hand), size))
        self.ask(draft, hand.after[hand.first - 1])

    def opening_price(self, hand: Hand) -> int:
        return hand.stakes.big_blind if self.blind else 0

    def ask(self, draft: Draft, order: Sequence[int]) -> None:
        """Give the turn to the first of `order` that has something to decide; nobody: the street ends (COM-13).

        That is an answer to a bet that is not already covered, or the right to open and somebody to answer.
        """
        hand = draft.hand
        seats, price = hand.seats, hand.price
        for index in order:
            seat = seats[index]
            if not seat.live or seat.stack == 0 or seat.closed:
                continue
            if price <= seat.bet and seat.acted != NOT_YET:
                break  # has answered everything, and so has everybody after him
            if faces_bet(hand, seat) if price > seat.bet else answerable(hand, seat):
                return draft.give_turn(index)
        if back := uncalled(hand):
            draft.emit(Returned(*back))
        return None

    def options(self, hand: Hand) -> dict[str, Range]:
        assert hand.actor is not None
        seat, price = hand.seats[hand.actor], hand.price
        if self.bring_in and price == 0:  # third street before anybody has brought in
            return self.opening_options(hand, hand.actor)
        stack, bet = seat.stack, seat.bet
        to_call = price - bet
        if to_call > 0:
            pays = to_call if to_call < stack else stack
            legal: dict[str, Range] = {"fold": NOTHING, "call": (pays, pays)}
        else:
            legal = {"check": NOTHING}
        # who is asked without a bet before him has somebody to answer his own: else `ask` would have passed him by
        if stack > to_call and (to_call <= 0 or answerable(hand, seat)) and not self.limit.barred(hand, seat):
            least, most = self.limit.sizes(hand, seat)
            reach = bet + stack
            verb = "bet" if price == 0 else self.raise_verb(hand)
            legal[verb] = (least if least < reach else reach, most if most < reach else reach)
            if self.double and reach > most and hand.size < hand.stakes.big_bet and self.double(hand):
                doubled = min(hand.level + hand.stakes.big_bet, reach)
                legal[DOUBLE] = (doubled, doubled)
        return legal

    def raise_verb(self, hand: Hand) -> str:
        """Over a bet, or over the bring-in alone."""
        return "complete" if self.bring_in and hand.level == 0 else "raise"

    def opening_options(self, hand: Hand, index: int) -> dict[str, Range]:
        """Bring in, or bet the double; a seat the opening was passed on to may also fold (RAZ-09, C02, C09)."""
        seat = hand.seats[index]
        least = min(seat.stack, hand.stakes.bring_in)
        legal: dict[str, Range] = {"bring_in": (least, least)}
        if seat.stack >= hand.stakes.small_bet:
            legal["complete"] = (hand.stakes.small_bet, hand.stakes.small_bet)
        if index != hand.first:
            legal["fold"] = (0, 0)
        return legal

    def act(self, draft: Draft, move: Move) -> None:
        hand = draft.hand
        index = hand.actor
        assert index is not None
        verb, amount, _ = move
        if verb == "check":
            draft.tell(Checked, (index,))
        elif verb == "call":
            draft.tell(Called, (index, amount))
        elif verb == "fold":
            draft.tell(Folded, (index,))
            if not contested(hand):
                return self.ask(draft, ())
        elif verb == "bring_in":
            draft.tell(BroughtIn, (index, amount, hand.stakes.bring_in))
        else:
            half_bets = not (self.bring_in and hand.level == 0)
            level, size = self.limit.after(hand, amount, half_bets)
            draft.tell(RaisedTo, (index, amount, level, size))
        return self.ask(draft, hand.after[index])

    def default(self, hand: Hand) -> Move:
        """What a timeout does: the minimum bring-in, else check, else fold (COM-71)."""
        legal = self.options(hand)
        if "bring_in" in legal:
            return Move("bring_in", legal["bring_in"][0])
        return Move("check", 0) if "check" in legal else Move("fold", 0)

    def refusal(self, hand: Hand, verb: str, amount: int | None, args: Args | None = None) -> str:
        """Why `verb` to `amount` is not among the options (rule book 1.13; FORMAT.md section 6)."""
        assert hand.actor is not None
        seat = hand.seats[hand.actor]
        if self.bring_in and hand.price == 0:
            return self.opening_refusal(seat, verb, amount)
        if verb == "fold":
            return "fold_not_facing_bet"
        if verb not in RAISES:
            return "illegal_action"
        reach = seat.bet + seat.stack
        if reach <= hand.price or not answerable(hand, seat):
            return "raise_not_answerable"
        barred = self.limit.barred(hand, seat)
        return barred or wrong_size(amount, *self.limit.sizes(hand, seat))

    def opening_refusal(self, seat: Seat, verb: str, amount: int | None) -> str:
        if verb == "fold":
            return "fold_not_facing_bet"
        if verb not in ("bring_in", "complete"):
            return "illegal_action"
        return "insufficient_chips" if amount is not None and amount > seat.stack else "bring_in_amount"


def wrong_size(amount: int | None, least: int, most: int) -> str:
    """Which bound a raise-to breaks that is none of the legal ones: the smallest full one, the chips, the largest."""
    if amount is None or amount < least:
        return "bet_too_small"
    return "insufficient_chips" if amount <= most else "bet_too_large"


def contested(hand: Hand) -> bool:
    """Live seats of more than one player: else there is nothing left to bet about (COM-14, HAS-C07)."""
    seats, live = hand.seats, hand.live()
    player = seats[live[0]].player
    for index in live:
        if seats[index].player != player:
            return True
    return False


def faces_bet(hand: Hand, seat: Seat) -> bool:
    """Not all others are in for no more than the seat already is, without a chip to add."""
    bet, seats = seat.bet, hand.seats
    for index in hand.in_it:
        other = seats[index]
        if other is not seat and (other.bet > bet or (other.stack > 0 and not other.closed)):
            return True
    return False


def answerable(hand: Hand, seat: Seat) -> bool:
    """Another live seat, of another player, has chips left to bet, enough or not (COM-16)."""
    player, seats = seat.player, hand.seats
    for index in hand.in_it:
        other = seats[index]
        if other.player != player and other.stack > 0 and not other.closed:
            return True
    return False
