"""The table of all operations: each handler stands beside what the OpenAPI document says about it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from flask import Flask, Response
from pydantic import BaseModel
from werkzeug.routing import BaseConverter

PREFIX = "/api/v1"

Handler: TypeAlias = Callable[..., Response]
Schema: TypeAlias = dict[str, Any]
Auth: TypeAlias = Literal["nobody", "anybody", "seat", "host"]


@dataclass(frozen=True)
class Answer:
    """A body by media type; the schemas are JSON Schema. No content: no body."""

    text: str
    content: dict[str, Schema] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Operation:
    method: str
    path: str
    summary: str
    handler: Handler
    answers: dict[int, Answer]
    body: type[BaseModel] | None = None
    query: type[BaseModel] | None = None
    headers: tuple[str, ...] = ()
    auth: Auth = "nobody"
    text: str = ""

    @property
    def id(self) -> str:
        """Its name in the document and in the metrics."""
        return self.handler.__name__

    @property
    def names(self) -> list[str]:
        """Parameters of the path, in order."""
        return re.findall(r"\{(\w+)\}", self.path)

    @property
    def rule(self) -> str:
        """The path as Flask writes it; every parameter has a converter of its own name."""
        return PREFIX + re.sub(r"\{(\w+)\}", r"<\1:\1>", self.path)


OPERATIONS: list[Operation] = []


def operation(
    method: str, path: str, summary: str, answers: dict[int, Answer], **more: Any
) -> Callable[[Handler], Handler]:
    """Enter the decorated handler into the table."""

    def enter(handler: Handler) -> Handler:
        OPERATIONS.append(Operation(method, path, summary, handler, answers, **more))
        return handler

    return enter


class TableConverter(BaseConverter):
    """017-<ulid>: what `services.keys` takes for a table."""

    regex = r"[0-9]{3}-[0-9a-z]{1,26}"


def is_table_id(text: str) -> bool:
    return re.fullmatch(TableConverter.regex, text) is not None


class SeatConverter(BaseConverter):
    regex = r"(?:0|[1-9][0-9]?)"

    def to_python(self, value: str) -> int:
        return int(value)


class HandConverter(BaseConverter):
    regex = r"[1-9][0-9]{0,9}"

    def to_python(self, value: str) -> int:
        return int(value)


class CommandConverter(BaseConverter):
    """`<actor>-<k>`."""

    regex = r"[a-z0-9]{1,40}-[1-9][0-9]{0,14}"


class SuffixConverter(BaseConverter):
    """Of a file: says which format."""

    regex = r"[a-z]{2,5}"


PARAMETERS: dict[str, tuple[type[BaseConverter], Schema]] = {
    "table": (TableConverter, {"type": "string", "pattern": f"^{TableConverter.regex}$"}),
    "seat": (SeatConverter, {"type": "integer", "minimum": 0, "maximum": 99}),
    "hand": (HandConverter, {"type": "integer", "minimum": 1, "maximum": 9_999_999_999}),
    "suffix": (SuffixConverter, {"type": "string", "pattern": f"^{SuffixConverter.regex}$"}),
    "command": (CommandConverter, {"type": "string", "pattern": f"^{CommandConverter.regex}$"}),
}


def register(app: Flask) -> None:
    """Every operation at its address."""
    for name, (converter, _) in PARAMETERS.items():
        app.url_map.converters[name] = converter
    for known in OPERATIONS:
        app.add_url_rule(known.rule, known.id, known.handler, methods=[known.method])
