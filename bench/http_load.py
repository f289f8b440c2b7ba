"""A closed loop of HTTP clients in one thread: every connection sends its next request as soon as it has an answer."""

from __future__ import annotations

import selectors
import socket
import time


def requests_a_second(port: int, path: str, seconds: float = 2.0, connections: int = 16, headers: str = "") -> float:
    """Answers a wall second over keep-alive connections to 127.0.0.1. Raises AssertionError on anything but 200."""
    request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{headers}\r\n".encode()
    with selectors.DefaultSelector() as selector:
        for _ in range(connections):
            client = socket.create_connection(("127.0.0.1", port), timeout=10)
            client.sendall(request)
            selector.register(client, selectors.EVENT_READ, Answer())
        try:
            return answers(selector, request, seconds) / seconds
        finally:
            for key in list(selector.get_map().values()):
                key.fileobj.close()  # type: ignore[union-attr]


def answers(selector: selectors.BaseSelector, request: bytes, seconds: float) -> int:
    """Run the loop for that long and count complete answers."""
    count = 0
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        for key, _ in selector.select(timeout=0.1):
            client: socket.socket = key.fileobj  # type: ignore[assignment]
            if key.data.complete(client.recv(65_536)):
                count += 1
                client.sendall(request)
    return count


class Answer:
    """Collects one HTTP answer after the other."""

    def __init__(self) -> None:
        self.received = b""
        self.body = b""

    def complete(self, chunk: bytes) -> bool:
        """Take in a chunk; True if it ends an answer."""
        assert chunk, "the server closed the connection"
        self.received += chunk
        head, blank, body = self.received.partition(b"\r\n\r\n")
        if not blank or len(body) < content_length(head):
            return False
        assert head.startswith(b"HTTP/1.1 200"), head.splitlines()[0]
        self.received, self.body = b"", body
        return True


def content_length(head: bytes) -> int:
    """The Content-Length of an answer's head."""
    return int(head.lower().partition(b"content-length:")[2].splitlines()[0])
