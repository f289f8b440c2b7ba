"""The rule book through the running service: worked examples and random deals, over HTTP.

The same runner as on the engine compares everything a scenario says: forced payments, whose turn it is, what is
legal, every refusal with its code and that nothing changed, every card, pot, return and final stack.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from engine.deck import first_button
from services.formats import open_history
from services.formats.rulebook import Scenario
from services.formats.sheet import Sheet
from services.report import HandReport
from services.scenarios import run
from tests.house.houses import Table, Up
from tests.house.remote import ANY_STACK, ENDLESS, OverHttp

BOOK = Path(__file__).parents[1] / "rulebook"
EXAMPLES = list(open_history(BOOK / "examples.json"))
DEALS = list(open_history(BOOK / "scenarios-open.json"))
SAMPLE = DEALS[::32]
"""What the suite plays of the random deals; `python -m tests.chaos` plays them all."""
AT_ONCE = 6


def played(up: Up, sheet: Sheet) -> list[str]:
    """All differences between what the scenario says and what the service did."""
    scenario, driver = sheet.read(), OverHttp(up)
    assert isinstance(scenario, Scenario)
    report = HandReport(sheet.id, sheet.file)
    try:
        run(scenario, report, driver)
    finally:
        driver.close()
    return [str(difference) for difference in report.differences]


def play_all(up: Up, sheets: list[Sheet]) -> dict[str, list[str]]:
    """Scenario → its differences, for those that have any; several at a time, each at a table of its own."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        found = list(pool.map(lambda sheet: played(up, sheet), sheets))
    return {sheet.id: differences for sheet, differences in zip(sheets, found, strict=True) if differences}


def test_every_worked_example(up: Up) -> None:
    """EX-RAZ-01..14, EX-OM8-01..19, EX-ABY-01..11 and EX-HAS-01..20 but for 06, which is a table of merge sizes."""
    assert len(EXAMPLES) == 63
    assert play_all(up, EXAMPLES) == {}


def test_random_deals(up: Up) -> None:
    """Every thirty-second of the 480, with all their illegal attempts."""
    assert len(SAMPLE) == 15
    assert play_all(up, SAMPLE) == {}


def test_a_wrong_statement_is_found(up: Up) -> None:
    """The runner sees the service, not the book: one final stack changed, and it says so."""
    scenario = EXAMPLES[0].read()
    assert isinstance(scenario, Scenario)
    final = {name: chips + 1 for name, chips in scenario.data["final"].items()}
    report, driver = HandReport("changed", ""), OverHttp(up)
    run(replace(scenario, data={**scenario.data, "final": final}), report, driver)
    driver.close()
    assert [difference.what for difference in report.differences] == ["end: final"]


# --- EX-OM8-20 -------------------------------------------------------------------------------------------------------

POSITIONS = [(1, 2, 3), (2, 3, 4), (3, 4, 5), (4, 5, 6), (5, 6, 1), (1, 1, 4), (4, 4, 1)]
"""Button, small and big blind of deals 1 to 7, as seats 1 to 6 of the example; a place may be empty."""
LEAVERS = {2: [3], 3: [5], 5: [2, 6]}
"""Who leaves after which deal."""


def seed_for_button(place: int, seats: int) -> str:
    """A seed that draws this first button."""
    return next(seed.hex() for n in range(1000) if first_button(seed := n.to_bytes(32), seats) == place)


@pytest.fixture
def six(up: Up) -> Iterator[Table]:
    """Six players, before the first deal."""
    table = Table(up, "omaha8", seats=6, hand_gap_seconds=0, **ENDLESS, **ANY_STACK)
    up.stack(table.id, {"1": {"seed": seed_for_button(0, 6)}} | {str(number): {} for number in range(2, 8)})
    table.state("paused")
    for seat in range(6):
        table.sit(seat, f"player {seat + 1}", 200)
    yield table
    table.close()


def test_dead_button_dead_small_blind_and_heads_up(six: Table) -> None:
    """EX-OM8-20: COM-65, COM-66, COM-67, COM-68 at one table through seven deals."""
    six.state("running")
    for number, positions in enumerate(POSITIONS, 1):
        view = six.wait(lambda view, n=number: view["hand"] and view["number"] == n, f"deal {number}")
        hand = view["hand"]
        assert (hand["button"] + 1, hand["small"] + 1, hand["big"] + 1) == positions, number
        for place in LEAVERS.get(number, []):
            assert six.seats[place - 1].delete(f"/tables/{six.id}/seats/{place - 1}").ok
        fold_to_the_big_blind(six, number)


def fold_to_the_big_blind(table: Table, number: int) -> None:
    """Whoever has the turn gives up, until the deal is over (and perhaps the next one dealt)."""
    while True:
        view = table.see()["view"]
        if view["number"] != number or view["hand"]["over"]:
            return
        actor = view["hand"]["actor"]
        table.command(actor, verb="fold", turn=view["turn"])
