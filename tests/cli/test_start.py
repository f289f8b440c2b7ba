"""What keeps a command from starting is one line and a status, never a traceback."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from errno import ENOSPC
from pathlib import Path

import pytest

from services.doctor import examine
from services.house import House, signals
from services.keys import partition_keys
from services.server import start_server
from services.settings import Settings
from services.store import StoreUnfit, connect, require_partitions
from tests.cli.conftest import Croupier
from workers.__main__ import main as workers

Environment = dict[str, str]
EXAMPLES = Path(__file__).parents[1] / "rulebook" / "examples.json"


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No settings but a data folder of the test's own."""
    for name in ("CROUPIER_REDIS_URL", "CROUPIER_CORPUS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("CROUPIER_DATA_DIR", str(tmp_path / "data"))
    (tmp_path / "file").write_bytes(b"\xff not TOML, no folder")
    return tmp_path


@pytest.mark.parametrize(
    ("environment", "words", "said"),
    [
        ({"PARTITIONS": "many"}, ("up",), "settings: partitions: Input should be a valid integer"),
        ({"PARTITIONS": "many"}, ("doctor",), "settings: partitions: Input should be a valid integer"),
        ({"CONFIG": "{}/mistyped.toml"}, ("doctor",), "settings: colour: Extra inputs are not permitted"),
        ({"CONFIG": "{}/broken.toml"}, ("doctor",), "settings: the file is no TOML"),
        ({"REDIS_URL": "http://user:secret@store"}, ("audit", "--all"), "the store's address is no redis://"),
        ({"REDIS_URL": "redis://user:secret@127.0.0.1:1"}, ("audit", "--all"), "the store does not answer"),
        ({"DATABASE_URL": "user:secret"}, ("audit", "--all"), "the archive's address is no sqlite:///"),
        ({"DATABASE_URL": "user:secret"}, ("up", "--port", "{port}"), "the archive's address is no sqlite:///"),
        ({"SEAL_KEY_FILE": "{}/nobody"}, ("up", "--port", "{port}"), "{}/nobody: No such file or directory"),
        ({"DATA_DIR": "{}/file/data"}, ("up", "--port", "{port}"), "{}/file/data: Not a directory"),
        ({"DATABASE_URL": "mysql://user:secret@host/d"}, ("audit", "--all"), "the archive's address is no sqlite:///"),
        ({"REDIS_URL": "redis://:secret@127.0.0.1:1?colour=red"}, ("audit", "--all"), "the store's address is no"),
        ({"REDIS_URL": "redis+cluster://:secret@127.0.0.1:1"}, ("audit", "--all"), "the store does not answer"),
        ({"DATA_DIR": "{}/file/data"}, ("audit", "--all"), "the archive does not open (OperationalError)"),
        ({}, ("up", "--port", "{taken}"), "127.0.0.1:{taken} cannot be served on (Address already in use)"),
        ({}, ("up", "--host", "nobody.invalid"), "nobody.invalid:8000 cannot be served on (no such address)"),
        ({}, ("up", "--host", ""), ":8000 cannot be served on (no such address)"),
        ({}, ("up", "--host", "\udcff"), "\\udcff:8000 cannot be served on (no such address)"),
        ({}, ("up", "--host", "ü" * 99), "ü" * 99 + ":8000 cannot be served on (no such address)"),
        ({"SIGNING_KEY_FILE": "{}/nobody"}, ("up", "--port", "{port}"), "{}/nobody: No such file or directory"),
        ({"QUEUE_URL": "redis://:secret@127.0.0.1:1"}, ("up", "--port", "{port}"), "the store does not answer"),
    ],
)
def test_what_is_wrong_with_the_installation(
    bare: Path, taken: int, croupier: Croupier, monkeypatch: pytest.MonkeyPatch,
    environment: Environment, words: tuple[str, ...], said: str,
) -> None:  # fmt: skip
    """Status 1; and no address with a password is repeated."""
    (bare / "mistyped.toml").write_text('colour = "red"', "utf-8")
    (bare / "broken.toml").write_text("colour = [", "utf-8")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]

    def filled(text: str) -> str:
        return text.replace("{}", str(bare)).replace("{port}", str(port)).replace("{taken}", str(taken))

    for name, value in environment.items():
        monkeypatch.setenv(f"CROUPIER_{name}", filled(value))
    run = croupier(*map(filled, words))
    assert (run.exit_code, type(run.exception)) == (1, SystemExit), run.exception
    assert run.stderr.startswith(f"croupier: {filled(said)}") and run.stderr.count("\n") == 1
    assert "secret" not in run.output


@pytest.mark.parametrize(
    "words",
    [
        ("audit", "--all"),
        ("replay", "017-x", "1"),
        ("export", "017-x", "--format", "json"),
        ("rebuild",),
        ("restore",),
        ("restore", "--void", "--table", "017-x", "--reason", "power cut"),
        ("table", "create", "razz"),
        ("load",),
    ],
)
def test_a_mistyped_data_folder_is_no_sound_installation(
    bare: Path, croupier: Croupier, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    """An auditor would read "all is well" of a house that is not there; and nothing is made by looking."""
    monkeypatch.delenv("CROUPIER_REDIS_URL")
    run = croupier(*words, "--data-dir", bare / "nowhere")
    assert (run.exit_code, "nowhere" in run.stderr, run.stdout) == (1, True, ""), run.output
    assert "--data-dir" in run.stderr
    assert not (bare / "nowhere").exists()


def test_a_data_folder_made_by_the_embedded_server_is_private(bare: Path) -> None:
    with start_server(Settings(data_dir=bare / "new", durability="dev")):
        assert (bare / "new").stat().st_mode & 0o077 == 0


def test_a_folder_that_a_variable_never_named_is_wrong_use(croupier: Croupier) -> None:
    for words in (("up",), ("audit", "--all"), ("token",), ("doctor",)):
        run = croupier(*words, "--data-dir", "")
        assert (run.exit_code, "it is empty" in run.stderr) == (2, True), run.output


@pytest.fixture
def taken() -> Iterator[int]:
    """A port on which somebody serves."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        yield other.getsockname()[1]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("replay", "here", "1"), "no table's id"),
        (("hands", "../017-x"), "no table's id"),
        (("export", "017", "--format", "json"), "no table's id"),
        (("audit", "--table", "x"), "no table's id"),
        (("table", "list", "--url", "localhost"), "http://HOST:PORT"),
        (("table", "list", "--url", "http://[::1"), "http://HOST:PORT"),
        (("bot", "Ann", "--table", "017-x", "--url", "ftp://localhost"), "http://HOST:PORT"),
        (("check", "--known", "{}/file", "{}"), "file:1: not UTF-8 text"),
        (("check",), "name a FILE, or a folder of hands in CROUPIER_CORPUS"),
    ],
)
def test_wrong_use_is_status_2(bare: Path, croupier: Croupier, words: tuple[str, ...], said: str) -> None:
    run = croupier(*(word.replace("{}", str(bare)) for word in words))
    assert (run.exit_code, said in run.stderr) == (2, True), run.output


def test_the_hands_of_the_corpus_are_checked_where_no_file_is_named(
    croupier: Croupier, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CROUPIER_CORPUS", str(EXAMPLES))
    run = croupier("check")
    assert run.exit_code == 0 and " 0 differ" in run.stdout, run.output


def test_a_store_that_cannot_be_started_is_tried_again_while_the_house_stays(
    bare: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A server that syncs every commit ends itself on a full disk; when there is room again it starts."""
    monkeypatch.setattr("services.house.STORE_PAUSE_S", 0)
    answers: list[Exception | None] = [StoreUnfit("the server ended (1)"), OSError(ENOSPC, "No space left"), None]

    def keep_store() -> None:
        if (answer := answers.pop(0)) is not None:
            raise answer

    House(Settings(), "127.0.0.1", 8000).run(lambda: not answers, keep_store)
    said = capsys.readouterr().err.splitlines()
    assert [line.partition(": ")[0] for line in said] == ["the store cannot be started"] * 2


def test_a_house_that_is_told_to_stop_waits_for_nothing() -> None:
    """Nobody answers at its address yet, and two minutes would be long."""
    began = time.monotonic()
    with signals() as stopped:
        os.kill(os.getpid(), signal.SIGTERM)
        assert not House(Settings(), "127.0.0.1", 9).wait_until_ready(lambda: None, stopped)
        os.kill(os.getpid(), signal.SIGTERM)  # `timeout` tells a process and its group
        assert stopped() and time.monotonic() - began < 30
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)


@pytest.mark.parametrize("process", [["--requests"], []], ids=["api", "live"])
@pytest.mark.parametrize(
    ("environment", "said"),
    [
        ({}, "CROUPIER_REDIS_URL names no store"),
        ({"REDIS_URL": "http://user:secret@store"}, "the store's address is no redis://"),
        ({"REDIS_URL": "redis://127.0.0.1:1", "VIEW_KEY_FILE": "{}/file"}, "a key file holds exactly 32 bytes"),
        ({"REDIS_URL": "redis://127.0.0.1:1", "DATABASE_URL": "mysql://u:secret@h/d"}, "the archive's address is no"),
    ],
)
def test_who_answers_requests_looks_before_he_has_children(
    bare: Path, process: list[str], environment: Environment, said: str
) -> None:
    """They would tell the same with a traceback, and start again and again."""
    (bare / "file").chmod(0o600)
    chosen = {f"CROUPIER_{name}": value.replace("{}", str(bare)) for name, value in environment.items()}
    command = [sys.executable, "-m", "api", "--port", "9", *process]
    done = subprocess.run(command, env=os.environ | chosen, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1), done
    assert done.stderr.startswith("croupier: ") and said in done.stderr and "secret" not in done.stderr


def test_fewer_partitions_than_the_store_began_with_would_leave_tables_alone(
    bare: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The worker's tables beyond would be nobody's; more of them are harmless."""
    monkeypatch.setattr("workers.__main__.set_up_logs", lambda level: None)
    monkeypatch.setenv("CROUPIER_DURABILITY", "dev")
    monkeypatch.setenv("CROUPIER_PARTITIONS", "8")
    with start_server(Settings()) as server:
        monkeypatch.setenv("CROUPIER_REDIS_URL", server.url)
        client = connect(server.url)
        client.hset(partition_keys(7).tables, "007-ann", b"")
        require_partitions(client, 8)
        client.hset(partition_keys(63).tables, "063-ann", b"")
        client.close()
        with pytest.raises(SystemExit, match="1"):
            workers(["fold"])
        said = "the store has tables in partition 63: set CROUPIER_PARTITIONS to what it was before"
        assert said in capsys.readouterr().err
        assert said in {finding.detail for finding in examine(Settings(), 9)}
        assert require_partitions(connect(server.url), 64) is None


@pytest.mark.parametrize("process", ["fold", "jobs"])
def test_a_process_without_its_store(
    bare: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], process: str
) -> None:
    monkeypatch.setattr("workers.__main__.set_up_logs", lambda level: None)  # this process logs for others
    with pytest.raises(SystemExit, match="1"):
        workers([process])
    assert "CROUPIER_REDIS_URL names no store" in capsys.readouterr().err
