"""Sitting out, missed blinds, new players, leaving, chips (COM-15, COM-69, COM-70, OM8-14..20)."""

import pytest

from engine.commands import AddChips, Post, Sit, SitIn, SitOut, StartHand
from engine.view import view
from tests.rules.stories import Story, flop_deck, rule
from tests.rules.test_button import table


def played(story: Story, hands: int) -> Story:
    """Deal and finish so many hands."""
    for _ in range(hands):
        story.deal()
        story.finish()
    return story


def six() -> Story:
    """Six seats after the first hand: button 1, small blind 2, big blind 3."""
    story = table("1 2 3 4 5 6")
    story.deal_first("1")
    story.finish()
    return story


def owed(story: Story, name: str) -> tuple[int, int]:
    place = story.table.place(story.names[name])
    return place.owes_small, place.owes_big


def may_post(story: Story, name: str) -> bool:
    """As everybody is told."""
    return bool(view(story.table)["seats"][story.names[name]]["may_post"])


@rule("COM-69", "OM8-18")
def test_a_seat_passed_by_the_big_blind_owes_it_and_then_the_small_one() -> None:
    story = six()
    story.ask(SitOut, "4")
    story.deal()
    assert story.positions == "button 2, small 3, big 5"
    assert owed(story, "4") == (0, 2)
    story.finish()
    story.deal()
    assert owed(story, "4") == (1, 2)


@rule("COM-69", "OM8-19", "OM8-20")
def test_both_missed_blinds_are_posted_in_one_go_and_act_like_a_blind() -> None:
    """2 live and 1 dead; the seat acts in turn and may raise if nobody has."""
    story = six()
    story.ask(SitOut, "4")
    played(story, 2)
    story.ask(Post, "4")
    story.deal()
    assert [tuple(fact) for _, fact in story.kinds("Posted")] == [(3, 2, 1)]
    assert owed(story, "4") == (0, 0)
    while story.turn != "4":
        story.play(f"{story.turn} folds")
    assert story.asked == "4: check, raise to 4"


@rule("COM-69", "OM8-18")
def test_waiting_for_the_big_blind_clears_all_debts() -> None:
    story = six()
    story.ask(SitOut, "4")
    played(story, 2)
    story.ask(SitIn, "4")
    for _ in range(4):
        story.deal()
        if "4" in story.order.split():
            break
        story.finish()
    assert story.hand.big == story.names["4"]
    assert story.kinds("Posted") == []
    assert owed(story, "4") == (0, 0)


@rule("COM-69")
def test_owing_only_the_small_blind_it_is_dead() -> None:
    """P047: paid its big blind, sat out the small one: 1 dead chip, no live bet."""
    story = six()
    story.ask(SitOut, "3")
    story.deal()
    assert owed(story, "3") == (1, 0)
    story.finish()
    story.deal()
    story.finish()
    story.ask(Post, "3")
    story.deal()
    assert [tuple(fact) for _, fact in story.kinds("Posted")] == [(2, 0, 1)]
    assert story.hand.seats[2].bet == 0
    assert story.hand.price == 2


@rule("COM-69", "OM8-14", "OM8-16")
def test_a_newcomer_waits_for_the_big_blind_or_posts_one() -> None:
    """P048: never dealt in for free."""
    story = table("1 2 3 4 5")
    story.deal_first("1")
    story.finish()
    story.sit("N", 100, chair=5)
    assert owed(story, "N") == (0, 2)
    story.deal()
    assert "N" not in story.order
    story.finish()
    story.ask(Post, "N")
    story.deal()
    assert [tuple(fact) for _, fact in story.kinds("Posted")] in ([(5, 2, 0)], [])
    assert "N" in story.order.split()


@rule("COM-69", "OM8-14")
def test_a_newcomer_who_waits_is_dealt_in_with_the_big_blind() -> None:
    story = table("1 2 3 4")
    story.deal_first("1")
    story.finish()
    story.sit("N", 100, chair=4)
    played(story, 1)
    story.deal()
    assert story.positions == "button 3, small 4, big 5"
    assert story.amounts("BlindPosted") == "4 1, N 2"


@rule("COM-69", "OM8-16")
def test_a_posted_big_blind_is_live_and_may_raise() -> None:
    story = six()
    story.leave("6")
    story.sit("N", 100, chair=5)
    story.ask(Post, "N")
    story.deal()
    assert [tuple(fact) for _, fact in story.kinds("Posted")] == [(5, 2, 0)]
    story.play("5 folds")
    assert story.asked == "N: check, raise to 4"


@rule("COM-69")
@pytest.mark.parametrize("chair", [2, 3])
def test_posting_is_refused_on_the_button_and_before_the_big_blind(chair: int) -> None:
    """After hand 1 the next button is 2, the small blind 3, the big blind whoever is next."""
    story = table("1 2 3")
    story.deal_first("1")
    story.finish()
    story.leave("2" if chair == 2 else "3")
    story.sit("N", 100, chair=chair - 1)
    assert story.refusal(Post(chair - 1, "N")) == "post_not_allowed_here"
    assert not may_post(story, "N")


@rule("COM-69")
def test_a_post_allowed_when_asked_waits_while_the_blinds_pass() -> None:
    """Asked in time, but by the next deal the seat is the big blind: it pays that and nothing else."""
    story = six()
    story.leave("5")
    story.sit("N", 100, chair=4)
    played(story, 1)
    assert [may_post(story, name) for name in ("N", "6")] == [True, False]
    story.ask(Post, "N")
    assert not may_post(story, "N")
    story.deal()
    assert story.hand.big == story.names["N"]
    assert story.kinds("Posted") == []


@rule("COM-69")
def test_posting_needs_the_full_amount_and_a_dead_post_a_chip_more() -> None:
    story = six()
    story.leave("6")
    story.sit("N", 1, chair=5)
    assert story.refusal(Post(5, "N")) == "insufficient_chips"
    story = six()
    story.ask(SitOut, "3")
    played(story, 2)
    assert owed(story, "3") == (1, 0)
    story.set_chips("3", 1)
    assert story.refusal(Post(2, "3")) == "insufficient_chips"
    story.set_chips("3", 2)
    story.ask(Post, "3")
    assert story.table.place(2).posting


@rule("COM-69")
def test_posting_without_a_debt_is_refused() -> None:
    assert six().refusal(Post(3, "4")) == "nothing_owed"


@rule("COM-70")
def test_sitting_out_no_cards_and_no_blinds() -> None:
    story = six()
    story.ask(SitOut, "4")
    story.ask(SitOut, "5")
    story.deal()
    assert story.order == "3 6 1 2"
    assert story.amounts("BlindPosted") == "3 1, 6 2"


@rule("COM-70")
def test_sitting_out_pays_no_ante() -> None:
    story = Story("razz")
    for name in "ABC":
        story.sit(name, 100)
    story.ask(SitOut, "C")
    story.deal()
    assert sorted(story.antes.split(", ")) == ["A 1", "B 1"]
    assert story.table.place(2).chips == 100


@rule("COM-70")
def test_sitting_out_during_a_hand_counts_from_the_next_deal() -> None:
    story = six()
    story.deal()
    story.ask(SitOut, "1")
    assert story.hand.seats[0].live
    story.finish()
    story.deal()
    assert "1" not in story.order.split()
    assert story.refusal(SitOut(0, "1")) == "already_sitting_out"


@rule("COM-70")
def test_max_missed_orbits_frees_the_seat() -> None:
    for orbits, missed in ((1, 2), (2, 3)):
        story = table("1 2 3 4", max_missed_orbits=orbits)
        story.deal_first("1")
        story.finish()
        story.ask(SitOut, "4")
        stood = 0
        while story.table.places[3] is not None and stood < 20:
            stood += 1
            played(story, 1)
        assert story.table.places[3] is None
        assert stood == 1 + 3 * (missed - 1)


@rule("COM-70")
def test_without_the_key_a_seat_may_sit_out_for_ever() -> None:
    story = six()
    story.ask(SitOut, "4")
    played(story, 25)
    assert story.table.places[3] is not None


@rule("COM-15", "COM-69")
def test_players_who_sit_down_during_a_hand_are_not_in_it() -> None:
    """P074."""
    story = table("1 2")
    story.deal_first("1")
    story.play("1 calls; 2 checks")
    story.sit("3", 100)
    story.sit("4", 100)
    assert story.order == "2 1"
    story.finish()
    assert story.table.place(2).chips == 100


@rule("COM-15")
def test_chips_added_during_a_hand_arrive_after_it() -> None:
    story = table("1 2 3")
    story.deal_first("1")
    story.ask(AddChips, "1", 50)
    assert story.hand.seats[0].stack == 100
    assert story.asked == "1: fold, call 2, raise to 4"
    story.finish()
    assert story.table.place(0).chips == 150
    story.ask(AddChips, "1", 25)
    assert story.table.place(0).chips == 175


@rule("COM-11", "COM-71")
def test_leaving_in_a_hand_is_timing_out_until_it_is_over() -> None:
    """P075: what was posted stays in the pot, the seat is freed after the hand."""
    story = table("1 2 3")
    story.deal_first("1")
    story.leave("2")
    assert story.table.place(1).leaving
    story.play("1 calls")
    assert not story.hand.seats[1].live
    assert story.hand.in_middle() == 5
    story.finish()
    assert story.table.places[1] is None
    story.deal()
    assert story.hand.over is False


@rule("COM-11")
def test_a_leaver_who_can_check_checks() -> None:
    story = table("1 2 3")
    story.deal_first("1")
    story.leave("3")
    story.play("1 calls; 2 calls")
    assert story.street == "flop"
    assert [story.name(fact.seat) for _, fact in story.kinds("TimedOut")] == ["3"]


@rule("COM-11", "COM-70")
def test_leaving_between_hands_takes_the_chips_along() -> None:
    story = six()
    story.leave("5")
    assert story.table.places[4] is None
    assert story.kinds("Stood")[-1][1].chips == 100


@rule("COM-69", "COM-70")
def test_a_seat_without_chips_is_not_dealt_in() -> None:
    """P068, P014, P058: and a hand needs two seats with chips; nothing is posted without."""
    story = table("1 2", omaha__structure="no_limit")
    hands = {"1": "As Ah Ks Kh", "2": "2c 2d 3c 3d"}
    story.deal_first("1", flop_deck(["2", "1"], hands, "Ac Kd 9s 9h Js", 4, 1))
    story.play("1 raises to 100; 2 calls")
    story.check_down()
    assert story.stacks == "1 200, 2 0"
    assert story.table.place(1).sitting_out
    assert story.refusal(SitIn(1, "2")) == "insufficient_chips"
    assert story.refusal(StartHand(bytes(32), b"")) == "not_enough_players"
    assert story.table.chips() == 200


@rule("COM-69")
def test_one_player_one_chair() -> None:
    """P072, P073."""
    story = six()
    assert story.refusal(Sit(3, "X", 100)) == "seat_taken"
    story.leave("6")
    assert story.refusal(Sit(5, "2", 100)) == "already_seated"
    assert story.refusal(Sit(6, "X", 100)) == "no_such_seat"
    assert story.refusal(SitOut(2, "X")) == "not_your_seat"
