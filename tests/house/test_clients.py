"""Clients that are broken, slow or malicious: each gets a clear answer or is cut off, and nobody else notices."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.api.raw import CHUNKED, JSON, Told, ask, chunked, request
from tests.house.houses import Table, Up
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
