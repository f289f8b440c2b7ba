"""Seven-card stud high-low, eight or better (ST8-01..11)."""

import pytest

from engine.cards import parse_many
from engine.game import find_game
from engine.games.stud8 import low
from engine.hand_names import name_low
from engine.rankings import eight_or_better, razz_low
from tests.rules.stories import Story, rule, with_antes

HIGH = "Kc Kd Kh 9c 9d 2c 3h"  # a full house
WHEEL = "As 2d 3c 4h 5s Td Jc"
OTHER_WHEEL = "Ad 2h 3s 4c 5h Ts Jh"


def played(cards: dict[str, str], chips: int = 300, **keys: object) -> Story:
    """Everybody calls the bring-in and checks down; the first seat deals."""
    named = {key.replace("__", "."): value for key, value in keys.items()}
    hand = with_antes("stud8", ", ".join(f"{name} {chips}" for name in cards), cards, "", named)
    hand.play(f"{hand.turn} brings in for 5")
    while hand.street == "3rd":
        hand.play(f"{hand.turn} calls")
    hand.check_down()
    return hand


@rule("ST8-01")
def test_the_lowest_door_card_brings_in_the_ace_being_high_and_the_highest_board_opens() -> None:
    cards = {"A": "9c 9d Ac 2h", "B": "8c 8d 3c 4h", "C": "7c 7d Kd 5h"}
    hand = with_antes("stud8", "A 300, B 300, C 300", cards)
    assert hand.asked == "B: bring in 5, complete to 10"
    hand.play("B brings in for 5; C calls; A calls")
    assert hand.turn == "A"


@rule("ST8-02")
def test_a_pair_in_sight_changes_nothing() -> None:
    cards = {"A": "9c 9d Ac Ah", "B": "8c 8d 3c 4h"}
    hand = with_antes("stud8", "A 300, B 300", cards)
    hand.play("B brings in for 5; A calls")
    assert hand.asked == "A: check, bet 10"


@rule("ST8-03", "ST8-04")
def test_half_to_the_best_high_and_half_to_the_best_low() -> None:
    hand = played({"A": HIGH, "B": "7h 8c 2s 4d 3d Tc Qs"})
    assert hand.awards == "0 high A 6, 0 low B 6"


@rule("ST8-04")
def test_a_low_needs_five_different_ranks_up_to_eight() -> None:
    assert eight_or_better(parse_many("8c 7c 6c 5c 4c Kd Kh")) == razz_low(parse_many("8c 7c 6c 5c 4c"))
    assert eight_or_better(parse_many("9c 7c 6c 5c 4c Kd Kh")) is None
    assert eight_or_better(parse_many("8c 8d 7c 6c 5c 5d Kh")) is None
    wheel, six = (eight_or_better(parse_many(cards)) for cards in ("5c 4c 3c 2c Ac 9d 9h", "6c 4c 3c 2c Ac 9d 9h"))
    assert wheel is not None and six is not None and wheel > six
    assert name_low(wheel).text() == "5-4-3-2-A"


@rule("ST8-05")
def test_without_a_low_the_high_takes_all() -> None:
    hand = played({"A": HIGH, "B": "9h 9s Th Js Jd 4c 5c"})
    assert hand.awards == "0 only A 12"


@rule("ST8-06")
def test_one_hand_may_win_both_with_different_cards() -> None:
    """A flush in hearts and, with two other cards, a seven low."""
    hand = played({"A": "Ah 9h Kh 2h 3h 4s 7c", "B": "Qs Qd 9s 8s Ts Tc 6d"})
    assert hand.awards == "0 both A 12"
    assert hand.stacks == "A 306, B 294"


@rule("ST8-07")
def test_the_odd_chip_goes_to_the_high_half() -> None:
    hand = played({"A": HIGH, "B": WHEEL, "C": "Qs Qd 9s 8s Ts Tc 6d"}, stud8__ante=2)
    assert hand.awards == "0 high A 11, 0 low B 10"


@rule("ST8-08")
@pytest.mark.parametrize(
    ("split", "awards"),
    [
        ("whole", "0 both B 9, 0 both A 9"),
        ("halves", "0 high B 5, 0 high A 4, 0 low B 5, 0 low A 4"),
    ],
)
def test_the_same_hands_win_both_halves(split: str, awards: str) -> None:
    cards = {"A": WHEEL, "B": OTHER_WHEEL, "C": "Qs Qd 9s 8s Th Tc 6d"}
    assert played(cards, stud8__identical_split=split).awards == awards


@rule("ST8-09")
def test_a_tie_inside_a_half_is_split_with_the_odd_chip_clockwise() -> None:
    """38 chips: D brings in four and folds; of the low half one chip is left over."""
    lows = {"B": "8s 2d 3c 4h 7s Td Jc", "C": "8d 2h 3s 4c 7h Ts Jh"}
    cards = {"D": "9h Ks 2s", "A": HIGH.replace("2c", "6c"), **lows}
    hand = with_antes("stud8", "D 300, A 300, B 300, C 300", cards, "D", {"stud8.bring_in": 4})
    hand.play("D brings in for 4; A completes to 10; B calls; C calls; D folds")
    hand.check_down()
    assert hand.awards == "0 high A 19, 0 low B 10, 0 low C 9"


@rule("ST8-10")
def test_a_community_card_counts_for_high_and_low() -> None:
    story = Story("stud8")
    for name in "ABCDEFGH":
        story.sit(name, 300)
    story.deal_first("A")
    while story.street != "7th":
        verb = "brings in for 5" if "bring in" in story.asked else "checks" if "check" in story.asked else "calls"
        story.play(f"{story.turn} {verb}")
    hand = story.hand
    (shared,) = hand.board
    for seat in hand.order:
        cards = [hand.deck[at] or 0 for at in [*hand.seats[seat].cards, shared]]
        assert low(hand, seat) == eight_or_better(cards)
        assert find_game("stud8").shares[0].rank(hand, seat) is not None


@rule("ST8-11")
def test_fixed_limit_only() -> None:
    assert not [option for option in find_game("stud8").all_options() if option.key.endswith(".structure")]
