"""Plays recorded hands through the engine and compares what comes out with what the record says.

For every hand: whose turn it is before each decision, what a call costs, the net result of every seat without
rake (`payoff_no_rake`, or the room's own words), every pot with its shares, and what came back uncalled.
Shows, mucks, returns and payments of the record are never inputs, except that a seat asked whether it shows
does what it did.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.game import games
from engine.refusals import Refused
from services.course import Course
from services.driver import Driver, InProcess
from services.formats.figures import Nonsense
from services.formats.own import OwnHand
from services.formats.record import BrokenHistory, Entry, Record
from services.formats.rulebook import Scenario
from services.formats.setting import game_of, setting_of
from services.formats.sheet import UNREADABLE, Sheet
from services.report import HandReport, Known
from services.retelling import retell
from services.scenarios import run

GAME_NOT_AVAILABLE = "game not available"
CANCELLED = "hand cancelled"
DECISIONS = frozenset({"fold", "check", "call", "bet", "raise", "bring_in"})


def check(sheet: Sheet, known: Mapping[str, Known]) -> HandReport:
    """Read one hand, play it, compare; never raises for what a file may hold."""
    report = HandReport(sheet.id, sheet.file)
    if sheet.variant != UNREADABLE and game_of(sheet.variant) not in games():
        report.skipped = GAME_NOT_AVAILABLE
        return report
    try:
        record = sheet.read()
    except BrokenHistory as broken:
        report.differ("history", "readable", f"line {broken.line}: {broken.why}")
    else:
        _play(record, report)
    if report.differences:
        report.known = known.get(sheet.id)
    return report


def _play(record: Record | Scenario | OwnHand, report: HandReport) -> None:
    if isinstance(record, Scenario):
        run(record, report, InProcess())
    elif record.cancelled:
        report.skipped = CANCELLED
    elif isinstance(record, OwnHand):
        retell(record, report)
    else:
        play(record, report, InProcess())


def play(record: Record, report: HandReport, driver: Driver) -> Course | None:
    """Play the decisions of `record` one by one and note every difference in `report`. The course of the hand, None
    where it came to no end.
    """
    try:
        setting, chairs = setting_of(record)
        driver.start(setting)
    except (Nonsense, Refused) as why:
        report.differ("table", "a table our rules know", f"{why} {getattr(why, 'detail', '')}".strip())
        return None
    match = _Match(record, report, driver, chairs, Course(setting.deck))
    match.course.take(driver.events())
    if not match.play():
        return None
    _compare(record, report, match.course, chairs)
    return match.course


@dataclass(slots=True)
class _Match:
    """A record and a running hand side by side. `gone`: chairs whose open fold was refused (COM-11)."""

    record: Record
    report: HandReport
    driver: Driver
    chairs: Mapping[int, int]
    course: Course
    gone: set[int] = field(default_factory=set)

    def play(self) -> bool:
        """All decisions of the record; False when record and engine have parted before the end."""
        for entry in self.record.entries:
            if entry.kind in DECISIONS and entry.seat is not None:
                self.answer()
                if not self.decide(entry, self.chairs[entry.seat]):
                    return False
        self.answer()
        if not self.course.over:
            self.report.differ("end", "the hand is over", self.whose_turn())
        return self.course.over

    def decide(self, entry: Entry, chair: int) -> bool:
        """Send one decision; False if the hand cannot go on as recorded."""
        hand = self.driver.view()["hand"]
        if hand["actor"] != chair:
            self.report.differ("turn", f"seat {entry.seat}: {entry.kind}", self.whose_turn())
            return entry.kind in ("fold", "check") and self.course.stacks.get(chair) == 0
        if entry.kind == "call" and hand["legal"].get("call", [None])[0] != entry.amount:
            self.report.differ("call", entry.amount, hand["legal"].get("call"))
            return False
        verb = "complete" if entry.kind == "bet" and "bring_in" in hand["legal"] else entry.kind
        amount = entry.to if entry.to is not None else entry.amount
        refused = self.send(chair, verb, amount)
        if refused:
            self.report.differ("decision", f"seat {entry.seat}: {entry.kind} {amount or ''}".strip(), refused)
        if refused == "fold_not_facing_bet":
            self.gone.add(chair)
            return self.send(chair, "check") is None
        return refused is None

    def send(self, chair: int, verb: str, amount: int | None = None) -> str | None:
        refused = self.driver.send(chair, verb, amount)
        self.course.take(self.driver.events())
        return refused

    def whose_turn(self) -> str:
        actor = self.driver.view()["hand"]["actor"]
        seat = next((seat for seat, chair in self.chairs.items() if chair == actor), None)
        return "the hand is over" if self.course.over else f"seat {seat} has the turn"

    def answer(self) -> None:
        """Decisions that are not in the record: whoever may show does what it did; who is gone checks or folds."""
        showed = {self.chairs[e.seat] for e in self.record.entries if e.kind == "show" and e.seat is not None}
        while not self.course.over:
            hand = self.driver.view()["hand"]
            chair, legal = hand["actor"], hand["legal"]
            if "muck" in legal:
                self.send(chair, "show" if chair in showed else "muck")
            elif chair in self.gone:
                self.send(chair, "check" if "check" in legal else "fold")
            else:
                return


def _compare(record: Record, report: HandReport, course: Course, chairs: Mapping[int, int]) -> None:
    outcome = record.outcome
    start = {player.seat: player.stack for player in record.players}
    net = {seat: course.stacks.get(chairs[seat], chips) - chips for seat, chips in start.items()}
    _compare_returns(record, report, course, chairs)
    if outcome is None:
        return
    if outcome.payoff is not None:
        for seat in net:
            report.differ(f"net of seat {seat}", outcome.payoff.get(seat, 0), net[seat])
    elif outcome.collected:
        _compare_raked(report, outcome.collected, outcome.rake, _won(course, chairs))
    if outcome.pots is not None:
        expected = [(pot.amount, {seat: chips for seat, chips in pot.shares.items() if chips}) for pot in outcome.pots]
        report.differ("pots", _plain(expected), _plain(_pots(course, chairs)))


def _compare_returns(record: Record, report: HandReport, course: Course, chairs: Mapping[int, int]) -> None:
    expected = _sums((e.seat, e.amount or 0) for e in record.entries if e.kind == "uncalled" and e.seat is not None)
    seats = {chair: seat for seat, chair in chairs.items()}
    report.differ("uncalled", expected, _sums((seats[chair], chips) for _, chair, chips in course.returns))


def _compare_raked(report: HandReport, collected: Mapping[int, int], rake: int, won: Mapping[int, int]) -> None:
    """A raked split pot: nobody collects more than he won, and what is missing is the rake."""
    missing = {seat: won.get(seat, 0) - collected.get(seat, 0) for seat in {*collected, *won}}
    if min(missing.values()) < 0 or sum(missing.values()) != rake:
        report.differ("collected", dict(collected), dict(won))


def _won(course: Course, chairs: Mapping[int, int]) -> dict[int, int]:
    seats = {chair: seat for seat, chair in chairs.items()}
    return _sums((seats[chair], chips) for _, _, chair, chips in course.awards)


def _pots(course: Course, chairs: Mapping[int, int]) -> list[tuple[int, dict[int, int]]]:
    """(amount, seat → chips) per pot, the main pot first."""
    seats = {chair: seat for seat, chair in chairs.items()}
    found: dict[int, list[tuple[int, int]]] = {}
    for pot, _, chair, chips in course.awards:
        found.setdefault(pot, []).append((seats[chair], chips))
    return [(sum(chips for _, chips in paid), won) for _, paid in sorted(found.items()) if (won := _sums(paid))]


def _plain(pots: list[tuple[int, dict[int, int]]]) -> list[dict[str, Any]]:
    return [{"amount": amount, "shares": dict(sorted(shares.items()))} for amount, shares in pots]


def _sums(pairs: Iterable[tuple[int, int]]) -> dict[int, int]:
    """Chips per seat, zeros left out."""
    found: dict[int, int] = {}
    for seat, chips in pairs:
        if chips:
            found[seat] = found.get(seat, 0) + chips
    return dict(sorted(found.items()))
