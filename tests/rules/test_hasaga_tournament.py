"""Hasaga: the extra blind and the special pot, the bank, levels, elimination (HAS-28..38, C36..C46)."""

import pytest

from engine import snapshot
from engine.choosing import seal
from engine.commands import (
    AddChips,
    Close,
    Expire,
    NextLevel,
    Pause,
    Post,
    Resume,
    Sit,
    SitOut,
    Stand,
    StartHand,
    VoidHand,
)
from engine.deck import Deck, sealed_deck
from engine.events import AnswersOpened
from engine.game import find_game
from engine.games.hasaga import LEVELS
from engine.refusals import Refused
from engine.table import Table, act, decide, evolve
from engine.view import view, view_event
from services.wire import EVENTS
from tests.rules.hasaga_stories import TwoHanded, hasaga
from tests.rules.stories import rule

# --- the window


@rule("HAS-34", "HAS-36", "HAS-C37")
def test_the_window_is_after_the_blinds_and_before_the_cards() -> None:
    hand = hasaga(exb=None)
    assert hand.street == "extra_blind"
    assert hand.amounts("BlindPosted") == "P1b 5, P2a 10"
    assert hand.received == []
    assert hand.hand.awaited == (1, 2, 3, 0)
    hand.answer()
    assert hand.refused("P2b exb yes") == "exb_too_late"
    assert len(hand.received) == 4


@rule("HAS-C37")
def test_answers_come_in_any_order_and_none_is_told_before_the_last() -> None:
    hand = hasaga(exb=None)
    turn = hand.table.turn
    assert view(hand.table)["hand"]["lacking"] == {"0": 20, "1": 15, "2": 10, "3": 20}
    for name, choice in (("P1a", "yes"), ("P2b", "no"), ("P1b", "no")):
        hand.act(name, "exb", None, [choice])
        assert hand.refused(f"{name} exb no") == "not_your_turn"
        assert hand.table.turn == turn
        assert view(hand.table)["hand"]["extra_blinds"] == []
    assert view(hand.table)["hand"]["chosen"] == [0, 3, 1]
    hand.act("P2a", "exb", None, ["yes"])
    assert hand.kinds("AnswersOpened")[0][1].choices == ((0, "yes"), (3, "no"), (1, "no"), (2, "yes"))
    assert view(hand.table)["hand"]["extra_blinds"] == [2, 0]


@rule("HAS-C37")
def test_after_the_first_card_it_is_too_late_for_everybody_and_at_every_decision() -> None:
    hand = hasaga()
    preflop = "P1a reveals 0; P2b calls; P1a folds; P1b calls; P2a checks"
    for told in ("P2b buys see_live P1a", preflop, "P1b sells nothing"):
        assert [hand.refused(f"{name} exb yes") for name in hand.names] == ["exb_too_late"] * 4, hand.street
        hand.play(told)
        while hand.street in ("flop", "turn", "river"):
            hand.act(hand.turn, "check")
    assert hand.street == "sales"
    hand.play("P2a sells nothing; P2b sells nothing")
    assert hand.refused("P1a exb yes") == "exb_too_late"


class Sealed(TwoHanded):
    """Dealt as in production: only then is anything secret."""

    def stacked(self, seed: bytes, hand: bytes) -> Deck:
        return sealed_deck(seed, hand)


def sealed_window() -> Sealed:
    hand = Sealed("hasaga")
    hand.seat_players(2)
    hand.deal()
    return hand


@rule("HAS-C37", "COM-75")
def test_a_pending_answer_leaves_no_trace_in_what_anybody_is_told() -> None:
    told: list[str] = []
    stored: list[list[bytes]] = []
    for choice in ("yes", "no"):
        hand = sealed_window()
        facts = hand.act("P2b", "exb", None, [choice])
        told.append(repr([view(hand.table), *map(view_event, facts)]))
        stored.append([EVENTS.encode(fact) for fact in facts])
    assert told[0] == told[1]
    assert stored[0] != stored[1]
    assert not any(word in fact for facts in stored for fact in facts for word in (b"yes", b"no"))


@rule("HAS-C37", "COM-76")
def test_the_seals_prove_the_answers_and_survive_a_restart() -> None:
    """Folded anew with the deck the window closes as it would have; with the salts anybody can check the seals."""
    hand = sealed_window()
    for name, choice in (("P2b", "yes"), ("P1b", "no"), ("P1a", "no")):
        hand.act(name, "exb", None, [choice])
    seals = dict(hand.hand.sealed)
    again = folded(hand)
    assert again.hand is not None
    again.hand.learn(sealed_deck(bytes(32), b"000-STORY\x00" + (1).to_bytes(8)))
    now = again.hand.deadline
    command = Expire(again.turn, now)
    facts = act(again, command, now)
    assert facts == decide(hand.table, command, now)
    (opened,) = [fact for fact in facts if isinstance(fact, AnswersOpened)]
    for k, (seat, choice) in enumerate(opened.choices):
        assert seal(opened.salts[16 * k : 16 * k + 16], seat, choice) == seals[seat]


def folded(story: TwoHanded) -> Table:
    """The table from its events alone."""
    table = Table(story.table.id)
    for fact in story.course:
        evolve(table, fact)
    return table


@rule("HAS-C37", "COM-71")
def test_who_does_not_answer_in_time_says_no_and_the_time_bank_is_not_touched() -> None:
    hand = hasaga(3, exb=None, keys={"hasaga.exb_window_seconds": 7})
    assert hand.hand.deadline == hand.now + 7000
    assert hand.hand.actor == hand.hand.awaited[0] == 1
    hand.act("P1b", "exb", None, ["no"])
    hand.act("P3b", "exb", None, ["yes"])
    hand.time_out()
    assert hand.amounts("ExtraBlindTaken") == "P3b 20"
    assert hand.street == "preflop"
    assert {place.bank_ms for place in hand.table.places if place} == {60_000}
    assert hand.kinds("SatOut") == []


@rule("HAS-35", "HAS-C38")
def test_twice_the_big_blind_a_posted_blind_counts_and_the_stack_must_cover_it() -> None:
    hand = hasaga(3, exb=("P1b", "P2a", "P3b"))
    assert hand.amounts("ExtraBlindTaken") == "P1b 15, P2a 10, P3b 20"
    assert {hand.hand.seats[at].bet for at in (1, 2, 5)} == {20}
    hand = hasaga(level="5/10+3", stacks={"P1a": 22, "P2b": 23}, exb=None)
    assert hand.refused("P1a exb yes") == "insufficient_chips"
    assert hand.refused("P1a folds") == "illegal_action"
    hand.answer("P2b")
    assert hand.hand.seats[3].all_in


@rule("HAS-37", "HAS-C38", "HAS-C43")
def test_an_extra_blind_hand_has_no_turn_and_its_stack_is_frozen() -> None:
    hand = hasaga(3, exb=("P3b",))
    hand.play("P2b raises to 30; P3a folds; P1a calls; P1b folds; P2a folds; P2b bets 40; P1a calls 40")
    assert hand.hand.seats[5].stack == 1480
    assert hand.hand.seats[5].live
    assert hand.refused("P3b buys add_card") == "not_your_turn"


@rule("HAS-C43")
def test_the_other_hand_of_the_player_plays_on_but_cannot_merge() -> None:
    hand = hasaga(3, exb=("P3b",))
    hand.play("P2b folds")
    assert hand.turn == "P3a"
    assert hand.refused("P3a buys merge") == "merge_not_allowed"


@rule("HAS-C43", "HAS-C33")
def test_an_extra_blind_hand_may_sell() -> None:
    hand = hasaga(3, exb=("P3b",))
    hand.play("P2b folds; P3a folds; P1a calls; P1b folds; P2a checks")
    while hand.street != "sales":
        hand.act(hand.turn, "check")
    sellers = []
    while hand.street == "sales":
        sellers.append(hand.turn)
        hand.play(f"{hand.turn} sells nothing")
    assert sellers == ["P2a", "P3b", "P1a"]


@rule("HAS-37", "HAS-C39")
def test_the_price_for_the_others_stays_the_big_blind() -> None:
    hand = hasaga(3, exb=("P3b",))
    assert hand.asked.startswith("P2b: fold, call 10, raise to 15..1500")
    hand.play("P2b folds; P3a folds; P1a calls; P1b folds; P2a checks")
    assert hand.street == "flop"
    dear = hasaga(3, exb=("P3b",), keys={"hasaga.exb.call_price": "exb"})
    assert dear.asked.startswith("P2b: fold, call 20, raise to 25..1500")
    plain = hasaga(3, keys={"hasaga.exb.call_price": "exb"})
    assert plain.asked.startswith("P2b: fold, call 10, raise to 15")


@rule("HAS-C39", "COM-16", "COM-60")
def test_against_extra_blinds_alone_a_hand_may_call_but_not_raise() -> None:
    hand = hasaga(exb=("P2a", "P2b"))
    assert hand.turn == "P1a"
    assert hand.asked.startswith("P1a: fold, call 10")
    assert hand.refused("P1a raises to 40") == "raise_not_answerable"
    assert hand.hand.aggressor is None


@rule("HAS-38", "HAS-C41", "HAS-C36")
def test_the_bank_adds_one_extra_blind_however_many_there_are() -> None:
    for exb, paid in (((), 0), (("P3b",), 20), (("P2b", "P3a", "P3b"), 20)):
        hand = hasaga(3, exb=exb)
        assert (hand.table.bank, hand.hand.attached) == (-paid, paid)


@rule("HAS-C41")
def test_the_bank_pays_also_when_nobody_calls() -> None:
    hand = hasaga(exb=("P2a",))
    hand.play("P2b folds; P1a folds; P1b folds")
    assert hand.returned == "P2a 15"
    assert hand.stacks == "P1a 1500, P1b 1495, P2a 1525, P2b 1500"


@rule("HAS-C40", "COM-51")
def test_the_special_pot_takes_up_to_the_extra_blind_of_every_hand() -> None:
    hand = hasaga(3, exb=("P3b",))
    hand.play("P2b raises to 30; P3a folds; P1a calls 30; P1b folds; P2a folds")
    assert hand.pots == "95 P2b+P3b+P1a, 20 P2b+P1a"


@rule("HAS-C42", "COM-50")
def test_what_nobody_matched_returns_at_settlement_and_not_before() -> None:
    hand = hasaga(3, exb=("P3b",))
    hand.play("P2b folds; P3a folds; P1a calls; P1b folds; P2a checks")
    assert hand.returned == ""
    hand.keep()
    assert hand.hand.returns == [("settlement", 5, 10)]


@rule("HAS-C42", "HAS-C13")
def test_a_shorter_all_in_wins_the_banks_money_only_if_nobody_reached_the_extra_blind() -> None:
    """P1a reaches it and folds later; or nobody does, and what is above the all-in returns."""
    hand = hasaga(3, stacks={"P2b": 16}, exb=("P3b",))
    hand.play("P2b raises to 16; P3a folds; P1a raises to 40; P1b folds; P2a calls; P2a bets 5; P1a folds")
    assert hand.pots == "69 P2a+P2b+P3b, 32 P2a+P3b, 40 P2a"
    hand = hasaga(3, stacks={"P2b": 16}, exb=("P3b",))
    hand.play("P2b raises to 16; P3a folds; P1a folds; P1b folds; P2a folds")
    hand.keep()
    assert hand.hand.returns == [("settlement", 5, 4)]
    assert [fact.amount for _, fact in hand.kinds("Awarded")] == [67]


@rule("HAS-C42", "HAS-C38", "COM-41")
def test_an_ante_is_no_part_of_the_extra_blind_that_returns() -> None:
    """Nobody else has paid as much as the ante of P1a: it stays in, and with it what the bank has added."""
    hand = hasaga(stacks={"P1b": 0, "P2a": 0, "P2b": 8}, level="300/600+20", exb=("P1a",))
    hand.keep()
    assert hand.hand.returns == [("settlement", 0, 1200)]
    assert [(fact.pot, fact.seat, fact.amount) for _, fact in hand.kinds("Awarded")] == [(0, 0, 16), (1, 0, 1212)]


# --- the bank and the books


@rule("HAS-C36", "HAS-28", "HAS-30", "COM-55")
def test_stacks_pots_and_the_balance_of_the_bank_are_three_thousand_per_player() -> None:
    """Every story checks it after each command; here the balance goes below zero."""
    hand = hasaga(3, exb=("P3b",))
    hand.play("P2b buys add_card; P2b folds; P3a folds; P1a calls; P1b folds; P2a checks")
    while hand.street != "sales":
        hand.act(hand.turn, "check")
    hand.play("P2a sells 0 1; P3b sells 0 1; P1a sells 0 1")
    hand.keep()
    assert hand.table.bank < 0
    assert sum(place.chips for place in hand.table.places if place) + hand.table.bank == 9000
    assert view(hand.table)["tournament"]["bank"] == hand.table.bank


@rule("HAS-C36")
def test_a_voided_hand_gives_the_bank_its_balance_back() -> None:
    hand = hasaga(3, exb=("P3b",))
    hand.play("P2b buys add_card")
    hand.do(VoidHand("host", "lost"))
    assert hand.table.bank == 0
    assert hand.table.chips() == 9000


# --- levels


@rule("HAS-31", "HAS-32", "HAS-33")
def test_seventeen_levels_of_ten_minutes() -> None:
    game = find_game("hasaga")
    assert game.tournament is not None
    options = game.resolve({})
    levels = game.tournament.levels(options)
    assert [(level.small_blind, level.big_blind) for level in levels] == [
        (5, 10), (10, 20), (20, 40), (30, 60), (40, 80), (50, 100), (60, 120), (75, 150), (100, 200), (150, 300),
        (200, 400), (300, 600), (400, 800), (500, 1000), (750, 1500), (1000, 2000), (1500, 3000),
    ]  # fmt: skip
    assert [level.ante for level in levels] == [0] * 11 + [20, 50, 75, 100, 200, 300]
    assert game.tournament.level_ms(options) == 600_000
    assert len(LEVELS.split()) == 17


@rule("HAS-32")
@pytest.mark.parametrize(
    "text", ["", "5", "5/", "10/5", "0/5", "5/10+x", "-5/10", "5/10/20", "٥/10", "12345678/12345678", "5/10 20"]
)
def test_levels_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(Refused, match="bad_option"):
        find_game("hasaga").resolve({"hasaga.levels": text})


@rule("HAS-C44", "HAS-31", "COM-76")
def test_the_clock_starts_with_the_first_deal_and_a_deal_keeps_its_level() -> None:
    hand = hasaga(keys={"hasaga.levels": "5/10 10/20+1"})
    assert [fact.level for _, fact in hand.kinds("LevelStarted")] == [1]
    began = hand.table.level_ms
    shown = view(hand.table)["tournament"]
    assert shown["level_ends"] == began + 600_000
    assert (shown["stakes"]["big_blind"], shown["next"]["ante"], shown["joinable"]) == (10, 1, True)
    hand.now = began + 599_999
    assert hand.refusal(NextLevel(2)) == "too_early"
    hand.now += 1
    assert hand.refusal(NextLevel(3)) == "stale_level"
    hand.do(NextLevel(2))
    shown = view(hand.table)["tournament"]
    assert (shown["stakes"]["big_blind"], shown["next"], shown["joinable"]) == (20, None, False)
    assert hand.hand.stakes.big_blind == 10
    hand.play("P2b folds; P1a folds; P1b folds")
    hand.deal()
    assert (hand.hand.stakes.big_blind, hand.hand.stakes.ante) == (20, 1)
    assert hand.refusal(NextLevel(3)) == "stale_level"


@rule("HAS-C44")
def test_after_the_last_level_it_stays() -> None:
    hand = hasaga(level="5/10")
    assert view(hand.table)["tournament"]["level_ends"] == 0
    assert hand.refusal(NextLevel(2)) == "stale_level"


@rule("HAS-C44")
def test_a_pause_does_not_shorten_the_level() -> None:
    hand = hasaga(keys={"hasaga.levels": "5/10 10/20"})
    ends = view(hand.table)["tournament"]["level_ends"]
    hand.do(Pause("host"))
    hand.now = ends
    assert hand.refusal(NextLevel(2)) == "table_paused"
    hand.now += 50_000
    hand.do(Resume("host"))
    assert view(hand.table)["tournament"]["level_ends"] > hand.now


@rule("HAS-33", "HAS-C45", "COM-40")
def test_every_hand_dealt_in_pays_the_ante_a_short_one_what_it_has() -> None:
    hand = hasaga(level="300/600+20", stacks={"P1a": 15, "P2a": 500})
    assert hand.antes == "P1b 20, P2a 20, P2b 20, P1a 15"
    assert hand.amounts("BlindPosted") == "P1b 300, P2a 480"


@rule("HAS-C45", "COM-71")
def test_nobody_sits_out_buys_chips_or_leaves_with_them() -> None:
    hand = hasaga()
    assert hand.refusal(SitOut(0, "P1")) == "not_in_a_tournament"
    assert hand.refusal(AddChips(0, "P1", 100)) == "not_in_a_tournament"
    assert hand.refusal(Post(0, "P1")) == "nothing_owed"
    hand.play("P2b times out")
    hand.do(Stand(0, "P1"))
    assert not hand.table.playing
    assert hand.kinds("Stood") == hand.kinds("SatOut") == []
    assert hand.refusal(Stand(1, "P1")) == "already_leaving"
    hand.deal()
    assert set(hand.hand.seats) == {0, 1, 2, 3}
    assert hand.hand.awaited == (2, 3)


@rule("HAS-C45")
def test_who_joins_after_the_first_level_or_after_somebody_is_out_is_refused() -> None:
    hand = hasaga(keys={"hasaga.levels": "5/10 10/20"})
    hand.do(Sit(4, "P3", 3000))
    hand.now += 600_000
    hand.do(NextLevel(2))
    assert hand.refusal(Sit(6, "P4", 3000)) == "tournament_started"


# --- elimination


@rule("HAS-C46", "HAS-C03", "COM-73")
def test_a_hand_without_chips_is_out_for_good_its_player_plays_on() -> None:
    hand = hasaga(hands={"P1a": "As Ad", "P2a": "Kh Qh"}, level="300/600+20", then="2c Jd 8s 7h 3c 2d 4c 9s",
                  stacks={"P1a": 1800, "P1b": 2000, "P2a": 500, "P2b": 1700})  # fmt: skip
    hand.run("P2b folds; P1a calls; P1b folds")
    assert view(hand.table)["seats"][2]["state"] == "eliminated"
    assert hand.table.ranks == {}
    hand.deal()
    assert 2 not in hand.hand.seats


def all_in_for_all(chips: dict[str, int]) -> TwoHanded:
    """Four players; everybody but P1, who has aces, loses what he has."""
    hand = hasaga(4, hands={"P1a": "As Ad"}, then="2c Ah Ac 7h 3c 2d 4c 9s", button="P1b", stacks={"P1a": 9000} | chips)
    while hand.street == "preflop" and hand.table.playing:
        if hand.turn == "P1a" and "raise" in hand.asked:
            hand.play("P1a raises to 9000")
        else:
            hand.act(hand.turn, "call" if "call" in hand.asked else "check")
    hand.keep()
    return hand


@rule("HAS-C46")
def test_in_the_same_deal_the_higher_total_at_its_start_ranks_higher() -> None:
    chips = {"P1b": 0, "P2b": 0, "P3b": 0, "P4a": 300, "P4b": 200}
    hand = all_in_for_all({"P2a": 400, "P3a": 700, **chips})
    assert hand.table.ranks == {"P3": 2, "P4": 3, "P2": 4, "P1": 1}
    tie = all_in_for_all({"P2a": 500, "P3a": 700, **chips})
    assert tie.table.ranks == {"P3": 2, "P2": 3, "P4": 3, "P1": 1}


@rule("HAS-C46")
def test_the_last_player_with_chips_wins_and_nothing_more_is_dealt() -> None:
    hand = all_in_for_all({"P1b": 0, "P2a": 400, "P2b": 0, "P3a": 5, "P3b": 0, "P4a": 5, "P4b": 0})
    assert hand.table.ranks["P1"] == 1
    assert hand.refusal(StartHand(bytes(32), b"")) == "not_enough_players"
    assert hand.refusal(Sit(2, "P9", 3000)) == "seat_taken"
    hand.do(Stand(0, "P1"))
    hand.do(Stand(2, "P2"))
    assert hand.refusal(Sit(0, "P9", 3000)) == "tournament_started"
    hand.do(Close("host", "over"))
    assert not any(hand.table.places)


@rule("HAS-C46")
def test_a_winner_with_two_hands_is_not_dealt_in_against_himself() -> None:
    hand = hasaga(hands={"P1a": "As Ad"}, then="2c Ah Ac 7h 3c 2d 4c 9s", button="P2a", stacks={"P2a": 8, "P2b": 0})
    hand.run("P2a calls; P1a calls")
    assert (hand.table.ranks, hand.stacks) == ({"P2": 2, "P1": 1}, "P1a 1518, P1b 1490, P2a 0, P2b 0")
    assert hand.refusal(StartHand(bytes(32), b"")) == "not_enough_players"


@rule("HAS-C46", "HAS-C29")
def test_pots_are_paid_and_the_pool_split_before_hands_are_counted_out() -> None:
    """A merged hand goes all-in and wins: both hands live on."""
    hand = hasaga(hands={"P1a": "As Ad", "P2a": "Ks Kd"}, then="2c Ah Ac 7h 3c Qd 4c 9s", button="P2b")
    hand.play("P2a calls; P2b folds; P1a buys merge; P1a raises to 2955; P2a calls")
    hand.keep()
    assert hand.stacks == "P1a 2250, P1b 2250, P2a 0, P2b 1500"
    assert [place.eliminated for place in hand.table.places if place] == [False, False, True, False]


def test_the_events_of_a_tournament_survive_the_wire() -> None:
    hand = hasaga(3, exb=("P3b",))
    assert [EVENTS.decode(EVENTS.encode(fact)) for fact in hand.course] == hand.course


def test_a_snapshot_keeps_the_tournament_and_one_of_before_tournaments_is_read() -> None:
    hand = all_in_for_all({"P1b": 0, "P2a": 400, "P2b": 0, "P3a": 700, "P3b": 0, "P4a": 300, "P4b": 200})
    taken = snapshot.take(hand.table)
    again = snapshot.restore(hand.table.id, taken)
    assert again is not None
    assert again.places == hand.table.places
    assert (again.bank, again.level, again.level_ms, again.ranks) == (0, 1, hand.table.level_ms, hand.table.ranks)
    hand.table.ranks["P9"] = 9
    assert snapshot.restore(hand.table.id, taken) == again
    old = snapshot.restore(hand.table.id, (1, *taken[1:11], tuple(place and place[:11] for place in taken[11])))
    assert old is not None
    assert (old.bank, old.level, old.ranks) == (0, 0, {})
    assert snapshot.restore(hand.table.id, (snapshot.FORMAT + 1, *taken[1:])) is None
