"""A small HTTP client of Croupier's own API, for bots and the command line. Standard library only."""

from __future__ import annotations

import http.client
import json
from http.client import responses
from typing import Any, NamedTuple
from urllib.parse import urlsplit

TIMEOUT_S = 40.0


class Answer(NamedTuple):
    """`body` is the JSON document, {} where there is none; `etag` without its quotes."""

    status: int
    body: dict[str, Any]
    etag: str = ""

    @property
    def ok(self) -> bool:
        return 200 <= self.status < 300

    @property
    def code(self) -> str:
        """The problem's stable code, "" if all is well."""
        return "" if self.ok else str(self.body.get("code", self.status))


    @property
    def refusal(self) -> str:
        """The problem in a line: its code, then what it says of this case, or its title."""
        told = self.body.get("detail") or ", ".join(f"{key} {self.body[key]}" for key in BOUNDS if key in self.body)
        fields = "; ".join(f"{one['field']}: {one['problem']}" for one in self.body.get("errors", ()))
        return f"{self.code}: {told or fields or self.body.get('title') or responses.get(self.status, 'no Croupier')}"


BOUNDS = ("key", "least", "most", "longest", "choices", "fixed", "seats", "games", "retry_after")
"""What a problem says of the case beside its code. All else stays unsaid: it may be a token."""


class Failed(Exception):
    """The service refused; the text is the refusal."""


def good(answer: Answer) -> dict[str, Any]:
    """The body. Raises Failed."""
    if not answer.ok:
        raise Failed(answer.refusal)
    return answer.body


class Unreachable(Exception):
    """The service does not answer."""


class Foreign(Unreachable):
    """What answers is not Croupier."""


class Client:
    """One connection, kept open; not for several threads. `token` goes into the Authorization header only."""

    def __init__(self, url: str, token: str = "") -> None:
        parts = urlsplit(url)
        self._base = f"{parts.path.rstrip('/')}/api/v1"
        self._address = (parts.hostname or "127.0.0.1", parts.port or (443 if parts.scheme == "https" else 80))
        self._secure = parts.scheme == "https"
        self._connection: http.client.HTTPConnection | None = None
        self.token = token

    def get(self, path: str, **headers: str) -> Answer:
        return self.ask("GET", path, None, headers)

    def post(self, path: str, body: dict[str, Any], **headers: str) -> Answer:
        return self.ask("POST", path, body, headers)

    def put(self, path: str, body: dict[str, Any]) -> Answer:
        return self.ask("PUT", path, body, {})

    def delete(self, path: str) -> Answer:
        return self.ask("DELETE", path, None, {})

    def command(self, table: str, k: int, body: dict[str, Any], wait_s: int = 2) -> Answer:
        """Send the k-th command; the same call again is safe whatever became of the first."""
        headers = {"Idempotency-Key": str(k), "Prefer": f"wait={wait_s}"}
        return self.ask("POST", f"/tables/{table}/commands", body, headers)

    def ask(self, method: str, path: str, body: dict[str, Any] | None, headers: dict[str, str]) -> Answer:
        """One request, repeated once on a connection that the server had closed. Raises Unreachable."""
        sent = {"Accept": "application/json", **headers}
        if body is not None:
            sent["Content-Type"] = "application/json"
        if self.token:
            sent["Authorization"] = f"Bearer {self.token}"
        data = None if body is None else json.dumps(body)
        for last in (False, True):
            try:
                return self._send(method, path, data, sent)
            except (http.client.HTTPException, OSError, UnicodeError) as error:
                self.close()
                if last:
                    raise Unreachable(type(error).__name__) from None
        raise AssertionError("not reached")

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _send(self, method: str, path: str, data: str | None, headers: dict[str, str]) -> Answer:
        if self._connection is None:
            kind = http.client.HTTPSConnection if self._secure else http.client.HTTPConnection
            self._connection = kind(*self._address, timeout=TIMEOUT_S)
        self._connection.request(method, self._base + path, data, headers)
        response = self._connection.getresponse()
        return Answer(response.status, document(response), (response.headers.get("ETag") or "").strip('W/"'))


def document(response: http.client.HTTPResponse) -> dict[str, Any]:
    """The JSON object of an answer; {} where it has no content, or is another program's refusal. Raises Foreign."""
    text = response.read()
    if not text or (response.status >= 400 and "json" not in response.headers.get_content_type()):
        return {}
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise Foreign
    return found
