"""Button and blinds from hand to hand (COM-65..68), as tables that are played on."""

import random
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.commands import Post, SitIn, SitOut
from engine.refusals import Refused
from tests.rules.stories import Story, omaha, rule


def table(names: str, chips: int = 100, chairs: int = 6, **keys: object) -> Story:
    """An Omaha table with blinds 1/2; the players sit down in order."""
    story = Story("omaha8", {"seats": chairs, **{key.replace("__", "."): value for key, value in keys.items()}})
    for name in names.split():
        story.sit(name, chips)
    return story


@rule("COM-65", "OM8-10", "OM8-11", "OM8-12")
def test_the_first_button_is_drawn_and_the_blinds_sit_left_of_it() -> None:
    for button, positions in (("1", "button 1, small 2, big 3"), ("4", "button 4, small 5, big 6")):
        story = table("1 2 3 4 5 6")
        story.deal_first(button)
        assert story.positions == positions


@rule("COM-65", "COM-76")
def test_the_drawn_button_depends_on_the_seed_only() -> None:
    """P129: not on the order of joining."""
    drawn = set()
    for names in ("1 2 3", "3 2 1"):
        story = Story("omaha8")
        for name in names.split():
            story.sit(name, 100, chair=int(name))
        story.deal(seed=bytes(range(32)))
        drawn.add(story.hand.button)
    assert len(drawn) == 1


@rule("COM-65")
def test_every_seat_can_draw_the_first_button() -> None:
    buttons = set()
    for k in range(40):
        story = table("1 2 3")
        story.deal(seed=bytes([k] * 32))
        buttons.add(story.hand.button)
    assert buttons == {0, 1, 2}


@rule("COM-65")
def test_nobody_owes_anything_for_the_first_deal() -> None:
    story = table("1 2 3")
    assert [place.owes for place in story.table.places if place] == [False] * 3
    story.deal_first("1")
    assert story.order == "2 3 1"
    assert story.kinds("Posted") == []


@rule("COM-66", "OM8-15", "OM8-17")
def test_button_and_blinds_move_one_seat_per_deal() -> None:
    story = table("1 2 3 4 5 6")
    story.deal_first("1")
    seen = []
    for _ in range(6):
        story.finish()
        story.deal()
        seen.append(story.positions)
    assert seen[:2] == ["button 2, small 3, big 4", "button 3, small 4, big 5"]
    assert seen[-1] == "button 1, small 2, big 3"


@rule("COM-66", "COM-67")
def test_dead_button_dead_small_blind_and_heads_up() -> None:
    """EX-OM8-20, played as one table."""
    story = table("1 2 3 4 5 6")
    story.deal_first("1")
    assert story.positions == "button 1, small 2, big 3"
    story.finish()
    story.deal()
    assert story.positions == "button 2, small 3, big 4"
    story.finish()
    story.leave("3")
    story.deal()
    assert story.positions == "button 3, small 4, big 5"  # an empty chair has the button
    assert story.amounts("BlindPosted") == "4 1, 5 2"
    story.finish()
    story.leave("5")
    story.deal()
    assert story.positions == "button 4, small 5, big 6"
    assert story.amounts("BlindPosted") == "6 2"  # an empty chair posts nothing
    story.finish()
    story.deal()
    assert story.positions == "button 5, small 6, big 1"
    story.finish()
    story.leave("2", "6")
    story.deal()
    assert story.positions == "button 1, small 1, big 4"  # 1 had the big blind, so 4 gets it
    story.finish()
    story.deal()
    assert story.positions == "button 4, small 4, big 1"


@rule("COM-66")
def test_nobody_has_the_big_blind_twice_running_or_is_skipped_after_a_bust() -> None:
    """P045: five seats, the big blind busts: button 2, no small blind, big blind 4."""
    story = table("1 2 3 4 5", chairs=6)
    story.deal_first("1")
    story.finish()
    story.leave("3")
    story.deal()
    assert story.positions == "button 2, small 3, big 4"
    assert story.amounts("BlindPosted") == "4 2"


@rule("COM-66")
def test_the_price_is_the_big_blind_whoever_posts() -> None:
    story = table("1 2 3 4 5 6")
    story.deal_first("1")
    story.finish()
    story.leave("3")
    story.deal()
    assert story.asked == "5: fold, call 2, raise to 4"


@rule("COM-66")
def test_a_newcomer_in_the_small_blinds_chair_posts_none() -> None:
    story = table("1 2 3 4 5 6")
    story.deal_first("1")
    story.finish()
    story.leave("3")
    story.sit("N", 100, chair=2)
    story.deal()
    assert story.positions == "button 2, small 3, big 4"
    assert story.amounts("BlindPosted") == "4 2"
    assert "N" not in story.order


@rule("COM-67", "OM8-21")
def test_heads_up_the_button_has_the_small_blind_and_acts_first_before_the_flop() -> None:
    """P044, P038; the first card goes to the big blind."""
    hand = omaha("A 100, B 100", "no_limit 1/2", button="A", hands={"A": "As Ks Qs Js", "B": "Ah Kh Qh Jh"})
    assert hand.amounts("BlindPosted") == "A 1, B 2"
    assert hand.order == "B A"
    assert hand.asked == "A: fold, call 1, raise to 4..100"
    hand.play("A calls")
    assert hand.asked == "B: check, raise to 4..100"
    hand.play("B checks")
    assert hand.turn == "B"


@rule("COM-67")
def test_heads_up_the_blinds_change_every_hand() -> None:
    """P046: a third seat sits out; nobody pays the big blind twice running."""
    story = table("1 2 3")
    story.deal_first("3")
    story.finish()
    story.ask(SitOut, "3")
    bigs = []
    for _ in range(4):
        story.deal()
        bigs.append(story.hand.big + 1)
        story.finish()
    assert bigs == [1, 2, 1, 2] or bigs == [2, 1, 2, 1]
    assert bigs[0] != 2  # 2 had it in the first hand


@rule("COM-67")
def test_from_heads_up_to_three() -> None:
    story = table("1 2")
    story.deal_first("1")
    assert story.positions == "button 1, small 1, big 2"
    story.finish()
    story.sit("3", 100)
    story.deal()
    assert story.positions == "button 1, small 2, big 3"
    assert story.order == "2 3 1"


@rule("COM-66", "COM-67", "OM8-11", "OM8-55")
def test_after_heads_up_the_button_stays_behind_the_small_blind() -> None:
    """1 had the small blind heads-up and gets the big one; 2, who had sat out and owes nothing, gets the button."""
    story = table("1 2 3 4")
    story.deal_first("1")
    story.finish()
    story.ask(SitOut, "2")
    story.leave("3")
    story.deal()
    assert story.positions == "button 1, small 1, big 4"
    story.finish()
    story.ask(SitIn, "2")
    story.deal()
    assert story.positions == "button 2, small 4, big 1"
    story.play("2 calls; 4 calls; 1 checks")
    assert story.turn == "4"


@rule("COM-67", "COM-69")
def test_nobody_posts_on_the_button_heads_up() -> None:
    """Whoever would post alone against the big blind has the button: dealt in at once, he pays the small blind only."""
    story = table("1 2 3 4")
    story.deal_first("1")
    story.finish()
    story.leave("1", "2", "3")
    story.sit("N", 100, chair=4)
    story.ask(Post, "N")
    story.deal()
    assert story.positions == "button 5, small 5, big 4"
    assert story.amounts("BlindPosted") == "N 1, 4 2"
    assert story.kinds("Posted") == []


@rule("COM-67")
def test_a_newcomer_to_a_lonely_player_is_dealt_in_at_once() -> None:
    """Two seats, one of them owes: both are dealt in, or nobody could ever play."""
    story = table("1 2")
    story.deal_first("1")
    story.finish()
    story.leave("1")
    story.sit("N", 100, chair=4)
    story.deal()
    assert sorted(story.order.split()) == ["2", "N"]
    assert story.hand.big == 4


@rule("COM-68", "OM8-21")
def test_cards_go_round_one_at_a_time_from_the_buttons_left() -> None:
    hand = omaha("D 100, S 100, G 100", button="D")
    assert hand.order == "S G D"
    at = {hand.name(index): seat.cards for index, seat in hand.hand.seats.items()}
    assert at == {"S": [0, 3, 6, 9], "G": [1, 4, 7, 10], "D": [2, 5, 8, 11]}


@rule("COM-68", "OM8-36", "OM8-54", "OM8-55")
def test_first_to_act() -> None:
    """P052: left of the big blind before the flop, later the first live seat left of the button."""
    hand = omaha("1 100, 2 100, 3 100, 4 100", button="1")
    hand.play("4 calls; 1 calls; 2 calls; 3 checks")
    hand.play("2 checks; 3 bets 2; 4 calls; 1 calls; 2 folds")
    assert hand.turn == "3"


@rule("COM-68")
def test_left_of_a_dead_button_is_the_next_seat_that_plays() -> None:
    story = table("1 2 3 4 5 6")
    story.deal_first("1")
    story.finish()
    story.deal()
    story.finish()
    story.leave("3")
    story.deal()
    assert story.order == "4 5 6 1 2"
    story.play("6 calls; 1 calls; 2 calls; 4 calls; 5 checks")
    assert story.turn == "4"


@rule("COM-70")
def test_a_seat_back_before_its_blind_owes_nothing() -> None:
    story = table("1 2 3 4 5 6")
    story.deal_first("1")
    story.finish()
    story.ask(SitOut, "1")
    story.deal()
    assert "1" not in story.order.split()
    story.ask(SitIn, "1")
    story.finish()
    story.deal()
    assert story.positions == "button 3, small 4, big 5"
    assert "1" in story.order.split()
    assert story.kinds("Posted") == []


def wander(story: Story, chance: random.Random) -> None:
    """Between hands: somebody sits out, comes back, posts, leaves, or a newcomer takes a chair."""
    chair = chance.randrange(6)
    place = story.table.places[chair]
    if place is None:
        if chance.random() < 0.5:
            story.sit(f"n{story.table.number}", 1000, chair)
        return
    try:
        story.ask(chance.choice((SitOut, SitIn, SitIn, Post)), place.player)
    except Refused:
        if chance.random() < 0.2:
            story.leave(place.player)


@rule("COM-66", "COM-67", "COM-69")
@given(number=st.integers(0, 2**32))
@settings(max_examples=40)
def test_whoever_is_there_all_the_time_pays_the_big_blind_once_per_orbit(number: int) -> None:
    """Nobody pays it twice running, nobody who stays is skipped, whoever comes and goes meanwhile."""
    chance = random.Random(number)
    story = table("1 2 3 4 5 6", chips=1000)
    bigs: list[str] = []
    present: list[set[str]] = []  # after each hand: who was dealt into it
    for _ in range(40):
        try:
            story.deal(seed=chance.randbytes(32))
        except Refused:
            break
        bigs.append(story.name(story.hand.big))
        present.append(set(story.order.split()))
        story.finish()
        if chance.random() < 0.5:
            wander(story, chance)
    assert all(one != other for one, other in pairwise(bigs))
    for start, end in orbits(bigs):
        stayed = set.intersection(*present[start : end + 1])
        if bigs[start] in stayed:
            assert [name for name in stayed if bigs[start:end].count(name) != 1] == []


def orbits(bigs: list[str]) -> list[tuple[int, int]]:
    """From each big blind of a seat to its next one."""
    found = []
    for start, name in enumerate(bigs):
        if name in bigs[start + 1 :]:
            found.append((start, bigs.index(name, start + 1)))
    return found
