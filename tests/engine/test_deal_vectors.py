"""The published deal (tests/vectors/deal.json), worked out a second time from docs/dealing.md alone.

Nothing of `engine` takes part in the second computation: it is what an outside verifier writes.
"""

import hmac
import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from engine import deck

PATH = Path(__file__).parent.parent / "vectors" / "deal.json"
DEALS: list[dict[str, Any]] = json.loads(PATH.read_text(encoding="utf-8"))["deals"]

each_deal = pytest.mark.parametrize("deal", DEALS, ids=lambda deal: deal["name"])


def mac(key: bytes, text: bytes) -> bytes:
    return hmac.new(key, text, sha256).digest()


def bytes_of(material: bytes) -> Iterator[int]:
    """HMAC_DRBG-SHA256 without additional input, request after request of 128 bytes."""
    key, value = bytes(32), b"\x01" * 32
    for mark in (b"\x00", b"\x01"):
        key = mac(key, value + mark + material)
        value = mac(key, value)
    while True:
        for _ in range(4):
            value = mac(key, value)
            yield from value
        key = mac(key, value + b"\x00")
        value = mac(key, value)


def shuffled(size: int, source: Iterator[int]) -> list[int]:
    order = list(range(size))
    for last in range(size - 1, 0, -1):
        at = next(byte % (last + 1) for byte in source if byte < 256 // (last + 1) * (last + 1))
        order[last], order[at] = order[at], order[last]
    return order


def tree_root(leaves: list[bytes]) -> bytes:
    if len(leaves) == 1:
        return leaves[0]
    split = next(half for half in (32, 16, 8, 4, 2, 1) if half < len(leaves))
    return sha256(b"\x01" + tree_root(leaves[:split]) + tree_root(leaves[split:])).digest()


def audit_path(leaves: list[bytes], at: int) -> bytes:
    if len(leaves) == 1:
        return b""
    split = next(half for half in (32, 16, 8, 4, 2, 1) if half < len(leaves))
    left, right = leaves[:split], leaves[split:]
    if at < split:
        return audit_path(left, at) + tree_root(right)
    return audit_path(right, at - split) + tree_root(left)


def by_hand(deal: dict[str, Any]) -> dict[str, Any]:
    """What must follow from the inputs of a deal."""
    seed = bytes.fromhex(deal["seed"])
    hand = deal["table"].encode() + b"\0" + deal["number"].to_bytes(8, "big")
    cards = shuffled(52, bytes_of(seed + hand + b"deck/1"))
    salts = [mac(seed, b"salt" + hand + bytes([i]))[:16] for i in range(52)]
    leaves = [sha256(b"\x00" + hand + bytes([i, cards[i]]) + salts[i]).digest() for i in range(52)]
    root = tree_root(leaves)
    revealed = sorted(bytes.fromhex(one) for one in deal["player_seeds"])
    cut_seed = sha256(b"".join(revealed) + root + hand).digest()
    return {
        "hand_id": hand.hex(),
        "deck": cards,
        "root": root.hex(),
        "openings": [
            {"at": at, "card": cards[at], "opening": (salts[at] + audit_path(leaves, at)).hex()}
            for at in (0, 20, 51)
        ],
        "cut": shuffled(52, bytes_of(cut_seed + hand + b"cut/1")) if revealed else list(range(52)),
        "first_button": {
            str(seats): next(
                byte % seats for byte in bytes_of(seed + b"button/1") if byte < 256 // seats * seats
            )
            for seats in (2, 6, 9)
        },
    }


@each_deal
def test_published_deal_follows_from_the_description(deal: dict[str, Any]) -> None:
    assert deal | by_hand(deal) == deal


@each_deal
def test_the_engine_deals_the_published_deal(deal: dict[str, Any]) -> None:
    """P128: the bytes are ours, so no Python or library version can change a stored deal."""
    seed, hand = bytes.fromhex(deal["seed"]), deck.hand_id(deal["table"], deal["number"])
    sealed = deck.sealed_deck(seed, hand)
    assert (hand.hex(), sealed.root.hex()) == (deal["hand_id"], deal["root"])
    assert list(sealed.cards) == deal["deck"]
    for one in deal["openings"]:
        assert sealed.opening(one["at"]).hex() == one["opening"]
        assert deck.verify_opening(sealed.root, hand, one["at"], one["card"], bytes.fromhex(one["opening"]))
    players = [bytes.fromhex(player_seed) for player_seed in deal["player_seeds"]]
    assert list(deck.public_cut(players, sealed.root, hand)) == deal["cut"]
    assert {seats: deck.first_button(seed, int(seats)) for seats in deal["first_button"]} == deal[
        "first_button"
    ]
