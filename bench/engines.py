"""Omaha-8 and Razz, six seats: whole hands, ours beside PokerKit 0.7.7, the same decks and the same decisions.

PokerKit runs in two set-ups. *All automatic* also decides who must show and who may muck, as we do; *caller shows*
leaves that question out and is up to twice as fast. There is a row for each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from bench import croupier_side, pokerkit_side
from bench.hands import random_hands
from bench.measure import Row, Subject, rate
from engine.events import Awarded, Event

SETUPS = {"all automatic": pokerkit_side.ALL, "caller shows": pokerkit_side.CALLER_SHOWS}
MARKS = {  # must, aim
    "omaha8 random": (25, 50),
    "omaha8 calldown": (200, 500),
    "razz random": (10, 18),
    "razz calldown": (50, 90),
}
SIZES = (
    ("omaha8", "random", 60, 10),
    ("omaha8", "calldown", 10, 60),
    ("razz", "random", 60, 10),
    ("razz", "calldown", 40, 10),
)


class Match:
    """One game and policy. Both sides play the same hands; ours plays them `repeats` times to be measurable."""

    def __init__(self, game: str, policy: str, hands: int, repeats: int) -> None:
        self.name, self.game, self.policy, self.repeats = f"{game} {policy}", game, policy, repeats
        self.hands = random_hands(0, hands)
        self.decks = croupier_side.decks(self.hands)
        self.cards = [pokerkit_side.as_cards(hand.cards) for hand in self.hands]
        self.table = croupier_side.open_table(game)
        self.actions, self.excused = 0, 0
        self.assert_same_stacks()

    def assert_same_stacks(self) -> None:
        """Hand by hand, against every set-up; hands that `split_differently` are counted instead."""
        for hand, deck, cards in zip(self.hands, self.decks, self.cards, strict=True):
            events = croupier_side.play(self.table, self.policy, hand, deck)
            self.actions += croupier_side.actions(events)
            if split_differently(events):
                self.excused += 1
                continue
            for automations in SETUPS.values():
                state = pokerkit_side.play(self.game, self.policy, automations, hand, cards)
                assert croupier_side.stacks(self.table) == state.stacks, f"{self.name}: other stacks than PokerKit"

    def ours(self) -> None:
        for _ in range(self.repeats):
            for hand, deck in zip(self.hands, self.decks, strict=True):
                croupier_side.packed(croupier_side.play(self.table, self.policy, hand, deck))

    def theirs(self, automations: pokerkit_side.Automations) -> None:
        for hand, cards in zip(self.hands, self.cards, strict=True):
            pokerkit_side.play(self.game, self.policy, automations, hand, cards)

    def candidates(self) -> dict[str, Callable[[], float]]:
        """Hands a CPU second: ours, and PokerKit in each set-up; the same of ours as actions."""
        hands = len(self.hands)
        found = {self.name: lambda: rate(self.repeats * hands, self.ours)}
        for setup, automations in SETUPS.items():
            found[self.peer(setup)] = partial(rate, hands, partial(self.theirs, automations))
        return found

    def peer(self, setup: str) -> str:
        return f"PokerKit {self.name}, {setup}"

    def rows(self, must: float, aim: float) -> list[Row]:
        """Against each set-up of PokerKit."""
        return [Row(f"{self.name} : PokerKit {setup}", self.name, self.peer(setup), must, aim) for setup in SETUPS]

    def actions_row(self) -> Row:
        """Ours alone, as actions: hands a second times the actions of a hand."""
        return Row(f"{self.name}, actions/s", self.name, None, 40_000, 100_000, "", self.actions / len(self.hands))

    def note(self) -> str:
        """What was compared."""
        equal = len(self.hands) - self.excused
        return (
            f"{self.name}: {equal} of {len(self.hands)} hands end with PokerKit's stacks in both set-ups, "
            f"{self.excused} split the odd chips of three winners by another rule (COM-54)"
        )


def split_differently(events: list[Event]) -> bool:
    """Three or more winners of one share: PokerKit gives the first all odd chips, we give one each."""
    winners = Counter((event.pot, event.share) for event in events if isinstance(event, Awarded))
    return max(winners.values()) > 2


@contextmanager
def subject() -> Iterator[Subject]:
    """Two games, two policies. PokerKit needs a second for ten Omaha-8 showdowns, so there are few of those."""
    matches = [Match(*size) for size in SIZES]
    candidates = {name: work for match in matches for name, work in match.candidates().items()}
    rows = [row for match in matches for row in match.rows(*MARKS[match.name])]
    rows += [match.actions_row() for match in matches]
    yield Subject(candidates, tuple(rows), lambda: [match.note() for match in matches])
