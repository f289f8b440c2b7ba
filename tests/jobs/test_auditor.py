"""`croupier audit` finds every change of what is stored, wherever it lies, and names the first one."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace as replaced
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from click.testing import CliRunner, Result

from engine.commands import Close, SitOut
from engine.drbg import HmacDrbg
from engine.events import Awarded
from engine.game import games
from services.archive import packed, unpacked
from services.archive_tables import audit_entry, checkpoint, hand_player, hand_segment
from services.audit_log import AuditLog, Read
from services.auditor import Auditor, Tally
from services.chain import extend
from services.cli import main
from services.keys import partition_keys, table_keys
from services.reader import Reader
from services.sealing import SealKey, SigningKey
from services.segment import Segment
from services.server import Server
from services.signing import LogRewritten, Signer
from services.store import Client, connect
from services.wire import pack, unpack
from tests.jobs.house import TABLE, House

ROOT = Path(__file__).parents[2]
Change = Callable[[House], None]
Once = tuple[House, dict[bytes, bytes], list[Any]]


@pytest.fixture(scope="module")
def once(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Once]:
    """Four hands in the archive, one more in the store, and one that is being played; with a copy of everything."""
    client = connect(server.url)
    client.flushall()
    seeds = HmacDrbg(bytes(32), personalisation=b"audited")  # always the same hands: one of them is shared by a low
    house = House(client, tmp_path_factory.mktemp("audited"), seed=lambda: seeds.generate(32))
    house.play(4)
    house.sweep()
    house.play(1)
    house.deal()
    client.hset(partition_keys(17).tables, TABLE, pack({}))
    with house.archive._engine.connect() as connection:
        rows = [
            [dict(found._mapping) for found in connection.execute(sa.select(table))]
            for table in (hand_segment, hand_player)
        ]
    yield house, {key: client.dump(key) for key in client.scan_iter()}, rows
    house.close()
    client.close()


@pytest.fixture
def played(once: Once) -> House:
    """The same, put right after what the test before has changed."""
    house, keys, rows = once
    house.client.flushall()
    for key, dumped in keys.items():
        house.client.restore(key, 0, dumped)
    with house.archive._engine.begin() as connection:
        for table, kept in zip((hand_segment, hand_player), rows, strict=True):
            connection.execute(table.delete())
            connection.execute(table.insert(), kept)
        connection.execute(audit_entry.delete())
    return house


def audit(house: House, key: bool = True, openly: bool = False) -> Tally:
    tally = Tally()
    Auditor(house.reader, house.archive, house.seal_key if key else None, openly=openly).table(TABLE, tally)
    return tally


def wrong(tally: Tally) -> dict[str, str]:
    return {check.name: check.detail for check in tally.checks() if not check.ok}


def test_what_was_honestly_played_passes_in_archive_and_store(played: House) -> None:
    tally = audit(played)
    assert (wrong(tally), tally.hands) == ({}, 5)
    assert [check.name for check in tally.checks()] == [
        "link", "seal", "chain", "decode", "fold", "chips", "openings", "cut", "commitment", "decide", "index",
        "seam", "view", "snapshot",
    ]  # fmt: skip
    assert {"seal", "commitment", "decide"}.isdisjoint(check.name for check in audit(played, key=False).checks())


@pytest.mark.parametrize("game", ["razz", "abyssinia", "hasaga", "horse"])
def test_other_games_pass_too(client: Client, tmp_path: Path, game: str) -> None:
    house = House(client, tmp_path, game)
    house.play(1, "random")
    house.sweep()
    house.play(1, "random")
    assert wrong(audit(house)) == {}
    house.close()


@pytest.mark.parametrize("last", [SitOut(0, "ann"), Close("the end")])
def test_what_happens_between_hands_leaves_the_last_hand_in_view(client: Client, tmp_path: Path, last: Any) -> None:
    """The archive has that hand already; the view still shows it, until the next one is dealt."""
    house = House(client, tmp_path, "razz")
    house.play(1)
    house.sweep()
    house.send("host" if isinstance(last, Close) else "ann", last)
    assert house.served[house.reader.head(TABLE)[0]].view["hand"]["over"]
    assert wrong(audit(house)) == {}
    house.close()


def row(house: House, hand: int, **values: Any) -> None:
    """Write into a row of the archive behind everybody's back."""
    with house.archive._engine.begin() as connection:
        connection.execute(hand_segment.update().where(hand_segment.c.hand_no == hand).values(**values))


def column(house: House, hand: int, name: str) -> Any:
    with house.archive._engine.connect() as connection:
        return connection.execute(sa.select(hand_segment.c[name]).where(hand_segment.c.hand_no == hand)).scalar_one()


def rewrite(house: House) -> None:
    """Bob is eve in hand 3, the row's own chain computed anew."""
    events = [event.replace(b"bob", b"eve") for event in unpacked(column(house, 3, "events_blob"))]
    head = extend(TABLE, column(house, 3, "prev_head"), events)[-1]
    row(house, 3, events_blob=packed(events), head=head)


def delete(house: House) -> None:
    with house.archive._engine.begin() as connection:
        connection.execute(hand_segment.delete().where(hand_segment.c.hand_no == 2))


def richer(house: House) -> None:
    """The table before hand 2 has a player with more chips: nothing that the chain covers."""
    before = list(unpacked(column(house, 2, "before_blob")))
    places = [list(place) if place else None for place in before[11]]
    places[0][1] += 1
    before[11] = places
    row(house, 2, before_blob=packed(before))


def elsewhere(house: House) -> None:
    """Bob's searches do not find the hand any more."""
    with house.archive._engine.begin() as connection:
        connection.execute(hand_player.update().where(hand_player.c.hand_no == 2).values(player="eve"))


def other_winner(house: House) -> None:
    """The list of hands, which the page shows, tells that eve had won."""
    row(house, 3, summary=column(house, 3, "summary").replace("bob", "eve"))


def richer_snapshot(house: House) -> None:
    """A worker that loads the table would deal the next hand to a player with more chips."""
    key = table_keys(TABLE).state
    taken = list(unpack(house.client.hget(key, "snap") or b""))
    places = [list(place) if place else None for place in taken[11]]
    places[0][1] += 1
    house.client.hset(key, "snap", pack([*taken[:11], places, *taken[12:]]))


def other_event(house: House) -> None:
    """An event that the store holds and the archive too."""
    replace(house, house.archive.tail(TABLE).version - 2)


def running_event(house: House) -> None:
    replace(house, house.reader.head(TABLE)[0] - 1)


def replace(house: House, version: int) -> None:
    """The same event once more in place of the next one, under its old hash."""
    key = table_keys(TABLE).events
    found = dict(house.client.xrange(key))
    ids = sorted(found, key=lambda id_: int(id_.split(b"-")[0]))
    at = ids.index(f"{version}-0".encode())
    found[ids[at]] = {**found[ids[at]], b"e": found[ids[at - 1]][b"e"]}
    house.client.delete(key)
    for id_ in ids:
        house.client.xadd(key, found[id_], id=id_)


CHANGES: dict[str, tuple[Change, str, str]] = {
    "a hand rewritten": (rewrite, "link", "hand 4: its chain does not begin with the head of the hand before"),
    "a hand taken out": (delete, "link", "hand 3: it follows hand 1: hands are missing in between"),
    "a byte flipped": (lambda house: row(house, 2, head=b"x" * 32), "archive", "hand 2: 017-test hand 2"),
    "a blob that is none": (lambda house: row(house, 2, events_blob=b"x"), "archive", "hand 2: a blob"),
    "chips before a hand": (richer, "link", "hand 2: it does not begin with the table as the hand before left it"),
    "another player": (elsewhere, "index", "hand 2: the archive lists it with another players"),
    "another winner": (other_winner, "index", "hand 3: the archive lists it with another summary"),
    "another time": (lambda house: row(house, 2, ended_ms=1), "index", "hand 2: the archive lists it with another"),
    "another last version": (lambda house: row(house, 2, last_version=1), "archive", "hand 2: 017-test hand 2 has"),
    "another option in the snapshot": (
        lambda house: house.client.hset(table_keys(TABLE).state, "snap", (house.client.hget(
            table_keys(TABLE).state, "snap") or b"").replace(b"buy_in.max", b"buy_in.mix")), "snapshot", "is not what",
    ),
    "another snapshot": (richer_snapshot, "snapshot", "is not what the events give"),
    "a snapshot that is none": (
        lambda house: house.client.hset(table_keys(TABLE).state, "snap", b"x"), "snapshot", "is not what",
    ),
    "another head of the view": (
        lambda house: house.client.hset(table_keys(TABLE).public, "head", b"x" * 32), "view", "rebuild",
    ),
    "a view that is none": (
        lambda house: house.client.hset(table_keys(TABLE).public, "view", b"\xc1"), "view", "rebuild",
    ),
    "another seed": (lambda house: row(house, 2, sealed_seed=column(house, 3, "sealed_seed")), "seal", "hand 2"),
    "no seed": (lambda house: row(house, 2, sealed_seed=b""), "seal", "hand 2: no seed is kept"),
    "a command too few": (
        lambda house: row(house, 2, commands_blob=packed(unpacked(column(house, 2, "commands_blob"))[:-1])), "archive",
        "has not one event",
    ),
    "an old event in the store": (other_event, "seam", "in the store does not follow"),
    "a running event": (running_event, "chain", "in the store: 017-test version"),
    "a store that lost its tail": (
        lambda house: house.client.hset(table_keys(TABLE).state, "ver", 5), "seam", "the store is behind",
    ),
    "a store that is empty": (lambda house: house.client.flushall(), "seam", "it is at version 0"),
    "another head": (
        lambda house: house.client.hset(table_keys(TABLE).state, "head", b"x" * 32), "seam", "is not the head",
    ),
    "a view that shows something else": (
        lambda house: house.client.hset(table_keys(TABLE).public, "view", pack({})), "view", "rebuild",
    ),
    "a view that is gone": (lambda house: house.client.delete(table_keys(TABLE).public), "view", "it is missing"),
}  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_found_and_its_place_is_named(played: House, change: str) -> None:
    """Each of them made behind the back of the program that wrote the log."""
    make, name, place = CHANGES[change]
    make(played)
    found = wrong(audit(played))
    assert place in found.get(name, ""), found


def test_without_the_key_commands_are_decided_again_where_that_is_asked_for(played: House) -> None:
    """Another check instead of a call gives other events; what needs the deck is counted."""
    (decide,) = [check for check in audit(played, key=False, openly=True).checks() if check.name == "decide"]
    assert (decide.ok, "5 good, of " in decide.detail, "needs the key" in decide.detail) == (True, True, True)
    commands = unpacked(column(played, 3, "commands_blob"))
    row(played, 3, commands_blob=packed([command.replace(b"\xa4call", b"\xa4fold") for command in commands]))
    assert wrong(audit(played, key=False)) == {}
    assert "hand 3: version " in wrong(audit(played, key=False, openly=True))["decide"]
    assert "hand 3: version " in wrong(audit(played))["decide"]


def test_what_differs_does_not_hide_the_rest(played: House) -> None:
    """A row that cannot be read is one finding; the hands after it are still audited."""
    row(played, 2, events_blob=b"x")
    tally = audit(played)
    assert tally.hands == 5
    assert [one.hand for one in tally.differing] == [2, 3]  # the third follows from what could not be read


def test_an_audit_beside_a_sweep_follows_the_hands_into_the_archive(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store is trimmed between the audit's look at the archive and its look at the store."""
    house.play(3, "random")
    looked = Reader.head

    def head(reader: Reader, table: str) -> tuple[int, bytes]:
        monkeypatch.setattr(Reader, "head", looked)
        house.sweep()
        return looked(reader, table)

    monkeypatch.setattr(Reader, "head", head)
    tally = audit(house)
    assert (wrong(tally), tally.hands) == ({}, 3)


# --- the command ------------------------------------------------------------------------------------------------------


@pytest.fixture
def folder(played: House) -> Path:
    """Where the house has its archive and its keys."""
    return Path(str(played.archive._engine.url.database)).parent


@pytest.fixture
def croupier(server: Server, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    monkeypatch.setenv("CROUPIER_REDIS_URL", server.url)
    monkeypatch.setenv("CROUPIER_DATA_DIR", str(folder))

    def run(*words: object) -> Result:
        return CliRunner().invoke(main, ["audit", *map(str, words)])

    return run


def test_the_command_reports_checks_hands_and_the_rate(
    croupier: Callable[..., Result], folder: Path
) -> None:
    done = croupier("--all", "--key", folder / "seal.key", "--json")
    report = json.loads(done.stdout)
    assert (done.exit_code, report["ok"], report["hands"], report["tables"]) == (0, True, 5, 1)
    assert report["hands_per_second"] > 0
    assert {"name", "ok", "detail"} == set(report["checks"][0])
    assert "no deck dealt again" in croupier("--table", TABLE).stdout


def test_the_audit_log_is_audited_too(croupier: Callable[..., Result], folder: Path, played: House) -> None:
    log = AuditLog(played.archive.engine)
    for reason in ("first", "second", "third"):
        log.write(Read("dana", "replay full", TABLE, 1, reason))
    many = croupier("--all", "--key", folder / "seal.key", "--json")
    assert {"name": "audit log", "ok": True, "detail": "1 good"} in json.loads(many.stdout)["checks"]
    assert log.page(1)[0].what == "audit"  # to deal every deck again is a look at it
    with played.archive.engine.begin() as connection:
        connection.execute(audit_entry.update().where(audit_entry.c.why == "second").values(who="nobody"))
    changed = croupier("--all")
    assert (changed.exit_code, "is not what was written" in changed.stdout) == (1, True)
    with played.archive.engine.begin() as connection:
        connection.execute(audit_entry.delete().where(audit_entry.c.who == "nobody"))
    assert "is missing" in croupier("--all").stdout


def test_an_audit_log_whose_end_was_cut_off_is_found(
    croupier: Callable[..., Result], folder: Path, played: House
) -> None:
    """Its head stands in the signed checkpoint, and the signer remembers the last one beside its key."""
    log, memory = AuditLog(played.archive.engine), folder / "keys" / "signing.last"
    for reason in ("first", "second"):
        log.write(Read("dana", "replay full", TABLE, 1, reason))
    memory.parent.mkdir(exist_ok=True)
    signer = Signer(played.archive, SigningKey(bytes(32)), memory)
    with played.archive.engine.begin() as connection:
        connection.execute(checkpoint.delete())
    memory.unlink(missing_ok=True)
    signer.sign(1)
    assert croupier("--all").exit_code == 0
    with played.archive.engine.begin() as connection:
        connection.execute(audit_entry.delete().where(audit_entry.c.why == "second"))
    assert "the audit log does not begin with the 2 entries signed before" in croupier("--all").stdout
    with played.archive.engine.begin() as connection:
        connection.execute(checkpoint.delete())
    assert "the audit log does not begin with the 2 entries signed before" in croupier("--all").stdout
    with pytest.raises(LogRewritten, match="the audit log does not begin with the 2 entries"):
        signer.sign(2)
    memory.unlink()
    assert croupier("--all").exit_code == 0  # control: nothing else tells


# --- other rules ------------------------------------------------------------------------------------------------------


def version(folder: Path, *changes: tuple[str, str, str]) -> Path:
    """A copy of this program with other rules: file, old text, new text."""
    for package in ("engine", "services"):
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    for file, old, new in changes:
        path = folder / file
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1, (file, old)
        path.write_text(text.replace(old, new), encoding="utf-8")
    return folder


def test_the_same_rules_settle_every_hand_alike(croupier: Callable[..., Result], tmp_path: Path, folder: Path) -> None:
    key = folder / "seal.key"
    zipped = shutil.make_archive(str(tmp_path / "same"), "zip", version(tmp_path / "files"))
    wheel = Path(zipped).rename(tmp_path / "same.whl")
    done = croupier("--diff", wheel, "--key", key, "--json")
    report = json.loads(done.stdout)
    assert (done.exit_code, report["differing"]) == (0, [])
    assert {"name": "diff", "ok": True, "detail": "5 good"} in report["checks"]
    assert report["compared"] == str(wheel)


def test_another_rule_names_the_hands_it_would_settle_differently(
    played: House, croupier: Callable[..., Result], tmp_path: Path, folder: Path
) -> None:
    """A planted one: of a pot that high and low share, low gets nothing. Only shared pots are settled differently."""
    no_low = ("engine/games/omaha8.py", 'Share("high", high), Share("low", low)', 'Share("high", high),')
    other = version(tmp_path / "other", no_low)
    done = croupier("--diff", other, "--key", folder / "seal.key", "--json")
    differing = json.loads(done.stdout)["differing"]
    expected = [hand.hand for hand in played.history.finished(TABLE) if shared(hand)]
    assert expected and len(expected) < 5
    assert [one["hand"] for one in differing] == expected
    assert {check["name"] for one in differing for check in one["checks"]} == {"diff"}
    assert all(check["detail"].startswith("stacks: ") for one in differing for check in one["checks"])
    assert done.exit_code == 1


def shared(hand: Segment) -> bool:
    """Whether a low hand was paid."""
    return any(isinstance(event, Awarded) and event.share == "low" for event in hand.events())


def test_what_is_no_version_of_the_rules_is_wrong_use(
    croupier: Callable[..., Result], tmp_path: Path, folder: Path
) -> None:
    (tmp_path / "empty" / "engine").mkdir(parents=True)
    (tmp_path / "empty" / "services").mkdir()
    for rules in ("no/such", str(tmp_path), str(tmp_path / "empty")):
        assert croupier("--diff", rules, "--key", folder / "seal.key").exit_code == 2, rules


def test_old_hands_are_decided_under_the_rules_they_were_dealt_with(
    croupier: Callable[..., Result], tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """This program knows omaha8/2; hands of omaha8/1 are not judged by it, but by the version that is kept."""
    monkeypatch.setitem(games(), "omaha8", replaced(games()["omaha8"], rules="omaha8/2"))
    key = folder / "seal.key"
    done = croupier("--table", TABLE, "--key", key, "--json")
    (decide,) = [check for check in json.loads(done.stdout)["checks"] if check["name"] == "decide"]
    assert (done.exit_code, decide["detail"]) == (0, "0 good, 5 not decided again: dealt under other rules")
    version(folder / "rules" / "omaha8-1")
    done = croupier("--table", TABLE, "--key", key, "--json")
    (decide,) = [check for check in json.loads(done.stdout)["checks"] if check["name"] == "decide"]
    assert (done.exit_code, decide["detail"]) == (0, "5 good")
    shutil.rmtree(folder / "rules")


def test_one_hand_is_audited_by_itself_wherever_it_lies(croupier: Callable[..., Result]) -> None:
    for hand in (1, 3, 5):
        assert json.loads(croupier("--table", TABLE, "--hand", hand, "--json").stdout)["hands"] == 1
    assert croupier("--table", TABLE, "--hand", 6).exit_code == 1  # it is being played
    assert croupier("--table", "017-none").exit_code == 1


def test_the_status_tells_a_difference_from_wrong_use(
    played: House, croupier: Callable[..., Result], tmp_path: Path
) -> None:
    rewrite(played)
    done = croupier("--all")
    assert done.exit_code == 1
    assert "FAILED  link" in done.stdout
    other = SealKey.load(tmp_path / "other")
    assert other.id.hex() in croupier("--all", "--key", tmp_path / "other" / "seal.key").stdout
    (tmp_path / "no.key").write_bytes(b"short")
    for words in ([], ["--all", "--table", TABLE], ["--hand", 1], ["--all", "--key", tmp_path / "no.key"],
                  ["--all", "--key", tmp_path / "none"], ["--table", "nonsense"]):  # fmt: skip
        assert croupier(*words).exit_code == 2, words
