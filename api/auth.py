"""Who asks: a bearer token, or the cookie that a browser got when it sat down. Never anything in a URL.

A cookie is sent by any page that makes the browser ask, so it vouches for a change only together with a sign that
the request comes from our own pages.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import Response, g, request

from api.house import house
from api.problems import Problem
from services.accounts import AUDITOR, HOST, OPERATOR, SEAT, SEAT_TOKEN_S, Credential, Holder, aside
from services.inbox import Claim
from services.outcomes import decode_outcome
from services.tables import Viewer

SAFE = ("GET", "HEAD", "OPTIONS")
SAME_SITE = ("same-origin", "none")  # "none": typed into the address bar


def cookie_name(table: str) -> str:
    """One cookie per table: a browser may sit at several."""
    return f"seat_{table}"


def set_seat_cookie(response: Response, table: str, token: str) -> None:
    response.set_cookie(
        cookie_name(table), token, max_age=SEAT_TOKEN_S, secure=request.is_secure, httponly=True, samesite="Strict"
    )


def drop_seat_cookie(response: Response, table: str) -> None:
    response.delete_cookie(cookie_name(table), secure=request.is_secure, httponly=True, samesite="Strict")


def bearer() -> str | None:
    """The token of the Authorization header; None without the header. Raises Problem for another scheme."""
    header = request.headers.get("Authorization")
    if header is None:
        return None
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer":
        raise Problem("unauthenticated", "the scheme is Bearer")
    return token.strip()


def identify(table: str) -> Credential | None:
    """Who asks about `table` ("" for none); None: nobody in particular. Raises Problem for a token nobody issued."""
    token = bearer()
    if token is None:
        return from_cookie(table)
    found = house().accounts.find(token)
    if found is None:
        raise Problem("unauthenticated", "nobody issued this token, or it has expired")
    return found


def from_cookie(table: str) -> Credential | None:
    token = request.cookies.get(cookie_name(table)) if table else None
    found = house().accounts.find(token) if token else None
    if found is not None and request.method not in SAFE and not same_origin():
        raise Problem("cross_site")
    return found


def require_anybody(table: str) -> Credential:
    """Whoever asks about a table that only the body names, by token or by that table's cookie. Raises Problem."""
    g.credential = asking() or from_cookie(table)
    found = asking()
    if found is None:
        raise Problem("unauthenticated")
    return found


def same_origin() -> bool:
    """What the browser says about the page that asked; without any such sign a cookie is not enough."""
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site in SAME_SITE
    origin = request.headers.get("Origin")
    return origin is not None and urlsplit(origin).netloc == request.host


def asking() -> Credential | None:
    """Whom `identify` found before this request was handled."""
    found: Credential | None = g.credential
    return found


def require_host() -> Credential:
    """The host. Raises Problem 401 or 403."""
    found = asking()
    if found is None:
        raise Problem("unauthenticated")
    if found.kind != HOST:
        raise Problem("forbidden", "this takes the host's token")
    return found


def require_operator() -> Credential:
    """The host, or whoever watches the service for him. Raises Problem 401 or 403."""
    found = asking()
    return found if found is not None and found.kind == OPERATOR else require_host()


def auditor(table: str) -> Credential | None:
    """The auditor who asks, if this table is his to audit ("": no table in particular)."""
    found = asking()
    mine = found is not None and found.kind == AUDITOR and found.table in ("", table)
    return found if mine else None


def require_auditor(table: str, or_host: bool = False) -> Credential:
    """An auditor of the table. Raises Problem 401 or 403."""
    found = auditor(table)
    if found is not None:
        return found
    if asking() is None:
        raise Problem("unauthenticated")
    if or_host:
        return require_host()
    raise Problem("forbidden", "this takes an auditor's token")


def who(found: Credential) -> str:
    """As the audit log names him."""
    return f"{found.kind} {found.player} ({found.actor})" if found.player else found.actor


def session(found: Credential | None, table: str) -> Viewer | None:
    """The seat that `found` holds at the table now; None for spectators and for sessions that are over."""
    if found is None or found.kind != SEAT or found.table != table:
        return None
    holder = house().accounts.holder(table, found.seat)
    if holder is None or holder.actor != found.actor:
        holder = late_holder(found, holder)
    return Viewer(found.seat, holder.since) if holder else None


def late_holder(found: Credential, holder: Holder | None) -> Holder | None:
    """Somebody whose sitting down was decided only after his request had ended takes his seat now."""
    since = holder.since if holder else 0
    receipt = house().tables.last(found.table, aside(found.actor))
    if receipt is None or receipt.k != 1:
        return None
    outcome = decode_outcome(receipt.result)
    if not outcome.accepted or outcome.version <= since:
        return None
    late = Holder(outcome.version, found.actor)
    house().accounts.hold(found.table, found.seat, late)
    return late


def viewer(table: str) -> Viewer | None:
    """Through whose eyes this request looks at the table; None: everybody's."""
    return session(asking(), table)


def require_seat(table: str) -> tuple[Credential, Viewer]:
    """Whoever plays at the table. Raises Problem 401 without a token, 403 with one for something else."""
    found = asking()
    if found is None:
        raise Problem("unauthenticated", "this takes the token of a seat")
    seat = session(found, table)
    if seat is None:
        raise Problem("not_your_seat")
    return found, seat


def remembered_seat(table: str) -> tuple[Credential, Viewer]:
    """As `require_seat`, but whose seat it is may be what was last heard here: good for what goes with a `claim`."""
    found = asking()
    if found is not None and found.kind == SEAT and found.table == table:
        known = house().accounts.known_holder(table, found.seat)
        if known is not None and known.actor == found.actor:
            return found, Viewer(found.seat, known.since)
    return require_seat(table)


def claim(session: Credential, viewer: Viewer) -> Claim:
    """That the seat is still this session's."""
    return house().accounts.claim(session.table, viewer.seat, Holder(viewer.since, session.actor))
