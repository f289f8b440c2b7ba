"""What one token, or one address without a token, may ask for: so many requests in a while, so many answers at a time
that wait for news.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import ip_address

from flask import g, request

from api.problems import Problem

BURST_S = 4
"""A full bucket holds this many seconds' worth."""
LOCAL_FACTOR = 50
"""Bots on this machine are many and have one address."""
BUCKETS_MOST = 50_000
SHARE = 4
"""One client of another machine takes a quarter of the places at most."""
CROWDED_S = 5
"""When to try again for a place."""


class Limits:
    """Buckets of this process. `rate`: requests a second."""

    def __init__(self, rate: int) -> None:
        self._rate = rate
        self._lock = threading.Lock()
        self._buckets: dict[str, tuple[float, float]] = {}

    def take(self, who: str, factor: int = 1) -> float:
        """Take one request out of the bucket; 0.0, or the seconds until there is one again."""
        rate = self._rate * factor
        now = time.monotonic()
        with self._lock:
            left, then = self._buckets.get(who, (float(rate * BURST_S), now))
            left = min(float(rate * BURST_S), left + (now - then) * rate)
            if left < 1:
                return (1 - left) / rate
            if len(self._buckets) >= BUCKETS_MOST:
                self._buckets.clear()
            self._buckets[who] = left - 1, now
        return 0.0

    def check(self) -> None:
        """Before a request is handled: count it for its token if it shows one, and for its address if not.

        Raises Problem too_many_requests. A made-up token costs its address, or guessing would be free.
        """
        wait = self.take(asker(), LOCAL_FACTOR if is_local() else 1)
        if wait:
            raise Problem("too_many_requests", retry_after=int(wait) + 1)


class Places:
    """For clients that this process keeps waiting for news: each may hold one of its threads. `most`: in all."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._taken = 0
        self._each = Counter[str]()

    @contextmanager
    def one(self) -> Iterator[None]:
        """For whoever asks, within this block. Raises Problem crowded."""
        who = asker()
        self._take(who, self._most if is_local() else self._most // SHARE)
        try:
            yield
        finally:
            self._give(who)

    def _take(self, who: str, most: int) -> None:
        with self._lock:
            if self._taken >= self._most or self._each[who] >= most:
                raise Problem("crowded", retry_after=CROWDED_S)
            self._taken += 1
            self._each[who] += 1

    def _give(self, who: str) -> None:
        with self._lock:
            self._taken -= 1
            self._each[who] -= 1
            if not self._each[who]:
                del self._each[who]


def asker() -> str:
    """Whose requests these are: a token's actor, or an address."""
    found = g.get("credential")
    return found.actor if found else request.remote_addr or ""


def is_local() -> bool:
    """Whether they come from this machine."""
    try:
        return ip_address(request.remote_addr or "").is_loopback
    except ValueError:
        return False
