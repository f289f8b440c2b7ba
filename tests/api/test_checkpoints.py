"""What a player needs to hold the house to its log: receipts with every frame, and proofs against signed heads."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask.testing import FlaskClient

from engine.merkle import leaf_hash, root_from_path
from services.bundle import read
from services.checkpoint import PublicKey, open_checkpoint
from services.growing_tree import follows
from services.hand_log import HandLog
from services.log import Durability, Log
from services.reader import Reader
from services.sealing import SigningKey
from services.signing import Signer
from services.store import connect
from services.sweeping import Sweeper
from services.verifying import Verifier, summed_up
from tests.api.conftest import Service
from tests.api.story import API, Player, Story, Watcher, bearer
from tests.api.test_malformed import assert_problem


def play_a_hand(story: Story) -> int:
    """Somebody folds; the number of the hand."""
    number = int(story.dealt()["number"])
    player = story.on_turn()
    actions = player.actions()["legal"]
    player.act("bring_in" if "bring_in" in actions else "fold")
    if "bring_in" in actions:
        story.on_turn().act("fold")
    return number


def sweep(service: Service) -> HandLog:
    """The chores, at the test's own pace."""
    client = connect(str(service.settings.redis_url))
    log, reader = Log(client, "croupier/1", Durability("dev")), Reader(client)
    assert Sweeper(log, reader, service.house.archive, None).sweep(range(4)).wrong == {}
    return service.house.archive.log


def sign(service: Service, folder: Path) -> None:
    sweep(service)
    Signer(service.house.archive, SigningKey(bytes(32)), folder / "signing.last").sign(1)


@pytest.fixture(scope="session")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the signer of this session's service remembers."""
    return tmp_path_factory.mktemp("signer")


def test_every_frame_is_a_receipt(service: Service, story: Story, ann: Player, bob: Player) -> None:
    """Version and chain head go out with every snapshot, event and state: nobody can change the log behind them."""
    with Watcher(service.url, story) as watcher:
        play_a_hand(story)
        frames = watcher.until(lambda message: message["data"].get("event") == "HandEnded")
    with Watcher(service.url, story, last=5) as watcher:
        frames += watcher.until(lambda message: message["kind"] == "state")
    with Watcher(service.url, story, last=10**6) as watcher:
        frames += watcher.until(lambda message: message["kind"] == "resync")
    stored = {entry.version: entry.hash.hex() for entry in service.house.history.events(story.table, 0)}
    assert {frame["kind"] for frame in frames} == {"snapshot", "event", "state", "resync"}
    assert all(stored[frame["data"]["version"]] == frame["data"]["head"] for frame in frames)
    for seen in (story.seen(), story.seen(ann.token)):
        assert stored.get(seen["version"], seen["head"]) == seen["head"]
    listed = story.client.get(f"{story.path}/events?after=0", headers=bearer(ann.token)).get_json()["items"]
    assert all(stored[event["version"]] == event["head"] for event in listed if event["version"] in stored)


def test_a_hand_is_proven_to_be_in_the_log_and_the_log_to_grow_only(
    service: Service, story: Story, ann: Player, bob: Player, memory: Path
) -> None:
    play_a_hand(story)
    story.until(lambda view: view["number"] > 1)
    sign(service, memory)
    old = story.client.get(f"{API}/checkpoint")
    assert old.content_type == "text/plain; charset=utf-8"
    key = PublicKey.read(story.client.get(f"{API}/checkpoint/key").text)
    before = open_checkpoint(old.text, key)
    told = story.client.get(f"{API}/checkpoint/inclusion?table={story.table}&hand=1").get_json()
    leaf, path = leaf_hash(bytes.fromhex(told["entry"])), bytes.fromhex("".join(told["path"]))
    assert root_from_path(leaf, told["at"], told["size"], path) == before.root
    assert (told["size"], told["root"]) == (before.size, before.root.hex())
    head = story.client.get(f"{story.path}/hands/1").get_json()["head"]
    assert bytes.fromhex(head) in bytes.fromhex(told["entry"])

    play_a_hand(story)
    story.until(lambda view: view["number"] > 2)
    sign(service, memory)
    now = open_checkpoint(story.client.get(f"{API}/checkpoint").text, key)
    proof = story.client.get(f"{API}/checkpoint/consistency?old={before.size}&new={now.size}").get_json()["path"]
    assert now.size > before.size
    assert follows(before.size, before.root, now.size, now.root, [bytes.fromhex(step) for step in proof])


def test_a_hand_s_bundle_is_verified_without_the_house(
    service: Service, story: Story, ann: Player, bob: Player, memory: Path
) -> None:
    play_a_hand(story)
    story.until(lambda view: view["number"] > 1)
    early = story.client.get(f"{story.path}/hands/1/bundle").data
    sign(service, memory)
    response = story.client.get(f"{story.path}/hands/1/bundle")
    assert response.content_type == "application/vnd.croupier.bundle"
    assert f'filename="{story.table}-1.bundle"' in response.headers["Content-Disposition"]
    key = PublicKey.read(story.client.get(f"{API}/checkpoint/key").text)
    assert summed_up(list(Verifier(public=key, strict=True).bundle(read(response.data)))).ok
    assert not summed_up(list(Verifier(strict=True).bundle(read(early)))).ok  # it had no checkpoint yet
    told = story.client.get(f"{story.path}/hands/1/verify").get_json()
    assert told["ok"]
    assert {"log", "checkpoint", "decide", "payoffs", "cut"} <= {check["name"] for check in told["checks"]}
    sign(service, memory)
    assert story.client.get(f"{story.path}/hands/1/bundle").data == response.data
    segment = service.house.archive.segment(story.table, 1)
    assert segment is not None
    assert segment.sealed_seed not in response.data


def test_everybody_can_read_all_leaves(service: Service, story: Story, ann: Player, bob: Player) -> None:
    play_a_hand(story)
    story.until(lambda view: view["number"] > 1)
    log = sweep(service)
    found, cursor = [], "0"
    while cursor is not None:
        page = story.client.get(f"{API}/checkpoint/leaves?cursor={cursor}&last=2").get_json()
        found, cursor = found + page["items"], page["next"]
    assert [leaf["at"] for leaf in found] == list(range(log.size()))
    assert (story.table, 1) in [(leaf["table"], leaf["hand"]) for leaf in found]


def test_what_is_not_in_the_log_is_not_found(client: FlaskClient, service: Service, story: Story) -> None:
    for path in (
        f"inclusion?table={story.table}&hand=1&size=1",
        "inclusion?table=017-nobody&hand=1&size=1",
        "consistency?old=3&new=2",
        f"consistency?old=1&new={10**15}",
    ):
        assert_problem(client.get(f"{API}/checkpoint/{path}"), "not_found")
    for path in ("inclusion?table=x&hand=1", "consistency?old=0&new=1", "leaves?cursor=-1", "leaves?last=5000"):
        assert_problem(client.get(f"{API}/checkpoint/{path}"), "malformed")
