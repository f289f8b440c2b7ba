"""The OpenAPI 3.1 document, made from the table of operations, and a page that shows it without anybody's CDN."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Flask, Response, render_template_string, request
from pydantic import BaseModel

from api.house import answer
from api.languages import catalogue, choose
from api.operations import OPERATIONS, PARAMETERS, PREFIX, Answer, Operation, Schema
from api.problems import CONTENT_TYPE, KINDS, RULES, Problem, kind_of
from api.schemas import COMPONENTS, ref

HEADERS: dict[str, tuple[bool, Schema, str]] = {
    "Idempotency-Key": (True, {"type": "string", "pattern": "^[1-9][0-9]{0,14}$"},
                        "decimal, larger than any before from this actor at this table"),
    "If-Match": (False, {"type": "string"}, "the ETag of the view that is changed: only if the table still has it"),
    "Prefer": (False, {"type": "string"}, "`wait=2`: wait up to 2 (at most 10) "
               "seconds for the outcome"),
    "If-None-Match": (False, {"type": "string"}, "the ETag of a view that is still good"),
    "Last-Event-ID": (False, {"type": "string", "pattern": "^[0-9]{1,15}$"}, "the last version seen"),
}  # fmt: skip
PROBLEM = {"description": "A problem document (RFC 9457)", "content": {CONTENT_TYPE: {"schema": ref("Problem")}}}
WITH_HEADERS = {
    "401": {"WWW-Authenticate": "Bearer"},
    "429": {"Retry-After": "seconds"},
    "503": {"Retry-After": "seconds"},
}
COMMON = ("400", "404", "429", "503")
TEXT = """Poker tables as event logs. Amounts are whole chips; a raise is always *to* an amount. Errors are problem
documents with a stable `code`. JSON numbers are whole; 1.0 counts as 1, 1e3 and 1.5 are refused."""


def document(version: str) -> dict[str, Any]:
    """The whole of it."""
    paths: dict[str, dict[str, Any]] = {}
    schemas = dict(COMPONENTS)
    for known in OPERATIONS:
        paths.setdefault(PREFIX + known.path, {})[known.method.lower()] = described(known, schemas)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Croupier", "version": version, "description": TEXT},
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer", "description": "`cr_…`"}},
        },
    }


def described(known: Operation, schemas: dict[str, Schema]) -> dict[str, Any]:
    """One operation; the models of bodies enter the components."""
    told: dict[str, Any] = {"operationId": known.id, "summary": known.summary, "tags": [known.path.split("/")[1]]}
    if known.text:
        told["description"] = known.text
    parameters = [*path_parameters(known), *query_parameters(known), *header_parameters(known)]
    if parameters:
        told["parameters"] = parameters
    if known.body:
        schemas[known.body.__name__] = model_schema(known.body)
        content = {"application/json": {"schema": ref(known.body.__name__)}}
        told["requestBody"] = {"required": True, "content": content}
    told["responses"] = responses(known)
    if known.auth != "nobody":
        token: dict[str, list[str]] = {"token": []}
        told["security"] = [{}, token] if known.auth == "anybody" else [token]
    return told


def path_parameters(known: Operation) -> list[dict[str, Any]]:
    return [{"name": name, "in": "path", "required": True, "schema": PARAMETERS[name][1]} for name in known.names]


def query_parameters(known: Operation) -> list[dict[str, Any]]:
    if known.query is None:
        return []
    schema = model_schema(known.query)
    required = schema.get("required", [])
    return [
        {"name": name, "in": "query", "required": name in required, "schema": plain(field)}
        for name, field in schema["properties"].items()
    ]


def plain(field: Schema) -> Schema:
    """A parameter that may be left out is not one that may be null."""
    choices = [choice for choice in field.get("anyOf", ()) if choice.get("type") != "null"]
    return choices[0] if len(choices) == 1 else {key: value for key, value in field.items() if key != "title"}


def header_parameters(known: Operation) -> list[dict[str, Any]]:
    """Players number their commands themselves; for the host the house does it, unless he does."""
    told = [header_parameter(name) for name in known.headers]
    return [{**one, "required": one["required"] and known.auth == "seat"} for one in told]


def header_parameter(name: str) -> dict[str, Any]:
    required, schema, text = HEADERS[name]
    return {"name": name, "in": "header", "required": required, "schema": schema, "description": text}


def model_schema(model: type[BaseModel]) -> Schema:
    return model.model_json_schema(ref_template="#/components/schemas/{model}")


def responses(known: Operation) -> dict[str, Any]:
    told = {str(status): described_answer(known_answer) for status, known_answer in known.answers.items()}
    extra = ["422"] if known.body or known.query else []
    extra += {"seat": ["401", "403"], "host": ["401", "403"], "anybody": ["401"], "nobody": []}[known.auth]
    for status in (*COMMON, *extra, "default"):
        told.setdefault(status, {**PROBLEM, **described_headers(WITH_HEADERS.get(status, {}))})
    return told


def described_answer(known: Answer) -> dict[str, Any]:
    told: dict[str, Any] = {"description": known.text}
    if known.content:
        told["content"] = {media: {"schema": schema} for media, schema in known.content.items()}
    return {**told, **described_headers(known.headers)}


def described_headers(headers: Mapping[str, str]) -> dict[str, Any]:
    """Of an answer, with what each says."""
    told = {name: {"description": text, "schema": {"type": "string"}} for name, text in headers.items()}
    return {"headers": told} if told else {}


PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Croupier: HTTP interface</title><h1>{{ api.info.title }} {{ api.info.version }}</h1>
<p>{{ api.info.description }} For machines: <a href="/openapi.json">openapi.json</a>.</p>
{% for path, methods in api.paths.items() %}{% for method, told in methods.items() %}
<section id="{{ told.operationId }}"><h2><code>{{ method.upper() }} {{ path }}</code></h2>
<p>{{ told.summary }}. {{ told.description or "" }}</p>
{% if told.security %}<p>Token: {{ "optional" if told.security|length > 1 else "required" }}</p>{% endif %}
{% if told.parameters %}<ul>{% for one in told.parameters %}<li><code>{{ one.name }}</code> ({{ one.in }}{{
", required" if one.required }}) <code>{{ one.schema|tojson }}</code> {{ one.description or "" }}</li>
{% endfor %}</ul>{% endif %}
{% if told.requestBody %}<p>Body
<code>{{ told.requestBody.content["application/json"].schema["$ref"] }}</code></p>{% endif %}
<ul>{% for status, one in told.responses.items() %}<li>{{ status }}: {{ one.description }}</li>{% endfor %}</ul>
</section>
{% endfor %}{% endfor %}
<h2>Shapes</h2>{% for name, shape in api.components.schemas.items() %}
<details id="{{ name }}"><summary>{{ name }}</summary><pre>{{ shape|tojson(indent=2) }}</pre></details>{% endfor %}
<h2>Problems</h2><dl>{% for code, kind in kinds.items() %}
<dt><a href="/problems/{{ code }}">{{ code }}</a> ({{ kind.status }})</dt><dd>{{ kind.text }}</dd>
{% endfor %}</dl><p>Refused by the rules (409): {% for code in rules %}<a href="/problems/{{ code }}">{{ code }}</a>
{% endfor %}</p></html>"""


def register(app: Flask, version: str) -> None:
    """`/openapi.json`, `/docs` and `/problems/{code}`."""
    api = document(version)

    @app.get("/openapi.json")
    def openapi_json() -> Response:
        return answer(api)

    @app.get("/docs")
    def docs() -> str:
        return render_template_string(PAGE, api=api, kinds=KINDS, rules=sorted(RULES))

    @app.get("/problems/<code>")
    def problem_page(code: str) -> Response:
        """What a code means, and what players are told of it in the reader's language."""
        if code not in KINDS and code not in RULES:
            raise Problem("not_found", "there is no such code")
        known, words = kind_of(code), catalogue(choose(request)).get(f"problem.{code}")
        told = [f"{known.title} (HTTP {known.status})", known.text, *([words] if words else [])]
        response = Response("\n\n".join(told) + "\n", mimetype="text/plain")
        response.vary.update(("Accept-Language", "Cookie"))
        return response
