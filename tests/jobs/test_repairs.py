"""Views from the log, the archive back into the store, a lost hand voided (eventlog.md 3.5)."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from engine.commands import Resume, Sit, Stand
from engine.events import HandVoided, Paused
from services.archive_tables import hand_segment
from services.auditor import Auditor, Tally
from services.cli import main
from services.cli import restore as restore_command
from services.inbox import Inbox
from services.keys import partition_keys, table_keys
from services.orders import RESTORED, Freeze, Void
from services.outcomes import decode_outcome
from services.public_view import joined
from services.pulse import frozen
from services.reader import LostTail
from services.server import Server
from services.wire import EVENTS, decode_envelope, decode_request, pack, unpack
from tests.jobs.house import PLAYERS, TABLE, House
from tests.jobs.test_archive import forged
from workers.owner import Owner
from workers.rebuilding import Rebuilder, Tools
from workers.repairs import repairs
from workers.restoring import Restorer
from workers.setup import ENGINE

ROOT = Path(__file__).parents[2]
VIEWS = ("pub", "seat:", "last:")


def rebuild(house: House) -> int:
    return Rebuilder(Tools(house.client, house.reader, house.history, house.seal_key, house.view_key)).table(TABLE)


def seen(house: House) -> dict[str, Any]:
    """All that anybody can read of the table."""
    stored = house.reader.view(TABLE)
    seats = range(len(house.table.places))
    return {
        "public": stored and joined(stored.parts),
        "seats": {seat: house.own_view(seat) for seat in seats if house.reader.seat_view(TABLE, seat)},
        "records": {player: house.own_records(player) for player in PLAYERS},
        "row": {table: unpack(row) for table, row in house.reader.lobby(17).items()},
        "due": house.reader.due(17, 1 << 52),
    }


def lose_views(house: House) -> None:
    for key in list(house.client.scan_iter(f"{table_keys(TABLE).start}:*")):
        if any(f":{name}" in key.decode() for name in VIEWS):
            house.client.delete(key)
    house.client.delete(partition_keys(17).tables, partition_keys(17).due)


@pytest.mark.parametrize("game", ["omaha8", "hasaga"])
def test_views_that_were_deleted_come_back_equal(house: House, tmp_path: Path, game: str) -> None:
    """In the middle of a hand, with older hands in the archive: public, private, records, lobby and clock."""
    if game != "omaha8":
        house.client.flushall()
        house = House(house.client, tmp_path / game, game)
    house.play(3)
    house.sweep()
    house.deal()
    before = seen(house)
    assert before["seats"] and all(before["records"].values()) and before["due"]
    lose_views(house)
    assert seen(house)["public"] is None
    assert rebuild(house) == house.reader.head(TABLE)[0]
    assert seen(house) == before
    rebuild(house)
    assert seen(house) == before
    house.play_on()
    house.play(1)


def test_a_seat_shows_its_next_player_no_card_of_the_last_one(house: House) -> None:
    """He who stood up took his view with him, also when the views are made again later."""
    house.play(1)
    house.send("cyd", Stand(2, "cyd"))
    since = house.reader.head(TABLE)[0]
    house.send("dan", Sit(2, "dan", 400))
    rebuild(house)
    sealed = house.reader.seat_view(TABLE, 2)
    assert sealed is None or sealed.version <= since
    assert house.own_records("cyd") == house.own_records("dan") == []


def test_views_are_written_only_if_the_table_stood_still(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """A command in between: the views are made once more, from the later state."""
    house.play(1)
    load, loads = house.reader.load, []

    def busy(table: str, **options: Any) -> Any:
        loaded = load(table, **options)
        loads.append(loaded.version)
        if len(loads) == 1:
            house.play(1)
        return loaded

    monkeypatch.setattr(house.reader, "load", busy)
    assert rebuild(house) == house.reader.head(TABLE)[0] > loads[0]
    assert len(house.own_records("ann")) == 2


# --- restore ----------------------------------------------------------------------------------------------------------


def restore(house: House) -> tuple[str, str]:
    found = Restorer(house.client, house.archive, ENGINE).table(TABLE)
    return found.done, found.detail


def all_entries(house: House) -> list[Any]:
    return list(house.history.events(TABLE, 0))


def take_over(house: House) -> None:
    """Another worker: nothing is remembered."""
    lease = house.log.acquire(17, "test", 600_000)
    assert lease is not None
    house.owner = Owner(lease, house.owner.tools)
    house.owner.tools.witness.clear()


def back_to(house: House, hand: int) -> None:
    """The store as it was when that hand had ended, as after a failover to an old copy."""
    last = house.history.segment(TABLE, hand)
    keys = table_keys(TABLE)
    later, kept = house.history.segment(TABLE, hand + 1), house.client.xrange(keys.events, "-", f"{last.last}-0")
    house.client.delete(keys.events)
    for id_, fields in kept:
        house.client.xadd(keys.events, fields, id=id_)
    house.client.hset(keys.state, mapping={"ver": last.last, "head": last.head, "snap_ver": last.last,
                                           "snap_head": last.head, "snap": pack(later.before)})  # fmt: skip
    house.client.delete(partition_keys(17).seal, keys.seeds)


def whole(house: House) -> bool:
    tally = Tally()
    Auditor(house.reader, house.archive, house.seal_key).table(TABLE, tally)
    assert tally.ok, tally.checks()
    return tally.ok


def go_on(house: House) -> None:
    """The host lets the table run again, and a hand is played."""
    assert [one["error"] for one in frozen(house.reader, 64)] == [RESTORED]
    house.send("host", Resume("host"))
    house.play(1)
    paused = [event for event in map(decoded, all_entries(house)) if isinstance(event, Paused)]
    assert [(event.actor, "is void" in event.why) for event in paused] == [("restore", True)]


def decoded(entry: Any) -> Any:
    return EVENTS.decode(entry.event)


def test_a_tail_that_the_store_lost_comes_back_exactly_and_play_goes_on(house: House) -> None:
    house.play(2)
    house.sweep()
    house.play(2)
    house.sweep()
    before = all_entries(house)
    back_to(house, 3)
    with pytest.raises(LostTail):
        house.history.waiting(TABLE)
    assert restore(house)[0] == "restored"
    assert all_entries(house) == before
    assert house.reader.head(TABLE) == (before[-1].version, before[-1].hash)
    assert restore(house)[0] == "same"
    rebuild(house)
    assert whole(house)
    take_over(house)
    go_on(house)
    house.sweep()
    assert whole(house)


def test_a_store_that_was_wiped_is_filled_from_the_archive_and_play_goes_on(house: House) -> None:
    """Commands that were answered before stay answered: a client that repeats one buys nothing twice."""
    house.play(5)
    house.sweep()
    before, receipt = all_entries(house), house.reader.receipt(TABLE, "ann")
    assert receipt is not None
    house.client.flushall()
    assert restore(house)[0] == "restored"
    assert house.reader.receipt(TABLE, "ann") == receipt
    rebuild(house)
    assert all_entries(house) == before
    assert house.reader.latest(TABLE, before[-1].version, 1)[0].hash == before[-1].hash
    assert whole(house)
    take_over(house)
    go_on(house)
    house.sweep()
    assert [hand["hand"] for hand in house.archive.hands(TABLE)] == [6, 5, 4, 3, 2, 1]
    assert whole(house)


def test_nothing_is_written_where_the_store_has_another_past(house: House) -> None:
    """Two histories of one table: one of both is not true, and no program may choose."""
    house.play(2)
    first, _ = house.history.waiting(TABLE)
    house.archive.insert(forged(first))
    dump = {key: house.client.dump(key) for key in house.client.scan_iter()}
    done, detail = restore(house)
    assert (done, "FORK" in detail) == ("refused", True)
    assert {key: house.client.dump(key) for key in house.client.scan_iter()} == dump
    house.client.hset(table_keys(TABLE).state, mapping={"ver": 5, "head": b"x" * 32})
    done, detail = restore(house)
    assert (done, "FORK: version 5" in detail) == ("refused", True)
    assert house.reader.head(TABLE) == (5, b"x" * 32)


def test_a_stream_that_remembers_later_entries_is_not_half_appended_to(house: House) -> None:
    """Entries that were deleted by hand: nothing is written before that is known."""
    house.play(3)
    house.sweep()
    back_to(house, 2)
    house.client.xadd(table_keys(TABLE).events, {"e": b"x", "h": b"x"}, id="9999-0")
    house.client.xdel(table_keys(TABLE).events, "9999-0")
    version = house.reader.head(TABLE)
    assert restore(house)[0] == "refused"
    assert house.reader.head(TABLE) == version
    assert frozen(house.reader, 64) == []


def test_an_archive_that_differs_restores_nothing(house: House) -> None:
    house.play(3)
    house.sweep()
    house.client.flushall()
    with house.archive.engine.begin() as connection:
        connection.execute(hand_segment.update().where(hand_segment.c.hand_no == 2).values(prev_head=b"x" * 32))
    done, detail = restore(house)
    assert (done, "archive itself differs" in detail) == ("refused", True)
    assert house.reader.head(TABLE) == (0, b"")


def test_a_store_that_is_ahead_is_left_alone(house: House) -> None:
    house.play(3)
    house.sweep()
    house.play(1)
    house.deal()
    assert restore(house)[0] == "same"
    house.play_on()


def test_somebody_who_writes_meanwhile_makes_the_restore_stop(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    house.play(3)
    house.sweep()
    back_to(house, 2)
    restorer = Restorer(house.client, house.archive, ENGINE)
    missing = restorer.missing

    def busy(*arguments: Any) -> Any:
        house.client.hset(table_keys(TABLE).state, "ver", 3)
        return missing(*arguments)

    monkeypatch.setattr(restorer, "missing", busy)
    found = restorer.table(TABLE)
    assert (found.done, "changed meanwhile" in found.detail) == ("refused", True)


def test_the_sweep_freezes_a_table_whose_store_is_behind_its_archive(house: House) -> None:
    house.play(3)
    house.sweep()
    assert house.sweeper.behind([17]) == {}
    back_to(house, 2)
    (why,) = house.sweeper.behind([17]).values()
    assert "behind" in why


# --- void -------------------------------------------------------------------------------------------------------------


def test_voi_01_a_hand_that_cannot_go_on_is_voided_and_every_stack_is_as_before(house: House) -> None:
    """A lost tail in the middle of a hand, which no archive has: the operator voids it, and the log says so."""
    house.play(1)
    stacks = [place.chips for place in house.table.places if place]
    house.deal()
    house.send("host", Void("host", "too early"))
    assert last_code(house) == "table_not_frozen"
    house.send("audit", Freeze("audit", "lost tail"))
    house.send("host", Void("host", "a lost tail"))
    assert last_code(house) == ""
    voided = [event for event in map(decoded, all_entries(house)) if isinstance(event, HandVoided)]
    assert [event.reason for event in voided] == ["a lost tail"]
    assert [place.chips for place in house.table.places if place] == stacks
    assert frozen(house.reader, 64) == []
    house.play(1)
    house.sweep()
    assert whole(house)
    house.send("audit", Freeze("audit", "again"))
    house.send("host", Void("host", "nothing runs"))
    assert last_code(house) == "no_hand"


def last_code(house: House) -> str:
    receipt = house.reader.receipt(TABLE, "host")
    assert receipt is not None
    return decode_outcome(receipt.result).code


# --- the commands -----------------------------------------------------------------------------------------------------

@pytest.fixture
def folder(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The settings that commands find in their environment."""
    monkeypatch.setenv("CROUPIER_REDIS_URL", server.url)
    monkeypatch.setenv("CROUPIER_DATA_DIR", str(tmp_path))
    for purpose in ("seal", "view"):
        monkeypatch.setenv(f"CROUPIER_{purpose.upper()}_KEY_FILE", str(tmp_path / f"{purpose}.key"))
    return tmp_path


def repair(*words: str) -> Result:
    """What the command starts, in this process."""
    return CliRunner().invoke(repairs, words)


def test_the_commands_say_what_they_did(house: House, folder: Path) -> None:
    house.play(2)
    house.sweep()
    before = seen(house)["public"]
    house.client.flushall()
    program = [sys.executable, "-c", "from services.cli import main; main()", "restore", "--json"]
    done = subprocess.run(program, cwd=ROOT, capture_output=True, text=True, timeout=60)
    report = json.loads(done.stdout)
    assert (done.returncode, report["ok"], report["tables"][0]["done"]) == (0, True, "restored"), done.stderr
    assert seen(house)["public"] == before
    for words in (["rebuild"], ["restore"], ["rebuild", "--json"]):
        nowhere = repair(*words, "--table", "000-nowhere")
        assert (nowhere.exit_code, nowhere.output) == (1, "croupier: not there: 000-nowhere\n"), nowhere.exception
    lose_views(house)
    assert "1 table: all is well" in repair("rebuild", "--table", TABLE).output
    assert whole(house)
    house.client.hset(table_keys(TABLE).state, "head", b"x" * 32)
    forked = repair("restore")
    assert (forked.exit_code, "FORK" in forked.output) == (1, True)
    assert repair("rebuild").exit_code == 1
    (folder / "seal.key").unlink()
    missing = repair("rebuild", "--table", TABLE)
    assert (missing.exit_code, "KeyFileRefused" in missing.output) == (1, True)
    assert CliRunner().invoke(main, ["restore", "--void"]).exit_code == 2


def test_a_void_waits_in_the_inbox_for_a_worker(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(restore_command, "PATIENCE_S", 0.0)
    with pytest.raises(SystemExit):
        restore_command.void_hand(house.client, TABLE, "lost")
    (arrival,) = Inbox(house.client).drain(17, "0-0", 1 << 50)
    assert decode_request(decode_envelope(arrival.data).command) == Void("restore", "lost")
