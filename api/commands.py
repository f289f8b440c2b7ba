"""Commands of players: one decision each, numbered by the player, taking effect once."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from flask import Response, request
from pydantic import ConfigDict, Field, model_validator

from api import auth
from api.asking import accepted, pending, told
from api.bodies import Body, Chips, client_key, patience, read_body
from api.house import answer, house
from api.operations import operation
from api.problems import Problem
from api.schemas import json_of, ref
from api.tables import Word, require_seen
from engine.commands import Act, AddChips, ChooseGame, Post, SitIn, SitOut
from services.accounts import HOST, Credential, aside
from services.inbox import ClaimLost
from services.outcomes import decode_outcome
from services.tables import Viewer

Verb = Literal[
    "fold", "check", "call", "bet", "raise", "complete", "double", "bring_in", "show", "muck",
    "buy", "purchase", "reveal", "sell", "declare", "exb", "choose_game",
    "post", "sit_out", "sit_in", "add_chips",
]  # fmt: skip
OF_THE_SEAT = {"post": Post, "sit_out": SitOut, "sit_in": SitIn}
SIZED = ("bet", "raise", "complete", "add_chips")
FREE = ("call", "double", "bring_in", "buy", "purchase", "reveal", "sell", "declare", "exb")
UNSIZED = ("fold", "check", "show", "muck", "post", "sit_out", "sit_in", "choose_game")
CHOOSING: dict[str, Any] = {
    "properties": {"verb": {"enum": ["choose_game"]}, "choice": {"type": "string"}, "amount": {"type": "null"}},
    "required": ["verb", "choice"],
}
Index = Annotated[int, Field(ge=0, le=99)]


def told_as(verbs: tuple[str, ...], whole: tuple[str, ...] = (), absent: tuple[str, ...] = ()) -> dict[str, Any]:
    """JSON Schema of the commands with these verbs: which fields are numbers and which are left out."""
    kinds = {name: {"type": "integer"} for name in whole} | {name: {"type": "null"} for name in absent}
    return {"properties": {"verb": {"enum": list(verbs)}, **kinds}, "required": ["verb", *whole]}


class PlayerCommand(Body):
    """`turn`: the decision this answers, as the view numbers it. A raise is to `amount`."""

    model_config = ConfigDict(
        json_schema_extra={
            "anyOf": [
                told_as(("bet", "raise", "complete"), ("amount", "turn")),
                told_as(("fold", "check", "show", "muck"), ("turn",), ("amount",)),
                told_as(FREE, ("turn",)),
                told_as(("add_chips",), ("amount",)),
                told_as(tuple(OF_THE_SEAT), (), ("amount",)),
                CHOOSING,
            ]
        }
    )

    verb: Verb
    amount: Chips | None = None
    turn: Annotated[int, Field(ge=1, le=10**12)] | None = None
    seat: Index | None = Field(None, description="only for a player with two seats")
    source: Word | None = None
    item: Word | None = None
    target: Index | None = None
    slot: Index | None = None
    index: Index | None = None
    indices: Annotated[list[Index], Field(max_length=20)] | None = None
    choice: Word | None = None

    @model_validator(mode="after")
    def fits_together(self) -> PlayerCommand:
        if self.verb in SIZED and self.amount is None:
            raise ValueError(f"{self.verb} takes an amount")
        if self.verb in UNSIZED and self.amount is not None:
            raise ValueError(f"{self.verb} takes no amount")
        if self.verb == "choose_game" and self.choice is None:
            raise ValueError("choose_game takes a choice")
        if self.turn is None and not self.between_turns:
            raise ValueError(f"{self.verb} names the turn it answers")
        return self

    @property
    def between_turns(self) -> bool:
        """Not a decision of the hand."""
        return self.verb in OF_THE_SEAT or self.verb in ("add_chips", "choose_game")

    def for_engine(self, seat: int, player: str) -> Any:
        """The command of the rules."""
        if kind := OF_THE_SEAT.get(self.verb):
            return kind(seat, player)
        if self.verb == "add_chips":
            return AddChips(seat, player, self.amount or 0)
        if self.verb == "choose_game":
            return ChooseGame(seat, player, self.choice or "")
        args = self.model_dump(exclude={"verb", "amount", "turn", "seat"}, exclude_none=True)
        return Act(seat, player, self.verb, self.amount, self.turn or 0, args or None)


@operation("POST", "/tables/{table}/commands", "Act", {
    200: json_of("Done: what follows from it", ref("Command")),
    202: json_of("It is on its way", ref("Command"), Location="its outcome"),
}, body=PlayerCommand, headers=("Idempotency-Key", "Prefer"), auth="seat",
   text="With `Prefer: wait=2` the outcome comes in the answer. The same key with the same body repeats the answer and "
        "never the effect. Decisions need `turn`; bet, raise, complete and add_chips need `amount`.")  # fmt: skip
def act(table: str) -> Response:
    session, viewer = auth.remembered_seat(table)
    k, wanted = client_key(request), read_body(request, PlayerCommand)
    try:
        return send(session, viewer, k, wanted)
    except ClaimLost:
        return send(*auth.require_seat(table), k, wanted)


def send(session: Credential, viewer: Viewer, k: int, wanted: PlayerCommand) -> Response:
    """The answer to a command of the session's. Raises ClaimLost if its seat has changed hands meanwhile."""
    table = session.table
    seat = viewer.seat if wanted.seat is None else own_seat(table, session.player, wanted.seat)
    command, claim = wanted.for_engine(seat, session.player), auth.claim(session, viewer)
    outcome = house().tables.submit(table, session.actor, k, command, patience(request), claim)
    return told(table, session.actor, k, outcome, viewer)


def own_seat(table: str, player: str, seat: int) -> int:
    """The seat, if the player owns it: names are unique at a table. Raises Problem not_your_seat."""
    places = require_seen(table).view["seats"]
    place = places[seat] if seat < len(places) else None
    if place is None or place["player"] != player:
        raise Problem("not_your_seat")
    return seat


@operation("GET", "/tables/{table}/commands/{command}", "What became of a command", {
    200: json_of("Its outcome", ref("Command")), 202: json_of("Not decided yet, or never sent", ref("Command")),
}, auth="seat", text="Only the actor's last command is remembered; earlier ones are `superseded`.")  # fmt: skip
def show_command(table: str, command: str) -> Response:
    actor, _, number = command.rpartition("-")
    asking = auth.asking()
    if asking is None:
        raise Problem("unauthenticated")
    if actor not in (asking.actor, aside(asking.actor)) or (asking.kind != HOST and asking.table != table):
        raise Problem("forbidden", "this is somebody else's command")
    last = house().tables.last(table, actor)
    k = int(number)
    if last is None or last.k < k:
        require_seen(table)
        return pending(table, command)
    if last.k > k:
        raise Problem("superseded", last=last.k)
    outcome = decode_outcome(last.result)
    if outcome.accepted:
        return answer(accepted(table, command, outcome, auth.viewer(table)))
    return answer({"command": command, "status": "refused", "code": outcome.code, **outcome.detail})
