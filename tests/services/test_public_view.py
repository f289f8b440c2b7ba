"""The stored view is made from parts that are kept: it must be what a view made at once would be (COM-75)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.events import HandStarted
from engine.game import Game, games
from engine.state import Table
from engine.table import evolve
from engine.view import View, view
from services.public_view import PublicView, joined, whole
from services.wire import Unreadable, pack, unpack
from tests.rules.random_play import played


@pytest.mark.parametrize("game", games().values(), ids=games())
@settings(max_examples=5, deadline=None)
@given(number=st.integers(0, 2**32))
@example(number=25)  # Hasaga: a big blind that stays through two streets
@example(number=68)  # Hasaga: a card that was bought is shown, and seen at the seat it was bought from
def test_after_every_command_the_stored_parts_give_the_view_that_would_be_made_anew(game: Game, number: int) -> None:
    table, kept, stored = Table("000-RANDOM"), PublicView(), {}
    for step in played(game, number).steps:
        for fact in step.facts:
            evolve(table, fact)
        kept.note(step.facts)
        stored |= as_stored(kept.changed(table))
        assert plain(joined(stored)) == plain(view(table))


def written() -> Iterator[tuple[Any, Table, dict[str, bytes]]]:
    """Some hands of Omaha-8, step by step: the table after it, and the parts that it writes."""
    table, kept = Table("000-RANDOM"), PublicView()
    for step in played(games()["omaha8"], 3).steps:
        for fact in step.facts:
            evolve(table, fact)
        kept.note(step.facts)
        yield step, table, kept.changed(table)


def test_an_action_writes_what_it_changes_and_nothing_else() -> None:
    """A fold is seen at one place, and in whose turn it is."""
    folds = []
    for step, _, changed in written():
        if [type(fact).__name__ for fact in step.facts] == ["Folded"]:
            folds.append(set(changed) - {"m", str(step.facts[0].seat)})
    assert folds and not any(folds)


def test_with_a_new_hand_everything_is_stored_again() -> None:
    """So a view whose parts were lost is whole again in the next hand."""
    for step, table, changed in written():
        if any(isinstance(fact, HandStarted) for fact in step.facts):
            assert changed == whole(table)


def test_a_view_of_a_table_without_a_hand_has_none() -> None:
    table = played(games()["razz"], 7, hands=0).table
    assert joined(as_stored(whole(table)))["hand"] is None


def test_a_view_that_an_older_program_stored_as_a_whole_is_still_read() -> None:
    table = played(games()["razz"], 7).table
    assert joined({b"view": pack(view(table))}) == plain(view(table))


@pytest.mark.parametrize("lost", ["view", "t", "h", "c", "m", "0"])
def test_a_view_without_one_of_its_parts_is_none(lost: str) -> None:
    parts = as_stored(whole(played(games()["razz"], 7).table))
    del parts[lost.encode()]
    with pytest.raises(Unreadable):
        joined(parts)


def plain(seen: View) -> object:
    """With arrays as tuples."""
    return unpack(pack(seen))


def as_stored(parts: dict[str, bytes]) -> dict[bytes, bytes]:
    """As the store gives them back."""
    return {name.encode(): data for name, data in parts.items()}
