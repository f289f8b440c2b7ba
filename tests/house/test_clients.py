"""Clients that are broken, slow or malicious: each gets a clear answer or is cut off, and nobody else notices."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator

import pytest

from tests.api.raw import CHUNKED, JSON, Told, ask, chunked, request
from tests.house.houses import Table, Up, house, wait_for
from tests.house.remote import ANY_STACK, ENDLESS

OPTIONS = {"seats": 3, "hand_gap_seconds": 0, **ENDLESS, **ANY_STACK}
SIT_OUT = b'{"verb":"sit_out"}'


@pytest.fixture
def table(up: Up) -> Iterator[Table]:
    """Ann alone: no hand begins."""
    table = Table(up, "razz", **OPTIONS)
    table.sit(0, "ann", 100)
    yield table
    table.close()


def command(table: Table, body: bytes, hang_up: bool = False, **headers: object) -> Told:
    """Ann's first command, however its body is framed."""
    known = {"Authorization": f"Bearer {table.seats[0].token}", "Idempotency_Key": 1, "Prefer": "wait=10"}
    path = f"/api/v1/tables/{table.id}/commands"
    return ask(table.up.port, request("POST", path, body, **known, **headers), hang_up=hang_up)


def test_a_body_that_ends_early_is_no_command(table: Table) -> None:
    """P065: what has arrived of it could be read as one, but its sender was cut off."""
    before = table.see()["version"]
    told = command(table, SIT_OUT, hang_up=True, **JSON, Content_Length=len(SIT_OUT) + 2)
    assert (told.status, told.body["code"]) == (400, "malformed")
    told = command(table, chunked(SIT_OUT)[:-5], hang_up=True, **CHUNKED)
    assert (told.status, told.body["code"]) == (400, "malformed")
    assert table.see()["version"] == before
    assert command(table, chunked(SIT_OUT[:5], SIT_OUT[5:]), **CHUNKED).status == 200


@pytest.mark.parametrize("piece", [b"zz\r\n{}\r\n", b"-2\r\n{}\r\n", b"2\r\n{}zz", b"2;a\0b\r\n{}\r\n"])
def test_chunks_that_are_none_are_the_clients_fault(table: Table, piece: bytes) -> None:
    log = table.up.errors.stat().st_size
    told = command(table, piece + b"0\r\n\r\n", **CHUNKED)
    assert (told.status, told.body["code"]) == (400, "malformed")
    assert table.up.errors.stat().st_size == log


def test_a_long_body_in_chunks_is_too_long(table: Table) -> None:
    """Its beginning is not taken for the whole."""
    told = command(table, chunked(SIT_OUT + b" " * 4000, b" " * 4000), **CHUNKED)
    assert (told.status, told.body["code"]) == (413, "body_too_large")
    told = command(table, chunked(SIT_OUT + b" " * (4096 - len(SIT_OUT))), **CHUNKED)
    assert told.status == 200


def test_a_body_is_not_unpacked(table: Table) -> None:
    told = command(table, SIT_OUT, **JSON, Content_Length=len(SIT_OUT), Content_Encoding="gzip")
    assert (told.status, told.body["code"]) == (415, "unsupported_media_type")


def test_what_cannot_be_read_has_every_header_of_an_answer(up: Up) -> None:
    told = ask(up.port, request("GET", "/healthz", Expect="miracles"))
    assert (told.status, told.body["code"]) == (417, "malformed")
    fine = ask(up.port, request("GET", "/healthz"))
    assert {*fine.headers} - {"Date", "Server"} <= {*told.headers}
    assert told.headers["Cache-Control"] == "no-store"


# --- those who stall -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def impatient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    """A house of its own, that waits for a client as long as a test may."""
    chosen = {"CROUPIER_DURABILITY": "dev", "CROUPIER_STALL_SECONDS": "1"}
    with house(tmp_path_factory.mktemp("impatient"), environment=chosen) as up:
        yield up


def streams(up: Up) -> float:
    text = bytes(ask(up.port, request("GET", "/metrics", Connection="close")).body).decode()
    (line,) = [line for line in text.splitlines() if line.startswith("croupier_streams ")]
    return float(line.split()[1])


def test_a_body_that_never_comes_holds_nothing_for_long(impatient: Up) -> None:
    sent = request("PUT", "/api/v1/tables/017-x/seats/0", b"{", **JSON, Content_Length=100)
    with socket.create_connection(("127.0.0.1", impatient.port), timeout=60) as connection:
        connection.sendall(sent)
        assert connection.recv(100).startswith(b"HTTP/1.1 400 ")


def test_p155_a_watcher_who_never_reads_is_cut_off(impatient: Up) -> None:
    """His player is seen to be gone, his connection is closed, and all of it without a word in the log."""
    table = Table(impatient, "razz", **OPTIONS)
    table.sit(0, "ann", 100)
    log = impatient.errors.stat().st_size
    with socket.socket() as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        deaf.connect(("127.0.0.1", impatient.port))
        token = f"Bearer {table.seats[0].token}"
        deaf.sendall(request("GET", f"/api/v1/tables/{table.id}/stream", Authorization=token))
        wait_for(lambda: streams(impatient) == 1, "he watches")
        give_up = time.monotonic() + 120
        while streams(impatient) and time.monotonic() < give_up:
            for _ in range(200):
                assert table.command(0, verb="sit_out").ok
                assert table.command(0, verb="sit_in").ok
        assert streams(impatient) == 0
        table.wait(lambda view: not view["seats"][0]["connected"], "he is seen to be gone")
    assert impatient.errors.stat().st_size == log
    table.close()
