"""The log of all finished hands: its signed head, and proofs that a hand is in it and that it only ever grows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, TypeVar

from flask import Response, request
from pydantic import Field

from api.bodies import Body, Number, read_query
from api.house import answer, house
from api.operations import Answer, TableConverter, operation
from api.problems import Problem
from api.schemas import TEXT, WHOLE, array, fields, json_of, page_of
from services.hand_log import HandLog, Kept, NoSuchLeaf

LEAVES_MOST = 1000
SIZE_MOST = 10**15
PLAIN = "text/plain"
Size = Annotated[int, Field(ge=1, le=SIZE_MOST), Number]
LEAF = fields({"at": WHOLE, "table": TEXT, "hand": WHOLE, "entry": TEXT})
INCLUSION = fields({**LEAF["properties"], "size": WHOLE, "root": TEXT, "path": array(TEXT)})
CONSISTENCY = fields({"old": WHOLE, "new": WHOLE, "path": array(TEXT)})

T = TypeVar("T")


class InclusionQuery(Body):
    table: Annotated[str, Field(pattern=f"^{TableConverter.regex}$")]
    hand: Annotated[int, Field(ge=1, le=9_999_999_999), Number]
    size: Size | None = Field(None, description="leaves of the tree to prove it in; none: of the last checkpoint")


class ConsistencyQuery(Body):
    old: Size
    new: Size


class LeavesQuery(Body):
    cursor: Annotated[int, Field(ge=0, le=SIZE_MOST), Number] = 0
    last: Annotated[int, Field(ge=1, le=LEAVES_MOST), Number] = Field(100, description="how many")


@operation("GET", "/checkpoint", "The signed head of the log of all hands", {
    200: Answer("A signed note (c2sp.org/tlog-checkpoint)", {PLAIN: TEXT}),
})  # fmt: skip
def show_checkpoint() -> Response:
    return plain_text(last_checkpoint().note)


@operation("GET", "/checkpoint/key", "The public key that signs", {
    200: Answer("`name+id+key` (c2sp.org/signed-note). Compare it with one you were given elsewhere", {PLAIN: TEXT}),
})  # fmt: skip
def show_checkpoint_key() -> Response:
    return plain_text(last_checkpoint().key + "\n")


@operation("GET", "/checkpoint/inclusion", "Proof that a hand is in the log", {
    200: json_of("Hashes from leaf to root (RFC 9162, 2.1.3), in hex", INCLUSION),
}, query=InclusionQuery, text="`entry` is what is hashed: docs/auditing.md has its bytes.")  # fmt: skip
def prove_inclusion() -> Response:
    query = read_query(request, InclusionQuery)
    size = query.size or last_checkpoint().size
    log = hands()
    leaf = found(lambda: log.leaf(query.table, query.hand))
    path = found(lambda: log.inclusion(leaf.at, size))
    told = {**leaf._asdict(), "entry": leaf.entry.hex()}
    return answer({**told, "size": size, "root": log.root(size).hex(), "path": in_hex(path)})


@operation("GET", "/checkpoint/consistency", "Proof that the log only grew", {
    200: json_of("Hashes that lead to both roots (RFC 9162, 2.1.4), in hex", CONSISTENCY),
}, query=ConsistencyQuery)  # fmt: skip
def prove_consistency() -> Response:
    query = read_query(request, ConsistencyQuery)
    path = found(lambda: hands().consistency(query.old, query.new))
    return answer({"old": query.old, "new": query.new, "path": in_hex(path)})


@operation("GET", "/checkpoint/leaves", "What the log says of each hand", {
    200: json_of("In the order of archiving", page_of(LEAF)),
}, query=LeavesQuery, text="With all of them anybody can compute every root himself.")  # fmt: skip
def list_leaves() -> Response:
    query = read_query(request, LeavesQuery)
    leaves = hands().leaves(query.cursor, query.cursor + query.last)
    items = [{**leaf._asdict(), "entry": leaf.entry.hex()} for leaf in leaves]
    return answer({"items": items, "next": str(query.cursor + query.last) if len(items) == query.last else None})


def hands() -> HandLog:
    return house().archive.log


def last_checkpoint() -> Kept:
    """Raises Problem not_found."""
    last = hands().latest()
    if last is None:
        raise Problem("not_found", "no checkpoint has been signed yet")
    return last


def found(ask: Callable[[], T]) -> T:
    """Raises Problem not_found."""
    try:
        return ask()
    except NoSuchLeaf as missing:
        raise Problem("not_found", str(missing)) from None


def in_hex(path: list[bytes]) -> list[str]:
    return [step.hex() for step in path]


def plain_text(text: str) -> Response:
    return Response(text, content_type=f"{PLAIN}; charset=utf-8")
