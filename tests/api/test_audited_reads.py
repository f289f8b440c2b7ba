"""What an auditor sees of a hand that is over, through the chores that hold the seal key, and what is kept of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from rq import Worker
from werkzeug.test import TestResponse

from engine.cards import NAMES, parse
from engine.deck import hand_id, sealed_deck
from services import unsealing
from services.audit_log import AuditLog, NotLogged, Read
from services.bundle import read
from services.errands import open_queue
from services.sealing import SealKey
from services.store import connect
from services.verifying import Verifier, summed_up
from tests.api.conftest import Service
from tests.api.story import API, Player, Story, bearer

ROOT = Path(__file__).parents[2]
WHY = "reason=a+complaint"


@pytest.fixture(scope="module")
def chores(service: Service) -> Iterator[None]:
    """The process that holds the seal key, once it is there: an errand waits ten seconds for it, no longer."""
    settings = service.settings
    known = {
        "CROUPIER_REDIS_URL": str(settings.redis_url), "CROUPIER_DATA_DIR": str(settings.data_dir),
        "CROUPIER_PARTITIONS": str(settings.partitions), "CROUPIER_DURABILITY": "dev",
    }  # fmt: skip
    process = subprocess.Popen([sys.executable, "-m", "workers", "jobs"], cwd=ROOT, env=os.environ | known)
    give_up = time.monotonic() + 90
    queue = open_queue(settings)
    while not Worker.count(queue=queue):
        assert process.poll() is None and time.monotonic() < give_up, "no chores"
        time.sleep(0.05)
    yield
    process.terminate()
    process.wait(30)


@pytest.fixture
def auditor(client: FlaskClient, service: Service) -> str:
    """Dana's token."""
    return issued(client, service, {"role": "auditor", "name": "Dana", "reason": "the yearly audit"})["token"]


def issued(client: FlaskClient, service: Service, body: dict[str, Any]) -> Any:
    response = client.post(f"{API}/tokens", json=body, headers=bearer(service.host_token))
    assert response.status_code == 201, response.text
    return response.get_json()


def entries(client: FlaskClient, token: str, many: int) -> list[dict[str, Any]]:
    """The newest of those that are not the chores' own, who look at every hand when it is over."""
    items = client.get(f"{API}/audit/log", headers=bearer(token)).get_json()["items"]
    return [item for item in items if item["who"] != "chores"][:many]


@pytest.fixture
def over(story: Story, ann: Player, bob: Player) -> Story:
    """Hand 1 was folded, hand 2 is being played."""
    story.on_turn().act("bring_in", 5)
    story.on_turn().act("fold")
    story.until(lambda view: view["number"] == 2 and view["hand"]["actor"] is not None)
    return story


def code(response: TestResponse) -> tuple[int, str]:
    return response.status_code, response.get_json()["code"]


def test_an_auditor_sees_the_whole_deck_of_a_hand_that_is_over_and_is_logged(
    over: Story, client: FlaskClient, auditor: str, chores: None
) -> None:
    shown = client.get(f"{over.path}/hands/1/replay?view=full&step=2&{WHY}", headers=bearer(auditor)).get_json()
    deck = shown["view"]["deck"]
    assert sum(map(len, deck["seats"].values())) + len(deck["stub"]) == 52
    dealt = client.get(f"{over.path}/hands/1/deal?unsealed=true&{WHY}", headers=bearer(auditor)).get_json()
    again = sealed_deck(bytes.fromhex(dealt["seed"]), hand_id(over.table, 1))
    assert [opened["card"] for opened in dealt["opened"]] == [NAMES[card] for card in again.cards]
    assert again.root.hex() == dealt["root"]
    own = client.get(f"{over.path}/hands/1/replay?view=seat:0&step=2&{WHY}", headers=bearer(auditor)).get_json()
    assert own["view"]["you"]["cards"] == deck["seats"]["0"]
    found = [(one["what"], one["table"], one["hand"], one["why"]) for one in entries(client, auditor, 4)]
    assert found == [
        ("replay seat:0", over.table, 1, "a complaint"), ("deal", over.table, 1, "a complaint"),
        ("replay full", over.table, 1, "a complaint"), ("token auditor", None, None, "for Dana: the yearly audit"),
    ]  # fmt: skip
    assert all("Dana" in one["who"] for one in entries(client, auditor, 3))


def test_a_seat_that_the_table_does_not_have_shows_nobody_anything(
    over: Story, client: FlaskClient, auditor: str, chores: None
) -> None:
    for step in ("", "&step=2"):
        shown = client.get(f"{over.path}/hands/1/replay?view=seat:99{step}&{WHY}", headers=bearer(auditor))
        assert code(shown) == (403, "not_for_you")


def test_nobodys_live_hand_is_unsealed_not_even_for_the_host(
    over: Story, client: FlaskClient, auditor: str, chores: None, service: Service
) -> None:
    before = entries(client, auditor, 1)
    for what in ("replay?view=full", "replay?view=seat:0", "deal?unsealed=true", "replay?what_if=3:fold"):
        address = f"{over.path}/hands/2/{what}&{WHY}"
        assert code(client.get(address, headers=bearer(auditor))) == (409, "in_progress"), what
        assert client.get(address, headers=bearer(service.host_token)).status_code in (403, 404), what
        assert code(client.get(f"{over.path}/hands/9/{what}&{WHY}", headers=bearer(auditor))) == (404, "not_found")
    assert entries(client, auditor, 1) == before


def test_an_auditor_gets_a_bundle_in_which_everything_is_decided_again(
    over: Story, client: FlaskClient, auditor: str, service: Service, tmp_path: Path
) -> None:
    """With its sealed seed, which is of use to who holds the seal key; what everybody gets has none."""
    key = SealKey.load(service.settings.data_dir, service.settings.key_file("seal"))
    address = f"{over.path}/hands/1/bundle"
    sealed = client.get(f"{address}?sealed=true&{WHY}", headers=bearer(auditor)).data
    checks = {check.name: check for check in summed_up(list(Verifier(key).bundle(read(sealed)))).checks}
    assert all(check.ok for check in checks.values()), checks
    assert {"seal", "commitment", "decide"} <= set(checks)
    assert "needs the key" not in checks["decide"].detail
    assert [one["what"] for one in entries(client, auditor, 1)] == ["sealed bundle"]
    (_, public), *_ = Verifier(key).bundle(read(client.get(address).data))
    assert [check.detail for check in public if not check.ok] == [
        "the file has no sealed seed: auditors get one with it (sealed=true)"
    ]
    for token, problem in ((service.host_token, 403), (over.players[0].token, 403)):
        assert client.get(f"{address}?sealed=true&{WHY}", headers=bearer(token)).status_code == problem
    assert code(client.get(f"{address}?sealed=true", headers=bearer(auditor))) == (422, "reason_required")
    running = client.get(f"{over.path}/hands/2/bundle?sealed=true&{WHY}", headers=bearer(auditor))
    assert running.status_code == 404


def test_without_a_reason_an_entry_or_the_role_there_is_nothing_to_see(
    over: Story, client: FlaskClient, auditor: str, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    for what in ("replay?view=full", "deal?unsealed=true", "replay?what_if=3:fold"):
        address = f"{over.path}/hands/1/{what}"
        assert code(client.get(address, headers=bearer(auditor))) == (422, "reason_required")
        assert client.get(f"{address}&reason=", headers=bearer(auditor)).status_code == 422
        assert client.get(f"{address}&{WHY}").status_code in (401, 403)
        assert client.get(f"{address}&{WHY}", headers=bearer(service.host_token)).status_code == 403
        assert client.get(f"{address}&{WHY}", headers=bearer(over.players[0].token)).status_code == 403
    assert client.get(f"{API}/audit/log").status_code == 401
    assert client.get(f"{API}/audit/log", headers=bearer(over.players[0].token)).status_code == 403

    def full(log: AuditLog, read: Read) -> None:
        raise NotLogged

    monkeypatch.setattr(AuditLog, "write", full)
    body = {"role": "auditor", "name": "Eve", "reason": "none"}
    assert code(client.post(f"{API}/tokens", json=body, headers=bearer(service.host_token))) == (503, "not_logged")


def test_while_the_chores_are_away_nothing_is_shown(
    over: Story, client: FlaskClient, auditor: str, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unsealing, "PATIENCE_S", 0.0)
    monkeypatch.setattr(service.house.errands, "ask", lambda *arguments, **options: None)
    address = f"{over.path}/hands/1/replay?view=full&{WHY}"
    assert code(client.get(address, headers=bearer(auditor))) == (503, "unavailable")


def test_another_decision_is_told_apart_from_what_happened(
    over: Story, client: FlaskClient, auditor: str, chores: None
) -> None:
    steps = client.get(f"{over.path}/hands/1/replay").get_json()["steps"]
    at = next(step["step"] for step in steps if "fold" in ((step["view"]["hand"] or {}).get("legal") or {}))
    other = client.get(f"{over.path}/hands/1/replay?what_if={at}:raise:10&{WHY}", headers=bearer(auditor)).get_json()
    assert (other["real"], other["step"], other["verb"], other["amount"]) == (False, at, "raise", 10)
    assert sum(other["stacks"].values()) == 2000
    refused = client.get(f"{over.path}/hands/1/replay?what_if={at}:check&{WHY}", headers=bearer(auditor))
    assert code(refused) == (409, "illegal_action")
    assert code(client.get(f"{over.path}/hands/1/replay?what_if=0:fold&{WHY}", headers=bearer(auditor)))[0] == 409
    assert client.get(f"{over.path}/hands/1/replay?what_if=900:fold&{WHY}", headers=bearer(auditor)).status_code == 404
    assert client.get(f"{over.path}/hands/1/replay?what_if=fold", headers=bearer(auditor)).status_code == 422


def test_a_token_has_a_scope_and_an_end(over: Story, client: FlaskClient, service: Service) -> None:
    """For one table; to read how the service is; and not for ever."""
    other = Story.opened(client, service.host_token)
    told = issued(client, service, {"role": "auditor", "name": "Dana", "reason": "one table", "table": other.table})
    refused = client.get(f"{over.path}/hands/1/replay?view=full&{WHY}", headers=bearer(told["token"]))
    assert code(refused) == (403, "not_for_you")
    operator = issued(client, service, {"role": "operator", "name": "Olga", "reason": "on call", "seconds": 60})
    assert client.get(f"{API}/ops/partitions", headers=bearer(operator["token"])).status_code == 200
    for method, path in (("post", "/tables"), ("post", f"/ops/frozen/{over.table}/retry"), ("get", "/audit/log")):
        assert getattr(client, method)(f"{API}{path}", headers=bearer(operator["token"])).status_code == 403, path
    with closing(connect(str(service.settings.redis_url))) as store:
        store.delete(*store.scan_iter("token:*"))  # as at their end
    assert client.get(f"{API}/me", headers=bearer(operator["token"])).status_code == 401


def test_only_the_host_issues_tokens(over: Story, client: FlaskClient, auditor: str, service: Service) -> None:
    body = {"role": "auditor", "name": "Dana", "reason": "again"}
    for token in (auditor, over.players[0].token):
        assert client.post(f"{API}/tokens", json=body, headers=bearer(token)).status_code == 403
    for wrong in ({"role": "host"}, {"reason": ""}, {"seconds": 1}, {"table": "x"}, {"more": 1}):
        response = client.post(f"{API}/tokens", json={**body, **wrong}, headers=bearer(service.host_token))
        assert response.status_code == 422, wrong


def test_the_log_of_looks_is_paged_and_holds_no_card(
    over: Story, client: FlaskClient, auditor: str, service: Service, chores: None
) -> None:
    seed = client.get(f"{over.path}/hands/1/deal?unsealed=true&{WHY}", headers=bearer(auditor)).get_json()["seed"]
    page = client.get(f"{API}/audit/log?limit=2", headers=bearer(service.host_token)).get_json()
    rest = client.get(f"{API}/audit/log?limit=2&cursor={page['next']}", headers=bearer(auditor)).get_json()
    assert int(page["next"]) == page["items"][-1]["number"] == rest["items"][0]["number"] + 1
    assert service.house.audit_log.check()[1] == ""
    people = client.get(f"{API}/audit/log?limit=200&people=true", headers=bearer(auditor)).get_json()["items"]
    assert people == [item for item in people if item["who"] != "chores"] != []
    text = json.dumps([page, rest])
    assert seed not in text
    assert not any(f'"{name}"' in text for name in NAMES if parse(name) is not None)
    assert auditor not in text
