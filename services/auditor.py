"""The whole past of tables audited: every archived hand, every hand the store still holds, and where both meet.

It only reads. With the seal key every hand is dealt and decided again, without it decided where that is asked for; no
text of a finding holds a card or a seed.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from itertools import pairwise
from typing import Any, NamedTuple

from engine import snapshot
from engine.state import Table
from engine.view import view
from services.archive import Archive, ArchiveDamaged
from services.archive_index import Index, index_of
from services.audit import NOT_AGAIN, Case, Check, Differs, run, started, unsealed
from services.chain import next_hash
from services.other_rules import OtherRules, Referee
from services.public_view import joined
from services.reader import Entry, LogGap, Reader, Snapshot, View
from services.redeciding import NEEDS_KEY, decided_if_ours
from services.sealing import SealBroken, SealKey
from services.segment import Segment, hands_of
from services.wire import Unreadable, fold, pack, unpack

AT_ONCE = 20
"""Archived hands read in one query."""
TRIES = 5
"""How often the store may be trimmed beneath an audit before that is a finding."""
OVERLAP = 5000
"""Events looked back at that store and archive both hold."""

Watch = Callable[[int], object]


class End(NamedTuple):
    """Where a table's log has been followed to; `state` is the snapshot there, None at the very beginning.

    `table`: the same with the hand that is over, for comparing views; None where it could not be folded.
    """

    hand: int = 0
    version: int = 0
    head: bytes = b""
    state: tuple[Any, ...] | None = None
    table: Table | None = None


class Differing(NamedTuple):
    """A hand with the checks that failed."""

    table: str
    hand: int
    checks: tuple[Check, ...]

    def as_json(self) -> dict[str, Any]:
        """`{"table", "hand", "checks": [{"name", "detail"}]}`."""
        checks = [{"name": check.name, "detail": check.detail} for check in self.checks]
        return {"table": self.table, "hand": self.hand, "checks": checks}


class Tally:
    """Findings by check: how often it passed, and the first place that differs."""

    def __init__(self) -> None:
        self.hands = 0
        self.differing: list[Differing] = []
        self._passed: Counter[str] = Counter()
        self._not_made: Counter[str] = Counter()
        self._in_part: Counter[str] = Counter()
        self._wrong: dict[str, str] = {}

    def add(self, place: str, checks: Iterable[Check]) -> bool:
        """Enter findings about a place; whether all of them are good."""
        all_ok = True
        for check in checks:
            self._passed[check.name] += check.ok
            self._not_made[check.name] += check.ok and check.detail.startswith(NOT_AGAIN)
            self._in_part[check.name] += check.ok and NEEDS_KEY in check.detail
            if not check.ok:
                all_ok = False
                self._wrong.setdefault(check.name, f"{place}: {check.detail}")
        return all_ok

    def note(self, place: str, name: str, difference: str) -> None:
        """One thing that is wrong."""
        self.add(place, [Check(name, False, difference)])

    @property
    def ok(self) -> bool:
        return not self._wrong

    def checks(self) -> list[Check]:
        """One row a check; the detail of one that failed is the first difference."""
        return [
            Check(name, name not in self._wrong, self._wrong.get(name) or self._counted(name))
            for name in self._passed
        ]

    def _counted(self, name: str) -> str:
        """How often a check passed; of hands that were dealt under other rules it says nothing."""
        good, not_made, in_part = self._passed[name] - self._not_made[name], self._not_made[name], self._in_part[name]
        said = [f"{good} good", f"{not_made} {NOT_AGAIN} other rules", f"of {in_part} a part {NEEDS_KEY}"]
        return ", ".join(text for text, told in zip(said, (True, not_made, in_part), strict=True) if told)


class Auditor:
    """`key` None: nothing is dealt again. `watch` is told how many hands were looked at since the last call.

    `referee` finds the versions of the rules that old hands are decided with; `compare` is another version to compare
    every hand with. `openly`: without the key, decide every hand again with the cards that its events have opened.
    """

    def __init__(
        self,
        reader: Reader,
        archive: Archive,
        key: SealKey | None = None,
        watch: Watch = lambda hands: None,
        referee: Referee | None = None,
        compare: OtherRules | None = None,
        openly: bool = False,
    ) -> None:
        self._reader = reader
        self._archive = archive
        self._key = key
        self._watch = watch
        self._referee = referee or Referee(None)
        self._compare = compare
        self._openly = openly

    def table(self, table: str, tally: Tally) -> None:
        """Everything of a table, from its opening to its last event."""
        end = End()
        for _ in range(TRIES):
            end = self.archived(table, end, tally)
            try:
                return self._stored(table, end, tally)
            except LogGap:
                continue  # hands went to the archive meanwhile: follow them there
        tally.note(table, "seam", f"nothing follows version {end.version} in the store")

    def hand(self, table: str, hand: int, tally: Tally) -> bool:
        """One finished hand, and that it follows from the one before. False: there is none of that number."""
        if self._archive.numbers(table, hand, hand):
            self._page(table, [hand], self._end_of(table, hand - 1), tally)
            return True
        tail = self._archive.tail(table)
        end = self._end_of(table, tail.hand)
        entries = self._reader.entries(table, tail.version, self._reader.head(table)[0])
        for segment in self._segments(table, entries, end):
            if segment.hand == hand:
                self._judge(segment, end, tally)
                return True
            end = end_of(segment, segment.end())
        return False

    def _end_of(self, table: str, hand: int) -> End:
        """Where an archived hand ends; the beginning of the log where it is not archived or cannot be read."""
        try:
            segment = self._archive.segment(table, hand)
        except ArchiveDamaged:
            return End()
        return end_of(segment, segment.end()) if segment else End()

    # --- the archive ----------------------------------------------------------------------------------------

    def archived(self, table: str, end: End, tally: Tally) -> End:
        """The archived hands of a table after `end`; where the log stands after them."""
        numbers = self._archive.numbers(table, end.hand + 1)
        for at in range(0, len(numbers), AT_ONCE):
            end = self._page(table, numbers[at : at + AT_ONCE], end, tally)
        return end

    def _page(self, table: str, numbers: list[int], end: End, tally: Tally) -> End:
        """Some hands in order; a row that cannot be read is passed over after it was noted."""
        try:
            page = list(self._archive.segments(table, numbers[0], numbers[-1]))
        except ArchiveDamaged as damaged:
            if len(numbers) > 1:
                return reduce(lambda end, number: self._page(table, [number], end, tally), numbers, end)
            self._note(table, numbers[0], [Check("archive", False, str(damaged))], tally)
            return end
        indexes = self._archive.indexes(table, numbers[0], numbers[-1])
        return reduce(lambda end, segment: self._judge(segment, end, tally, indexes[segment.hand]), page, end)

    def _judge(self, segment: Segment, end: End, tally: Tally, index: Index | None = None) -> End:
        """All checks of one hand that follows `end`; where the log stands after it. `index`: of an archived one."""
        checks: list[Check] = [follows(segment, end)]
        seed = None
        if self._key is not None:
            seed, check = unsealed_for(segment, self._key)
            checks.append(check)
        case = Case(segment, seed, hashed=index is not None)
        checks += case.verdict().checks
        if seed is not None and checks[-1].detail.startswith(NOT_AGAIN):
            checks[-1] = self._referee.decide(checks[-1], case)
        if case.table is not None:
            checks += self._more(case, index)
        if seed is not None and self._compare is not None:
            checks.append(self._compare.check(segment, seed))
        self._note(segment.table, segment.hand, checks, tally)
        return end_of(segment, case.table)

    def _more(self, case: Case, index: Index | None) -> list[Check]:
        """Of a hand that could be folded: decided again without its deck, and found where the archive lists it."""
        tests = {"decide": decided_if_ours} if self._openly and self._key is None else {}
        checks = [run(name, test, case) for name, test in tests.items()]
        return checks if index is None else [*checks, run("index", lambda case: listed(case, index), case)]

    def _note(self, table: str, hand: int, checks: list[Check], tally: Tally) -> None:
        tally.hands += 1
        if not tally.add(f"{table} hand {hand}", checks):
            tally.differing.append(Differing(table, hand, tuple(check for check in checks if not check.ok)))
        self._watch(1)

    # --- the store ------------------------------------------------------------------------------------------

    def _stored(self, table: str, end: End, tally: Tally) -> None:
        """What the store holds beyond the archive, and that both are one log. Raises LogGap."""
        version, head = self._reader.head(table)
        tally.add(table, [self._seam(table, end, version, head)])
        if version < end.version:
            return
        entries = self._reader.entries(table, end.version, version)
        stored = Case(Segment(table, end.hand + 1, end.state, end.head, tuple(entries)))
        if entries and not tally.add(f"{table} in the store", stored.so_far().checks):
            return
        folded, after = shown_after(end, entries) or stored.table, end
        for segment in self._segments(table, entries, end):
            end = self._judge(segment, end, tally)
        tally.add(table, [self._shown(table, version, head, folded), self._snapshot(table, after, entries)])

    def _segments(self, table: str, entries: list[Entry], end: End) -> Iterator[Segment]:
        return hands_of(table, entries, end.state, end.head, lambda hand: self._reader.seed(table, hand) or b"")

    def _seam(self, table: str, end: End, version: int, head: bytes) -> Check:
        """Store and archive agree wherever they meet, and the last event is the head."""
        try:
            if version < end.version:
                raise Differs(f"the store is behind: it is at version {version}, the archive at {end.version}")
            overlap = self._reader.latest(table, end.version, OVERLAP)[::-1]
            if overlap and overlap[-1].hash != end.head:
                raise Differs(f"version {end.version} is another one in the store than in the archive")
            for before, after in pairwise(overlap):
                if next_hash(before.hash, after.event) != after.hash:
                    raise Differs(f"version {after.version} in the store does not follow")
            last = self._reader.entries(table, version - 1, version) if version > end.version else []
            if (last[-1].hash if last else end.head) != head:
                raise Differs(f"version {version} is not the head")
        except Differs as difference:
            return Check("seam", False, str(difference))
        return Check("seam", True, "store and archive are one log")

    def _shown(self, table: str, version: int, head: bytes, folded: Table | None) -> Check:
        """The public view is what the events give, unless a command came in between."""
        stored = self._reader.view(table)
        if stored is None:
            return Check("view", False, "it is missing (croupier rebuild makes it again)")
        if stored.version > version or folded is None:
            return Check("view", True, "of another version than was audited")
        if (stored.version, stored.head) == (version, head) and seen(stored) == unpack(pack(view(folded))):
            return Check("view", True, "shows what the log says")
        return Check("view", False, f"version {stored.version} is not shown as the log says (croupier rebuild)")

    def _snapshot(self, table: str, end: End, entries: list[Entry]) -> Check:
        """What a worker will load the table from is the table as its events give it. `entries`: those after `end`."""
        kept = self._reader.snapshot(table)
        if kept is None or kept.version > end.version + len(entries):
            return Check("snapshot", True, "there is none of a version that was audited")
        segment: Segment | None = Segment(table, end.hand + 1, end.state, end.head, tuple(entries))
        if kept.version < end.version:
            hand = self._archive.containing(table, kept.version + 1)
            segment = self._archive.segment(table, hand) if hand is not None else None
        if segment is not None and began_with(segment, kept):
            return Check("snapshot", True, "the table as its events give it")
        return Check("snapshot", False, f"that of version {kept.version} is not what the events give")


def read(data: bytes) -> Any:
    """The value that was stored; None if it cannot be read."""
    try:
        return unpack(data)
    except Unreadable:
        return None


def seen(stored: View) -> Any:
    """The view that was stored, with arrays as tuples; None if it cannot be read."""
    try:
        return unpack(pack(joined(stored.parts)))
    except Unreadable:
        return None


def began_with(segment: Segment, kept: Snapshot) -> bool:
    """Whether the snapshot is the table at its version, among this hand's or just before it, and has the hash there."""
    table = segment.start()
    entries = [entry for entry in segment.entries if entry.version <= kept.version]
    fold(table, [entry.event for entry in entries])
    head = entries[-1].hash if entries else segment.prev_head
    return head == kept.head and same(read(kept.data), table)


def same(taken: Any, table: Table) -> bool:
    """Whether it is the table's snapshot; one of a format that this program does not read is not compared."""
    try:
        restored = snapshot.restore(table.id, taken)
    except Exception:  # what was damaged may break the program anywhere
        return False
    return taken is not None and (restored is None or snapshot.take(restored) == snapshot.take(table))


def end_of(segment: Segment, table: Table | None) -> End:
    """After a hand; `table` as it was folded to there."""
    whole = table is not None and not table.playing
    return End(segment.hand, segment.last, segment.head, snapshot.take(table) if table and whole else None, table)


def shown_after(end: End, entries: Iterable[Entry]) -> Table | None:
    """The table as viewers see it: between hands with the last one, which a snapshot does not hold."""
    table = copy.deepcopy(end.table)
    if table is not None:
        fold(table, [entry.event for entry in entries])
    return table


def follows(segment: Segment, end: End) -> Check:
    """The hand begins where the one before it ended: number, version, chain, and the table's state."""
    try:
        if segment.hand != end.hand + 1:
            raise Differs(f"it follows hand {end.hand}: hands are missing in between")
        if segment.first != end.version + 1:
            raise Differs(f"it begins at version {segment.first}, but the hand before ended at {end.version}")
        if segment.prev_head != end.head:
            raise Differs("its chain does not begin with the head of the hand before")
        if segment.before != end.state:
            raise Differs("it does not begin with the table as the hand before left it")
    except Differs as difference:
        return Check("link", False, str(difference))
    return Check("link", True, f"it follows hand {end.hand}")


def listed(case: Case, index: Index) -> str:
    """What lists and searches say of the hand follows from its log. Raises Differs."""
    assert case.table is not None
    true = index_of(case.segment, case.events, case.table)
    wrong = [name for name, told, meant in zip(Index._fields, index, true, strict=True) if told != meant]
    if wrong:
        raise Differs(f"the archive lists it with another {wrong[0]} than its log has")
    return "it is listed as its log says"


def unsealed_for(segment: Segment, key: SealKey) -> tuple[bytes | None, Check]:
    """The seed of a hand, and whether there is one that fits the commitment's hand."""
    try:
        seed = unsealed(segment, key)
    except SealBroken as broken:
        return None, Check("seal", False, str(broken))
    if seed is None and started(segment).root:
        return None, Check("seal", False, "no seed is kept of a hand that was committed to")
    return seed, Check("seal", True, "its seed opens")
