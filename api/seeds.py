"""Players' seeds for the public cut: pledged before a hand, revealed once its root is public (docs/dealing.md).

Both are sent aside: they take no key of the player's own commands, whose answers stay his.
"""

from __future__ import annotations

from typing import Annotated, Any

from flask import Response, request
from pydantic import Field

from api.asking import OUTCOME_S, told
from api.bodies import Body, patience, read_body
from api.house import house
from api.operations import operation
from api.schemas import json_of, ref
from api.seats import require_place, require_this_seat
from engine.commands import PledgeSeed, RevealSeed
from services.accounts import aside

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
           body=Pledge, auth="seat",
           text="Once for each hand. Keep the seed to yourself until `view.hand.cut.awaited` names you.")  # fmt: skip
def pledge_seed(table: str, seat: int) -> Response:
    wanted = read_body(request, Pledge)
    return sent(table, seat, lambda player: PledgeSeed(player, wanted.hand, bytes.fromhex(wanted.pledge)))


@operation("PUT", "/tables/{table}/seats/{seat}/seed", "Reveal the seed that was pledged", ANSWERS,
           body=Seed, auth="seat",
           text="While `view.hand.cut.awaited` names you; what comes later than the hand's deadline is left out. Never "
                "before: a seed that is known before the root is public protects nobody.")  # fmt: skip
def reveal_seed(table: str, seat: int) -> Response:
    wanted = read_body(request, Seed)
    return sent(table, seat, lambda player: RevealSeed(player, wanted.hand, bytes.fromhex(wanted.seed)))


def sent(table: str, seat: int, command: Any) -> Response:
    """The command of whoever holds the seat, and what came of it."""
    require_place(table, seat)
    session, viewer = require_this_seat(table, seat)
    sender = aside(session.actor)
    k, outcome = house().tables.submit_next(table, sender, command(session.player), patience(request, OUTCOME_S))
    return told(table, sender, k, outcome, viewer)
