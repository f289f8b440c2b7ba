"""Who sees what, and where chance comes from (COM-01, COM-75, COM-76)."""

import copy

from engine.cards import NAMES
from engine.commands import Act, Connect, Disconnect, SitOut, StartHand
from engine.deck import Deck, hand_id, sealed_deck, verify_opening
from engine.table import Table, act, decide, evolve
from engine.view import private_view, view, view_event
from tests.rules.stories import Story, omaha, razz, rule

SEED = bytes(range(32))
HANDS = {"A": "As Ks Qs Js", "B": "Ah Kh Qh Jh", "C": "Ac Kc Qc Jc"}
SHOWDOWN = "C folds; A calls; B checks; A checks; B checks; A checks; B checks; A checks; B checks"


class Sealed(Story):
    """A table dealt as in production."""

    def stacked(self, seed: bytes, hand: bytes) -> Deck:
        return sealed_deck(seed, hand)


def sealed() -> Sealed:
    story = Sealed("omaha8")
    for name in "ABC":
        story.sit(name, 100)
    story.deal(seed=SEED)
    return story


@rule("COM-75", "OM8-22")
def test_own_cards_are_seen_others_are_backs() -> None:
    hand = omaha("A 100, B 100, C 100", hands=HANDS, board="2c 3c 4c 5c 6c")
    seen = view(hand.table, 0)
    assert seen["you"]["cards"] == HANDS["A"].split()
    assert [seat["cards"] for seat in seen["seats"][:3]] == [[None] * 4] * 3
    assert "you" not in view(hand.table)


@rule("COM-75")
def test_who_is_not_dealt_in_sees_no_cards() -> None:
    hand = omaha("A 100, B 100", hands=HANDS)
    hand.sit("N", 100)
    assert private_view(hand.table, 2)["cards"] == []


@rule("COM-75")
def test_board_shown_and_up_cards_are_public_folded_and_burned_are_not() -> None:
    hand = omaha("A 100, B 100, C 100", button="C", hands=HANDS, board="2c 3c 4c 5d 6d")
    hand.play(SHOWDOWN)
    seen = view(hand.table)
    assert seen["hand"]["board"] == ["2c", "3c", "4c", "5d", "6d"]
    assert seen["seats"][0]["cards"] == HANDS["A"].split()
    assert seen["seats"][2]["cards"] == [None] * 4
    assert seen["hand"]["burned"] == 3
    hand = razz("A 100, B 100", {"A": "2c 3c Kh", "B": "2d 3d 9h"})
    assert [seat["up"] for seat in view(hand.table)["seats"][:2]] == [[2], [2]]


@rule("COM-75", "COM-01")
def test_no_future_or_folded_card_is_shown_after_the_hand() -> None:
    """P118: no rabbit hunting."""
    hand = omaha("A 100, B 100, C 100", button="C", hands=HANDS, board="2c 3c 4c 5d 6d")
    hand.play("C calls; A calls; B checks; A bets 2; B folds; C folds")
    told = str([view(hand.table), *map(view_event, hand.events)])
    hidden = HANDS["A"].split() + HANDS["B"].split() + HANDS["C"].split() + ["5d", "6d"]
    assert not [card for card in hidden if f"'{card}'" in told]


@rule("COM-75")
def test_all_chip_movements_are_public() -> None:
    hand = omaha("A 100, B 100, C 100", button="C", hands=HANDS)
    hand.play("C raises to 4; A folds; B calls; B bets 2; C folds")
    told = [seen for fact in hand.events if (seen := view_event(fact))]
    moves = [(seen["event"], seen.get("amount", seen.get("to"))) for seen in told if seen["event"] in
             ("BlindPosted", "RaisedTo", "Called", "Returned", "Awarded")]  # fmt: skip
    assert moves == [
        ("BlindPosted", 1), ("BlindPosted", 2), ("RaisedTo", 4), ("Called", 2), ("RaisedTo", 2),
        ("Returned", 2), ("Awarded", 9),
    ]  # fmt: skip


@rule("COM-75")
def test_every_event_is_on_the_list_of_what_may_be_seen_or_is_not_shown() -> None:
    hand = omaha("A 100, B 100")
    assert all(view_event(fact) is not None for fact in hand.events)

    class Whisper(tuple[int]):
        """Not on the allow-list."""

    assert view_event(Whisper((1,))) is None  # type: ignore[arg-type]


@rule("COM-75")
def test_cards_that_become_public_come_with_their_proof() -> None:
    story = sealed()
    story.finish()
    story.deal(seed=SEED)
    while story.street == "preflop":
        story.play(f"{story.turn} {'calls' if 'call' in story.asked else 'checks'}")
    (_, flop), *_ = story.kinds("BoardDealt")
    size = len(flop.openings) // 3
    for k, (at, card) in enumerate(zip(flop.at, flop.cards, strict=True)):
        opening = flop.openings[size * k : size * (k + 1)]
        assert verify_opening(story.hand.root, hand_id(story.table.id, 2), at, card, opening)
    own = private_view(story.table, story.names["A"])
    for at, name, opening in zip(own["at"], own["cards"], own["openings"], strict=True):
        card = NAMES.index(name)
        assert verify_opening(story.hand.root, hand_id(story.table.id, 2), at, card, bytes.fromhex(opening))


@rule("COM-76", "COM-01")
def test_deck_and_first_button_follow_from_the_seed() -> None:
    one, other = sealed(), sealed()
    assert one.events == other.events
    story = Sealed("omaha8")
    for name in "ABC":
        story.sit(name, 100)
    story.deal(seed=bytes(32))
    assert story.hand.root != one.hand.root


@rule("COM-76")
def test_the_same_commands_at_the_same_times_give_the_same_events() -> None:
    """P125: and deciding leaves its input alone."""
    story = sealed()
    before = copy.deepcopy(story.table)
    command = Act(story.hand.actor or 0, story.turn, "call")
    first = decide(story.table, command, story.now)
    assert story.table == before
    assert first == decide(story.table, command, story.now) == act(story.table, command, story.now)


@rule("COM-76", "COM-73")
def test_the_fold_of_the_events_is_the_table_without_the_hidden_cards() -> None:
    """P138: restored in the middle of a hand: the same state and legal actions; the fold needs no clock."""
    story = Sealed("razz")
    folded = Table(story.table.id)
    log = list(story.events)
    for name in "ABC":
        story.sit(name, 100)
    log = story.events
    log = [*log, *story.do(StartHand(SEED, b""))]
    for command in (Disconnect, Connect, SitOut):
        log += story.ask(command, "A")
    log += story.do(Act(story.hand.actor or 0, story.turn, "bring_in"))
    for fact in log:
        evolve(folded, fact)
    assert view(folded) == view(story.table)
    assert folded.hand is not None
    hidden = [at for at in range(52) if folded.hand.deck[at] is None]
    assert len(hidden) == 52 - 3
    folded.hand.deck[:] = story.hand.deck
    assert folded == story.table
