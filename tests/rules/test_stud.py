"""Seven-card stud (STD-01..13); what it shares with razz is told in test_razz.py and test_razz_short_deck.py."""

import pytest

from engine.cards import parse_many
from engine.game import find_game
from engine.games.stud import best
from engine.rankings import high, showing_highs
from engine.stud import all_cards
from tests.rules.stories import Story, rule, with_antes

NAMES = "ABCDEFGH"


def doors(*cards: str, chips: int = 300, **keys: object) -> Story:
    """Seats A, B, C … with these door cards (or door and fourth); the last has the dealer's place."""
    used = " ".join(cards).split()
    small = [f"{rank}{suit}" for rank in "8967" for suit in "cdhs" if f"{rank}{suit}" not in used]
    dealt = {name: f"{small.pop()} {small.pop()} {card}" for name, card in zip(NAMES, cards, strict=False)}
    named = {key.replace("__", "."): value for key, value in keys.items()}
    stacks = ", ".join(f"{name} {chips}" for name in dealt)
    return with_antes("stud", stacks, dealt, NAMES[len(cards) - 1], named)


def fourth(*cards: str, **keys: object) -> Story:
    """As `doors`, all in for the bring-in, on fourth street."""
    hand = doors(*cards, **keys)
    hand.play(f"{hand.turn} brings in for 5")
    while hand.street == "3rd":
        hand.play(f"{hand.turn} calls")
    return hand


@rule("STD-01")
def test_everybody_pays_an_ante_and_the_dealers_place_moves() -> None:
    assert find_game("stud").seats == range(2, 9)
    story = Story("stud")
    for name in "ABC":
        story.sit(name, 300)
    story.deal_first("B")
    assert story.antes == "C 1, A 1, B 1"
    assert story.kinds("BlindPosted") == []
    story.finish()
    story.deal()
    assert story.name(story.hand.button) == "C"


@rule("STD-02")
def test_two_down_four_up_and_one_down_after_burns() -> None:
    hand = doors("2c", "Kh")
    hand.run("A brings in for 5; B calls")
    assert [len(seat.cards) for seat in hand.hand.seats.values()] == [7, 7]
    assert [seat.cards[2:6] for seat in hand.hand.seats.values()] == [seat.up for seat in hand.hand.seats.values()]
    assert len(hand.hand.burned) == 4
    assert [at for _, at in hand.received][:2] == [[0, 2, 4], [1, 3, 5]]


@rule("STD-03")
def test_the_lowest_door_card_brings_in_or_completes() -> None:
    hand = doors("Kc", "3d", "9h")
    assert hand.asked == "B: bring in 5, complete to 10"
    hand.play("B completes to 10")
    assert hand.asked == "C: fold, call 10, raise to 20"


@rule("STD-04")
@pytest.mark.parametrize(
    ("cards", "who"),
    [
        (("Ah", "Kc", "Qd"), "C"),
        (("Ac", "2s", "3c"), "B"),
        (("2d", "2c", "2h"), "B"),
        (("5s", "5h", "5d", "5c"), "D"),
    ],
)
def test_the_ace_is_high_and_clubs_are_lowest(cards: tuple[str, ...], who: str) -> None:
    assert doors(*cards).turn == who


@rule("STD-05")
def test_completing_is_the_first_bet_of_four() -> None:
    hand = doors("2c", "Kh", "Qd")
    hand.play("A brings in for 5")
    assert hand.asked == "B: fold, call 5, complete to 10"
    hand.play("B completes to 10; C raises to 20; A raises to 30; B raises to 40")
    assert hand.asked == "C: fold, call 20"
    stakes = find_game("stud").stakes(find_game("stud").resolve({"stud.small": 7}))
    assert (stakes.bring_in, stakes.small_bet, stakes.big_bet) == (3, 7, 14)


@rule("STD-06")
def test_bets_double_from_fifth_street_on() -> None:
    hand = fourth("2c Kh", "Ah Qd")
    sizes = []
    while hand.street != "showdown":
        sizes.append((hand.street, hand.asked.split("bet ")[1]))
        hand.check_round()
    assert sizes == [("4th", "10"), ("5th", "20"), ("6th", "20"), ("7th", "20")]


@rule("STD-07")
def test_the_highest_board_opens_fourth_street() -> None:
    assert fourth("2c Kh", "Ah 3d", "Qd Jd").turn == "B"
    assert fourth("2c 2h", "Ah Kd", "Qd Jd").turn == "A"  # a pair beats ace and king


@rule("STD-07")
def test_boards_rank_by_pairs_and_better_then_by_rank_and_never_as_straights_or_flushes() -> None:
    shown = ["2c 2d 2h 2s", "3c 3d 3h 4s", "Kc Kd 2h 2s", "Qc Qd Jh Js", "Ac Ad Kh Qs", "Ac Ad Kh Js", "Kc Kd Ah Qs",
             "Ac Kd Qh 2s", "Ac Kd Jh Ts", "Kh Qh Jh 9h", "Jc Td 9h 8s"]  # fmt: skip
    scores = showing_highs(range(52), map(parse_many, shown))
    assert scores == sorted(scores, reverse=True)
    assert len(set(scores)) == len(scores)
    suited, mixed = showing_highs(range(52), [parse_many("Kh Qh"), parse_many("Kd Qs")])
    assert suited == mixed


@rule("STD-08")
def test_equal_boards_the_first_clockwise_from_the_dealer_or_the_higher_suit() -> None:
    boards = ("Kh 9d", "Ks 9c", "2c 3d")
    assert fourth(*boards).turn == "A"
    assert fourth(*boards, stud__high_tie="high_suit").turn == "B"


@rule("STD-09")
def test_without_chips_the_next_clockwise_brings_in_and_opens() -> None:
    cards = {"A": "8c 8d 2c", "B": "9c 9d Kh", "C": "7c 7d 3c", "D": "6c 6d Qs"}
    hand = with_antes("stud", "D 300, A 1, B 300, C 300", cards)
    assert hand.asked == "B: bring in 5, complete to 10, fold"
    cards = {"A": "8c 8d Ac Ks", "B": "9c 9d Kh 4d", "C": "7c 7d 3c 5c", "D": "6c 6d 2s 5d"}
    hand = with_antes("stud", "D 300, A 6, B 300, C 300", cards, "D")
    hand.play("D brings in for 5; A calls; B calls; C calls")
    assert hand.turn == "B"


@rule("STD-10")
def test_a_pair_in_sight_on_fourth_street_lets_everybody_double() -> None:
    hand = fourth("Kc Kh", "2c Ah", "Qd 3d")
    assert hand.asked == "A: check, bet 10, double 20"
    hand.play("A checks")
    assert hand.asked == "B: check, bet 10, double 20"
    hand.play("B bets 10")
    assert hand.asked == "C: fold, call 10, raise to 20, double 30"
    hand.play("C raises to 30")
    assert hand.asked == "A: fold, call 30, raise to 50"
    hand.play("A raises to 50; B raises to 70")
    assert hand.asked == "C: fold, call 40"


@rule("STD-10")
def test_a_bet_to_the_double_is_the_double_and_nothing_between_is_one() -> None:
    hand = fourth("Kc Kh", "2c Ah", "Qd 3d")
    assert hand.refused("A bets 15") == "bet_too_large"
    assert hand.refused("A bets 30") == "bet_too_large"
    hand.play("A bets 20")
    assert hand.asked == "B: fold, call 20, raise to 40"
    doubled = fourth("Kc Kh", "2c Ah")
    doubled.play("A doubles")
    assert doubled.kinds("RaisedTo")[-1][1][:4] == hand.kinds("RaisedTo")[-1][1][:4]


@rule("STD-10")
def test_no_choice_without_a_pair_on_later_streets_or_where_the_table_has_none() -> None:
    hand = fourth("Kc Qh", "2c Ah", "Qd 3d")
    assert hand.asked == "B: check, bet 10"
    assert hand.refused("B doubles") == "illegal_action"
    paired = fourth("Kc Kh", "2c Ah")
    paired.check_round()
    assert paired.street == "5th"
    assert "double" not in paired.asked
    assert fourth("Kc Kh", "2c Ah", stud__open_pair="single").asked == "A: check, bet 10"


@rule("STD-10")
def test_an_all_in_above_the_small_bet_is_a_short_double_that_reopens() -> None:
    """A has 14 of 20 left: the bet counts, the next raise is by twenty."""
    cards = {"A": "8c 8d Kc Kh", "B": "9c 9d 2c Ah", "C": "7c 7d Qd 3d"}
    hand = with_antes("stud", "A 20, B 300, C 300", cards, "C")
    hand.play("B brings in for 5; C calls; A calls")
    assert hand.asked == "A: check, bet 10, double 14"
    hand.play("A doubles")
    assert hand.asked == "B: fold, call 14, raise to 34"


@rule("STD-11")
def test_the_best_five_of_seven_win() -> None:
    """A flush with a card from the hole beats a straight."""
    cards = {"A": "2h 9h Kh 4h Jh 3c 3d", "B": "5c 6d 7c 8d 9c As Ad"}
    hand = with_antes("stud", "A 300, B 300", cards)
    hand.run("B brings in for 5; A calls")
    assert hand.stacks == "A 306, B 294"
    assert best(hand.hand, 0) == high(parse_many(cards["A"]))


@rule("STD-12")
def test_eight_players_share_a_last_card_that_counts_for_hands_not_for_boards() -> None:
    story = Story("stud")
    for name in NAMES:
        story.sit(name, 300)
    story.deal_first("A")
    while story.street != "7th":
        verb = "brings in for 5" if "bring in" in story.asked else "checks" if "check" in story.asked else "calls"
        story.play(f"{story.turn} {verb}")
    assert len(story.hand.board) == 1
    scores = showing_highs(story.hand.deck, [seat.up for seat in story.hand.seats.values()])
    first = story.hand.order[scores.index(max(scores))]
    assert story.hand.first == first
    assert len(story.hand.seats[first].cards) == 6
    assert best(story.hand, first) == high(all_cards(story.hand, first))
    assert len(all_cards(story.hand, first)) == 7


@rule("STD-13")
def test_the_odd_chip_of_a_tie_goes_clockwise_from_the_dealer() -> None:
    """27 chips: D brings in four and folds."""
    cards = {"A": "Ac Kd Qc 9d 7c 2c 3d", "B": "Ah Ks Qh 9s 7h 2h 3s", "D": "4c 4h 5d"}
    hand = with_antes("stud", "D 300, A 300, B 300", cards, "D", {"stud.bring_in": 4})
    hand.run("D brings in for 4; A completes to 10; B calls; D folds")
    assert hand.awards == "0 only A 14, 0 only B 13"
