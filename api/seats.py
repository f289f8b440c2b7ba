"""Seats: sit down, leave, and what a player at his seat may do."""

from __future__ import annotations

from typing import Any

from flask import Response, request

from api import auth
from api.asking import OUTCOME_S, command_id, pending, require_accepted, told
from api.bodies import Body, Chips, PlayerName, name_of, patience, read_body
from api.house import answer, house
from api.operations import PREFIX, operation
from api.problems import Problem
from api.schemas import CARD, CHIPS, FLAG, SEAT, TEXT, WHOLE, array, fields, json_of, maybe, page_of, ref
from api.tables import require_seen
from engine.commands import Sit, Stand
from engine.game import find_game
from services.accounts import HOST, Credential, Holder, aside, new_actor
from services.accounts import SEAT as SEAT_KIND
from services.advice import between_hands, hand_names, presets
from services.store import OutcomeUnknown
from services.tables import Viewer

RECORD = fields(
    {"number": WHOLE, "game": TEXT, "started_ms": WHOLE, "board": array(CARD), "own": SEAT,
     "seats": array(fields({"seat": SEAT, "player": TEXT, "start": CHIPS, "end": CHIPS, "live": FLAG, "mucked": FLAG,
                            "cards": array(CARD)})),
     "awards": array({"type": "array"}), "known": array({"type": "array"})},
)  # fmt: skip


class SitDown(Body):
    player: PlayerName
    chips: Chips


@operation("GET", "/tables/{table}/seats", "Who sits where", {
    200: json_of("Seats by index; null is empty", page_of(maybe(ref("Place")))),
})  # fmt: skip
def list_seats(table: str) -> Response:
    return answer({"items": require_seen(table).view["seats"], "next": None})


@operation("PUT", "/tables/{table}/seats/{seat}", "Sit down", {
    200: json_of("You sit there; with a session of this seat already, no new token", ref("Seated")),
    201: json_of("You sit there now", ref("Seated"), Location="what you may do there"),
    202: json_of("Not decided yet; the token is good once it is", ref("Seated")),
}, body=SitDown, headers=("Prefer",), auth="anybody",
   text="The answer carries the seat's token and sets it as a cookie. Whoever holds the seat's token already gets his "
        "seat confirmed. A 503 `outcome_unknown` carries the token too: repeat the request with it, and you sit down "
        "once. In a game with two seats per player the session is that of the first and plays both.")  # fmt: skip
def sit_down(table: str, seat: int) -> Response:
    wanted = read_body(request, SitDown)
    player = name_of(wanted.player)
    seat = first_of(table, seat)
    waiting = undecided(table, seat, player)
    place = require_place(table, seat)
    own = own_seat(table, seat)
    if own is not None and place is not None:
        return answer(seated(own, "accepted"))
    if place is None:
        house().accounts.clear(table, seat)
    return take_seat(waiting or Credential(SEAT_KIND, new_actor(), table, seat, player), wanted.chips)


def undecided(table: str, seat: int, player: str) -> Credential | None:
    """Whoever repeats his own request before it is known to be decided: he asks for one seat, not for two."""
    found = auth.asking()
    if found is None or found[2:] != (table, seat, player) or house().tables.last(table, aside(found.actor)):
        return None
    return found


def take_seat(session: Credential, chips: int) -> Response:
    """Ask for the seat under a name of our own making; its token works from the moment the worker has agreed.

    So whoever may have been seated is told it, also where nobody knows whether he was.
    """
    token = house().accounts.issue(session)
    try:
        response = asked_for_seat(session, chips, token)
    except OutcomeUnknown:
        facts = {name: value for name, value in seated(session, "pending").items() if name != "status"}
        response = Problem("outcome_unknown", "repeat it with this token", token=token, **facts).response()
    except Problem:
        house().accounts.withdraw(token)
        raise
    auth.set_seat_cookie(response, session.table, token)
    return response


def asked_for_seat(session: Credential, chips: int, token: str) -> Response:
    """201 once the worker has agreed, 202 while that is not known. Raises the Problem of a refusal, OutcomeUnknown."""
    table, seat, actor = session.table, session.seat, session.actor
    sender = aside(actor)
    outcome = house().tables.submit(table, sender, 1, Sit(seat, session.player, chips), patience(request, OUTCOME_S))
    if outcome is None:
        return pending(table, command_id(sender, 1), {**seated(session, "pending"), "token": token})
    require_accepted(table, command_id(sender, 1), outcome, None)
    house().accounts.hold(table, seat, Holder(outcome.version, actor))
    document = {**seated(session, "accepted"), "token": token, "version": outcome.version}
    return answer(document, 201, location=f"{PREFIX}/tables/{table}/seats/{seat}/actions")


def seated(session: Credential, status: str) -> dict[str, Any]:
    """`last`: the largest Idempotency-Key of this actor that was answered."""
    last = house().tables.last(session.table, session.actor) if status == "accepted" else None
    return {
        "table": session.table,
        "seat": session.seat,
        "player": session.player,
        "actor": session.actor,
        "last": last.k if last else 0,
        "command": command_id(aside(session.actor), 1),
        "status": status,
    }


def own_seat(table: str, seat: int) -> Credential | None:
    """The session of this very seat that asks."""
    found = auth.asking()
    viewer = auth.session(found, table)
    return found if viewer is not None and viewer.seat == seat else None


def first_of(table: str, seat: int) -> int:
    """The seat whose session plays this one: the first of the adjacent seats that a player takes at once."""
    return seat - seat % find_game(require_seen(table).view["game"]).seats_each


def require_place(table: str, seat: int) -> dict[str, Any] | None:
    """Who sits there; None for an empty seat. Raises Problem for a table or seat that does not exist."""
    places = require_seen(table).view["seats"]
    if seat >= len(places):
        raise Problem("no_such_seat", seats=len(places))
    place: dict[str, Any] | None = places[seat]
    return place


@operation("DELETE", "/tables/{table}/seats/{seat}", "Leave", {
    200: json_of("You have left, or will after the hand", ref("Command")),
    202: json_of("Not decided yet", ref("Command")),
}, headers=("Prefer",), auth="seat", text="The host may take anybody from the table.")  # fmt: skip
def leave(table: str, seat: int) -> Response:
    place = require_place(table, seat)
    asking = auth.asking()
    if asking is not None and asking.kind == HOST:
        if place is None:
            raise Problem("not_found", "nobody sits there")
        actor, player, viewer = asking.actor, place["player"], None
    else:
        session, viewer = require_this_seat(table, seat)
        actor, player = session.actor, session.player
    sender = aside(actor)
    k, outcome = house().tables.submit_next(table, sender, Stand(seat, player), patience(request, OUTCOME_S))
    response = told(table, sender, k, outcome, viewer)
    if viewer is not None:
        auth.drop_seat_cookie(response, table)
    return response


def require_this_seat(table: str, seat: int) -> tuple[Credential, Viewer]:
    """The session that holds this seat. Raises Problem 401 or 403."""
    session, viewer = auth.require_seat(table)
    if viewer.seat != first_of(table, seat):
        raise Problem("not_your_seat")
    return session, viewer


@operation("GET", "/tables/{table}/seats/{seat}/hands", "Your last hands (COM-64)", {
    200: json_of("Up to 50 hands of this session, newest first: what each cost, the cards you had, and all that were "
                 "live at the showdown, mucked ones too", page_of(RECORD)),
}, auth="seat")  # fmt: skip
def list_own_hands(table: str, seat: int) -> Response:
    require_place(table, seat)
    session, _ = require_this_seat(table, seat)
    return answer({"items": list(house().tables.records(table, session.player)), "next": None})


@operation("GET", "/tables/{table}/seats/{seat}/actions", "What you may do now", {
    200: json_of("Legal actions, sizes, your hand", ref("Actions")),
}, auth="seat")  # fmt: skip
def list_actions(table: str, seat: int) -> Response:
    require_place(table, seat)
    session, viewer = require_this_seat(table, seat)
    seen = require_seen(table, viewer)
    view, hand = seen.view, seen.view["hand"]
    mine = bool(hand and seat in (hand["actor"], *hand["awaited"]) and view["status"] != "paused")
    last = house().tables.last(table, session.actor)
    own = hand_names(hand["game"], own_cards(view["you"], seat), known(hand["board"])) if hand else []
    return answer({
        "table": table,
        "seat": seat,
        "player": session.player,
        "actor": session.actor,
        "last": last.k if last else 0,
        "version": seen.version,
        "turn": view["turn"],
        "on_turn": mine,
        "deadline": hand["deadline"] if mine else None,
        "legal": bounds(hand["legal"]) if mine else {},
        "choices": hand["choices"] if mine else {},
        "presets": presets(view) if mine else [],
        "between_hands": between_hands(view, seat),
        "own": own,
    })  # fmt: skip


def own_cards(you: dict[str, Any], seat: int) -> list[str]:
    """The cards of this seat of the player's."""
    return [card for own in (you, *you.get("also", ())) if own["seat"] == seat for card in own["cards"]]


def known(board: list[str | None]) -> list[str]:
    return [card for card in board if card is not None]


def bounds(legal: dict[str, Any]) -> dict[str, dict[str, int]]:
    return {verb: {"least": least, "most": most} for verb, (least, most) in legal.items()}
