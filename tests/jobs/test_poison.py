"""What no gateway of ours would send, put into the inbox by somebody else: passed over or refused; nothing stops."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.commands import AddChips, OpenTable, StartHand
from services.inbox import Arrival, Inbox
from services.keys import table_keys
from services.log import Conflict
from services.settings import Settings
from services.wire import COMMANDS, Envelope, encode_envelope, pack
from tests.jobs.house import TABLE, House
from workers.fold import Worker
from workers.owner import Owner

GOOD = COMMANDS.encode(AddChips(0, "ann", 5))


def sent(table: object, actor: object, k: object, command: object, version: int = 1) -> bytes:
    return pack((version, table, actor, k, command))


def asked(name: str, *fields: Any) -> bytes:
    return sent(TABLE, "eve", 7, pack((1, name, *fields)))


POISON = {
    "nothing": b"",
    "no MessagePack": b"\xc1\x92",
    "nested without end": b"\x91" * 5000 + b"\xc0",
    "a map": pack({1: 2}),
    "of a newer program": sent(TABLE, "eve", 1, GOOD, version=2),
    "a number that is none": sent(TABLE, "eve", True, GOOD),
    "a number below one": sent(TABLE, "eve", 0, GOOD),
    "text that is no UTF-8": b"\x95\x01\xa8017-test\xa3\xed\xa0\x80\x05\xc4\x01x",
    "for a table of another partition": sent("018-test", "eve", 1, GOOD),
    "for no table's id": sent("017-UPPER", "eve", 1, GOOD),
    "for a table's id with other digits": sent("\uff10\uff11\uff17-test", "eve", 1, GOOD),
    "for a file": sent("../../x", "eve", 1, GOOD),
    "for a table that nobody has opened": sent("017-nobody", "eve", 1, GOOD),
    "unknown": asked("Nothing", 1),
    "internal: a hand with a chosen seed": sent(TABLE, "eve", 1, COMMANDS.encode(StartHand(bytes(32), b""))),
    "internal: a clock that has run out": asked("Expire", 1, 1),
    "internal: a hand called off": asked("VoidHand", "eve", "mine"),
    "of too few fields": asked("AddChips", 0),
    "of too many fields": asked("AddChips", 0, "ann", 1, "", 5, 6, 7),
    "half a chip": asked("AddChips", 0, "ann", 0.5),
    "chips as text": asked("AddChips", 0, "ann", "5"),
    "no seat": asked("AddChips", None, "ann", 1),
    "a seat below the first": asked("AddChips", -1, "ann", 1),
    "a list for a verb": asked("Act", 0, "ann", ["fold"], None, 0, None),
    "a turn that is no whole number": asked("Act", 0, "ann", "fold", None, 1.0, None),
    "options that are a list": sent("017-new", "eve", 1, pack((1, "OpenTable", "razz", [1, 2]))),
    "a game that is none": sent("017-new", "eve", 1, COMMANDS.encode(OpenTable("bridge", {}))),
    "a name of bytes": asked("Sit", 4, b"eve", 400),
}


@pytest.mark.parametrize("data", POISON.values(), ids=POISON)
def test_what_comes_after_it_is_done_as_ever(house: House, data: bytes) -> None:
    """P147: nobody's chips move, nothing is dealt, nothing stands still; a good command of the same batch counts."""
    chips = [place and place.chips for place in house.table.places]
    house.now, house.k = house.now + 1000, house.k + 1
    good = encode_envelope(Envelope(TABLE, "ann", house.k, GOOD))
    house.owner.take([Arrival(f"{house.now}-0", data), Arrival(f"{house.now}-1", good)])
    house.commit()
    assert [place and place.chips for place in house.table.places] == [405, *chips[1:]]
    assert house.table.number == 0
    assert not house.reader.parked(17)
    assert house.reader.head("017-new")[0] == house.reader.head("017-nobody")[0] == 0


def test_an_event_that_nobody_committed_stops_its_table_alone(house: House) -> None:
    """P147: nothing can be appended behind it; whoever holds the partition goes on with the other tables."""
    house.client.xadd(table_keys(TABLE).events, {"e": b"x", "h": b"y"}, id="900-0")
    with pytest.raises(Conflict):
        house.send("ann", AddChips(0, "ann", 5))
    lease = house.log.acquire(17, "test", 600_000)
    assert lease is not None
    house.owner = Owner(lease, house.owner.tools)
    for table, command in ((TABLE, AddChips(0, "ann", 5)), ("017-other", OpenTable("razz", {}))):
        envelope = Envelope(table, "host", 1, COMMANDS.encode(command))
        house.owner.take([Arrival(f"{house.now + 1}-0", encode_envelope(envelope))])
    house.owner.flush()
    assert list(house.reader.parked(17)) == [TABLE]
    assert house.reader.head("017-other")[0] == 1


def overwrite(house: House, name: str) -> None:
    """The key with something else, or a field of it."""
    key, _, what = name.partition(" ")
    if what:
        house.client.hset(key, what, "not ours")
    else:
        house.client.set(key, "not ours")


@pytest.mark.parametrize(
    "name", ["own", "own epoch", "own until", "own cur", "in", "due", "out", f"t:{TABLE}:st", f"t:{TABLE}:pub"]
)
def test_a_key_that_somebody_has_overwritten_stops_its_partition_alone(
    house: House, tmp_path: Path, name: str
) -> None:
    """P145, P147: a worker goes on with all others."""
    house.log.release(house.owner.lease)
    inbox = Inbox(house.client)
    inbox.append(Envelope(TABLE, "ann", 99, GOOD))
    inbox.append(Envelope("003-other", "host", 1, COMMANDS.encode(OpenTable("razz", {}))))
    overwrite(house, f"{{p017}}:{name}")
    worker = Worker(Settings(data_dir=tmp_path, partitions=18), house.client, house.owner.tools)
    for _ in range(3):
        worker.beat()
        worker.turn()
    assert house.reader.head("003-other")[0] == 1
