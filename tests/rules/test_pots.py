"""Uncalled chips, side pots, odd chips, rake (COM-40..41, COM-50..55)."""

import pytest

from engine.pots import all_odd_to_first, equal_shares
from tests.rules.stories import omaha, razz, rule

# High hands that rank nuts > set > pair > air on this board without a possible low.
BOARD = "Kh Qd 9s 4c 9d"
NUTS, SET, PAIR, AIR = "9c 9h 2c 2d", "Ks Kc 3c 3d", "As Ah 5c 5d", "6c 7d 8h 6s"


@rule("COM-40", "RAZ-14", "RAZ-07")
def test_antes_come_first_and_are_no_part_of_the_bet() -> None:
    """P040: the ante is not counted towards the bet, but is in the pot."""
    hand = razz("D 100, A 100, B 100", {"D": "7c 7d Kh", "A": "Ah 2h 4h", "B": "Ac 2s 5s"})
    assert hand.antes == "A 1, B 1, D 1"
    assert hand.asked == "D: bring in 5, complete to 10"
    hand.play("D brings in for 5")
    assert hand.hand.in_middle() == 8
    assert hand.stacks == "D 94, A 99, B 99"


@rule("COM-40", "COM-41")
def test_an_ante_of_the_whole_stack_makes_a_pot_of_its_own() -> None:
    hand = razz("D 300, A 300, B 3", {"D": "7c 7d Kh", "A": "Ah 2h 4h", "B": "Ac 2s 5s"}, keys={"razz.ante": 5})
    assert hand.antes == "A 5, B 3, D 5"
    hand.play("D brings in for 5; A calls")
    assert hand.pots == "9 A+B+D, 14 A+D"


@rule("COM-40", "OM8-09")
def test_blinds_then_posts_are_paid_in_this_order() -> None:
    hand = omaha("D 100, S 100, G 100, U 100, R 100", posts={"R": (2, 1), "U": (0, 1)})
    paid = [kind for kind, _ in hand.kinds("BlindPosted", "Posted", "RoundDealt")]
    assert paid == ["BlindPosted", "BlindPosted", "Posted", "Posted", "RoundDealt"]


@rule("COM-41", "OM8-19", "OM8-20")
def test_a_live_post_is_the_bet_a_dead_one_is_nobodys() -> None:
    """P049: 50/100, both missed: 150 in the pot, the bet counts 100."""
    hand = omaha("D 900, S 900, G 900, R 900", "limit 50/100", posts={"R": (100, 50)})
    assert hand.hand.seats[3].bet == 100
    assert hand.hand.in_middle() == 300
    assert hand.asked == "R: check, raise to 200"


@rule("COM-50")
def test_what_nobody_called_returns_before_pots_are_made() -> None:
    """P056: 34 of a bet of 254 return; the winner takes 586."""
    hand = omaha("H 400, P 400, Q 400, R 283", "no_limit 2/5", button="R", hands={"H": NUTS}, board=BOARD)
    hand.play("Q raises to 15; R calls; H calls; P folds")
    hand.play("H checks; Q checks; R checks; H bets 48; Q folds; R calls; H bets 254; R calls 220")
    hand.check_down()
    assert hand.returned == "H 34"
    assert hand.awards == "0 only H 586"
    assert hand.stacks == "H 703, P 395, Q 385, R 0"


@rule("COM-50", "OM8-41")
def test_everybody_folds_to_the_big_blind() -> None:
    """P057: blinds 25/50: half of the blind returns, net +25."""
    hand = omaha("A 1000, B 1000, C 1000", "limit 25/50")
    hand.play("A folds; B folds")
    assert hand.returned == "C 25"
    assert hand.awards == "0 all C 50"
    assert hand.stacks == "A 1000, B 975, C 1025"


@rule("COM-50")
def test_a_folded_bet_counts_as_matching() -> None:
    """A has folded 60 of B's 100: only 40 return."""
    hand = omaha("A 300, B 100, C 300", "no_limit 10/20")
    hand.play("A raises to 60; B raises to 100; C folds; A folds")
    assert hand.returned == "B 40"
    assert hand.awards == "0 all B 140"


@rule("COM-50", "COM-51")
def test_unequal_all_ins_heads_up() -> None:
    """P008: 98 against 102: 4 return whoever wins."""
    for hands, stacks in (({"A": NUTS, "B": AIR}, "A 196, B 4"), ({"A": AIR, "B": NUTS}, "A 0, B 200")):
        hand = omaha("A 98, B 102", "no_limit 1/2", hands=hands, board=BOARD)
        hand.play("A raises to 98; B calls")
        hand.check_down()
        assert hand.stacks == stacks
    hand = omaha("A 98, B 102", "no_limit 1/2", button="B")
    hand.play("B raises to 102; A calls")
    assert hand.returned == "B 4"


@rule("COM-51", "OM8-80")
def test_an_all_in_seat_stays_in_the_main_pot_through_later_streets() -> None:
    """P001."""
    hands = {"A": NUTS, "B": SET, "C": PAIR}
    hand = omaha("A 100, B 1000, C 1000", "no_limit 25/50", hands=hands, board=BOARD)
    hand.play("A raises to 100; B calls; C calls; B checks; C checks; B bets 200; C calls")
    assert hand.pots == "300 B+C+A, 400 B+C"
    hand.run("B checks; C checks")
    assert hand.stacks == "A 300, B 1100, C 700"


@rule("COM-51", "OM8-39")
def test_a_seat_that_folds_later_has_no_claim_on_earlier_pots() -> None:
    """P002: the best cards fold on the river."""
    hands = {"A": SET, "B": PAIR, "C": NUTS}
    hand = omaha("A 100, B 1000, C 1000", "no_limit 25/50", hands=hands, board=BOARD)
    hand.play("A raises to 100; B calls; C calls; B checks; C checks; B bets 200; C calls; B bets 300; C folds")
    hand.check_down()
    assert hand.returned == "B 300"
    assert hand.stacks == "A 300, B 1100, C 700"


@rule("COM-51")
def test_three_all_ins_of_unequal_size() -> None:
    """P004: 30540 return, one pot of 269660."""
    hand = omaha("P 120360, Q 100000, R 89820, S 89820", "no_limit 100/200", button="S", hands={"P": NUTS}, board=BOARD)
    hand.play("R raises to 89820; S calls; P raises to 120360; Q folds")
    hand.check_down()
    assert hand.returned == "P 30540"
    assert hand.stacks == "P 300200, Q 99800, R 0, S 0"


@rule("COM-51")
def test_one_seat_all_in_for_less() -> None:
    """P005: 424, 424, 387 all-in and 2 folded: main pot 1163, side pot 74."""
    hand = omaha("A 500, B 500, C 387, D 500", "no_limit 1/2", button="B")
    hand.play("A raises to 424; B calls; C calls 386; D folds")
    assert hand.pots == "1163 C+A+B, 74 A+B"


@rule("COM-50", "COM-51")
def test_a_hand_with_a_call_a_short_raise_and_an_uncalled_river_bet() -> None:
    """P059: 4585 return, the pot is 9552; two seats lose 3184 each."""
    hands = {"S": "4c 2h Kd 5c", "B": "8c Th Qc 9s"}
    hand = omaha("S 3184, B 10000, U 10000", "no_limit 50/100", button="U", hands=hands, board="Tc 2d Jc 4h 9d")
    hand.play("U raises to 900; S calls; B calls; S checks; B bets 1296; U calls; S raises to 2284; B calls; U calls")
    hand.play("all check; B bets 4585; U folds")
    hand.check_down()
    assert hand.returned == "B 4585"
    assert hand.awards == "0 only B 9552"
    assert hand.stacks == "S 0, B 16368, U 6816"


@rule("COM-51")
def test_equal_all_ins_make_exactly_one_pot() -> None:
    """P009: no empty extra pots."""
    hand = omaha("A 500, B 500, C 500", "no_limit 1/2")
    hand.play("A raises to 500; B calls; C calls")
    assert {number for number, *_ in hand.hand.awards} | {0} == {0}


@rule("COM-51")
def test_folded_chips_make_no_pot_boundary() -> None:
    """P010: 300, 300 and 150 folded are one pot of 750."""
    hand = omaha("A 300, B 400, C 400", "no_limit 50/100", button="C")
    hand.play("C raises to 300; A folds; B calls")
    assert hand.pots == "650 B+C"


@rule("COM-51")
def test_several_side_pots_with_a_tie_in_one_of_them() -> None:
    """P011: main 250, side 280 tied, side 360."""
    hands = {"A": NUTS, "B": "Ks Jc 5c 5d", "C": "Kc Js 5h 5s", "D": "Ah 7d 7c 8h", "E": "6c 7h 8s 6s"}
    hand = omaha("A 50, B 120, C 120, D 300, E 300", "no_limit 1/2", button="C", hands=hands, board=BOARD)
    hand.play("A raises to 50; B raises to 120; C calls; D raises to 300; E calls")
    hand.check_down()
    assert hand.stacks == "A 250, B 140, C 140, D 360, E 0"


@rule("COM-51")
def test_a_pot_whose_payers_have_all_folded_but_one_is_his() -> None:
    """P003: S1 and S2 have put 500 each, S3 and S4 are all-in for 200; S1 times out: 600 belong to S2."""
    hands = {"A": AIR, "B": PAIR, "C": NUTS, "D": SET}
    hand = omaha("A 1000, B 1000, C 200, D 200", "no_limit 5/10", button="B", hands=hands, board=BOARD)
    hand.play("A raises to 200; B calls; C calls; D calls; A bets 300; B calls; A checks; B bets 100")
    hand.play("A times out")
    hand.check_down()
    assert hand.stacks == "A 500, B 1100, C 800, D 0"


@rule("COM-52", "OM8-20")
def test_dead_chips_go_to_the_main_pot() -> None:
    hand = omaha("D 100, S 100, G 100, R 4", "no_limit 1/2", posts={"R": (2, 1)})
    hand.play("R raises to 3; D raises to 20; S folds; G calls")
    assert hand.pots == "11 G+R+D, 34 G+D"


@rule("COM-53", "OM8-80")
def test_every_pot_is_split_on_its_own() -> None:
    """A has the low of the main pot only: the side pot has its own high and low."""
    hands = {"A": "Ah 2h Tc Td", "B": "Ks Kd 9c 9h", "C": "As 3s 5c 6c"}
    hand = omaha("A 20, B 50, C 50", "no_limit 1/2", button="C", hands=hands, board="Kh 8s 7d 4h Qs")
    hand.play("C raises to 50; A calls; B calls")
    hand.check_down()
    assert hand.awards == "0 high C 30, 0 low A 30, 1 both C 60"


@rule("COM-53")
def test_the_odd_chip_of_a_high_low_pot_goes_to_the_high_half() -> None:
    hands = {"A": "Ks Kd 9c 9h", "B": "Ah 2h Tc Td"}
    hand = omaha("A 10, B 10, C 100", "limit 1/2", button="C", hands=hands, board="Kh 8s 7d 4h Js")
    hand.play("C folds; A calls; B checks; A bets 2; B calls")
    hand.check_down()
    assert hand.awards == "0 high A 4, 0 low B 4"
    hand = omaha("A 10, B 10, C 100, R 100", "limit 1/2", button="R", hands=hands, board="Kh 8s 7d 4h Js",
                 posts={"C": (0, 1)})  # fmt: skip
    hand.play("C folds; R folds; A calls; B checks")
    hand.check_down()
    assert hand.awards == "0 high A 3, 0 low B 2"


TIED = {"A": "As Jh 2c 3d", "B": "Ad Js 2d 3h", "C": "Ac Jd 2h 3s", "D": "3c 5d 7c 7d"}


@rule("COM-54")
def test_leftover_chips_go_one_each_clockwise_from_the_button() -> None:
    """P015, P020: 13 chips, three winners, first left of the button: 5, 4, 4."""
    hand = omaha("A 100, B 100, C 100, D 100", "no_limit 1/3", button="D", hands=TIED, board=BOARD)
    hand.play("C calls; D folds; A calls; B checks")
    assert hand.pots == "9 A+B+C"
    hand.check_down()
    assert hand.awards == "0 only A 3, 0 only B 3, 0 only C 3"
    hand = omaha("A 100, B 100, C 100, D 100", "no_limit 1/3", button="C", hands=TIED, board=BOARD)
    hand.play("B calls; C calls; D folds; A checks")
    assert hand.pots == "10 A+B+C"
    hand.check_down()
    assert hand.awards == "0 only A 4, 0 only B 3, 0 only C 3"


@rule("COM-54", "COM-55")
def test_a_tie_divides_whatever_the_order_of_joining() -> None:
    """P017, P018: never by lower index, never lost."""
    hand = omaha("C 100, B 100, A 100", "no_limit 1/2", button="A", hands={k: TIED[k] for k in "ABC"}, board=BOARD)
    hand.play("A raises to 100; C calls; B calls")
    hand.check_down()
    assert hand.stacks == "C 100, B 100, A 100"


@rule("COM-54")
@pytest.mark.parametrize(
    ("pot", "winners", "unit", "shares"),
    [
        (100, 3, 1, [34, 33, 33]),  # P015
        (30300, 3, 1, [10100, 10100, 10100]),  # P016
        (27525, 2, 1, [13763, 13762]),  # P017
        (5, 2, 1, [3, 2]),  # P020
        (11, 3, 1, [4, 4, 3]),
        (100, 2, 25, [50, 50]),
        (125, 2, 25, [75, 50]),
        (130, 2, 25, [80, 50]),
    ],
)
def test_shares_of_a_tie(pot: int, winners: int, unit: int, shares: list[int]) -> None:
    assert [amount for _, amount in equal_shares(pot, list(range(winners)), unit)] == shares


@rule("COM-54")
def test_all_leftover_chips_to_the_first_where_a_game_says_so() -> None:
    """Abyssinia (ABY-35)."""
    assert all_odd_to_first(11, [4, 0, 2], 1) == [(4, 5), (0, 3), (2, 3)]


@rule("COM-54")
def test_odd_chip_unit_is_the_smallest_chip_a_pot_is_split_into() -> None:
    hand = omaha("A 100, B 100, C 100, D 100", "no_limit 5/15", button="C", hands=TIED, board=BOARD,
                 keys={"odd_chip_unit": 5})  # fmt: skip
    hand.play("B calls; C calls; D folds; A checks")
    hand.check_down()
    assert hand.awards == "0 only A 20, 0 only B 15, 0 only C 15"


@rule("COM-55")
def test_no_rake_by_default() -> None:
    hand = omaha("A 100, B 100", "no_limit 1/2")
    hand.play("A raises to 100; B calls")
    hand.check_down()
    assert hand.kinds("Raked") == []


def raked(keys: dict[str, object], line: str = "A raises to 50; B calls") -> str:
    """Heads-up, blinds 1/2, no burns: what the house takes."""
    hand = omaha("A 100, B 100", "no_limit 1/2", hands={"A": NUTS, "B": AIR}, board=BOARD, keys=keys)
    hand.play(line)
    hand.check_down()
    return f"{hand.hand.rake} of {hand.stacks}"


@rule("COM-55")
def test_rake_is_a_percentage_rounded_down_and_capped() -> None:
    assert raked({"rake.percent": 5}) == "5 of A 145, B 50"
    assert raked({"rake.percent": 3, "rake.cap": 2}) == "2 of A 148, B 50"
    assert raked({"rake.percent": 5, "rake.cap": 0}) == "0 of A 150, B 50"
    assert raked({"rake.percent": 5}, "A raises to 9; B calls") == "0 of A 109, B 91"


@rule("COM-55")
def test_no_flop_no_drop() -> None:
    fold = "A raises to 60; B raises to 100; A folds"
    assert raked({"rake.percent": 10}, fold) == "0 of A 40, B 160"
    assert raked({"rake.percent": 10, "rake.no_flop_no_drop": False}, fold) == "12 of A 40, B 148"
    assert raked({"rake.percent": 10, "omaha.burn": False}) == "10 of A 140, B 50"


@rule("COM-55")
def test_rake_is_taken_from_the_side_pots_when_the_main_pot_is_too_small() -> None:
    hands = {"A": NUTS, "B": SET, "C": AIR}
    hand = omaha("A 1, B 100, C 100", "no_limit 1/2", button="C", hands=hands, board=BOARD, keys={"rake.percent": 10})
    hand.play("C raises to 100; B calls")
    hand.check_down()
    assert hand.hand.rake == 20
    assert hand.stacks == "A 0, B 181, C 0"
