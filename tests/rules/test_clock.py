"""Clocks, disconnection, pauses (COM-71..73)."""

from engine.commands import (
    Act,
    Close,
    Connect,
    Disconnect,
    Expire,
    ExtendClock,
    Pause,
    Resume,
    SitIn,
    SitOut,
    Stand,
    StartHand,
    VoidHand,
)
from engine.table import options
from engine.view import view
from tests.rules.hasaga_stories import hasaga
from tests.rules.stories import Story, omaha, razz, rule

SECOND = 1000


def three(**keys: object) -> Story:
    """A has the turn; 30 seconds, a bank of 60, a grace of 15."""
    return omaha("A 100, B 100, C 100", keys={key.replace("__", "."): value for key, value in keys.items()})


def clock(story: Story) -> int:
    """Seconds left for the running decision."""
    return (story.hand.deadline - story.now) // SECOND


@rule("COM-71")
def test_a_decision_has_action_time_and_the_rest_of_the_time_bank() -> None:
    hand = three()
    assert clock(hand) == 90
    hand.now += 50 * SECOND
    hand.play("A calls")
    assert hand.table.place(0).bank_ms == 40 * SECOND
    hand.now += 30 * SECOND
    hand.play("B calls")
    assert hand.table.place(1).bank_ms == 60 * SECOND
    hand.play("C checks; B checks; C checks")
    assert clock(hand) == 70


@rule("COM-71")
def test_the_keys_set_the_times() -> None:
    """P078: the unit is in their names."""
    hand = three(action_seconds=5, time_bank_seconds=0)
    assert clock(hand) == 5


@rule("COM-71")
def test_a_timeout_folds_facing_a_bet_and_checks_otherwise() -> None:
    """P076: and the player sits out from the next deal."""
    hand = three()
    hand.play("A times out; B calls; C times out")
    assert not hand.hand.seats[0].live
    assert hand.hand.seats[2].live
    assert hand.street == "flop"
    assert hand.table.place(0).sitting_out
    assert hand.table.place(0).bank_ms == 0
    hand.finish()
    assert hand.refusal(SitIn(1, "B")) == "not_sitting_out"
    hand.ask(SitIn, "A")
    assert not hand.table.place(0).sitting_out


@rule("COM-71", "RAZ-09")
def test_a_timeout_of_the_bring_in_pays_the_minimum() -> None:
    hand = razz("D 100, A 100", {"D": "7c 7d Kh", "A": "Ah 2h 4h"})
    hand.play("D times out")
    assert hand.kinds("BroughtIn")[0][1].amount == 5
    assert hand.asked == "A: fold, call 5, complete to 10"


@rule("COM-71", "COM-73")
def test_an_expiry_counts_only_for_its_own_decision_and_not_before_its_time() -> None:
    hand = three()
    turn, deadline = hand.table.turn, hand.hand.deadline
    hand.now = deadline - 1
    assert hand.refusal(Expire(turn, deadline)) == "too_early"
    hand.play("A calls")
    hand.now = deadline
    assert hand.refusal(Expire(turn, deadline)) == "stale_turn"


@rule("COM-73", "COM-76")
def test_a_timeout_is_a_fact_with_its_resolved_action() -> None:
    hand = three()
    facts = hand.play("A times out")
    assert [type(fact).__name__ for fact in facts[:2]] == ["TimedOut", "Folded"]
    assert (facts[0].turn, facts[0].at) == (hand.table.turn - 1, hand.now)  # type: ignore[attr-defined]


@rule("COM-72")
def test_a_disconnected_player_has_the_grace_once_per_deal() -> None:
    hand = three()
    hand.ask(Disconnect, "A")
    assert clock(hand) == 105
    hand.ask(Connect, "A")
    hand.ask(Disconnect, "A")
    assert clock(hand) == 105
    hand.play("A calls; B calls; C checks; B checks; C checks")
    assert hand.turn == "A"
    assert clock(hand) == 90


@rule("COM-72")
def test_each_of_two_hands_has_its_grace() -> None:
    hand = hasaga(players=2, button="P1a")
    hand.ask(Disconnect, "P1a")
    usual = clock(hand)
    hand.play("P2b calls")
    assert (hand.turn, clock(hand)) == ("P1a", usual + 15)
    hand.play("P1a calls")
    assert (hand.turn, clock(hand)) == ("P1b", usual + 15)
    hand.play("P1b calls; P2a checks; P1b checks; P2a checks; P2b checks")
    assert (hand.turn, clock(hand)) == ("P1a", usual)


@rule("COM-72", "HAS-C37")
def test_the_window_of_the_extra_blind_is_not_prolonged_and_the_grace_waits_for_the_first_turn() -> None:
    hand = hasaga(players=2, button="P1a", exb=None)
    window, first = hand.hand.deadline, hand.name(hand.hand.awaited[0])
    hand.ask(Disconnect, first)
    assert hand.hand.deadline == window
    hand.answer()
    while hand.turn != first:
        hand.play(f"{hand.turn} calls")
    assert clock(hand) == 105


@rule("COM-72")
def test_the_grace_waits_for_the_next_turn_of_who_is_away() -> None:
    hand = three(disconnect_grace_seconds=7)
    hand.ask(Disconnect, "B")
    assert clock(hand) == 90
    hand.play("A calls")
    assert hand.turn == "B"
    assert clock(hand) == 97
    hand.play("B calls; C checks")
    assert clock(hand) == 90


@rule("COM-72")
def test_the_grace_is_not_taken_from_the_time_bank() -> None:
    hand = three()
    hand.ask(Disconnect, "A")
    hand.now += 45 * SECOND
    hand.play("A calls")
    assert hand.table.place(0).bank_ms == 60 * SECOND


@rule("COM-72")
def test_a_disconnected_all_in_seat_stays_in() -> None:
    """P076 (c)."""
    hand = omaha("A 20, B 100, C 100", "no_limit 1/2", button="C")
    hand.play("C calls; A raises to 20; B calls; C calls")
    hand.ask(Disconnect, "A")
    hand.check_down()
    assert hand.hand.seats[0].live
    assert hand.refusal(Disconnect(0, "A")) == "already_disconnected"
    assert hand.refusal(Connect(1, "B")) == "already_connected"


@rule("COM-73")
def test_public_state_has_a_word_for_every_seat_and_names_who_has_the_clock() -> None:
    hand = omaha("A 20, B 100, C 100, D 100", "no_limit 1/2", button="C")
    hand.play("B calls; C calls; D folds; A raises to 20; B calls; C calls")
    hand.ask(Disconnect, "C")
    seen = view(hand.table)
    assert [seat["state"] for seat in seen["seats"] if seat] == ["all_in", "in", "disconnected", "folded"]
    assert (seen["hand"]["actor"], seen["hand"]["deadline"]) == (1, hand.hand.deadline)
    hand.ask(SitOut, "B")
    assert view(hand.table)["seats"][1]["state"] == "in"
    hand.finish()
    hand.sit("N", 50)
    words = [seat["state"] for seat in view(hand.table)["seats"] if seat]
    assert (words[1], words[-1]) == ("sitting_out", "waiting")


@rule("COM-73", "COM-76")
def test_a_pause_stops_the_clock_and_gives_its_time_back() -> None:
    hand = three()
    hand.now += 10 * SECOND
    hand.do(Pause("host", "fire alarm"))
    assert options(hand.table) == {}
    assert (view(hand.table)["hand"]["legal"], view(hand.table)["hand"]["choices"]) == ({}, {})
    assert hand.refused("A calls") == "table_paused"
    hand.now += 500 * SECOND
    assert hand.refusal(Expire(hand.table.turn, hand.hand.deadline)) == "table_paused"
    assert hand.refusal(Pause("host")) == "table_not_running"
    hand.do(Resume("host"))
    assert clock(hand) == 80
    assert hand.refusal(Resume("host")) == "table_not_paused"


@rule("COM-71", "COM-11")
def test_who_leaves_during_a_pause_times_out_when_play_goes_on() -> None:
    hand = three()
    hand.do(Pause("host"))
    hand.leave("A")
    assert hand.turn == "A"
    hand.do(Resume("host"))
    assert hand.turn == "B"
    assert hand.refusal(Stand(0, "A")) == "already_leaving"


@rule("COM-71", "COM-11")
def test_closing_a_paused_table_lets_the_running_hand_go_on() -> None:
    hand = three()
    hand.do(Pause("host"))
    hand.leave("A")
    hand.now += 500 * SECOND
    hand.do(Close("host"))
    assert hand.turn == "B"
    assert clock(hand) == 90
    hand.finish()
    assert hand.bank == 0


@rule("COM-73")
def test_after_an_outage_the_running_turn_gets_its_length() -> None:
    hand = three()
    hand.do(ExtendClock(20 * SECOND, "outage"))
    assert clock(hand) == 110
    hand.finish()
    assert hand.refusal(ExtendClock(1, "outage")) == "stale_turn"


@rule("COM-70", "COM-76")
def test_a_closed_table_plays_its_hand_to_the_end_and_pays_everybody_out() -> None:
    hand = three()
    hand.do(Close("host", "closing time"))
    hand.play("A folds")
    hand.finish()
    assert hand.table.places == [None] * 10
    assert hand.bank == 0
    assert hand.refusal(StartHand(bytes(32), b"")) == "table_not_running"
    assert hand.refusal(Close("host")) == "table_closed"


@rule("COM-55", "COM-76", "VOI-01")
def test_a_voided_hand_gives_everybody_back_what_he_started_with() -> None:
    hand = three()
    hand.play("A raises to 4; B calls")
    hand.do(VoidHand("host", "lost tail"))
    assert hand.stacks == "A 100, B 100, C 100"
    assert hand.refusal(VoidHand("host", "again")) == "no_hand"


@rule("COM-69", "COM-76", "VOI-02")
def test_what_was_posted_in_a_voided_hand_is_owed_again() -> None:
    hand = omaha("A 100, B 100, C 100, R 100", posts={"R": (2, 1)})
    hand.do(VoidHand("host", "lost tail"))
    place = hand.table.place(3)
    assert (place.owes_small, place.owes_big) == (1, 2)


@rule("COM-10", "COM-76")
def test_a_command_names_the_turn_it_answers() -> None:
    """P069: a late or early command changes nothing, the clock of the turn included."""
    hand = three()
    hand.now += 5 * SECOND
    assert hand.refusal(Act(1, "B", "call", None, hand.table.turn)) == "not_your_turn"
    assert hand.refusal(Act(0, "A", "call", None, hand.table.turn + 1)) == "stale_turn"
    assert clock(hand) == 85
    assert hand.refusal(Act(0, "B", "call", None, hand.table.turn)) == "not_your_seat"
