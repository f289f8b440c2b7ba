"""What a stream fills in for one player: cards dealt, bought or shown to him alone, on whichever of his seats."""

from typing import Any

import pytest

from services.tables import Own, Shown

OWN = {
    "seat": 2, "hand": 5, "at": [1, 9], "cards": ["As", "Kd"], "openings": ["aa", "bb"],
    "also": [{"seat": 3, "at": [4], "cards": ["2c"], "openings": ["cc"]}],
    "looks": {"at": [7], "cards": ["Qh"], "openings": ["dd"]},
}  # fmt: skip


def filled(**facts: Any) -> dict[str, Any] | None:
    return Own(OWN, 5).fill(Shown(1, b"", facts)).event


@pytest.mark.parametrize(
    ("facts", "cards"),
    [
        ({"event": "Dealt", "seat": 2, "at": [1, 9], "cards": [], "openings": ""}, ["As", "Kd"]),
        ({"event": "Dealt", "seat": 3, "at": [4], "cards": [], "openings": ""}, ["2c"]),
        ({"event": "Looked", "seat": 3, "target": 8, "slot": 1, "at": [7]}, ["Qh"]),
        ({"event": "Revealed", "seat": 2, "target": 8, "slot": 0, "at": [7]}, ["Qh"]),
    ],
)
def test_cards_for_this_player_are_filled_in(facts: dict[str, Any], cards: list[str]) -> None:
    told = filled(**facts)
    assert told is not None
    assert told["cards"] == cards


def test_of_a_round_the_own_cards_that_lie_face_down_are_told_beside_it() -> None:
    facts = {"event": "RoundDealt", "seats": [2, 3], "at": [1, 4, 9, 5], "down": 1, "cards": ["Kd", "3h"],
             "openings": "", "burned": []}  # fmt: skip
    assert filled(**facts) == {**facts, "own": [
        {"seat": 2, "at": [1], "cards": ["As"], "openings": "aa"},
        {"seat": 3, "at": [4], "cards": ["2c"], "openings": "cc"},
    ]}  # fmt: skip


@pytest.mark.parametrize(
    "facts",
    [
        {"event": "Dealt", "seat": 4, "at": [1], "cards": [], "openings": ""},
        {"event": "Looked", "seat": 4, "target": 2, "slot": 0, "at": [1]},
        {"event": "Dealt", "seat": 2, "at": [30], "cards": [], "openings": ""},
        {"event": "Sold", "seat": 2, "at": [], "cards": [], "openings": "", "amount": 0},
        {"event": "Folded", "seat": 2},
        {"event": "RoundDealt", "seats": [2, 3], "at": [1, 4], "down": 0, "cards": ["As", "2c"]},
        {"event": "RoundDealt", "seats": [4, 5], "at": [1, 4], "down": 1, "cards": []},
    ],
)
def test_nothing_else_is_touched(facts: dict[str, Any]) -> None:
    """Another player's seat, a card that is not known, a sale of nothing, a fact without cards."""
    assert filled(**facts) == facts
