"""From the store to the archive: once, in order, and proven before anything is trimmed."""

import pytest
import sqlalchemy as sa

from engine.commands import AddChips, Stand
from services.archive import ArchiveDamaged, ArchiveGap, ForkFound
from services.archive_tables import hand_segment
from services.chain import extend
from services.history import NoSuchHand
from services.keys import table_keys
from services.reader import ChainBroken, LogDamaged, LostTail
from services.segment import Segment
from tests.jobs.house import TABLE, House

pytestmark = pytest.mark.parametrize("kind", ["sqlite", "postgresql"])


def test_a_finished_hand_is_archived_with_its_whole_log_and_can_be_read_back(house: House) -> None:
    house.play(1)
    waiting = house.history.waiting(TABLE)
    assert house.sweep().archived == 1
    assert house.archive.segment(TABLE, 1) == waiting[0] == house.history.segment(TABLE, 1)
    assert waiting[0].first == 1
    assert house.history.waiting(TABLE) == []


def test_a_sweep_that_runs_again_changes_nothing(house: House) -> None:
    house.play(4)
    first, again = house.sweep(), house.sweep()
    assert (first.archived, first.trimmed, first.wrong) == (4, 2, {})
    assert (again.archived, again.trimmed, again.wrong) == (0, 0, {})
    assert house.archive.insert(house.history.segment(TABLE, 3)) is False


@pytest.mark.parametrize("killed", ["insert", "trim", "archived"])
def test_a_sweep_killed_at_any_point_is_made_good_by_the_next(
    house: House, killed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """P148, P149: the truth is the store, not the job."""

    class Killed(BaseException):
        pass

    def die(*arguments: object) -> None:
        raise Killed

    house.play(4)
    before = list(house.history.events(TABLE, 0))
    with monkeypatch.context() as patch:
        patch.setattr(house.archive if killed == "insert" else house.log, killed, die)
        with pytest.raises(Killed):
            house.sweep()
    assert house.sweep().wrong == {}
    assert house.reader.finished(17) == [(TABLE, 3, before_last(house, 3)), (TABLE, 4, before_last(house, 4))]
    assert list(house.history.events(TABLE, 0)) == before


def before_last(house: House, hand: int) -> int:
    """The version that ends a hand."""
    return house.history.segment(TABLE, hand).last


def test_trimmed_hands_join_with_the_store_into_one_chain(house: House) -> None:
    house.play(3)
    whole = house.reader.entries(TABLE, 0, house.reader.head(TABLE)[0])
    house.sweep()
    house.play(2)
    joined = list(house.history.events(TABLE, 0))
    assert joined[: len(whole)] == whole
    assert joined[-1].version == house.reader.head(TABLE)[0]
    assert [entry.version for entry in joined] == list(range(1, len(joined) + 1))
    assert [entry.hash for entry in joined] == extend(TABLE, b"", [entry.event for entry in joined])
    assert list(house.history.events(TABLE, 10)) == joined[10:]
    with pytest.raises(LogDamaged):
        house.reader.entries(TABLE, 0, 1)


def test_what_happens_between_hands_belongs_to_the_next_one(house: House) -> None:
    house.play(1)
    house.send("ann", AddChips(0, "ann", 10))
    house.play(1)
    first, second = house.history.waiting(TABLE)
    assert second.first == first.last + 1
    assert second.prev_head == first.head
    assert type(second.events()[0]).__name__ == "ChipsAdded"


def test_a_leaver_stands_within_the_hand_that_he_left(house: House) -> None:
    """COM-11: what follows at once from the end of a hand is the hand's."""
    house.deal()
    house.send("cyd", Stand(2, "cyd"))
    house.play_on()
    (segment,) = house.history.waiting(TABLE)
    assert type(segment.events()[-1]).__name__ == "Stood"
    assert house.sweep().archived == 1


def test_the_sealed_seed_moves_to_the_archive_and_opens_there(house: House) -> None:
    house.play(4)
    sealed = house.reader.seed(TABLE, 1)
    house.sweep()
    segment = house.archive.segment(TABLE, 1)
    assert segment is not None
    assert segment.sealed_seed == sealed
    assert house.reader.seed(TABLE, 1) is None
    assert len(house.seal_key.open(segment.sealed_seed, TABLE, 1)) == 32


def test_the_same_hand_with_another_head_is_a_fork(house: House) -> None:
    house.play(2)
    first, second = house.history.waiting(TABLE)
    house.archive.insert(first)
    house.archive.insert(second)
    other = forged(second)
    with pytest.raises(ForkFound):
        house.archive.insert(other)
    assert house.archive.segment(TABLE, 2) == second


def test_a_hand_that_follows_from_another_past_is_a_fork(house: House) -> None:
    house.play(2)
    first, second = house.history.waiting(TABLE)
    house.archive.insert(forged(first))
    with pytest.raises(ForkFound):
        house.archive.insert(second)
    assert house.sweep().wrong == {TABLE: "ChainBroken"}


def forged(segment: Segment) -> Segment:
    """The same hand dealt to eve instead of bob, its chain computed anew."""
    events = [entry.event.replace(b"bob", b"eve") for entry in segment.entries]
    hashes = extend(segment.table, segment.prev_head, events)
    rows = zip(segment.entries, events, hashes, strict=True)
    return segment._replace(entries=tuple(entry._replace(event=e, hash=h) for entry, e, h in rows))


def test_hands_are_archived_in_their_order(house: House) -> None:
    house.play(2)
    with pytest.raises(ArchiveGap):
        house.archive.insert(house.history.waiting(TABLE)[1])
    assert house.archive.tail(TABLE).hand == 0


def test_an_event_changed_in_the_store_stops_the_sweep_before_anything_is_trimmed(house: House) -> None:
    house.play(3)
    key = table_keys(TABLE).events
    id_, fields = house.client.xrange(key, count=1)[0]
    house.client.delete(key)
    house.client.xadd(key, {**fields, b"e": b"\x00"}, id=id_)
    assert TABLE in house.sweep().wrong
    assert house.archive.tail(TABLE).hand == 0


def test_a_store_behind_the_archive_is_a_lost_tail(house: House) -> None:
    """P143: rolled back behind what was seen."""
    house.play(1)
    house.sweep()
    house.client.hset(table_keys(TABLE).state, "ver", 5)
    with pytest.raises(LostTail):
        house.history.waiting(TABLE)


def test_a_store_that_went_on_from_another_past_does_not_join(house: House) -> None:
    house.play(2)
    first, _ = house.history.waiting(TABLE)
    house.archive.insert(forged(first))
    with pytest.raises(ChainBroken):
        list(house.history.events(TABLE, 0))


def test_a_changed_row_is_found_when_it_is_read(house: House) -> None:
    house.play(1)
    house.sweep()
    with house.archive._engine.begin() as connection:
        connection.execute(hand_segment.update().values(prev_head=b"x" * 32))
    with pytest.raises(ArchiveDamaged):
        house.archive.segment(TABLE, 1)


def test_a_snapshot_of_an_older_program_is_replaced_by_a_fold(house: House) -> None:
    """P131, P132: state = all events."""
    house.play(3)
    house.sweep()
    before = house.history.segment(TABLE, 3)
    with house.archive._engine.begin() as connection:
        old = sa.select(hand_segment.c.before_blob).where(hand_segment.c.hand_no == 2).scalar_subquery()
        connection.execute(hand_segment.update().where(hand_segment.c.hand_no == 3).values(before_blob=old))
    assert house.archive.segment(TABLE, 3) != before
    import services.archive

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(services.archive, "readable", lambda before: before is None)
        assert house.archive.segment(TABLE, 3) == before


def test_summaries_tell_players_pots_and_winners(house: House) -> None:
    house.play(3)
    house.sweep()
    latest, *_ = hands = house.archive.hands(TABLE)
    assert [hand["hand"] for hand in hands] == [3, 2, 1]
    assert [hand["hand"] for hand in house.archive.hands(TABLE, 1, below=3)] == [2]
    whole = [sum(pot["amount"] for pot in hand["pots"]) for hand in hands]
    assert house.archive.average_pot(TABLE, 2) == sum(whole[:2]) // 2
    assert house.archive.average_pot("017-nobody", 2) is None
    assert [player["player"] for player in sorted(latest["players"], key=lambda p: p["seat"])] == [
        "ann",
        "bob",
        "cyd",
    ]
    gains = sum(player["end"] - player["start"] for player in latest["players"])
    assert gains == 0
    paid = sum(winner["amount"] for pot in latest["pots"] for winner in pot["winners"])
    assert paid == sum(pot["amount"] for pot in latest["pots"]) == sum(player["won"] for player in latest["players"])
    assert house.archive.hand(TABLE, 2) == hands[1]
    assert house.archive.hand(TABLE, 9) is None
    assert house.archive.hands_of("bob", 2) == hands[:2]
    assert house.archive.hands_of("nobody") == []


def test_a_hand_that_does_not_exist_is_told_apart(house: House) -> None:
    with pytest.raises(NoSuchHand):
        house.history.segment(TABLE, 1)


def test_looking_back_ends_where_the_store_was_trimmed(house: House) -> None:
    house.play(4)
    version = house.reader.head(TABLE)[0]
    before = house.reader.latest(TABLE, version, 10_000)
    house.sweep()
    kept = house.reader.latest(TABLE, version, 10_000)
    assert before[-1].version == 1
    assert kept == before[: len(kept)]
    assert kept[-1].version == before_last(house, 2) + 1
