"""Hasaga: what chips buy during a turn, blocked streets, and the sale at the end (HAS-02, 10..24, 40, 42, C08..C35)."""

from collections import Counter
from collections.abc import Iterator

import pytest

from engine.cards import NAMES, parse
from engine.commands import Act, Disconnect, Stand
from engine.game import find_game
from engine.games.hasaga import shop_open
from engine.games.hasaga.sales import SALE_PRICES, sale_price
from engine.games.hasaga.shop import ITEMS, obstacle, prices
from engine.play import choices, legal
from engine.state import Hand
from engine.steps import Args
from engine.view import private_view, view, view_event
from tests.rules.hasaga_stories import TwoHanded, hasaga
from tests.rules.random_play import Player
from tests.rules.stories import rule

PLAYED = "P2b raises to 20; P1a calls; P1b folds; P2a folds"


def on_flop(**more: object) -> TwoHanded:
    """P2b is first to act on the flop against P1a; P1b and P2a have folded; Kd 8s 7h, 2c burned."""
    hand = hasaga(hands={"P1a": "Ah Kh", "P1b": "Qc 3h", "P2b": "Qs Qd"}, **more)  # type: ignore[arg-type]
    hand.play(PLAYED)
    return hand


def look(hand: TwoHanded, viewer: int) -> list[str]:
    """Cards the seat's player has paid to see."""
    return list(private_view(hand.table, viewer)["looks"]["cards"])


# --- when, at what price, to whom


@rule("HAS-02", "HAS-11", "HAS-C11", "HAS-12", "HAS-13", "HAS-14", "HAS-15", "HAS-16", "HAS-17", "HAS-18", "HAS-19")
@pytest.mark.parametrize(
    ("level", "expected"),
    [("5/10", [10, 10, 30, 40, 50, 50, 60, 80]), ("20/40", [40, 40, 120, 160, 200, 200, 240, 320])],
)
def test_prices_are_in_big_blinds_of_the_deal(level: str, expected: list[int]) -> None:
    hand = hasaga(level=level)
    assert list(prices(hand.hand).values()) == expected
    shown = view(hand.table)["hand"]
    assert shown["prices"]["merge"] == expected[3]
    assert [shown["destinations"][item] for item in ("add_card", "merge")] == ["bank", "pot"]


@rule("HAS-10", "HAS-C08")
def test_any_number_on_the_own_turn_before_the_action_and_not_an_action_itself() -> None:
    hand = hasaga(button="P2b")
    turn = hand.table.turn
    hand.play("P2a buys add_card; P2a buys see_live P1a; P1a reveals 0; P2a buys block_river; P2a raises to 30")
    assert hand.refused("P2a buys add_card") == "not_your_turn"
    assert hand.table.turn > turn
    hand.play("P2b folds; P1a folds; P1b raises to 60; P2a buys add_card")
    assert hand.asked.startswith("P2a: fold, call 30, raise to 65")


@rule("HAS-C08", "COM-10")
def test_the_turn_stays_the_same_one_during_purchases() -> None:
    hand = hasaga(button="P2b")
    turn, deadline = hand.table.turn, hand.hand.deadline
    hand.play("P2a buys add_card; P2a buys block_river")
    assert (hand.table.turn, hand.hand.deadline, hand.turn) == (turn, deadline, "P2a")


@rule("HAS-C08")
def test_without_a_turn_there_is_no_purchase() -> None:
    """All-in, folded, or with betting over."""
    hand = hasaga(stacks={"P2b": 400})
    hand.play("P2b raises to 400; P1a calls; P1b folds; P2a folds")
    assert hand.street == "sales"
    assert hand.refused("P1a buys block_river") == "not_your_turn"
    assert (hand.turn, hand.refused("P2b buys block_river")) == ("P2b", "illegal_action")


@rule("HAS-C09", "HAS-27", "HAS-C14")
def test_the_hand_on_turn_pays_and_gets_the_card() -> None:
    hand = hasaga()
    hand.play("P2b buys add_card")
    assert [hand.hand.seats[at].stack for at in (2, 3)] == [1490, 1470]
    assert [len(hand.hand.seats[at].cards) for at in (2, 3)] == [2, 3]


@rule("HAS-C10")
def test_who_could_not_call_in_full_afterwards_may_not_buy() -> None:
    for chips, allowed in ((39, False), (40, True)):
        hand = hasaga(button="P2b", stacks={"P2a": chips})
        assert ("add_card" in hand.items) is allowed
        if not allowed:
            assert hand.refused("P2a buys add_card") == "insufficient_chips"
    hand.play("P2a buys add_card")
    assert hand.asked.startswith("P2a: fold, call 10")
    assert hand.items == "merge"


@rule("HAS-C10")
def test_the_last_chip_spent_with_nothing_to_call_is_all_in() -> None:
    hand = hasaga(3, stacks={"P2b": 50}, button="P1a")
    hand.play("P2b calls; P3a calls; P3b folds; P1a calls; P1b folds; P2a checks; P2a checks; P2b buys add_card")
    assert hand.turn == "P2b"
    hand.play("P2b buys see_folded P3b 0")
    assert hand.hand.seats[3].all_in
    assert hand.turn == "P3a"


@rule("HAS-10", "HAS-C08")
def test_the_view_says_why_an_item_cannot_be_had() -> None:
    """By the code of the refusal; what is offered has none. Nobody else, and no other decision, is told anything."""
    hand = hasaga()
    assert unsold(hand) == {"see_burned": "purchase_not_available", "see_folded": "purchase_not_available",
                            "buy_dead": "purchase_not_available"}  # fmt: skip
    hand = on_flop(stacks={"P2b": 80})
    assert unsold(hand) == {"merge": "merge_not_allowed", "buy_dead": "card_not_seen",
                            "block_turn_river": "insufficient_chips"}  # fmt: skip
    hand.play("P2b buys see_burned 0; P2b buys see_folded P1b 0; P2b buys see_folded P1b 1")
    told = unsold(hand)
    assert (told["see_burned"], told["see_folded"]) == ("card_already_seen", "card_already_seen")
    assert told["buy_dead"] == "insufficient_chips"
    hand = on_flop()
    hand.play("P2b buys add_card; P2b buys add_card; P2b buys see_burned 0; P2b buys block_river")
    hand.play("P2b buys see_live P1a")
    assert unsold(hand) == {}
    hand.play("P1a reveals 0")
    assert unsold(hand)["add_card"] == unsold(hand)["buy_dead"] == "limit_of_extra_cards"
    assert unsold(hand)["block_river"] == "already_blocked"
    assert unsold(hand)["see_live"] == "purchase_not_available"
    hand.play("P2b checks; P1a checks; P2b checks; P1a checks")
    assert (hand.street, unsold(hand)) == ("sales", {})


def unsold(hand: TwoHanded) -> dict[str, str]:
    """Item -> code, and each of them is really refused."""
    told: dict[str, str] = view(hand.table)["hand"]["not_for_sale"]
    offered = {str(args["item"]) for args in choices(hand.hand).get("purchase", ())}
    assert offered.isdisjoint(told)
    assert not told or offered | set(told) == {item.name for item in ITEMS}
    return told


BANK = ("see_burned", "add_card", "buy_dead")


@rule("HAS-C12", "HAS-28", "HAS-29")
def test_burned_and_extra_cards_pay_the_bank_everything_else_the_pot() -> None:
    assert {item.name: item.to for item in ITEMS} == {
        item.name: "bank" if item.name in BANK else "pot" for item in ITEMS
    }
    hand = on_flop()
    hand.play("P2b buys see_burned 0; P2b buys buy_dead 0; P2b buys add_card")
    assert (hand.table.bank, hand.hand.attached) == (90, 0)
    hand.play("P2b buys see_folded P1b 0; P2b buys block_river")
    assert (hand.table.bank, hand.hand.attached) == (90, 70)
    turned = on_flop(keys={"hasaga.destination.see_burned": "pot", "hasaga.price.see_burned": 2})
    turned.play("P2b buys see_burned 0")
    assert (turned.table.bank, turned.hand.attached) == (0, 20)


@rule("HAS-C13", "COM-52")
def test_a_fee_goes_to_the_highest_pot_of_its_hand_and_never_changes_the_bet() -> None:
    """An earlier all-in cannot win what is paid in a later side pot."""
    hand = hasaga(3, stacks={"P2b": 100}, button="P1a")
    hand.play("P2b raises to 100; P3a calls; P3b folds; P1a calls; P1b folds; P2a folds")
    hand.play("P3a checks; P1a buys block_river; P1a bets 50; P3a calls")
    assert hand.pots == "315 P2b+P3a+P1a, 160 P3a+P1a"
    assert hand.hand.seats[0].bet == 0


# --- looks


@rule("HAS-12", "HAS-C17", "HAS-C20", "COM-75")
def test_a_burned_card_is_shown_to_its_buyer_alone() -> None:
    hand = on_flop()
    assert hand.offered("see_burned") == ["0"]
    assert hand.refused("P2b buys see_burned 1") == "purchase_not_available"
    hand.play("P2b buys see_burned 0")
    assert look(hand, 3) == look(hand, 2) == ["2c"]
    assert look(hand, 0) == []
    told = [view(hand.table), private_view(hand.table, 0), *map(view_event, hand.events)]
    assert "'2c'" not in str(told)
    (_, fact), *_ = hand.kinds("Looked")
    assert view_event(fact) == {"event": "Looked", "seat": 3, "target": -1, "slot": 0, "at": [8]}
    assert hand.refused("P2b buys see_burned 0") == "card_already_seen"


@rule("HAS-13", "HAS-C18")
def test_a_card_of_an_opponent_who_has_folded_is_picked_blindly() -> None:
    hand = on_flop()
    assert hand.offered("see_folded") == ["P1b 0", "P1b 1"]
    hand.play("P2b buys see_folded P1b 1")
    assert look(hand, 3) == ["3h"]
    assert hand.offered("see_folded") == ["P1b 0"]
    assert hand.refused("P2b buys see_folded P1b 1") == "card_already_seen"
    assert hand.refused("P2b buys see_folded P2a 0") == "card_already_seen"
    assert hand.refused("P2b buys see_folded P1a 0") == "purchase_not_available"
    assert hand.refused("P2b buys see_folded P1b 2") == "purchase_not_available"


@rule("HAS-16", "HAS-C19", "HAS-C20", "HAS-08")
def test_a_dead_card_that_was_seen_may_be_bought_and_leaves_its_place() -> None:
    """P090: it moves, it is never copied."""
    hand = on_flop()
    assert hand.refused("P2b buys buy_dead 0") == "card_not_seen"
    assert hand.refused("P2b buys buy_dead P1b 0") == "card_not_seen"
    hand.play("P2b buys see_folded P1b 0; P2b buys see_burned 0; P2b buys buy_dead P1b 0; P2b buys buy_dead 0")
    assert hand.cards("P2b") == "Qs Qd Qc 2c"
    assert hand.hand.lying(1) == [hand.hand.seats[1].cards[1]]
    shown = view(hand.table)["hand"]
    assert shown["gone"] == [[1, 0], [-1, 0]]
    assert shown["positions"]["3"][2:] == [shown["positions"]["1"][0], shown["positions"]["burned"][0]]
    assert (shown["extra_cards"]["3"], shown["extra_cards_most"]) == (2, 2)
    hand.play("P2b bets 20")
    assert hand.refused("P1a buys see_burned 0") == "card_gone"
    assert hand.refused("P1a buys buy_dead 0") == "card_gone"
    assert hand.refused("P1a buys buy_dead P1b 1") == "purchase_not_available"


@rule("HAS-C19")
def test_a_card_seen_while_its_hand_was_live_may_be_bought_when_it_has_folded() -> None:
    hand = hasaga(button="P2b", hands={"P1a": "As Ks"})
    hand.play("P2a buys see_live P1a; P1a reveals 1; P2a raises to 30; P2b folds; P1a folds; P1b calls; P1b checks")
    assert hand.offered("buy_dead") == ["P1a 1"]
    hand.play("P2a buys buy_dead P1a 1")
    assert hand.cards("P2a").endswith("Ks")


@rule("HAS-14", "HAS-40", "HAS-C15", "HAS-C16")
def test_at_most_two_extra_cards_of_either_kind() -> None:
    hand = on_flop()
    hand.play("P2b buys add_card")
    assert hand.cards("P2b") == "Qs Qd 3c"
    hand.play("P2b buys see_burned 0; P2b buys buy_dead 0")
    for wanted in ("add_card", "buy_dead 0"):
        assert hand.refused(f"P2b buys {wanted}") in ("limit_of_extra_cards", "card_gone")
    assert "add_card" not in hand.items
    hand.play("P2b checks; P1a checks")
    assert hand.board == "Kd 8s 7h 4c"


@rule("HAS-C16", "COM-74")
def test_no_card_is_added_that_the_board_may_still_need() -> None:
    """Twelve hands of two and 20 extra cards leave the eight for the board; the 21st is refused, blocks or not."""
    hand = hasaga(6, button="P6b", stacks={f"P{n}{hand}": 5000 for n in range(1, 7) for hand in "ab"})
    for _ in range(10):
        hand.play(f"{hand.turn} buys add_card; {hand.turn} buys add_card; {hand.turn} calls")
    assert hand.hand.dealt == 44
    assert "add_card" not in hand.items
    assert hand.refused(f"{hand.turn} buys add_card") == "purchase_not_available"
    hand.play(f"{hand.turn} buys block_river")
    assert hand.refused(f"{hand.turn} buys add_card") == "purchase_not_available"


# --- looks into live hands


@rule("HAS-17", "HAS-42", "HAS-C21", "HAS-C20")
def test_the_owner_chooses_the_card_and_the_deal_waits() -> None:
    hand = on_flop()
    hand.now += 5000
    hand.play("P2b buys see_live P1a")
    assert hand.asked == "P1a: reveal"
    assert view(hand.table)["hand"]["awaiting_reveal"] == {"buyer": 3, "target": 0}
    assert choices(hand.hand) == {"reveal": [{"index": 0}, {"index": 1}]}
    assert hand.refused("P2b checks") == "not_your_turn"
    assert hand.refused("P1a checks") == "illegal_action"
    assert hand.refused("P1a reveals 2") == "card_not_eligible"
    left = hand.kinds("RevealAsked")[0][1].left_ms
    hand.now += 20_000
    hand.play("P1a reveals 0")
    assert look(hand, 3) == ["Ah"]
    assert "'Ah'" not in str([view(hand.table), *map(view_event, hand.events)])
    assert hand.turn == "P2b"
    assert hand.hand.deadline == hand.now + left


@rule("HAS-C21", "COM-72")
def test_a_buyer_who_loses_the_line_while_he_waits_has_his_grace_then() -> None:
    hand = on_flop()
    hand.now += 10_000
    hand.play("P2b buys see_live P1a")
    hand.ask(Disconnect, "P2b")
    hand.now += 20_000
    hand.play("P1a reveals 0")
    assert hand.hand.deadline - hand.now == 80_000 + 15_000
    hand.now += 35_000
    hand.play("P2b checks")
    assert hand.table.place(3).bank_ms == 60_000


@rule("HAS-C21")
def test_who_left_shows_at_once_what_a_timeout_shows() -> None:
    hand = on_flop()
    hand.do(Stand(0, "P1"))
    hand.play("P2b buys see_live P1a")
    assert hand.turn == "P2b"
    assert look(hand, 3) == ["Ah"]


@rule("HAS-C21", "HAS-C43")
def test_all_in_and_extra_blind_hands_may_be_looked_at() -> None:
    hand = hasaga(3, stacks={"P2b": 100}, button="P1a", exb=("P3b",))
    hand.play("P2b raises to 100; P3a calls")
    assert hand.offered("see_live") == ["P2a", "P2b", "P3a", "P3b"]
    hand.play("P1a buys see_live P3b; P3b reveals 0")
    assert len(look(hand, 0)) == 1


@rule("HAS-42", "HAS-C22", "HAS-C23")
def test_a_hand_of_two_always_shows_the_same_card_and_never_both() -> None:
    hand = hasaga(3, button="P1a", hands={"P2b": "Qs Qd"})
    hand.play("P2b raises to 20; P3a buys see_live P2b; P2b reveals 1; P3a calls; P3b folds; P1a buys see_live P2b")
    assert choices(hand.hand) == {"reveal": [{"index": 1}]}
    assert hand.refused("P2b reveals 0") == "card_not_eligible"
    hand.play("P2b reveals 1; P1a calls; P1b folds; P2a folds; P2b checks")
    chips = hand.hand.seats[4].stack
    assert hand.refused("P3a buys see_live P2b") == "purchase_not_available"
    assert hand.refused("P3a buys see_live P3b") == "card_already_seen"
    assert hand.hand.seats[4].stack == chips


@rule("HAS-C22")
def test_with_more_cards_one_less_than_all_may_be_shown_merged_ones_count_together() -> None:
    hand = hasaga(button="P2b")
    hand.play("P2a buys see_live P1a; P1a reveals 0; P2a buys see_live P1b; P1b reveals 1; P2a calls; P2b folds")
    hand.play("P1a buys merge; P1a checks; P1a checks; P2a buys see_live P1a")
    assert choices(hand.hand) == {"reveal": [{"index": 1}, {"index": 2}]}
    hand.play("P1a reveals 2")
    assert hand.refused("P2a buys see_live P1a") == "purchase_not_available"


@rule("HAS-C22")
def test_a_card_that_was_known_before_it_came_into_the_hand_was_not_shown() -> None:
    hand = hasaga(3, button="P1a")
    hand.play("P2b calls; P3a folds; P3b folds; P1a calls; P1b folds; P2a checks; P2a buys see_burned 0; P2a checks")
    hand.play("P2b checks; P1a buys see_burned 0; P1a buys buy_dead 0; P1a checks; P2a buys see_live P1a")
    assert choices(hand.hand) == {"reveal": [{"index": 0}, {"index": 1}]}
    hand.play("P1a reveals 0; P2a buys see_live P1a; P1a reveals 1")
    assert len(look(hand, 2)) == 3


@rule("HAS-C24", "COM-71")
def test_a_reveal_that_times_out_shows_the_first_card_that_may_be_shown() -> None:
    hand = hasaga(3, button="P1a", hands={"P2b": "Qs Qd"})
    hand.play("P2b raises to 20; P3a buys see_live P2b; P2b reveals 1; P3a buys see_live P1a; P1a times out")
    assert hand.turn == "P3a"
    assert look(hand, 4)[1] == NAMES[hand.hand.cards_of(0)[0]]
    assert hand.kinds("SatOut") == []


# --- blocks


@rule("HAS-18", "HAS-C30", "HAS-C31", "HAS-C32")
def test_without_a_river_the_turn_round_is_the_last() -> None:
    hand = on_flop()
    hand.play("P2b buys block_river")
    assert view(hand.table)["hand"]["blocked"] == ["river"]
    assert hand.refused("P2b buys block_river") == "already_blocked"
    hand.play("P2b checks; P1a checks; P2b checks; P1a checks")
    assert (hand.street, hand.board, len(hand.hand.burned)) == ("sales", "Kd 8s 7h 2d", 2)
    hand.keep()
    assert hand.awards == "0 only P1a 115"


@rule("HAS-19", "HAS-C30", "HAS-C31", "HAS-C32")
def test_without_turn_and_river_the_flop_round_is_the_last_also_in_a_run_out() -> None:
    hand = on_flop(stacks={"P2b": 400})
    hand.play("P2b checks; P1a buys block_turn_river; P1a bets 340; P2b calls")
    assert (hand.street, hand.board, len(hand.hand.burned)) == ("sales", "Kd 8s 7h", 1)
    hand.keep()
    assert hand.awards == "0 only P1a 815"


@rule("HAS-C30", "HAS-C31")
def test_a_block_is_for_good_and_only_for_streets_to_come() -> None:
    hand = hasaga()
    hand.play("P2b buys block_river; P2b folds; P1a calls; P1b folds; P2a buys block_turn_river")
    assert hand.refused("P2a buys block_river") == "already_blocked"
    assert hand.hand.skipped == ["river", "turn"]
    hand = on_flop()
    hand.play("P2b checks; P1a checks")
    assert hand.refused("P2b buys block_turn_river") == "street_already_dealt"
    hand.play("P2b checks; P1a checks")
    assert hand.refused("P2b buys block_river") == "street_already_dealt"
    assert not {"block_river", "block_turn_river"} & set(hand.items.split())


# --- sale


def to_sales(hand: TwoHanded) -> TwoHanded:
    while hand.street != "sales":
        hand.act(hand.turn, "check")
    return hand


@rule("HAS-23")
def test_ten_times_the_pips() -> None:
    assert [sale_price(parse(f"{rank}c")) for rank in "23456789T"] == [20, 30, 40, 50, 60, 70, 80, 90, 100]
    assert [sale_price(parse(f"{rank}s")) for rank in "JQKA"] == [100, 100, 100, 110]
    assert (SALE_PRICES["2"], SALE_PRICES["T"], SALE_PRICES["A"]) == (20, 100, 110)


@rule("HAS-20", "HAS-21", "HAS-24", "HAS-30", "HAS-C33", "HAS-C35")
def test_sold_cards_are_shown_out_of_the_hand_and_paid_at_once() -> None:
    hand = to_sales(on_flop())
    assert hand.asked == "P2b: sell"
    assert view(hand.table)["hand"]["sale_prices"] == SALE_PRICES
    hand.play("P2b sells 0 1")
    (_, fact), *_ = hand.kinds("Sold")
    assert [NAMES[card] for card in fact.cards] == ["Qs", "Qd"]
    assert all(hand.hand.open[at] for at in fact.at)
    assert (hand.hand.seats[3].stack, hand.table.bank) == (1480 + 200, -200)
    assert hand.cards("P2b") == ""
    hand.keep()
    assert [fact.street for _, fact in hand.kinds("StreetBegan")][-3:] == ["river", "sales", "showdown"]
    assert hand.awards == "0 only P1a 55"
    assert view(hand.table)["seats"][3]["cards"] == []


@rule("HAS-C33", "COM-14")
def test_no_sale_without_a_contest() -> None:
    hand = on_flop()
    hand.play("P2b bets 10; P1a folds")
    assert hand.kinds("Sold") == []
    assert not hand.table.playing


@rule("HAS-22", "HAS-C34")
def test_who_has_an_extra_card_is_not_asked() -> None:
    hand = on_flop()
    hand.play("P2b buys add_card")
    to_sales(hand)
    assert hand.turn == "P1a"
    assert hand.refused("P1a checks") == "illegal_action"


@rule("HAS-C34", "HAS-C32")
@pytest.mark.parametrize(("block", "kept"), [("", 0), ("block_river", 1), ("block_turn_river", 2)])
def test_five_cards_must_be_left_with_the_board(block: str, kept: int) -> None:
    hand = on_flop()
    if block:
        hand.play(f"P2b buys {block}")
    to_sales(hand)
    assert max(len(args["indices"]) for args in choices(hand.hand)["sell"]) == 2 - kept  # type: ignore[arg-type]
    if kept:
        assert hand.refused("P2b sells 0 1") == "sale_not_allowed"
    assert hand.refused("P2b sells 2") == "sale_not_allowed"


@rule("HAS-C33", "COM-71")
def test_a_sale_that_times_out_sells_nothing() -> None:
    hand = to_sales(on_flop())
    hand.play("P2b times out; P1a sells 1 0")
    assert [fact.amount for _, fact in hand.kinds("Sold")] == [0, 210]


@rule("HAS-C35", "HAS-C46")
def test_a_sale_keeps_a_losing_all_in_hand_alive() -> None:
    hand = hasaga(hands={"P1a": "9h 8h", "P2b": "Ac Kc"}, then="2c 9d 8s 7h 3c 2d 4c 5s", stacks={"P2b": 200})
    hand.run("P2b raises to 200; P1a calls; P1b folds; P2a folds; P2b sells 0")
    assert hand.stacks == "P1a 1715, P1b 1495, P2a 1490, P2b 110"
    assert not hand.table.place(3).eliminated


@rule("HAS-C20", "COM-10")
def test_arguments_that_make_no_sense_are_refused() -> None:
    hand = on_flop()
    for args in (None, {}, {"item": "roof"}, {"item": 3}, {"item": "see_burned", "slot": -1}, {"item": "see_burned"},
                 {"item": "see_folded", "target": "P1b", "slot": 0}, {"item": "see_live", "target": 99},
                 {"item": "add_card", "slot": 1, "more": []}):  # fmt: skip
        assert hand.refusal(Act(3, "P2", "purchase", None, 0, args)) in ("purchase_not_available", "illegal_action")


def conceivable(hand: Hand) -> Iterator[Args]:
    """Every item, of every place and slot there could be."""
    for item in ITEMS:
        if item.name == "see_live":
            yield from ({"item": item.name, "target": seat} for seat in hand.seats)
        elif item.name in ("see_burned", "see_folded", "buy_dead"):
            if item.name != "see_folded":
                yield from ({"item": item.name, "slot": slot} for slot in range(4))
            if item.name != "see_burned":
                yield from ({"item": item.name, "target": at, "slot": slot} for at in hand.seats for slot in range(7))
        else:
            yield {"item": item.name}


@rule("HAS-10", "HAS-08", "HAS-40", "HAS-41", "HAS-C08", "HAS-C10", "HAS-C16", "HAS-C17", "HAS-C18", "HAS-C19",
      "HAS-C22", "HAS-C23", "HAS-C25", "HAS-C30", "HAS-C31")  # fmt: skip
def test_offered_is_what_nothing_stands_against() -> None:
    """At every turn of some random hands, with deep stacks and with short ones."""
    offered: Counter[object] = Counter()
    for number, stack in enumerate((1500, 400, 200, 90)):
        player = Player(find_game("hasaga"), number, chosen={"hasaga.stack": stack})
        for _ in range(12):
            player.start()
            while player.table.playing:
                offered.update(args["item"] for args in compared(player.table.hand))
                player.send(player.some_action())
    assert set(offered) == {item.name for item in ITEMS}


def compared(hand: Hand | None) -> list[Args]:
    """What the seat on turn may buy, as offered and as judged."""
    if hand is None or not shop_open(hand):
        return []
    found = [args for args in conceivable(hand) if obstacle(hand, args) is None]
    assert choices(hand).get("purchase", []) == found
    assert ("purchase" in legal(hand)) == bool(found)
    return found
