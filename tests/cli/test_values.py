"""What users and scripts write after a command: each value is understood, or refused in a line and with status 2."""

from __future__ import annotations

import http.server
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from services.cli import main
from services.cli._felt import told
from tests.api.conftest import Service
from tests.cli.conftest import Croupier

COMMANDS = [name for name in main.list_commands(click.Context(main)) if name != "table"]
SIMULATE = ("simulate", "razz", "--hands", "2")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((*SIMULATE, "--set", "razz.small"), "write key=value"),
        ((*SIMULATE, "--set", "razz.small=--5"), "bad_option: key razz.small, least 2"),
        ((*SIMULATE, "--set", f"razz.small={'9' * 5000}"), "bad_option: key razz.small, least 2"),
        ((*SIMULATE, "--set", "razz.small=٢٠"), "bad_option: key razz.small, least 2"),
        ((*SIMULATE, "--set", "name=\udcff"), "--set name: write printable characters"),
        ((*SIMULATE, "--set", "colour=red"), "unknown_option: key colour"),
        ((*SIMULATE, "--seats", "1"), "--seats 1: razz takes 2 to 8 players"),
        ((*SIMULATE, "--seats", "9"), "--seats 9: razz takes 2 to 8 players"),
        (("simulate", "hasaga", "--seats", "12"), "--seats 12: hasaga takes 2 to 6 players"),
        (("simulate", "poker"), "'GAME'"),
        (("load", "--seconds", "nan"), "nan is no number"),
        (("load", "--seconds", "inf"), "not in the range"),
        (("load", "--rate", "nan"), "nan is no number"),
        (("bot", "Ann", "--table", "017-x", "--think", "nan"), "nan is no number"),
        (("replay", "017-x", "9" * 30), "not in the range"),
        (("export", "017-x", "9" * 30, "--format", "json"), "not in the range"),
        (("audit", "--table", "017-x", "--hand", "9" * 30), "not in the range"),
        (("restore", "--void", "--table", "017-x", "--reason", "\udcff"), "printable characters"),
    ],
)
def test_a_value_that_is_none_is_wrong_use(croupier: Croupier, words: tuple[str, ...], said: str) -> None:
    run = croupier(*words)
    assert (run.exit_code, said in run.stderr, run.stdout) == (2, True, ""), run.output


def test_no_more_players_are_simulated_than_the_table_has_chairs(croupier: Croupier) -> None:
    for game, chairs, players in (("razz", 3, 3), ("razz", 8, 6), ("hasaga", 8, 4)):
        run = croupier("simulate", game, "--hands", 1, "--set", f"seats={chairs}", "--json")
        assert json.loads(run.stdout)["seats"] == players, run.output


def test_a_key_that_is_none_is_wrong_use_for_there_is_no_word_on_the_bundle(
    croupier: Croupier, tmp_path: Path
) -> None:
    (tmp_path / "it").write_bytes(bytes(31))
    (tmp_path / "it").chmod(0o600)
    run = croupier("verify", tmp_path / "it", "--key", tmp_path / "it")
    assert (run.exit_code, "holds exactly 32 bytes" in run.stderr) == (2, True), run.output


def test_one_check_differs(croupier: Croupier, tmp_path: Path) -> None:
    (tmp_path / "it").write_bytes(b"no bundle")
    assert "1 check differs" in croupier("verify", tmp_path / "it").stdout


def every_command() -> Iterator[tuple[str, click.Command]]:
    group = main.get_command(click.Context(main), "table")
    assert isinstance(group, click.Group)
    yield from ((f"table {name}", command) for name, command in group.commands.items())
    for name in COMMANDS:
        command = main.get_command(click.Context(main), name)
        assert command is not None
        yield name, command


def test_every_option_says_what_it_does() -> None:
    for name, command in every_command():
        for option in command.params:
            assert not isinstance(option, click.Option) or option.help, (name, option.name)


def test_help_fits_a_terminal_of_80_columns() -> None:
    """Nothing is cut in the middle: neither a command's summary nor the games that one can choose from."""
    listed = CliRunner().invoke(main, ["--help"], terminal_width=80).stdout
    assert "..." not in listed.split("Commands:")[1]
    for name, _ in every_command():
        usage = CliRunner().invoke(main, [*name.split(), "--help"], terminal_width=80).stdout.split("\n\n")[0]
        assert len(usage.splitlines()) == 1, usage


def test_a_table_that_is_not_ours_has_no_token_here(croupier: Croupier, url: tuple[str, str], tmp_path: Path) -> None:
    other = croupier("table", "create", "razz", "--data-dir", tmp_path, *url)
    assert (other.exit_code, f"{tmp_path}/host.token is not there" in other.stderr) == (1, True), other.output
    (tmp_path / "host.token").write_bytes(b"\xff\n")
    broken = croupier("table", "create", "razz", "--data-dir", tmp_path, *url)
    assert (broken.exit_code, "holds no token" in broken.stderr) == (1, True), broken.output


class Other(http.server.BaseHTTPRequestHandler):
    """Some other program's server: a page for every address; below /json a list, below /gone nothing."""

    def do_GET(self) -> None:
        kind = "application/json" if "/json" in self.path else "text/html"
        self.send_response(404 if "/gone" in self.path else 200)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(b"[1]" if "/json" in self.path else b"<h1>It works!")

    do_POST = do_GET

    def log_message(self, *words: object) -> None:
        pass


@pytest.fixture(scope="module")
def other() -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Other)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize("words", [("table", "list"), ("hands", "017-x"), ("table", "show", "017-x"), ("load",)])
@pytest.mark.parametrize(
    ("path", "said"), [("", "is no Croupier"), ("/json", "is no Croupier"), ("/gone", "404: Not Found")]
)
def test_another_program_at_that_address_is_told(
    croupier: Croupier, other: str, words: tuple[str, ...], path: str, said: str
) -> None:
    run = croupier(*words, "--url", other + path)
    assert (run.exit_code, said in run.stderr, run.stdout) == (1, True, ""), run.output


def test_a_table_that_is_nowhere_is_not_voided(croupier: Croupier) -> None:
    """Nor is anything put into an inbox for it."""
    run = croupier("restore", "--void", "--table", "000-nowhere", "--reason", "power cut")
    assert (run.exit_code, run.stderr) == (1, "croupier: not there: 000-nowhere\n")


@pytest.mark.parametrize("url", [f"http://{'a' * 300}", "http://127.0.0.1:9/ü", "http://a..b"])
def test_an_address_that_no_host_can_have_does_not_answer(croupier: Croupier, url: str) -> None:
    run = croupier("table", "list", "--url", url)
    assert (run.exit_code, "does not answer" in run.stderr) == (1, True), run.exception


def test_an_event_is_told_without_the_signs_of_a_programming_language() -> None:
    seats = ((8, "Ann", 200), (1, "Bob", 90))
    event = {"event": "HandStarted", "seats": seats, "posts": (), "stakes": (1, 2), "root": b""}
    assert told(event) == "HandStarted seats 8 Ann 200, 1 Bob 90 stakes 1 2"


def test_a_report_is_told_without_them_either(croupier: Croupier) -> None:
    told = croupier("simulate", "razz", "--hands", 2, "--audit").stdout.splitlines()[-1].split()
    assert told == ["audited", "hands", "2,", "ok", "true,", "failed", "none"]


# --- how a command ends, and where it writes to ----------------------------------------------------------------------


def run(*words: str, **more: object) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "services.cli", *words]
    return subprocess.run(command, capture_output=True, timeout=60, **more)  # type: ignore[call-overload, no-any-return]


def test_a_terminal_that_lacks_a_character_is_shown_an_escape(tmp_path: Path) -> None:
    file = tmp_path / "🂡\udcff.phh"
    file.write_text("nothing")
    for encoding in ("ascii", "latin-1", "utf-8"):
        done = run("check", str(file), env=os.environ | {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"})
        assert (done.returncode, done.stdout.startswith(b"DIFFERS"), done.stderr) == (1, True, b"")


@pytest.mark.parametrize("words", [("--help",), ("games",), ("rng", "--raw", "9000")])
def test_a_full_disk_is_a_line(words: tuple[str, ...]) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run([sys.executable, "-m", "services.cli", *words], stdout=full, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (1, b"croupier: No space left on device\n")


def test_nowhere_to_write_is_no_fault() -> None:
    done = run("rng", "--raw", "9000", preexec_fn=lambda: os.close(1))
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_command_that_is_stopped_says_so_by_its_status(number: int, status: int) -> None:
    """1 would mean that a check failed."""
    command = [sys.executable, "-m", "services.cli", "rng", "--raw", "100000000000"]
    heard = partial(signal.signal, number, signal.SIG_DFL)  # else what a shell runs in the background ignores Ctrl-C
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=heard) as process:
        assert process.stdout is not None
        process.stdout.read(1)
        process.send_signal(number)
        err = process.communicate(timeout=30)[1]
    assert (process.returncode, err) == (status, b"")


def test_a_bot_that_is_told_twice_to_end_leaves_all_the_same(
    croupier: Croupier, service: Service, url: tuple[str, str]
) -> None:
    """`timeout` tells a process and its group."""
    table = json.loads(croupier("table", "create", "razz", "--json", *url).stdout)["table"]
    command = [sys.executable, "-m", "services.cli", "bot", "robo", "--table", table, *url]

    def seated() -> list[str]:
        view = json.loads(croupier("table", "show", table, "--json", *url).stdout)["view"]
        return [place["player"] for place in view["seats"] if place]

    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        give_up = time.monotonic() + 30
        while not seated() and time.monotonic() < give_up:
            time.sleep(0.1)
        assert seated() == ["robo"]
        for _ in range(3):
            process.send_signal(signal.SIGTERM)
            time.sleep(0.002)
        _, err = process.communicate(timeout=30)
    assert (process.returncode, seated()) == (0, []), err
