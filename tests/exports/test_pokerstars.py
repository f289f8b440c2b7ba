"""PokerStars text: the lines a tracker looks for, names that cannot be mistaken, what happened beside the play."""

from __future__ import annotations

from engine.commands import Act, Disconnect, Expire, OpenTable, Sit, StartHand
from engine.deck import sealed_deck
from engine.state import Table
from engine.table import act
from services.exports.pokerstars import write
from services.exports.story import Story
from services.formats import read_texts
from services.formats.stars import read
from tests.exports.tables import played, segments_of, stories_of, story_as
from tests.rules.random_play import Step

SEED = bytes(range(32))


def razz(names: tuple[str, ...], *decisions: str) -> list[Step]:
    """A razz hand whose seats, in turn, do this; `-` lets the clock run out."""
    table, steps = Table("017-stars"), []

    def send(command: object, now: int = 1_700_000_000_000) -> None:
        steps.append(Step(command, now, act(table, command, now, sealed_deck)))

    send(OpenTable("razz", {"buy_in.min": 0, "seats": 4}))
    for seat, name in enumerate(names):
        send(Sit(seat, name, 200))
    send(StartHand(SEED, b""))
    for verb in decisions:
        hand = table.hand
        assert hand is not None and hand.actor is not None
        if verb == "-":
            send(Disconnect(hand.actor, hand.seats[hand.actor].player))
            send(Expire(table.turn, hand.deadline), hand.deadline)
        else:
            send(Act(hand.actor, hand.seats[hand.actor].player, verb, None, 0))
    return steps


def told(steps: list[Step], view: str = "public") -> Story:
    (segment,) = segments_of("017-stars", steps)
    return story_as(segment, SEED, view)


def test_a_razz_hand_line_by_line() -> None:
    text = write(told(razz(("ann", "bob", "cyd"), "bring_in", "complete", "call", "fold", "bet", "fold"))).text
    lines = text.splitlines()
    assert lines[0].startswith("PokerStars Hand #") and "Razz Limit (10/20) - 2023/11/14 22:13:20 UTC" in lines[0]
    assert lines[1] == "Table '017-stars' 4-max (Play Money)"
    assert lines[2:5] == [f"Seat {seat}: {name} (200 in chips)" for seat, name in enumerate(("ann", "bob", "cyd"), 1)]
    assert lines[6:9] == [f"{name}: posts the ante 1" for name in ("ann", "bob", "cyd")] or len(lines[6:9]) == 3
    assert "*** 3rd STREET ***" in lines and "*** 4th STREET ***" in lines
    assert sum(line.startswith("Dealt to") for line in lines) == 5, "a card face up each, then one each of the two left"
    assert any(line.endswith(": brings in for 5") for line in lines)
    assert any(line.endswith(": raises 5 to 10") for line in lines)
    assert any(line.startswith("Uncalled bet (10) returned to") for line in lines)
    assert lines[-5] == "*** SUMMARY ***" and lines[-4] == "Total pot 28 | Rake 0"


def test_the_own_cards_are_dealt_to_the_viewer_alone() -> None:
    story = told(razz(("ann", "bob"), "bring_in", "fold"), "seat")
    mine, other = write(story).text, write(told(razz(("ann", "bob"), "bring_in", "fold"))).text
    seat = int(story.view.removeprefix("seat:"))
    cards = " ".join(story.cards(story.hand.seats[seat].cards))
    assert f"[{cards}]" in mine and f"[{cards}]" not in other
    assert "??" not in mine + other


def test_timeouts_and_lost_lines_are_told() -> None:
    export = write(told(razz(("ann", "bob"), "bring_in", "-")))
    assert "has timed out" in export.text and "is disconnected" in export.text and "is sitting out" in export.text
    assert "timeouts" not in {item.code for item in export.unsaid}


def test_a_name_that_could_be_a_line_about_another_is_written_as_a_seat() -> None:
    export = write(told(razz(("ann", "ann: folds", "ann collected 9 from pot"), "bring_in", "fold", "fold")))
    assert "names" in {item.code for item in export.unsaid}
    assert "player in seat 2" in export.text and "player in seat 3" in export.text
    (sheet,) = read("x.txt", export.text)
    assert len(sheet.read().players) == 3


def test_a_name_that_could_begin_a_hand_is_written_as_a_seat() -> None:
    """P111."""
    export = write(told(razz(("PokerStars Hand #5", "Full Tilt Poker Game #6"), "bring_in", "fold")))
    (sheet,) = read_texts("x.txt", export.text)
    assert [player.name for player in sheet.read().players] == ["player in seat 1", "player in seat 2"]


def test_side_pots_have_lines_of_their_own() -> None:
    chosen: dict[str, object] = {"buy_in.min": 0, "buy_in.max": 0}
    tables = [played("omaha8", number, 3, chosen=chosen) for number in range(12)]
    texts = [write(story).text for table in tables for story in stories_of(table)]
    side = next(text for text in texts if "from side pot-1" in text)
    assert "from main pot" in side and " Side pot-1 " in side
