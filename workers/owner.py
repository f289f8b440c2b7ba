"""The one owner of a partition: takes its commands in order, runs its clocks, commits the outcome (eventlog W2-W7)."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import structlog

from engine.commands import Expire, ExtendClock, NextLevel, OpenTable, Pause, Resume, StartHand, VoidHand
from engine.draft import DealSource
from engine.events import MOVES_CARDS, moved_to
from engine.positions import Plan
from engine.refusals import Refused
from engine.rotation import gap_ms
from engine.state import Table
from engine.table import act
from engine.tournament import level_ends
from services.batch import Commit
from services.chain import extend
from services.choices import uncovered
from services.inbox import Arrival, Inbox, require_home
from services.log import Lease, Log
from services.orders import RESTORED, Freeze, Void
from services.outcomes import Outcome, encode_outcome
from services.reader import LogDamaged, Reader
from services.receipts import KeyReused, Superseded, answered
from services.recording import command_bytes, meant, request_bytes
from services.records import sealed_records
from services.sealing import SealKey, ViewKey
from services.store import StoreError, WrongType
from services.wire import (
    EVENTS,
    Envelope,
    Receipt,
    Recorded,
    WireError,
    decode_envelope,
    decode_request,
    pack,
)
from workers.clock import clock_of, due_of, next_deal, whole_time
from workers.desk import Desk, load_desk, require_tail
from workers.showing import show

FOLLOWED = {"HandStarted", "HandEnded", "HandVoided", "GameChosen", "Stood"}  # facts that mean more than what is seen
OUTAGE_MS = 1000  # a partition without owner for longer than this gives running clocks their time back
log = structlog.get_logger()
ANY_TIME = 1 << 52  # milliseconds, as the store tells them


@dataclass(frozen=True, slots=True)
class Tools:
    """What every owner works with. `seed` and `deal` are the only sources of chance; `plan` is for tests alone."""

    log: Log
    reader: Reader
    inbox: Inbox
    seal_key: SealKey
    view_key: ViewKey
    seed: Callable[[], bytes]
    deal: DealSource
    plan: Callable[[Table], tuple[bytes, Plan | None] | None] | None = None
    witness: dict[str, tuple[int, bytes]] = field(default_factory=dict)  # what this process saw committed last


class Owner:
    """Holds the lease of one partition. After any error of `flush` it must be thrown away and acquired again."""

    def __init__(self, lease: Lease, tools: Tools) -> None:
        self.lease = lease
        self.tools = tools
        self.cursor = lease.cursor
        self.desks: dict[str, Desk] = {}
        self.commits: list[Commit] = []
        self.due: dict[str, int] = dict(tools.reader.due(lease.partition, 1 << 52))

    # --- commands ----------------------------------------------------------------------------------------------------

    def take(self, arrivals: list[Arrival], latest: int = ANY_TIME) -> None:
        """Decide what has arrived, in order, none later than `latest` (ms); nothing is written before `flush`."""
        for arrival in arrivals:
            self.cursor = arrival.id
            try:
                envelope = decode_envelope(arrival.data)
                if envelope.table not in self.desks:
                    require_home(envelope.table, self.lease.partition)
                command = uncovered(decode_request(envelope.command), self.tools.view_key, *envelope[:3])
            except WireError as error:
                log.warning("unreadable command skipped", inbox_id=arrival.id, why=type(error).__name__)
                continue
            try:
                self.answer(envelope, command, min(arrival.at_ms, latest))
            except StoreError:
                raise
            except Exception as error:  # a fault of ours must cost one table, never a crash loop (P147)
                self.freeze(self.desks[envelope.table], envelope.table, error, envelope)

    def answer(self, envelope: Envelope, command: Any, now: int) -> None:
        desk = self.desk(envelope.table, isinstance(command, OpenTable))
        if desk is None:
            return self.refuse(envelope, Desk(Table(envelope.table)), "unknown_table", keep=False)
        while not desk.frozen and 0 < desk.due < now:
            self.tick(desk, now)  # the clock ran out before this command arrived
        last = desk.receipts.get(envelope.actor)
        try:
            again = answered(last, envelope)
        except (Superseded, KeyReused) as error:
            code = "superseded" if isinstance(error, Superseded) else "k_reused"
            return self.refuse(envelope, desk, code, {"last": last.k if last else 0}, keep=False)
        if again is not None:
            return self.repeat(envelope, desk, again)
        if desk.frozen:
            return self.thaw(envelope, command, desk, now)
        if isinstance(command, Freeze):
            return self.halt(desk, envelope, "AuditDiffers", command.why)
        if isinstance(command, Void):
            return self.refuse(envelope, desk, "table_not_frozen")
        try:
            command, sent = meant(command, envelope.command, desk.version)
            recorded = pack(Recorded(now, envelope.actor, envelope.k, request_bytes(command, sent)))
            commit = self.decide(desk, command, now, recorded)
        except Refused as refused:
            return self.refuse(envelope, desk, refused.code, refused.detail)
        except Exception as error:
            return self.freeze(desk, envelope.table, error, envelope)
        outcome = Outcome("", {}, commit.expected, commit.expected + len(commit.events))
        self.tell(commit, envelope, desk, outcome)

    def repeat(self, envelope: Envelope, desk: Desk, result: bytes) -> None:
        """The stored answer again; nothing else happens."""
        commit = Commit(envelope.table, desk.version, keep=False)
        commit.actor, commit.k, commit.body, commit.result = envelope.actor, envelope.k, envelope.body, result
        self.commits.append(commit)

    def refuse(
        self, envelope: Envelope, desk: Desk, code: str, detail: dict[str, Any] | None = None, keep: bool = True
    ) -> None:
        commit = Commit(envelope.table, desk.version, keep=keep)
        self.tell(commit, envelope, desk, Outcome(code, detail or {}, desk.version, desk.version))
        self.commits.append(commit)

    def tell(self, commit: Commit, envelope: Envelope, desk: Desk, outcome: Outcome) -> None:
        commit.actor, commit.k, commit.body = envelope.actor, envelope.k, envelope.body
        commit.result = encode_outcome(outcome)
        if commit.keep:
            desk.receipts[envelope.actor] = Receipt(commit.k, commit.body, commit.result)

    # --- deciding ----------------------------------------------------------------------------------------------------

    def decide(self, desk: Desk, command: Any, now: int, recorded: bytes) -> Commit:
        """Facts of one command as a commit that waits for `flush`. Raises Refused, or anything on a fault."""
        table = desk.table
        starting = isinstance(command, StartHand)
        clock = clock_of(table) if now < self.lease.taken_ms else None
        snapshot = (desk.version, desk.head, desk.snapshot()) if starting else None
        events = act(table, command, now, self.tools.deal)
        stored = [EVENTS.encode(event) for event in events]
        hashes = extend(table.id, desk.head, stored)
        commit = Commit(table.id, desk.version, stored, hashes, recorded, snapshot=snapshot)
        desk.version += len(stored)
        desk.head = hashes[-1]
        self.note(desk, commit, events, now)
        if starting:
            number = table.number
            commit.seed = (number, self.tools.seal_key.seal(command.seed, table.id, number))
        self.commits.append(commit)
        if clock is not None and clock_of(table) != clock:
            self.make_up(desk, now)
        return commit

    def note(self, desk: Desk, commit: Commit, events: list[Any], now: int) -> None:
        """What facts mean for private views, players' records and the clock."""
        table = desk.table
        desk.public.note(events)
        for event in events:
            kind = type(event).__name__
            if kind in MOVES_CARDS:
                assert table.hand is not None
                for seat in moved_to(event):
                    desk.dealt.update(dict.fromkeys(table.seats_of(table.hand.seats[seat].player)))
            elif kind in FOLLOWED:
                self.follow(desk, commit, event, now)
        desk.due = self.next_due(desk, now)

    def follow(self, desk: Desk, commit: Commit, event: Any, now: int) -> None:
        """What one of the facts FOLLOWED means for them."""
        table, kind = desk.table, type(event).__name__
        if kind == "HandStarted":
            desk.dealt.update(dict.fromkeys(s for _, player, _ in event.seats for s in table.seats_of(player)))
        elif kind == "Stood":
            commit.forget = (*commit.forget, event.player)
        else:
            desk.start_at = now + gap_ms(table)
        if kind in ("HandEnded", "HandVoided"):
            commit.ended = table.number
        if kind == "HandEnded":
            commit.records = sealed_records(table, self.tools.view_key)

    def next_due(self, desk: Desk, now: int) -> int:
        """When the clock next acts, see `workers.clock`."""
        if not desk.table.playing:
            desk.start_at = next_deal(desk.table, desk.start_at, now)
        return due_of(desk.table, desk.start_at)

    # --- clocks ------------------------------------------------------------------------------------------------------

    def overdue(self, now: int) -> bool:
        return any(0 < due < now for due in self.due.values())

    def fire(self, now: int) -> None:
        """Run every clock that has run out before `now`; first what arrived until now, for it wins (eventlog 5)."""
        self.take(self.tools.inbox.drain(self.lease.partition, self.cursor, now))
        for table_id in [table_id for table_id, due in self.due.items() if 0 < due < now]:
            desk = self.desk(table_id)
            if desk is None or desk.frozen:
                self.due.pop(table_id)
            elif desk.due < now:
                self.tick(desk, now)

    def tick(self, desk: Desk, now: int) -> None:
        """The clock acts: a level or a turn is over, or the next hand is dealt."""
        table = desk.table
        command: Any
        if desk.due == level_ends(table):
            command = NextLevel(table.level + 1)
        elif table.playing:
            assert table.hand is not None
            command = Expire(table.turn, table.hand.deadline)
        else:
            prescribed = self.tools.plan(table) if self.tools.plan is not None else None
            seed, plan = prescribed or (self.tools.seed(), None)
            command = StartHand(seed, desk.head, plan)
        try:
            self.decide_by_itself(desk, command, now)
        except Refused:
            desk.start_at = 0
            desk.due = 0
            self.commits.append(Commit(table.id, desk.version))
        except Exception as error:
            self.freeze(desk, table.id, error, None)
        self.due[table.id] = desk.due

    def resume_clocks(self) -> None:
        """After an outage every running turn gets its length back, by an event."""
        if self.lease.idle_ms < OUTAGE_MS:
            return
        for table_id in list(self.due):
            desk = self.desk(table_id)
            if desk is None or desk.frozen or not desk.table.playing or desk.table.status == "paused":
                continue
            with suppress(Refused):
                self.decide_by_itself(desk, ExtendClock(self.lease.idle_ms, "outage"), self.lease.taken_ms)
                self.due[table_id] = desk.due

    def make_up(self, desk: Desk, now: int) -> None:
        """A turn given during an outage, by a command that waited, begins for its player when the outage is over."""
        hand, outage = desk.table.hand, self.lease.idle_ms >= OUTAGE_MS
        if outage and hand is not None and hand.clocked and desk.table.status != "paused":
            self.decide_by_itself(desk, ExtendClock(self.lease.taken_ms - now, "outage"), now)

    # --- faults ------------------------------------------------------------------------------------------------------

    def freeze(self, desk: Desk, table_id: str, error: Exception, envelope: Envelope | None) -> None:
        """A fault stops this table alone; its state is dropped, its command kept with where it failed.

        The exception's own text is not kept: it might show a card.
        """
        where = "".join(traceback.format_tb(error.__traceback__))
        commit = self.stop(desk, table_id, type(error).__name__, where[-4000:], envelope.command if envelope else b"")
        if envelope is not None:
            self.tell(commit, envelope, desk, Outcome("engine_error", {}, desk.version, desk.version))

    def halt(self, desk: Desk, envelope: Envelope, kind: str, why: str) -> None:
        """Stop as a fault would, because somebody who looked at the log asks for it."""
        commit = self.stop(desk, envelope.table, kind, why[:200], b"")
        self.tell(commit, envelope, desk, Outcome("", {}, desk.version, desk.version))

    def stop(self, desk: Desk, table_id: str, kind: str, where: str, command: bytes) -> Commit:
        """The table stands still from this commit on; `command` is kept with the place it failed at."""
        log.error("table frozen", table=table_id, error=kind)
        desk.frozen = kind
        desk.due = desk.stored_due = self.due[table_id] = 0
        desk.dealt.clear()
        parked = pack((command, kind, where))
        commit = Commit(table_id, desk.version, frozen=kind.encode(), parked=parked, deadline=0)
        self.commits.append(commit)
        return commit

    def thaw(self, envelope: Envelope, command: Any, desk: Desk, now: int) -> None:
        """A frozen table refuses everything but the host's resume or void, which fold it again from its log.

        Not in the batch that froze it: the log does not hold yet what that batch decided before.
        """
        decided = any(one.table == envelope.table and (one.events or one.frozen) for one in self.commits)
        if decided or not isinstance(command, (Resume, Void)):
            return self.refuse(envelope, desk, "table_frozen")
        try:
            fresh = load_desk(self.tools.reader, self.tools.seal_key, self.tools.deal, envelope.table)
        except LogDamaged:
            return self.refuse(envelope, desk, "table_frozen")
        if isinstance(command, Void) and not fresh.table.playing:
            return self.refuse(envelope, desk, "no_hand")
        restored = desk.frozen == RESTORED
        desk.table, desk.version, desk.head, desk.frozen = fresh.table, fresh.version, fresh.head, ""
        desk.public = fresh.public
        commit = Commit(envelope.table, desk.version, frozen=b"", parked=b"")
        self.tell(commit, envelope, desk, Outcome("", {}, desk.version, desk.version))
        self.commits.append(commit)
        if isinstance(command, Void):
            self.decide_by_itself(desk, VoidHand(command.actor, command.why), now)
        elif restored:
            self.tell_of_restore(desk, now)
        self.start_clock(desk, now)
        return None

    def decide_by_itself(self, desk: Desk, command: Any, now: int) -> None:
        """A command of the owner's own."""
        self.decide(desk, command, now, pack(Recorded(now, "", 0, command_bytes(command))))

    def tell_of_restore(self, desk: Desk, now: int) -> None:
        """The log itself says where it was set back to, for everybody who remembers more than it does now."""
        if desk.table.status == "running":
            why = f"set back to the end of hand {desk.table.number}; what came after is void"
            self.decide_by_itself(desk, Pause("restore", why), now)
            self.decide_by_itself(desk, Resume("restore"), now)

    def start_clock(self, desk: Desk, now: int) -> None:
        """Whoever had the turn when the table was stopped gets his whole time from now."""
        by = whole_time(desk.table, now)
        if by > 0:
            self.decide_by_itself(desk, ExtendClock(by, "stopped"), now)
        desk.due = self.next_due(desk, now)

    def desk(self, table_id: str, opening: bool = False) -> Desk | None:
        """The table, loaded if it is cold; None if there is none (and none is being opened)."""
        desk = self.desks.get(table_id)
        if desk is None:
            try:
                desk = load_desk(self.tools.reader, self.tools.seal_key, self.tools.deal, table_id)
                require_tail(self.tools.reader, desk, self.tools.witness.get(table_id))
            except ValueError:
                return None
            except Exception as error:  # a log that is damaged, or that breaks the program: this table alone
                if isinstance(error, StoreError) and not isinstance(error, (LogDamaged, WrongType)):
                    raise
                version, head = self.tools.reader.head(table_id)
                desk = Desk(Table(table_id), version, head)
                self.desks[table_id] = desk
                self.freeze(desk, table_id, error, None)
                return desk
            if desk.version == 0 and not opening:
                return None
            desk.due = desk.stored_due = desk.start_at = self.due.get(table_id, 0)
            self.desks[table_id] = desk
        return desk

    # --- commit ------------------------------------------------------------------------------------------------------

    def flush(self) -> int:
        """Commit everything decided since the last flush; returns the number of commands and clock acts.

        Raises what `Log.commit` raises: then this owner's memory is worthless.
        """
        commits = self.commits
        if not commits and self.cursor == self.lease.cursor:
            return 0
        self.commits = []
        latest = {commit.table: commit for commit in commits}
        for table_id, commit in latest.items():
            desk = self.desks.get(table_id)
            if desk is not None and not desk.frozen and desk.version:
                self.project_or_freeze(desk, commit)
        self.tools.log.commit(self.lease, commits, self.cursor if self.cursor != self.lease.cursor else None)
        for table_id in latest:
            if table_id in self.desks:
                self.tools.witness[table_id] = (self.desks[table_id].version, self.desks[table_id].head)
        return len(commits)

    def project_or_freeze(self, desk: Desk, commit: Commit) -> None:
        """What was decided stands even if it cannot be shown; the table then stands still."""
        try:
            self.project(desk, commit)
        except Exception as error:
            log.error("table frozen", table=commit.table, error=type(error).__name__)
            desk.frozen = type(error).__name__
            desk.stored_due = self.due[commit.table] = 0
            commit.frozen, commit.deadline = desk.frozen.encode(), 0

    def project(self, desk: Desk, commit: Commit) -> None:
        """Views, lobby row and clock as of the last commit of the batch."""
        show(desk, commit, self.tools.view_key)
        if desk.due != desk.stored_due:
            commit.deadline = desk.stored_due = desk.due
        self.due[desk.table.id] = desk.due
