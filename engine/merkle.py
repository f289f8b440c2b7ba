"""Merkle trees of RFC 6962 section 2.1: SHA-256, leaves prefixed 0x00, inner nodes 0x01.

A tree is kept as its levels, leaves first and the root last, each level one string of 32-byte
hashes. A node without a right neighbour moves up unchanged, which gives the RFC's shape for any
number of leaves (the left subtree is always the largest full one).
"""

from collections.abc import Iterable
from hashlib import sha256

HASH_BYTES = 32

Levels = tuple[bytes, ...]


def leaf_hash(data: bytes) -> bytes:
    """SHA-256(0x00 ‖ data), 32 bytes."""
    return sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """SHA-256(0x01 ‖ left ‖ right), 32 bytes."""
    return sha256(b"\x01" + left + right).digest()


def levels(leaves: Iterable[bytes]) -> Levels:
    """The tree over these leaf hashes. An empty tree has the hash of nothing for its root (RFC 6962)."""
    level = b"".join(leaves) or sha256().digest()
    tree = [level]
    while len(level) > HASH_BYTES:
        level = _parents(level)
        tree.append(level)
    return tuple(tree)


def path(tree: Levels, at: int) -> bytes:
    """The audit path of leaf `at`: the neighbours' hashes from leaf to root, 32 bytes each.

    Raises IndexError if there is no such leaf.
    """
    if not 0 <= at < len(tree[0]) // HASH_BYTES:
        raise IndexError(f"no leaf {at}")
    neighbours = []
    for level in tree[:-1]:
        start = (at ^ 1) * HASH_BYTES
        neighbours.append(level[start : start + HASH_BYTES])  # empty for a node that only moves up
        at >>= 1
    return b"".join(neighbours)


def root_from_path(leaf: bytes, at: int, size: int, audit_path: bytes) -> bytes | None:
    """The root that leaf hash number `at` of `size` and its path lead to; None if the path cannot be one."""
    if not 0 <= at < size:
        return None
    node, used = leaf, 0
    while size > 1:
        if (at ^ 1) < size:
            neighbour = audit_path[used : used + HASH_BYTES]
            node = node_hash(neighbour, node) if at & 1 else node_hash(node, neighbour)
            used += HASH_BYTES
        at, size = at >> 1, (size + 1) >> 1
    return node if used == len(audit_path) else None


def _parents(level: bytes) -> bytes:
    pairs = len(level) // (2 * HASH_BYTES) * 2 * HASH_BYTES
    parents = [sha256(b"\x01" + level[i : i + 64]).digest() for i in range(0, pairs, 64)]
    return b"".join(parents) + level[pairs:]
