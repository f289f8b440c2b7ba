"""The sealed deck: a shuffle that a seed fixes, and a commitment that opens card by card.

The bytes are fixed for independent verifiers (docs/dealing.md; test vectors in tests/vectors/deal.json).
A hand's seed is 32 secret bytes; whoever has it can compute all 52 cards. Nothing in this module
shows a card, salt or seed in a repr or an error.
"""

from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from typing import ClassVar

from engine import merkle
from engine.drbg import SEED_BYTES, HmacDrbg
from engine.mac import keyed

CARDS = 52
SALT_BYTES = 16
OPENING_BYTES = (208, 144)  # salt and path; the last four of 52 leaves have a shorter path (RFC 6962)

_IN_ORDER = bytes(range(CARDS))


class Deck:
    """52 cards in a fixed order, with the commitment to them unless the deck is bare.

    `cards[at]` is the card at leaf `at`, `root` the 32-byte Merkle root (empty for a bare deck). `complete` is false
    where somebody has put it together from the cards that were opened.
    """

    complete: ClassVar[bool] = True
    __slots__ = ("_marks", "_openings", "_salts", "_tree", "cards", "root")

    def __init__(
        self, cards: bytes, salts: bytes = b"", tree: merkle.Levels = (b"",), secret: bytes = b""
    ) -> None:
        if bytes(sorted(cards)) != _IN_ORDER:
            raise ValueError("a deck holds each of the 52 cards once")
        self.cards = cards
        self.root = tree[-1]
        self._salts = salts
        self._marks = keyed(secret)
        self._tree = tree
        self._openings: dict[int, bytes] = {}  # made once: a player is told his own again with every card

    @property
    def values(self) -> Sequence[int | None]:
        """The cards by leaf, None where one is not known."""
        return self.cards

    def opening(self, at: int) -> bytes:
        """What proves the card at leaf `at`: salt (16 bytes) and audit path, leaf to root.

        208 bytes for leaves 0–47 and 144 for 48–51, whose path is shorter; empty for a bare deck.
        """
        if not self.root:
            return b""
        known = self._openings.get(at)
        if known is None:
            salt = self._salts[SALT_BYTES * at : SALT_BYTES * (at + 1)]
            known = self._openings[at] = salt + merkle.path(self._tree, at)
        return known

    def salt(self, label: bytes) -> bytes:
        """16 bytes that only who knows the seed can tell, for something of this hand that is no card.

        The same for the same label. A bare deck hides nothing.
        """
        return self._marks(label)[:SALT_BYTES]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Deck) and (self.cards, self.root) == (other.cards, other.root)

    def __repr__(self) -> str:
        return f"<Deck root={self.root.hex()}>" if self.root else "<Deck bare>"


def hand_id(table_id: str, number: int) -> bytes:
    """Table id (ASCII) ‖ 0x00 ‖ hand number (8 bytes). Raises ValueError for any other table id."""
    if "\0" in table_id:
        raise ValueError("a table id has no NUL")
    return table_id.encode("ascii") + b"\x00" + number.to_bytes(8, "big")


def sealed_deck(seed: bytes, hand: bytes) -> Deck:
    """The deck of a real hand: shuffled and committed to."""
    return commit(shuffle(seed, hand), seed, hand)


def bare_deck(cards: Iterable[int]) -> Deck:
    """A deck without commitment, for benchmarks and for replaying hands dealt elsewhere."""
    return Deck(bytes(cards))


def shuffle(seed: bytes, hand: bytes) -> bytes:
    """The 52 cards in the order this seed gives for this hand."""
    return permutation(CARDS, _generator(seed, hand, b"deck/1").below)


def permutation(size: int, below: Callable[[int], int]) -> bytes:
    """0..size-1 shuffled by Fisher and Yates, from the end; every order is as likely as `below` is fair."""
    order = bytearray(range(size))
    for last in range(size - 1, 0, -1):
        at = below(last + 1)
        order[last], order[at] = order[at], order[last]
    return bytes(order)


def commit(cards: bytes, seed: bytes, hand: bytes) -> Deck:
    """Commit to each card under its own salt, so that one can be opened without the others.

    salt_i = HMAC-SHA256(seed, "salt" ‖ hand id ‖ i), the first 16 bytes;
    leaf_i = SHA-256(0x00 ‖ hand id ‖ i ‖ card ‖ salt_i); RFC 6962 tree over the 52 leaves.
    """
    _check(seed)
    mark, label = keyed(seed), b"salt" + hand
    salts = [mark(label + bytes((at,)))[:SALT_BYTES] for at in range(CARDS)]
    leaves = [_leaf(hand, at, card, salts[at]) for at, card in enumerate(cards)]
    return Deck(cards, b"".join(salts), merkle.levels(leaves), mark(b"choices" + hand))


def verify_opening(root: bytes, hand: bytes, at: int, card: int, opening: bytes) -> bool:
    """Whether `opening` proves that `card` lies at leaf `at` of the deck committed to by `root`."""
    if not (0 <= at < CARDS and 0 <= card < CARDS):
        return False
    leaf = _leaf(hand, at, card, opening[:SALT_BYTES])
    return merkle.root_from_path(leaf, at, CARDS, opening[SALT_BYTES:]) == root


def pledge_of(seed: bytes, hand: bytes) -> bytes:
    """What a player publishes of his 32-byte seed before the hand: SHA-256(0x05 ‖ hand id ‖ seed)."""
    _check(seed)
    return sha256(b"\x05" + hand + seed).digest()


def split_openings(at: bytes, openings: bytes) -> list[bytes]:
    """The opening of each of these leaves; empty ones if the deck is bare."""
    found, start = [], 0
    for leaf in at:
        end = start + (OPENING_BYTES[leaf >= 48] if openings else 0)
        found.append(openings[start:end])
        start = end
    return found


def public_cut(seeds: Iterable[bytes], root: bytes, hand: bytes) -> bytes:
    """Where the k-th card dealt lies: leaf cut[k]. Anybody can compute it from what is public.

    `seeds` are the players' 32-byte seeds, revealed after `root` was published; in any order.
    Without any the cards are dealt as they lie. Raises ValueError for a seed of another length.
    """
    revealed = sorted(seeds)
    if not revealed:
        return _IN_ORDER
    for seed in revealed:
        _check(seed)
    entropy = sha256(b"".join(revealed) + root + hand).digest()
    return permutation(CARDS, _generator(entropy, hand, b"cut/1").below)


def first_button(seed: bytes, seats: int) -> int:
    """The place, 0..seats-1, of a table's first button (all equally likely)."""
    return _generator(seed, b"", b"button/1").below(seats)


def _leaf(hand: bytes, at: int, card: int, salt: bytes) -> bytes:
    return sha256(b"\x00" + hand + bytes((at, card)) + salt).digest()


def _generator(seed: bytes, nonce: bytes, purpose: bytes) -> HmacDrbg:
    _check(seed)
    return HmacDrbg(seed, nonce, purpose)


def _check(seed: bytes) -> None:
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
