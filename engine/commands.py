"""What can be asked of a table. Requests, in the imperative; whether they are granted is decided in `engine/table.py`.

`player` is who asks, taken from the session; a command for a seat that is not his is refused. Time is not part of a
command: it is the id of its inbox entry and is passed beside it.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol, get_origin, get_type_hints, runtime_checkable

from engine.positions import Plan
from engine.refusals import Refused

REGISTRY: dict[str, type[Any]] = {}
FIELDS: dict[type[Any], dict[str, type[Any]]] = {}  # of each kind, the fields that hold a plain value of one type


@runtime_checkable
class Command(Protocol):
    """A NamedTuple of plain values."""

    def _asdict(self) -> dict[str, Any]: ...


def command(cls: type[Any]) -> type[Any]:
    """Register a command under its class name (its name on the wire)."""
    REGISTRY[cls.__name__] = cls
    types = {field: get_origin(hint) or hint for field, hint in get_type_hints(cls).items()}
    FIELDS[cls] = {field: kind for field, kind in types.items() if kind in (str, bytes, dict, int)}
    return cls


@command
class OpenTable(NamedTuple):
    game: str
    options: dict[str, Any]


@command
class ChangeOptions(NamedTuple):
    actor: str
    options: dict[str, Any]


@command
class Sit(NamedTuple):
    seat: int
    player: str
    chips: int
    transfer: str = ""


@command
class Stand(NamedTuple):
    seat: int
    player: str


@command
class AddChips(NamedTuple):
    seat: int
    player: str
    amount: int
    transfer: str = ""


@command
class SitOut(NamedTuple):
    seat: int
    player: str


@command
class SitIn(NamedTuple):
    seat: int
    player: str


@command
class Post(NamedTuple):
    """Come in by posting what is owed, instead of waiting for the big blind (OM8-16..20)."""

    seat: int
    player: str


@command
class PledgeSeed(NamedTuple):
    """For hand number `hand`, the next one: SHA-256(0x05 ‖ hand id ‖ seed), the seed 32 bytes of the player's own."""

    player: str
    hand: int
    pledge: bytes


@command
class RevealSeed(NamedTuple):
    """The pledged seed, once the root of that hand's deck is public."""

    player: str
    hand: int
    seed: bytes


@command
class ChooseGame(NamedTuple):
    """What is dealt next at a dealer's choice table; between hands, by the player whose choice it is (MIX-07)."""

    seat: int
    player: str
    game: str


@command
class Connect(NamedTuple):
    seat: int
    player: str


@command
class Disconnect(NamedTuple):
    seat: int
    player: str


@command
class Act(NamedTuple):
    """`verb` of the running decision; `amount` is the bet after the action; `turn` the decision it answers (0: any)."""

    seat: int
    player: str
    verb: str
    amount: int | None = None
    turn: int = 0
    args: dict[str, Any] | None = None


@command
class Pause(NamedTuple):
    actor: str
    why: str = ""


@command
class Resume(NamedTuple):
    actor: str


@command
class Close(NamedTuple):
    actor: str
    why: str = ""


# Internal: made by the worker, never taken from the inbox.


@command
class StartHand(NamedTuple):
    """`seed`: 32 bytes of fresh entropy, recorded sealed beside the log; `head`: chain head before the hand.

    `plan` prescribes positions instead of deriving them: only for replays of foreign hands and tests.
    """

    seed: bytes
    head: bytes
    plan: Plan | None = None

    def __repr__(self) -> str:  # the seed must not reach a log line or a traceback
        return "StartHand(seed=<hidden>)"


@command
class Expire(NamedTuple):
    turn: int
    deadline: int


@command
class ExtendClock(NamedTuple):
    by: int
    reason: str


@command
class NextLevel(NamedTuple):
    """The time of the level before this one is over."""

    level: int


@command
class VoidHand(NamedTuple):
    actor: str
    reason: str


INTERNAL = frozenset({"StartHand", "Expire", "ExtendClock", "NextLevel", "VoidHand"})

def require_types(command: Any) -> None:
    """Texts, bytes and tables of options are what they should be; numbers are looked at where they are used.

    Raises Refused `malformed`, which names the field.
    """
    for field, kind in FIELDS[type(command)].items():
        if kind is not int and not isinstance(getattr(command, field), kind):
            raise Refused("malformed", field=field)
