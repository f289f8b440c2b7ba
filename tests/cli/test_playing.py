"""Tables, bots, hands and replays from the command line."""

import json
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from services.audit_log import AuditLog, NotLogged, Read
from services.bots import TableBots
from services.client import Answer, Client
from services.history import History
from services.load import Table, compare, decisions, run
from services.policies import POLICIES
from services.unsealing import me
from tests.api.conftest import Service
from tests.cli.conftest import Croupier

Url = tuple[str, str]
WHY = ("--reason", "a player complained")


@pytest.fixture(scope="module")
def played(service: Service, url: Url) -> str:
    """A table at which three bots have finished two hands."""
    host = Client(url[1], service.host_token)
    table = host.post("/tables", {"game": "razz", "options": {"hand_gap_seconds": 0}}).body["table"]
    bots = TableBots(url[1], table, ["ann", "bob", "cyd"], 2000, think_s=0, policy=POLICIES["calldown"])
    thread = threading.Thread(target=bots.run, daemon=True)
    thread.start()
    history = History(service.house.tables.reader, service.house.archive)
    wait_until(lambda: len(history.waiting(table)) >= 2)
    bots.stop.set()
    thread.join(30)
    return str(table)


def wait_until(true: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "nothing happened"
        time.sleep(0.1)


def test_a_table_is_opened_with_options_listed_and_shown(croupier: Croupier, url: Url) -> None:
    opened = croupier("table", "create", "omaha8", "--set", "name=Ours", "--set", "omaha.big_blind=6", *url)
    assert opened.exit_code == 0, opened.output
    table = opened.stdout.strip().rsplit("/", 1)[1]
    listed = json.loads(croupier("table", "list", "--game", "omaha8", "--json", *url).stdout)
    (row,) = [row for row in listed["items"] if row["table"] == table]
    assert (row["name"], row["stakes"]["big_blind"]) == ("Ours", 6)
    assert table in croupier("table", "list", *url).stdout
    view = json.loads(croupier("table", "show", table, "--json", *url).stdout)["view"]
    assert (view["game"], len(view["seats"])) == ("omaha8", 9)  # OM8-08
    assert croupier("table", "show", table, *url).stdout.startswith(table)


def test_refusals_and_a_service_that_is_not_there_are_status_1(croupier: Croupier, url: Url) -> None:
    refused = croupier("table", "create", "razz", "--set", "seats=40", *url)
    assert (refused.exit_code, "bad_option" in refused.stderr) == (1, True)
    nobody = croupier("table", "list", "--url", "http://127.0.0.1:9")
    assert (nobody.exit_code, "does not answer" in nobody.stderr) == (1, True)
    assert croupier("table", "show", "000-nothing", *url).exit_code == 1


def test_hands_lists_number_players_pots_and_winners(croupier: Croupier, played: str, url: Url) -> None:
    hands = json.loads(croupier("hands", played, "--json", *url).stdout)["items"]
    assert [hand["hand"] for hand in hands] == list(range(len(hands), 0, -1))
    text = croupier("hands", played, "--last", 1, *url).stdout.splitlines()
    assert text[0].split() == ["hand", "players", "pots", "winners"]
    assert len(text) == 2
    assert "ann" in text[1]


def test_a_replay_shows_each_viewer_what_is_his(croupier: Croupier, played: str) -> None:
    """COM-75; the deck only with the seal key of this installation."""
    public = json.loads(croupier("replay", played, 1, "--step", 5, "--json").stdout)
    own = json.loads(croupier("replay", played, 1, "--step", 5, "--as", "seat:0", *WHY, "--json").stdout)
    full = json.loads(croupier("replay", played, 1, "--step", 5, "--as", "full", *WHY, "--json").stdout)
    assert "you" not in public["view"]
    assert "deck" not in public["view"]
    assert {key: value for key, value in own["view"].items() if key != "you"} == public["view"]
    seats = full["view"]["deck"]["seats"]
    assert own["view"]["you"]["cards"] == seats.get("0", [])
    assert sum(map(len, seats.values())) + len(full["view"]["deck"]["stub"]) == 52


def test_a_replay_as_text_ends_with_the_table(croupier: Croupier, played: str) -> None:
    lines = croupier("replay", played, 1).stdout.splitlines()
    assert lines[0].split() == ["0", "before", "the", "hand"]
    assert any("HandEnded" in line for line in lines)
    assert croupier("replay", played, 1, "--step", 3).stdout.startswith("3 of ")


def test_another_decision_leads_to_other_stacks_with_the_same_cards(croupier: Croupier, played: str) -> None:
    steps = json.loads(croupier("replay", played, 1, "--json").stdout)["steps"]
    step = next(step for step in steps if "fold" in ((step["view"]["hand"] or {}).get("legal") or {}))
    other = json.loads(croupier("replay", played, 1, "--what-if", f"{step['step']}:fold", *WHY, "--json").stdout)
    assert other["real"] is False
    assert other["events"][0] == {"event": "Folded", "seat": step["view"]["hand"]["actor"]}
    assert sum(other["stacks"].values()) == sum(p["chips"] for p in steps[0]["view"]["seats"] if p)
    assert croupier("replay", played, 1, "--what-if", f"{step['step']}:fold", *WHY).stdout.startswith("--- not real")
    refused = croupier("replay", played, 1, "--what-if", f"{step['step']}:check", *WHY)
    assert (refused.exit_code, "illegal_action" in refused.stderr) == (1, True)
    assert croupier("replay", played, 1, "--what-if", "0:fold", *WHY).exit_code == 1
    assert croupier("replay", played, 1, "--what-if", "fold", *WHY).exit_code == 2


def test_without_the_seal_key_hidden_cards_stay_hidden(
    croupier: Croupier, played: str, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    monkeypatch.setenv("CROUPIER_SEAL_KEY_FILE", str(tmp_path_factory.mktemp("other") / "seal.key"))
    assert croupier("replay", played, 1).exit_code == 0
    for viewer in ("full", "seat:0"):
        shown = croupier("replay", played, 1, "--as", viewer, *WHY)
        assert (shown.exit_code, "seal key" in shown.stderr) == (1, True)


def test_who_looks_at_hidden_cards_says_why_and_is_logged_or_sees_nothing(
    croupier: Croupier, played: str, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = service.house.audit_log
    for words in (["--as", "full"], ["--as", "seat:0"], ["--what-if", "3:fold"], ["--as", "full", "--reason", ""],
                  ["--as", "full", "--reason", "a\nb"]):  # fmt: skip
        assert croupier("replay", played, 1, *words).exit_code == 2, words
    before = log.page(1)
    assert croupier("replay", played, 1).exit_code == 0
    assert log.page(1) == before  # what everybody saw needs no entry
    assert croupier("replay", played, 1, "--as", "full", *WHY).exit_code == 0
    entry = log.page(1)[0]
    assert (entry.who, entry.what, entry.table, entry.hand, entry.why) == (me(), "replay full", played, 1, WHY[1])

    def full(log: AuditLog, read: Read) -> None:
        raise NotLogged

    monkeypatch.setattr(AuditLog, "write", full)
    refused = croupier("replay", played, 1, "--as", "full", *WHY)
    assert (refused.exit_code, refused.stdout, "not_logged" in refused.stderr) == (1, "", True)


def test_a_replay_of_what_is_not_there(croupier: Croupier, played: str) -> None:
    assert croupier("replay", played, 99).exit_code == 1
    chair = croupier("replay", played, 1, "--as", "seat:99", *WHY)
    assert (chair.exit_code, "no such seat" in chair.stderr, chair.stdout) == (1, True, ""), chair.exception
    assert croupier("replay", played, 1, "--step", 5000).exit_code == 1
    assert croupier("replay", played, 1, "--as", "everybody").exit_code == 2


def test_load_proves_from_the_log_that_each_command_counted_once(croupier: Croupier, url: Url) -> None:
    done = croupier("load", "--tables", 2, "--seconds", 3, "--rate", 20, "--json", *url)
    report = json.loads(done.stdout)
    assert done.exit_code == 0, done.output
    assert report["commands"] > 5
    assert (report["lost"], report["doubled"], report["errors"]) == (0, 0, 0)
    assert 0 < report["p50_ms"] <= report["p99_ms"]


def test_tables_under_load_take_turns(url: Url, service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """Four tables, two commands a second: each acts every other second, and one of them every half."""
    paused: dict[int, list[float]] = {}
    monkeypatch.setattr(
        "services.load.pause", lambda seconds, until: paused.setdefault(threading.get_ident(), []).append(seconds)
    )
    monkeypatch.setattr(Table, "_act", lambda table: time.sleep(0.1) is None)
    run(url[1], Client(url[1], service.host_token), ["razz"], 4, 0.3, 2.0)
    assert sorted(first for first, *_ in paused.values()) == [0, 0.5, 1, 1.5]
    assert all(later <= 2 for _, *rest in paused.values() for later in rest)


def test_a_lost_and_a_doubled_command_would_be_found() -> None:
    """P133, P134: the check itself, against logs that are wrong."""
    assert compare({4: 1, 6: 1}, {4, 6}, 0) == (0, 0)
    assert compare({4: 1, 6: 1}, {4}, 0) == (1, 0)
    assert compare({4: 1}, {4, 6}, 0) == (0, 1)
    assert compare({4: 2}, {4}, 0) == (1, 0)
    assert compare({4: 1}, {4, 6}, 1) == (0, 0)


def test_a_decision_of_the_clock_is_nobodys_command() -> None:
    log = [
        {"version": 1, "event": "TimedOut"},
        {"version": 2, "event": "Folded"},
        {"version": 3, "event": "Called"},
        {"version": 4, "event": "HandEnded"},
    ]
    assert decisions(iter(log)) == {3}


@pytest.fixture
def looks_once(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Bots sit down, look round and are stopped. The seats as they saw them."""
    seen: list[dict[str, Any]] = []

    def look(bots: TableBots, view: dict[str, Any]) -> None:
        bots.fill_seats(view)
        seen.extend(bots.client.get(f"/tables/{bots.table}").body["view"]["seats"])
        bots.stop.set()

    monkeypatch.setattr(TableBots, "look", look)
    monkeypatch.setattr("signal.signal", lambda *handler: None)
    return seen


def test_a_bot_sits_down_plays_and_leaves(croupier: Croupier, url: Url, looks_once: list[dict[str, Any]]) -> None:
    opened = croupier("table", "create", "razz", "--set", "hand_gap_seconds=0", "--json", *url)
    table = json.loads(opened.stdout)["table"]
    assert croupier("bot", "robo", "--table", table, "--think", 0, *url).exit_code == 0
    (place,) = filter(None, looks_once)
    assert (place["player"], place["chips"]) == ("robo", 2000)
    left = json.loads(croupier("table", "show", table, "--json", *url).stdout)
    assert not any(left["view"]["seats"])


@pytest.mark.parametrize(
    ("game", "chosen", "chips"),
    [("razz", "buy_in.max=50", 1000), ("razz", "buy_in.min=150", 3000), ("hasaga", "name=Cup", 1500)],
)
def test_bots_bring_what_the_table_takes(
    croupier: Croupier, url: Url, looks_once: list[dict[str, Any]], game: str, chosen: str, chips: int
) -> None:
    done = croupier("table", "create", game, "--set", chosen, "--bots", 2, *url)
    assert done.exit_code == 0, done.output
    assert {place["chips"] for place in looks_once if place} == {chips}
    assert {place["player"] for place in looks_once if place} == {"Ada", "Blaise"}


def test_bots_say_why_they_cannot_sit_down(croupier: Croupier, url: Url, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("signal.signal", lambda *handler: None)
    crowd = croupier("table", "create", "razz", "--set", "seats=2", "--bots", 3, *url)
    assert (crowd.exit_code, "room for 2 players" in crowd.stderr) == (2, True)
    table = json.loads(croupier("table", "create", "razz", "--set", "seats=2", "--json", *url).stdout)["table"]
    poor = croupier("bot", "robo", "--table", table, "--chips", 5, *url)
    assert (poor.exit_code, "stack_below_minimum: least 400" in poor.stderr) == (1, True)
    assert Client(url[1]).put(f"/tables/{table}/seats/0", {"player": "robo", "chips": 400}).ok
    twice = croupier("bot", "robo", "--table", table, *url)
    assert (twice.exit_code, "already_seated" in twice.stderr) == (1, True)
    assert Client(url[1]).put(f"/tables/{table}/seats/1", {"player": "ann", "chips": 400}).ok
    lost = croupier("bot", "bob", "--table", "000-nowhere", *url)
    assert (lost.exit_code, "not_found" in lost.stderr) == (1, True)
    late = croupier("bot", "bob", "--table", table, *url)
    assert (late.exit_code, "no chair is free" in late.stderr) == (1, True)


def test_a_refusal_in_a_line_tells_bounds_and_no_token() -> None:
    body = {"code": "outcome_unknown", "title": "Outcome unknown", "token": "cr_secret", "last": 0}
    assert Answer(503, body).refusal == "outcome_unknown: Outcome unknown"
    assert Answer(409, {"code": "stack_below_minimum", "least": 400}).refusal == "stack_below_minimum: least 400"


def test_a_refused_option_is_named(croupier: Croupier, url: Url) -> None:
    refused = croupier("table", "create", "razz", "--set", "limit.max_raises=0", *url)
    assert (refused.exit_code, "bad_option: key limit.max_raises, least 1, most 100" in refused.stderr) == (1, True)


def test_a_hand_is_exported_read_again_and_agrees(croupier: Croupier, played: str, tmp_path: Path) -> None:
    for name, suffix in (("phh", "phh"), ("pokerstars", "txt"), ("json", "json")):
        export = croupier("export", played, "1", "--format", name)
        assert export.exit_code == 0, export.output
        (tmp_path / f"hand.{suffix}").write_text(export.stdout, encoding="utf-8")
    checked = json.loads(croupier("check", str(tmp_path), "--json").stdout)
    assert (checked["summary"]["played"], checked["summary"]["agree"]) == (3, 3)
    razz = croupier("export", played, "1", "--format", "ohh")
    assert (razz.exit_code, "format_cannot_hold" in razz.stderr) == (1, True)


@pytest.mark.parametrize(("name", "suffix"), [("phh", "phh"), ("pokerstars", "txt"), ("json", "json")])
def test_another_process_exports_the_same_bytes(
    croupier: Croupier, service: Service, played: str, name: str, suffix: str
) -> None:
    served = service.app.test_client().get(f"/api/v1/tables/{played}/hands/1/export.{suffix}")
    assert croupier("export", played, "1", "--format", name).stdout == served.text


def test_all_hands_of_a_table_go_into_one_file(croupier: Croupier, played: str, tmp_path: Path) -> None:
    everything = croupier("export", played, "--format", "phh", "--as", "full", "--reason", "test")
    assert everything.exit_code == 0, everything.output
    (tmp_path / "hands.phhs").write_text(everything.stdout, encoding="utf-8")
    checked = json.loads(croupier("check", str(tmp_path), "--json").stdout)
    assert checked["summary"]["agree"] == checked["summary"]["hands"] >= 2
    assert "??" not in everything.stdout


def test_an_export_as_json_lists_what_it_leaves_out(croupier: Croupier, played: str) -> None:
    (hand,) = json.loads(croupier("export", played, "1", "--format", "phh", "--json").stdout)["hands"]
    assert hand["text"].startswith('variant = "FR"')
    listed = croupier("export", played, "1", "--format", "phh").stderr.splitlines()
    assert [f"hand 1 leaves out {item['code']}: {item['text']}" for item in hand["unsaid"]] == listed
    assert croupier("export", played, "1", "--format", "phh", "--as", "full").exit_code == 2, "without a reason"
    missing = croupier("export", played, "99", "--format", "phh")
    assert (missing.exit_code, "not there" in missing.stderr) == (1, True)
    assert croupier("export", played, "1", "--format", "docx").exit_code == 2


def test_a_bundle_is_exported_and_verified_with_and_without_the_key(
    croupier: Croupier, played: str, service: Service, tmp_path: Path
) -> None:
    """One hand, and the whole table in one file; for everybody without the sealed seeds."""
    key = service.settings.key_file("seal")
    for words in ([played, 1], [played]):
        file = tmp_path / "it.bundle"
        file.write_bytes(croupier("export", *words, "--format", "bundle").stdout_bytes)
        assert "everything agrees" in croupier("verify", file).stdout
        assert croupier("verify", file, "--key", key).exit_code == 0
        file.write_bytes(croupier("export", *words, "--format", "bundle", "--public").stdout_bytes)
        assert croupier("verify", file).exit_code == 0
        assert "no sealed seed" in croupier("verify", file, "--key", key).stdout
    assert croupier("export", played, 1, "--format", "bundle", "--json").exit_code == 2
    assert croupier("export", played, 999, "--format", "bundle").exit_code == 1
