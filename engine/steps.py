"""The vocabulary that games are written in. A step has an automatic part (`enter`) and may give seats the turn.

A step is over when nobody has the turn. `options` (verb -> amounts) and, for verbs that take arguments, `choices`
(verb -> each set of arguments) are the only statement of what is legal: they are shown to players and bots, and
`decide` checks against them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, Protocol

from engine.draft import Draft
from engine.events import AntesPaid, BlindPosted, BoardDealt, Posted, RoundDealt
from engine.state import Hand

Range = tuple[int, int]
Args = dict[str, object]
Choices = dict[str, list[Args]]
NO_ARGUMENTS: Args = {}  # nobody changes it
WITHOUT_ARGUMENTS = ("fold", "check", "call", "bet", "raise", "complete", "double", "bring_in", "show", "muck")


class Move(NamedTuple):
    """An action of the seat on turn, already found legal. `amount`: the bet after it, where the verb has one."""

    verb: str
    amount: int
    args: Args = NO_ARGUMENTS


NO_MORE_ANSWERS = Move("no_more_answers", 0)  # the time of a step that awaits several seats is over


class Step(Protocol):
    """`street` names the steps that can give a turn ("" for the others); `pays` is true where the pots are paid."""

    @property
    def street(self) -> str: ...

    @property
    def pays(self) -> bool: ...

    def enter(self, draft: Draft) -> None: ...

    def options(self, hand: Hand) -> dict[str, Range]: ...

    def choices(self, hand: Hand) -> Choices: ...

    def act(self, draft: Draft, move: Move) -> None: ...

    def default(self, hand: Hand) -> Move: ...

    def refusal(self, hand: Hand, verb: str, amount: int | None, args: Args | None = None) -> str: ...


class WithoutChoices:
    """A step whose verbs take no arguments."""

    def choices(self, hand: Hand) -> Choices:
        return {}


class Automatic(WithoutChoices):
    """A step that never asks anybody."""

    street: ClassVar[str] = ""
    pays: ClassVar[bool] = False

    def options(self, hand: Hand) -> dict[str, Range]:
        return {}

    def act(self, draft: Draft, move: Move) -> None:
        raise AssertionError("nobody has the turn in an automatic step")

    def default(self, hand: Hand) -> Move:
        raise AssertionError("nobody has the turn in an automatic step")

    def refusal(self, hand: Hand, verb: str, amount: int | None, args: Args | None = None) -> str:
        return "illegal_action"


@dataclass(frozen=True)
class Antes(Automatic):
    """Everybody dealt in pays the ante, a short stack what it has (COM-40)."""

    def enter(self, draft: Draft) -> None:
        hand = draft.hand
        ante = hand.stakes.ante
        if ante:
            seats = hand.seats.items()
            draft.emit(AntesPaid(tuple([(at, ante if ante < seat.stack else seat.stack) for at, seat in seats])))


@dataclass(frozen=True)
class Blinds(Automatic):
    """Small blind (if its place is dealt in), big blind, then posts of returning and new players (COM-40, COM-66)."""

    def enter(self, draft: Draft) -> None:
        hand = draft.hand
        stakes = hand.stakes
        for index, blind, kind in ((hand.small, stakes.small_blind, "small"), (hand.big, stakes.big_blind, "big")):
            if index in hand.seats and blind:
                draft.emit(BlindPosted(index, min(blind, hand.seats[index].stack), kind))
        for post in hand.posts:
            draft.emit(Posted(*post))


@dataclass(frozen=True)
class Deal(Automatic):
    """Rounds of one card to every live seat from the button's left: `down` face down, then `up` face up (COM-68).

    When the stub is short: no burn if the cards are just enough, one community card if they are not (RAZ-C06).
    """

    down: int = 0
    up: int = 0
    burn: bool = False

    def enter(self, draft: Draft) -> None:
        hand = draft.hand
        live = hand.live()
        stub = 52 - hand.dealt
        if stub < len(live) * (self.down + self.up):
            return deal_board(draft, 1, burn=stub >= 2)
        burns = self.burn and stub > len(live)
        top = hand.take(burns + len(live) * (self.down + self.up))
        at = top[burns:]
        cards, openings = hand.reveal(at[len(live) * self.down :]) if self.up else (b"", b"")
        return draft.emit(RoundDealt(bytes(live), at, self.down, cards, openings, top[:burns]))


def deal_board(draft: Draft, count: int, burn: bool) -> None:
    """Common cards, after one that is burned."""
    hand = draft.hand
    top = hand.take(count + burn)
    at = top[burn:]
    draft.emit(BoardDealt(at, *hand.reveal(at), top[:burn]))


@dataclass(frozen=True)
class Board(Automatic):
    """Common cards, after a burn if the table burns (OM8-24, OM8-C01); none of a street that is skipped (HAS-C31)."""

    count: int
    burn: bool = True
    of: str = ""

    def enter(self, draft: Draft) -> None:
        if self.of in draft.hand.skipped:
            return
        deal_board(draft, self.count, self.burn)


First = Callable[[Hand], int]  # the seat first in the order of action


def left_of_button(hand: Hand) -> int:
    """First live seat left of the button (COM-68, OM8-54)."""
    return hand.live()[0]


def left_of_big_blind(hand: Hand) -> int:
    """Under the gun (OM8-36); with two seats the small blind (COM-67)."""
    return hand.after[hand.big][0]
