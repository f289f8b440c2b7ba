"""The shapes of answers, as JSON Schema: components of the OpenAPI document."""

from __future__ import annotations

from typing import Any

from api.operations import Answer, Schema
from engine.cards import NAMES
from engine.cut import PENDING, PLAYERS, SERVER_ONLY


def ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def fields(required: dict[str, Schema], **optional: Schema) -> Schema:
    """An object; it may have more fields than these, for clients must ignore what they do not know."""
    return {"type": "object", "required": list(required), "properties": {**required, **optional}}


def array(of: Schema, **more: Any) -> Schema:
    return {"type": "array", "items": of, **more}


def map_of(values: Schema) -> Schema:
    return {"type": "object", "additionalProperties": values}


def maybe(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def page_of(items: Schema) -> Schema:
    """A list: continue with `next` as `cursor`; null at the end."""
    return fields({"items": array(items), "next": maybe(TEXT)})


TEXT: Schema = {"type": "string"}
FLAG: Schema = {"type": "boolean"}
WHOLE: Schema = {"type": "integer"}
CHIPS: Schema = {"type": "integer", "minimum": 0}
SEAT: Schema = {"type": "integer", "minimum": 0}
CARD: Schema = {"type": "string", "enum": list(NAMES)}
BACK_OR_CARD: Schema = {"enum": [*NAMES, None]}
BOUNDS: Schema = {"type": "array", "items": CHIPS, "minItems": 2, "maxItems": 2}
CHOICES: Schema = map_of(array({"type": "object"}))
CUT_LABEL: Schema = {"enum": [SERVER_ONLY, PENDING, PLAYERS]}
STATUS: Schema = {"enum": ["running", "paused", "closed"]}

OPTION = fields({"key": TEXT, "default": {}, "help": TEXT, "optional": FLAG}, least=WHOLE, most=WHOLE,
                choices=array({}), longest=WHOLE)  # fmt: skip
GAME = fields({"name": TEXT, "title": TEXT, "rules": TEXT, "seats": fields({"least": WHOLE, "most": WHOLE}),
               "options": array(ref("Option"))})  # fmt: skip
ROW = fields({"table": TEXT, "name": TEXT, "game": TEXT, "structure": TEXT, "stakes": map_of(CHIPS), "status": TEXT,
              "seats": WHOLE, "players": WHOLE, "hands": WHOLE, "buy_in": array(maybe(CHIPS))},
             average_pot=maybe(CHIPS))  # fmt: skip
PLACE = fields(
    {"seat": SEAT, "player": TEXT, "chips": CHIPS, "state": TEXT, "connected": FLAG, "sitting_out": FLAG,
     "leaving": FLAG, "top_up": CHIPS, "owes": BOUNDS, "posting": FLAG, "may_post": FLAG, "pledged": FLAG,
     "time_bank_ms": WHOLE,
     "bet": CHIPS, "paid": CHIPS, "cards": array(BACK_OR_CARD), "up": array(WHOLE), "folded": FLAG},
    shown=FLAG, mucked=FLAG,
)  # fmt: skip
HAND = fields(
    {"number": WHOLE, "game": TEXT, "street": TEXT, "over": FLAG, "button": SEAT, "order": array(SEAT),
     "stakes": map_of(CHIPS), "board": array(BACK_OR_CARD), "actor": maybe(SEAT), "awaited": array(SEAT),
     "deadline": maybe(WHOLE),
     "price": CHIPS, "legal": map_of(BOUNDS), "choices": CHOICES, "chosen": array(SEAT),
     "pot": CHIPS, "pots": array({"type": "object"}),
     "returns": array({"type": "array"}), "awards": array({"type": "array"}), "rake": CHIPS, "root": TEXT,
     "cut": fields({"label": CUT_LABEL, "players": array(TEXT), "awaited": array(TEXT)})},
    small=SEAT, big=SEAT, names=map_of(array(ref("HandName"))),
)  # fmt: skip
HAND_NAME = fields({"share": TEXT}, category=TEXT, ranks=TEXT, text=TEXT)
TOLD = {"at": array(WHOLE), "cards": array(CARD), "openings": array(TEXT)}
OWN = fields({"seat": SEAT, "hand": maybe(WHOLE), **TOLD}, also=array(fields({"seat": SEAT, **TOLD})),
             looks=fields(TOLD))  # fmt: skip
VIEW = fields(
    {"table": TEXT, "game": TEXT, "name": TEXT, "status": STATUS, "number": WHOLE, "turn": WHOLE,
     "seats": array(maybe(ref("Place"))), "hand": maybe(ref("Hand"))},
    you=ref("Own"), rotation=fields({"games": array(TEXT), "next": TEXT, "chooser": maybe(SEAT)}),
    tournament=fields({"level": WHOLE, "level_ends": WHOLE, "stakes": map_of(CHIPS), "next": maybe(map_of(CHIPS)),
                       "bank": WHOLE, "ranks": map_of(WHOLE), "joinable": FLAG}),
)  # fmt: skip
SEEN = fields({"version": WHOLE, "head": TEXT, "now": WHOLE, "view": ref("View")})
EVENT = fields({"version": WHOLE, "head": TEXT, "event": TEXT})
COMMAND = fields({"command": TEXT, "status": {"enum": ["pending", "accepted", "refused"]}}, version=WHOLE,
                 events=array(ref("Event")), code=TEXT)  # fmt: skip
SEATED = fields({"table": TEXT, "seat": SEAT, "player": TEXT, "actor": TEXT, "last": WHOLE, "command": TEXT,
                 "status": {"enum": ["pending", "accepted"]}}, token=TEXT, version=WHOLE)  # fmt: skip
ACTIONS = fields(
    {"table": TEXT, "seat": SEAT, "player": TEXT, "actor": TEXT, "last": WHOLE, "version": WHOLE, "turn": WHOLE,
     "on_turn": FLAG, "deadline": maybe(WHOLE), "legal": map_of(fields({"least": CHIPS, "most": CHIPS})),
     "choices": CHOICES, "between_hands": array(TEXT),
     "presets": array(fields({"name": TEXT, "amount": CHIPS})), "own": array(ref("HandName"))},
)  # fmt: skip
PROBLEM = fields(
    {"type": TEXT, "title": TEXT, "status": WHOLE, "code": {"type": "string", "pattern": "^[a-z0-9_]+$"}},
    detail=TEXT, turn=WHOLE, last=WHOLE, command=TEXT, token=TEXT, legal_actions=map_of(BOUNDS),
    errors=array(fields({"field": TEXT, "problem": TEXT})),
)  # fmt: skip

COMPONENTS: dict[str, Schema] = {
    "Option": OPTION, "Game": GAME, "Row": ROW, "Place": PLACE, "Hand": HAND, "HandName": HAND_NAME, "Own": OWN,
    "View": VIEW, "Seen": SEEN, "Event": EVENT, "Command": COMMAND, "Seated": SEATED, "Actions": ACTIONS,
    "Problem": PROBLEM,
}  # fmt: skip


def json_of(text: str, schema: Schema, **headers: str) -> Answer:
    """An answer with a JSON body."""
    return Answer(text, {"application/json": schema}, headers)
