"""Running clocks in the worker: what comes too late, what an outage and a stop give back (COM-71, COM-73)."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.commands import Act, Disconnect, OpenTable, Resume, Sit
from engine.state import Hand
from services.inbox import Arrival
from services.keys import partition_keys
from services.orders import Freeze
from services.outcomes import decode_outcome
from services.settings import Settings
from services.store import Client, now_ms
from services.wire import COMMANDS, Envelope, encode_envelope
from tests.jobs.house import TABLE, House
from workers import fold
from workers.owner import Owner

ACTION_MS, BANK_MS = 30_000, 60_000


def running(house: House) -> Hand:
    assert house.table.hand is not None
    return house.table.hand


def on_turn(house: House) -> int:
    actor = running(house).actor
    assert actor is not None
    return actor


def call(house: House, seat: int, at_ms: int, k: int) -> Arrival:
    player = house.table.place(seat).player
    command = COMMANDS.encode(Act(seat, player, "call", None, house.table.turn))
    return Arrival(f"{at_ms}-0", encode_envelope(Envelope(TABLE, player, k, command)))


def codes(house: House) -> dict[str, str]:
    return {actor: decode_outcome(receipt.result).code for actor, receipt in house.owner.desks[TABLE].receipts.items()}


def take_over(house: House, idle_ms: int, now: int) -> None:
    """Another worker has the table, after so long without any."""
    house.owner.flush()
    house.owner = Owner(replace(house.owner.lease, idle_ms=idle_ms, taken_ms=now), house.owner.tools)
    house.owner.resume_clocks()


def test_a_turn_that_was_given_during_an_outage_begins_when_it_is_over(house: House) -> None:
    """Ann calls in time, nobody is there; Bob, whose turn that made it, has not sat there for two minutes."""
    house.deal()
    first, began = on_turn(house), house.now
    late = call(house, first, began + 5_000, 100)
    take_over(house, 120_000, began + 121_000)
    assert running(house).deadline == began + ACTION_MS + BANK_MS + 120_000
    house.owner.take([late])
    house.commit()
    assert on_turn(house) != first
    assert running(house).deadline == began + 121_000 + ACTION_MS + BANK_MS
    assert house.table.place(first).bank_ms == BANK_MS


def test_a_command_that_comes_after_two_clocks_finds_both_run_out(house: House, tmp_path: Path) -> None:
    """The level ends a moment before a turn does; an action after both is too late."""
    house.client.flushall()
    house = House(house.client, tmp_path / "hasaga", "hasaga")
    house.deal()
    house.now = running(house).deadline + 1
    house.owner.fire(house.now)
    seat, deadline = on_turn(house), running(house).deadline
    house.table.level_ms = deadline - 1 - 600_000
    house.owner.desks[TABLE].due = deadline - 1
    house.owner.take([call(house, seat, deadline + 1, 100)])
    house.commit()
    assert codes(house)[house.table.place(seat).player] == "stale_turn"
    assert house.table.level == 2 and not running(house).seats[seat].live


@pytest.mark.parametrize("late", [0, 1])
def test_an_action_in_the_millisecond_of_the_deadline_wins(house: House, late: int) -> None:
    house.deal()
    seat, deadline = on_turn(house), running(house).deadline
    house.owner.take([call(house, seat, deadline + late, 100)])
    house.commit()
    assert codes(house)[house.table.place(seat).player] == ("stale_turn" if late else "")
    assert running(house).seats[seat].live is not bool(late)


def test_a_stopped_table_gives_whoever_had_the_turn_his_whole_time(house: House) -> None:
    """Action time and bank, of which nothing was used."""
    house.deal()
    seat = on_turn(house)
    house.send("audit", Freeze("audit", "a look"))
    house.now += 500_000
    house.send("host", Resume("host"))
    assert running(house).deadline == house.now + ACTION_MS + BANK_MS
    house.send(house.table.place(seat).player, Act(seat, house.table.place(seat).player, "call"))
    assert house.table.place(seat).bank_ms == BANK_MS


def test_the_clock_of_a_table_that_goes_on_is_stored_again_also_where_it_is_as_before(house: House) -> None:
    """Whoever takes the table over afterwards finds it: the turn of somebody who is away still ends."""
    house.deal()
    seat = on_turn(house)
    house.send("line", Disconnect(seat, house.table.place(seat).player))
    before = house.reader.due(17, 1 << 52)
    house.send("audit", Freeze("audit", "a look"))
    assert house.reader.due(17, 1 << 52) == []
    house.send("host", Resume("host"))
    assert house.reader.due(17, 1 << 52) == before == [(TABLE, running(house).deadline)]


def test_a_worker_that_was_stopped_for_longer_than_its_lease_gives_that_time_back(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody else was there to take its tables over (a single worker, a suspended machine)."""
    house.deal()
    deadline = running(house).deadline
    house.owner.flush()
    house.log.release(house.owner.lease)
    worker = fold.Worker(Settings(partitions=18), house.client, house.owner.tools)
    worker.beat()
    inbox, at = worker.tools.inbox, time.time()
    lost = 60_000

    def sleeps(cursors: Any, count: int, block_ms: int) -> list[Any]:
        forget_ms(house.client, lost)
        monkeypatch.setattr(fold.time, "time", lambda: at + lost / 1000)
        return []

    monkeypatch.setattr(inbox, "read", sleeps)
    worker.turn()
    assert worker.owners == {}
    worker.beat()
    (given,) = [owner.desks[TABLE].table.hand for owner in worker.owners.values() if TABLE in owner.desks]
    assert given is not None and lost <= given.deadline - deadline < lost + 60_000


def forget_ms(client: Client, lost: int) -> None:
    """The store has not heard of the partition's owner for so long."""
    own = partition_keys(17).own
    seen = int(client.hget(own, "seen") or 0)
    client.hset(own, mapping={"seen": seen - lost, "until": seen - lost})


def test_commands_are_in_time_though_the_stores_clock_was_set_back(
    house: House, client: Client, tmp_path: Path
) -> None:
    """P144: ids of an inbox never go back, so for an hour all commands bear the same time, which has not come yet."""
    worker, table = fold.Worker(Settings(data_dir=tmp_path, partitions=18), client, house.owner.tools), "003-table"
    inbox, numbers = partition_keys(3).inbox, dict.fromkeys(("host", "ann", "bob"), 0)

    def ask(actor: str, command: Any, **more: Any) -> str:
        numbers[actor] += 1
        envelope = Envelope(table, actor, numbers[actor], COMMANDS.encode(command))
        client.xadd(inbox, {"c": encode_envelope(envelope)}, **more)
        worker.beat()
        worker.turn()
        receipt = house.reader.receipt(table, actor)
        assert receipt is not None and receipt.k == numbers[actor]
        return decode_outcome(receipt.result).code

    def on_turn() -> tuple[int, Act]:
        worker.turn()  # and its clocks
        hand = worker.owners[3].desks[table].table.hand
        assert hand is not None and hand.actor is not None
        return hand.actor, Act(hand.actor, hand.seats[hand.actor].player, "call", None, 0)

    ask("host", OpenTable("holdem", {"hand_gap_seconds": 0, "buy_in.max": 0}))
    for seat, player in enumerate(("ann", "bob")):
        ask(player, Sit(seat, player, 400))
    time.sleep(0.01)
    first, call = on_turn()
    assert ask(call.player, call, id=f"{now_ms(client) + 3_600_000}-0") == ""
    second, check = on_turn()
    assert second != first
    assert ask(check.player, check._replace(verb="check")) == ""
