"""Fans the events of tables out to live streams: read once, encoded once, whatever the number of watchers.

Every client has a bounded queue. One that cannot keep up is closed: it comes back and resumes after the last id it
saw. Ids are versions of the table, so nothing is sent twice and a hole cannot go unnoticed.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from queue import Empty, Full, Queue
from typing import Literal

import structlog

from api.asking import event_document
from api.frames import Frame
from api.house import seen_document
from api.metrics import Metrics
from services.reader import Entry, LogGap
from services.store import StoreError
from services.tables import Own, Seen, Shown, Tables, Viewer, shown
from services.wire import Notice

QUEUE_MOST = 64
RESUME_MOST = 500
"""Events sent to somebody who resumes; with more to catch up he starts anew."""
PING_S = 15.0
LOOK_S = 5.0
"""How often tables are looked at without a notice: one may have been missed while the store was away."""
TABLES_AT_ONCE = 50
"""Read in one round trip."""
log = structlog.get_logger()


@dataclass(frozen=True)
class Batch:
    """Events `after` + 1 … `version` and the state after them, for everybody and for each watching seat."""

    version: int
    public: list[Frame]
    private: dict[Viewer, list[Frame]]
    over: frozenset[Viewer] = frozenset()
    """whose seat somebody else has taken: they see what everybody sees, once more, and are closed"""


@dataclass(eq=False)
class Stream:
    """One client. `last`: the version it has been sent."""

    table: str
    viewer: Viewer | None
    queue: Queue[Batch] = field(default_factory=lambda: Queue(QUEUE_MOST))
    last: int = 0
    slow: bool = False


class Channel:
    """A table somebody watches. `number`: the hand that had begun at `version`."""

    def __init__(self, table: str, seen: Seen) -> None:
        self.table = table
        self.version = seen.version
        self.number = int(seen.view["number"])
        self.streams: set[Stream] = set()

    def viewers(self) -> set[Viewer]:
        return {stream.viewer for stream in self.streams if stream.viewer is not None}


class Hub:
    """`ping_s`: seconds between comments on a silent stream."""

    def __init__(self, tables: Tables, metrics: Metrics, ping_s: float = PING_S) -> None:
        self._tables = tables
        self._metrics = metrics
        self._ping_s = ping_s
        self._lock = threading.Lock()
        self._channels: dict[str, Channel] = {}
        self._looked_at = time.monotonic()

    def watched(self, table: str | None = None) -> int:
        """Open streams, of one table or of all."""
        with self._lock:
            channels = [channel for channel in self._channels.values() if table in (None, channel.table)]
            return sum(len(channel.streams) for channel in channels)

    # --- a client ----------------------------------------------------------------------------------------------------

    def bursts(self, table: str, viewer: Viewer | None, last: int | None) -> Iterator[list[Frame]]:
        """Everything for one client until he goes: a snapshot, or what he missed since `last`, then what happens.

        Frames of one moment come together; none at all stand for a ping. Ends when the client is too slow or its seat
        is somebody else's now.
        """
        stream = self._enter(table, viewer)
        try:
            yield list(self._opening(stream, last))
            yield from self._following(stream)
        finally:
            self._leave(stream)

    def _enter(self, table: str, viewer: Viewer | None) -> Stream:
        """First the queue, then the snapshot: what happens in between is in both and is sent once."""
        stream = Stream(table, viewer)
        with self._lock:
            channel = self._channels.get(table)
            if channel is None:
                seen = self._tables.see(table)
                assert seen is not None, "a stream of a table that does not exist"
                channel = self._channels[table] = Channel(table, seen)
            channel.streams.add(stream)
        self._metrics.streams.inc()
        return stream

    def _leave(self, stream: Stream) -> None:
        with self._lock:
            channel = self._channels[stream.table]
            channel.streams.discard(stream)
            if not channel.streams:
                del self._channels[stream.table]
        self._metrics.streams.dec()

    def _opening(self, stream: Stream, last: int | None) -> Iterator[Frame]:
        seen = self._tables.see(stream.table, stream.viewer)
        assert seen is not None
        stream.last = seen.version
        missed = None if last is None else self._missed(stream, last, seen)
        if missed is None:
            if last is not None:
                self._metrics.resyncs.inc()
            yield Frame("snapshot" if last is None else "resync", seen.version, seen_document(seen))
            return
        yield from (Frame("event", event.version, event_document(event)) for event in missed if event.event)
        # The state may be what got lost with the connection, so it comes even if nothing else does.
        yield Frame("state", seen.version if missed else None, seen_document(seen))

    def _missed(self, stream: Stream, last: int, seen: Seen) -> list[Shown] | None:
        """Events after `last`; None if they cannot all be had, or the store does not know as much as the client."""
        count = seen.version - last
        if count == 0:
            return []
        if not 0 < count <= RESUME_MOST:
            return None
        try:
            return self._tables.events(stream.table, last, count, stream.viewer)
        except LogGap:
            return None

    def _following(self, stream: Stream) -> Iterator[list[Frame]]:
        while not stream.slow:
            try:
                batch = stream.queue.get(timeout=self._ping_s)
            except Empty:
                yield []
                continue
            viewer = stream.viewer
            frames = batch.public if viewer is None or viewer in batch.over else batch.private[viewer]
            if news := [frame for frame in frames if frame.id is not None and frame.id > stream.last]:
                yield news
            stream.last = max(stream.last, batch.version)
            if viewer in batch.over:
                return

    # --- the feed ----------------------------------------------------------------------------------------------------

    def hear(self, notices: list[Notice]) -> None:
        """Of the process's feed: bring every watched table that has changed to its watchers."""
        self._bring({notice.table for notice in notices if notice.version > notice.after})
        if time.monotonic() - self._looked_at > LOOK_S:
            self._looked_at = time.monotonic()
            self._bring(set(self._channels))

    def _bring(self, tables: set[str]) -> None:
        watched = [channel for table in tables if (channel := self._channels.get(table)) is not None]
        for at in range(0, len(watched), TABLES_AT_ONCE):
            try:
                self._advance(watched[at : at + TABLES_AT_ONCE])
            except StoreError as error:
                log.warning("tables cannot be read", error=type(error).__name__)

    def _advance(self, channels: list[Channel]) -> None:
        news = self._tables.news({channel.table: channel.version for channel in channels})
        for channel in channels:
            if channel.table in news:
                batch = self._next(channel, *news[channel.table])
                with self._lock:
                    for stream in list(channel.streams):
                        self._put(channel, stream, batch)

    def _put(self, channel: Channel, stream: Stream, batch: Batch) -> None:
        """A viewer who came while the batch was made gets a snapshot that is at least as new: it is not for him."""
        if stream.viewer is not None and stream.viewer not in batch.private and stream.viewer not in batch.over:
            return
        try:
            stream.queue.put_nowait(batch)
            self._metrics.frames.inc(len(batch.public))
        except Full:
            stream.slow = True
        if stream.slow:
            channel.streams.discard(stream)
            self._metrics.slow.inc()

    def _next(self, channel: Channel, seen: Seen, entries: list[Entry] | None) -> Batch:
        """What has happened since the channel's version."""
        with self._lock:
            viewers = channel.viewers()
        if entries is None:
            batch = self._resync(seen, channel, viewers)
        else:
            batch = self._batch(seen, channel, entries, viewers)
        channel.version, channel.number = seen.version, int(seen.view["number"])
        return batch

    def _batch(self, seen: Seen, channel: Channel, entries: list[Entry], viewers: set[Viewer]) -> Batch:
        """Frames of the events, then the state."""
        events = [event for event in map(shown, entries) if event.event]
        frames = [Frame("event", event.version, event_document(event)) for event in events]
        over = frozenset(viewer for viewer in viewers if any(replaces(event, viewer) for event in events))
        private = {}
        for viewer in viewers - over:
            own = self._tables.own(channel.table, viewer, seen.view)
            filled = map(Own(own, channel.number).fill, events)
            private[viewer] = [*map(own_frame, frames, events, filled), state("state", seen, own)]
        return Batch(seen.version, [*frames, state("state", seen)], private, over)

    def _resync(self, seen: Seen, channel: Channel, viewers: set[Viewer]) -> Batch:
        """There is a hole: everybody starts anew from the view."""
        self._metrics.resyncs.inc(len(channel.streams))
        private = {
            viewer: [state("resync", seen, self._tables.own(channel.table, viewer, seen.view))] for viewer in viewers
        }
        return Batch(seen.version, [state("resync", seen)], private)


def own_frame(public: Frame, event: Shown, filled: Shown) -> Frame:
    """The shared frame, or one of the viewer's own if it shows him more."""
    if filled is event:
        return public
    return Frame("event", event.version, event_document(filled))


def state(kind: Literal["state", "resync"], seen: Seen, own: dict[str, object] | None = None) -> Frame:
    """The whole view as a frame."""
    if own is not None:
        seen = seen._replace(view={**seen.view, "you": own})
    return Frame(kind, seen.version, seen_document(seen))


def replaces(event: Shown, viewer: Viewer) -> bool:
    """Somebody has sat down on the viewer's seat after his session began."""
    facts = event.event or {}
    return facts.get("event") == "Sat" and facts["seat"] == viewer.seat and event.version > viewer.since
