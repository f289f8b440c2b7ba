"""Hasaga: two hands, two stacks, betting, merging, ranking (HAS-01..11, 22..30, C01..C07, C25..C29).

The worked examples of the rule book run in tests/rulebook.
"""

import pytest

from engine.cards import parse_many
from engine.commands import AddChips, Connect, Disconnect, Expire, Sit
from engine.game import find_game
from engine.hand_names import name_high
from engine.rankings import at_most_two
from engine.view import private_view, view
from services.records import records
from tests.rules.hasaga_stories import TwoHanded, hasaga
from tests.rules.stories import rule

PLAYED = "P2b raises to 20; P1a calls; P1b folds; P2a folds"


@rule("HAS-03", "HAS-06", "HAS-25", "HAS-C01")
def test_two_to_six_players_with_two_hands_and_two_stacks_side_by_side() -> None:
    assert find_game("hasaga").seats == range(4, 13, 2)
    story = TwoHanded("hasaga")
    story.seat_players(6)
    assert [place.player[1] for place in story.table.places if place] == list("112233445566")
    assert {place.chips for place in story.table.places if place} == {1500}
    story.deal()
    story.answer()
    assert {len(seat.cards) for seat in story.hand.seats.values()} == {2}


@rule("HAS-C01", "HAS-25")
def test_one_command_takes_both_chairs_and_one_leaves_them() -> None:
    story = TwoHanded("hasaga")
    story.do(Sit(5, "P3", 3000))
    assert [i for i, place in enumerate(story.table.places) if place] == [4, 5]
    assert story.refusal(Sit(4, "P2", 3000)) == "seat_taken"
    assert story.refusal(Sit(0, "P3", 3000)) == "already_seated"
    assert story.refusal(Sit(0, "P1", 2999)) == "stack_below_minimum"
    assert story.refusal(Sit(0, "P1", 3001)) == "buy_in_too_large"
    story.names = {"P3a": 4, "P3b": 5}
    story.ask(Disconnect, "P3b")
    assert [place.connected for place in story.table.places[4:6] if place] == [False, False]
    story.ask(Connect, "P3a")
    story.leave("P3b")
    assert not any(story.table.places)


@rule("HAS-01", "HAS-04", "HAS-05", "HAS-C05")
def test_no_limit_holdem_with_the_small_blind_as_least_bet_and_raise() -> None:
    """Before the flop the price is the big blind and the least raise is one small blind more (ERR-20)."""
    hand = hasaga()
    assert hand.asked.startswith("P2b: fold, call 10, raise to 15..1500")
    assert hand.refused("P2b raises to 14") == "bet_too_small"
    hand.play("P2b raises to 300; P1a calls; P1b folds; P2a folds")
    assert hand.asked.startswith("P2b: check, bet 5..1200")
    assert hand.board == "Kd 8s 7h"
    hand.play("P2b bets 200")
    assert hand.asked.startswith("P1a: fold, call 200, raise to 205..1200")


@rule("HAS-05", "HAS-C05")
def test_a_short_all_in_of_a_small_blind_reopens_a_smaller_one_does_not() -> None:
    for chips, again in ((104, False), (105, True)):
        hand = hasaga(3, stacks={"P1a": chips}, button="P3b")
        hand.play(f"P2a raises to 100; P2b folds; P3a calls 100; P3b folds; P1a raises to {chips}; P1b folds")
        assert ("raise" in hand.asked) is again
        if not again:
            assert hand.refused("P2a raises to 500") == "raise_not_reopened"


@rule("HAS-07", "HAS-C02", "HAS-C03")
def test_each_hand_posts_and_acts_like_a_player_of_its_own() -> None:
    hand = hasaga(button="P2b")
    assert hand.amounts("BlindPosted") == "P1a 5, P1b 10"
    assert hand.order == "P1a P1b P2a P2b"
    assert hand.turn == "P2a"
    hand.play("P2a calls; P2b calls; P1a calls; P1b checks")
    assert (hand.street, hand.turn) == ("flop", "P1a")
    assert hand.refused("P1b checks") == "not_your_turn"


@rule("HAS-C03", "COM-66", "COM-67")
def test_an_eliminated_hand_is_an_empty_place_for_button_and_blinds() -> None:
    cards = {"P2a": "2h 7c", "P1b": "As Ad"}
    hand = hasaga(stacks={"P2a": 10}, hands=cards, then="2c Kd 8s Th 3c 9d 4c 5s", button="P2b")
    hand.run("P2a calls; P2b folds; P1a folds")
    assert hand.table.place(2).eliminated
    hand.deal()
    assert hand.positions == "button 1, small 2, big 4"
    assert hand.order == "P1b P2b P1a"


@rule("HAS-08")
def test_a_folded_hand_stays_out() -> None:
    hand = hasaga()
    hand.play(PLAYED + "; P2b bets 20; P1a folds")
    assert not hand.table.playing
    assert hand.kinds("Folded")[0][1].seat == hand.names["P1b"]
    assert len(hand.kinds("Folded")) == 3


@rule("HAS-C02")
def test_the_owner_sees_both_hands_others_see_backs() -> None:
    hand = hasaga(hands={"P1a": "As Ks", "P1b": "Ah Kh"})
    for seat, other in ((0, 1), (1, 0)):
        seen = private_view(hand.table, seat)
        assert [seen["cards"], seen["also"][0]["cards"]] == [hand.own[hand.name(at)].split() for at in (seat, other)]
        assert seen["also"][0]["seat"] == other
    shown = str([view(hand.table), private_view(hand.table, 2)])
    assert not [card for card in ("As", "Ks", "Ah", "Kh") if f"'{card}'" in shown]


@rule("HAS-C02", "HAS-C03", "COM-75")
def test_who_has_lost_his_first_hand_still_sees_the_cards_of_the_other() -> None:
    """The session is the first chair's and looks through it as long as the player is in."""
    hand = hasaga(3, stacks={"P1a": 0}, hands={"P1b": "Ah Kh"}, button="P3b")
    seen = private_view(hand.table, 0)
    assert seen["hand"] == 1
    assert seen["cards"] == []
    assert [(other["seat"], other["cards"]) for other in seen["also"]] == [(1, ["Ah", "Kh"])]
    hand.play("P2b folds; P3a folds; P3b folds; P1b buys see_live P2a; P2a reveals 0")
    assert private_view(hand.table, 0)["looks"]["cards"] == [hand.own["P2a"].split()[0]]
    assert private_view(hand.table, 4)["looks"]["cards"] == []


@rule("HAS-C02", "COM-64")
def test_the_last_hands_of_a_player_hold_both_his_hands() -> None:
    hand = hasaga(hands={"P1a": "As Ks", "P1b": "Ah Kh"})
    hand.play("P2b folds; P1a folds; P1b folds")
    mine = records(hand.table)[1]
    assert [seat["cards"] for seat in mine["seats"] if seat["player"] == "P1"] == [["Ah", "Kh"], ["As", "Ks"]]
    assert not any(seat["cards"] for seat in mine["seats"] if seat["player"] == "P2")


@rule("HAS-C02", "COM-71")
def test_the_time_bank_is_the_players_and_used_up_for_his_other_hand_too() -> None:
    """The next hand in turn has the action time alone, whether its player acted late or not at all."""
    hand = hasaga(3, button="P3b")
    hand.play("P2a folds; P2b folds; P3a calls; P3b calls")
    assert hand.turn == "P1a"
    hand.now = hand.hand.deadline
    hand.do(Expire(hand.table.turn, hand.hand.deadline))
    assert hand.turn == "P1b"
    assert hand.hand.deadline == hand.now + 30_000
    hand.now += 30_000
    hand.play("P1b checks")
    assert [place.bank_ms for place in hand.table.places[:2] if place] == [0, 0]


@rule("HAS-C04")
def test_one_card_at_a_time_left_of_the_button_first_and_a_burn_before_each_street() -> None:
    hand = hasaga(button="P1a")
    assert [seat.cards for seat in hand.hand.seats.values()] == [[0, 4], [1, 5], [2, 6], [3, 7]]
    kinds = [kind for kind, _ in hand.kinds("BlindPosted", "Awaited", "AnswersOpened", "RoundDealt")]
    assert kinds[:2] == ["BlindPosted"] * 2 and kinds[-2:] == ["AnswersOpened", "RoundDealt"]
    hand.run(PLAYED)
    left = [list(at) for _, fact in hand.kinds("BoardDealt") for at in (fact.burned, fact.at)]
    assert left == [[8], [9, 10, 11], [12], [13], [14], [15]]


@rule("HAS-09", "HAS-C06")
def test_at_most_two_own_cards_count() -> None:
    """Four spades in a hand of four with one on the board are no flush; a board straight plays for everybody."""
    assert name_high(at_most_two(parse_many("As Ks Js 6s"), parse_many("Ts 8s 7h 2d 3d"))).text() == "no pair A-K-T-8-7"
    for own in ("2c 2d", "2c 2d 2h 9s 9h 9c"):
        score = at_most_two(parse_many(own), parse_many("Ts Jd Qh Kc Ah"))
        assert name_high(score).text() == "straight A"


@rule("HAS-C06")
@pytest.mark.parametrize(
    ("board", "hands", "winners"),
    [
        ("Jd Tc Qs Ks 9s", ("9c 2s", "Jh Kh", "Qc 4h", "Qh 8d"), "0123"),  # P079
        ("Qd Jd 9d Kc 6d", ("5d Ah", "Qc 7d"), "1"),  # P080
        ("9c 7s 5h 5s 3c", ("8h Ks", "4d Qs"), "0"),  # P081
        ("9s Jc 3c Qc 8h", ("9c 5h", "Qh 4h", "Ad Ks", "As Kh"), "1"),
        ("5s 6s Td 6h As", ("7h 7c", "3s Ad"), "1"),
        ("4d 8s 4h 7d 8c", ("Kd 6c", "7h 5c"), "1"),  # P082
        ("Jd 7h Jc Kh Ks", ("Ah 8h", "As Qc"), "01"),  # P083
        ("9c Th Jh Qh Kh", ("2h 3h", "Kd 9d"), "0"),  # P084: a flush, no straight flush
        ("2d 3d 4d 5d Ks", ("Ad 9c", "6c Qh"), "0"),  # P085
        ("Ah Kh 9h 6h 3h", ("Qh 2c", "7h 7c", "As Ks"), "0"),  # P086
        ("5c 5d 8c 8d 2h", ("Kc Kd", "Ac 3d"), "0"),  # P087
        ("Js 8c 8s Ah Tc", ("As Ad", "6h 7h"), "0"),  # P088
    ],
)  # fmt: skip
def test_boards_that_other_programs_got_wrong(board: str, hands: tuple[str, ...], winners: str) -> None:
    scores = [at_most_two(parse_many(own), parse_many(board)) for own in hands]
    assert "".join(str(i) for i, score in enumerate(scores) if score == max(scores)) == winners


@rule("HAS-C07", "HAS-27")
def test_between_two_hands_of_one_player_nothing_is_bet_bought_or_sold() -> None:
    hand = hasaga(hands={"P2a": "Ah Kh", "P2b": "Qs Qd"})
    hand.play("P2b raises to 40; P1a folds; P1b folds")
    assert not hand.table.playing
    assert hand.returned == "P2b 30"
    assert hand.kinds("Sold", "Fee") == []
    assert hand.showdown == "P2b shows, P2a shows"
    assert hand.stacks == "P1a 1500, P1b 1495, P2a 1515, P2b 1490"


@rule("HAS-27", "COM-16")
def test_a_player_cannot_raise_against_his_own_other_hand() -> None:
    hand = hasaga(level="300/600+20", stacks={"P1a": 1800, "P1b": 2000, "P2a": 500, "P2b": 1700})
    hand.play("P2b folds")
    assert "raise" not in hand.asked and hand.turn == "P1a"
    assert hand.refused("P1a raises to 900") == "raise_not_answerable"
    assert hand.refusal(AddChips(0, "P1", 100)) == "not_in_a_tournament"


# --- merging


def before_merge() -> TwoHanded:
    """P1b, the big blind, is to call 20 more; P1a has called."""
    hand = hasaga(hands={"P1a": "Ah As", "P1b": "9h Ks", "P2a": "Qh Qd"}, then="2c Ad 9s 7h 3c 2d 4c 5s", button="P2b")
    hand.play("P2a raises to 30; P2b folds; P1a calls 25")
    return hand


@rule("HAS-15", "HAS-26", "HAS-C26", "HAS-C27", "HAS-C28")
def test_a_merge_pools_cards_and_stacks_and_keeps_the_higher_bet() -> None:
    hand = before_merge()
    assert hand.asked.startswith("P1b: fold, call 20, raise to 35..1500")
    hand.play("P1b buys merge")
    assert hand.cards("P1b") == "Ah As 9h Ks"
    assert hand.cards("P1a") == ""
    assert hand.asked.startswith("P1b: check")
    assert "raise" not in hand.asked
    assert hand.refused("P1b raises to 100") == "raise_not_reopened"
    assert view(hand.table)["seats"][0]["state"] == "merged"
    assert (hand.hand.seats[1].bet, hand.hand.seats[0].bet) == (30, 10)
    assert hand.hand.seats[1].stack == 1470 + 1490 - 40


@rule("HAS-C26")
def test_the_absorbed_hand_loses_its_turn() -> None:
    hand = hasaga(button="P2b")
    hand.play("P2a calls; P2b calls; P1a buys merge")
    assert hand.asked.startswith("P1a: check, raise to 15..")
    assert [hand.name(index) for index in hand.hand.live()] == ["P1a", "P2a", "P2b"]
    hand.play("P1a checks")
    assert (hand.street, hand.turn) == ("flop", "P1a")


@rule("HAS-C27")
def test_fees_of_the_absorbed_hand_are_those_of_the_merged_one() -> None:
    hand = hasaga(button="P2b")
    hand.play("P2a calls; P2b calls; P1a buys see_live P2a; P2a reveals 0; P1a calls 5; P1b buys merge")
    assert (hand.hand.seats[1].fees, hand.hand.seats[0].fees) == (90, 0)


@rule("HAS-C28", "COM-60")
def test_the_role_of_last_aggressor_passes_to_the_merged_hand() -> None:
    hand = hasaga(button="P2b", hands={"P1a": "Ah As", "P2a": "Kh Ks"})
    hand.play("P2a calls; P2b folds; P1a raises to 20; P1b buys merge; P1b checks; P2a calls")
    hand.keep()
    assert hand.showdown.startswith("P1b shows")


@rule("HAS-C29", "HAS-26")
def test_after_the_deal_the_common_stack_is_halved_the_odd_chip_to_a() -> None:
    hand = hasaga(button="P2b", stacks={"P1a": 1501})
    hand.run("P2a raises to 30; P2b folds; P1a calls 25; P1b buys merge; P1b checks; P1b bets 5; P2a folds")
    assert [(fact.absorbed, fact.amount) for _, fact in hand.kinds("PoolSplit")] == [(0, 1516)]
    assert hand.stacks == "P1a 1516, P1b 1515, P2a 1470, P2b 1500"
    hand = hasaga(button="P2b", stacks={"P1b": 1499})
    hand.run("P2a folds; P2b calls; P1a buys merge; P1a raises to 20; P2b folds")
    assert hand.stacks == "P1a 1505, P1b 1504, P2a 1500, P2b 1490"
    hand.deal()
    assert hand.hand.seats.keys() == {0, 1, 2, 3}


MERGES = {  # EX-HAS-06: (added to P1a, added to P1b) -> cards after the merge
    (0, 0): 4,
    (1, 0): 5,
    (0, 2): 6,
    (1, 1): 6,
    (1, 2): None,
    (2, 2): None,
}


@rule("HAS-40", "HAS-41", "HAS-C16", "HAS-C25", "HAS-22", "HAS-C34")
@pytest.mark.parametrize("added", MERGES)
def test_sizes_of_a_merge(added: tuple[int, int]) -> None:
    """EX-HAS-06: never more than six pooled cards; 2+2 may sell; what is left of two extra cards may be bought."""
    first, second = added
    hand = hasaga(button="P2b")
    hand.play("P2a calls; P2b calls" + "; P1a buys add_card" * first + "; P1a calls" + "; P1b buys add_card" * second)
    size = MERGES[added]
    if size is None:
        assert hand.refused("P1b buys merge") == "merge_not_allowed"
        return
    hand.play("P1b buys merge")
    assert len(hand.hand.seats[1].cards) == size
    assert ("add_card" in hand.items) is (size < 6)
    if size == 6:
        assert hand.refused("P1b buys add_card") == "limit_of_extra_cards"
    hand.play("P1b checks")
    while hand.street != "sales":
        hand.act(hand.turn, "check")
    sellers = []
    while hand.street == "sales":
        sellers.append(hand.turn)
        hand.play(f"{hand.turn} sells nothing")
    assert ("P1b" in sellers) is (size == 4)


@rule("HAS-C25")
def test_both_hands_must_be_live_and_free_to_bet_and_the_pool_must_do() -> None:
    hand = hasaga(button="P2b")
    hand.play("P2a raises to 30; P2b calls; P1a folds")
    assert hand.refused("P1b buys merge") == "merge_not_allowed"
    hand = hasaga(button="P2b", stacks={"P1a": 20})
    hand.play("P2a calls; P2b calls; P1a raises to 20")
    assert hand.refused("P1b buys merge") == "merge_not_allowed"
    hand = hasaga(button="P2b", exb=("P1a",))
    hand.play("P2a calls; P2b calls")
    assert hand.refused("P1b buys merge") == "merge_not_allowed"
    for chips, allowed in ((39, False), (40, True)):
        hand = hasaga(button="P2b", stacks={"P1a": chips, "P1b": 15})
        hand.play("P2a calls; P2b calls")
        assert ("merge" in hand.items) is allowed
        if not allowed:
            assert hand.refused("P1a buys merge") == "insufficient_chips"


@rule("HAS-C25", "HAS-C10")
def test_a_merge_that_takes_the_last_chip_ends_the_turn() -> None:
    hand = hasaga(3, button="P3b", stacks={"P1a": 35, "P1b": 20})
    hand.play("P2a calls; P2b folds; P3a calls; P3b folds; P1a buys merge")
    assert [fact.seat for _, fact in hand.kinds("TurnEnded")] == [0]
    assert (hand.street, hand.turn) == ("flop", "P2a")
