"""From the store to the archive: finished hands are verified, inserted, read back, and only then trimmed.

A sweep derives its work from the store (the hands that wait there), so one that was lost, doubled or killed
at any point changes nothing: the next one finds what is left to do.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

import structlog
from sqlalchemy.exc import SQLAlchemyError

from services.archive import Archive, ArchiveDamaged
from services.audit import Case, Check, run, verify
from services.audit_log import CHORES, AuditLog, Read
from services.auditor import unsealed_for
from services.history import History
from services.log import Log, StillNeeded
from services.reader import Reader
from services.redeciding import decided_if_ours
from services.sealing import SealKey
from services.segment import Segment
from services.store import OutcomeUnknown, StoreRefused

HOT = 2
"""Finished hands of a table that stay in the store too, for watchers that reconnect."""
VERIFIED_AT_ONCE = 200

TROUBLE = (SQLAlchemyError, StoreRefused, OutcomeUnknown)
"""Nothing wrong with the table: the next sweep tries again."""

logger = structlog.get_logger()


@dataclass(slots=True)
class Swept:
    """What a sweep did. `wrong`: tables whose log and archive contradict each other, with the reason."""

    archived: int
    trimmed: int
    wrong: dict[str, str]


class Sweeper:
    """`seal_key` None: hands are verified without their decks, their commands decided as far as the cards are known."""

    def __init__(self, log: Log, reader: Reader, archive: Archive, seal_key: SealKey | None) -> None:
        self._log = log
        self._reader = reader
        self._archive = archive
        self._seal_key = seal_key
        self._history = History(reader, archive)
        self._audit_log = AuditLog(archive.engine)

    def sweep(self, partitions: Iterable[int]) -> Swept:
        """Archive and trim all that waits in these partitions; one table in trouble stops no other."""
        swept = Swept(0, 0, {})
        for partition in partitions:
            waiting = sorted(self._reader.finished(partition))
            for table, hands in groupby(waiting, itemgetter(0)):
                try:
                    self._sweep_table(table, {hand: version for _, hand, version in hands}, swept)
                except TROUBLE as error:
                    logger.warning("hand not archived yet", table=table, error=type(error).__name__)
                except Exception as error:  # a damaged log may break the program anywhere
                    logger.error("hand not archived", table=table, error=type(error).__name__)
                    swept.wrong[table] = type(error).__name__
        return swept

    def behind(self, partitions: Iterable[int]) -> dict[str, str]:
        """Tables whose store has less than their archive (eventlog.md 3.5): it lost what was acknowledged."""
        ends = self._archive.ends()
        lobbies = (self._reader.lobby(partition) for partition in partitions)
        versions = self._reader.versions([table for lobby in lobbies for table in lobby if table in ends])
        return {
            table: f"the store is behind: version {version}, the archive has {ends[table]} (croupier restore)"
            for table, version in versions.items()
            if version < ends[table]
        }

    def verify(self, table: str, hand: int) -> str:
        """Audit one hand and record the verdict: "ok", or the name of the first check that failed.

        Raises NotLogged: then its seed was not touched.
        """
        self._note(table, hand, "asked for")
        verdict = self._verdict(table, hand)
        self._keep({(table, hand): verdict})
        return verdict

    def _note(self, table: str, hand: int, why: str) -> None:
        """In the audit log, before seeds are unsealed for a check that shows them to nobody."""
        if self._seal_key is not None:
            self._audit_log.write(Read(CHORES, "verify", table, hand, why))

    def _keep(self, verdicts: dict[tuple[str, int], str]) -> None:
        for (table, hand), verdict in verdicts.items():
            if verdict != "ok":
                logger.error("hand differs", table=table, hand=hand, check=verdict)
        self._archive.set_verdicts(verdicts)

    def verify_new(self) -> dict[str, str]:
        """Audit hands that no audit has seen; the tables of those that differ, with the failed check."""
        unseen = self._archive.unverified(VERIFIED_AT_ONCE)
        if unseen:
            self._note("", 0, f"{len(unseen)} finished hands")
        verdicts = {(table, hand): self._verdict(table, hand) for table, hand in unseen}
        self._keep(verdicts)
        return {table: verdict for (table, _), verdict in verdicts.items() if verdict != "ok"}

    def _verdict(self, table: str, hand: int) -> str:
        try:
            segment = self._history.segment(table, hand)
        except ArchiveDamaged:
            return "archive"
        checks = open_checks(segment) if self._seal_key is None else sealed_checks(segment, self._seal_key)
        return next((check.name for check in checks if not check.ok), "ok")

    def _sweep_table(self, table: str, waiting: dict[int, int], swept: Swept) -> None:
        """`waiting`: hand number → last version."""
        hands = list(waiting)
        stored = self._archive.heads(table, hands)
        if len(stored) < len(hands):
            for segment in self._history.waiting(table):
                swept.archived += self._archive.insert(segment)
            stored = self._archive.heads(table, hands)
        old = [hand for hand in hands[:-HOT] if hand in stored]
        if old:
            swept.trimmed += self._trim(table, old, *stored[old[-1]])

    def _trim(self, table: str, hands: list[int], version: int, head: bytes) -> int:
        """Drop what the archive has proven to hold: `head` is read back from there."""
        try:
            self._log.trim(table, version, head, hands)
        except StillNeeded:
            return 0  # the table's next snapshot will be younger
        self._log.archived(table, hands)
        return len(hands)


def sealed_checks(segment: Segment, key: SealKey) -> list[Check]:
    """Of a hand whose deck is dealt and whose commands are decided again."""
    seed, seal = unsealed_for(segment, key)
    return [seal, *verify(segment, seed).checks]


def open_checks(segment: Segment) -> list[Check]:
    """Without the seal key: the commands are decided again as far as the cards are known."""
    case = Case(segment)
    checks = list(case.verdict().checks)
    return checks if case.table is None else [*checks, run("decide", decided_if_ours, case)]
