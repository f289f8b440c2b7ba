"""Who looked at hidden cards is written down first, for ever, and in a chain."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
import sqlalchemy as sa

from services.archive import Archive
from services.archive_tables import audit_entry
from services.audit_log import AuditLog, NotLogged, Read
from services.unsealing import CannotUnseal, unseal
from tests.jobs.house import TABLE, House

pytestmark = pytest.mark.parametrize("kind", ["sqlite", "postgresql"])


def read(why: str = "a complaint", hand: int = 1) -> Read:
    return Read("dana", "replay full", TABLE, hand, why)


def test_writers_in_many_processes_add_to_one_chain(database: Callable[[], str]) -> None:
    """Each has a connection of its own, as processes have."""
    url = database()

    def write(why: str) -> None:
        with Archive(url) as archive:
            AuditLog(archive.engine).write(read(why))

    with ThreadPoolExecutor(4) as processes:
        list(processes.map(write, map(str, range(40))))
    with Archive(url) as archive:
        log = AuditLog(archive.engine)
        assert log.check() == (40, "")
        newest = log.page(15)
        assert [entry.number for entry in newest + log.page(100, newest[-1].number)] == list(range(40, 0, -1))


def test_no_entry_no_seed(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    house.play(1)
    log = AuditLog(house.archive.engine)
    with house.archive.engine.begin() as connection:
        connection.execute(sa.text("DROP TABLE audit_entry"))
    with pytest.raises(NotLogged):
        log.write(read())
    with pytest.raises(CannotUnseal, match="not_logged"):
        unseal(house.history, house.seal_key, log, read())


def test_nobodys_live_hand_can_be_unsealed_but_the_one_before_can(house: House) -> None:
    house.play(1)
    house.deal()
    log = AuditLog(house.archive.engine)
    with pytest.raises(CannotUnseal, match="in_progress"):
        unseal(house.history, house.seal_key, log, read(hand=2))
    with pytest.raises(CannotUnseal, match="no_such_hand"):
        unseal(house.history, house.seal_key, log, read(hand=3))
    assert log.page(9) == []
    assert len(unseal(house.history, house.seal_key, log, read())) == 32
    assert [entry.why for entry in log.page(9)] == ["a complaint"]


def test_the_chores_own_check_of_every_deck_is_an_entry_too(house: House) -> None:
    house.play(2)
    house.sweep()
    assert house.sweeper.verify_new() == {}
    house.sweeper.verify(TABLE, 2)
    found = AuditLog(house.archive.engine).page(9)
    assert [(entry.who, entry.what, entry.hand, entry.why) for entry in found] == [
        ("chores", "verify", 2, "asked for"), ("chores", "verify", 0, "2 finished hands"),
    ]  # fmt: skip


def test_an_entry_taken_from_the_middle_or_changed_is_found(house: House) -> None:
    log = AuditLog(house.archive.engine)
    for why in "abcd":
        log.write(read(why))
    with house.archive.engine.begin() as connection:
        connection.execute(audit_entry.update().where(audit_entry.c.number == 3).values(at_ms=5))
    assert log.check() == (2, "entry 3 is not what was written")
    with house.archive.engine.begin() as connection:
        connection.execute(audit_entry.delete().where(audit_entry.c.number == 3))
    assert log.check() == (2, "entry 3 is missing")
