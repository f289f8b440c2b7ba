"""What every test of the suite shares."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

# The machines that run the suite are small and shared: a slow example is not a wrong one. The suite gives the same
# answer every time; CROUPIER_HYPOTHESIS=search looks for what nobody has seen yet.
settings.register_profile("suite", deadline=None, print_blob=True, derandomize=True)
settings.register_profile("search", deadline=None, print_blob=True)
settings.load_profile(os.environ.get("CROUPIER_HYPOTHESIS", "suite"))

FOLDER = Path(__file__).parent
LONG = (
    "house/test_leaks.py",
    "rules/test_every_game.py",
    "house/test_life.py",
    "house/test_kills.py",
    "web/test_table.py",
    "api/test_plumbing.py",
    "house/test_rulebook.py",
    "rules/test_recorded.py",
    "house/test_checks.py",
    "rules/test_inversions.py",
    "services/test_simulate.py",
    "rng/test_battery.py",
    "house/test_postgres.py",
    "web/test_replayer.py",
    "jobs/test_archive.py",
    "jobs/test_repairs.py",
    "jobs/test_jobs.py",
    "web/test_verify.py",
    "web/test_everybody.py",
    "web/test_felt.py",
)
"""The files that take longest, from `tests/`; those that wait between those that compute."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """`make test` gives whole files to several processes, in this order: what begins last should be over soon."""
    places = {FOLDER / name: place for place, name in enumerate(LONG)}
    items.sort(key=lambda item: places.get(item.path, len(places)))
