"""Razz (RAZ-01..35, RAZ-C01..C10). The worked examples of the rule book run in tests/rulebook."""

import pytest

from engine.cards import show
from engine.game import find_game
from engine.refusals import Refused
from engine.view import view
from tests.rules.stories import Story, razz, rule

THREE = {"D": "7c 7d Jh 9d Td 9c Ts", "A": "Ah 2h 4h 6c 8h Kc Kd", "B": "Ac 2s 5s 7s 3s Qc Qd"}


def doors(*cards: str, chips: str = "300") -> Story:
    """Seats A, B, C … with these door cards; the last has the dealer's place."""
    names = "ABCDEFGH"[: len(cards)]
    small = [f"{rank}{suit}" for rank in "8965" for suit in "cdhs" if f"{rank}{suit}" not in cards]
    dealt = {name: f"{small.pop()} {small.pop()} {card}" for name, card in zip(names, cards, strict=True)}
    return razz(", ".join(f"{name} {chips}" for name in names), dealt, dealer=names[-1])


@rule("RAZ-02", "RAZ-34", "RAZ-35")
def test_the_lowest_five_of_seven_cards_win() -> None:
    """Straights and flushes do not count, the ace is low: 7-6-4-2-A beats 9-7-5-4-3."""
    cards = {"D": "4d Tc 5s 9d 3h 7s Qc", "Y": "As 4h 6d 2c 8h Ks 7d"}
    hand = razz("D 300, Y 300", cards)
    hand.run("Y brings in for 5; D calls")
    assert hand.stacks == "D 294, Y 306"
    assert hand.awards == "0 only Y 12"


@rule("RAZ-03")
def test_the_wheel_is_the_best_hand_suited_or_not() -> None:
    cards = {"D": "6d 4d 9s 2d Ad 3d Jd", "A": "Ah 2h 3h 4h 5h Kc Kd"}
    hand = razz("D 300, A 300", cards)
    hand.run("D brings in for 5; A calls")
    assert hand.stacks == "D 294, A 306"


@rule("RAZ-04")
def test_two_to_eight_players() -> None:
    assert find_game("razz").seats == range(2, 9)
    assert len(Story("razz").table.places) == 8
    with pytest.raises(Refused, match="bad_option"):
        find_game("razz").resolve({"seats": 9})


@rule("RAZ-05")
def test_razz_is_fixed_limit() -> None:
    hand = razz("D 300, A 300, B 300", THREE)
    hand.play("D brings in for 5")
    assert hand.refused("A completes to 20") == "bet_too_large"
    assert hand.refused("A completes to 7") == "bet_too_small"
    assert "razz.structure" not in (hand.table.options or {})


@rule("RAZ-07", "RAZ-14")
def test_everybody_pays_the_ante_before_the_cards() -> None:
    hand = razz("D 300, A 300, B 300", THREE)
    assert [kind for kind, _ in hand.kinds("AntesPaid", "RoundDealt", "BlindPosted")] == ["AntesPaid", "RoundDealt"]
    assert hand.antes == "A 1, B 1, D 1"


@rule("RAZ-08", "RAZ-16")
def test_two_cards_down_and_one_up_of_which_others_see_the_door_only() -> None:
    hand = razz("D 300, A 300, B 300", THREE)
    seats = view(hand.table)["seats"]
    assert [seats[at]["cards"] for at in range(3)] == [[None, None, card] for card in ("Jh", "4h", "5s")]
    assert view(hand.table, 1)["you"]["cards"] == ["Ah", "2h", "4h"]


@rule("RAZ-09", "RAZ-11", "RAZ-17")
def test_the_highest_door_card_brings_in_or_bets_the_double() -> None:
    hand = razz("D 300, A 300, B 300", THREE)
    assert hand.asked == "D: bring in 5, complete to 10"
    assert hand.refused("D folds") == "fold_not_facing_bet"
    assert hand.refused("D checks") == "illegal_action"
    assert hand.refused("D brings in for 7") == "bring_in_amount"
    hand.play("D completes to 10")
    assert hand.asked == "A: fold, call 10, raise to 20"


@rule("RAZ-09", "RAZ-C02", "RAZ-17")
def test_the_bring_in_may_be_called_by_its_name_when_it_is_the_double() -> None:
    hand, other = doors("9h", "Kd", "4c"), doors("9h", "Kd", "4c")
    hand.play("B brings in for 10")
    other.play("B completes to 10")
    assert hand.asked == other.asked == "C: fold, call 10, raise to 20"
    assert hand.events == other.events


@rule("RAZ-09", "RAZ-C02")
def test_bringing_in_is_the_opening_of_third_street_and_nothing_else() -> None:
    hand = doors("9h", "Kd", "4c")
    assert hand.refused("B brings in for 7") == "bring_in_amount"
    assert hand.refused("B raises to 20") == "illegal_action"
    hand.play("B brings in for 5")
    assert hand.refused("C brings in for 10") == "illegal_action"
    short = doors("9h", "Kd", "4c", chips="8")
    assert short.refused("B raises to 7") == "illegal_action"


@rule("RAZ-10", "RAZ-18")
def test_then_it_goes_clockwise() -> None:
    hand = razz("D 300, A 300, B 300", THREE, dealer="A")
    assert hand.order == "B D A"
    hand.play("D brings in for 5; A calls; B calls")
    assert hand.street == "4th"


@rule("RAZ-12", "RAZ-C03", "COM-04")
@pytest.mark.parametrize(
    ("cards", "first"),
    [
        (("Kh", "Ks", "Kc", "2d"), "B"),  # P102
        (("Kh", "Kd", "Kc", "2d"), "A"),
        (("2c", "Kd", "Kc", "2d"), "B"),
        (("As", "2c"), "B"),  # the ace is the lowest door card
        (("As", "9c", "4h", "9d"), "D"),
        (("Qs", "Kc", "Qh"), "B"),
    ],
)
def test_equal_door_cards_by_suit(cards: tuple[str, ...], first: str) -> None:
    assert doors(*cards).turn == first


@rule("RAZ-15", "RAZ-C01", "COM-68")
def test_one_card_at_a_time_from_the_dealers_left_the_dealer_last() -> None:
    hand = razz("D 300, A 300, B 300", THREE, dealer="A")
    assert hand.order == "B D A"
    assert hand.received == [("B", [0, 3, 6]), ("D", [1, 4, 7]), ("A", [2, 5, 8])]
    assert hand.hand.burned == []


@rule("RAZ-C01", "RAZ-15")
def test_the_dealers_place_moves_one_player_per_deal() -> None:
    story = Story("razz")
    for name in "ABCD":
        story.sit(name, 100)
    story.deal_first("B")
    assert story.order == "C D A B"
    dealers = []
    for _ in range(4):
        story.finish()
        story.deal()
        dealers.append(story.name(story.hand.button))
    assert dealers == ["C", "D", "A", "B"]
    assert story.order == "C D A B"
    story.finish()
    story.leave("C")
    story.deal()
    assert story.name(story.hand.button) == "D"


def streets() -> Story:
    """Three players check to the end after the bring-in is called."""
    hand = razz("D 300, A 300, B 300", THREE)
    hand.play("D brings in for 5; A calls; B calls")
    return hand


@rule("RAZ-19", "RAZ-21", "RAZ-24", "RAZ-26")
def test_burn_and_an_up_card_on_fourth_to_sixth_and_a_down_card_on_seventh() -> None:
    """P105: cards 1, 2 and 7 are down, until the showdown they are backs."""
    hand = streets()
    up = []
    for street in ("4th", "5th", "6th"):
        assert hand.street == street
        up.append(show(hand.hand.deck[hand.hand.seats[1].up[-1]] or 0 for _ in range(1)))
        for _ in range(3):
            hand.play(f"{hand.turn} checks")
    assert up == ["6c", "8h", "Kc"]
    assert hand.street == "7th"
    assert view(hand.table)["seats"][1]["cards"] == [None, None, "4h", "6c", "8h", "Kc", None]
    assert view(hand.table, 1)["you"]["cards"] == THREE["A"].split()
    assert len(hand.hand.burned) == 4


@rule("RAZ-20", "RAZ-23", "RAZ-25", "RAZ-31")
def test_the_lowest_board_opens_from_fourth_street_on() -> None:
    """A 4-6, then A 4-6-8 against B 5-7-3, then A shows a king: read from the top."""
    hand = streets()
    firsts = []
    for _ in range(4):
        firsts.append(hand.turn)
        for _ in range(3):
            hand.play(f"{hand.turn} checks")
    assert firsts == ["A", "B", "B", "B"]


@rule("RAZ-20", "RAZ-22", "RAZ-25", "RAZ-31")
def test_the_bet_doubles_from_fifth_street_on() -> None:
    hand = streets()
    bets = []
    for _ in range(4):
        bets.append(hand.asked.split(": ")[1])
        for _ in range(3):
            hand.play(f"{hand.turn} checks")
    assert bets == ["check, bet 10", "check, bet 20", "check, bet 20", "check, bet 20"]


@rule("RAZ-C05", "RAZ-23")
def test_a_pair_showing_is_higher_than_any_unpaired_board() -> None:
    cards = {"D": "7c 7d Qs Ks", "A": "Ah 2h 2s 2d", "B": "Ac 3c 5s 7s"}
    hand = razz("D 300, A 300, B 300", cards)
    hand.play("D brings in for 5; A calls; B calls")
    assert hand.turn == "B"
    assert hand.asked == "B: check, bet 10"


@rule("RAZ-C05")
def test_an_open_pair_never_doubles_the_bet() -> None:
    cards = {"D": "7c 7d Qs Qd", "A": "Ah 2h 4s 4d", "B": "Ac 3c 5s 5h"}
    hand = razz("D 300, A 300, B 300", cards)
    hand.play("D brings in for 5; A calls; B calls")
    assert hand.asked == "A: check, bet 10"


@rule("RAZ-C05")
@pytest.mark.parametrize(("low_tie", "first"), [("clockwise", "A"), ("high_suit", "B")])
def test_equal_lowest_boards(low_tie: str, first: str) -> None:
    """7d-4s and 7h-4c: clockwise from the dealer A opens, by the high card's suit B."""
    cards = {"D": "7c 8d Qs Qd", "A": "Ah 2h 4s 7d", "B": "Ac 3c 4c 7h"}
    hand = razz("D 300, A 300, B 300", cards, keys={"razz.low_tie": low_tie})
    hand.play("D brings in for 5; A calls; B calls")
    assert hand.turn == first


@rule("RAZ-C05")
def test_high_suit_never_overrules_a_lower_board() -> None:
    cards = {"D": "7c 8d Qs Qd", "A": "Ah 2h 4c 6c", "B": "Ac 3c 4s 7h"}
    hand = razz("D 300, A 300, B 300", cards, keys={"razz.low_tie": "high_suit"})
    hand.play("D brings in for 5; A calls; B calls")
    assert hand.turn == "A"


@rule("RAZ-C05")
def test_when_the_lowest_board_is_all_in_the_next_clockwise_opens() -> None:
    cards = {"D": "7c 8d Qs Qd", "A": "Ah 2h 4c 5c", "B": "Ac 3c 9s 9h"}
    hand = razz("D 300, A 6, B 300", cards)
    hand.play("D brings in for 5; A calls; B calls")
    assert hand.hand.first == hand.names["A"]
    assert hand.turn == "B"


@rule("RAZ-32", "RAZ-33")
def test_the_last_bettor_shows_first_after_seventh_street() -> None:
    hand = streets()
    while hand.street != "7th":
        hand.play(f"{hand.turn} checks")
    hand.run("B checks; D checks; A bets 20; B calls; D calls")
    assert hand.showdown.startswith("A shows, B shows")


@rule("RAZ-C02", "RAZ-11")
def test_the_settings_of_a_table() -> None:
    stakes = find_game("razz").stakes
    assert tuple(stakes(find_game("razz").resolve({})))[:2] == (1, 5)
    assert stakes(find_game("razz").resolve({"razz.small": 20})).bring_in == 10
    assert stakes(find_game("razz").resolve({"razz.small": 5})).bring_in == 2
    assert stakes(find_game("razz").resolve({"razz.small": 20})).big_bet == 40


@rule("RAZ-C02")
def test_a_stack_between_bring_in_and_small_bet_may_only_bring_in() -> None:
    hand = razz("D 8, A 300, B 300", THREE)
    assert hand.asked == "D: bring in 5"
    hand = razz("D 11, A 300, B 300", THREE)
    assert hand.asked == "D: bring in 5, complete to 10"


@rule("RAZ-C02")
def test_a_bring_in_that_is_not_half_leaves_the_choice_of_bring_in_or_small_bet() -> None:
    hand = razz("D 300, A 300, B 300", THREE, keys={"razz.bring_in": 3})
    assert hand.asked == "D: bring in 3, complete to 10"


@rule("RAZ-C04")
def test_completing_is_the_first_bet_and_three_raises_follow() -> None:
    """P103: to 10, not to 15; 20, 30, 40, then the cap."""
    hand = razz("D 300, A 300, B 300", THREE)
    hand.play("D brings in for 5")
    assert hand.asked == "A: fold, call 5, complete to 10"
    hand.play("A completes to 10")
    assert hand.asked == "B: fold, call 10, raise to 20"
    hand.play("B raises to 20; D raises to 30; A raises to 40")
    assert hand.asked == "B: fold, call 20"


@rule("RAZ-C04")
def test_the_bring_in_that_is_only_called_gets_no_second_turn() -> None:
    hand = razz("D 300, A 300, B 300", THREE)
    hand.play("D brings in for 5; A calls; B calls")
    assert hand.street == "4th"


@rule("RAZ-C04")
def test_an_all_in_between_bring_in_and_small_bet_completes_nothing() -> None:
    """9 of 10 is no half bet here: B may call 9 or complete, the bring-in may only call."""
    hand = razz("D 300, A 10, B 300", THREE)
    hand.play("D brings in for 5; A completes to 9")
    assert hand.asked == "B: fold, call 9, complete to 10"
    hand.play("B calls")
    assert hand.asked == "D: fold, call 4"
    assert hand.refused("D completes to 10") == "raise_not_reopened"


@rule("RAZ-C08", "COM-04")
@pytest.mark.parametrize(("odd_chip", "stacks"), [("low_card", "A 14, B 15"), ("clockwise", "A 15, B 14")])
def test_the_odd_chip_goes_to_the_lowest_card(odd_chip: str, stacks: str) -> None:
    """A-8-6-4-2 twice: the ace of clubs is lower than the ace of hearts."""
    cards = {"D": "9d 7d Jh", "A": "Ah 2h 4h 6c 8h Kc Kd", "B": "Ac 2s 4s 6s 8s Qc Qd", "C": "9c 7c Td"}
    hand = razz("D 300, A 300, B 300, C 300", cards, keys={"razz.odd_chip": odd_chip})
    hand.run("D brings in for 5; A completes to 10; B calls; C folds; D folds")
    won = dict(pair.split()[-2:] for pair in hand.awards.split(", "))
    assert ", ".join(f"{name} {won[name]}" for name in "AB") == stacks


@rule("RAZ-C09")
def test_who_is_all_in_for_the_ante_passes_the_opening_on() -> None:
    """The next seat with chips opens, with bring-in or small bet, or folds; the next again."""
    cards = {"D": "Ah 2h Kh", "A": "3s Ac 5s", "B": "9c 7d Th", "C": "7c 8d Js"}
    hand = razz("D 1, A 300, B 300, C 300", cards, dealer="C")
    assert hand.asked == "A: bring in 5, complete to 10, fold"
    hand.play("A folds")
    assert hand.asked == "B: bring in 5, complete to 10, fold"
    hand.play("B folds")
    assert hand.returned == ""
    assert hand.street == "showdown" or hand.hand.over


@rule("RAZ-C09")
def test_a_short_bring_in_leaves_the_price_at_the_full_one() -> None:
    """P108: 3 chips; the next seat calls 5 or completes to 10, a side pot forms."""
    hand = razz("D 4, A 300, B 300", THREE)
    assert hand.asked == "D: bring in 3"
    hand.play("D brings in for 3")
    assert hand.asked == "A: fold, call 5, complete to 10"
    hand.play("A calls; B calls")
    assert hand.street == "4th"
    assert hand.pots == "12 A+B+D, 4 A+B"


@rule("RAZ-C10")
def test_all_cards_are_dealt_as_usual_when_no_betting_is_possible() -> None:
    """P062: every street is written as its own event."""
    hand = razz("D 11, A 11", {"D": THREE["D"], "A": THREE["A"]})
    hand.play("D completes to 10; A calls")
    streets = [fact.street for _, fact in hand.kinds("StreetBegan")]
    assert streets == ["3rd", "4th", "5th", "6th", "7th", "showdown"]
    assert [len(seat.up) for seat in hand.hand.seats.values()] == [4, 4]
    assert len(hand.hand.burned) == 4


@rule("RAZ-05", "OM8-35")
def test_only_omaha_has_a_choice_of_structure() -> None:
    with pytest.raises(Refused, match="unknown_option"):
        find_game("razz").resolve({"omaha.structure": "no_limit"})
    assert find_game("omaha8").resolve({"omaha.structure": "no_limit"})["omaha.structure"] == "no_limit"
