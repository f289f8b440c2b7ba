"""Cards and what they are worth (COM-01..05, OM8-25..33, OM8-C04)."""

from collections import Counter
from itertools import pairwise

import pytest

from engine.cards import parse_many
from engine.deck import CARDS, hand_id, shuffle
from engine.rankings import WrongNumberOfCards, high, omaha_high, omaha_low, razz_low
from tests.rules.stories import fill, omaha, rule

HIGH_ORDER = (
    "As Ks Qs Js Ts", "5h 4h 3h 2h Ah", "9c 9d 9h 9s 2c", "8c 8d 8h 9s 9c", "7c 7d 7h Ks Kc",
    "Ac Jc 9c 5c 3c", "Kd Qd Jd Td 8d", "Ac Kd Qh Js Tc", "6d 5c 4h 3s 2c", "5d 4c 3h 2s Ac",
    "Qc Qd Qh Ks Jc", "Ac Ad Kh Ks 2c", "Ac Ad Qh Qs Kc", "Jc Jd 2h 2s Ac", "Tc Td Ah Ks Qc",
    "Tc Td Ah Ks Jc", "Ac Kd Qh Js 9c", "Kc Qd Jh Ts 8c",
)  # fmt: skip
LOW_ORDER = (
    "5c 4d 3h 2s Ac", "6c 4d 3h 2s Ac", "6c 5d 3h 2s Ac", "6c 5d 4h 3s 2c", "7c 6d 4h 2s Ac",
    "8c 6d 5h 4s 3c", "8c 7d 3h 2s Ac", "Kc Qd Jh Ts 9c", "Ac Ad 4h 3s 2c", "2c 2d 5h 4s 3c",
    "Kc Kd 4h 3s 2c", "2c 2d Ah As 3c", "3c 3d 2h 2s Ac", "Ac Ad Ah 3s 2c", "2c 2d 2h Ks Kc",
    "Ac Ad Ah As 2c",
)  # fmt: skip


def cards(text: str) -> list[int]:
    return parse_many(text)


def omaha_scores(hole: str, board: str) -> tuple[int, int | None]:
    return omaha_high(cards(hole), cards(board)), omaha_low(cards(hole), cards(board))


@rule("COM-01", "OM8-07")
def test_one_deck_of_52_shuffled_anew_for_each_deal() -> None:
    first, second = (shuffle(bytes(32), hand_id("000-T", number)) for number in (1, 2))
    assert Counter(first) == Counter(range(CARDS))
    assert first != second


@rule("COM-01")
def test_every_card_leaves_the_deck_from_the_top() -> None:
    hand = omaha("A 100, B 100")
    hand.play("A calls; B checks")
    hand.check_down()
    positions = [at for _, fact in hand.kinds("RoundDealt", "BoardDealt") for at in fact.burned + fact.at]
    assert positions == list(range(8 + 8))


@rule("COM-02", "OM8-05")
@pytest.mark.parametrize(("better", "worse"), list(pairwise(HIGH_ORDER)))
def test_high_hands_from_the_best_down(better: str, worse: str) -> None:
    assert high(cards(better)) > high(cards(worse))


@rule("COM-02")
@pytest.mark.parametrize(
    ("one", "other"),
    [("Ks Qs 9s 5s 3s", "Kc Qc 9c 5c 3c"), ("Ah Kd 8c 7s 2h", "Ad Kh 8s 7c 2d")],
)
def test_suits_never_decide_a_pot(one: str, other: str) -> None:
    """P019."""
    assert high(cards(one)) == high(cards(other))
    assert razz_low(cards(one)) == razz_low(cards(other))


@rule("COM-02", "COM-05")
def test_the_best_five_of_seven_count() -> None:
    """P081: 5 5 K; the flush with the king; the pair of queens; A A 6 6 over 7 7 6 6."""
    board = cards("9c 7s 5h 5s 3c")
    assert high([*board, *cards("8h Ks")]) > high([*board, *cards("4d Qs")])
    assert high(cards("3h 4h 5h Th Kh")) > high(cards("4s 5s 7s Ts Qs"))
    board = cards("9s Jc 3c Qc 8h")
    queens = high([*board, *cards("Qh 4h")])
    assert all(queens > high([*board, *cards(hole)]) for hole in ("9c 5h", "Ad Ks", "As Kh"))
    board = cards("5s 6s Td 6h As")
    assert high([*board, *cards("3s Ad")]) > high([*board, *cards("7h 7c")])


@rule("COM-03", "RAZ-02", "RAZ-03", "OM8-05")
@pytest.mark.parametrize(("better", "worse"), list(pairwise(LOW_ORDER)))
def test_low_hands_from_the_best_down(better: str, worse: str) -> None:
    """P100, P101, P107: an ugly unpaired hand beats any pair; straights do not count."""
    assert razz_low(cards(better)) > razz_low(cards(worse))


@rule("COM-03", "RAZ-34")
def test_the_lowest_five_of_seven_may_have_to_hold_a_pair() -> None:
    """P099: A A 4 3 2."""
    assert razz_low(cards("Ac Ad 2h 2s 3c 3d 4h")) == razz_low(cards("Ah As 4c 3h 2d"))


@rule("COM-03")
def test_flushes_and_straights_do_not_exist_for_the_low() -> None:
    assert razz_low(cards("5c 4c 3c 2c Ac")) == razz_low(cards("5c 4d 3h 2s Ac"))


@rule("COM-05", "OM8-25", "OM8-26", "OM8-29")
@pytest.mark.parametrize(
    ("hole", "board", "equals"),
    [
        ("Ks 8c Js 5c", "3s 5h Qs Qd 9h", "Qs Qd 5c 5h Ks"),  # P091
        ("As Ks 5d 7c", "Ts 7d 8h 4s 2c", "7c 7d As Ts 8h"),  # P092
        ("Kd Kh Ad Ks", "2d 5c Qh Js 3h", "Kd Kh Qh Js 5c"),  # P093: trips in the hand are a pair
        (
            "As Kd 2c 2h",
            "7s 8s 2s Ts 9h",
            "2c 2h 2s Ts 9h",
        ),  # one spade is no flush, the board is no straight
        ("Ad Kd 3s 2s", "Jd 4d 3c Qd 5h", "Ad Kd Qd Jd 4d"),  # P097
    ],
)
def test_exactly_two_hole_cards_and_three_of_the_board_make_the_high(hole: str, board: str, equals: str) -> None:
    assert omaha_scores(hole, board)[0] == high(cards(equals))


@rule("OM8-26", "OM8-27", "OM8-C04", "OM8-69", "OM8-30", "OM8-33")
@pytest.mark.parametrize(
    ("hole", "board", "equals"),
    [
        ("As Ks 5d 7c", "Ts 7d 8h 4s 2c", "7d 5d 4s 2c As"),  # P092
        ("6h Js 9c Qc", "5d Ad 4s 2d Ts", ""),  # P094: one low card in the hand
        ("Td 5s 7c 3s", "5d Ad 4s 2d Ts", "5s 4s 3s 2d Ad"),
        ("As 2d Ah 2s", "Qh 9h 5h Ts 6h", ""),  # P095: two low cards on the board
        ("Ad Kd 3s 2s", "Jd 4d 3c Qd 5h", "5h 4d 3c 2s Ad"),  # P097: other cards than the flush
        ("Ah 4c 2d Kd", "7s 8s 2s Ts 9h", "8s 7s 4c 2s Ah"),  # the deuce is counterfeited
        ("As 9d Kd Kh", "2c 3c 4d Ts Jh", ""),  # a nine does not qualify
        ("Ac As Kd Kh", "2c 3c 4d Ts Jh", ""),  # two aces are one rank
        ("Ac 8s Kd Kh", "2c 3c 4d Ts Jh", "8s 4d 3c 2c Ac"),
    ],
)
def test_a_low_takes_five_ranks_of_eight_or_lower_two_and_three(hole: str, board: str, equals: str) -> None:
    low = omaha_scores(hole, board)[1]
    assert (low is None) == (equals == "")
    if low is not None:
        other = omaha_low(cards(equals)[-2:] + cards("Kc Kh"), cards(equals)[:3] + cards("Qs Jc"))
        assert low == other


@rule("OM8-50", "OM8-52")
def test_no_low_without_two_low_ranks_in_the_hand_or_three_on_the_board() -> None:
    assert omaha_scores("2c 2d Kc Qd", "3c 4d 5h Ks Qs")[1] is None
    assert omaha_scores("Ac 2d 3c 4d", "5h 5d 6h Ks Qs")[1] is None
    assert omaha_scores("Ac 2d Kc Qd", "5h 6d 7h Ks Qs")[1] is not None


@rule("COM-05")
def test_before_the_flop_there_is_no_rank() -> None:
    """P098: a typed answer, no crash; and the text names no card."""
    with pytest.raises(WrongNumberOfCards, match="4 hole and 0 board cards, 4 and 3 to 5 needed"):
        omaha_high(cards("2d 2h 9d 9h"), [])


@rule("COM-01")
def test_a_deck_with_a_card_twice_is_no_deck() -> None:
    """P090."""
    hand = omaha("A 100, B 100")
    hand.finish()
    twice = fill([])
    twice[0] = twice[1]
    with pytest.raises(ValueError, match="each of the 52 cards once"):
        hand.deal(twice)
