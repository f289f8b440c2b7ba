"""PHH files: one hand, many hands, decimals, reversed blinds, and what is wrong with bad ones."""

from __future__ import annotations

import pytest

from services.check import check
from services.formats import phh
from services.formats.record import BrokenHistory, Record
from tests.formats import samples

OMAHA = """\
variant = "FO/8"
antes = [0, 0]
blinds_or_straddles = [1, 2]
small_bet = 2
big_bet = 4
starting_stacks = [100, 50.5]
actions = [
  "d dh p1 As2s3sKs", "d dh p2 ????????",
  "p2 cc", "p1 cc",
  "d db Kh8s7d", "p1 cc", "p2 cbr 2", "p1 f",
]
"""


def read(text: str) -> Record:
    (sheet,) = phh.read("1/hand.phh", text)
    record = sheet.read()
    assert isinstance(record, Record)
    return record


def test_stud_cards_are_two_down_and_one_up_and_a_completion_is_a_raise() -> None:
    record = read(samples.PHH)
    assert [(e.down, e.up) for e in record.entries if e.kind == "deal"][:3] == [
        (("Ah", "Ac"), ("4h",)),
        (("2c", "3c"), ("5d",)),
        (("??", "??"), ("Kd",)),
    ]
    assert [(e.kind, e.seat, e.to) for e in record.entries if e.kind == "raise"] == [
        ("raise", 1, 10),
        ("raise", 2, 20),
    ]
    assert record.outcome is not None
    assert record.outcome.payoff == {1: -21, 2: 27, 3: -6}


def test_with_two_players_the_second_is_the_small_blind_and_has_the_button() -> None:
    record = read(OMAHA)
    assert [(e.kind, e.seat) for e in record.entries[:2]] == [("bb", 1), ("sb", 2)]
    assert record.button == 2


def test_decimals_make_the_cent_the_unit() -> None:
    record = read(OMAHA)
    assert record.unit == "cent"
    assert record.limits == {
        "ante": 0,
        "small_bet": 200,
        "big_bet": 400,
        "big_blind": 200,
        "small_blind": 100,
    }
    assert [player.stack for player in record.players] == [10_000, 5_050]


def test_a_file_without_result_is_still_played_by_the_rules() -> None:
    (sheet,) = phh.read("hand.phh", OMAHA)
    assert check(sheet, {}).differences == []
    (sheet,) = phh.read("hand.phh", OMAHA.replace("p1 f", "p2 f"))
    assert [difference.what for difference in check(sheet, {}).differences] == ["turn"]


def test_players_of_one_name_are_several_all_the_same() -> None:
    """Records may leave names out or call everybody alike."""
    (sheet,) = phh.read("hand.phh", samples.PHH.replace("actions =", 'players = ["x", "x", ""]\nactions ='))
    assert check(sheet, {}).differences == []


def test_a_phhs_file_holds_many_hands_with_their_own_names() -> None:
    text = "".join(f"[{n}]\n{samples.PHH}" for n in (1, 2))
    assert [sheet.id for sheet in phh.read("x/bulk.phhs", text)] == ["phh-x-bulk-1", "phh-x-bulk-2"]


@pytest.mark.parametrize(
    ("old", "new", "why", "line"),
    [
        ("p1 f", "p3 f", "not in the hand", 11),
        ('"p3 pb"', '"p3 dance"', "not an action", 9),
        ("d dh p1 Qs", "d dh p1 Ah", "same card twice", 10),
        ("p1 cbr 10", "p1 cbr 1000", "cannot pay", 9),
        ("p1 cbr 10", "p1 cbr ten", "not an amount", 9),
        ("[300, 300, 300]", "[300, 300]", "values for 2 players", 1),
        ("[300, 300, 300]", "[nan, 300, 300]", "not an amount", 1),
        ("bring_in = 5\n", "", "not an amount", 1),
        ("[279, 327, 294]", "[279, 328, 294]", "not the pot", 11),
        ('"FR"', '"XX"', "unknown variant", 1),
    ],
)
def test_bad_files_name_the_line_and_the_reason(old: str, new: str, why: str, line: int) -> None:
    assert old in samples.PHH
    text = samples.PHH.replace(old, new, 1)
    with pytest.raises(BrokenHistory, match=why) as broken:
        read(text)
    assert broken.value.line == line


def test_what_is_not_toml_is_broken_at_its_line() -> None:
    with pytest.raises(BrokenHistory, match="not TOML") as broken:
        list(phh.read("hand.phh", 'variant = "FR"\nantes = ['))
    assert broken.value.line == 2
