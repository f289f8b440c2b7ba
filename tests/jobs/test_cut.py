"""A hand that its players have cut: through the worker, its loss and takeover, the archive and the audit."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.commands import PledgeSeed, RevealSeed
from engine.deck import hand_id, pledge_of, public_cut, sealed_deck
from engine.state import UNCUT
from services.audit import Case, started, unsealed, verify
from services.chain import extend
from services.cut import told
from services.replay import Replay
from services.segment import Segment
from services.store import Client
from services.what_if import NobodysTurn, WhatIf, what_if
from services.wire import EVENTS
from tests.jobs.house import PLAYERS, TABLE, House
from tests.jobs.test_audit import failed
from workers.owner import Owner


def seed_of(player: str, number: int) -> bytes:
    return (player[0].encode() + bytes([number])) * 16


def pledge(house: House, *players: str) -> None:
    number = house.table.number + 1
    for player in players:
        house.send(player, PledgeSeed(player, number, pledge_of(seed_of(player, number), hand_id(TABLE, number))))


def reveal(house: House, *players: str) -> None:
    number = house.table.number
    for player in players:
        house.now -= 990  # a line is quicker than a player
        house.send(player, RevealSeed(player, number, seed_of(player, number)))


def cut_hand(house: House, pledging: tuple[str, ...] = PLAYERS, revealing: tuple[str, ...] = PLAYERS) -> Segment:
    """The next hand, with these seeds."""
    house.refill()
    pledge(house, *pledging)
    house.deal()
    reveal(house, *revealing)
    if house.table.hand and house.table.hand.revealing:
        expire(house)
    house.play_on()
    return house.history.segment(TABLE, house.table.number)


def expire(house: House) -> None:
    house.now = house.owner.desks[TABLE].due + 1
    house.owner.fire(house.now)
    house.commit()


def take_over(house: House) -> None:
    """The worker is gone with all that it had in memory; another one takes the partition."""
    old = house.owner
    house.log.release(old.lease)
    lease = house.log.acquire(17, "other", 600_000)
    assert lease is not None
    house.owner = Owner(lease, old.tools)
    house.owner.resume_clocks()
    house.owner.desk(TABLE)


@pytest.fixture
def segment(house: House) -> Segment:
    house.play(1)
    return cut_hand(house, revealing=("ann", "cyd"))


# --- through the worker


def test_the_seeds_of_a_hand_make_its_cut(house: House) -> None:
    segment = cut_hand(house)
    fixed = next(event for event in segment.events() if type(event).__name__ == "CutFixed")
    seeds = [seed_of(player, 1) for player in PLAYERS]
    assert fixed.cut == public_cut(seeds, started(segment).root, hand_id(TABLE, 1))
    seed = unsealed(segment, house.seal_key)
    assert verify(segment, seed).ok
    cut = next(check for check in verify(segment).checks if check.name == "cut")
    assert cut.detail.startswith("players: 3 seeds, ")


def test_own_cards_come_by_the_cut_to_their_owners_alone(house: House) -> None:
    pledge(house, "ann")
    house.deal()
    assert not house.own_view(0)["at"]
    reveal(house, "ann")
    hand = house.table.hand
    assert hand is not None and hand.cut is not None
    told = [list(house.own_view(seat)["at"]) for seat in range(3)]
    assert told == [hand.seats[seat].cards for seat in range(3)]
    assert sorted(at for cards in told for at in cards) == sorted(hand.cut[:12])


def test_a_worker_that_takes_over_before_the_cut_goes_on_with_what_was_revealed(house: House) -> None:
    house.play(1)
    pledge(house, "ann", "bob", "cyd")
    house.deal()
    root = house.table.hand and house.table.hand.root
    reveal(house, "bob")
    take_over(house)
    hand = house.table.hand
    assert hand is not None and hand.revealing and list(hand.seeds) == ["bob"] and hand.root == root
    assert house.owner.desks[TABLE].due == hand.deadline
    take_over(house)
    reveal(house, "ann", "cyd")
    assert house.table.hand is not None and not house.table.hand.revealing
    house.play_on()
    found = house.history.segment(TABLE, 2)
    assert verify(found, unsealed(found, house.seal_key)).ok


def test_a_pledge_outlives_the_worker_and_the_archive(house: House) -> None:
    house.play(1)
    pledge(house, "ann")
    house.sweep()
    take_over(house)
    house.deal()
    assert house.table.hand is not None and list(house.table.hand.pledges) == ["ann"]
    expire(house)
    house.play_on()
    house.sweep()
    segment = house.history.segment(TABLE, 2)
    assert verify(segment, unsealed(segment, house.seal_key)).ok
    assert house.archive.failed() == []


def test_after_an_outage_the_players_have_their_time_to_reveal(house: House) -> None:
    pledge(house, "ann")
    house.deal()
    deadline = house.table.hand.deadline if house.table.hand else 0
    house.owner.lease = replace(house.owner.lease, idle_ms=60_000)
    house.owner.due[TABLE] = deadline
    house.owner.resume_clocks()
    house.commit()
    assert house.owner.desks[TABLE].due == deadline + 60_000
    reveal(house, "ann")
    house.play_on()
    assert verify(house.history.segment(TABLE, 1)).ok


def test_every_step_of_a_cut_hand_is_replayed_as_it_was_served(house: House) -> None:
    segment = cut_hand(house, revealing=("ann",))
    for step in Replay(segment).all():
        if step["step"] and step["command_ends"]:
            served = house.served[step["version"]].view
            assert json.dumps(step["view"]) == json.dumps(served)


def test_another_decision_keeps_the_cut(house: House) -> None:
    """What would have happened: the same cards, from the same places."""
    segment = cut_hand(house)
    seed = unsealed(segment, house.seal_key)
    assert seed is not None
    replay = Replay(segment, "full", sealed_deck(seed, hand_id(TABLE, 1)))
    step = next(step for step in range(replay.steps) if (hand := replay.table(step).hand) and hand.actor is not None)
    with pytest.raises(NobodysTurn):
        what_if(replay, WhatIf(3, "fold", None))
    folded = what_if(replay, WhatIf(step, "fold", None))
    flop = next(event for event in folded["events"] if event["event"] == "BoardDealt")
    real = next(event for event in segment.events() if type(event).__name__ == "BoardDealt")
    assert not folded["real"] and flop["at"] == list(real.at)


# --- the audit finds a wrong cut


def rewritten(segment: Segment, change: Any) -> Segment:
    """Every event as `change` gives it, and a chain that fits; None: as it was."""
    events = [EVENTS.decode(entry.event) for entry in segment.entries]
    stored = [EVENTS.encode(change(event) or event) for event in events]
    hashes = extend(TABLE, segment.prev_head, stored)
    rows = zip(segment.entries, stored, hashes, strict=True)
    return segment._replace(entries=tuple(entry._replace(event=e, hash=h) for entry, e, h in rows))


def of_kind(kind: str, change: Any) -> Any:
    return lambda event: change(event) if type(event).__name__ == kind else None


def swapped(cut: bytes) -> bytes:
    return cut[1::-1] + cut[2:]


def exchanged(segment: Segment) -> Any:
    """The first cards dealt to the first two seats change places: both stay within the same round."""
    one, two = (told(segment.events()).cut or UNCUT)[:2]
    places = bytes.maketrans(bytes((one, two)), bytes((two, one)))
    deals = ("Dealt", "RoundDealt")
    return lambda event: event._replace(at=event.at.translate(places)) if type(event).__name__ in deals else None


def test_an_honest_cut_passes(segment: Segment) -> None:
    assert verify(segment).ok
    assert rewritten(segment, lambda event: None) == segment


@pytest.mark.parametrize(
    ("kind", "change", "detail"),
    [
        ("CutFixed", lambda event: event._replace(cut=swapped(event.cut)), "does not follow"),
        ("CutFixed", lambda event: event._replace(cut=bytes(range(52))), "does not follow"),
        ("CutFixed", lambda event: event._replace(seeds=event.seeds[:1]), "not those that were revealed"),
        ("SeedRevealed", lambda event: event._replace(seed=bytes(32)), "not the pledged one"),
        ("SeedsAwaited", lambda event: event._replace(pledges=event.pledges[1:]), "not those made"),
        ("HandStarted", lambda event: event._replace(root=bytes(32)), "does not follow"),
    ],
)
def test_a_wrong_cut_is_found_without_any_key(segment: Segment, kind: str, change: Any, detail: str) -> None:
    checks = {check.name: check for check in verify(rewritten(segment, of_kind(kind, change))).checks}
    assert checks["chain"].ok and not checks["cut"].ok
    assert detail in checks["cut"].detail


def test_cards_that_came_from_elsewhere_are_found(segment: Segment) -> None:
    assert failed(verify(rewritten(segment, exchanged(segment)))) == ["cut"]


def test_a_hand_without_seeds_is_dealt_in_the_order_of_the_deck(house: House) -> None:
    house.play(1)
    segment = house.history.segment(TABLE, 1)
    assert "server-only: 0 seeds" in verify(segment).checks[-1].detail
    assert failed(verify(rewritten(segment, exchanged(segment)))) == ["cut"]


def test_a_log_of_several_hands_is_followed_hand_by_hand(client: Client, tmp_path: Path) -> None:
    """The last round of a stud hand is nobody's before the next hand's first."""
    house = House(client, tmp_path, "razz")
    house.play(30, "random")
    entries = house.reader.entries(TABLE, 0, house.reader.head(TABLE)[0])
    log = Segment(TABLE, 0, None, b"", tuple(entries))
    assert [check for check in Case(log).so_far().checks if not check.ok] == []
    house.close()


def test_a_cut_that_nobody_pledged_for_is_found(house: House) -> None:
    """An operator may not invent players' seeds for a hand that had none."""
    segment = cut_hand(house, pledging=("ann",), revealing=())
    found = rewritten(segment, of_kind("CutFixed", lambda event: event._replace(cut=bytes(reversed(range(52))))))
    assert failed(verify(found))[0] == "cut"
