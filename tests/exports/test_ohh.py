"""Open Hand History: the structure that its specification (1.4.7) asks for, and amounts that add up."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from services.exports.ohh import write
from services.formats.ohh import read
from services.formats.record import BrokenHistory
from tests.exports.tables import played, stories_of

REQUIRED: dict[str, type | tuple[type, ...]] = {
    "spec_version": str, "site_name": str, "network_name": str, "internal_version": str, "tournament": bool,
    "game_number": str, "start_date_utc": str, "table_name": str, "game_type": str, "bet_limit": dict,
    "table_size": int, "currency": str, "dealer_seat": int, "small_blind_amount": int, "big_blind_amount": int,
    "ante_amount": int, "flags": list, "players": list, "rounds": list, "pots": list, "tournament_bounties": list,
}  # fmt: skip
ACTIONS = {
    "Dealt Cards", "Mucks Cards", "Shows Cards", "Post Ante", "Post SB", "Post BB", "Straddle", "Post Dead",
    "Post Extra Blind", "Fold", "Check", "Bet", "Raise", "Call", "Added Chips", "Sits Down", "Stands Up",
    "Added To Pot",
}  # fmt: skip
STREETS = ("Preflop", "Flop", "Turn", "River", "Showdown")


def require_structure(hand: dict[str, Any]) -> None:
    """What any reader of the format may rely on."""
    for key, kind in REQUIRED.items():
        assert isinstance(hand[key], kind), key
    assert {key for key in hand if key not in REQUIRED and not key.startswith("_")} <= {"hero_player_id"}
    assert hand["game_type"] in ("OmahaHiLo", "Omaha", "Holdem")
    assert hand["bet_limit"]["bet_type"] in ("NL", "PL", "FL")
    assert set(hand["flags"]) <= {"Run_It_Twice", "Anonymous", "Observed", "Fast", "Cap"}
    ids = [player["id"] for player in hand["players"]]
    assert len(set(ids)) == len(ids)
    streets = [round_["street"] for round_ in hand["rounds"]]
    assert [street for street in STREETS if street in streets] == streets and streets[0] == "Preflop"
    assert [round_["id"] for round_ in hand["rounds"]] == list(range(len(streets)))
    for round_ in hand["rounds"]:
        assert [action["action_number"] for action in round_["actions"]] == list(range(len(round_["actions"])))
        assert all(action["action"] in ACTIONS and action["player_id"] in ids for action in round_["actions"])
    assert not any(action["action"] == "Bet" for action in hand["rounds"][0]["actions"]), (
        "before the flop it is a raise"
    )


def put_in(hand: dict[str, Any]) -> int:
    return sum(action.get("amount", 0) for round_ in hand["rounds"] for action in round_["actions"])


@pytest.mark.parametrize("game", ["omaha8", "omaha", "holdem"])
def test_the_structure_is_the_specifications(game: str) -> None:
    met: Counter[str] = Counter()
    for number in range(15):
        for story in stories_of(played(game, number, 3), "seat" if number % 2 else "public"):
            hand = json.loads(write(story).text)["ohh"]
            require_structure(hand)
            returned = sum(chips for _, _, chips in story.hand.returns)
            assert put_in(hand) - returned == sum(pot["amount"] for pot in hand["pots"])
            won = sum(win["win_amount"] for pot in hand["pots"] for win in pot["player_wins"])
            assert won + sum(pot["rake"] for pot in hand["pots"]) == sum(pot["amount"] for pot in hand["pots"])
            assert ("hero_player_id" in hand) is (story.view != "public")
            met.update(action["action"] for round_ in hand["rounds"] for action in round_["actions"])
    assert {"Post SB", "Post BB", "Raise", "Shows Cards", "Mucks Cards"} <= set(met)


def test_the_halves_of_a_pot_are_told_beside_the_format() -> None:
    shares: set[str] = set()
    for number in range(15):
        for story in stories_of(played("omaha8", number, 3, quiet=True)):
            export = write(story)
            wins = [win for pot in json.loads(export.text)["ohh"]["pots"] for win in pot["player_wins"]]
            told = {win["_pot_share"] for win in wins if "_pot_share" in win}
            assert bool(told) <= ("shares" in {item.code for item in export.unsaid})
            shares |= told
    assert shares == {"high", "low"}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"ohh": {"game_number": "1", "game_type": "Holdem"}}', "missing or misshaped"),
        ('{"ohh": 7}', "not an object with ohh"),
        ('{"ohh": {"game_type": "Holdem", "players": ', "not JSON"),
    ],
)
def test_a_damaged_file_is_refused_with_a_reason(text: str, why: str) -> None:
    (sheet,) = read("x.ohh", text)
    with pytest.raises(BrokenHistory, match=why):
        sheet.read()


def test_comings_and_goings_at_the_table_are_passed_over() -> None:
    """Chips added, somebody who sits down and is not in the hand."""
    (story, *_) = stories_of(played("omaha8", 3, 1, quiet=True))
    hand = json.loads(write(story).text)
    plain = next(read("x.ohh", json.dumps(hand))).read()
    for number, (action, player) in enumerate([("Added Chips", 0), ("Sits Down", 77), ("Stands Up", 77)]):
        beside = {"action_number": 90 + number, "player_id": player, "action": action, "amount": 5}
        hand["ohh"]["rounds"][0]["actions"].insert(number, beside)
    assert next(read("x.ohh", json.dumps(hand))).read() == plain
