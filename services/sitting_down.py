"""What a program needs to know of a running service's tables before it sits down."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from services.client import Client, good

BIG_BETS = 100


def lobby(client: Client, filters: str = "") -> Iterator[dict[str, Any]]:
    """Every row of the lobby, page by page; `filters` as `&game=razz`. Raises Failed, Unreachable."""
    cursor = ""
    while True:
        page = good(client.get(f"/tables?limit=200{filters}{cursor}"))
        yield from page["items"]
        if page["next"] is None:
            return
        cursor = f"&cursor={page['next']}"


def usual_buy_in(client: Client, table: str) -> int:
    """A hundred big bets, or what the table takes instead. Raises Failed, Unreachable."""
    rows = (row for row in lobby(client) if row["table"] == table)
    row = next(rows, None)
    if row is None:
        return 1  # whoever sits down is told what is wrong with the table
    least, most = row["buy_in"]
    wanted = max(least, BIG_BETS * (row["stakes"]["big_bet"] or row["stakes"]["big_blind"] or 1))
    return int(wanted if most is None else min(wanted, most))
