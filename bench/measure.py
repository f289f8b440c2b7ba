"""Subjects, rows and rounds: how every figure of the table is taken.

A *candidate* is one way to do a piece of work; calling it does the work once and gives one figure: a rate (units a
second) or a cost (seconds, bytes). A *subject* names its candidates and the rows that compare two of them. In each
round every candidate of the subject runs once, in turn, so that a slow minute of the machine is shared by both sides
of a ratio; a row compares the medians over the rounds.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Mapping
from typing import NamedTuple

Clock = Callable[[], float]
CPU: Clock = time.process_time
WALL: Clock = time.perf_counter


class Row(NamedTuple):
    """One line of the table: `ours` over `peer`, or `ours` alone when there is no peer, `times` a factor.

    `aim` above `must` means more is better (a rate), below it less is better (a latency, a size).
    """

    what: str
    ours: str
    peer: str | None
    must: float
    aim: float
    unit: str = "x"
    times: float = 1


class Subject(NamedTuple):
    """Candidates by name, the rows that compare them, and what a reader of the rows should know."""

    candidates: Mapping[str, Callable[[], float]]
    rows: tuple[Row, ...]
    notes: Callable[[], list[str]] = list


class Figure(NamedTuple):
    """A measured row: the value in the row's unit, and whether its floor and its goal are met."""

    row: Row
    value: float
    must_met: bool
    aim_met: bool


class Outcome(NamedTuple):
    """All that a subject's rounds gave; `medians` by candidate, `spreads` = (max - min) / median."""

    figures: list[Figure]
    medians: dict[str, float]
    spreads: dict[str, float]
    notes: list[str]


def rate(units: float, work: Callable[[], object], clock: Clock = CPU) -> float:
    """Units a second of one run of `work`, by the process's CPU clock or by the wall."""
    gc.collect()
    start = clock()
    work()
    return units / (clock() - start)


def run(subject: Subject, rounds: int, tick: Callable[[], object] = lambda: None) -> Outcome:
    """Run every candidate once a round, interleaved, and compare the medians."""
    taken: dict[str, list[float]] = {name: [] for name in subject.candidates}
    for _ in range(rounds):
        for name, candidate in subject.candidates.items():
            taken[name].append(candidate())
            tick()
    medians = {name: statistics.median(values) for name, values in taken.items()}
    spreads = {name: (max(values) - min(values)) / medians[name] for name, values in taken.items()}
    return Outcome([judge(row, medians) for row in subject.rows], medians, spreads, subject.notes())


def judge(row: Row, medians: Mapping[str, float]) -> Figure:
    """The row's value and its verdicts."""
    value = row.times * medians[row.ours] / (medians[row.peer] if row.peer else 1)
    if row.aim >= row.must:
        return Figure(row, value, value >= row.must, value >= row.aim)
    return Figure(row, value, value <= row.must, value <= row.aim)
