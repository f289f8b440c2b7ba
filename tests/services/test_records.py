"""Records of a player's last hands are stored as values; opened, they are what he is told (COM-64)."""

from __future__ import annotations

import pytest

from engine.game import Game, games
from services.records import opened, records, sealed_records
from services.sealing import ViewKey
from services.wire import pack, unpack
from tests.rules.random_play import played

KEY = ViewKey(bytes(32))


@pytest.mark.parametrize("game", games().values(), ids=games())
def test_what_was_stored_says_what_the_player_may_keep(game: Game) -> None:
    table = played(game, 5).table
    told, stored = records(table), sealed_records(table, KEY)
    assert table.hand is not None and stored.keys() == {seat.player for seat in table.hand.seats.values()}
    for sealed in stored.values():
        seat, number, record = unpack(sealed)
        assert plain(opened(KEY.open(record, table.id, seat, number))) == plain(told[seat])


def test_a_record_that_an_older_program_stored_with_names_is_still_read() -> None:
    record = records(played(games()["omaha8"], 5).table)
    for told in record.values():
        assert plain(opened(pack(told))) == plain(told)


def plain(record: object) -> object:
    """With arrays as tuples."""
    return unpack(pack(record))
