"""Names and best fives against every showdown line of the rule book's examples and random deals."""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from engine.best_five import best_at_most_two, best_high, best_low, best_omaha_high, best_omaha_low
from engine.cards import parse_many, show
from engine.hand_names import Category, HandName, name_high, name_low
from engine.rankings import at_most_two, five_high, five_low, high, omaha_high, omaha_low, razz_low

RULE_BOOK = Path(__file__).parent.parent / "rulebook"
DEALS = [
    deal
    for name in ("examples.json", "scenarios-open.json")
    for deal in json.loads((RULE_BOOK / name).read_text(encoding="utf-8"))
]


class Line(NamedTuple):
    """A hand of a result line: what the seat holds, the board, and what the book prints."""

    deal: str
    hole: list[int]
    board: list[int]
    high: str = ""
    low: str | None = None
    five_high: str = ""
    five_low: str = ""


def matches(game: str, pattern: str) -> Iterator[tuple[dict[str, Any], re.Match[str]]]:
    for deal in DEALS:
        for result in deal["result"] if deal["game"] == game else ():
            if found := re.fullmatch(pattern, result):
                yield deal, found


def abyssinia() -> Iterator[Line]:
    for deal, found in matches("abyssinia", r"\w+: ((?:\w\w ){5})high (.+); low (.+)"):
        yield Line(deal["id"], parse_many(found[1]), [], found[2], found[3])


def omaha() -> Iterator[Line]:
    pattern = r"(\w+): high (.+) \((.+)\); low (?:none|(.+) \((.+)\))"
    for deal, found in matches("omaha_hilo", pattern):
        hole = parse_many(" ".join(deal["cards"][found[1]]))
        yield Line(
            deal["id"],
            hole,
            parse_many(" ".join(deal["board"])),
            found[2],
            found[4],
            found[3],
            found[5] or "",
        )


def hasaga() -> Iterator[Line]:
    for deal, found in matches("hasaga", r"\w+: (?:\(no card left\)|(.+)) -> ([^(]+) \((.+)\)"):
        board = parse_many(" ".join(deal["board"]))
        yield Line(deal["id"], parse_many(found[1] or ""), board, high=found[2], five_high=found[3])


def razz() -> Iterator[Line]:
    for deal, found in matches("razz", r"\w+: ((?:\w\w ){6}\+? ?\w\w) -> (.+) \((.+)\)"):
        yield Line(deal["id"], parse_many(found[1].replace("+", "")), [], low=found[2], five_low=found[3])


def check_five(best: Sequence[int] | None, printed: str) -> None:
    """Suits may differ between two equal fives; the same five is printed in the same order."""
    assert best is not None
    assert sorted(best) != sorted(parse_many(printed)) or show(best) == printed


def test_abyssinia_highs_and_lows_are_called_as_in_the_rule_book() -> None:
    """ABY-26, ABY-28."""
    lines = list(abyssinia())
    assert len(lines) > 300
    for line in lines:
        assert name_high(five_high(line.hole)).text() == line.high, line.deal
        assert name_low(five_low(line.hole)).text() == line.low, line.deal


def test_omaha_highs_and_lows_are_called_as_in_the_rule_book() -> None:
    """OM8-26, OM8-29, OM8-C04."""
    lines = list(omaha())
    assert len(lines) > 400
    for line in lines:
        score = omaha_high(line.hole, line.board)
        assert name_high(score).text() == line.high, line.deal
        assert five_high(parse_many(line.five_high)) == score
        check_five(best_omaha_high(line.hole, line.board), line.five_high)
        low = omaha_low(line.hole, line.board)
        assert (None if low is None else name_low(low).text()) == line.low, line.deal
        if line.low:
            assert five_low(parse_many(line.five_low)) == low
            check_five(best_omaha_low(line.hole, line.board), line.five_low)


def test_hasaga_hands_are_called_as_in_the_rule_book() -> None:
    """HAS-C06."""
    lines = list(hasaga())
    assert len(lines) > 400
    for line in lines:
        score = at_most_two(line.hole, line.board)
        assert name_high(score).text() == line.high, line.deal
        assert five_high(parse_many(line.five_high)) == score
        check_five(best_at_most_two(line.hole, line.board), line.five_high)


def test_razz_lows_are_called_as_in_the_rule_book() -> None:
    """COM-03, RAZ-C06: the community card counts like an own one."""
    lines = list(razz())
    assert len(lines) > 400
    for line in lines:
        score = razz_low(line.hole)
        assert name_low(score).text() == line.low, line.deal
        assert five_low(parse_many(line.five_low)) == score
        check_five(best_low(line.hole), line.five_low)


def test_a_name_is_a_category_and_ranks_for_pages_in_other_languages() -> None:
    assert name_high(high(parse_many("Jh Jc 9h 9s Js"))) == HandName(Category.FULL_HOUSE, "J9")
    assert name_low(five_low(parse_many("5c 4d 3h 2s Ac"))) == HandName(Category.LOW, "5432A")
    assert name_low(five_low(parse_many("5c 4d 3h 2s 2c"))) == HandName(Category.PAIR, "2543")


@pytest.mark.parametrize(
    ("cards", "five"),
    [
        ("2c Kh 9d Ks 7h 5s 3d", "Kh 9d Ks 7h 5s"),
        ("Ac 2d 3h Kd 4s 5c Kh", "Ac 2d 3h 4s 5c"),
    ],
)
def test_the_best_high_keeps_the_order_of_the_cards(cards: str, five: str) -> None:
    assert show(best_high(parse_many(cards))) == five


def test_the_best_low_runs_from_its_highest_card_down_to_the_ace() -> None:
    """EX-RAZ-07, EX-RAZ-11."""
    assert show(best_low(parse_many("Ac 2s 4s 6s 8s Qc Qd"))) == "8s 6s 4s 2s Ac"
    assert show(best_low(parse_many("2c 2d 3h 4c Kc Kd Kh"))) == "Kc 4c 3h 2c 2d"


def test_the_best_omaha_hands_name_the_two_hole_cards_first() -> None:
    """EX-OM8-01."""
    hole, board = parse_many("Ad Kd 3s 2s"), parse_many("Jd 4d 3c Qd 5h")
    assert show(best_omaha_high(hole, board)) == "Ad Kd Jd 4d Qd"
    assert show(best_omaha_low(hole, board) or ()) == "Ad 2s 4d 3c 5h"


def test_there_are_no_best_five_without_a_low() -> None:
    """OM8-03."""
    assert best_omaha_low(parse_many("Kc Kd Qc Qd"), parse_many("Ac 2d 3h 4s 5c")) is None


def test_a_hand_whose_cards_are_sold_shows_the_board() -> None:
    """EX-HAS-11, HAS-C34."""
    assert show(best_at_most_two([], parse_many("9d 8s 7h 2d 5s"))) == "9d 8s 7h 2d 5s"
