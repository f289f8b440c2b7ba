"""No limit and pot limit (COM-30..34)."""

from tests.rules.stories import omaha, rule


@rule("COM-30")
def test_the_least_bet_is_the_big_blind_and_a_raise_as_much_as_the_last() -> None:
    """P021, P025: after a bet of 2 the least raise is to 4; to 9 over a bet of 5 is too small."""
    hand = omaha("A 200, B 200, C 200", "no_limit 1/2")
    hand.play("A calls; B calls; C checks")
    assert hand.asked == "B: check, bet 2..198"
    assert hand.refused("B bets 1") == "bet_too_small"
    hand.play("B bets 5")
    assert hand.asked == "C: fold, call 5, raise to 10..198"
    assert hand.refused("C raises to 9") == "bet_too_small"


@rule("COM-30")
def test_the_largest_raise_of_the_street_is_the_measure() -> None:
    """P022: 200, then 2179: the least raise is to 4158."""
    hand = omaha("A 5000, B 5000", "no_limit 50/100")
    hand.play("A raises to 200; B raises to 2179")
    assert hand.asked == "A: fold, call 1979, raise to 4158..5000"
    assert hand.refused("A raises to 4157") == "bet_too_small"


@rule("COM-30", "COM-31")
def test_less_than_the_minimum_is_too_small_whatever_the_stack() -> None:
    """The chips are short of a raise of a permitted size only: here one to 20 or more."""
    hand = omaha("A 100, B 15, C 100", "no_limit 5/10", button="C")
    hand.play("C calls")
    hand.play("A calls")
    assert hand.asked == "B: check, raise to 15"
    assert hand.refused("B raises to 16") == "bet_too_small"
    assert hand.refused("B raises to 20") == "insufficient_chips"


@rule("COM-30", "OM8-47")
def test_raises_are_not_capped() -> None:
    hand = omaha("A 100, B 100", "no_limit 1/2")
    hand.play("A raises to 4; B raises to 6; A raises to 8; B raises to 10; A raises to 12")
    assert hand.asked == "B: fold, call 2, raise to 14..100"


@rule("COM-30")
def test_any_amount_above_the_minimum_is_a_bet() -> None:
    """P039, P041: not only multiples of the big blind; a bettor may raise a full raise again."""
    hand = omaha("A 100, B 100", "no_limit 1/2")
    hand.play("A raises to 5; B calls; B bets 6; A raises to 12")
    assert hand.asked == "B: fold, call 6, raise to 18..95"


@rule("COM-30")
def test_a_short_opening_all_in_leaves_the_minimum_a_full_bet_above_it() -> None:
    """20 all-in with a minimum of 100: the next raise is to 120."""
    hand = omaha("A 120, B 1000, C 1000", "no_limit 50/100", button="C")
    hand.play("C calls; A calls; B checks; A bets 20")
    assert hand.asked == "B: fold, call 20, raise to 120..900"


@rule("COM-30")
def test_the_minimum_is_not_lowered_by_a_short_opponent() -> None:
    """P028: the excess over what he has left comes back."""
    hand = omaha("A 1000, B 200", "no_limit 10/20")
    hand.play("A raises to 100; B raises to 180")
    assert hand.asked == "A: fold, call 80, raise to 260..1000"
    hand.play("A raises to 260; B calls 20")
    assert hand.returned == "A 60"


@rule("COM-31")
def test_all_in_for_less_than_a_raise_is_always_allowed() -> None:
    """P023, P024: facing 22 with 29; the next least raise counts from it with the old size."""
    hand = omaha("A 100, B 31, C 100", "no_limit 1/2", button="C")
    hand.play("C calls; A calls; B checks; A bets 22")
    assert hand.asked == "B: fold, call 22, raise to 29"
    hand.play("B raises to 29")
    assert hand.asked == "C: fold, call 29, raise to 51..98"


@rule("COM-32")
def test_one_short_all_in_does_not_reopen() -> None:
    """P026: S1 bets 300, all-in 450, called; S1 may only call."""
    hand = omaha("A 2000, B 550, C 2000", "no_limit 50/100", button="C")
    hand.play("C calls; A calls; B checks; A bets 300; B raises to 450")
    assert hand.asked == "C: fold, call 450, raise to 750..1900"
    hand.play("C calls")
    assert hand.asked == "A: fold, call 150"
    assert hand.refused("A raises to 750") == "raise_not_reopened"


@rule("COM-32")
def test_short_all_ins_that_add_up_to_a_raise_reopen() -> None:
    """P027: 300, all-in 450, all-in 620: 320 more are at least a raise."""
    hand = omaha("A 2000, B 550, C 720, D 2000", "no_limit 50/100", button="D")
    hand.play("C calls; D calls; A calls; B checks; A bets 300; B raises to 450; C raises to 620; D calls")
    assert hand.asked == "A: fold, call 320, raise to 920..1900"


@rule("COM-32")
def test_short_all_ins_that_add_up_to_less_do_not() -> None:
    hand = omaha("A 2000, B 550, C 690, D 2000", "no_limit 50/100", button="D")
    hand.play("C calls; D calls; A calls; B checks; A bets 300; B raises to 450; C raises to 590; D calls")
    assert hand.asked == "A: fold, call 290"


@rule("COM-32")
def test_it_counts_from_the_level_at_which_the_seat_last_acted() -> None:
    """A acted at 100, C at 125: 200 is a full raise for A, not for C."""
    hand = omaha("A 1000, B 225, C 1000, D 300, Z 1000", "no_limit 50/100", button="Z")
    hand.play("C calls; D calls; Z calls; A calls; B checks")
    hand.play("A bets 100; B raises to 125; C calls; D raises to 200; Z calls")
    assert hand.asked == "A: fold, call 100, raise to 300..900"
    hand.play("A calls")
    assert hand.asked == "C: fold, call 75"


@rule("COM-33", "OM8-35")
def test_pot_limit_counts_the_call_into_the_pot() -> None:
    """P035: 5/10, the first raise is to 35 at most; P036: 15 in the pot and a bet of 7: to 36."""
    hand = omaha("A 300, B 300, C 300, D 300", "pot_limit 5/10")
    assert hand.asked == "D: fold, call 10, raise to 20..35"
    assert hand.refused("D raises to 36") == "bet_too_large"
    hand = omaha("A 300, B 300, C 300", "pot_limit 2/5", button="C")
    hand.play("C calls; A calls; B checks")
    assert hand.asked == "A: check, bet 5..15"
    hand.play("A bets 7")
    assert hand.asked == "B: fold, call 7, raise to 14..36"


@rule("COM-33")
def test_the_biggest_opening_bet_is_the_pot() -> None:
    hand = omaha("A 300, B 300, C 300, D 300", "pot_limit 1/2", button="D")
    hand.play("C raises to 7; D raises to 24; A folds; B folds; C calls 17")
    assert hand.asked == "C: check, bet 2..51"


@rule("COM-33")
def test_a_short_big_blind_counts_in_full_for_the_pot() -> None:
    hand = omaha("A 300, B 1, C 300, D 300", "pot_limit 1/2", button="D")
    assert hand.asked == "C: fold, call 2, raise to 4..7"


@rule("COM-33", "COM-66")
def test_a_dead_small_blind_counts_in_full_for_the_pot() -> None:
    hand = omaha("A 300, B 300, C 300", "pot_limit 1/2", button="A", dead_small=True)
    assert hand.asked == "C: fold, call 2, raise to 4..7"


@rule("COM-33")
def test_after_the_flop_only_what_is_in_the_middle_counts() -> None:
    hand = omaha("A 300, B 1, C 300, D 300", "pot_limit 1/2", button="D")
    hand.play("C calls; D calls; A folds")
    assert hand.asked == "C: check, bet 2..6"


@rule("COM-33", "OM8-C06", "COM-41")
def test_a_dead_post_is_in_the_pot_of_pot_limit() -> None:
    """Blinds 1/2, R posts 2 live and 1 dead: 6 in the middle, U calls 2: to 2 + 8."""
    hand = omaha("D 300, S 300, G 300, U 300, R 300", "pot_limit 1/2", posts={"R": (2, 1)})
    assert hand.asked == "U: fold, call 2, raise to 4..10"


@rule("COM-34")
def test_a_short_big_blind_does_not_lower_the_price() -> None:
    """P043: 50/100, the big blind has 60: the call is 100, the least raise to 200; he is not asked again."""
    hand = omaha("A 1000, B 1000, C 60", "no_limit 50/100")
    assert hand.asked == "A: fold, call 100, raise to 200..1000"
    hand.play("A calls; B calls 50")
    assert hand.street == "flop"
    assert hand.turn == "B"
    assert hand.pots == "180 B+C+A, 80 B+A"


@rule("COM-34", "COM-40")
def test_a_stack_smaller_than_the_blind_posts_what_it_has() -> None:
    """P055: 1 and 100 chips at 5/10; P051: two short seats in a row at blind time."""
    hand = omaha("A 100, B 1", "no_limit 5/10")
    assert hand.amounts("BlindPosted") == "A 5, B 1"
    assert hand.returned == "A 4"
    hand = omaha("A 100, B 1, C 2, D 100", "no_limit 5/10")
    assert hand.amounts("BlindPosted") == "B 1, C 2"
    assert hand.asked == "D: fold, call 10, raise to 20..100"
