"""The published cuts (tests/vectors/cut.json), worked out a second time from docs/dealing.md alone."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from engine import deck
from tests.engine.test_deal_vectors import bytes_of, shuffled

PATH = Path(__file__).parent.parent / "vectors" / "cut.json"
CUTS: list[dict[str, Any]] = json.loads(PATH.read_text(encoding="utf-8"))["cuts"]

each_cut = pytest.mark.parametrize("one", CUTS, ids=lambda one: one["name"])


def by_hand(one: dict[str, Any]) -> dict[str, Any]:
    """What must follow from table, number, root and the players' seeds."""
    hand = one["table"].encode() + b"\0" + one["number"].to_bytes(8, "big")
    players = [
        {**player, "pledge": sha256(b"\x05" + hand + bytes.fromhex(player["seed"])).hexdigest()}
        for player in one["players"]
    ]
    revealed = sorted(bytes.fromhex(player["seed"]) for player in players if player["revealed"])
    entropy = sha256(b"".join(revealed) + bytes.fromhex(one["root"]) + hand).digest()
    return {
        "hand_id": hand.hex(),
        "players": players,
        "entropy": entropy.hex() if revealed else "",
        "cut": shuffled(52, bytes_of(entropy + hand + b"cut/1")) if revealed else list(range(52)),
        "label": "players" if revealed else "server-only",
    }


@each_cut
def test_a_published_cut_follows_from_the_description(one: dict[str, Any]) -> None:
    assert one | by_hand(one) == one


@each_cut
def test_the_engine_makes_the_published_cut(one: dict[str, Any]) -> None:
    hand = deck.hand_id(one["table"], one["number"])
    seeds = {player["pledge"]: bytes.fromhex(player["seed"]) for player in one["players"]}
    assert [deck.pledge_of(seed, hand).hex() for seed in seeds.values()] == list(seeds)
    revealed = [bytes.fromhex(player["seed"]) for player in one["players"] if player["revealed"]]
    assert list(deck.public_cut(revealed, bytes.fromhex(one["root"]), hand)) == one["cut"]


def test_the_order_in_which_seeds_come_does_not_matter_but_every_seed_does() -> None:
    one = next(cut for cut in CUTS if len(cut["players"]) == 3 and cut["label"] == "players")
    hand, root = bytes.fromhex(one["hand_id"]), bytes.fromhex(one["root"])
    seeds = [bytes.fromhex(player["seed"]) for player in one["players"]]
    assert deck.public_cut(seeds, root, hand) == deck.public_cut(seeds[::-1], root, hand)
    assert deck.public_cut(seeds, root, hand) != deck.public_cut(seeds[1:], root, hand)
