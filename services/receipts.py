"""Exactly one effect per command: an actor numbers his commands at a table; the last one answered is kept.

Unlike a set of ids this needs no memory per command and forgets nothing: late copies of any age are known.
"""

from services.wire import Envelope, Receipt


class Superseded(Exception):
    """A later command of the actor was answered: this one had no effect, or its answer is gone."""


class KeyReused(Exception):
    """The same number was answered before, for another command."""


def answered(last: Receipt | None, envelope: Envelope) -> bytes | None:
    """The result this command got before; None: it is new. Raises Superseded or KeyReused."""
    if last is None or envelope.k > last.k:
        return None
    if envelope.k < last.k:
        raise Superseded
    if envelope.body != last.body:
        raise KeyReused
    return last.result
