"""What can be played, and what is wrong with an installation."""

import http.server
import json
import os
import runpy
import socket
import sys
import threading
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from engine.game import games
from services.archive import Archive
from services.cli import main
from services.doctor import Finding, examine
from services.server import start_server
from services.settings import Settings
from tests.api.conftest import Service
from tests.cli.conftest import Croupier


def test_games_tells_every_option_with_its_default_and_range() -> None:
    listed = json.loads(CliRunner().invoke(main, ["games", "--json"]).stdout)["games"]
    assert [game["name"] for game in listed] == list(games())
    for game in listed:
        known = games()[game["name"]]
        assert [option["key"] for option in game["options"]] == [option.key for option in known.all_options()]
        options = {option["key"]: option for option in game["options"]}
        assert options["name"]["longest"] == 60
        chairs = options["seats"]
        assert (chairs["least"], chairs["most"]) == (known.seats[0], known.seats[-1])
        assert {"seats": chairs["default"]}.items() <= known.resolve(known.opening({})).items()
        assert options["odd_chip"]["choices"] == ["clockwise"]
        for option in known.options_in_use({}):
            assert known.resolve({option.key: option.default})


def test_games_as_text_names_one_game_with_its_options() -> None:
    shown = CliRunner().invoke(main, ["games", "razz"]).stdout
    assert shown.startswith("razz: Razz, 2 to 8 seats")
    assert "razz.bring_in" in shown
    assert max(map(len, CliRunner().invoke(main, ["games", "hasaga"]).stdout.splitlines())) < 180
    assert "omaha8" not in shown


def test_the_command_runs_as_a_module_too(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["-m", "games", "holdem"])
    with pytest.raises(SystemExit) as done:
        runpy.run_module("services.cli", run_name="__main__")
    assert done.value.code == 0
    assert capsys.readouterr().out.startswith("holdem: Hold'em, 2 to 10 seats")


def doctor(*words: str) -> Result:
    return CliRunner().invoke(main, ["doctor", *words])


def finding(settings: Settings, name: str, port: int = 9) -> Finding:
    return next(found for found in examine(settings, port) if found.name == name)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in [name for name in os.environ if name.startswith("CROUPIER_")]:
        monkeypatch.delenv(name)
    folder = tmp_path / "data"
    folder.mkdir(mode=0o700)
    return folder


def test_a_sound_installation_passes(folder: Path) -> None:
    done = doctor("--data-dir", str(folder), "--port", "9", "--json")
    report = json.loads(done.stdout)
    assert report["ok"], report
    assert done.exit_code == 0
    assert {"python", "server", "seal key", "data folder", "disk", "port"} <= {c["name"] for c in report["checks"]}


def test_it_leaves_no_trace(folder: Path) -> None:
    doctor("--data-dir", str(folder), "--port", "9")
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("name", ["seal", "view", "signing"])
def test_a_key_that_others_can_read_is_wrong(folder: Path, name: str) -> None:
    file = folder / "keys" / f"{name}.key"
    file.parent.mkdir()
    file.write_bytes(bytes(32))
    file.chmod(0o644)
    found = finding(Settings(data_dir=folder), f"{name} key")
    assert not found.ok
    assert "0644" in found.detail
    assert doctor("--data-dir", str(folder), "--port", "9").exit_code == 1


@pytest.mark.parametrize("name", ["seal", "view", "signing"])
def test_a_configured_key_that_is_missing_is_wrong(
    folder: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv(f"CROUPIER_{name.upper()}_KEY_FILE", str(folder / "none.key"))
    assert "No such file" in finding(Settings(data_dir=folder), f"{name} key").detail


def test_a_misspelt_variable_is_wrong(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROUPIER_DURABILTY", "strict")
    found = finding(Settings(data_dir=folder), "settings")
    assert (found.ok, "CROUPIER_DURABILTY" in found.detail, "strict" in found.detail) == (False, True, False)


def test_a_database_without_its_driver_is_wrong(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    found = finding(Settings(data_dir=folder, database_url="postgresql://u:secret@127.0.0.1:1/d"), "archive")
    assert not found.ok and "pip install 'croupier[postgres]'" in found.detail


@pytest.mark.parametrize("url", ["redis+cluster://:secret@127.0.0.1:9", "redis://:secret@127.0.0.1:9?colour=red"])
def test_what_is_wrong_with_an_address_is_told_in_words(folder: Path, url: str) -> None:
    found = finding(Settings(data_dir=folder, redis_url=url), "server")
    assert (found.ok, "the store" in found.detail, "secret" in found.detail) == (False, True, False)


def test_a_data_folder_that_is_open_to_others_is_wrong(folder: Path) -> None:
    folder.chmod(0o755)
    assert "chmod 700" in finding(Settings(data_dir=folder), "data folder").detail


def test_a_host_token_that_others_can_read_is_wrong(folder: Path) -> None:
    (folder / "host.token").write_text("cr_x")
    (folder / "host.token").chmod(0o644)
    found = finding(Settings(data_dir=folder), "host token")
    assert not found.ok
    assert "cr_x" not in found.detail


def test_a_server_program_that_is_none_is_wrong(folder: Path) -> None:
    assert "no Redis" in finding(Settings(data_dir=folder, redis_server=Path("/bin/true")), "server").detail


def test_a_store_that_does_not_answer_is_wrong(folder: Path) -> None:
    settings = Settings(data_dir=folder, redis_url="redis://:secret@127.0.0.1:9", queue_url="redis://127.0.0.1:9")
    for name in ("server", "queue"):
        found = finding(settings, name)
        assert not found.ok
        assert "secret" not in found.detail


def test_a_store_that_syncs_more_weakly_than_promised_is_wrong(
    croupier: Croupier, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert json.loads(croupier("doctor", "--port", 9, "--json").stdout)["ok"]
    monkeypatch.setenv("CROUPIER_DURABILITY", "standard")
    done = croupier("doctor", "--port", 9)
    assert done.exit_code == 1
    assert "appendfsync everysec is weaker" in done.stdout


def test_an_archive_that_is_no_database_is_wrong(folder: Path) -> None:
    (folder / "archive.db").write_bytes(b"not a database" * 100)
    assert not finding(Settings(data_dir=folder), "archive").ok


def test_an_archived_hand_that_differs_is_wrong(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "archive.db").touch()
    monkeypatch.setattr(Archive, "failed", lambda self: [("017-ann", 3, "decide")])
    assert "017-ann hand 3 (decide)" in finding(Settings(data_dir=folder), "archive").detail


def test_a_port_that_another_program_has_is_wrong(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        found = finding(Settings(data_dir=folder), "port", silent.getsockname()[1])
    assert not found.ok and "taken by another program" in found.detail


def test_a_port_whose_program_has_a_page_for_every_address_is_wrong(
    folder: Path, croupier: Croupier, service: Service
) -> None:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Anything) as other:
        threading.Thread(target=other.serve_forever, daemon=True).start()
        found = finding(Settings(data_dir=folder), "port", other.server_address[1])
        other.shutdown()
    assert not found.ok and "taken by another program" in found.detail
    ours = finding(Settings(data_dir=folder), "port", int(service.url.rpartition(":")[2]))
    assert ours.ok and "running service" in ours.detail


class Anything(http.server.BaseHTTPRequestHandler):
    """A page, whatever is asked for."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()

    def log_message(self, *words: object) -> None:
        pass


def test_a_data_folder_that_cannot_be_is_wrong(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "file").touch()
    for place in ("file", "file/data"):
        assert "file is no folder" in finding(Settings(data_dir=folder / place), "data folder").detail
    monkeypatch.setattr("os.access", lambda path, mode: path != folder)  # a file system that may only be read
    for place in ("", "new/data"):
        assert f"{folder} cannot be written" in finding(Settings(data_dir=folder / place), "data folder").detail


@pytest.mark.parametrize("name", ["seal", "view", "signing"])
def test_a_key_that_is_gone_from_a_house_where_hands_were_played_is_wrong(folder: Path, name: str) -> None:
    """It would be made anew, and nobody could deal those hands again."""
    (folder / "archive.db").touch()
    found = finding(Settings(data_dir=folder), f"{name} key")
    assert not found.ok and "is gone" in found.detail


def test_nonsense_in_the_settings_is_told(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setenv("CROUPIER_PARTITIONS", "many")
    done = doctor("--data-dir", str(folder))
    assert done.exit_code == 1
    assert "partitions" in done.stderr


def test_the_embedded_server_of_a_demo_is_sound_unless_more_was_promised(folder: Path) -> None:
    with start_server(Settings(data_dir=folder, durability="dev")):
        assert "durability dev" in finding(Settings(data_dir=folder), "embedded server").detail
        assert not finding(Settings(data_dir=folder, durability="standard"), "embedded server").ok
    assert "does not run" in finding(Settings(data_dir=folder), "embedded server").detail
    with start_server(Settings(data_dir=folder)):
        assert "durability standard" in finding(Settings(data_dir=folder), "embedded server").detail
