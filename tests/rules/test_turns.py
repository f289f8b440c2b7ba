"""Whose turn it is and what an action is (COM-10..16)."""

import pytest

from tests.rules.stories import omaha, razz, rule


@rule("COM-10")
@pytest.mark.parametrize("attempt", ["D calls", "S folds", "G checks", "G raises 4"])
def test_only_the_seat_on_turn_may_act(attempt: str) -> None:
    hand = omaha("D 100, S 100, G 100, U 100")
    assert hand.turn == "U"
    assert hand.refused(attempt) == "not_your_turn"


@rule("COM-10")
def test_an_unknown_verb_is_refused_and_changes_nothing() -> None:
    hand = omaha("D 100, S 100, G 100")
    assert hand.refused("D exb") == "illegal_action"
    assert hand.refused("D brings in for 5") == "illegal_action"


@rule("COM-10")
def test_after_the_hand_nobody_may_act_and_nothing_is_offered() -> None:
    """P039: legal actions offered in a finished hand."""
    hand = omaha("D 100, S 100, G 100")
    hand.play("D folds; S folds")
    assert hand.asked == "nobody: "
    assert hand.refused("G checks") == "not_your_turn"


@rule("COM-11")
def test_check_only_with_nothing_to_call_and_fold_only_facing_a_bet() -> None:
    hand = omaha("D 100, S 100, G 100")
    assert hand.asked == "D: fold, call 2, raise to 4"
    assert hand.refused("D checks") == "illegal_action"
    hand.play("D calls; S calls")
    assert hand.asked == "G: check, raise to 4"
    assert hand.refused("G folds") == "fold_not_facing_bet"
    assert hand.refused("G calls") == "illegal_action"


@rule("COM-12")
def test_a_call_that_takes_the_last_chip_is_all_in() -> None:
    """P029, P030: an all-in for less than the bet is a call and leaves nothing behind."""
    hand = omaha("A 1000, B 198", "no_limit 10/20", button="A")
    hand.play("A raises to 60; B raises to 100; A raises to 280")
    assert hand.asked == "B: fold, call 98"
    hand.play("B calls 98")
    assert hand.returned == "A 82"
    assert [amount for *_, amount in hand.hand.awards] == [396]


@rule("COM-12")
def test_a_call_is_measured_against_the_whole_stack_of_the_deal() -> None:
    """P031: chips already paid made a false all-in."""
    hand = omaha("A 130, B 70", "no_limit 1/2", button="A")
    hand.play("A raises to 60; B calls 58")
    assert hand.asked == "B: check, bet 2..10"


@rule("COM-13")
def test_an_all_in_seat_is_never_asked() -> None:
    """P051: betting goes on between the others."""
    hand = omaha("A 100, B 100, C 20, D 100", "no_limit 1/2", button="A")
    hand.play("D calls; A calls; B calls; C raises to 20; D calls; A calls; B calls")
    assert hand.turn == "B"
    hand.play("B checks")
    assert hand.turn == "D"


@rule("COM-13")
def test_one_seat_with_chips_against_an_all_in_has_nothing_to_decide() -> None:
    """P007: the rest of the board is dealt at once."""
    hand = omaha("A 100, B 300", "no_limit 1/2", button="A")
    hand.play("A raises to 100; B calls 98")
    assert hand.street == "showdown"
    assert len(hand.hand.board) == 5


@rule("COM-13")
def test_the_last_seat_with_chips_answers_an_all_in_before_the_flop() -> None:
    """P032."""
    hand = omaha("A 1880, B 1880", "no_limit 60/120", button="A")
    hand.play("A raises to 240; B raises to 1880")
    assert hand.asked == "A: fold, call 1640"
    assert hand.board == ""


@rule("COM-13")
def test_a_small_blind_that_covers_a_short_big_blind_has_no_turn() -> None:
    """The short big blind is all-in for less than the small blind: the excess returns, nobody decides."""
    hand = omaha("A 500, B 500, C 30", "no_limit 50/100", button="A")
    hand.play("A folds")
    assert hand.street == "showdown"
    assert hand.returned == "B 20"


@rule("COM-13")
def test_the_street_ends_when_everybody_has_answered_the_last_raise() -> None:
    """P053, P054: one seat too few asked; one asked again."""
    hand = omaha("A 100, B 100, C 100", button="A")
    hand.play("A calls; B raises to 4")
    assert hand.turn == "C"
    hand.play("C calls")
    assert hand.turn == "A"
    hand.play("A calls")
    assert hand.street == "flop"
    hand.play("B checks; C bets 2; A calls; B calls")
    assert hand.street == "turn"


@rule("COM-13")
def test_a_folded_seat_is_not_asked_on_the_next_street() -> None:
    """P050."""
    hand = omaha("A 100, B 100, C 100", button="C")
    hand.play("C calls; A calls; B checks; A checks; B bets 2; C calls; A folds")
    assert hand.turn == "B"
    hand.play("B checks; C checks")
    assert hand.street == "river"
    assert hand.turn == "B"


@rule("COM-13", "RAZ-C09")
def test_cards_are_dealt_without_betting_when_all_but_one_are_all_in() -> None:
    hand = razz("A 11, B 11, C 100", {"A": "Ah 2h 3h", "B": "Ac 2c 4c", "C": "5d 6d Kd"})
    hand.play("C completes to 10; A calls; B calls")
    assert hand.street == "showdown"
    assert [fact.street for _, fact in hand.kinds("StreetBegan")] == [
        "3rd",
        "4th",
        "5th",
        "6th",
        "7th",
        "showdown",
    ]


@rule("COM-14", "OM8-79")
def test_the_last_live_seat_takes_all_pots_and_nothing_more_is_dealt_or_shown() -> None:
    """P006, P012, P060: all-in, everybody folds; the best cards may have folded."""
    hand = omaha("A 1000, B 1000", "no_limit 10/20", hands={"B": "As Ah 2s 3h"}, button="A")
    hand.play("A raises to 1000; B folds")
    assert hand.returned == "A 980"
    assert hand.awards == "0 all A 40"
    assert hand.stacks == "A 1020, B 980"
    assert hand.board == ""
    assert hand.showdown == ""


@rule("COM-15")
def test_a_seat_can_bet_only_what_it_had_at_the_start_of_the_deal() -> None:
    """P033, P034: more than the stack is refused, never turned into something else."""
    hand = omaha("A 100, B 20, C 100", "no_limit 1/2", button="A")
    hand.play("A calls")
    assert hand.asked == "B: fold, call 1, raise to 4..20"
    assert hand.refused("B raises to 33") in {"insufficient_chips", "bet_too_large"}


@rule("COM-16")
def test_no_raise_without_somebody_who_can_answer_it() -> None:
    hand = omaha("A 100, B 20, C 60", "no_limit 1/2", button="A")
    hand.play("A folds; B raises to 20")
    assert hand.asked == "C: fold, call 18"
    assert hand.refused("C raises to 60") == "raise_not_answerable"


@rule("COM-16")
def test_any_chips_left_are_enough_to_raise_against() -> None:
    """The big blind has ten chips left, not enough to call: the button may raise all the same."""
    hand = omaha("D 500, A 100, B 20, C 30", "no_limit 10/20", button="A")
    hand.play("D calls; A raises to 100; B calls 10")
    assert hand.asked == "C: fold, call 10"
    hand = omaha("D 100, A 500, B 20, C 30", "no_limit 10/20", button="A")
    hand.play("D raises to 100")
    assert hand.asked == "A: fold, call 100, raise to 180..500"


@rule("COM-16")
def test_a_stack_that_does_not_exceed_the_bet_cannot_raise() -> None:
    hand = omaha("A 100, B 100, C 40", "no_limit 10/20", button="A")
    hand.play("A raises to 40; B calls")
    assert hand.asked == "C: fold, call 20"
    assert hand.refused("C raises to 40") == "raise_not_answerable"
