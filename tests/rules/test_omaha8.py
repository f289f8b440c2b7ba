"""Omaha high-low (OM8-01..81, OM8-C01..C07) where the common rules do not already tell it."""

import pytest

from engine.cards import show
from engine.game import find_game
from engine.refusals import Refused
from engine.view import view
from tests.rules.stories import Story, omaha, rule

LOW_BOARD = "Jd 4d 3c Qd 5h"
FLUSH_AND_WHEEL, WHEEL = "Ad Kd 3s 2s", "Ah 2d 3h Kh"


def called_down(hands: dict[str, str], board: str, stakes: str = "limit 1/2", **keys: object) -> Story:
    """Everybody is in for one small bet each and checks to the end."""
    names = list(hands)
    hand = omaha(", ".join(f"{name} 100" for name in names), stakes, names[-1], hands, board,
                 {key.replace("__", "."): value for key, value in keys.items()})  # fmt: skip
    while hand.street == "preflop":
        hand.play(f"{hand.turn} {'calls' if 'call' in hand.asked else 'checks'}")
    hand.check_down()
    return hand


@rule("OM8-01", "OM8-02", "OM8-68", "OM8-70")
def test_the_pot_is_split_between_the_best_high_and_the_best_low() -> None:
    hand = called_down({"A": "Ks Kd 9c 9h", "B": "Ah 2h Tc Td"}, "Kh 8s 7d 4h Js")
    assert hand.awards == "0 high A 2, 0 low B 2"


@rule("OM8-03", "OM8-71", "OM8-02", "OM8-52", "OM8-69")
def test_without_a_low_the_high_takes_all() -> None:
    """P095: two low cards on the board qualify nobody; three may still be made by nobody."""
    hand = called_down({"A": "4s 7d 7h As", "B": "9c Td Ah 7s"}, "Qh 9h 5h Ts 6h")
    assert hand.awards == "0 only B 4"
    hand = called_down({"A": "Ks Kd 9c 9h", "B": "Th Tc Qd Qc"}, "Kh 8s 7d 4h Js")
    assert hand.awards == "0 only A 4"


@rule("OM8-04", "OM8-72", "OM8-30", "OM8-31")
def test_one_hand_may_win_both_halves() -> None:
    """EX-OM8-01: nut flush and nut wheel."""
    hand = called_down({"A": FLUSH_AND_WHEEL, "B": "8h 7h 6c 6s"}, LOW_BOARD)
    assert hand.awards == "0 both A 4"


@rule("OM8-32", "OM8-C07")
def test_three_quarters_and_quartering() -> None:
    """P096: high 201, low 200 shared; of 401 A has 301."""
    hands = {"A": "7s 3s 7h Td", "B": "9s Jd 7d 3h", "C": "Kc Qc Jc Th"}
    hand = omaha("A 200, B 200, C 200", "no_limit 1/2", "C", hands, "8c Ad Ks 6h 8h", posts={})
    hand.play("C folds; A raises to 200; B calls")
    hand.check_down()
    assert hand.awards == "0 high A 200, 0 low A 100, 0 low B 100"
    assert hand.stacks == "A 300, B 100, C 200"


@rule("OM8-C07")
def test_the_low_shared_by_three_gives_the_high_winner_among_them_two_thirds() -> None:
    hands = {"A": FLUSH_AND_WHEEL, "B": WHEEL, "C": "As 2h 9c 9s"}
    hand = omaha("A 120, B 120, C 120", "no_limit 1/2", "C", hands, LOW_BOARD)
    hand.play("C raises to 120; A calls; B calls")
    hand.check_down()
    assert hand.stacks == "A 240, B 60, C 60"


@rule("OM8-08")
def test_two_to_ten_seats_nine_where_nobody_says_how_many() -> None:
    game = find_game("omaha8")
    assert game.seats == range(2, 11)
    assert game.resolve(game.opening({}))["seats"] == 9
    assert game.resolve(game.opening({"seats": 10}))["seats"] == 10
    for seats in (1, 11):
        with pytest.raises(Refused, match="bad_option"):
            game.resolve({"seats": seats})
    ten = omaha(", ".join(f"P{k} 100" for k in range(10)))
    ten.finish()
    assert ten.hand.over


@rule("COM-74")
def test_the_deck_is_enough_for_ten_players() -> None:
    """40 + 5 + 3 cards."""
    hand = omaha(", ".join(f"P{k} 100" for k in range(10)), "no_limit 1/2")
    while hand.street == "preflop":
        hand.play(f"{hand.turn} {'calls' if 'call' in hand.asked else 'checks'}")
    hand.check_down()
    assert hand.hand.dealt == 48


@rule("OM8-09", "OM8-11", "OM8-12", "OM8-13", "OM8-17")
def test_two_blinds_before_the_cards() -> None:
    hand = omaha("D 100, S 100, G 100, U 100", keys={"omaha.small_blind": None})
    assert hand.amounts("BlindPosted") == "S 1, G 2"
    assert [kind for kind, _ in hand.kinds("BlindPosted", "RoundDealt")] == ["BlindPosted"] * 2 + ["RoundDealt"]


@rule("OM8-21", "OM8-22", "OM8-23")
def test_four_cards_that_only_their_owner_sees() -> None:
    hand = omaha("D 100, S 100, G 100", hands={"S": "As Ks Qs Js"})
    assert view(hand.table, 1)["you"]["cards"] == ["As", "Ks", "Qs", "Js"]
    for viewer in (None, 0, 2):
        seen = view(hand.table, viewer)
        assert seen["seats"][1]["cards"] == [None] * 4
        assert "As" not in str(seen)


@rule("OM8-24", "OM8-34", "OM8-53", "OM8-62", "OM8-65", "OM8-66", "OM8-63", "OM8-67")
def test_four_betting_rounds_and_a_board_of_three_one_and_one() -> None:
    hand = omaha("D 100, S 100, G 100", board="Ah Kh Qh Jh Th")
    seen = []
    while hand.table.playing and hand.street != "showdown":
        seen.append((hand.street, hand.board))
        street = hand.street
        while hand.street == street and hand.table.playing:
            hand.play(f"{hand.turn} {'calls' if 'call' in hand.asked else 'checks'}")
    assert seen == [
        ("preflop", ""),
        ("flop", "Ah Kh Qh"),
        ("turn", "Ah Kh Qh Jh"),
        ("river", "Ah Kh Qh Jh Th"),
    ]
    assert hand.kinds("Shown")


@rule("OM8-C01")
def test_a_card_is_burned_before_flop_turn_and_river() -> None:
    hand = called_down({"A": WHEEL, "B": FLUSH_AND_WHEEL}, LOW_BOARD)
    assert hand.hand.burned == [8, 12, 14]
    assert hand.hand.board == [9, 10, 11, 13, 15]
    assert show(hand.hand.deck[at] or 0 for at in hand.hand.board) == LOW_BOARD


@rule("OM8-C01")
def test_without_burns_the_board_follows_the_hands() -> None:
    hand = called_down({"A": WHEEL, "B": FLUSH_AND_WHEEL}, LOW_BOARD, omaha__burn=False)
    assert hand.hand.burned == []
    assert hand.hand.board == [8, 9, 10, 11, 12]
    assert hand.board == LOW_BOARD


@rule("OM8-35", "OM8-C02", "OM8-C03")
def test_three_betting_structures() -> None:
    asked = [omaha("A 100, B 100, C 100", f"{structure} 1/2").asked for structure in ("limit", "pot_limit", "no_limit")]
    assert asked == [
        "A: fold, call 2, raise to 4",
        "A: fold, call 2, raise to 4..7",
        "A: fold, call 2, raise to 4..100",
    ]
    stakes = [find_game("omaha8").stakes(omaha("A 9, B 9", f"{s} 1/2").table.options) for s in ("limit", "no_limit")]  # type: ignore[arg-type]
    assert [tuple(amounts)[4:] for amounts in stakes] == [(2, 4), (2, 2)]


@rule("OM8-C02", "OM8-11")
@pytest.mark.parametrize(("big", "small"), [(2, 1), (5, 2), (1, 1), (10, 5)])
def test_the_small_blind_is_half_the_big_one_rounded_down_at_least_one(big: int, small: int) -> None:
    game = find_game("omaha8")
    assert game.stakes(game.resolve({"omaha.big_blind": big})).small_blind == small


@rule("OM8-C02", "OM8-64")
def test_limit_bets_double_on_turn_and_river() -> None:
    hand = omaha("A 100, B 100", button="A")
    hand.play("A calls; B checks")
    assert hand.asked == "B: check, bet 2"
    hand.play("B checks; A checks")
    assert hand.asked == "B: check, bet 4"
    hand.play("B bets 4")
    assert hand.asked == "A: fold, call 4, raise to 8"
    hand.play("A calls")
    assert hand.asked == "B: check, bet 4"


@rule("OM8-36", "OM8-37", "OM8-40", "OM8-57")
def test_round_one_starts_left_of_the_big_blind_and_nobody_checks_for_free() -> None:
    hand = omaha("D 100, S 100, G 100, U 100, V 100")
    assert hand.asked == "U: fold, call 2, raise to 4"
    assert hand.refused("U checks") == "illegal_action"
    hand.play("U folds")
    assert hand.asked == "V: fold, call 2, raise to 4"


@rule("OM8-39", "OM8-78")
def test_folded_cards_have_no_claim_even_if_they_are_the_best() -> None:
    hand = omaha("D 100, S 100, G 100", hands={"D": FLUSH_AND_WHEEL}, board=LOW_BOARD)
    hand.play("D folds; S raises to 4; G calls; S bets 2; G folds")
    assert hand.awards == "0 all S 8"
    assert hand.showdown == ""


@rule("OM8-41")
def test_when_all_fold_the_big_blind_wins_and_the_next_deal_follows() -> None:
    """EX-OM8-06."""
    hand = omaha("D 100, S 100, G 100, U 100")
    hand.play("U folds; D folds; S folds")
    assert hand.stacks == "D 100, S 99, G 101, U 100"
    assert hand.board == ""
    hand.deal()
    assert hand.hand.number == 2


@rule("OM8-42", "OM8-43", "OM8-59")
def test_facing_a_bet_there_are_fold_call_and_raise() -> None:
    hand = omaha("D 100, S 100, G 100, U 100")
    hand.play("U calls")
    assert hand.asked == "D: fold, call 2, raise to 4"
    hand.play("D raises to 4; S folds; G folds")
    assert hand.asked == "U: fold, call 2, raise to 6"
    hand.play("U calls")
    hand.play("U bets 2")
    assert hand.asked == "D: fold, call 2, raise to 4"


@rule("OM8-45", "OM8-48")
def test_blinds_count_towards_the_call() -> None:
    hand = omaha("D 100, S 100, G 100, U 100")
    hand.play("U calls; D calls")
    assert hand.asked == "S: fold, call 1, raise to 4"
    hand.play("S raises to 4")
    assert hand.asked == "G: fold, call 2, raise to 6"


@rule("OM8-49")
def test_the_live_blind_may_raise_or_end_the_round() -> None:
    """P042, EX-OM8-07."""
    hand = omaha("D 100, S 100, G 100, U 100")
    hand.play("U folds; D folds; S calls")
    assert hand.asked == "G: check, raise to 4"
    hand.play("G raises to 4")
    assert hand.asked == "S: fold, call 2, raise to 6"
    hand = omaha("D 100, S 100, G 100, U 100")
    hand.play("U calls; D calls; S calls; G checks")
    assert hand.street == "flop"


@rule("OM8-54", "OM8-55")
def test_the_small_blind_opens_the_later_rounds_while_it_is_in() -> None:
    hand = omaha("D 100, S 100, G 100, U 100")
    hand.play("U calls; D calls; S calls; G checks")
    assert hand.turn == "S"
    hand.play("S bets 2; G raises to 4; U calls; D calls; S folds")
    assert hand.street == "turn"
    assert hand.turn == "G"


@rule("OM8-56", "OM8-58", "OM8-60", "OM8-61")
def test_who_checked_keeps_his_cards_and_may_raise_later() -> None:
    hand = omaha("D 100, S 100, G 100")
    hand.play("D calls; S calls; G checks")
    assert hand.asked == "S: check, bet 2"
    hand.play("S checks; G bets 2; D calls")
    assert hand.asked == "S: fold, call 2, raise to 4"
    hand.play("S raises to 4")
    assert hand.asked == "G: fold, call 2, raise to 6"


@rule("OM8-C05")
@pytest.mark.parametrize(
    ("split", "awards"),
    [("whole", "0 both A 4, 0 both B 3"), ("halves", "0 high A 2, 0 high B 2, 0 low A 2, 0 low B 1")],
)
def test_the_same_hands_win_high_and_low(split: str, awards: str) -> None:
    """7 chips: as a whole 4 and 3; in halves 4 and 3, each split on its own."""
    hands = {"A": "2c 3c Kd Qd", "B": "2d 3d Kc Qc", "C": "9h 9d Jh Jc"}
    hand = omaha("A 100, B 100, C 100, R 100", "limit 1/2", "R", hands, "4s 5h 6c Th Js",
                 {"omaha.identical_split": split}, posts={"C": (0, 1)})  # fmt: skip
    hand.play("C calls; R folds; A calls; B checks")
    hand.check_down()
    assert hand.awards == awards


@rule("OM8-C05", "OM8-C06")
def test_other_ties_are_split_in_halves_first() -> None:
    """B and A tie for high, A alone has the low."""
    hands = {"A": "Ah 2c Kd Qd", "B": "Kc Qc Js Jc"}
    hand = called_down(hands, "Kh Qh 8c 5s 4d")
    assert hand.awards == "0 high A 1, 0 high B 1, 0 low A 2"
