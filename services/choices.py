"""A choice that nobody may know before all are made, on its way (decision 17).

From the API to the worker it travels sealed under the view key. What is kept of it: `services/recording.py`.
"""

from __future__ import annotations

from typing import Any

from engine.commands import Act
from services.recording import CHOICE
from services.sealing import SealBroken, ViewKey


def covered(command: Any, key: ViewKey, table: str, actor: str, k: int) -> Any:
    """The command as it goes into the inbox: the same bytes each time it is sent."""
    if not isinstance(command, Act) or not command.args or not isinstance(command.args.get(CHOICE), str):
        return command
    sealed = key.seal_choice(command.args[CHOICE], table, actor, k)
    return command._replace(args={**command.args, CHOICE: sealed})


def uncovered(command: Any, key: ViewKey, table: str, actor: str, k: int) -> Any:
    """The command as it was meant. What cannot be opened stays as it is: no step takes it."""
    if not isinstance(command, Act) or not command.args or not isinstance(command.args.get(CHOICE), bytes):
        return command
    try:
        opened = key.open_choice(command.args[CHOICE], table, actor, k)
    except SealBroken:
        return command
    return command._replace(args={**command.args, CHOICE: opened})
