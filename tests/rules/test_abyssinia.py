"""Abyssinia: players, market, betting (ABY-01..24, C01..C06). The rule book's examples run in tests/rulebook."""

from __future__ import annotations

import pytest

from engine.cards import NAMES, parse, parse_many, show
from engine.commands import SitIn, Stand
from engine.games.abyssinia import least_stack, price, reserve
from engine.play import legal
from engine.refusals import Refused
from engine.view import view
from tests.rules.abyssinia_stories import (
    FOUR,
    GAME,
    account,
    buy,
    check_on,
    contest,
    market,
)
from tests.rules.stories import Story, abyssinia, rule

# --- players, stakes, reserve


@rule("ABY-01")
def test_two_to_eight_players_and_one_deck() -> None:
    assert GAME.seats == range(2, 9)
    assert len(Story("abyssinia", {"seats": None}).table.places) == 8
    with pytest.raises(Refused):
        GAME.resolve({"seats": 9})


@rule("ABY-02", "ABY-08")
def test_everybody_pays_an_ante_of_one_and_starts_without_cards() -> None:
    """P040: the ante is in the pot and is nobody's bet."""
    hand = abyssinia(FOUR, "2c Kd 7h 8h")
    assert hand.antes == "Ana 1, Ben 1, Cy 1, Dan 1"
    assert hand.hand.in_middle() == 4
    assert [hand.cards(name) for name in hand.names] == ["", "", "", ""]
    buy(hand)
    assert hand.asked == "Ana: check, bet 1"


@rule("ABY-03")
@pytest.mark.parametrize(("cards", "cost"), [("2c 3d 4h 5s", 2), ("6c 7d 9h Ts Jc Qd Kh", 1), ("As Ac", 4)])
def test_prices(cards: str, cost: int) -> None:
    assert [price(GAME.resolve({}), card) for card in parse_many(cards)] == [cost] * len(cards.split())


@rule("ABY-41")
def test_a_table_may_have_other_prices_and_stakes() -> None:
    options = {"abyssinia.price.low": 3, "abyssinia.price.high": 2, "abyssinia.price.ace": 6}
    hand = abyssinia("A 200, B 200", "2c Kd As 7h", keys={**options, "abyssinia.ante": 2, "abyssinia.bet": 5})
    assert market(hand) == "left 2c for 3, right Kd for 2"
    hand.play("B buys left; A buys left")
    assert hand.stacks == "A 192, B 195"
    assert hand.asked == "B: check, bet 5"


@rule("ABY-05")
def test_one_bet_and_three_raises_of_one() -> None:
    """P037: then only call or fold."""
    hand = abyssinia(FOUR)
    buy(hand)
    hand.play("Ana bets 1; Ben raises to 2; Cy raises to 3; Dan raises to 4")
    assert hand.asked == "Ana: fold, call 3"
    assert hand.refused("Ana raises to 5") == "raise_capped"


@rule("ABY-06", "ABY-C06")
def test_a_stack_below_the_reserve_is_not_dealt_in() -> None:
    story = Story("abyssinia")
    for name, chips in (("A", 41), ("B", 40), ("C", 100)):
        story.sit(name, chips)
    story.deal()
    assert sorted(story.order.split()) == ["A", "C"]


@rule("ABY-C06")
@pytest.mark.parametrize(
    ("keys", "most"),
    [
        ({}, 1 + 5 * 4 + 5 * 4),
        ({"abyssinia.ante": 3, "abyssinia.bet": 2}, 3 + 5 * 4 + 5 * 2 * 4),
        ({"abyssinia.price.low": 9, "limit.max_raises": 1}, 1 + 5 * 9 + 5 * 2),
    ],
)
def test_the_reserve_is_what_a_hand_can_cost(keys: dict[str, object], most: int) -> None:
    assert reserve(GAME.resolve(keys)) == least_stack(GAME.resolve(keys)) == most


@rule("ABY-C06")
def test_a_table_may_ask_for_more_than_the_reserve_but_not_for_less() -> None:
    assert least_stack(GAME.resolve({"abyssinia.min_stack": 50})) == 50
    with pytest.raises(Refused, match="bad_option"):
        GAME.resolve({"abyssinia.min_stack": 40})


@rule("ABY-06")
def test_who_sits_down_brings_the_reserve() -> None:
    story = Story("abyssinia", {"buy_in.min": 20})
    with pytest.raises(Refused, match="stack_below_minimum"):
        story.sit("A", 40)
    story.sit("A", 41)


@rule("ABY-07")
def test_all_in_cannot_happen_and_would_be_an_error_of_the_engine() -> None:
    with pytest.raises(AssertionError, match="a stack below the reserve"):
        abyssinia("A 40, B 100")
    assert "limit.heads_up_uncapped" not in GAME.resolve({})


# --- the market


@rule("ABY-08", "ABY-36", "ABY-C01")
def test_two_market_cards_lie_open_one_each_side_of_the_deck() -> None:
    hand = abyssinia(FOUR, "2c Kd 7h 8h As 3d")
    assert market(hand) == "left 2c for 2, right Kd for 1"
    assert [(fact.source, list(fact.at)) for _, fact in hand.kinds("MarketShown")] == [("left", [0]), ("right", [1])]


@rule("ABY-09", "ABY-C02")
def test_from_the_dealers_left_each_buys_exactly_one_card_left_right_or_blind() -> None:
    hand = abyssinia(FOUR, "2c Kd 7h 8h As 3d")
    turns = []
    for source in ("right", "left", "blind", "right"):
        turns.append(hand.turn)
        hand.play(f"{hand.turn} buys {source}")
    assert turns == ["Ana", "Ben", "Cy", "Dan"]
    assert [hand.cards(name) for name in turns] == ["Kd", "2c", "As", "7h"]
    assert hand.street == "bet1"


@rule("ABY-09", "ABY-C02")
def test_there_is_no_way_round_buying() -> None:
    hand = abyssinia(FOUR)
    assert hand.asked == "Ana: buy 1..4"
    for attempt in ("folds", "checks", "calls", "bets 1", "raises to 2", "buys nothing", "buys", "shows"):
        assert hand.refused(f"Ana {attempt}") == "must_buy"
    assert hand.refused("Ben buys left") == "not_your_turn"
    buy(hand)
    assert hand.refused("Ana buys left") == "illegal_action"


@rule("ABY-04", "ABY-23", "ABY-C03")
def test_the_price_goes_to_the_pot_and_nobody_has_to_match_it() -> None:
    hand = abyssinia(FOUR, "As Kd 7h 8h 9h 9d")
    hand.play("Ana buys left; Ben buys right; Cy buys left; Dan buys left")
    assert hand.hand.in_middle() == 4 + 4 + 1 + 1 + 1
    assert hand.asked == "Ana: check, bet 1"
    assert hand.hand.dead == 7
    hand.play("Ana bets 1; Ben folds; Cy folds; Dan folds")
    assert (hand.returned, hand.awards) == ("Ana 1", "0 all Ana 11")


@rule("ABY-10")
def test_a_blind_card_is_turned_up_before_it_is_paid() -> None:
    hand = abyssinia(FOUR, "2c Kd As")
    facts = hand.play("Ana buys blind")
    assert [type(fact).__name__ for fact in facts] == ["Dealt", "Bought", "TurnBegan"]
    assert show(facts[0].cards) == "As"  # type: ignore[attr-defined]
    assert account(hand, "Ana")["prices"] == [4]
    assert market(hand) == "left 2c for 2, right Kd for 1"


@rule("ABY-11", "ABY-C01")
def test_a_market_card_is_replaced_at_once_on_its_side_by_the_next_of_the_deck() -> None:
    hand = abyssinia(FOUR, "2c Kd 7h 8h As 3d")
    hand.play("Ana buys right")
    assert market(hand) == "left 2c for 2, right 7h for 1"
    hand.play("Ben buys blind; Cy buys left")
    assert market(hand) == "left As for 4, right 7h for 1"
    assert hand.cards("Ben") == "8h"
    assert hand.hand.burned == []


@rule("ABY-12", "ABY-15")
def test_bought_cards_lie_face_up_and_stay() -> None:
    hand = abyssinia(FOUR, "2c Kd 7h 8h As 3d")
    hand.play("Ana buys left; Ben buys blind; Cy buys right; Dan buys left")
    assert [place["cards"] for place in view(hand.table)["seats"][:4]] == [["7h"], ["2c"], ["8h"], ["Kd"]]
    for verb in ("discard", "exchange", "draw"):
        assert hand.refused(f"Ana {verb}") == "illegal_action"


@rule("ABY-13", "ABY-14", "ABY-15")
def test_five_times_a_buying_and_a_betting_round() -> None:
    hand = contest({"A": "9s 9h 9d Kc Qc", "B": "8s 5d 4c 3h 2h"})
    check_on(hand)
    streets = [fact.street for _, fact in hand.kinds("StreetBegan")]
    assert streets == [f"{kind}{number}" for number in range(1, 6) for kind in ("buy", "bet")]
    assert [len(hand.hand.seats[at].cards) for at in hand.hand.order] == [5, 5]


@rule("ABY-C05")
@pytest.mark.parametrize(("deck", "bought"), [("2c Kd", "Kd"), ("Kd 2c", "Kd"), ("As 2c", "2c"), ("9h Kd", "9h")])
def test_who_lets_his_time_run_out_buys_the_cheaper_card_or_the_left_one(deck: str, bought: str) -> None:
    hand = abyssinia(FOUR, deck)
    hand.play("Ana times out")
    assert hand.cards("Ana") == bought
    assert hand.table.place(hand.names["Ana"]).sitting_out


@rule("ABY-C05")
def test_who_leaves_buys_and_checks_or_folds_without_being_asked() -> None:
    hand = abyssinia(FOUR, "2c Kd 7h 8h")
    hand.ask(Stand, "Ana")
    assert (hand.cards("Ana"), hand.turn) == ("Kd", "Ben")
    hand.play("Ben buys left; Cy buys left; Dan buys left")
    assert hand.turn == "Ben"
    hand.play("Ben bets 1")
    hand.play("Cy folds; Dan folds")
    assert hand.awards == "0 all Ben 10"


# --- betting


@rule("ABY-16", "ABY-21")
def test_the_first_live_player_left_of_the_dealer_opens_and_who_has_folded_buys_no_more() -> None:
    hand = abyssinia(FOUR)
    buy(hand)
    hand.play("Ana checks; Ben bets 1; Cy calls; Dan calls; Ana folds")
    assert (hand.street, hand.turn) == ("buy2", "Ben")
    buy(hand)
    assert hand.turn == "Ben"
    hand.play("Ben checks; Cy checks; Dan checks")
    assert hand.street == "buy3"
    assert [len(hand.hand.seats[hand.names[name]].cards) for name in ("Ana", "Ben", "Cy", "Dan")] == [1, 2, 2, 2]


@rule("ABY-17", "ABY-18", "ABY-19")
def test_check_or_bet_then_call_raise_or_fold_and_who_has_checked_may_raise() -> None:
    hand = abyssinia(FOUR)
    buy(hand)
    assert hand.asked == "Ana: check, bet 1"
    assert hand.refused("Ana folds") == "fold_not_facing_bet"
    hand.play("Ana checks; Ben bets 1")
    assert hand.asked == "Cy: fold, call 1, raise to 2"
    assert hand.refused("Cy checks") == "illegal_action"
    assert hand.refused("Cy raises to 3") == "bet_too_large"
    hand.play("Cy folds; Dan folds")
    assert hand.asked == "Ana: fold, call 1, raise to 2"
    hand.play("Ana raises to 2; Ben raises to 3; Ana raises to 4")
    assert hand.asked == "Ben: fold, call 1"


@rule("ABY-20")
def test_a_round_ends_when_all_have_checked_or_answered_the_last_raise() -> None:
    hand = abyssinia(FOUR)
    buy(hand)
    hand.play("Ana checks; Ben checks; Cy checks; Dan checks")
    assert hand.street == "buy2"
    buy(hand)
    hand.play("Ana bets 1; Ben raises to 2; Cy calls; Dan calls; Ana calls")
    assert hand.street == "buy3"


@rule("ABY-22")
def test_the_last_one_in_takes_the_pot_at_once() -> None:
    hand = abyssinia(FOUR, "2c Kd 7h 8h As 3d")
    hand.play("Ana buys right; Ben buys left; Cy buys blind; Dan buys right")
    hand.play("Ana checks; Ben bets 1; Cy folds; Dan folds; Ana folds")
    assert not hand.table.playing
    assert (hand.awards, hand.stacks) == ("0 all Ben 12", "Dan 58, Ana 58, Ben 69, Cy 55")
    assert hand.hand.dealt == 6


@rule("ABY-24", "ABY-C04")
def test_the_dealers_place_moves_one_player_per_deal_over_those_who_are_not_in() -> None:
    story = Story("abyssinia")
    for name in "ABCD":
        story.sit(name, 100)
    story.deal_first("B")
    dealers = [story.name(story.hand.button)]
    for _ in range(3):
        check_on(story)
        story.set_chips("D", 40 if len(dealers) == 2 else 100)
        story.deal()
        dealers.append(story.name(story.hand.button))
    assert dealers == ["B", "C", "A", "B"]


@rule("COM-55")
def test_no_rake_from_a_hand_that_ends_in_its_first_betting_round() -> None:
    rake = {"rake.percent": 50}
    first, second = (abyssinia("A 100, B 100", "7c 8c 9c", keys=rake) for _ in range(2))
    buy(first)
    first.play("B bets 1; A folds")
    assert first.awards == "0 all B 4"
    buy(second)
    second.play("all check")
    buy(second, "blind")
    second.play("B bets 1; A folds")
    assert [fact.amount for _, fact in second.kinds("Raked")] == [4]


# --- what a place keeps


def word(story: Story, name: str) -> object:
    """What everybody sees of a player's state."""
    return view(story.table)["seats"][story.names[name]]["state"]


@rule("ABY-06", "COM-70", "COM-73")
def test_who_has_lost_his_reserve_waits_until_he_has_it_again() -> None:
    story = Story("abyssinia")
    for name in "ABC":
        story.sit(name, 100)
    story.deal_first("A")
    check_on(story)
    story.set_chips("B", 30)
    story.deal()
    assert "B" not in story.order.split()
    assert word(story, "B") == "below_minimum"
    check_on(story)
    story.set_chips("B", 41)
    story.deal()
    assert "B" in story.order.split()
    assert word(story, "B") == "in"
    assert story.refusal(SitIn(story.names["B"], "B")) == "not_sitting_out"


@rule("ABY-12")
def test_the_market_and_all_open_cards_are_the_same_for_everybody() -> None:
    hand = abyssinia(FOUR, "2c Kd 7h 8h As 3d")
    buy(hand)
    public = view(hand.table)
    for seat in range(4):
        assert {**view(hand.table, seat), "you": None} == {**public, "you": None}
    assert all(NAMES[parse(card)] == card for place in public["seats"][:4] for card in place["cards"])
    assert legal(hand.hand) == {"check": (0, 0), "bet": (1, 1)}
