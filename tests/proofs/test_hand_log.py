"""The log of hands: a leaf for every archived hand, and a signature only on what continues what was signed."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from engine.merkle import leaf_hash, levels, root_from_path
from services.archive import Archive
from services.archive_tables import checkpoint, hand_leaf, hand_node, hand_segment, refused_signature
from services.audit_log import AuditLog, Read
from services.checkpoint import Checkpoint, open_checkpoint
from services.growing_tree import follows
from services.hand_log import HandLog, NoSuchLeaf, entry_of
from services.sealing import SigningKey
from services.signing import LogRewritten, Signer, reread
from tests.proofs.hands import played

HANDS = played("razz", 8)
TABLE = HANDS[0].table
NOW = 1_700_000_000_000
NOWHERE = Path("no/memory/of/the/signer")


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    with Archive(f"sqlite:///{tmp_path / 'archive.db'}") as archive:
        yield archive


@pytest.fixture
def hands(archive: Archive) -> HandLog:
    return archive.log


@pytest.fixture
def signer(archive: Archive, tmp_path: Path) -> Signer:
    return Signer(archive, SigningKey(bytes(32)), tmp_path / "signing.last")


@pytest.fixture
def signed(archive: Archive, signer: Signer) -> Checkpoint:
    """Three hands, archived and signed."""
    grow(archive, 3)
    made = signer.sign(NOW)
    assert made is not None
    return made


def grow(archive: Archive, count: int) -> None:
    size = archive.log.size()
    for segment in HANDS[size : size + count]:
        assert archive.insert(segment)


def change(archive: Archive, *statements: sa.Executable) -> None:
    """What somebody does who can write the archive's database."""
    with archive._engine.begin() as connection:
        for statement in statements:
            connection.execute(statement)


def test_every_archived_hand_is_a_leaf_in_order(archive: Archive, hands: HandLog) -> None:
    grow(archive, 5)
    leaves = hands.leaves(0, 100)
    segments = list(archive.segments(TABLE))
    assert [(leaf.at, leaf.table, leaf.hand) for leaf in leaves] == [(at, TABLE, at + 1) for at in range(5)]
    assert [leaf.entry for leaf in leaves] == [entry_of(segment) for segment in segments]
    assert hands.size() == 5
    for size in range(1, 6):
        assert hands.root(size) == levels(leaf_hash(leaf.entry) for leaf in leaves[:size])[-1]
    for size in (1, 5):
        for at in range(size):
            path = b"".join(hands.inclusion(at, size))
            assert root_from_path(leaf_hash(leaves[at].entry), at, size, path) == hands.root(size)
    assert follows(3, hands.root(3), 5, hands.root(5), hands.consistency(3, 5))


def test_a_leaf_names_the_hand_its_place_in_the_chain_and_the_table_before_it(archive: Archive, hands: HandLog) -> None:
    grow(archive, 2)
    first, second = (leaf.entry for leaf in hands.leaves(0, 2))
    one, two = archive.segments(TABLE)
    hand_id = len(TABLE) + 9
    assert len(first) == len(second) == hand_id + 16 + 96
    assert second[:hand_id] == TABLE.encode() + b"\0" + (2).to_bytes(8)
    assert second[hand_id : hand_id + 16] == two.first.to_bytes(8) + two.last.to_bytes(8)
    assert first[hand_id + 16 : hand_id + 48] == bytes(32)
    assert second[hand_id + 16 : hand_id + 80] == one.head + two.head


def test_hands_that_were_archived_without_the_log_join_it_once(archive: Archive, hands: HandLog) -> None:
    grow(archive, 3)
    before = hands.root(3)
    change(archive, hand_leaf.delete(), hand_node.delete())
    assert archive.add_missing_leaves() == 3
    assert hands.root(3) == before
    assert archive.add_missing_leaves() == 0


def test_what_is_not_in_the_log(archive: Archive, hands: HandLog) -> None:
    grow(archive, 2)
    for ask in (
        lambda: hands.leaf(TABLE, 3),
        lambda: hands.inclusion(2, 2),
        lambda: hands.inclusion(0, 3),
        lambda: hands.consistency(0, 2),
        lambda: hands.consistency(2, 3),
    ):
        with pytest.raises(NoSuchLeaf):
            ask()


def test_the_head_is_signed_and_published(archive: Archive, hands: HandLog, signer: Signer, signed: Checkpoint) -> None:
    assert (signed.size, signed.root) == (3, hands.root(3))
    kept = hands.latest()
    assert kept is not None
    assert kept.key == str(signer.public)
    assert open_checkpoint(kept.note, signer.public) == signed
    assert signer.sign(NOW) is None


def test_every_checkpoint_continues_the_one_before(archive: Archive, hands: HandLog, signer: Signer) -> None:
    last = None
    for more in (1, 2, 1, 3):
        grow(archive, more)
        made = signer.sign(NOW)
        assert made is not None
        if last is not None:
            proof = hands.consistency(last.size, made.size)
            assert follows(last.size, last.root, made.size, made.root, proof)
        last = made


def test_a_hand_s_checkpoint_is_the_earliest_that_has_it(archive: Archive, hands: HandLog, signer: Signer) -> None:
    grow(archive, 1)
    assert hands.covering(0) is None
    signer.sign(NOW)
    first = hands.latest()
    grow(archive, 1)
    signer.sign(NOW)
    assert hands.covering(0) == first
    assert hands.covering(1) == hands.latest() != first


REWRITINGS = {
    "a hand's head": [hand_segment.update().where(hand_segment.c.hand_no == 4).values(head=b"x" * 32)],
    "a hand's past": [hand_segment.update().where(hand_segment.c.hand_no == 4).values(before_blob=b"x")],
    "a hand": [hand_segment.delete().where(hand_segment.c.hand_no == 4)],
    "a new leaf": [hand_leaf.update().where(hand_leaf.c.at == 3).values(entry=b"x")],
    "a new leaf is gone": [hand_leaf.delete().where(hand_leaf.c.at == 3)],
    "a new hash": [hand_node.update().where(hand_node.c.at == 4, hand_node.c.level == 0).values(hash=b"x" * 32)],
    "an old hash": [hand_node.update().where(hand_node.c.at == 2, hand_node.c.level == 0).values(hash=b"x" * 32)],
    "the last checkpoint's root": [checkpoint.update().values(note="a\n3\n" + "A" * 43 + "=\n\n— a AAAA\n")],
    "the last checkpoint is no note": [checkpoint.update().values(note="3")],
    "everything": [hand_leaf.delete(), hand_node.delete(), checkpoint.delete()],
}


@pytest.mark.parametrize("what", REWRITINGS)
def test_a_log_that_was_rewritten_is_not_signed(
    archive: Archive, signer: Signer, signed: Checkpoint, what: str
) -> None:
    grow(archive, 2)
    change(archive, *REWRITINGS[what])
    with pytest.raises(LogRewritten):
        signer.sign(NOW)


@pytest.mark.parametrize("what", REWRITINGS)
def test_an_audit_reads_the_whole_log_again(archive: Archive, signer: Signer, signed: Checkpoint, what: str) -> None:
    """Whatever stops the signer is found by `croupier audit --all` too, and old leaves as well."""
    grow(archive, 2)
    assert reread(archive, NOWHERE) == "5 hands are leaves of the log, as it was signed"
    change(archive, *REWRITINGS[what])
    if what == "everything":
        assert archive.log.size() == 0  # only the signer remembers what there was
        return
    with pytest.raises(LogRewritten):
        reread(archive, NOWHERE)


@pytest.mark.parametrize("after", ["checkpoints", "size", "with_hands"])
def test_a_log_that_grows_while_it_is_read_again_is_as_it_was_signed(
    archive: Archive, signer: Signer, signed: Checkpoint, monkeypatch: pytest.MonkeyPatch, after: str
) -> None:
    """A house that is open archives and signs while it is audited."""
    read = getattr(HandLog, after)

    def reading(log: HandLog, *arguments: int) -> object:
        found = read(log, *arguments)
        monkeypatch.setattr(HandLog, after, read)
        grow(archive, 1)
        assert signer.sign(NOW) is not None
        return found

    monkeypatch.setattr(HandLog, after, reading)
    read_again = 4 if after == "checkpoints" else 3
    assert reread(archive, NOWHERE) == f"{read_again} hands are leaves of the log, as it was signed"
    assert archive.log.size() == 4


@pytest.mark.parametrize("at", [(0, 0), (0, 3), (1, 1), (2, 0)])
def test_every_stored_hash_is_read_again(archive: Archive, signed: Checkpoint, at: tuple[int, int]) -> None:
    """Those too that no signed root is made of: proofs of hands are."""
    grow(archive, 2)
    here = (hand_node.c.level == at[0]) & (hand_node.c.at == at[1])
    for statement in (hand_node.update().where(here).values(hash=b"x" * 32), hand_node.delete().where(here)):
        change(archive, statement)
        with pytest.raises(LogRewritten):
            reread(archive, NOWHERE)


def test_what_the_signer_remembers_is_compared(archive: Archive, signer: Signer, signed: Checkpoint) -> None:
    """A database in which nothing is left, or a larger log was, says nothing by itself."""
    change(archive, hand_leaf.delete(), hand_node.delete(), checkpoint.delete(), hand_segment.delete())
    assert reread(archive, NOWHERE) == "0 hands are leaves of the log, as it was signed"
    with pytest.raises(LogRewritten, match="does not begin with the 3 leaves signed last"):
        reread(archive, signer._memory)


def test_a_checkpoint_says_where_the_audit_log_stood(archive: Archive, signer: Signer, signed: Checkpoint) -> None:
    """A line that others pass over; without an entry there is none."""
    log, latest = AuditLog(archive.engine), archive.log.latest()
    assert latest is not None and "audit" not in latest.note
    entry = log.write(Read("dana", "replay full", TABLE, 1, "a complaint"))
    grow(archive, 1)
    made = signer.sign(NOW)
    assert made is not None and made.audit == (1, entry.hash)
    note = signer._memory.read_text(encoding="utf-8")
    assert open_checkpoint(note, signer.public) == made
    assert note.splitlines()[3].startswith("audit 1 ")


def test_a_refused_signature_is_kept_until_one_is_good_again(
    archive: Archive, signer: Signer, signed: Checkpoint
) -> None:
    """For `/metrics`: once, however often it is tried."""
    log = archive.log
    assert not log.refused()
    for later in (1, 2):
        log.refuse("a test", NOW + later)
    assert log.refused()
    with archive.engine.connect() as connection:
        assert connection.execute(sa.select(refused_signature.c.at_ms)).scalars().all() == [NOW + 1]
    grow(archive, 1)
    signer.sign(NOW + 3)
    assert not log.refused()


def test_an_old_hand_that_is_gone_is_found_by_its_leaf(archive: Archive, signed: Checkpoint) -> None:
    change(archive, hand_segment.delete().where(hand_segment.c.hand_no == 2))
    with pytest.raises(LogRewritten, match="leaf 1 is not what the archive holds"):
        reread(archive, NOWHERE)


def test_a_log_rewritten_from_its_beginning_with_all_its_hashes_is_not_signed(
    archive: Archive, signer: Signer, signed: Checkpoint
) -> None:
    """The database is consistent in itself: only what the signer remembers beside its key tells."""
    grow(archive, 1)
    order = sa.case({1: 4, 2: 3, 3: 2, 4: 1}, value=hand_segment.c.hand_no)
    change(
        archive,
        hand_leaf.delete(),
        hand_node.delete(),
        checkpoint.delete(),
        hand_segment.update().values(ended_ms=order),
    )
    assert archive.add_missing_leaves() == 4
    with pytest.raises(LogRewritten, match="does not begin with the 3 leaves"):
        signer.sign(NOW)
    signer._memory.unlink()
    assert signer.sign(NOW) is not None  # control: without that memory nothing is wrong with it


def test_a_signer_killed_between_remembering_and_publishing_publishes_next_time(
    archive: Archive, hands: HandLog, signer: Signer, signed: Checkpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    grow(archive, 1)
    with monkeypatch.context() as patch:
        patch.setattr(hands, "keep", lambda *anything: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            signer.sign(NOW)
    assert signer.sign(NOW) is not None
    latest = hands.latest()
    assert latest is not None
    assert (latest.size, latest.note) == (4, signer._memory.read_text(encoding="utf-8"))


def test_another_key_goes_on_where_the_earlier_one_ended(
    archive: Archive, signed: Checkpoint, hands: HandLog, tmp_path: Path
) -> None:
    heir = Signer(archive, SigningKey(b"2" * 32), tmp_path / "signing.last", "croupier.example")
    grow(archive, 1)
    made = heir.sign(NOW)
    assert made is not None
    assert made.origin == "croupier.example"
    assert follows(3, signed.root, 4, made.root, hands.consistency(3, 4))


def test_two_archivers_at_once_make_one_log(archive: Archive, tmp_path: Path) -> None:
    with Archive(f"sqlite:///{tmp_path / 'archive.db'}") as other:
        for segment in HANDS[:3]:
            assert archive.insert(segment)
            assert not other.insert(segment)
        assert other.log.size() == 3
        assert other.log.root(3) == archive.log.root(3)
