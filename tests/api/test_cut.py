"""Players cut the deck by HTTP: pledge, root, reveal, deal; and what anybody can check afterwards."""

from __future__ import annotations

import subprocess
import sys
import threading
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import TestResponse

from engine.deck import hand_id, public_cut
from services.bots import TableBots
from services.policies import POLICIES
from tests.api.conftest import Service
from tests.api.story import Player, Story, bearer

BOT = Path(__file__).parents[2] / "examples" / "bot.py"


@pytest.fixture
def story(service: Service, client: Any) -> Story:
    """A table that stands still: time to pledge."""
    story = Story.opened(client, service.host_token)
    story.order("paused")
    return story


@pytest.fixture(autouse=True)
def time_to_reveal(monkeypatch: pytest.MonkeyPatch) -> None:
    """A minute: here all seeds count, however slow the machine."""
    monkeypatch.setattr("engine.cut.REVEAL_MS", 60_000)


def put(player: Player, path: str, body: Any) -> TestResponse:
    return player.story.client.put(
        f"{player.story.path}/seats/{player.seat}/{path}", json=body, headers=bearer(player.token)
    )


def seed_of(player: Player) -> bytes:
    return player.name.encode()[:1] * 32


def pledge_of(player: Player, number: int) -> str:
    """As the page about dealing says, byte by byte."""
    hand = player.story.table.encode() + b"\0" + number.to_bytes(8, "big")
    return sha256(b"\x05" + hand + seed_of(player)).hexdigest()


def pledge(player: Player, number: int = 1) -> TestResponse:
    return put(player, "pledge", {"hand": number, "pledge": pledge_of(player, number)})


def reveal(player: Player, number: int = 1) -> TestResponse:
    return put(player, "seed", {"hand": number, "seed": seed_of(player).hex()})


def pending(story: Story) -> dict[str, Any]:
    """The table goes on; the hand that waits for its seeds."""
    story.order("running")
    return story.until(lambda view: bool(view["hand"] and view["hand"]["cut"]["label"] == "pending"))["hand"]


def folded(story: Story) -> dict[str, Any]:
    """The hand is over; what anybody may know of its deal."""
    story.on_turn().act("bring_in", 5)
    story.on_turn().act("fold")
    story.until(lambda view: view["number"] > 1 or view["hand"]["over"])
    return dict(story.client.get(f"{story.path}/hands/1/deal").get_json())


def test_two_players_cut_the_deck(story: Story, ann: Player, bob: Player) -> None:
    """Nothing is dealt before both seeds are there; then everybody can compute where each card came from."""
    assert pledge(ann).status_code == pledge(bob).status_code == 200
    assert [place["pledged"] for place in story.view()["seats"][:2]] == [True, True]
    hand = pending(story)
    assert len(hand["root"]) == 64 and sorted(hand["cut"]["awaited"]) == ["Ann", "Bob"]
    assert hand["actor"] is None and not any(place["cards"] for place in story.view()["seats"][:2])
    assert reveal(bob).status_code == 200
    assert story.view()["hand"]["cut"]["awaited"] == ["Ann"]
    kinds = [event["event"] for event in reveal(ann).get_json()["events"]]
    assert kinds[:2] == ["SeedRevealed", "CutFixed"] and "RoundDealt" in kinds
    assert story.view()["hand"]["cut"]["label"] == "players"
    own = ann.view()["you"]
    deal = folded(story)
    seeds = [bytes.fromhex(seed["bytes"]) for seed in deal["cut"]["seeds"]]
    assert deal["cut"]["cut"] == list(public_cut(seeds, bytes.fromhex(deal["root"]), hand_id(story.table, 1)))
    assert deal["hand_id"] == hand_id(story.table, 1).hex()
    assert {one["player"]: one["bytes"] for one in deal["cut"]["pledges"]} == {
        player.name: pledge_of(player, 1) for player in (ann, bob)
    }
    assert set(own["at"]) < set(deal["cut"]["cut"][:6])
    verdict = story.client.get(f"{story.path}/hands/1/verify").get_json()
    assert verdict["ok"] and "players: 2 seeds" in str(verdict["checks"])
    hidden = set(own["at"][:2])
    assert not hidden & {card["at"] for card in deal["opened"]}


def test_who_never_reveals_is_left_out(
    story: Story, ann: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.cut.REVEAL_MS", 4_000)
    pledge(ann)
    pledge(bob)
    pending(story)
    assert reveal(ann).status_code == 200
    story.dealt()
    assert story.view()["hand"]["cut"] == {"label": "players", "players": ["Ann"], "awaited": []}
    late = reveal(bob)
    assert (late.status_code, late.get_json()["code"]) == (409, "seed_too_late")
    deal = folded(story)
    assert [seed["player"] for seed in deal["cut"]["seeds"]] == ["Ann"] and len(deal["cut"]["pledges"]) == 2


def test_without_pledges_a_hand_is_server_only_and_starts_at_once(story: Story, ann: Player, bob: Player) -> None:
    story.order("running")
    story.dealt()
    assert story.view()["hand"]["cut"] == {"label": "server-only", "players": [], "awaited": []}
    deal = folded(story)
    assert deal["cut"] == {"label": "server-only", "pledges": [], "seeds": [], "cut": list(range(52))}


def test_a_seed_that_is_not_the_pledged_one_is_refused(story: Story, ann: Player, bob: Player) -> None:
    early = reveal(ann)
    assert (early.status_code, early.get_json()["code"]) == (409, "seed_too_early")
    pledge(ann)
    again = pledge(ann)
    assert (again.status_code, again.get_json()["code"]) == (409, "already_pledged")
    pending(story)
    other = put(ann, "seed", {"hand": 1, "seed": "00" * 32})
    assert (other.status_code, other.get_json()["code"]) == (409, "seed_mismatch")
    assert "00" * 32 not in other.text
    none = reveal(bob)
    assert (none.status_code, none.get_json()["code"]) == (409, "no_pledge")
    assert reveal(ann).status_code == 200
    assert reveal(ann).get_json()["code"] == "seed_too_late"


def test_a_pledge_is_for_the_next_hand_and_says_which(story: Story, ann: Player, bob: Player) -> None:
    stale = pledge(ann, 2)
    assert (stale.status_code, stale.get_json()["code"], stale.get_json()["hand"]) == (412, "stale_hand", 1)
    story.order("running")
    story.dealt()
    assert pledge(ann, 2).status_code == 200
    assert reveal(ann, 2).get_json()["code"] == "seed_too_early"


@pytest.mark.parametrize("value", ["", "ab", "AB" * 32, "zz" * 32, "ab" * 33, 7, None, ["ab" * 32]])
@pytest.mark.parametrize("path", ["pledge", "seed"])
def test_seeds_and_pledges_are_32_bytes_in_hex(story: Story, ann: Player, path: str, value: Any) -> None:
    answer = put(ann, path, {"hand": 1, path: value})
    assert (answer.status_code, answer.get_json()["code"]) == (422, "malformed")
    assert "input" not in answer.text


def test_only_the_seats_own_player_pledges(story: Story, ann: Player, bob: Player) -> None:
    body = {"hand": 1, "pledge": "00" * 32}
    path = f"{story.path}/seats/0/pledge"
    assert story.client.put(path, json=body).status_code == 401
    assert story.client.put(path, json=body, headers=bearer(bob.token)).get_json()["code"] == "not_your_seat"
    assert not story.view()["seats"][0]["pledged"]


def test_seeds_take_no_number_of_the_players_commands(story: Story, ann: Player, bob: Player) -> None:
    """The answer to his last action stays his, whatever his client sends beside it."""
    assert ann.send({"verb": "sit_out"}, k=5).status_code == 200
    pledge(ann)
    assert ann.send({"verb": "sit_out"}, k=5).status_code == 200
    assert story.client.get(f"{story.path}/commands/{ann.actor}-5", headers=bearer(ann.token)).status_code == 200


def test_bots_pledge_and_reveal(service: Service, client: Any) -> None:
    """Those of `croupier bot --pledge`, and the example that is one file."""
    story = Story.opened(client, service.host_token, hand_gap_seconds=0)
    url = f"http://{service.url}"
    crew = TableBots(url, story.table, ["Bea"], 1000, think_s=0, policy=POLICIES["calldown"], pledge=True)
    thread = threading.Thread(target=crew.run, daemon=True)
    thread.start()
    try:
        command = [sys.executable, str(BOT), url, story.table, "Eve", "1000", "3", "pledge"]
        run = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert (run.returncode, run.stderr) == (0, "")
    finally:
        crew.stop.set()
        story.order("paused")  # news, for the crew to look up from its long poll
        thread.join(60)
    deals = [client.get(f"{story.path}/hands/{hand}/deal").get_json()["cut"] for hand in (1, 2)]
    assert {seed["player"] for deal in deals for seed in deal["seeds"]} == {"Bea", "Eve"}
    assert all(len(deal["pledges"]) == len(deal["seeds"]) for deal in deals), "nobody was waited for in vain"
