"""What the files of `deploy/` name exists, and the programs they are for take them."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import click
import pytest

from api.app import NOUNS
from api.operations import OPERATIONS, PREFIX
from services.cli import main
from services.settings import Settings
from tests.deploy.files import (
    BIN,
    DEPLOY,
    ETC,
    ROOT,
    UNITS,
    compose,
    croupiers,
    environment_of,
    make_secrets,
    read,
    run,
    tool,
    unit_files,
    unit_settings,
)

OWN = {"__pycache__", "secrets"}
"""What whoever uses this folder leaves in it."""
FILES = sorted(path for path in DEPLOY.rglob("*") if path.is_file() and not OWN & {*path.parts})


def parsed(words: list[str]) -> dict[str, Any]:
    """What the real program would take a command line for. Raises click's UsageError."""
    name, *rest = words
    command = main.get_command(click.Context(main), name)
    assert command is not None, f"croupier {name}"
    return command.make_context(name, rest).params


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(DEPLOY)))
def test_every_setting_that_is_named_exists(file: Path) -> None:
    known = {f"CROUPIER_{name.upper()}" for name in Settings.model_fields} | {"CROUPIER_CONFIG"}
    assert set(re.findall(r"\bCROUPIER_[A-Z_]+\b", read(file))) <= known


def test_every_command_of_compose_is_one() -> None:
    """And who answers by HTTP does so at the port to which the proxy sends requests."""
    proxied = {name: int(port) for name, port in re.findall(r":(\w+):(\d+)}", read(DEPLOY / "Caddyfile"))}
    taken = {name: parsed(service["command"]) for name, service in croupiers().items() if "command" in service}
    assert {name: words["port"] for name, words in taken.items() if "port" in words} == proxied
    (line,) = re.findall(r"run --rm operator (token \|.*)", read(DEPLOY / "compose.yaml"))
    told = {words: parsed(words.split()) for words in line.split(" | ")}
    assert told["audit --all"]["everything"] is True


def test_every_command_of_the_readme_is_one() -> None:
    """Those run in a container, those run beside the units, and those that are only named."""
    page = read(DEPLOY / "README.md")
    told = re.findall(r"(?:run --rm operator|/bin/croupier|`croupier) ([a-z][^`\n]*)", page)
    named = re.findall(r"store(?: too)?: ((?:`[^`]+`,?\s)*`[^`]+`)", page)
    words = [*told, *(found for many in named for found in re.findall("`([^`]+)`", many))]
    assert len(words) > 12 and len(named) == 2
    assert all(parsed(line.split()) is not None for line in words)


def test_files_of_the_readme_are_there_and_all_are_told() -> None:
    page = read(DEPLOY / "README.md")
    table = page[page.index("| file |") : page.index("There is no")]
    told = {name for name in re.findall(r"`([\w.-]+/?)`", table) if (DEPLOY / name).exists()}
    kept = {path.name for path in DEPLOY.iterdir()} - OWN
    assert {name.rstrip("/") for name in told} | {"README.md", "Dockerfile.dockerignore"} == kept


def test_the_image_runs_a_command_and_is_asked_at_its_port() -> None:
    text = read(DEPLOY / "Dockerfile")
    assert 'ENTRYPOINT ["croupier"]' in text and "USER 10001:10001" in text
    words = [word.strip('" ') for word in re.findall(r"^CMD \[(.*)\]", text, re.M)[0].split(",")]
    assert f"http://127.0.0.1:{parsed(words)['port']}/healthz" in text
    for service in croupiers().values():
        test = service.get("healthcheck", {}).get("test")
        assert test is None or f":{service['command'][-1]}/healthz" in test[-1]


def test_the_image_gets_what_the_package_is_made_of() -> None:
    """What the Dockerfile copies is there and let through to it, and it is what the wheel holds."""
    copied = [word for words in re.findall(r"^COPY (?!--from)(.*) \S+$", read(DEPLOY / "Dockerfile"), re.M)
              for word in words.split()]  # fmt: skip
    let_in = [line[1:] for line in read(DEPLOY / "Dockerfile.dockerignore").splitlines() if line.startswith("!")]
    assert sorted(copied) == sorted(let_in)
    assert all((ROOT / name).exists() for name in copied)
    assert {"engine", "services", "workers", "api"} <= set(copied)


def test_processes_of_containers_have_only_the_keys_they_need() -> None:
    """Requests and live streams hold no seal key, and nobody's user is another's."""
    for name, service in croupiers().items():
        secrets = {one["source"] if isinstance(one, dict) else one for one in service["secrets"]}
        keys = {"view.key"} if name in ("api", "live") else {"view.key", "seal.key"}
        assert secrets == {"api" if name == "live" else name, *keys}


def test_what_is_made_is_what_is_asked_for(tmp_path: Path) -> None:
    """compose.yaml and the units name no secret that deploy/new_secrets.py does not make."""
    assert make_secrets(tmp_path / "secrets").returncode == 0
    made = {path.name for path in (tmp_path / "secrets").iterdir()}
    asked = {Path(secret["file"]).name for secret in compose()["secrets"].values()}
    units = {Path(found).name for path in unit_files() for found in re.findall(rf":({ETC}/\S+)", read(path))}
    assert asked | units | {"users.acl", "replica-auth.conf", "auditor.toml"} == made


def test_only_this_machine_is_let_in() -> None:
    ports = [port for service in compose()["services"].values() for port in service.get("ports", ())]
    assert ports and all(port.startswith("127.0.0.1:") for port in ports)


def test_what_waits_for_news_is_sent_to_live() -> None:
    """The Caddyfile's expressions fit the address of the stream, and of the table where it is asked to wait."""
    assert NOUNS  # they have entered their operations
    streams, polls = re.findall(r"path_regexp (\S+)", read(DEPLOY / "Caddyfile"))
    paths = {PREFIX + re.sub(r"{\w+}", "017-x", operation.path) for operation in OPERATIONS}
    assert {path for path in paths if re.search(streams, path)} == {f"{PREFIX}/tables/017-x/stream"}
    assert {path for path in paths if re.search(polls, path)} == {f"{PREFIX}/tables/017-x"}
    asked = {known.path for known in OPERATIONS if known.query and "wait" in known.query.model_fields}
    assert asked == {"/tables/{table}"} and "query wait=*" in read(DEPLOY / "Caddyfile")


# --- by the checkers of others ---------------------------------------------------------------------------------------


def test_compose_is_what_the_specification_says() -> None:
    said = run(tool("check-jsonschema"), "--builtin-schema", "vendor.compose-spec", DEPLOY / "compose.yaml")
    assert said.startswith("ok")


def test_the_dockerfile_has_no_known_mistake(tmp_path: Path) -> None:
    """The checker would find one: it knows an image whose version is not named for what it is."""
    assert run(tool("hadolint"), DEPLOY / "Dockerfile") == ""
    wrong = tmp_path / "Dockerfile"
    wrong.write_text(read(DEPLOY / "Dockerfile").replace("python:3.13-slim", "python"), "utf-8")
    with pytest.raises(AssertionError, match="DL3006"):
        run(tool("hadolint"), wrong)


def test_caddy_takes_its_file() -> None:
    said = run(tool("caddy"), "validate", "--adapter", "caddyfile", "--config", DEPLOY / "Caddyfile")
    assert "Valid configuration" in said


@pytest.fixture
def units(tmp_path: Path) -> list[Path]:
    """The units as on a machine where the program is this one."""
    for path in unit_files():
        copy = tmp_path / path.relative_to(UNITS)
        copy.parent.mkdir(exist_ok=True)
        copy.write_text(read(path).replace("/opt/croupier/bin", str(BIN)), "utf-8")
    return sorted(path for path in tmp_path.glob("croupier*") if path.is_file())


def test_systemd_takes_the_units(units: list[Path]) -> None:
    """Nothing is said about them; shut in as they are, systemd itself counts them among the safe ones."""
    program, known = tool("systemd-analyze"), {"SYSTEMD_UNIT_PATH": f"{units[0].parent}:"}
    assert run(program, "verify", "--man=no", *units, **known) == ""
    worker = units[0].parent / "croupier-worker@.service"
    assert "exposure level" in run(program, "security", "--offline=yes", "--threshold=20", worker, **known)


def test_units_start_real_commands_with_their_own_settings() -> None:
    """The common settings and each unit's own, with systemd's words filled in, are settings."""
    shared = environment_of(read(UNITS / "croupier-.service.d" / "common.conf"))
    for path in UNITS.glob("*.service"):
        (line,) = unit_settings(read(path), "ExecStart")
        program, *words = shlex.split(line)
        assert program == "/opt/croupier/bin/croupier" and parsed(words) is not None
        own = shared | environment_of(read(path))
        given = {line.split(":")[0] for text in (read(path), read(UNITS / "croupier-.service.d" / "common.conf"))
                 for line in unit_settings(text, "LoadCredential")}  # fmt: skip
        assert {value.removeprefix("%d/") for value in own.values() if value.startswith("%d/")} == given


def test_the_target_starts_everything() -> None:
    (wanted,) = unit_settings(read(UNITS / "croupier.target"), "Wants")
    assert {name.replace("@1", "@") for name in wanted.split()} == {path.name for path in UNITS.glob("*.service")}
