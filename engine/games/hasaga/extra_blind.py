"""The extra blind: before the cards every hand may buy into a special pot (HAS-34..38, HAS-C37..C43).

All hands are asked at once, answers are sealed until the last one is in or the time is over: nobody's choice can follow
from another's, and no hand waits for twelve others. Only hands that could pay are waited for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.choosing import opened, sealed
from engine.draft import Draft
from engine.events import AnswersOpened, Awaited, StreetBegan
from engine.games.hasaga.events import BankPaid, ExtraBlindTaken
from engine.state import Hand
from engine.steps import NO_MORE_ANSWERS, Args, Choices, Move, Range

ANSWERS = ("no", "yes")
LEGAL: dict[str, Range] = {"exb": (0, 0)}
CHOICES: Choices = {"exb": [{"choice": answer} for answer in ANSWERS]}  # of every hand, and nobody changes it


def extra_blind(hand: Hand) -> int:
    return 2 * hand.stakes.big_blind


def lacking(hand: Hand, index: int) -> int:
    """What the seat would add; a blind that it has posted counts (HAS-C38)."""
    return extra_blind(hand) - hand.seats[index].bet


def can_pay(hand: Hand, index: int) -> bool:
    return hand.seats[index].stack >= lacking(hand, index)


@dataclass(frozen=True)
class ExtraBlinds:
    """Every hand says yes or no, in any order (HAS-C37)."""

    street: str = "extra_blind"
    pays: ClassVar[bool] = False

    def enter(self, draft: Draft) -> None:
        hand = draft.hand
        draft.tell(StreetBegan, (self.street, hand.order[0], hand.stakes.big_blind, 0))
        asked = tuple(i for i in hand.order if can_pay(hand, i) and not draft.table.place(i).leaving)
        if asked:
            seconds = hand.options.number("hasaga.exb_window_seconds")
            draft.emit(Awaited(asked, draft.table.turn + 1, draft.now + seconds * 1000))

    def options(self, hand: Hand) -> dict[str, Range]:
        return LEGAL

    def choices(self, hand: Hand) -> Choices:
        return CHOICES

    def act(self, draft: Draft, move: Move) -> None:
        hand = draft.hand
        if move is not NO_MORE_ANSWERS:
            index = hand.actor
            assert index is not None
            draft.emit(sealed(hand, index, str(move.args["choice"])))
            waiting = [i for i in hand.awaited if i != index]
            if waiting:
                draft.emit(Awaited(tuple(waiting), draft.table.turn, hand.deadline))
                return
        self.close(draft)

    def close(self, draft: Draft) -> None:
        """Who has said yes pays, and the bank adds one extra blind, however many they are (HAS-38, HAS-C41)."""
        hand = draft.hand
        answers, salts = opened(hand, ANSWERS)
        draft.emit(AnswersOpened(answers, salts))
        taken = [i for i in hand.order if (i, "yes") in answers]
        for index in taken:
            draft.emit(ExtraBlindTaken(index, lacking(hand, index)))
        if taken:
            draft.emit(BankPaid(taken[0], extra_blind(hand)))

    def default(self, hand: Hand) -> Move:
        return Move("exb", 0, {"choice": "no"})

    def refusal(self, hand: Hand, verb: str, amount: int | None, args: Args | None = None) -> str:
        return "insufficient_chips" if verb == "exb" else "illegal_action"
