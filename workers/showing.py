"""What viewers find in the store after a commit: the public view, sealed private ones, the table's row of the lobby."""

from __future__ import annotations

from services.batch import Commit
from services.sealing import ViewKey
from services.seat_view import packed
from services.wire import pack
from workers.desk import Desk
from workers.lobby import lobby_row, seated


def show(desk: Desk, commit: Commit, view_key: ViewKey) -> None:
    """The table as it is now, as far as viewers have not been shown it yet."""
    table = desk.table
    only_play = desk.public.only_play
    commit.view = desk.public.changed(table)
    if desk.dealt:
        show_cards(desk, commit, view_key)
    if not only_play:
        list_table(desk, commit)


def show_cards(desk: Desk, commit: Commit, view_key: ViewKey) -> None:
    """To each seat whose cards have moved, its own."""
    table = desk.table
    commit.seats = {
        seat: view_key.seal(packed(table, seat), table.id, seat, desk.version) for seat in desk.dealt
    }
    desk.dealt.clear()


def list_table(desk: Desk, commit: Commit) -> None:
    """The lobby's row, where it has changed: most commands change nothing of it."""
    table = desk.table
    listed = (table.game, table.options, table.level, table.status, table.number, seated(table))
    if listed != desk.listed:
        desk.listed = listed
        commit.lobby = pack(lobby_row(table))
