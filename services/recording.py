"""A command as it is kept beside its first event, without secrets, so that an audit can ask `decide` again."""

from __future__ import annotations

from typing import Any

from engine.choosing import found
from engine.commands import Act, StartHand
from engine.events import ChoiceSealed, Event
from engine.play import choices
from engine.positions import Plan
from engine.refusals import Refused
from engine.state import Table
from services.orders import IfVersion
from services.wire import COMMANDS, Recorded, decode_request

CHOICE = "choice"
"""The argument that holds what nobody may know before all have chosen, in every game."""
LEFT_OUT: dict[str, Any] = {CHOICE: None}
"""Its event keeps it as a salted commitment, in which whoever has the seed of the hand finds it again."""


def command_bytes(command: Any) -> bytes:
    """The command as the log keeps it: a start without its seed and the head, which the log itself gives; a choice
    without what was chosen.
    """
    if isinstance(command, StartHand):
        command = command._replace(seed=b"", head=b"")
    return COMMANDS.encode(left_out(command))


def meant(command: Any, sent: bytes, version: int) -> tuple[Any, bytes]:
    """What is asked of a table of this version, and its bytes. Raises Refused if it is asked of another version."""
    if not isinstance(command, IfVersion):
        return command, sent
    if command.version != version:
        raise Refused("version_conflict", version=version)
    return decode_request(command.command), command.command


def request_bytes(command: Any, sent: bytes) -> bytes:
    """A request as the log keeps it: as it was sent, or without what was chosen."""
    kept = left_out(command)
    return sent if kept is command else COMMANDS.encode(kept)


def command_again(kept: Recorded, seed: bytes, head: bytes, table: Table, events: list[Event]) -> Any:
    """The command with what was left out: the unsealed seed of the hand and the chain head before it, or a choice.

    `table`: as it was before; `events`: what came of the command.
    """
    command = COMMANDS.decode(kept.command)
    if isinstance(command, StartHand):
        return StartHand(seed, head, command.plan and Plan(*command.plan))
    return found_again(command, table, events)


def left_out(command: Any) -> Any:
    """The command without what was chosen."""
    chosen = isinstance(command, Act) and command.args and CHOICE in command.args
    return command._replace(args=LEFT_OUT) if chosen else command


def found_again(command: Any, table: Table, events: list[Event]) -> Any:
    """The command with what was left out; `table` as it was before, with its deck, `events`: what came of it."""
    if not isinstance(command, Act) or command.args != LEFT_OUT or table.hand is None:
        return command
    picks = [str(args[CHOICE]) for args in choices(table.hand).get(command.verb, ())]
    kept = next((event.seal for event in events if isinstance(event, ChoiceSealed)), b"")
    return command._replace(args={CHOICE: found(table.hand, command.seat, kept, picks)})
