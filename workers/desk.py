"""One table in its owner's memory: the folded state and all that the next commit needs to know."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine import snapshot
from engine.deck import hand_id
from engine.draft import DealSource
from engine.state import Table
from services.public_view import PublicView
from services.reader import ChainBroken, Loaded, Reader
from services.sealing import SealKey
from services.wire import Receipt, fold, pack, unpack


@dataclass(slots=True)
class Desk:
    """`due`: when the clock next acts here (ms), 0 if it stands still."""

    table: Table
    version: int = 0
    head: bytes = b""
    receipts: dict[str, Receipt] = field(default_factory=dict)
    frozen: str = ""
    archived: int = 0
    due: int = 0
    stored_due: int = 0
    start_at: int = 0
    listed: tuple[object, ...] = ()  # what the stored row of the lobby was made of
    public: PublicView = field(default_factory=PublicView)
    dealt: dict[int, None] = field(default_factory=dict)  # seats whose private view is out of date, in order

    def snapshot(self) -> bytes:
        return pack(snapshot.take(self.table))


def load_desk(reader: Reader, seal_key: SealKey, deal: DealSource, table_id: str) -> Desk:
    """Snapshot and events after it; a running hand's deck is dealt again from its sealed seed.

    Raises LogDamaged when the log is not what was written.
    """
    loaded = reader.load(table_id)
    table = start_state(table_id, loaded)
    if table is None:
        loaded = reader.load(table_id, from_snapshot=False)
        table = Table(table_id)
    fold(table, [entry.event for entry in loaded.entries])
    if table.hand is not None:
        learn_deck(table, reader, seal_key, deal)
    return Desk(table, loaded.version, loaded.head, loaded.receipts, loaded.frozen.decode(), loaded.archived)


def require_tail(reader: Reader, desk: Desk, seen: tuple[int, bytes] | None) -> None:
    """The store still has what was seen committed (eventlog 3.5): a version and its hash; and no event that nobody has
    committed. Raises LostTail, LogGap or ChainBroken.
    """
    if reader.page(desk.table.id, desk.version, 1):
        raise ChainBroken(f"{desk.table.id}: an event after version {desk.version}")
    if seen is not None and seen[0] > desk.archived:
        reader.require_tail(desk.table.id, *seen)


def start_state(table_id: str, loaded: Loaded) -> Table | None:
    """What the snapshot holds; an empty table without one; None if it is of a format we do not read."""
    if not loaded.snapshot:
        return Table(table_id)
    return snapshot.restore(table_id, unpack(loaded.snapshot))


def learn_deck(table: Table, reader: Reader, seal_key: SealKey, deal: DealSource) -> None:
    """A hand whose seed has gone to the archive is over; its deck is not needed again."""
    hand = table.hand
    assert hand is not None
    sealed = reader.seed(table.id, hand.number)
    if sealed is not None:
        hand.learn(deal(seal_key.open(sealed, table.id, hand.number), hand_id(table.id, hand.number)))
