"""`croupier audit` without the seal key: hands of the archive, read and verified again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.measure import Row, Subject, rate
from services.archive import Archive
from services.auditor import Auditor, End, Tally
from services.reader import Entry, Reader
from services.segment import Segment
from services.simulate import Played, Setup, Simulator

RUNS = (("omaha8", "random"), ("omaha8", "calldown"), ("razz", "random"), ("razz", "calldown"))
HANDS = 200

ROWS = tuple(Row(f"{game} {policy}, audited hands/s", f"{game} {policy}", None, must=400, aim=1000, unit="")
             for game, policy in RUNS)  # fmt: skip


def segments(game: str, policy: str) -> Iterator[Segment]:
    """Hands of one table as the archive is given them."""
    version = 0

    def segment(played: Played) -> Segment:
        nonlocal version
        entries = tuple(Entry(at, *row) for at, row in enumerate(played.log, version + 1))
        version += len(entries)
        return Segment(played.table.id, played.table.number, played.before, played.prev_head, entries)

    yield from map(segment, Simulator(Setup(game, hands=HANDS, policy=policy, keep=True), 0, lambda event: None).play())


def audit(archive: Archive, table: str) -> None:
    """What the command does with the archived hands of a table."""
    tally = Tally()
    Auditor(Reader(None), archive).archived(table, End(), tally)
    assert tally.ok and tally.hands == HANDS


@contextmanager
def subject() -> Iterator[Subject]:
    """An archive per game and policy, in SQLite files that are gone afterwards."""
    with TemporaryDirectory() as folder:
        candidates: dict[str, Callable[[], float]] = {}
        for game, policy in RUNS:
            archive = Archive(f"sqlite:///{Path(folder) / f'{game}-{policy}.db'}")
            hands = list(segments(game, policy))
            for hand in hands:
                archive.insert(hand)
            work = partial(audit, archive, hands[0].table)
            candidates[f"{game} {policy}"] = partial(rate, HANDS, work)
        yield Subject(candidates, ROWS)
