"""What is exported is played again to the same result, from the file alone; and the file tells no hidden card."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.commands import VoidHand
from engine.game import games
from services.check import check
from services.exports import FORMATS
from services.exports.answer import CannotHold
from services.exports.story import Story
from services.formats import recognise
from tests.exports.tables import called_down, played, stories_of
from tests.rules.random_play import Player
from tests.rules.stories import rule

UNABLE = dict.fromkeys(("abyssinia", "hasaga"), ("pokerstars", "ohh")) | dict.fromkeys(
    ("razz", "stud", "stud8"), ("ohh",)
)
VIEWS = ("public", "seat", "full")
CARD = re.compile(r"(?<![0-9A-Za-z])(?:[2-9TJQKA][cdhs])+(?![0-9A-Za-z])")


def differences(text: str) -> list[str]:
    """What a check of the file finds; every hand of it must be played."""
    reader = recognise(text)
    assert reader is not None
    reports = [check(sheet, {}) for sheet in reader("exports/hand", text)]
    assert reports and not any(report.skipped for report in reports)
    return [str(difference) for report in reports for difference in report.differences]


@rule("COM-76")
@pytest.mark.parametrize("game", games())
@pytest.mark.parametrize("name", FORMATS)
@given(number=st.integers(0, 10**6), view=st.sampled_from(VIEWS))
@settings(max_examples=4, deadline=None)
def test_a_hand_of_any_game_is_played_again_from_its_export(game: str, name: str, number: int, view: str) -> None:
    for story in stories_of(played(game, number, hands=2), view):
        if story.voided:
            continue
        try:
            text = FORMATS[name].write(story).text
        except CannotHold:
            assert name in UNABLE.get(story.hand.game.name, ())
            continue
        assert differences(text) == [], text


@rule("RAZ-C06", "STD-12", "ST8-10")
@pytest.mark.parametrize("game", ["razz", "stud", "stud8"])
@pytest.mark.parametrize("name", ["phh", "pokerstars"])
def test_the_last_card_of_the_deck_comes_without_a_burn(game: str, name: str) -> None:
    """Eight players see seventh street: 51 cards are dealt or burned, the 52nd is everybody's."""
    story = called_down(game, 8)
    assert (len(story.hand.board), len(story.hand.burned)) == (1, 3)
    assert differences(FORMATS[name].write(story).text) == []


def cards_in(text: str) -> set[str]:
    """All cards of a text, names of two letters, also where they stand together."""
    return {found[0][at : at + 2] for found in CARD.finditer(text) for at in range(0, len(found[0]), 2)}


def allowed(story: Story) -> set[str]:
    """What became public, and what the viewer knows."""
    positions = [at for at in range(52) if story.hand.open[at] or at in story.known]
    return {story.card(at) for at in positions}


@rule("COM-75")
@pytest.mark.parametrize("game", games())
@pytest.mark.parametrize("view", ["public", "seat"])
def test_no_export_tells_a_card_that_its_viewer_may_not_see(game: str, view: str) -> None:
    told: set[str] = set()
    for number in range(6):
        for story in stories_of(played(game, number, hands=3), view):
            for kind in FORMATS.values():
                try:
                    text = kind.write(story).text
                except CannotHold:
                    continue
                assert cards_in(text) <= allowed(story), text
                told |= cards_in(text)
    assert told, "the search finds cards where there are some"


@pytest.mark.parametrize("name", FORMATS)
def test_the_same_hand_gives_the_same_bytes(name: str) -> None:
    kind, player = FORMATS[name], played("omaha8", 11, hands=3)
    first = [kind.write(story) for story in stories_of(player)]
    assert first == [kind.write(story) for story in stories_of(player)]
    assert len({export.text for export in first}) == len(first) > 1


@pytest.mark.parametrize("name", FORMATS)
def test_a_file_of_several_hands_is_read_hand_by_hand(name: str) -> None:
    kind = FORMATS[name]
    exports = {story.hand.number: kind.write(story) for story in stories_of(played("omaha8", 11))}
    text = "".join(kind.part(number, export) for number, export in exports.items())
    assert len(exports) > 1
    reader = recognise(text)
    assert reader is not None
    assert [check(sheet, {}).ok for sheet in reader("x.phhs", text)] == [True] * len(exports)


def test_a_changed_stack_a_changed_card_and_a_dropped_decision_are_found() -> None:
    story = next(story for story in stories_of(played("omaha8", 11)) if story.hand.board)
    whole = json.loads(FORMATS["json"].write(story).text)
    for change in (shorten_a_stack, swap_the_board, drop_a_decision):
        data = json.loads(json.dumps(whole))
        change(data)
        assert differences(json.dumps(data, separators=(",", ":")) + "\n"), change.__name__


def shorten_a_stack(data: dict[str, object]) -> None:
    data["seats"][0]["end"] += 1  # type: ignore[index]


def swap_the_board(data: dict[str, object]) -> None:
    flop = next(event for event in data["events"] if event["event"] == "BoardDealt")  # type: ignore[attr-defined]
    flop["at"] = [51, *flop["at"][1:]]


def drop_a_decision(data: dict[str, object]) -> None:
    data["decisions"].pop()  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        (lambda data: data["events"].pop(0), "not exactly one HandStarted"),
        (lambda data: data.pop("chairs"), "missing or misshaped"),
        (lambda data: data.update(chairs=99), "not a number"),
        (lambda data: data["known"].append([51, "Zz"]), "Zz"),
        (lambda data: data["decisions"].append({"seat": 77}), "a decision of nobody"),
        (lambda data: data.update(game="chess"), "unknown_game"),
    ],
)
def test_a_damaged_file_is_refused_with_a_reason(damage: object, why: str) -> None:
    story = next(iter(stories_of(played("razz", 5))))
    data = json.loads(FORMATS["json"].write(story).text)
    damage(data)  # type: ignore[operator]
    text = json.dumps(data, separators=(",", ":"))
    reader = recognise(text)
    assert reader is not None
    (report,) = [check(sheet, {}) for sheet in reader("hand.json", text)]
    assert report.skipped or why in str(report.differences[0])


def with_void(number: int) -> Player:
    """A razz table whose last hand the host calls off, if there are players for it."""
    player = played("razz", number, hands=1)
    if player.start():
        player.try_to(VoidHand("host", "lost"))
    return player


def test_a_hand_that_was_called_off_is_told_by_our_json_only() -> None:
    story = next(story for number in range(20) for story in stories_of(with_void(number)) if story.voided)
    assert json.loads(FORMATS["json"].write(story).text)["voided"] is True
    for name in ("phh", "pokerstars", "ohh"):
        with pytest.raises(CannotHold, match=r"called off|call a hand off"):
            FORMATS[name].write(story)
