"""Choices that nobody is told before all are made.

Each is kept in the log as a salted commitment, so that it survives a restart, can be read by who knows the deck only,
and cannot be changed afterwards; one event then tells them all, with the salts that prove them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hashlib import sha256
from typing import ClassVar

from engine.draft import Draft
from engine.events import ChoiceSealed, Event, StreetBegan
from engine.state import Hand
from engine.steps import Args, Choices, Move, Range, left_of_button

Told = tuple[tuple[int, str], ...]  # seat, choice; in the order in which they were made


def salt_of(hand: Hand, seat: int) -> bytes:
    """16 bytes of the deal's own for this seat's choice on this street."""
    assert hand.deal is not None, "the deck is not known here"
    return hand.deal.salt(f"{hand.street}/{seat}".encode())


def seal(salt: bytes, seat: int, choice: str) -> bytes:
    """SHA-256(0x04 ‖ salt (16) ‖ seat (1) ‖ choice (ASCII)), see docs/dealing.md."""
    return sha256(b"\x04" + salt + bytes((seat,)) + choice.encode()).digest()


def sealed(hand: Hand, seat: int, choice: str) -> ChoiceSealed:
    """The choice as it is kept."""
    return ChoiceSealed(seat, seal(salt_of(hand, seat), seat, choice))


def found(hand: Hand, seat: int, kept: bytes, picks: Iterable[str]) -> str | None:
    """What a seal holds: of the few choices there are, the one that gives it; None if none does."""
    return held(salt_of(hand, seat), seat, kept, picks)


def held(salt: bytes, seat: int, kept: bytes, picks: Iterable[str]) -> str | None:
    """As `found`, where the salt is known."""
    for pick in picks:
        if seal(salt, seat, pick) == kept:
            return pick
    return None


def opened(hand: Hand, picks: tuple[str, ...]) -> tuple[Told, bytes]:
    """What each seal holds, and all salts."""
    told, salts = [], []
    for seat, kept in hand.sealed.items():
        salt = salt_of(hand, seat)
        pick = held(salt, seat, kept, picks)
        assert pick is not None, "a seal that holds no choice"
        told.append((seat, pick))
        salts.append(salt)
    return tuple(told), b"".join(salts)


@dataclass(frozen=True)
class Choosing:
    """Every live seat from the button's left takes one of `picks` with `verb`; who lets his time run out, the first.

    `tell` makes the event that tells all choices with their salts (16 bytes each, in the same order).
    """

    street: str
    verb: str
    picks: tuple[str, ...]
    tell: Callable[[Told, bytes], Event]
    pays: ClassVar[bool] = False

    def enter(self, draft: Draft) -> None:
        draft.tell(StreetBegan, (self.street, left_of_button(draft.hand), 0, 0))
        self.go_on(draft)

    def go_on(self, draft: Draft) -> None:
        hand = draft.hand
        waiting = [i for i in hand.live() if i not in hand.sealed]
        if waiting:
            draft.give_turn(waiting[0])
        else:
            draft.emit(self.tell(*opened(hand, self.picks)))

    def options(self, hand: Hand) -> dict[str, Range]:
        return {self.verb: (0, 0)}

    def choices(self, hand: Hand) -> Choices:
        return {self.verb: [{"choice": pick} for pick in self.picks]}

    def act(self, draft: Draft, move: Move) -> None:
        hand = draft.hand
        index = hand.actor
        assert index is not None and move.args is not None
        draft.emit(sealed(hand, index, str(move.args["choice"])))
        self.go_on(draft)

    def default(self, hand: Hand) -> Move:
        return Move(self.verb, 0, {"choice": self.picks[0]})

    def refusal(self, hand: Hand, verb: str, amount: int | None, args: Args | None = None) -> str:
        return f"must_{self.verb}"
