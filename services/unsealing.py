"""The one way to the cards of a hand that is over: first an entry in the audit log, then the seed.

Whoever holds the seal key unseals here. The API does not hold it: it sends the chores on an errand, and the seed
comes back sealed under the view key, which both have, for this one errand.
"""

from __future__ import annotations

import getpass
import json
import os
import secrets
import time
from typing import Any

from engine.deck import Deck, hand_id, sealed_deck
from services.audit import unsealed
from services.audit_log import AuditLog, NotLogged, Read
from services.errands import Errands
from services.history import History, NoSuchHand
from services.sealing import SealBroken, SealKey, ViewKey
from services.store import Client, typed_errors

UNSEAL = "unseal"
"""The job's name in `workers/jobs.py`."""
KEPT_S = 60
PATIENCE_S = 10.0
BLOCK_S = 2


class Unanswered(Exception):
    """The chores did not answer in time."""


class CannotUnseal(Exception):
    """`code`: "no_such_hand", "in_progress", "not_logged" or "no_seed"."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def me() -> str:
    """Who runs this program, as the audit log names him."""
    try:
        return f"os:{getpass.getuser()}"
    except (KeyError, OSError):
        return f"os:{os.getuid()}"


def unseal(history: History, key: SealKey, log: AuditLog, read: Read) -> bytes:
    """The seed of a finished hand, once the log says who reads it and why. Raises CannotUnseal.

    Of a hand that is being played nobody ever gets it.
    """
    try:
        segment = history.segment(read.table, read.hand)
        log.write(read)
        seed = unsealed(segment, key)
    except NoSuchHand:
        raise CannotUnseal("in_progress" if history.playing(read.table, read.hand) else "no_such_hand") from None
    except NotLogged:
        raise CannotUnseal("not_logged") from None
    except SealBroken:
        raise CannotUnseal("no_seed") from None
    if seed is None:
        raise CannotUnseal("no_seed")
    return seed


def deck_from(seed: bytes, table: str, hand: int) -> Deck:
    """All 52 cards with their commitment."""
    return sealed_deck(seed, hand_id(table, hand))


# --- by errand ----------------------------------------------------------------------------------------------


def answer_key(errand: str) -> str:
    """LIST with one sealed answer, for a minute."""
    return f"unsealed:{errand}"


def fetch(errands: Errands, client: Client, key: ViewKey, read: Read) -> bytes:
    """The seed, by way of the chores. Raises CannotUnseal or Unanswered."""
    errand = secrets.token_hex(16)
    errands.ask(UNSEAL, errand, *read, first=True)
    give_up = time.monotonic() + PATIENCE_S
    while time.monotonic() < give_up:
        with typed_errors():
            found = client.blpop([answer_key(errand)], timeout=BLOCK_S)
        if found:
            return told(json.loads(found[1]), key, errand)
    raise Unanswered


def told(answer: dict[str, Any], key: ViewKey, errand: str) -> bytes:
    if "code" in answer:
        raise CannotUnseal(answer["code"])
    return key.open_errand(bytes.fromhex(answer["sealed"]), errand)


def run_errand(
    client: Client,
    keys: tuple[SealKey | None, ViewKey | None],
    history: History,
    log: AuditLog,
    errand: str,
    read: Read,
) -> None:
    """What the chores do for `fetch`."""
    seal_key, view_key = keys
    try:
        if seal_key is None or view_key is None:
            raise CannotUnseal("no_seed")
        seed = unseal(history, seal_key, log, read)
        answer = {"sealed": view_key.seal_errand(seed, errand).hex()}
    except CannotUnseal as refused:
        answer = {"code": refused.code}
    with typed_errors():
        client.lpush(answer_key(errand), json.dumps(answer))
        client.expire(answer_key(errand), KEPT_S)
