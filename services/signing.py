"""Signing the head of the log of hands: by the chores only, and only what continues what was signed before.

The signer remembers its last checkpoint in a file beside its key, out of reach of whoever can write the archive. A
new head is not believed from the database: it is computed from the tree that was signed last and the leaves that have
come since, each of which must be its archived hand's. So a signed tree always begins with all that were signed before.
Each checkpoint also says where the audit log stood; one whose end was cut off, or that was written anew, stops the
signer as well.
"""

from __future__ import annotations

import os
from pathlib import Path

from engine.merkle import leaf_hash, node_hash
from services.archive import Archive
from services.audit_log import AuditLog
from services.checkpoint import Checkpoint, NoteBroken, NotSigned, PublicKey, open_checkpoint, read_checkpoint
from services.growing_tree import Node, folded
from services.hand_log import Kept, Leaf, NoSuchLeaf
from services.sealing import SigningKey

AT_ONCE = 1000


class LogRewritten(Exception):
    """The log is not what was signed before: nothing is signed. Texts hold sizes and places only."""


class Signer:
    """`memory`: the file that holds the last note. `origin`: the log's name, by default one made of the key."""

    def __init__(self, archive: Archive, key: SigningKey, memory: Path, origin: str | None = None) -> None:
        self._hands = archive.log
        self._audit_log = AuditLog(archive.engine)
        self._key = key
        self._memory = memory
        self.public = PublicKey(origin or f"croupier/{key.public.hex()[:16]}", key.public)

    def sign(self, now_ms: int) -> Checkpoint | None:
        """Publish the checkpoint of the log as it is now; None if it has not grown. Raises LogRewritten."""
        before, published = self._before(), self._hands.latest()
        size = self._hands.size()
        if size == (published.size if published else 0):
            return None
        audit = self._audit_log.head()
        root = self._root(before.size if before else 0, size)
        made = Checkpoint(self.public.name, size, root, audit if audit.entries else None)
        note = made.signed(self._key)
        remember(self._memory, note)
        self._hands.keep(Kept(size, note, str(self.public)), now_ms)
        return made

    def _before(self) -> Checkpoint | None:
        """The largest tree that was signed: the log must have it still, and every other one that is remembered."""
        published = self._hands.latest()
        notes = [published.note] if published else []
        if self._memory.exists():
            notes.append(self._memory.read_text(encoding="utf-8"))
        signed = [self._believed(note) for note in notes]
        for checkpoint in signed:
            if checkpoint.size > self._hands.size() or self._stored_root(checkpoint.size) != checkpoint.root:
                raise LogRewritten(f"the log does not begin with the {checkpoint.size} leaves signed before")
            require_audit_log(self._audit_log, checkpoint)
        return max(signed, key=lambda checkpoint: checkpoint.size, default=None)

    def _believed(self, note: str) -> Checkpoint:
        """A note with our signature must be a good one; that of an earlier key is compared with the log as well."""
        try:
            return open_checkpoint(note, self.public)
        except NotSigned:
            return read_checkpoint(note)
        except NoteBroken as broken:
            raise LogRewritten(f"the last checkpoint: {broken}") from None

    def _stored_root(self, size: int) -> bytes:
        try:
            return self._hands.root(size)
        except NoSuchLeaf as missing:
            raise LogRewritten(str(missing)) from None

    def _root(self, known: int, size: int) -> bytes:
        """From the signed tree of `known` leaves and the leaves since; the stored hashes must agree."""
        tree = CompactTree(known, self._hands.full_subtrees(known))
        for first in range(known, size, AT_ONCE):
            for leaf, expected in self._hands.with_hands(first, min(first + AT_ONCE, size)):
                require_archived(leaf, tree.size, expected)
                tree.add(leaf_hash(leaf.entry))
        if tree.size != size or tree.root() != self._stored_root(size):
            raise LogRewritten("the stored hashes do not follow from the leaves")
        return tree.root()


class CompactTree:
    """The full subtrees of a tree, left to right: all that is needed to let it grow."""

    def __init__(self, size: int, hashes: list[bytes]) -> None:
        self.size = size
        self._hashes = hashes

    def add(self, leaf: bytes) -> dict[Node, bytes]:
        """The subtrees that are full now."""
        at, level = self.size, 0
        full = {Node(0, at): leaf}
        while at & 1:
            leaf = node_hash(self._hashes.pop(), leaf)
            at, level = at >> 1, level + 1
            full[Node(level, at)] = leaf
        self._hashes.append(leaf)
        self.size += 1
        return full

    def root(self) -> bytes:
        return folded(self._hashes)


def reread(archive: Archive, memory: Path) -> str:
    """The whole log from its leaves: each says what the archive holds, every published checkpoint is signed and has the
    root that follows, and so have the stored hashes. `memory`: what the signer signed last, if this process may read
    it. Hands that are archived meanwhile are left for the next time. Raises LogRewritten.
    """
    hands, tree = archive.log, CompactTree(0, [])
    published = iter(hands.checkpoints())
    size, due = hands.size(), next(published, None)  # in this order: so none of them is of a larger log
    for first in range(0, size, AT_ONCE):
        full, end = dict[Node, bytes](), min(first + AT_ONCE, size)
        for leaf, expected in hands.with_hands(first, end):
            require_archived(leaf, tree.size, expected)
            full |= tree.add(leaf_hash(leaf.entry))
            if due is not None and due.size == tree.size:
                require_signed(archive, due, tree.root())
                due = next(published, None)
        if full != hands.nodes(first, end):
            raise LogRewritten(f"the stored hashes from leaf {first} on do not follow from the leaves")
    if due is not None or tree.size != size:
        raise LogRewritten("the leaves do not give the log that was signed")
    remembered(archive, memory)
    return f"{size} hands are leaves of the log, as it was signed"


def remembered(archive: Archive, memory: Path) -> None:
    """The log and the audit log begin with what the signer signed last. Raises LogRewritten."""
    if not os.access(memory, os.R_OK):
        return
    last = read_checkpoint(memory.read_text(encoding="utf-8"))
    if last.size > archive.log.size() or archive.log.root(last.size) != last.root:
        raise LogRewritten(f"the log does not begin with the {last.size} leaves signed last")
    require_audit_log(AuditLog(archive.engine), last)


def require_signed(archive: Archive, kept: Kept, root: bytes) -> None:
    """What was signed is the one root that leaves and stored hashes give. Raises LogRewritten."""
    try:
        signed = open_checkpoint(kept.note, PublicKey.read(kept.key))
    except NoteBroken as broken:
        raise LogRewritten(f"the checkpoint of {kept.size} leaves: {broken}") from None
    if signed.size != kept.size or signed.root != root:
        raise LogRewritten(f"the first {kept.size} leaves are not those that were signed")
    require_audit_log(AuditLog(archive.engine), signed)


def require_audit_log(log: AuditLog, signed: Checkpoint) -> None:
    """The audit log has what it ended with when the checkpoint was signed. Raises LogRewritten."""
    if signed.audit is not None and not log.begins_with(signed.audit):
        raise LogRewritten(f"the audit log does not begin with the {signed.audit.entries} entries signed before")


def require_archived(leaf: Leaf, at: int, expected: bytes | None) -> None:
    """The leaf is at its place and says of its hand what the archive holds. Raises LogRewritten."""
    if leaf.at != at:
        raise LogRewritten(f"leaf {at} is missing")
    if leaf.entry != expected:
        raise LogRewritten(f"leaf {at} is not what the archive holds of {leaf.table} hand {leaf.hand}")


def remember(memory: Path, note: str) -> None:
    """Write the note so that a power cut leaves the old one or the new one; for its owner alone, as the key is."""
    draft = memory.with_name(f".{memory.name}.new")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with open(descriptor, "w", encoding="utf-8") as file:
        file.write(note)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(memory)
