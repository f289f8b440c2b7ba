"""Amounts and cards as rooms print them: read when they can mean one thing only, refused otherwise."""

from __future__ import annotations

import pytest

from services.formats.figures import Nonsense, amount, card_name, card_names


@pytest.mark.parametrize(
    ("printed", "cents"),
    [
        ("1430", 143_000),
        ("1 430", 143_000),
        ("1\u00a0430", 143_000),
        ("1\u202f430,50", 143_050),
        ("368,55", 36_855),
        ("368.55", 36_855),
        ("1'000", 100_000),
        ("1’000", 100_000),
        ("1,234", 123_400),
        ("$31,999.50", 3_199_950),
        ("1.430,00", 143_000),
        ("€0.5", 50),
        ("0,05 €", 5),
    ],
)
def test_money_reads_the_same_however_a_country_writes_it(printed: str, cents: int) -> None:
    """P109."""
    assert amount(printed, cents=True) == cents


def test_stakes_with_apostrophes_and_commas_are_whole_chips() -> None:
    """P110."""
    assert [amount(text, cents=False) for text in ["500", "1'000", "1,234", "20"]] == [500, 1000, 1234, 20]


@pytest.mark.parametrize(
    "printed",
    [
        "1.430",
        "1,234,56",
        "1.234.567",
        "1,2345",
        "12 34",
        "",
        ".5",
        "-5",
        "1e3",
        "٣",
        "1 430 50",
        "1,",
        "$",
        "9" * 40,
    ],
)
def test_what_can_be_read_in_two_ways_or_none_is_refused(printed: str) -> None:
    with pytest.raises(Nonsense):
        amount(printed, cents=True)


def test_part_of_a_chip_is_refused() -> None:
    assert amount("1,5", cents=True) == 150
    with pytest.raises(Nonsense):
        amount("1,5", cents=False)


def test_a_dame_is_a_queen_and_10_is_a_ten() -> None:
    """P089, P109."""
    assert card_names("As Dh 10d Rc V♠ ??") == ("As", "Qh", "Td", "Kc", "Js", "??")
    assert card_names("AsKd4h") == ("As", "Kd", "4h")


@pytest.mark.parametrize("text", ["Ax", "1h", "as", "A", "", "B♥", None, 7])
def test_other_letters_are_no_card(text: object) -> None:
    with pytest.raises(Nonsense):
        card_name(text)


def test_letters_between_cards_are_refused() -> None:
    with pytest.raises(Nonsense):
        card_names("As, Kd")
