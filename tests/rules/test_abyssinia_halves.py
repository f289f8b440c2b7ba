"""Abyssinia's end: high and low share the pot (ABY-25..38, ABY-C07, C08)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.view import view
from services.advice import shown_hands
from tests.rules.abyssinia_stories import (
    HIGH,
    LOW,
    account,
    buy,
    check_on,
    contest,
)
from tests.rules.stories import abyssinia, rule

# --- high and low


@rule("ABY-25", "ABY-26", "ABY-28", "ABY-37", "ABY-C08")
def test_after_the_fifth_betting_round_high_and_low_share_the_pot_without_a_showdown() -> None:
    hand = contest({"Anna": HIGH, "Ben": LOW})
    check_on(hand)
    assert hand.awards == "0 high Anna 8, 0 low Ben 8"
    assert hand.showdown == ""
    names = shown_hands(view(hand.table))
    assert names[hand.names["Anna"]][0]["text"] == "trips 9-K-Q"
    assert names[hand.names["Ben"]][1]["text"] == "8-5-4-3-2"


@rule("ABY-37")
def test_anna_and_ben_win_sixteen_each() -> None:
    """The seed's example; a third player paid in and folded."""
    hand = abyssinia("Carl 60, Anna 60, Ben 60", "9s 8s 9h 5d 6c 9d 4c 2d Kc 3h 2c 7c Th Ad")
    hand.play("Anna buys left; Ben buys right; Carl buys blind; Anna bets 1; Ben calls; Carl calls")
    hand.play("Anna buys left; Ben buys right; Carl buys blind; Anna bets 1; Ben calls; Carl folds")
    hand.play("Anna buys left; Ben buys right; Anna bets 1; Ben calls")
    hand.play("Anna buys left; Ben buys right; all check")
    hand.play("Anna buys left; Ben buys blind; Anna checks; Ben bets 1; Anna calls")
    assert hand.awards == "0 high Anna 16, 0 low Ben 16"


@rule("ABY-38")
def test_gross_award_and_net_are_told() -> None:
    """Net = award - ante - prices - bets."""
    hand = contest({"Anna": HIGH, "Ben": LOW})
    buy(hand)
    hand.play("Anna bets 1; Ben calls")
    check_on(hand)
    told = account(hand, "Ben")
    assert told == {"seat": 1, "ante": 1, "prices": [1, 2, 2, 2, 2], "bets": 1, "award": 9, "net": -2}
    assert told["net"] == told["award"] - told["ante"] - sum(told["prices"]) - told["bets"]
    assert account(hand, "Anna")["net"] == 2


@rule("ABY-27")
@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("7h 7d 7s 2c 4d", "Kh Kd Qs Qc As"),
        ("8h 8d 2s 3c 4d", "7h 7d As Kc Qd"),
        ("8h 8d As 3c 4d", "8s 8c Ks Qc Jd"),
        ("5h 4h 3h 2h Ah", "Ks Kd Kc Kh 2d"),  # P085, P101: the steel wheel
    ],
)
def test_the_main_group_is_compared_first_then_the_others_from_the_top(better: str, worse: str) -> None:
    """P084..P088 are in test_cards.py."""
    hand = contest({"A": worse, "B": better})
    check_on(hand)
    assert hand.hand.awards[0][:3] == (0, "high", hand.names["B"])


@rule("ABY-28", "ABY-29", "ABY-30", "ABY-31")
@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("Ac 2c 3c 4c 5c", "Ad 2d 3d 4d 6d"),  # P101: straights and flushes do not count
        ("8h 6d 5s 4c 3d", "8s 7c 3s 2c Ad"),
        ("Kh Qd Js Tc 9d", "5s 4c 3s 2c 2d"),  # P100: any five ranks before any pair, and no eight is needed
        ("Ah Ad Ks Qc Jd", "2s 2c 3s 4d 5h"),  # the lower pair
        ("2s 2c 5h 4d 3s", "2h 2d 6h 4c 3c"),  # then the lower kickers
        ("3s 3c 4h 4d Ks", "7h 7d 7s 2c Ac"),  # two pair before trips
    ],
)
def test_the_low(better: str, worse: str) -> None:
    hand = contest({"A": worse, "B": better})
    check_on(hand)
    assert [seat for _, share, seat, _ in hand.hand.awards if share == "low"] == [hand.names["B"]]


@rule("ABY-33")
def test_one_hand_may_win_both_halves_without_declaring() -> None:
    """P107: a pair of aces is the higher high and the lower low."""
    hand = contest({"P": "Ah Ad Kd Qs Jc", "Q": "2s 2c 5h 4d 3s", "R": "Kh Kc 4s 3c 2d"})
    check_on(hand)
    assert {seat for _, _, seat, _ in hand.hand.awards} == {hand.names["P"]}


@rule("ABY-32", "ABY-34")
@pytest.mark.parametrize(
    ("hands", "awards"),
    [
        (("Ks Kd Kc Qd Jh", "7s 6d 4c 3h 2h", "7h 6c 4d 3s 2c"), "0 high S2 17, 0 low S3 8, 0 low S1 8"),
        (("Ks Kd Kc Qd Jh", "7s 5d 4c 3h 2h", "7h 5c 4d 3s 2c"), "0 high S2 18, 0 low S3 9, 0 low S1 8"),
    ],
)
def test_the_odd_chip_goes_to_the_high_half_and_equal_hands_share_theirs(hands: Any, awards: str) -> None:
    """P106: pots of 33 and 35."""
    hand = contest(dict(zip(("S2", "S3", "S1"), hands, strict=True)))
    for _ in range(3):
        buy(hand)
        hand.play("S2 bets 1; S3 calls; S1 calls")
    check_on(hand)
    assert hand.awards == awards


@rule("ABY-32", "ABY-35")
def test_the_whole_remainder_of_a_half_goes_to_its_first_winner_from_the_dealers_left() -> None:
    hand = contest({"A": "7s 5h 4d 3c 2h", "B": "7h 5d 4c 3s 2c", "D": "7d 5c 4s 3d 2s"})
    buy(hand)
    hand.play("A bets 1; B calls; D calls")
    check_on(hand)
    high, low = "0 high A 7, 0 high B 5, 0 high D 5", "0 low A 6, 0 low B 5, 0 low D 5"
    assert hand.awards == f"{high}, {low}"


@rule("ABY-C07")
def test_halves_are_formed_even_if_the_same_players_tie_for_both() -> None:
    """Of 26 each half is 13: the first gets two chips more, not an equal part of the whole."""
    hand = contest({"A": "7s 5h 4d 3c 2h", "B": "7h 5d 4c 3s 2c", "D": "Kd"})
    buy(hand)
    hand.play("A bets 1; B calls; D folds")
    buy(hand)
    hand.play("A bets 1; B calls")
    check_on(hand)
    assert hand.awards == "0 high A 7, 0 high B 6, 0 low A 7, 0 low B 6"
