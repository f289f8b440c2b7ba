"""How many requests one token, or one address without a token, may make: a bucket each, refilled all the time."""

from __future__ import annotations

import threading
import time
from ipaddress import ip_address

from flask import g, request

from api.problems import Problem

BURST_S = 4
"""A full bucket holds this many seconds' worth."""
LOCAL_FACTOR = 50
"""Bots on this machine are many and have one address."""
BUCKETS_MOST = 50_000


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
        address = request.remote_addr or ""
        factor = LOCAL_FACTOR if is_local(address) else 1
        found = g.get("credential")
        wait = self.take(found.actor if found else address, factor)
        if wait:
            raise Problem("too_many_requests", retry_after=int(wait) + 1)


def is_local(address: str) -> bool:
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False
