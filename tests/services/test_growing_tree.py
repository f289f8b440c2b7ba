"""Proofs of RFC 6962 over a tree that grows: every leaf of every size, every pair of sizes, nothing but the truth."""

import json
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import merkle
from services.growing_tree import Node, Range, completes, consistency, folded, follows, grown, inclusion

CT = json.loads((Path(__file__).parents[1] / "vectors" / "rfc6962.json").read_text(encoding="ascii"))


class Tree:
    """Grows as the archive does: only full subtrees are kept."""

    def __init__(self, leaves: list[bytes]) -> None:
        self.nodes: dict[Node, bytes] = {}
        self.leaves = leaves
        for at, leaf in enumerate(leaves):
            for level, hash_ in enumerate(grown(at, leaf, [self.nodes[node] for node in completes(at)])):
                self.nodes[Node(level, at >> level)] = hash_

    def hashes(self, ranges: list[Range]) -> list[bytes]:
        return [folded([self.nodes[node] for node in one.nodes()]) for one in ranges]

    def root(self, size: int) -> bytes:
        return self.hashes([Range(0, size)])[0]


def tree_of(size: int) -> Tree:
    return Tree([merkle.leaf_hash(at.to_bytes(4)) for at in range(size)])


def test_certificate_transparency_reference_tree() -> None:
    tree = Tree([merkle.leaf_hash(bytes.fromhex(leaf)) for leaf in CT["leaves"]])
    assert [tree.root(size).hex() for size in range(1, 9)] == CT["roots"]
    for proof in CT["inclusion"]:
        assert in_hex(tree.hashes(inclusion(proof["at"], proof["size"]))) == proof["path"]
    for proof in CT["consistency"]:
        assert in_hex(tree.hashes(consistency(proof["old"], proof["new"]))) == proof["path"]


def in_hex(path: list[bytes]) -> list[str]:
    return [step.hex() for step in path]


def test_roots_and_audit_paths_are_those_of_the_whole_tree() -> None:
    tree = tree_of(40)
    for size in range(1, 41):
        whole = merkle.levels(tree.leaves[:size])
        assert tree.root(size) == whole[-1]
        for at in range(size):
            path = b"".join(tree.hashes(inclusion(at, size)))
            assert path == merkle.path(whole, at)
            assert merkle.root_from_path(tree.leaves[at], at, size, path) == whole[-1]


def test_every_tree_continues_every_smaller_one() -> None:
    tree = tree_of(40)
    for new in range(1, 41):
        for old in range(1, new + 1):
            path = tree.hashes(consistency(old, new))
            assert follows(old, tree.root(old), new, tree.root(new), path)
            assert not follows(old, sha256(b"another").digest(), new, tree.root(new), path)
            assert not follows(old, tree.root(old), new, sha256(b"another").digest(), path)


@given(st.integers(1, 39), st.integers(1, 40), st.data())
def test_a_proof_with_anything_changed_proves_nothing(old: int, more: int, data: st.DataObject) -> None:
    new = old + more
    tree = tree_of(new)
    path = tree.hashes(consistency(old, new))
    at = data.draw(st.integers(0, len(path) - 1))
    flipped = bytes([path[at][0] ^ 1]) + path[at][1:]
    for wrong in (path[:at] + path[at + 1 :], [*path, path[at]], [*path[:at], flipped, *path[at + 1 :]]):
        assert not follows(old, tree.root(old), new, tree.root(new), wrong)


@given(st.integers(2, 60), st.data())
def test_a_tree_with_one_old_leaf_changed_continues_nothing(size: int, data: st.DataObject) -> None:
    old = data.draw(st.integers(1, size))
    at = data.draw(st.integers(0, old - 1))
    tree = tree_of(size)
    other = Tree([*tree.leaves[:at], merkle.leaf_hash(b"changed"), *tree.leaves[at + 1 :]])
    assert not follows(old, tree.root(old), size, other.root(size), other.hashes(consistency(old, size)))


def test_what_cannot_be_proven_is_not_asked_for() -> None:
    for at, size in ((0, 0), (3, 3), (-1, 3)):
        with pytest.raises(IndexError):
            inclusion(at, size)
    for old, new in ((0, 3), (4, 3), (-1, 3)):
        with pytest.raises(IndexError):
            consistency(old, new)
        assert not follows(old, b"", new, b"", [])
    assert not follows(2, b"", 4, b"", [])
