"""The demo: one table of every kind, with bots that keep playing. `python -m services.demo URL`.

Tables are found again by name and the bots' sessions are kept in the data folder, so a restart goes on with both.
When a tournament has its winner, the next one begins at a new table of the same name.
"""

from __future__ import annotations

import json
import signal
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from services.bots import Bot, TableBots
from services.client import Client, Unreachable
from services.settings import Settings
from services.sitting_down import lobby

NAMES = ("Ada", "Blaise", "Carl", "Daphne", "Emmy", "Felix", "Grace", "Henri", "Ida", "Jules", "Karl", "Lise")
THINK_S = 2.0  # one to three seconds, so that a dozen tables cost little
SHOW_WINNER_S = 30.0  # a tournament's last table stays that long


class DemoTable(NamedTuple):
    """`chips`: what a bot sits down with."""

    name: str
    game: str
    options: dict[str, Any]
    bots: int
    chips: int


DEMO_TABLES = (
    DemoTable("Razz 10/20", "razz", {}, 5, 400),
    DemoTable("Omaha-8 limit 2/4", "omaha8", {"seats": 9}, 5, 80),
    DemoTable("Omaha-8 pot-limit 1/2", "omaha8", {"seats": 6, "omaha.structure": "pot_limit"}, 4, 200),
    DemoTable("Omaha-8 no-limit 1/2", "omaha8", {"seats": 6, "omaha.structure": "no_limit"}, 4, 200),
    DemoTable("Hold'em no-limit 1/2", "holdem", {"seats": 6}, 3, 200),
    DemoTable("Omaha pot-limit 1/2", "omaha", {"seats": 6}, 3, 200),
    DemoTable("Stud 10/20", "stud", {"seats": 6}, 3, 400),
    DemoTable("Stud-8 10/20", "stud8", {"seats": 6}, 3, 400),
    DemoTable("H.O.R.S.E. 10/20", "horse", {"seats": 6}, 4, 400),
    DemoTable("Dealer's choice 10/20", "mixed", {"seats": 6, "rotation.choose": True}, 3, 400),
    DemoTable("Abyssinia", "abyssinia", {"seats": 6}, 4, 100),
    # Levels of twenty minutes: people can join as long as the first one runs.
    DemoTable("Hasaga", "hasaga", {"seats": 8, "hasaga.level_seconds": 1200}, 3, 3000),
)


def open_tables(host: Client) -> dict[str, str]:
    """Name -> table id; only what is missing is opened."""
    names = {row["name"]: row["table"] for row in lobby(host)}
    for table in DEMO_TABLES:
        if table.name not in names:
            answer = host.post("/tables", {"game": table.game, "options": {**table.options, "name": table.name}})
            names[table.name] = answer.body["table"]
    return names


class Sessions:
    """The bots' seats and tokens between two runs, in a file only its owner reads."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lock = threading.Lock()

    def load(self) -> dict[str, dict[int, Bot]]:
        if not self.path.exists():
            return {}
        kept = json.loads(self.path.read_text(encoding="utf-8"))
        return {table: {int(seat): Bot(**bot) for seat, bot in bots.items()} for table, bots in kept.items()}

    def save(self, crews: list[TableBots]) -> None:
        with self.lock:
            kept = {crew.table: {seat: session(bot) for seat, bot in crew.bots.items()} for crew in crews}
            draft = self.path.with_suffix(".new")
            with suppress(OSError):  # on a full disk the bots play on; the next change is saved again
                draft.touch(mode=0o600)
                draft.write_text(json.dumps(kept), encoding="utf-8")
                draft.rename(self.path)


def session(bot: Bot) -> dict[str, Any]:
    """What a bot goes on with after a restart."""
    return {"seat": bot.seat, "player": bot.player, "token": bot.token, "k": bot.k}


def crews(url: str, tables: dict[str, str], sessions: Sessions) -> list[TableBots]:
    """One crew of bots per demo table, with the sessions of the last run."""
    known = sessions.load()
    found: list[TableBots] = []
    for number, table in enumerate(DEMO_TABLES):
        first = number * 3
        names = [NAMES[(first + i) % len(NAMES)] for i in range(table.bots)]
        crew = TableBots(url, tables[table.name], names, table.chips, seed=number + 1, think_s=THINK_S, spare=1)
        crew.bots = known.get(crew.table, {})
        found.append(crew)
    for crew in found:
        catch_up(crew)
        crew.changed = lambda: sessions.save(found)
    return found


def catch_up(crew: TableBots) -> None:
    """Where each kept session's numbering stands by now."""
    for bot in crew.bots.values():
        client = Client(crew.url, bot.token)
        answer = client.get(f"/tables/{crew.table}/seats/{bot.seat}/actions")
        bot.k = max(bot.k, int(answer.body.get("last") or 0))
        client.close()


def keep(crew: TableBots, table: DemoTable, host: Client, show_winner_s: float = SHOW_WINNER_S) -> None:
    """Play until the crew is stopped; after a tournament the next one begins, at a table of its own (record 12)."""
    crew.run()
    while not crew.stop.wait(show_winner_s):
        try:
            host.post(f"/tables/{crew.table}/state", {"state": "closed"})  # refused where it is closed already
            crew.table = open_tables(host)[table.name]
        except Unreachable:
            continue  # the house is away: the winner is shown a while longer
        crew.run()


def main(url: str) -> int:
    settings = Settings()
    token = (settings.data_dir / "host.token").read_text(encoding="ascii").strip()
    host = Client(url, token)
    try:
        tables = open_tables(host)
    except Unreachable:
        print("the demo's tables could not be opened: no answer", file=sys.stderr)
        return 1
    finally:
        host.close()
    sessions = Sessions(settings.data_dir / "demo-bots.json")
    playing = crews(url, tables, sessions)
    for crew, table in zip(playing, DEMO_TABLES, strict=True):
        threading.Thread(target=keep, args=(crew, table, Client(url, token)), daemon=True).start()
    over = threading.Event()
    signal.signal(signal.SIGTERM, lambda signum, frame: over.set())
    signal.signal(signal.SIGINT, lambda signum, frame: over.set())
    over.wait()
    for crew in playing:
        crew.stop.set()
    sessions.save(playing)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
