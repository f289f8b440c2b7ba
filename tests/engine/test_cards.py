"""Cards and their text."""

import pytest

from engine.cards import NAMES, RANKS, SUITS, parse, parse_many, rank, show, suit


def test_the_deck_is_52_different_cards_from_the_two_of_clubs_to_the_ace_of_spades() -> None:
    """COM-01."""
    assert len(set(NAMES)) == 52
    assert (NAMES[0], NAMES[51]) == ("2c", "As")


def test_every_card_is_read_back_from_its_name_and_is_made_of_its_rank_and_suit() -> None:
    for card, name in enumerate(NAMES):
        assert parse(name) == card
        assert RANKS[rank(card)] + SUITS[suit(card)] == name


def test_suits_rise_from_clubs_to_spades() -> None:
    """COM-04: s > h > d > c."""
    assert [suit(parse(name)) for name in ("Kc", "Kd", "Kh", "Ks")] == [0, 1, 2, 3]
    assert parse("Kc") < parse("Kd") < parse("Kh") < parse("Ks") < parse("Ac")


def test_a_hand_is_written_and_read_in_the_same_order() -> None:
    assert show(parse_many("Td As  2c")) == "Td As 2c"
    assert parse_many("") == []


@pytest.mark.parametrize("text", ["10c", "1c", "as", "AS", "A", "", "Asd", "A s", "Ax", "♠A", "??"])
def test_what_is_not_a_card_is_refused_with_the_text_named(text: str) -> None:
    """P089: `10c` is an error, never a one, a zero or a ten of something."""
    with pytest.raises(ValueError, match="not a card") as refusal:
        parse(text)
    assert repr(text) in str(refusal.value)


def test_a_bad_card_among_good_ones_is_named() -> None:
    """P089."""
    with pytest.raises(ValueError, match="not a card: '10c'"):
        parse_many("2d 6s 6c 3d 10c")


def test_the_same_card_twice_is_refused() -> None:
    """P090, COM-01."""
    with pytest.raises(ValueError, match="the same card twice: 'Ac'"):
        parse_many("Ac Kd Ac")
