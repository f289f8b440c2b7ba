"""What a worker answers to one command, as it travels on the `out` stream and stays in the receipt."""

from __future__ import annotations

from typing import Any, NamedTuple

from services.wire import Unreadable, pack, unpack


class Outcome(NamedTuple):
    """`code` is "" for an accepted command, else the refusal's. Events `after` + 1 … `version` are its facts.

    `detail`: public facts that explain a refusal (legal actions, turn, bounds).
    """

    code: str
    detail: dict[str, Any]
    after: int
    version: int

    @property
    def accepted(self) -> bool:
        return self.code == ""


def encode_outcome(outcome: Outcome) -> bytes:
    return pack(outcome)


def decode_outcome(data: bytes) -> Outcome:
    """Raises Unreadable."""
    match unpack(data):
        case (str(code), dict(detail), int(after), int(version), *_):
            return Outcome(code, detail, after, version)
    raise Unreadable("no outcome")
