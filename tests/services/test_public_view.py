"""The stored view is made from parts that are kept: it must be what a view made at once would be (COM-75)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.game import Game, games
from engine.state import Table
from engine.table import evolve
from engine.view import view
from services.public_view import PublicView
from services.wire import pack, unpack
from tests.rules.random_play import played


@pytest.mark.parametrize("game", games().values(), ids=games())
@settings(max_examples=5, deadline=None)
@given(number=st.integers(0, 2**32))
def test_after_every_command_the_kept_parts_give_the_view_that_would_be_made_anew(game: Game, number: int) -> None:
    table, kept = Table("000-RANDOM"), PublicView()
    for step in played(game, number).steps:
        for fact in step.facts:
            evolve(table, fact)
        kept.note(step.facts)
        assert unpack(kept.packed(table)) == unpack(pack(view(table)))


def test_a_view_of_a_table_without_a_hand_has_none() -> None:
    table = played(games()["razz"], 7, hands=0).table
    assert unpack(PublicView().packed(table))["hand"] is None
