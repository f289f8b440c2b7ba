"""Fixed limit: bet sizes, the cap, the half-bet rule (COM-20..23)."""

import pytest

from tests.rules.stories import omaha, razz, rule


@rule("COM-20", "OM8-46", "OM8-45")
def test_the_big_blind_is_the_first_bet() -> None:
    """EX-OM8-03: the small blind calls with 5 or raises with 7, and then the round is capped."""
    hand = omaha("D 100, S 100, G 100, U 100, V 100")
    hand.play("U calls 2; V raises to 4; D raises to 6")
    assert hand.asked == "S: fold, call 5, raise to 8"
    hand.play("S raises to 8")
    assert hand.asked == "G: fold, call 6"


@rule("COM-20")
def test_after_the_flop_the_first_bet_is_no_raise() -> None:
    """Bet 2, raises to 4, 6 and 8; a bet of another size is refused."""
    hand = omaha("D 100, S 100, G 100")
    hand.play("D calls; S calls; G checks")
    assert hand.asked == "S: check, bet 2"
    assert hand.refused("S bets 4") == "bet_too_large"
    assert hand.refused("S bets 1") == "bet_too_small"
    hand.play("S bets 2; G raises to 4; D raises to 6")
    assert hand.asked == "S: fold, call 4, raise to 8"


@rule("COM-21", "OM8-44")
def test_a_bet_and_three_raises_then_only_call_or_fold() -> None:
    """P037: the list of actions is never empty, the big blind is bound as well."""
    hand = omaha("D 100, S 100, G 100, U 100")
    hand.play("U raises to 4; D raises to 6; S raises to 8")
    assert hand.asked == "G: fold, call 6"
    assert hand.refused("G raises to 10") == "raise_capped"
    hand.play("G calls; U calls")
    assert hand.asked == "D: fold, call 2"


@rule("COM-21")
def test_the_cap_holds_on_every_street_and_heads_up() -> None:
    hand = omaha("A 100, B 100", button="A")
    hand.play("A calls; B checks; B bets 2; A raises to 4; B raises to 6; A raises to 8")
    assert hand.asked == "B: fold, call 2"
    hand.play("B calls; B bets 4; A raises to 8; B raises to 12; A raises to 16")
    assert hand.refused("B raises to 20") == "raise_capped"


@rule("COM-21")
def test_limit_max_raises_sets_the_cap() -> None:
    hand = omaha("A 100, B 100, C 100", keys={"limit.max_raises": 1})
    hand.play("A raises to 4")
    assert hand.asked == "B: fold, call 3"


@rule("COM-21")
def test_limit_heads_up_uncapped_lifts_the_cap_between_two() -> None:
    hand = omaha("A 100, B 100, C 100, D 100", keys={"limit.heads_up_uncapped": True})
    hand.play("D folds; A raises to 4; B raises to 6; C folds; A raises to 8")
    assert hand.asked == "B: fold, call 2, raise to 10"
    hand.play("B raises to 10")
    assert hand.asked == "A: fold, call 2, raise to 12"


@rule("COM-21")
@pytest.mark.parametrize("third", ["folds", "calls"])
def test_a_cap_that_was_reached_among_three_stays_when_two_are_left(third: str) -> None:
    """Robert's: a fold does not lift the cap, nor does a call that takes the last chip."""
    hand = omaha("A 6, B 100, C 100", keys={"limit.heads_up_uncapped": True})
    hand.play(f"A raises to 4; B raises to 6; C raises to 8; A {third}")
    assert hand.asked == "B: fold, call 2"
    assert hand.refused("B raises to 10") == "raise_capped"


@rule("COM-21")
def test_who_was_all_in_before_does_not_keep_two_from_raising() -> None:
    hand = omaha("A 4, B 100, C 100", keys={"limit.heads_up_uncapped": True})
    hand.play("A raises to 4; B raises to 6; C raises to 8; B raises to 10")
    assert hand.asked == "C: fold, call 2, raise to 12"


def short_all_in(chips: int, board: str = "As 8s 7d") -> str:
    """Limit 10/20: A bets 10 on the flop, B is all-in to `chips`; what C is asked."""
    hand = omaha(f"A 100, B {chips + 10}, C 100, D 100", "limit 5/10", button="D", board=board)
    hand.play(f"C calls; D calls; A calls; B checks; A bets 10; B raises to {chips}")
    return hand.asked


@rule("COM-22")
def test_half_a_bet_more_counts_as_a_raise() -> None:
    assert short_all_in(15) == "C: fold, call 15, raise to 25"
    assert short_all_in(19) == "C: fold, call 19, raise to 29"


@rule("COM-22")
def test_less_than_half_a_bet_more_may_be_called_or_completed() -> None:
    assert short_all_in(14) == "C: fold, call 14, raise to 20"


@rule("COM-22")
def test_a_short_all_in_does_not_reopen_for_who_has_acted() -> None:
    hand = omaha("A 100, B 24, C 100, D 100", "limit 5/10", button="D")
    hand.play("C calls; D calls; A calls; B checks; A bets 10; B raises to 14; C calls 14; D calls 14")
    assert hand.asked == "A: fold, call 4"
    assert hand.refused("A raises to 20") == "raise_not_reopened"


@rule("COM-22")
def test_completing_a_short_all_in_is_a_raise_for_everybody() -> None:
    hand = omaha("A 100, B 24, C 100, D 100", "limit 5/10", button="D")
    hand.play("C calls; D calls; A calls; B checks; A bets 10; B raises to 14; C raises to 20")
    assert hand.asked == "D: fold, call 20, raise to 30"
    hand.play("D folds")
    assert hand.asked == "A: fold, call 10, raise to 30"


@rule("COM-22")
def test_several_short_all_ins_are_measured_against_the_last_full_bet() -> None:
    """10, all-in 13, all-in 16: 6 above the bet of 10 are half a bet and reopen."""
    hand = omaha("A 100, B 23, C 26, D 100", "limit 5/10", button="D")
    hand.play("C calls; D calls; A calls; B checks; A bets 10; B raises to 13; C raises to 16; D calls 16")
    assert hand.asked == "A: fold, call 6, raise to 26"


@rule("COM-22")
def test_two_short_all_ins_below_half_a_bet_reopen_nothing() -> None:
    hand = omaha("A 100, B 22, C 24, D 100", "limit 5/10", button="D")
    hand.play("C calls; D calls; A calls; B checks; A bets 10; B raises to 12; C raises to 14; D calls 14")
    assert hand.asked == "A: fold, call 4"


@rule("COM-22")
def test_a_short_opening_bet_of_half_is_the_bet_and_no_raise() -> None:
    """All-in 5 of 10 opens: the next raises are 15, 25 and 35, then the cap."""
    hand = omaha("A 15, B 100, C 100", "limit 5/10", button="C")
    hand.play("C calls; A calls; B checks; A bets 5; B raises to 15; C raises to 25; B raises to 35")
    assert hand.asked == "C: fold, call 10"


@rule("COM-22")
def test_a_short_opening_bet_below_half_may_be_completed() -> None:
    """All-in 4 of 10: the next completes to 10, and three raises remain."""
    hand = omaha("A 14, B 100, C 100", "limit 5/10", button="C")
    hand.play("C calls; A calls; B checks; A bets 4")
    assert hand.asked == "B: fold, call 4, raise to 10"
    hand.play("B raises to 10; C raises to 20; B raises to 30; C raises to 40")
    assert hand.asked == "B: fold, call 10"


@rule("COM-22", "COM-21")
def test_an_all_in_of_half_a_bet_uses_up_a_raise() -> None:
    hand = omaha("A 100, B 25, C 100, D 100", "limit 5/10", button="D")
    hand.play("C calls; D calls; A calls; B checks; A bets 10; B raises to 15; C raises to 25; D raises to 35")
    assert hand.asked == "A: fold, call 25"


@rule("COM-23")
def test_a_seat_that_acted_may_raise_again_only_after_a_full_raise() -> None:
    hand = omaha("A 100, B 100, C 100")
    hand.play("A calls; B calls")
    assert hand.asked == "C: check, raise to 4"
    hand.play("C raises to 4")
    assert hand.asked == "A: fold, call 2, raise to 6"


@rule("COM-22", "RAZ-C04")
def test_half_bets_count_in_razz_once_the_bring_in_is_completed() -> None:
    hand = razz("D 100, A 100, B 16", {"D": "7c 7d Kh", "A": "Ah 2h 4h", "B": "Ac 2s 5s"})
    hand.play("D brings in for 5; A completes to 10; B raises to 15")
    assert hand.asked == "D: fold, call 10, raise to 25"
