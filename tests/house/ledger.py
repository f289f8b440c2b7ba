"""What was promised against what is in the log: nothing acknowledged lost, nothing done twice, nothing else there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from services import audit
from services.archive import Archive
from services.history import History
from services.keys import table_keys
from services.reader import Entry, LogDamaged, Reader, check_chain
from services.sealing import SealKey
from services.segment import Decision, Segment, decisions
from tests.house.storm import Ack

Key = tuple[str, str, int]
"""table, actor, k"""


class Ledger:
    """Reads the store and the archive of a house; `wrong` collects what does not fit.

    `admitted`: kinds of faults that a table may say it stands still for; its promises are then not compared.
    """

    def __init__(self, store: Any, data: Path, admitted: tuple[str, ...] = ()) -> None:
        self.reader = Reader(store)
        self.store = store
        self.admitted = admitted
        self.archive = Archive(f"sqlite:///{data / 'archive.db'}")
        self.history = History(self.reader, self.archive)
        self.key = SealKey.load(data / "keys")
        self.wrong: list[str] = []
        self.done: dict[Key, list[Decision]] = {}
        self.hands = 0
        self.seeds: set[bytes | None] = set()

    def close(self) -> None:
        self.archive.close()

    def judge(self, tables: Iterable[str], acks: Iterable[Ack]) -> list[str]:
        """Everything that is wrong with these tables and promises; [] is what must come out."""
        for table in tables:
            try:
                self.read(table)
            except LogDamaged as damage:
                self.wrong.append(f"{type(damage).__name__}: {damage}")
        told = {ack for ack in acks if self.frozen(ack.table) not in self.admitted}
        self.wrong += [f"two answers: {key}" for key, count in answers(told).items() if count > 1]
        for ack in sorted(told):
            self.compare(ack)
        return self.wrong

    def read(self, table: str) -> None:
        """The whole log of a table: its chain, its chips, who did what, every finished hand."""
        if (frozen := self.frozen(table)) and frozen not in self.admitted:
            self.wrong.append(f"{table} stands still: {frozen}")
        entries = list(self.history.events(table, 0))
        version, head = self.reader.head(table)
        if [entry.version for entry in entries] != list(range(1, version + 1)):
            self.wrong.append(f"{table}: versions with holes")
            return
        check_chain(table, entries, b"", head)
        if self.archive.tail(table).version == 0:
            self.reader.load(table, from_snapshot=False)
        for check in audit.Case(Segment(table, 0, None, b"", tuple(entries))).so_far().checks:
            self.check(check.name, table, check)
        self.note(table, entries)
        self.audit(table)

    def frozen(self, table: str) -> str:
        """Why the table stands still; "" if it does not."""
        return str((self.store.hget(table_keys(table).state, "frozen") or b"").decode())

    def note(self, table: str, entries: list[Entry]) -> None:
        for decision in decisions(entries):
            key = (table, decision.recorded.actor, decision.recorded.k)
            self.done.setdefault(key, []).append(decision)
            if decision.recorded.actor and len(self.done[key]) > 1:
                self.wrong.append(f"done twice: {key}")

    def audit(self, table: str) -> None:
        """Every finished hand, archived or not, decided again with its unsealed seed."""
        waiting = self.history.waiting(table)
        last = self.archive.tail(table).hand
        for segment in [*(self.history.segment(table, number) for number in range(1, last + 1)), *waiting]:
            seed = audit.unsealed(segment, self.key)
            verdict = audit.verify(segment, seed)
            self.hands += 1
            if seed in self.seeds:
                self.wrong.append(f"{table} hand {segment.hand} was dealt from a seed that was used before")
            self.seeds.add(seed)
            for check in verdict.checks:
                self.check(f"hand {segment.hand}", table, check)

    def check(self, what: str, table: str, check: audit.Check) -> None:
        if not check.ok:
            self.wrong.append(f"{table} {what}: {check.name}: {check.detail}")

    def compare(self, ack: Ack) -> None:
        """An accepted command stands in the log exactly where it was said to; one without facts does not."""
        found = [
            (decision.entries[0].version - 1, decision.entries[-1].version)
            for decision in self.done.get((ack.table, ack.actor, ack.k), [])
        ]
        if found != ([] if ack.after == ack.version else [(ack.after, ack.version)]):
            self.wrong.append(f"{'refused but done' if ack.code else 'lost or moved'}: {ack}, in the log {found}")


def answers(acks: set[Ack]) -> Counter[Key]:
    """How many different answers each command got."""
    return Counter((ack.table, ack.actor, ack.k) for ack in acks)
