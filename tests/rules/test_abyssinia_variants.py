"""Abyssinia with cards bought in secret, and with declarations (ABY-41, 42, ABY-C09..C14)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from engine.choosing import seal
from engine.commands import Act, Stand
from engine.deck import Deck, sealed_deck
from engine.events import Event
from engine.table import Table, act, evolve
from engine.view import private_view, view, view_event
from services.advice import shown_hands
from tests.rules.abyssinia_stories import (
    DECLARE,
    FOUR,
    HIDDEN,
    HIGH,
    LOW,
    account,
    buy,
    check_on,
    contest,
)
from tests.rules.stories import Story, abyssinia, rule

# --- hidden cards


@rule("ABY-41", "ABY-C09", "COM-75")
def test_a_card_bought_blind_is_hidden_from_the_others_but_its_price_is_not() -> None:
    hand = abyssinia(FOUR, "2c Kd As 7h", keys=HIDDEN)
    facts = hand.play("Ana buys blind; Ben buys left")
    assert private_view(hand.table, hand.names["Ana"])["cards"] == ["As"]
    assert view(hand.table)["seats"][hand.names["Ana"]]["cards"] == [None]
    assert view(hand.table)["seats"][hand.names["Ben"]]["cards"] == ["2c"]
    assert account(hand, "Ana")["prices"] == [4]
    assert "As" not in str([view(hand.table), *map(view_event, facts)])


@rule("ABY-C10")
def test_hidden_cards_of_the_live_hands_are_turned_up_before_the_pot_is_split() -> None:
    hand = abyssinia("A 100, B 100, D 100", dealer="D", keys=HIDDEN)
    hand.play("A buys left; B buys blind; D buys blind; A bets 1; B calls; D folds")
    while hand.table.playing:
        buy(hand, "blind")
        hand.play("all check")
    kinds = [type(fact).__name__ for fact in hand.events]
    assert hand.showdown == "A shows, B shows"
    assert max(at for at, kind in enumerate(kinds) if kind == "Shown") < kinds.index("Awarded")
    seats = view(hand.table)["seats"]
    assert [None in seats[hand.names[name]]["cards"] for name in "ABD"] == [False, False, True]
    assert sorted(shown_hands(view(hand.table))) == [hand.names["A"], hand.names["B"]]


@rule("ABY-C10")
def test_who_wins_without_a_contest_shows_nothing() -> None:
    hand = abyssinia("A 100, B 100", "2c Kd As", keys=HIDDEN)
    hand.play("B buys blind; A buys left; B bets 1; A folds")
    assert hand.showdown == ""
    assert view(hand.table)["seats"][hand.names["B"]]["cards"] == [None]


# --- declarations


def declaring(cards: Mapping[str, str], *choices: str, keys: Mapping[str, object] = DECLARE) -> Story:
    """All cards bought, and as many declarations made as there are `choices`, in the order of the seats."""
    hand = contest(cards, keys)
    check_on(hand)
    for choice in choices:
        hand.play(f"{hand.turn} declares {choice}")
    return hand


THREE = {"A": HIGH, "B": LOW, "D": "Kd Ks 7h 6c 3s"}


@rule("ABY-42", "ABY-C11")
def test_before_the_end_each_live_seat_declares_and_one_event_tells_all() -> None:
    hand = declaring(THREE)
    assert hand.asked == "A: declare"
    for attempt in ("checks", "declares nothing", "declares"):
        assert hand.refused(f"A {attempt}") == "must_declare"
    assert hand.refused("B declares low") == "not_your_turn"
    hand.play("A declares high; B declares low")
    assert (hand.turn, hand.kinds("Declared")) == ("D", [])
    assert view(hand.table)["hand"]["chosen"] == [hand.names["A"], hand.names["B"]]
    hand.play("D declares low")
    ((_, told),) = hand.kinds("Declared")
    assert [(hand.name(seat), choice) for seat, choice in told.choices] == [("A", "high"), ("B", "low"), ("D", "low")]
    assert view(hand.table)["hand"]["declared"][1] == {"seat": hand.names["B"], "choice": "low"}
    assert hand.awards == "0 high A 12, 0 low B 11"


@rule("ABY-C11", "COM-75")
def test_a_choice_leaves_no_trace_before_all_are_made() -> None:
    told = []
    for choices in (("high", "low"), ("low", "both")):
        hand = declaring(THREE, *choices)
        told.append(str([view(hand.table), *map(view_event, hand.events), private_view(hand.table, hand.names["D"])]))
    assert told[0] == told[1]


class SealedStory(Story):
    """Dealt as in production, with its whole log."""

    log: tuple[Event, ...] = ()

    def do(self, command: Any) -> list[Event]:
        facts = super().do(command)
        self.log = (*self.log, *facts)
        return facts

    def stacked(self, seed: bytes, hand: bytes) -> Deck:
        return sealed_deck(seed, hand)


def sealed(choices: str, seed: bytes = bytes(range(32))) -> SealedStory:
    story = SealedStory("abyssinia", DECLARE)
    for name in "ABC":
        story.sit(name, 100)
    story.deal(seed=seed)
    check_on(story)
    for choice in choices.split():
        story.play(f"{story.turn} declares {choice}")
    return story


@rule("ABY-C11")
def test_a_choice_is_committed_to_under_a_salt_that_comes_with_the_declarations() -> None:
    story = sealed("low high both")
    ((_, told),) = story.kinds("Declared")
    seals = [fact.seal for _, fact in story.kinds("ChoiceSealed")]
    for number, (seat, choice) in enumerate(told.choices):
        salt = told.salts[16 * number : 16 * number + 16]
        assert [seal(salt, seat, other) == seals[number] for other in (choice, "none")] == [True, False]
    assert len(set(seals)) == 3
    other = sealed("low high both", bytes(32))
    assert not {fact.seal for _, fact in other.kinds("ChoiceSealed")} & set(seals)


@rule("ABY-C11", "COM-76")
def test_a_choice_survives_a_restart_in_the_log_alone() -> None:
    story = sealed("low both")
    folded = Table(story.table.id)
    for fact in story.log:
        evolve(folded, fact)
        if type(fact).__name__ == "HandStarted":
            assert folded.hand is not None and story.hand.deal is not None
            folded.hand.learn(story.hand.deal)
    command = Act(story.hand.actor or 0, story.turn, "declare", None, 0, {"choice": "high"})
    assert act(folded, command, story.now) == act(story.table, command, story.now)


@rule("ABY-C12")
def test_who_lets_his_time_run_out_or_has_left_declares_high() -> None:
    hand = declaring(THREE, "low")
    hand.play("B times out")
    hand.ask(Stand, "D")
    ((_, told),) = hand.kinds("Declared")
    assert [choice for _, choice in told.choices] == ["low", "high", "high"]


@rule("ABY-C13")
@pytest.mark.parametrize(
    ("choices", "awards"),
    [
        (("high", "low", "high"), "0 high A 12, 0 low B 11"),
        (("high", "high", "low"), "0 high A 12, 0 low D 11"),  # the best low has declared high
        (("low", "low", "high"), "0 high D 12, 0 low B 11"),
        (("high", "both", "low"), "0 high A 12, 0 low D 11"),  # both, beaten for high: nothing, not even the low
        (("both", "low", "high"), "0 high D 12, 0 low B 11"),
        (("low", "both", "low"), "0 high B 12, 0 low B 11"),  # both and beaten by nobody who declared against him
    ],
)
def test_each_half_goes_to_the_best_hand_that_declared_it(choices: tuple[str, ...], awards: str) -> None:
    assert declaring(THREE, *choices).awards == awards


@rule("ABY-C13")
def test_both_may_tie() -> None:
    cards = {"A": "7s 5h 4d 3c 2h", "B": "7h 5d 4c 3s 2c"}
    assert declaring(cards, "both", "low").awards == "0 high A 10, 0 low A 5, 0 low B 5"
    assert declaring(cards, "both", "both").awards == "0 high A 5, 0 high B 5, 0 low A 5, 0 low B 5"


@rule("ABY-C14")
@pytest.mark.parametrize(
    ("choices", "awards"),
    [
        (("high", "high", "high"), "0 only A 23"),
        (("low", "low", "low"), "0 only B 23"),
        (("both", "both", "low"), "0 only D 23"),  # both fail: the low alone is left
        (("both", "both", "both"), "0 high A 12, 0 low B 11"),  # nobody is left: as without declarations
    ],
)
def test_a_half_that_nobody_claims_joins_the_other(choices: tuple[str, ...], awards: str) -> None:
    assert declaring(THREE, *choices).awards == awards


@rule("ABY-C10", "ABY-C11")
def test_hidden_cards_are_turned_up_after_the_declarations() -> None:
    hand = declaring(THREE, "high", "low", "low", keys={**HIDDEN, **DECLARE})
    kinds = [type(fact).__name__ for fact in hand.events]
    assert kinds.index("Declared") < kinds.index("Shown")
    assert hand.awards == "0 high A 12, 0 low B 11"
