"""A command as it is kept beside its first event, without seeds, so that an audit can ask `decide` again."""

from __future__ import annotations

from typing import Any

from engine.commands import StartHand
from engine.positions import Plan
from services.wire import COMMANDS, Recorded


def command_bytes(command: Any) -> bytes:
    """The command as the log keeps it: a start without its seed and the head, which the log itself gives."""
    if isinstance(command, StartHand):
        command = command._replace(seed=b"", head=b"")
    return COMMANDS.encode(command)


def command_again(kept: Recorded, seed: bytes, head: bytes) -> Any:
    """The command with what was left out: the unsealed seed of the hand and the chain head before it."""
    command = COMMANDS.decode(kept.command)
    if isinstance(command, StartHand):
        return StartHand(seed, head, command.plan and Plan(*command.plan))
    return command
