"""Requests as no proper client would send them: bytes on a connection, and what comes back."""

from __future__ import annotations

import http.client
import json
import socket
from typing import Any, NamedTuple


class Told(NamedTuple):
    """An answer; `body` is read as JSON where it is."""

    status: int
    headers: http.client.HTTPMessage
    body: Any


def ask(port: int, sent: bytes, *, hang_up: bool = False) -> Told:
    """Send the bytes to this machine's port, and nothing after them with `hang_up`; what is answered."""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(sent)
        if hang_up:
            connection.shutdown(socket.SHUT_WR)
        response = http.client.HTTPResponse(connection)
        response.begin()
        data = response.read()
    return Told(response.status, response.headers, json.loads(data) if data[:1] in (b"{", b"[") else data)


def request(method: str, path: str, body: bytes = b"", **headers: object) -> bytes:
    """A request; `Content_Length=5` and the like become headers, and none is added but the host."""
    told = [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([f"{method} {path} HTTP/1.1", "Host: here", *told, "", ""]).encode() + body


def chunked(*pieces: bytes) -> bytes:
    """A body in chunks, whole."""
    return b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in (*pieces, b""))


JSON = {"Content_Type": "application/json"}
CHUNKED = {**JSON, "Transfer_Encoding": "chunked"}
