"""Players' seeds for the public cut: pledged before a hand, revealed once its root is public (docs/dealing.md).

Both are sent aside: they take no key of the player's own commands, whose answers stay his.
"""

from __future__ import annotations

from typing import Annotated

from flask import Response, request
from pydantic import Field

from api.asking import OUTCOME_S, told
from api.bodies import Body, patience, read_body
from api.house import house
from api.operations import operation
from api.schemas import json_of, ref
from api.seats import require_place, require_this_seat
from engine.commands import PledgeSeed, RevealSeed
from services.accounts import Credential, aside
from services.tables import Viewer

Hex32 = Annotated[str, Field(pattern="^[0-9a-f]{64}$", description="32 bytes in lower-case hex")]
HandNumber = Annotated[int, Field(ge=1, le=10**12)]
ANSWERS = {200: json_of("It counts", ref("Command")), 202: json_of("Not decided yet", ref("Command"))}


class Pledge(Body):
    hand: HandNumber = Field(description="the next hand's number: one more than the view's")
    pledge: Hex32 = Field(description="SHA-256 of 0x05, hand id and seed")


class Seed(Body):
    hand: HandNumber
    seed: Hex32


@operation("PUT", "/tables/{table}/seats/{seat}/pledge", "Pledge a seed for the next hand's cut", ANSWERS,
           body=Pledge, headers=("Prefer",), auth="seat",
           text="Once for each hand. Keep the seed to yourself until `view.hand.cut.awaited` names you.")  # fmt: skip
def pledge_seed(table: str, seat: int) -> Response:
    session, viewer = seated(table, seat)
    wanted = read_body(request, Pledge)
    return sent(session, viewer, PledgeSeed(session.player, wanted.hand, bytes.fromhex(wanted.pledge)))


@operation("PUT", "/tables/{table}/seats/{seat}/seed", "Reveal the seed that was pledged", ANSWERS,
           body=Seed, headers=("Prefer",), auth="seat",
           text="While `view.hand.cut.awaited` names you; what comes later than the hand's deadline is left out. Never "
                "before: a seed that is known before the root is public protects nobody.")  # fmt: skip
def reveal_seed(table: str, seat: int) -> Response:
    session, viewer = seated(table, seat)
    wanted = read_body(request, Seed)
    return sent(session, viewer, RevealSeed(session.player, wanted.hand, bytes.fromhex(wanted.seed)))


def seated(table: str, seat: int) -> tuple[Credential, Viewer]:
    """Whoever holds the seat. Raises Problem 401, 403 or 404."""
    require_place(table, seat)
    return require_this_seat(table, seat)


def sent(session: Credential, viewer: Viewer, command: PledgeSeed | RevealSeed) -> Response:
    """What came of the command."""
    sender, wait = aside(session.actor), patience(request, OUTCOME_S)
    k, outcome = house().tables.submit_next(session.table, sender, command, wait)
    return told(session.table, sender, k, outcome, viewer)
