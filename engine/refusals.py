"""A refusal is an answer, not an accident: it has a stable code and changes nothing (rule book 1.13)."""

from __future__ import annotations


class Refused(Exception):
    """The command is understood and not allowed.

    `code`: stable, lower case (`not_your_turn`, `bet_too_small`, …). `detail`: public facts that explain it,
    safe to show to whoever sent the command: never a card, a seed or a token.
    """

    def __init__(self, code: str, **detail: object) -> None:
        super().__init__(code)
        self.code = code
        self.detail = detail


class LogBroken(Exception):
    """The events do not fit the state they are applied to: a damaged log or a fault in the engine."""
