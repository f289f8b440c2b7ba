"""Abyssinia (ABY-01..44, ABY-C01..C14). The worked examples of the rule book run in tests/rulebook."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import zip_longest
from typing import Any

import pytest

from engine.cards import NAMES, parse, parse_many, show
from engine.choosing import seal
from engine.commands import Act, SitIn, Stand
from engine.deck import Deck, sealed_deck
from engine.events import Event
from engine.game import find_game
from engine.games.abyssinia import least_stack, price, reserve
from engine.play import legal
from engine.refusals import Refused
from engine.table import Table, act, evolve
from engine.view import private_view, view, view_event
from services.advice import shown_hands
from tests.rules.stories import Story, abyssinia, rule

GAME = find_game("abyssinia")
FOUR = "Dan 60, Ana 60, Ben 60, Cy 60"  # Dan has the dealer's place
HIDDEN = {"abyssinia.hidden": True}
DECLARE = {"abyssinia.declare": True}
LOW, HIGH = "8s 5d 4c 3h 2h", "9s 9h 9d Kc Qc"  # best low, best high


def market(hand: Story) -> str:
    """`left 2c for 2, right Kd for 1`."""
    offers = view(hand.table)["hand"]["market"].items()
    return ", ".join(f"{side} {offer['card']} for {offer['price']}" for side, offer in offers)


def buy(hand: Story, source: str = "left") -> None:
    """Everybody buys from this side until the round is over."""
    street = hand.street
    while hand.street == street and hand.table.playing:
        hand.play(f"{hand.turn} buys {source}")


def check_on(hand: Story) -> None:
    """Everybody buys left and checks to the end, or to the declarations."""
    while hand.table.playing and hand.street != "declare":
        if hand.street.startswith("buy"):
            buy(hand)
        else:
            hand.play("all check")


def contest(cards: Mapping[str, str], keys: Mapping[str, object] | None = None, chips: int = 100) -> Story:
    """The seats in this order, the last one the dealer; bought from the left, each gets these cards in turn."""
    hands = [parse_many(text) for text in cards.values()]
    bought = [card for round_ in zip_longest(*hands) for card in round_ if card is not None]
    right = next(card for card in range(52) if card not in bought)
    deck = show([bought[0], right, *bought[1:]])
    return abyssinia(", ".join(f"{name} {chips}" for name in cards), deck, list(cards)[-1], keys)


def account(hand: Story, name: str) -> dict[str, Any]:
    accounts: list[dict[str, Any]] = view(hand.table)["hand"]["accounts"]
    return next(one for one in accounts if one["seat"] == hand.names[name])


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


# --- high and low


@rule("ABY-25", "ABY-26", "ABY-28", "ABY-37", "ABY-C08")
def test_after_the_fifth_betting_round_high_and_low_share_the_pot_without_a_showdown() -> None:
    hand = contest({"Anna": HIGH, "Ben": LOW})
    check_on(hand)
    assert hand.awards == "0 high Anna 8, 0 low Ben 8"
    assert hand.showdown == ""
    names = shown_hands(view(hand.table))
    assert names[hand.names["Anna"]][0]["text"] == "trips 9-K-Q"
    assert names[hand.names["Ben"]][1]["text"] == "8-5-4-3-2"


@rule("ABY-37")
def test_anna_and_ben_win_sixteen_each() -> None:
    """The seed's example; a third player paid in and folded."""
    hand = abyssinia("Carl 60, Anna 60, Ben 60", "9s 8s 9h 5d 6c 9d 4c 2d Kc 3h 2c 7c Th Ad")
    hand.play("Anna buys left; Ben buys right; Carl buys blind; Anna bets 1; Ben calls; Carl calls")
    hand.play("Anna buys left; Ben buys right; Carl buys blind; Anna bets 1; Ben calls; Carl folds")
    hand.play("Anna buys left; Ben buys right; Anna bets 1; Ben calls")
    hand.play("Anna buys left; Ben buys right; all check")
    hand.play("Anna buys left; Ben buys blind; Anna checks; Ben bets 1; Anna calls")
    assert hand.awards == "0 high Anna 16, 0 low Ben 16"


@rule("ABY-38")
def test_gross_award_and_net_are_told() -> None:
    """Net = award - ante - prices - bets."""
    hand = contest({"Anna": HIGH, "Ben": LOW})
    buy(hand)
    hand.play("Anna bets 1; Ben calls")
    check_on(hand)
    told = account(hand, "Ben")
    assert told == {"seat": 1, "ante": 1, "prices": [1, 2, 2, 2, 2], "bets": 1, "award": 9, "net": -2}
    assert told["net"] == told["award"] - told["ante"] - sum(told["prices"]) - told["bets"]
    assert account(hand, "Anna")["net"] == 2


@rule("ABY-27")
@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("7h 7d 7s 2c 4d", "Kh Kd Qs Qc As"),
        ("8h 8d 2s 3c 4d", "7h 7d As Kc Qd"),
        ("8h 8d As 3c 4d", "8s 8c Ks Qc Jd"),
        ("5h 4h 3h 2h Ah", "Ks Kd Kc Kh 2d"),  # P085, P101: the steel wheel
    ],
)
def test_the_main_group_is_compared_first_then_the_others_from_the_top(better: str, worse: str) -> None:
    """P084..P088 are in test_cards.py."""
    hand = contest({"A": worse, "B": better})
    check_on(hand)
    assert hand.hand.awards[0][:3] == (0, "high", hand.names["B"])


@rule("ABY-28", "ABY-29", "ABY-30", "ABY-31")
@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("Ac 2c 3c 4c 5c", "Ad 2d 3d 4d 6d"),  # P101: straights and flushes do not count
        ("8h 6d 5s 4c 3d", "8s 7c 3s 2c Ad"),
        ("Kh Qd Js Tc 9d", "5s 4c 3s 2c 2d"),  # P100: any five ranks before any pair, and no eight is needed
        ("Ah Ad Ks Qc Jd", "2s 2c 3s 4d 5h"),  # the lower pair
        ("2s 2c 5h 4d 3s", "2h 2d 6h 4c 3c"),  # then the lower kickers
        ("3s 3c 4h 4d Ks", "7h 7d 7s 2c Ac"),  # two pair before trips
    ],
)
def test_the_low(better: str, worse: str) -> None:
    hand = contest({"A": worse, "B": better})
    check_on(hand)
    assert [seat for _, share, seat, _ in hand.hand.awards if share == "low"] == [hand.names["B"]]


@rule("ABY-33")
def test_one_hand_may_win_both_halves_without_declaring() -> None:
    """P107: a pair of aces is the higher high and the lower low."""
    hand = contest({"P": "Ah Ad Kd Qs Jc", "Q": "2s 2c 5h 4d 3s", "R": "Kh Kc 4s 3c 2d"})
    check_on(hand)
    assert {seat for _, _, seat, _ in hand.hand.awards} == {hand.names["P"]}


@rule("ABY-32", "ABY-34")
@pytest.mark.parametrize(
    ("hands", "awards"),
    [
        (("Ks Kd Kc Qd Jh", "7s 6d 4c 3h 2h", "7h 6c 4d 3s 2c"), "0 high S2 17, 0 low S3 8, 0 low S1 8"),
        (("Ks Kd Kc Qd Jh", "7s 5d 4c 3h 2h", "7h 5c 4d 3s 2c"), "0 high S2 18, 0 low S3 9, 0 low S1 8"),
    ],
)
def test_the_odd_chip_goes_to_the_high_half_and_equal_hands_share_theirs(hands: Any, awards: str) -> None:
    """P106: pots of 33 and 35."""
    hand = contest(dict(zip(("S2", "S3", "S1"), hands, strict=True)))
    for _ in range(3):
        buy(hand)
        hand.play("S2 bets 1; S3 calls; S1 calls")
    check_on(hand)
    assert hand.awards == awards


@rule("ABY-32", "ABY-35")
def test_the_whole_remainder_of_a_half_goes_to_its_first_winner_from_the_dealers_left() -> None:
    hand = contest({"A": "7s 5h 4d 3c 2h", "B": "7h 5d 4c 3s 2c", "D": "7d 5c 4s 3d 2s"})
    buy(hand)
    hand.play("A bets 1; B calls; D calls")
    check_on(hand)
    high, low = "0 high A 7, 0 high B 5, 0 high D 5", "0 low A 6, 0 low B 5, 0 low D 5"
    assert hand.awards == f"{high}, {low}"


@rule("ABY-C07")
def test_halves_are_formed_even_if_the_same_players_tie_for_both() -> None:
    """Of 26 each half is 13: the first gets two chips more, not an equal part of the whole."""
    hand = contest({"A": "7s 5h 4d 3c 2h", "B": "7h 5d 4c 3s 2c", "D": "Kd"})
    buy(hand)
    hand.play("A bets 1; B calls; D folds")
    buy(hand)
    hand.play("A bets 1; B calls")
    check_on(hand)
    assert hand.awards == "0 high A 7, 0 high B 6, 0 low A 7, 0 low B 6"


# --- hidden cards


@rule("ABY-41", "ABY-C09", "COM-75")
def test_a_card_bought_blind_is_hidden_from_the_others_but_its_price_is_not() -> None:
    hand = abyssinia(FOUR, "2c Kd As 7h", keys=HIDDEN)
    facts = hand.play("Ana buys blind; Ben buys left")
    assert private_view(hand.table, hand.names["Ana"])["cards"] == ["As"]
    assert view(hand.table)["seats"][hand.names["Ana"]]["cards"] == [None]
    assert view(hand.table)["seats"][hand.names["Ben"]]["cards"] == ["2c"]
    assert account(hand, "Ana")["prices"] == [4]
    assert "As" not in str([view(hand.table), *map(view_event, facts)])


@rule("ABY-C10")
def test_hidden_cards_of_the_live_hands_are_turned_up_before_the_pot_is_split() -> None:
    hand = abyssinia("A 100, B 100, D 100", dealer="D", keys=HIDDEN)
    hand.play("A buys left; B buys blind; D buys blind; A bets 1; B calls; D folds")
    while hand.table.playing:
        buy(hand, "blind")
        hand.play("all check")
    kinds = [type(fact).__name__ for fact in hand.events]
    assert hand.showdown == "A shows, B shows"
    assert max(at for at, kind in enumerate(kinds) if kind == "Shown") < kinds.index("Awarded")
    seats = view(hand.table)["seats"]
    assert [None in seats[hand.names[name]]["cards"] for name in "ABD"] == [False, False, True]
    assert sorted(shown_hands(view(hand.table))) == [hand.names["A"], hand.names["B"]]


@rule("ABY-C10")
def test_who_wins_without_a_contest_shows_nothing() -> None:
    hand = abyssinia("A 100, B 100", "2c Kd As", keys=HIDDEN)
    hand.play("B buys blind; A buys left; B bets 1; A folds")
    assert hand.showdown == ""
    assert view(hand.table)["seats"][hand.names["B"]]["cards"] == [None]


# --- declarations


def declaring(cards: Mapping[str, str], *choices: str, keys: Mapping[str, object] = DECLARE) -> Story:
    """All cards bought, and as many declarations made as there are `choices`, in the order of the seats."""
    hand = contest(cards, keys)
    check_on(hand)
    for choice in choices:
        hand.play(f"{hand.turn} declares {choice}")
    return hand


THREE = {"A": HIGH, "B": LOW, "D": "Kd Ks 7h 6c 3s"}


@rule("ABY-42", "ABY-C11")
def test_before_the_end_each_live_seat_declares_and_one_event_tells_all() -> None:
    hand = declaring(THREE)
    assert hand.asked == "A: declare"
    for attempt in ("checks", "declares nothing", "declares"):
        assert hand.refused(f"A {attempt}") == "must_declare"
    assert hand.refused("B declares low") == "not_your_turn"
    hand.play("A declares high; B declares low")
    assert (hand.turn, hand.kinds("Declared")) == ("D", [])
    assert view(hand.table)["hand"]["chosen"] == [hand.names["A"], hand.names["B"]]
    hand.play("D declares low")
    ((_, told),) = hand.kinds("Declared")
    assert [(hand.name(seat), choice) for seat, choice in told.choices] == [("A", "high"), ("B", "low"), ("D", "low")]
    assert view(hand.table)["hand"]["declared"][1] == {"seat": hand.names["B"], "choice": "low"}
    assert hand.awards == "0 high A 12, 0 low B 11"


@rule("ABY-C11", "COM-75")
def test_a_choice_leaves_no_trace_before_all_are_made() -> None:
    told = []
    for choices in (("high", "low"), ("low", "both")):
        hand = declaring(THREE, *choices)
        told.append(str([view(hand.table), *map(view_event, hand.events), private_view(hand.table, hand.names["D"])]))
    assert told[0] == told[1]


class SealedStory(Story):
    """Dealt as in production, with its whole log."""

    log: tuple[Event, ...] = ()

    def do(self, command: Any) -> list[Event]:
        facts = super().do(command)
        self.log = (*self.log, *facts)
        return facts

    def stacked(self, seed: bytes, hand: bytes) -> Deck:
        return sealed_deck(seed, hand)


def sealed(choices: str, seed: bytes = bytes(range(32))) -> SealedStory:
    story = SealedStory("abyssinia", DECLARE)
    for name in "ABC":
        story.sit(name, 100)
    story.deal(seed=seed)
    check_on(story)
    for choice in choices.split():
        story.play(f"{story.turn} declares {choice}")
    return story


@rule("ABY-C11")
def test_a_choice_is_committed_to_under_a_salt_that_comes_with_the_declarations() -> None:
    story = sealed("low high both")
    ((_, told),) = story.kinds("Declared")
    seals = [fact.seal for _, fact in story.kinds("ChoiceSealed")]
    for number, (seat, choice) in enumerate(told.choices):
        salt = told.salts[16 * number : 16 * number + 16]
        assert [seal(salt, seat, other) == seals[number] for other in (choice, "none")] == [True, False]
    assert len(set(seals)) == 3
    other = sealed("low high both", bytes(32))
    assert not {fact.seal for _, fact in other.kinds("ChoiceSealed")} & set(seals)


@rule("ABY-C11", "COM-76")
def test_a_choice_survives_a_restart_in_the_log_alone() -> None:
    story = sealed("low both")
    folded = Table(story.table.id)
    for fact in story.log:
        evolve(folded, fact)
        if type(fact).__name__ == "HandStarted":
            assert folded.hand is not None and story.hand.deal is not None
            folded.hand.learn(story.hand.deal)
    command = Act(story.hand.actor or 0, story.turn, "declare", None, 0, {"choice": "high"})
    assert act(folded, command, story.now) == act(story.table, command, story.now)


@rule("ABY-C12")
def test_who_lets_his_time_run_out_or_has_left_declares_high() -> None:
    hand = declaring(THREE, "low")
    hand.play("B times out")
    hand.ask(Stand, "D")
    ((_, told),) = hand.kinds("Declared")
    assert [choice for _, choice in told.choices] == ["low", "high", "high"]


@rule("ABY-C13")
@pytest.mark.parametrize(
    ("choices", "awards"),
    [
        (("high", "low", "high"), "0 high A 12, 0 low B 11"),
        (("high", "high", "low"), "0 high A 12, 0 low D 11"),  # the best low has declared high
        (("low", "low", "high"), "0 high D 12, 0 low B 11"),
        (("high", "both", "low"), "0 high A 12, 0 low D 11"),  # both, beaten for high: nothing, not even the low
        (("both", "low", "high"), "0 high D 12, 0 low B 11"),
        (("low", "both", "low"), "0 high B 12, 0 low B 11"),  # both and beaten by nobody who declared against him
    ],
)
def test_each_half_goes_to_the_best_hand_that_declared_it(choices: tuple[str, ...], awards: str) -> None:
    assert declaring(THREE, *choices).awards == awards


@rule("ABY-C13")
def test_both_may_tie() -> None:
    cards = {"A": "7s 5h 4d 3c 2h", "B": "7h 5d 4c 3s 2c"}
    assert declaring(cards, "both", "low").awards == "0 high A 10, 0 low A 5, 0 low B 5"
    assert declaring(cards, "both", "both").awards == "0 high A 5, 0 high B 5, 0 low A 5, 0 low B 5"


@rule("ABY-C14")
@pytest.mark.parametrize(
    ("choices", "awards"),
    [
        (("high", "high", "high"), "0 only A 23"),
        (("low", "low", "low"), "0 only B 23"),
        (("both", "both", "low"), "0 only D 23"),  # both fail: the low alone is left
        (("both", "both", "both"), "0 high A 12, 0 low B 11"),  # nobody is left: as without declarations
    ],
)
def test_a_half_that_nobody_claims_joins_the_other(choices: tuple[str, ...], awards: str) -> None:
    assert declaring(THREE, *choices).awards == awards


@rule("ABY-C10", "ABY-C11")
def test_hidden_cards_are_turned_up_after_the_declarations() -> None:
    hand = declaring(THREE, "high", "low", "low", keys={**HIDDEN, **DECLARE})
    kinds = [type(fact).__name__ for fact in hand.events]
    assert kinds.index("Declared") < kinds.index("Shown")
    assert hand.awards == "0 high A 12, 0 low B 11"


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
