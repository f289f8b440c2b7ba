"""A choice that nobody may know yet is nowhere in the store, on its way and afterwards (decision 17)."""

from __future__ import annotations

from contextlib import closing
from hashlib import sha256
from typing import Any

import pytest
from flask.testing import FlaskClient

from engine.commands import Act
from services import tables
from services.audit import verify
from services.sealing import SealKey
from services.segment import Segment
from services.store import connect
from services.wire import COMMANDS
from tests.api.conftest import Service
from tests.api.story import Player, Story
from tests.house.channels import values_of

LOW = {"choice": "low"}


def declaring(service: Service, client: FlaskClient) -> Story:
    """A hand of Abyssinia in which the first of two players has the choice of high, low or both."""
    story = Story.opened(client, service.host_token, "abyssinia", **{"abyssinia.declare": True})
    for seat, name in enumerate(("Ann", "Bob")):
        story.sit(seat, name, 100)
    while "declare" not in story.dealt()["hand"]["legal"]:
        buying = "buy" in story.view()["hand"]["legal"]
        declare(story.on_turn(), verb="buy", source="left") if buying else story.on_turn().act("check")
    return story


def declare(player: Player, k: int | None = None, **body: Any) -> Any:
    answer = player.send({"turn": player.story.view()["turn"], **body}, k)
    assert answer.status_code == 200, answer.text
    return answer.get_json()


def stored(service: Service) -> bytes:
    """Everything in the store."""
    assert service.settings.redis_url
    with closing(connect(service.settings.redis_url)) as store:
        return b"\n".join(value for key in store.scan_iter("*") for value in values_of(store, key))


def traces(story: Story, player: Player, turn: int) -> list[bytes]:
    """The command with its choice, and what a receipt would keep of it."""
    command = COMMANDS.encode(Act(player.seat, player.name, "declare", None, turn, LOW))
    return [command, sha256(command).digest()[:16]]


def test_a_pending_declaration_is_nowhere_in_the_store(service: Service, client: FlaskClient) -> None:
    """ABY-C11: neither in the inbox nor beside its event nor as the hash of its command."""
    story = declaring(service, client)
    player, turn = story.on_turn(), story.view()["turn"]
    declare(player, verb="declare", choice="low")
    assert story.view()["hand"]["chosen"] == [player.seat]
    found = stored(service)
    assert [trace for trace in traces(story, player, turn) if trace in found] == []


def test_in_clear_it_would_have_been_found(
    service: Service, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The test of the test; and a worker takes such commands of older processes."""
    monkeypatch.setattr(tables, "covered", lambda command, *place: command)
    story = declaring(service, client)
    player, turn = story.on_turn(), story.view()["turn"]
    declare(player, verb="declare", choice="low")
    found = stored(service)
    assert all(trace in found for trace in traces(story, player, turn))


def test_the_same_command_again_is_the_same_and_another_choice_is_another(
    service: Service, client: FlaskClient
) -> None:
    story = declaring(service, client)
    player, turn = story.on_turn(), story.view()["turn"]
    body = {"verb": "declare", "choice": "low", "turn": turn}
    first, again = player.send(body), player.send(body, player.k)
    assert (first.status_code, first.get_json()) == (again.status_code, again.get_json())
    assert player.send({**body, "choice": "both"}, player.k).get_json()["code"] == "k_reused"


def test_a_choice_that_is_none_is_refused(service: Service, client: FlaskClient) -> None:
    story = declaring(service, client)
    answer = story.on_turn().send({"verb": "declare", "choice": "sideways", "turn": story.view()["turn"]})
    assert (answer.status_code, answer.get_json()["code"]) == (409, "must_declare")


def test_the_finished_hand_is_decided_again_from_its_seed(service: Service, client: FlaskClient) -> None:
    """The record holds no choice; the commitment and the seed give it back."""
    story = declaring(service, client)
    for choice in ("low", "both"):
        declare(story.on_turn(), verb="declare", choice=choice)
    story.until(lambda view: view["number"] > 1 or view["hand"]["over"])
    house = service.house
    segment: Segment = house.history.segment(story.table, 1)
    assert not any(b"low" in entry.command for entry in segment.entries)
    seed = SealKey.load(service.settings.data_dir / "keys").open(segment.sealed_seed, story.table, 1)
    assert verdict(segment, seed) == []
    assert verdict(segment, seed[::-1]) != []


def verdict(segment: Segment, seed: bytes) -> list[str]:
    """Names of the checks that fail."""
    return [check.name for check in verify(segment, seed).checks if not check.ok]
