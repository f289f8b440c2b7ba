"""A Merkle tree of RFC 6962 that grows at its end: which subtrees make a root or a proof, how one is checked.

A subtree is stored once it is full: node (level, at) covers the leaves at·2^level … (at + 1)·2^level − 1 and never
changes again. Any range the RFC asks for is made of at most one such node per level, so a tree of millions of leaves
answers with a few dozen stored hashes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine.merkle import node_hash


class Node(NamedTuple):
    """A full subtree of 2^level leaves."""

    level: int
    at: int


class Range(NamedTuple):
    """Leaves first … end − 1, a subtree in the sense of RFC 6962 section 2.1."""

    first: int
    end: int

    def nodes(self) -> list[Node]:
        """The full subtrees it is made of, left to right."""
        found, at = [], self.first
        while at < self.end:
            level = (self.end - at).bit_length() - 1
            found.append(Node(level, at >> level))
            at += 1 << level
        return found

    def halves(self) -> tuple[Range, Range]:
        """Split where the RFC does: at the largest power of two below the number of leaves."""
        middle = self.first + (1 << (self.end - self.first - 1).bit_length() - 1)
        return Range(self.first, middle), Range(middle, self.end)


def folded(hashes: Sequence[bytes]) -> bytes:
    """The hash of a range from those of its nodes, left to right (at least one)."""
    *others, root = hashes
    for left in reversed(others):
        root = node_hash(left, root)
    return root


def grown(at: int, leaf: bytes, left: Sequence[bytes]) -> list[bytes]:
    """The nodes that are full once leaf number `at` is there: the leaf, then one per level.

    `left`: the neighbours left of them (`completes`), lowest level first.
    """
    nodes = [leaf]
    for level, neighbour in enumerate(left):
        assert at >> level & 1
        nodes.append(node_hash(neighbour, nodes[-1]))
    return nodes


def completes(at: int) -> list[Node]:
    """The left neighbours of what leaf number `at` completes, lowest level first; none for an even one."""
    found = []
    level = 0
    while at >> level & 1:
        found.append(Node(level, (at >> level) - 1))
        level += 1
    return found


def inclusion(at: int, size: int) -> list[Range]:
    """The ranges whose hashes prove leaf `at` of `size`, leaf to root (RFC 6962 2.1.1). IndexError: no such leaf."""
    if not 0 <= at < size:
        raise IndexError(f"no leaf {at} of {size}")
    whole, path = Range(0, size), []
    while whole.end - whole.first > 1:
        left, right = whole.halves()
        whole, other = (left, right) if at < left.end else (right, left)
        path.append(other)
    return path[::-1]


def consistency(old: int, new: int) -> list[Range]:
    """The ranges whose hashes prove that the tree of `new` leaves begins with that of `old` (RFC 6962 2.1.2).

    IndexError: there is nothing to prove (`old` is 0 or more than `new`).
    """
    if not 0 < old <= new:
        raise IndexError(f"a tree of {new} leaves does not follow from one of {old}")
    whole, path, known = Range(0, new), [], True
    while whole.end != old:
        left, right = whole.halves()
        goes_left = old <= left.end
        known = known and goes_left
        whole, other = (left, right) if goes_left else (right, left)
        path.append(other)
    return ([] if known else [whole]) + path[::-1]


def follows(old: int, old_root: bytes, new: int, new_root: bytes, path: Sequence[bytes]) -> bool:
    """Whether the path proves that the new tree begins with the old one (RFC 9162 2.1.4.2)."""
    if not 0 < old <= new:
        return False
    if old == new:
        return old_root == new_root and not path
    steps = list(path) if old & (old - 1) else [old_root, *path]
    if not steps:
        return False
    at, last = old - 1, new - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    before = after = steps[0]
    for step in steps[1:]:
        if last == 0:
            return False
        if at & 1 or at == last:
            before, after = node_hash(step, before), node_hash(step, after)
            while at and not at & 1:
                at, last = at >> 1, last >> 1
        else:
            after = node_hash(after, step)
        at, last = at >> 1, last >> 1
    return last == 0 and before == old_root and after == new_root
