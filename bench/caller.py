"""Asks a running worker for something and waits for its word, without HTTP in between."""

from __future__ import annotations

from engine.commands import OpenTable, Sit
from services.inbox import Inbox
from services.reader import OutReader
from services.settings import Settings
from services.store import connect
from services.wire import COMMANDS, Envelope


class Caller:
    """One actor at any number of tables; `sent` counts his commands."""

    def __init__(self, settings: Settings, actor: str = "ann") -> None:
        assert settings.redis_url is not None
        self.actor = actor
        self.inbox = Inbox(connect(settings.redis_url, single=True), settings.backlog)
        self.out = OutReader(connect(settings.redis_url, single=True), [0])
        self.sent = 0

    def tell(self, table: str, command: object) -> None:
        """Append a command."""
        self.sent += 1
        self.inbox.append(Envelope(table, self.actor, self.sent, COMMANDS.encode(command)))

    def ask(self, table: str, command: object) -> None:
        """Append a command and wait for its outcome."""
        self.tell(table, command)
        while not any(notice.k == self.sent for notice in self.out.read(1000)):
            pass

    def sit_down(self, table: str, game: str = "razz") -> str:
        """Open a table and take its first seat; alone, so that nothing is dealt. Returns the table."""
        self.ask(table, OpenTable(game, {}))
        self.ask(table, Sit(0, self.actor, 1000))
        return table
