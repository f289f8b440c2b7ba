"""Damaged files: whatever happens to a history, only `BrokenHistory` ever comes out, and a check never fails
to answer.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.check import check
from services.formats import open_history, recognise
from services.formats.record import BrokenHistory
from tests.formats import samples

BOOK = (Path(__file__).parents[1] / "rulebook" / "examples.json").read_text(encoding="utf-8").splitlines()


def scenario(name: str) -> str:
    line = next(line for line in BOOK if f'"{name}"' in line)
    return "[\n" + line.rstrip(",") + "\n]"


TEXTS = {
    "stars omaha": samples.stars(),
    "stars razz": samples.razz(),
    "full tilt": samples.full_tilt(),
    "phh": samples.PHH,
    "neutral": samples.neutral(),
    "razz scenario": scenario("EX-RAZ-12"),
    "omaha scenario": scenario("EX-OM8-04"),
}
SCRAPS = [
    "",
    "0",
    "-1",
    "9" * 20,
    "1.430",
    "null",
    "[]",
    "{}",
    '"x"',
    "As",
    "??",
    "٣",
    "ann",
    ": ",
    "$",
    "1e400",
    "nan",
]

Damage = Callable[[str], str]


def cut(at: float, size: int) -> Damage:
    return lambda text: text[: int(at * len(text))] + text[int(at * len(text)) + size :]


def insert(at: float, scrap: str) -> Damage:
    return lambda text: text[: int(at * len(text))] + scrap + text[int(at * len(text)) :]


def swap_lines(a: float, b: float) -> Damage:
    def damage(text: str) -> str:
        lines = text.split("\n")
        i, j = int(a * len(lines)), int(b * len(lines))
        lines[i], lines[j] = lines[j], lines[i]
        return "\n".join(lines)

    return damage


def double_line(at: float) -> Damage:
    def damage(text: str) -> str:
        lines = text.split("\n")
        return "\n".join([*lines[: int(at * len(lines)) + 1], *lines[int(at * len(lines)) :]])

    return damage


PLACE = st.floats(0, 1, exclude_max=True)
DAMAGES = st.one_of(
    st.builds(cut, PLACE, st.integers(1, 40)),
    st.builds(insert, PLACE, st.sampled_from(SCRAPS)),
    st.builds(swap_lines, PLACE, PLACE),
    st.builds(double_line, PLACE),
)


def read_and_play(text: str) -> list[BrokenHistory]:
    """Every hand that can be read is played; what the reader refuses is told."""
    reader = recognise(text)
    if reader is None:
        return []
    try:
        sheets = list(reader("damaged.txt", text))
    except BrokenHistory as broken:
        return [broken]
    for sheet in sheets:
        check(sheet, {})
    return []


@pytest.mark.parametrize("kind", TEXTS)
@settings(max_examples=60)
@given(damages=st.lists(DAMAGES, min_size=1, max_size=4))
def test_damage_never_ends_in_anything_but_an_answer(kind: str, damages: list[Damage]) -> None:
    text = TEXTS[kind]
    for damage in damages:
        text = damage(text)
    for broken in read_and_play(text):
        assert (broken.file, bool(broken.why)) == ("damaged.txt", True)
        assert 0 <= broken.line <= len(text.splitlines()) + 1


@pytest.mark.parametrize("kind", TEXTS)
def test_the_undamaged_histories_are_read_and_agree(kind: str) -> None:
    reader = recognise(TEXTS[kind])
    assert reader is not None
    (sheet,) = reader("whole.txt", TEXTS[kind])
    report = check(sheet, {})
    assert (report.skipped, report.differences) == (None, [])


def test_a_file_in_another_encoding_is_refused_not_guessed(tmp_path: Path) -> None:
    path = tmp_path / "latin.txt"
    path.write_bytes(samples.stars("Andr\u00e9").encode("latin-1"))
    with pytest.raises(BrokenHistory, match="not UTF-8") as broken:
        list(open_history(path))
    assert broken.value.line == 3


def test_a_file_in_utf_16_is_read_by_its_mark(tmp_path: Path) -> None:
    path = tmp_path / "wide.txt"
    path.write_bytes(samples.full_tilt("Andr\u00e9").encode("utf-16"))
    (sheet,) = open_history(path)
    record = sheet.read()
    assert [player.name for player in record.players] == ["Andr\u00e9", "bob"]


@pytest.mark.parametrize("kind", TEXTS)
def test_the_mark_at_the_beginning_of_a_file_is_no_text(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "marked"
    path.write_bytes(TEXTS[kind].encode("utf-8-sig"))
    (sheet,) = open_history(path)
    assert check(sheet, {}).ok


def test_a_broken_line_of_a_neutral_file_is_one_broken_hand(tmp_path: Path) -> None:
    path = tmp_path / "hands.jsonl"
    path.write_text(samples.neutral() + '{"id": "torn", "players": [\n' + samples.neutral(), encoding="utf-8")
    reports = [check(sheet, {}) for sheet in open_history(path)]
    assert [report.ok for report in reports] == [True, False, True]
    assert "line 2: not JSON" in reports[1].differences[0].got
