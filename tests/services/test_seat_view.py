"""A seat's own view is stored as bytes; opened, it is what the player may see (COM-75), with the proof of each card."""

from __future__ import annotations

import pytest

from engine.game import Game, games
from engine.view import View, private_view
from services.seat_view import opened, packed
from services.wire import pack, unpack
from tests.rules.random_play import played


@pytest.mark.parametrize("game", games().values(), ids=games())
def test_what_was_stored_says_what_the_player_may_see(game: Game) -> None:
    table = played(game, 5).table
    own = [private_view(table, seat) for seat in range(len(table.places))]
    assert any(seen["cards"] for seen in own)
    for seat, seen in enumerate(own):
        assert plain(opened(packed(table, seat))) == plain(seen)


def test_a_view_that_an_older_program_stored_with_names_is_still_read() -> None:
    table = played(games()["hasaga"], 5).table
    seat = next(seat for seat in range(len(table.places)) if private_view(table, seat)["cards"])
    seen = private_view(table, seat)
    assert "also" in seen and plain(opened(pack(seen))) == plain(seen)


def plain(seen: View) -> object:
    """With arrays as tuples."""
    return unpack(pack(seen))
