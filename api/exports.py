"""Finished hands in the formats of others, as each viewer may have them."""

from __future__ import annotations

from flask import Response, request

from api import auth
from api.audit import seed_for
from api.bodies import read_query
from api.hands import ViewQuery, own_known, require_hand, shared_known, viewer_of
from api.operations import Answer, operation
from api.problems import Problem
from services.exports import FORMATS
from services.exports.answer import CANNOT_HOLD, CannotHold
from services.exports.story import NOTHING, Story, known_to, story_of
from services.replay import NotForYou
from services.unsealing import deck_from

UNSAID = "Croupier-Unsaid"
SUFFIXES = {kind.suffix: kind for kind in FORMATS.values()}


@operation("GET", "/tables/{table}/hands/{hand}/export.{suffix}", "A finished hand in another format", {
    200: Answer("The file", {kind.media_type: {"type": "string"} for kind in FORMATS.values()}, {
        UNSAID: "codes of what the format does not say of this hand"}),
    409: Answer("`format_cannot_hold`: the format has no way to tell this hand"),
}, query=ViewQuery, auth="anybody",
   text=f"Suffixes: {', '.join(SUFFIXES)}. The same hand gives the same bytes.")  # fmt: skip
def export_hand(table: str, hand: int, suffix: str) -> Response:
    query = read_query(request, ViewQuery)
    kind = SUFFIXES.get(suffix)
    if kind is None:
        raise Problem("not_found", "no such format")
    try:
        export = kind.write(require_story(table, hand, query))
    except CannotHold as why:
        raise Problem(CANNOT_HOLD, str(why)) from None
    response = Response(export.text, content_type=f"{kind.media_type}; charset=utf-8")
    response.headers[UNSAID] = ", ".join(item.code for item in export.unsaid)
    response.headers["Content-Disposition"] = f'attachment; filename="{table}-{hand}.{suffix}"'
    return response


def require_story(table: str, hand: int, query: ViewQuery) -> Story:
    """The hand from a point of view. Raises Problem not_for_you: the cards are not this client's to see."""
    view = query.view
    if query.share is not None:
        return story_of(require_hand(table, hand), view, shared_known(table, hand, view, query.share))
    if view == "public":
        return story_of(require_hand(table, hand), view, NOTHING)
    auditor = auth.auditor(table)
    if auditor is None:
        return story_of(require_hand(table, hand), view, own_known(table, hand, view))
    deck = deck_from(seed_for(auditor, f"export {view}", table, hand, query.reason), table, hand)
    segment = require_hand(table, hand)
    try:
        return story_of(segment, view, known_to(segment, viewer_of(view), deck))
    except NotForYou:
        raise Problem("not_for_you") from None
