"""Circumstances that meet: side pots with short blinds, short all-ins with dead money, ties with odd chips, fees of
hands that are all-in. Each rule has its own test elsewhere; here the right value follows from all of them at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import pytest

from tests.rules.hasaga_stories import hasaga
from tests.rules.stories import Story, holdem, omaha, razz, rule, with_antes

BOARD = "Kh Qd 9s 4c 9d"  # no low; of these hands each beats the next
NUTS, SET, PAIR, AIR = "9c 9h 2c 2d", "Ks Kc 3c 3d", "As Ah 5c 5d", "6c 7d 8h 6s"
LOW_BOARD = "Kh 8s 7d 4h Qs"
KINGS_AND_LOW, QUEENS, LOW = "As 2c Kd Kc", "Qh Qd Jc Js", "Ah 2h Tc 9c"  # trips and the low of the last one; trips
SAME = {"A": "2c 3c 9c Kd", "B": "2d 3d 9d Kc", "C": "2h 3h 9h Ks"}  # high and low on 4s 5h 6c
ANTED = {
    "A": "2h 3h 4h 5h 7h 9h Jh", "B": "2s 3s Ks 5s 8s 9s Js",
    "C": "2c 3c 4c 6c 8c Tc Qc", "D": "2d 3d 6d Td Jd Qd Kd",
}  # fmt: skip


class Case(NamedTuple):
    """`play`, then each property of the story has this value; `…` at its end: checks and mucks to the end."""

    story: Callable[[], Story]
    play: str
    expected: dict[str, str]


def matches(case: Case) -> None:
    story = case.story()
    play, to_the_end, _ = case.play.partition("…")
    if play := play.strip("; "):
        story.play(play)
    if to_the_end:
        story.check_down()
    assert {name: getattr(story, name) for name in case.expected} == case.expected


POTS = {
    "a short blind, two all-ins and a fold": Case(
        lambda: omaha("A 40, B 15, C 90, D 200, E 200", "no_limit 1/20",
                      hands={"A": SET, "B": NUTS, "C": PAIR, "D": AIR}, board=BOARD),
        "D raises to 90; E folds; A calls 40; B calls 14; C calls 70; …",
        {"awards": "0 only B 60, 1 only A 75, 2 only C 100", "stacks": "A 75, B 60, C 100, D 110, E 200"},
    ),
    "what was folded above the highest all-in is the last bettor's": Case(
        lambda: omaha("A 30, B 300, C 300, D 300", "no_limit 1/2", button="D", hands={"A": NUTS}, board=BOARD),
        "C raises to 100; D calls 100; A calls 29; B calls 98; B bets 50; C raises to 150; D folds; B folds; …",
        {"returned": "C 100", "awards": "0 only A 120, 1 only C 310", "stacks": "A 120, B 150, C 460, D 200"},
    ),
    "a main pot with a low, a side pot without": Case(
        lambda: omaha("A 25, B 60, C 60", "no_limit 1/2", button="C",
                      hands={"A": LOW, "B": "Ks Kd 3s 3d", "C": QUEENS}, board=LOW_BOARD),
        "C raises to 60; A calls 24; B calls 58; …",
        {"awards": "0 high B 38, 0 low A 37, 1 only B 70", "stacks": "A 37, B 108, C 0"},
    ),
    "a quartered main pot, a scooped side pot": Case(
        lambda: omaha("A 30, B 60, C 60", "no_limit 1/2", button="C",
                      hands={"A": LOW, "B": KINGS_AND_LOW, "C": QUEENS}, board=LOW_BOARD),
        "C raises to 60; A calls 29; B calls 58; …",
        {"awards": "0 high B 45, 0 low A 23, 0 low B 22, 1 both B 60", "stacks": "A 23, B 127, C 0"},
    ),
    "a dead post lies in the main pot though its owner is in a side pot": Case(
        lambda: omaha("D 100, S 1, G 100, R 100, U 100", "limit 1/2", posts={"R": (2, 1)}),
        "R checks; U folds; D folds; G checks",
        {"pots": "4 S+G+R, 2 G+R"},
    ),
    "who posted and raises gets back what the big blind does not match": Case(
        lambda: omaha("D 100, S 100, G 100, R 100", "no_limit 1/2", posts={"R": (2, 1)}),
        "R raises to 6; D folds; S folds; G folds",
        {"returned": "R 4", "awards": "0 all R 6", "stacks": "D 100, S 99, G 98, R 103"},
    ),
    "a big blind whom the ante has used up": Case(
        lambda: holdem("D 100, S 100, G 1, U 100", "no_limit 1/2", keys={"holdem.ante": 1}),
        "U calls 2; D folds; S calls 1",
        {"pots": "4 S+G+U, 4 S+U"},
    ),
    "all-in for part of the ante, a short bring-in, a completion": Case(
        lambda: razz("D 300, A 2, B 6, C 300", ANTED, keys={"razz.ante": 3}),
        "B brings in for 3; C calls 5; D completes to 10; C calls 5; …",
        {"awards": "0 only A 8, 1 only C 12, 2 only C 14", "stacks": "D 287, A 8, B 0, C 313"},
    ),
    "only one has chips after the ante: nobody brings in": Case(
        lambda: razz("D 1, A 1, B 1, C 300", ANTED),
        "…",
        {"returned": "", "awards": "0 only A 4", "stacks": "D 0, A 4, B 0, C 299"},
    ),
    "heads-up, the small blind covers a big blind of one chip": Case(
        lambda: omaha("A 100, B 1", "no_limit 1/2", hands={"A": AIR, "B": NUTS}, board=BOARD),
        "…",
        {"returned": "", "awards": "0 only B 2", "stacks": "A 99, B 2"},
    ),
    "heads-up, a small blind of one chip": Case(
        lambda: omaha("A 1, B 100", "no_limit 2/4", hands={"A": NUTS, "B": AIR}, board=BOARD),
        "…",
        {"returned": "B 3", "awards": "0 only A 2", "stacks": "A 2, B 99"},
    ),
    "a fee lies in the side pot that its hand plays for": Case(
        lambda: hasaga(stacks={"P2b": 40}),
        "P2b raises to 40; P1a calls 40; P1b folds; P2a calls 30; "
        "P2a checks; P1a buys block_river; P1a bets 20; P2a calls 20",
        {"pots": "125 P2a+P2b+P1a, 100 P2a+P1a"},
    ),
    "a fee falls to the main pot when nobody has followed into the side pot": Case(
        lambda: hasaga(stacks={"P2b": 40}),
        "P2b raises to 40; P1a calls 40; P1b folds; P2a calls 30; "
        "P2a checks; P1a buys block_river; P1a bets 20; P2a folds",
        {"returned": "P1a 20", "pots": "185 P2b+P1a"},
    ),
}  # fmt: skip


@rule("COM-34", "COM-50", "COM-51", "COM-52", "COM-53", "HLD-10", "RAZ-C09", "HAS-C13")
@pytest.mark.parametrize("case", POTS.values(), ids=POTS)
def test_pots_and_what_returns(case: Case) -> None:
    matches(case)


ODD = {
    "three tie for a main pot, two of them for the side pot": Case(
        lambda: omaha("A 21, B 50, D 50, C 50", "no_limit 1/2", board=BOARD,
                      hands={"A": "As Jc 2c 3d", "B": "Ah Jd 2d 3h", "C": "Ac Js 2h 3s"}),
        "C raises to 50; A calls 21; B calls 49; D folds; …",
        {"awards": "0 only B 22, 0 only C 22, 0 only A 21, 1 only B 29, 1 only C 29",
         "stacks": "A 21, B 51, D 48, C 51"},
    ),
    "three tie for both halves: the pot as a whole": Case(
        lambda: omaha("A 33, D 50, B 33, C 50", "no_limit 1/2", hands=SAME, board="4s 5h 6c Th Js"),
        "C raises to 33; A calls 33; D folds; B calls 31; …",
        {"awards": "0 both B 34, 0 both C 33, 0 both A 33"},
    ),
    "three tie for both halves: each half": Case(
        lambda: omaha("A 33, D 50, B 33, C 50", "no_limit 1/2", hands=SAME, board="4s 5h 6c Th Js",
                      keys={"omaha.identical_split": "halves"}),
        "C raises to 33; A calls 33; D folds; B calls 31; …",
        {"stacks": "A 32, D 49, B 34, C 51"},
    ),
    "the board plays for four": Case(
        lambda: holdem("A 100, B 100, C 100, D 100, E 100", "limit 1/2", board="As Ks Qs Js Ts"),
        "D calls 2; E calls 2; A calls 2; B folds; C checks; …",
        {"awards": "0 only C 3, 0 only D 2, 0 only E 2, 0 only A 2"},
    ),
    "stud: high alone, low tied, both halves odd": Case(
        lambda: with_antes("stud8", "D 100, A 100, B 100", {
            "A": "As 2s 4d 3c 8h Kd Kc", "B": "Ah 2h 4c 3d 8d Qd Jd", "D": "9c 9h 2d",
        }, keys={"stud8.ante": 2}),
        "D brings in for 5; A completes to 10; B calls 10; D folds; …",
        {"awards": "0 high A 16, 0 low A 8, 0 low B 7", "stacks": "D 93, A 112, B 95"},
    ),
}  # fmt: skip


@rule("COM-53", "COM-54", "OM8-C05", "ST8-07", "ST8-09")
@pytest.mark.parametrize("case", ODD.values(), ids=ODD)
def test_odd_chips_of_ties(case: Case) -> None:
    matches(case)


FOUR = "S 1000, G 1000, U 410, D 510"  # D has the button
CALLED = "U calls 10; D calls 10; S calls 5; G checks; "
SIZES = {
    "pot-limit, no small blind and a poster: he may raise by the pot": Case(
        lambda: omaha("D 500, G 500, R 500, U 500", "pot_limit 5/10", posts={"R": (10, 5)}, dead_small=True),
        "",
        {"asked": "R: check, raise to 20..40"},
    ),
    "pot-limit, no small blind and a poster: the next one": Case(
        lambda: omaha("D 500, G 500, R 500, U 500", "pot_limit 5/10", posts={"R": (10, 5)}, dead_small=True),
        "R checks",
        {"asked": "U: fold, call 10, raise to 20..50"},
    ),
    "pot-limit with antes": Case(
        lambda: holdem("D 500, S 500, G 500, U 500", "pot_limit 5/10", keys={"holdem.ante": 2}),
        "",
        {"asked": "U: fold, call 10, raise to 20..43"},
    ),
    "pot-limit, over a short all-in": Case(
        lambda: omaha("S 300, G 40, U 300, D 300", "pot_limit 5/10", button="D"),
        CALLED + "S bets 20; G raises to 30",
        {"asked": "U: fold, call 30, raise to 50..150"},
    ),
    "pot-limit, one short all-in reopens nothing": Case(
        lambda: omaha("S 300, G 40, U 300, D 300", "pot_limit 5/10", button="D"),
        CALLED + "S bets 20; G raises to 30; U calls 30; D calls 30",
        {"asked": "S: fold, call 10"},
    ),
    "no-limit, a bet, a raise and two short all-ins: the bettor": Case(
        lambda: omaha(FOUR, "no_limit 5/10", button="D"),
        CALLED + "S bets 100; G raises to 300; U raises to 400; D raises to 500",
        {"asked": "S: fold, call 400, raise to 700..990"},
    ),
    "no-limit, a bet, a raise and two short all-ins: the raiser, by exactly a raise": Case(
        lambda: omaha(FOUR, "no_limit 5/10", button="D"),
        CALLED + "S bets 100; G raises to 300; U raises to 400; D raises to 500; S calls 400",
        {"asked": "G: fold, call 200, raise to 700..990"},
    ),
    "no-limit, a chip less than a raise": Case(
        lambda: omaha("S 1000, G 1000, U 410, D 509", "no_limit 5/10", button="D"),
        CALLED + "S bets 100; G raises to 300; U raises to 400; D raises to 499; S calls 399",
        {"asked": "G: fold, call 199"},
    ),
    "no-limit, a short opening all-in to who has checked": Case(
        lambda: omaha("S 1000, G 1000, U 40, D 1000", "no_limit 25/50", button="D"),
        "U calls 40; D calls 50; S calls 25; G checks; S checks; G checks",
        {"asked": "D: check, bet 50..950"},
    ),
    "limit, an all-in of half a bet is the last raise": Case(
        lambda: omaha("S 1000, G 1000, U 1000, D 45", "limit 5/10", button="D"),
        CALLED + "S bets 10; G raises to 20; U raises to 30; D raises to 35",
        {"asked": "S: fold, call 25"},
    ),
    "limit, an all-in of less leaves the last raise": Case(
        lambda: omaha("S 1000, G 1000, U 1000, D 44", "limit 5/10", button="D"),
        CALLED + "S bets 10; G raises to 20; U raises to 30; D raises to 34",
        {"asked": "S: fold, call 24, raise to 40"},
    ),
    "limit, the last raise completes it": Case(
        lambda: omaha("S 1000, G 1000, U 1000, D 44", "limit 5/10", button="D"),
        CALLED + "S bets 10; G raises to 20; U raises to 30; D raises to 34; S raises to 40",
        {"asked": "G: fold, call 20"},
    ),
    "limit, who made the last full raise cannot complete over his own": Case(
        lambda: omaha("S 1000, G 1000, U 1000, D 44", "limit 5/10", button="D"),
        CALLED + "S bets 10; G raises to 20; U raises to 30; D raises to 34; S calls 24; G calls 14",
        {"asked": "U: fold, call 4"},
    ),
    "limit, a short big blind": Case(
        lambda: omaha("A 100, B 100, C 1, D 100", "limit 1/2"), "", {"asked": "D: fold, call 2, raise to 4"},
    ),
    "stud, an open pair: single bet, double raise, then doubles to the cap": Case(
        lambda: with_antes("stud", "D 300, A 300, B 300", {
            "A": "2h 3h Kh Kd", "B": "4h 5h Qh Jd", "D": "9c 9h 2c",
        }),
        "D brings in for 5; A completes to 10; B calls 10; D folds; A bets 10",
        {"asked": "B: fold, call 10, raise to 20, double 30"},
    ),
    "stud, an open pair: capped": Case(
        lambda: with_antes("stud", "D 300, A 300, B 300", {
            "A": "2h 3h Kh Kd", "B": "4h 5h Qh Jd", "D": "9c 9h 2c",
        }),
        "D brings in for 5; A completes to 10; B calls 10; D folds; "
        "A bets 10; B doubles to 30; A raises to 50; B raises to 70",
        {"asked": "A: fold, call 20"},
    ),
}  # fmt: skip


@rule("COM-20", "COM-21", "COM-22", "COM-23", "COM-30", "COM-31", "COM-32", "COM-33", "COM-34", "HLD-10", "STD-10")
@pytest.mark.parametrize("case", SIZES.values(), ids=SIZES)
def test_who_may_raise_and_to_what(case: Case) -> None:
    matches(case)
