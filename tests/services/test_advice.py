"""Bet sizes and names of hands as the server gives them to clients that know no rules."""

from __future__ import annotations

from typing import Any

import pytest

from engine.commands import Act, OpenTable, Sit, SitOut, Stand, StartHand
from engine.deck import sealed_deck
from engine.state import Table
from engine.table import act, options
from engine.view import view
from services.advice import between_hands, hand_names, presets, shown_hands

SEED = bytes(range(32))


def dealt(structure: str, *stacks: int) -> Table:
    """An Omaha table with blinds 10/20, the first decision before us."""
    table = Table("017-advice")
    chosen = {"omaha.structure": structure, "omaha.big_blind": 20, "buy_in.min": 0, "buy_in.max": 0}
    act(table, OpenTable("omaha8", chosen), 0)
    for seat, chips in enumerate(stacks):
        act(table, Sit(seat, f"p{seat}", chips), 0)
    act(table, StartHand(SEED, b""), 1, sealed_deck)
    return table


def sizes(table: Table) -> dict[str, int]:
    return {preset["name"]: preset["amount"] for preset in presets(view(table))}


def test_no_limit_has_parts_of_the_pot_and_all_in() -> None:
    """Three players, 10/20, nobody in yet: the pot counts the call, as in COM-33: 30 + 20 = 50."""
    table = dealt("no_limit", 1000, 1000, 1000)
    assert sizes(table) == {"min": 40, "half_pot": 45, "two_thirds_pot": 53, "pot": 70, "all_in": 1000}


def test_pot_limit_ends_at_the_pot() -> None:
    table = dealt("pot_limit", 1000, 1000, 1000)
    assert sizes(table) == {"min": 40, "half_pot": 45, "two_thirds_pot": 53, "pot": 70}
    assert max(sizes(table).values()) == options(table)["raise"][1]


def test_limit_has_one_size() -> None:
    assert sizes(dealt("limit", 1000, 1000, 1000)) == {"min": 40}


@pytest.mark.parametrize("structure", ["limit", "pot_limit", "no_limit"])
@pytest.mark.parametrize("stack", [21, 25, 39, 40, 47, 60, 300])
def test_every_preset_is_legal_and_offered_once(structure: str, stack: int) -> None:
    """A preset is never refused (ui: never send an illegal amount); short stacks see fewer of them."""
    table = dealt(structure, stack, stack, stack)
    bounds = options(table).get("raise")
    offered = list(sizes(table).values())
    assert offered == sorted(set(offered))
    assert bool(offered) == bool(bounds)
    for amount in offered:
        seat = table.hand.actor if table.hand else None
        assert seat is not None
        assert bounds is not None
        assert bounds[0] <= amount <= bounds[1]
    if bounds and stack == bounds[1]:
        assert sizes(table)["all_in"] == stack


def test_between_hands_the_server_says_what_a_player_may_ask_for() -> None:
    """COM-69: posting is offered to nobody who owes nothing. In a tournament one can only leave (HAS-C45)."""
    table = dealt("limit", 1000, 1000, 1000)
    assert between_hands(view(table), 0) == ["sit_out", "add_chips", "leave"]
    act(table, SitOut(0, "p0"), 2)
    assert between_hands(view(table), 0) == ["sit_in", "add_chips", "leave"]
    act(table, Stand(1, "p1"), 3)
    assert (between_hands(view(table), 1), between_hands(view(table), 5)) == ([], [])
    tournament = Table("017-levels")
    act(tournament, OpenTable("hasaga", {}), 0)
    act(tournament, Sit(0, "p0", 3000), 0)
    assert between_hands(view(tournament), 1) == ["leave"]


def test_nobody_on_turn_has_no_presets() -> None:
    table = Table("017-advice")
    act(table, OpenTable("omaha8", {}), 0)
    assert presets(view(table)) == []


def named(game: str, cards: str, board: str = "") -> list[tuple[Any, ...]]:
    return [(name["share"], name.get("text")) for name in hand_names(game, cards.split(), board.split())]


def test_the_own_hand_has_a_name_for_each_share() -> None:
    """Two from the hand, three from the board (OM8-26); a low of eight or better, or none (OM8-C04)."""
    assert named("omaha8", "Ah 2d Kc Ks", "3h 4h 8s Kd Qc") == [("high", "trips K-Q-8"), ("low", "8-4-3-2-A")]
    assert named("omaha8", "Ah 2d Kc Ks", "Th Jh 8s Kd Qc") == [("high", "straight A"), ("low", None)]


def test_the_own_omaha_hand_has_a_name_from_the_flop_on() -> None:
    assert named("omaha8", "Ah 2d Kc Ks", "3h 4h 8s") == [("high", "pair K-8-4-3"), ("low", "8-4-3-2-A")]
    assert named("omaha", "Ah 2d Kc Ks", "3h 4h 9s Kd") == [("high", "trips K-9-4")]


def test_too_few_cards_have_no_name_yet() -> None:
    assert named("omaha8", "Ah 2d Kc Ks") == []
    assert named("razz", "Ah 2d 3c") == []
    assert named("razz", "Ah 2d 3c 4s 9h") == [("low", "9-4-3-2-A")]


def test_a_shared_last_card_counts_in_razz() -> None:
    """RAZ-C06: with a short stub the seventh card lies in the middle for everybody."""
    assert named("razz", "Ah 2d 3c 4s 9h Kd", "5c") == [("low", "5-4-3-2-A")]


def test_shown_hands_are_named_and_mucked_ones_are_not() -> None:
    table = dealt("limit", 1000, 1000)
    assert shown_hands(view(table)) == {}
    while table.playing:
        assert table.hand is not None
        seat = table.hand.actor
        assert seat is not None
        legal = options(table)
        verb = next(verb for verb in ("check", "call", "muck", "show") if verb in legal)
        act(table, Act(seat, table.place(seat).player, verb, None, table.turn), 2)
    seen = view(table)
    shown = {place["seat"] for place in seen["seats"] if place and place["shown"]}
    assert shown
    assert set(shown_hands(seen)) == shown
    assert all(name["share"] in ("high", "low") for names in shown_hands(seen).values() for name in names)
