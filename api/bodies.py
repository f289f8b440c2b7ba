"""Reading what clients send, strictly: what a sloppy reader would guess at is refused.

A body is one JSON object of at most 4 KiB. Numbers are whole: 1 and, as JSON Schema has it, 1.0; but 1.5, 1e3, "1" and
true are refused.
"""

from __future__ import annotations

import json
import re
from typing import Annotated, Any, NoReturn, TypeVar

from flask import Request
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from werkzeug.exceptions import HTTPException

from api.problems import Problem
from services.accounts import BadName, player_name

BODY_MOST = 4096
IDENTITY = "identity"
"""How a body is encoded: not at all."""
CHIPS_MOST = 10**9
KEY = re.compile(r"[1-9][0-9]{0,14}")
WHOLE_FLOAT = re.compile(r"-?[0-9]{1,16}\.0")
DECIMAL = re.compile(r"0|[1-9][0-9]{0,15}")
SURROGATE = re.compile(r"[\ud800-\udfff]")


def whole_float(text: str) -> int:
    if not WHOLE_FLOAT.fullmatch(text):
        raise Malformed(f"{text[:20]} is not a whole number")
    return int(text.partition(".")[0])


def no_constant(text: str) -> NoReturn:
    raise Malformed(f"{text} is not a number of JSON")


def whole(text: str) -> int:
    if len(text) > 16:
        raise Malformed("a number has 16 digits at most")
    return int(text)


def once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; a name written twice would be read differently by different readers."""
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise Malformed("a name stands twice in one object")
    return fields


class Malformed(Problem):
    """JSON that cannot be read."""

    def __init__(self, detail: str) -> None:
        super().__init__("malformed", detail, status=400)


def read_json(data: bytes) -> Any:
    """The value of strict JSON. Raises Malformed."""
    try:
        text = data.decode("utf-8")
        value = json.loads(
            text, parse_float=whole_float, parse_int=whole, parse_constant=no_constant, object_pairs_hook=once_each
        )
        if SURROGATE.search(json.dumps(value, ensure_ascii=False)):
            raise Malformed("half a character (an unpaired surrogate)")
    except UnicodeDecodeError:
        raise Malformed("the body is not UTF-8") from None
    except json.JSONDecodeError as error:
        raise Malformed(f"not JSON: {error.msg} at character {error.pos}") from None
    except RecursionError:
        raise Malformed("the body is nested too deeply") from None
    return value


class Body(BaseModel):
    """Unknown fields are refused: a mistyped name must not be ignored."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


AnyBody = TypeVar("AnyBody", bound=BaseModel)


def read_body(request: Request, model: type[AnyBody]) -> AnyBody:
    """The body as `model`. Raises Problem 400, 413, 415 or 422; `errors` says what is wrong where."""
    if request.mimetype != "application/json" or request.headers.get("Content-Encoding", IDENTITY).lower() != IDENTITY:
        raise Problem("unsupported_media_type")
    return checked(model, read_json(whole_body(request)))


def whole_body(request: Request) -> bytes:
    """All of it: whoever was cut off in the middle has not said what he wants. Raises Problem 400 or 413."""
    try:
        data = request.get_data(cache=False)
    except HTTPException:
        raise
    except Exception:  # each server has its own for chunks that are none
        raise Malformed("the body cannot be read") from None
    if len(data) > BODY_MOST:
        raise Problem("body_too_large")
    if request.content_length not in (None, len(data)):
        raise Malformed("the body ends too early")
    return data


def read_query(request: Request, model: type[AnyBody]) -> AnyBody:
    """The query's parameters as `model`; one given twice is refused, one that we do not know is ignored."""
    known = {name: request.args.getlist(name) for name in model.model_fields if name in request.args}
    twice = [name for name, values in known.items() if len(values) > 1]
    if twice:
        raise Problem("malformed", f"{twice[0]} is given twice")
    return checked(model, {name: values[0] for name, values in known.items()})


def checked(model: type[AnyBody], value: Any) -> AnyBody:
    try:
        return model.model_validate(value)
    except ValidationError as error:
        wrong = [{"field": ".".join(map(str, one["loc"])), "problem": one["msg"]} for one in shown(error)]
        raise Problem("malformed", errors=wrong) from None


def shown(error: ValidationError) -> list[Any]:
    """Without the values: one of them might be a secret in the wrong place."""
    return list(error.errors(include_input=False, include_url=False, include_context=False))[:20]


def client_key(request: Request) -> int:
    """The Idempotency-Key, a decimal number from 1. Raises Problem malformed."""
    text = request.headers.get("Idempotency-Key", "")
    if not KEY.fullmatch(text):
        raise Problem("malformed", "the header Idempotency-Key is a decimal number from 1 to 15 digits", status=400)
    return int(text)


def patience(request: Request, default: float = 0.0, most: float = 10.0) -> float:
    """Seconds from `Prefer: wait=N` (RFC 7240), at most 10; the header is a wish, so nonsense is ignored."""
    found = re.search(r"(?:^|[,;\s])wait\s*=\s*([0-9]{1,6})(?:$|[,;\s])", request.headers.get("Prefer", ""))
    return min(float(found[1]), most) if found else default


def name_of(text: str) -> str:
    """A player's name as it is used. Raises Problem bad_text."""
    try:
        return player_name(text)
    except BadName:
        raise Problem("bad_text", "a name has 1 to 30 printable characters, no blank at its ends") from None


def printable(text: str) -> str:
    """The text itself. Raises Problem bad_text."""
    if not text.isprintable():
        raise Problem("bad_text", "printable characters only")
    return text


def decimal(text: object) -> object:
    """Queries hold text: only plain ASCII decimals become numbers."""
    if not isinstance(text, str):
        return text
    if not DECIMAL.fullmatch(text):
        raise ValueError("a decimal number")
    return int(text)


Chips = Annotated[int, Field(ge=1, le=CHIPS_MOST)]
PlayerName = Annotated[str, Field(min_length=1, max_length=60, description="1 to 30 characters once composed (NFC)")]
Why = Annotated[str, Field(max_length=200)]
Number = BeforeValidator(decimal)
