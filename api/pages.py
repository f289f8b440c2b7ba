"""The pages for people: lobby, table, last hands, replayer, the host's. Lobby and hands work without JavaScript."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

from flask import Blueprint, Response, abort, g, jsonify, render_template, request, url_for
from werkzeug.exceptions import HTTPException

from api import auth
from api.bodies import checked
from api.hands import last_hands
from api.house import house
from api.languages import COOKIE, LANGUAGES, Texts, catalogue, choose
from api.operations import PREFIX
from api.problems import Problem
from api.tables import LobbyQuery, lobby
from engine.game import find_game, games
from services.exports import FORMATS, Format
from services.exports.answer import CannotHold
from services.exports.story import Story, story_of
from services.history import NoSuchHand
from services.rng.deals import reports

YEAR_S = 365 * 24 * 3600
LAST_HANDS = 50
REPORTS = 10
FORMAT_NAMES = {"phh": "PHH", "pokerstars": "PokerStars", "ohh": "Open Hand History", "json": "JSON"}
STRUCTURES = ("limit", "pot_limit", "no_limit", "mixed")

pages = Blueprint(
    "pages", __name__, template_folder="web/templates", static_folder="web/static", static_url_path="/web"
)


@pages.before_request
def pick_language() -> None:
    g.texts = Texts(choose(request))


@pages.after_request
def remember_language(response: Response) -> Response:
    """A language that was asked for stays; answers differ by language."""
    if request.args.get("lang") in LANGUAGES:
        response.set_cookie(COOKIE, g.texts.language, max_age=YEAR_S, samesite="Lax", httponly=True)
    if response.mimetype == "text/html":
        response.vary.update(("Accept-Language", "Cookie"))
    return response


@pages.context_processor
def words() -> dict[str, Any]:
    return {"texts": g.texts, "languages": LANGUAGES, "in_language": in_language}


def in_language(language: str) -> str:
    """This page in another language; other query parameters stay."""
    return "?" + urlencode({**request.args.to_dict(), "lang": language})


@pages.errorhandler(Problem)
def show_problem(problem: Problem) -> Response:
    """A page for people, a problem document for programs."""
    response = problem.response()
    if request.accept_mimetypes.best == "text/html":
        told = g.texts.name("problem", problem.code)
        response.data = render_template("problem.html", told=told, **words())  # where nothing is, they are not there
        response.content_type = "text/html; charset=utf-8"
    response.vary.update(("Accept", "Accept-Language", "Cookie"))
    return response


@pages.app_errorhandler(404)
def show_no_page(error: HTTPException) -> Response:
    """Addresses that are nothing, the API's too: those are for programs."""
    if request.path.startswith(PREFIX):
        return Problem("not_found").response()
    pick_language()
    return show_problem(Problem("not_found"))


@pages.get("/web/locales/<language>.json")
def texts(language: str) -> Response:
    if language not in LANGUAGES:
        abort(404)
    return jsonify(catalogue(language))


@pages.get("/favicon.ico")
def favicon() -> Response:
    return pages.send_static_file("icon.svg")


@pages.get("/")
def show_lobby() -> str:
    """All tables; the filters are query parameters, so a filtered lobby can be shared. An empty one is no filter."""
    asked = {name: value for name, value in request.args.items() if value and name in LobbyQuery.model_fields}
    page = lobby(checked(LobbyQuery, asked))
    more = url_for("pages.show_lobby", **{**asked, "cursor": page["next"]}) if page["next"] else None
    return render_template("lobby.html", page=page, more=more, asked=asked, games=games(), structures=STRUCTURES)


@pages.get("/tables/<table:table>")
def show_table(table: str) -> str:
    return render_template("table.html", **shown(table))


@pages.get("/tables/<table:table>/hands")
def show_hands(table: str) -> str:
    hands = last_hands(table, LAST_HANDS)
    return render_template("hands.html", **shown(table), hands=hands, winners=winners, own=own_hands(table))


@pages.get("/tables/<table:table>/hands/<hand:hand>")
def show_replay(table: str, hand: int) -> str:
    """The address holds step and point of view too; the page reads them."""
    return render_template("replay.html", **shown(table), hand=hand, files=files_of(table, hand))


def files_of(table: str, hand: int) -> list[tuple[str, str]]:
    """Name and suffix of the formats that can hold the hand; none while it is not over."""
    try:
        segment = house().history.segment(table, hand)
    except NoSuchHand:
        return []
    story = story_of(segment)
    return [(FORMAT_NAMES[name], kind.suffix) for name, kind in FORMATS.items() if holds(kind, story)]


def holds(kind: Format, story: Story) -> bool:
    """Whether the format has a way to tell this hand."""
    try:
        kind.write(story)
    except CannotHold:
        return False
    return True


@pages.get("/verify")
def show_verify() -> str:
    """A page that needs us no more once it is loaded."""
    return render_template("verify.html")


@pages.get("/admin")
def show_admin() -> str:
    """For the host: a page that holds nothing; what it shows it asks the API for, with the token he gives it."""
    return render_template("admin.html")


@pages.get("/ops/deals")
def show_deals() -> str:
    """The chores' reports on the real deals, for everybody."""
    found = [{**report, "made": at(report["made_ms"])} for report in reports(house().archive.engine, REPORTS)]
    return render_template("deals.html", reports=found)


def at(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat(" ", "minutes")


def own_hands(table: str) -> list[dict[str, Any]]:
    """For who plays at the table: the hands of his session with the cards he may keep (COM-64), newest first."""
    found = auth.from_cookie(table)
    if found is None or auth.session(found, table) is None:
        return []
    return [own_hand(record) for record in house().tables.records(table, found.player)]


def own_hand(record: dict[str, Any]) -> dict[str, Any]:
    """What it cost him, his seats with their cards, and the others that were live at the showdown."""
    seats = record["seats"]
    player = next(seat["player"] for seat in seats if seat["seat"] == record["own"])
    mine = [seat for seat in seats if seat["player"] == player]
    others = [seat for seat in seats if seat["player"] != player and seat["cards"]]
    return {**record, "mine": mine, "others": others, "net": sum(seat["end"] - seat["start"] for seat in mine)}


def winners(hand: dict[str, Any]) -> list[str]:
    """Names of those who were paid from the pots, each once."""
    return list(dict.fromkeys(winner["player"] for pot in hand["pots"] for winner in pot["winners"]))


def shown(table: str) -> dict[str, Any]:
    """What the pages of a table are made of: its row of the lobby, and how many seats each of its players has."""
    row = row_of(table)
    return {"row": row, "seats_each": find_game(row["game"]).seats_each}


def row_of(table: str) -> dict[str, Any]:
    """The table's row of the lobby. Raises Problem not_found."""
    row = house().tables.row(table)
    if row is None:
        raise Problem("not_found", "there is no such table")
    return row
