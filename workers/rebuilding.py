"""Views again from the log: what everybody sees, what each seat sees, players' last hands, the lobby, the clocks.

A view holds nothing that the log does not say, so it may be thrown away at any time, also beside running workers: the
script that writes views compares the table's version, and writes no event.
"""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from engine.deck import hand_id, sealed_deck
from engine.events import MOVES_CARDS, HandEnded, HandStarted, Stood, moved_to
from engine.state import Table
from engine.table import evolve
from services.batch import HANDS_MOST
from services.history import History
from services.keys import partition_keys, partition_of, table_keys
from services.public_view import whole
from services.reader import Loaded, Reader
from services.records import sealed_records
from services.scripts import Script
from services.sealing import SealKey, ViewKey
from services.seat_view import packed
from services.segment import Segment
from services.store import Client
from services.wire import EVENTS, pack
from workers.clock import due_of, next_deal
from workers.desk import learn_deck, start_state
from workers.lobby import lobby_row

TRIES = 20
PAUSE_S = 0.05


class Busy(Exception):
    """The table was changed each time before its views were written."""


@dataclass(slots=True)
class Tools:
    """`seal_key` deals the running hand and the players' last ones again, `view_key` seals what they see."""

    client: Client
    reader: Reader
    history: History
    seal_key: SealKey
    view_key: ViewKey


@dataclass(slots=True)
class Album:
    """Sealed records of the players' last hands, as far as `hand` (COM-64)."""

    hand: int = 0
    version: int = 0
    players: dict[str, deque[bytes]] = field(default_factory=dict)

    def add(self, segment: Segment, tools: Tools) -> None:
        """The records of one more hand; who leaves takes his with him."""
        table = segment.start()
        for event in segment.events():
            evolve(table, event)
            if isinstance(event, HandStarted) and segment.sealed_seed and table.hand is not None:
                seed = tools.seal_key.open(segment.sealed_seed, segment.table, segment.hand)
                table.hand.learn(sealed_deck(seed, hand_id(segment.table, segment.hand)))
            elif isinstance(event, HandEnded):
                self.enter(table, tools.view_key)
            elif isinstance(event, Stood):
                self.players.pop(event.player, None)
        self.hand, self.version = segment.hand, segment.last

    def enter(self, table: Table, key: ViewKey) -> None:
        """The records of the hand that has just ended."""
        for player, record in sealed_records(table, key).items():
            self.players.setdefault(player, deque(maxlen=HANDS_MOST)).appendleft(record)


class Rebuilder:
    """Rebuilds one table after the other."""

    _script = Script("views")

    def __init__(self, tools: Tools) -> None:
        self._tools = tools

    def table(self, table: str) -> int:
        """Write all views of a table; the version they show. Raises Busy, LogDamaged or SealBroken."""
        album = Album()
        for _ in range(TRIES):
            self.follow(table, album)
            version = self.write(table, album)
            if version:
                return version
            time.sleep(PAUSE_S)
        raise Busy(table)

    def follow(self, table: str, album: Album) -> None:
        """The records of all hands that the album does not know yet."""
        for segment in self._tools.history.finished(table, album.hand + 1):
            album.add(segment, self._tools)

    def write(self, table: str, album: Album) -> int:
        """The version of the views; 0 if the table has changed meanwhile."""
        loaded = self._tools.reader.load(table)
        folded, dealt = self.fold(table, loaded)
        keys, shared = table_keys(table), partition_keys(partition_of(table))
        names = [keys.state, keys.public, shared.tables, shared.due]
        now = int(time.time() * 1000)
        due = 0 if loaded.frozen else due_of(folded, next_deal(folded, 0, now))  # a pause between hands starts anew
        words: list[Any] = [loaded.version, loaded.head, table, pack(lobby_row(folded)), due]
        parts = [word for pair in whole(folded).items() for word in pair]
        words += len(parts), *parts, len(dealt)
        for seat, version in dealt.items():
            names.append(keys.seat(seat))
            sealed = self._tools.view_key.seal(packed(folded, seat), table, seat, version)
            words += len(names), version, sealed
        mine = self.still_there(table, album, loaded.version)
        words.append(len(mine))
        for player, kept in mine.items():
            names.append(keys.hands(player))
            words += len(names), len(kept), *kept
        done = self._script.call(self._tools.client, names, words)[0] == b"OK"
        return loaded.version if done else 0

    def still_there(self, table: str, album: Album, version: int) -> dict[str, deque[bytes]]:
        """The records of who has not left since the last finished hand."""
        events = (EVENTS.decode(entry.event) for entry in self._tools.reader.entries(table, album.version, version))
        left = [event.player for event in events if isinstance(event, Stood)]
        return {player: kept for player, kept in album.players.items() if player not in left}

    def fold(self, table_id: str, loaded: Loaded) -> tuple[Table, dict[int, int]]:
        """The table, and by seat the version at which its player was last given cards in this hand and session."""
        table = start_state(table_id, loaded)
        if table is None:
            return self.fold(table_id, self._tools.reader.load(table_id, from_snapshot=False))
        dealt: dict[int, int] = {}
        for entry in loaded.entries:
            event = EVENTS.decode(entry.event)
            evolve(table, event)
            hand = table.hand
            if isinstance(event, HandStarted):
                learn_deck(table, self._tools.reader, self._tools.seal_key, sealed_deck)
                dealt = dict.fromkeys((seat for seat, *_ in event.seats), entry.version)
            elif isinstance(event, Stood):
                dealt.pop(event.seat, None)
            elif type(event).__name__ in MOVES_CARDS and hand is not None:
                for seat in moved_to(event):
                    dealt.update(dict.fromkeys(hand.seats_of(seat), entry.version))
        return table, dealt if table.hand is not None and table.hand.deal is not None else {}
