"""The neutral record of one played hand, whatever room wrote it down.

One line of `hands.jsonl` is one `Record` (`Record.from_json` reads it, `Record.to_json` writes it):

    {id, variant, structure, unit, limits, button_seat, players: [{seat, name, stack}], events: [...]}

variant: razz, omaha8, holdem, omaha, stud, stud8 … structure: FL, PL, NL. unit: cent or chip; every amount is
an integer in it. limits: ante, small_blind, big_blind, small_bet, big_bet, bring_in, and what the reader had
to add to them (`bring_in_inferred`, `small_blind_inferred`, `bring_in_all_in_short`). button_seat is null
where the record names none. Seats have the numbers of the record, which may start at 0 or 1 and leave gaps.

Events, in the order of play (`Entry`), by their key `e`:

* `ante sb bb post dead straddle bring_in` with `amt`; `dead` is nobody's bet, `post` is a live extra blind;
* `street` with `name` and, in flop games, `board` = the new cards;
* `deal` with `seat`, `down`, `up`; `??` is a card nobody ever saw;
* `check fold`, `call bet raise` with `amt` = chips added and `to` = the seat's total on this street;
* `all_in` on whatever took the last chip;
* outputs, never fed to the engine: `uncalled` (returned), `show`, `muck`, `collect` (with `pot`, and `half`
  hi/lo where the room prints it).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from services.formats.figures import Nonsense, card_name
from services.formats.house_rules import checked


class BrokenHistory(Exception):
    """A hand history that cannot be read. `file`, `line` (from 1; 0: the file as a whole) and `why` say
    where.
    """

    def __init__(self, file: str, line: int, why: str) -> None:
        super().__init__(f"{file}:{line}: {why}")
        self.file = file
        self.line = line
        self.why = why


@dataclass(frozen=True, slots=True)
class Player:
    """Who sits where, with how many chips before antes and blinds."""

    seat: int
    name: str
    stack: int


@dataclass(frozen=True, slots=True)
class Entry:
    """One event of a record; the names of the JSON keys are in `KEYS`."""

    kind: str
    seat: int | None = None
    amount: int | None = None
    to: int | None = None
    all_in: bool = False
    street: str | None = None
    board: tuple[str, ...] = ()
    down: tuple[str, ...] = ()
    up: tuple[str, ...] = ()
    pot: str | None = None
    half: str | None = None

    def to_json(self) -> dict[str, Any]:
        """The event as in `hands.jsonl`: keys without a value are left out."""
        pairs = ((key, getattr(self, name)) for key, name in KEYS.items())
        return {key: list(v) if isinstance(v, tuple) else v for key, v in pairs if v not in (None, False, ())}


KEYS = {
    "e": "kind",
    "seat": "seat",
    "amt": "amount",
    "to": "to",
    "all_in": "all_in",
    "name": "street",
    "board": "board",
    "down": "down",
    "up": "up",
    "pot": "pot",
    "half": "half",
}

_TYPES: dict[str, type] = {
    "e": str,
    "seat": int,
    "amt": int,
    "to": int,
    "all_in": bool,
    "name": str,
    "board": list,
    "down": list,
    "up": list,
    "pot": str,
    "half": str,
}


@dataclass(frozen=True, slots=True)
class Pot:
    """One pot of the result: `amount` before rake, `shares` seat → chips."""

    amount: int
    shares: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the hand must come to. `payoff`: net chips per seat as they are without rake; `pots` may be
    unknown.

    `collected` and `rake` are the record's own words; a record with rake and without an oracle has `payoff`
    None.
    """

    payoff: Mapping[int, int] | None
    collected: Mapping[int, int]
    rake: int
    pots: tuple[Pot, ...] | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """One hand as it was recorded; `cancelled`: the room gave the blinds back. `house`: of a hand of one of our own
    tables, what it plays otherwise than the defaults (`services/formats/house_rules.py`); None: of a room.
    """

    id: str
    variant: str
    structure: str
    unit: str
    limits: Mapping[str, int | bool | list[int]]
    button: int | None
    players: tuple[Player, ...]
    entries: tuple[Entry, ...]
    outcome: Outcome | None = field(default=None, compare=False)
    cancelled: bool = False
    house: Mapping[str, int | bool | str] | None = None

    def player(self, seat: int) -> Player:
        """Who sits in `seat`."""
        return next(p for p in self.players if p.seat == seat)

    def to_json(self) -> dict[str, Any]:
        """The record as one object of `hands.jsonl`."""
        return {
            "id": self.id,
            "variant": self.variant,
            "structure": self.structure,
            "unit": self.unit,
            "limits": dict(self.limits),
            "button_seat": self.button,
            "players": [{"seat": p.seat, "name": p.name, "stack": p.stack} for p in self.players],
            "events": [entry.to_json() for entry in self.entries],
            **({} if self.house is None else {"house": dict(self.house)}),
        }

    @classmethod
    def from_json(cls, data: object, outcome: Outcome | None = None) -> Record:
        """Read one object of `hands.jsonl`; raises `Nonsense`."""
        hand = _mapping(data, "a hand")
        players = _distinct(_player(p) for p in _typed(hand, "players", list))
        button = hand.get("button_seat")
        if button is not None and not _is_int(button):
            raise Nonsense("button_seat is neither a number nor null")
        return cls(
            id=_typed(hand, "id", str),
            variant=_typed(hand, "variant", str),
            structure=_typed(hand, "structure", str),
            unit=_typed(hand, "unit", str),
            limits=_limits(_mapping(hand.get("limits"), "limits")),
            button=button,
            players=players,
            entries=_entries(_typed(hand, "events", list), {player.seat for player in players}),
            outcome=outcome,
            house=checked(hand["house"]) if "house" in hand else None,
        )


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _mapping(value: object, what: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise Nonsense(f"{what} is not an object")
    return value


def _typed(data: Mapping[str, Any], key: str, kind: type) -> Any:
    value = data.get(key)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise Nonsense(f"{key} is missing or not of type {kind.__name__}")
    return value


def _limits(data: dict[str, Any]) -> dict[str, int | bool | list[int]]:
    for key, value in data.items():
        if not isinstance(value, int | list):
            raise Nonsense(f"limits: {key} is not a number")
        if isinstance(value, int) and value < 0:
            raise Nonsense(f"limits: {key} is negative")
    return data


def _player(data: object) -> Player:
    player = _mapping(data, "a player")
    stack = _typed(player, "stack", int)
    if stack < 0:
        raise Nonsense("a stack is negative")
    return Player(_typed(player, "seat", int), _typed(player, "name", str), stack)


def _distinct(players: Iterable[Player]) -> tuple[Player, ...]:
    found = tuple(players)
    if len({p.seat for p in found}) < len(found):
        raise Nonsense("two players in one seat")
    return found


def _entries(data: list[object], seats: set[int]) -> tuple[Entry, ...]:
    entries = tuple(_entry(event) for event in data)
    if any(entry.seat is not None and entry.seat not in seats for entry in entries):
        raise Nonsense("an event of a seat that nobody has")
    return entries


def _entry(data: object) -> Entry:
    event = _mapping(data, "an event")
    values: dict[str, Any] = {}
    for key, value in event.items():
        kind = _TYPES.get(key)
        if kind is None:
            raise Nonsense(f"unknown key {key!r} in an event")
        _typed(event, key, kind)
        values[KEYS[key]] = tuple(card_name(c) for c in value) if kind is list else value
    if "kind" not in values:
        raise Nonsense("an event without e")
    if values.get("amount", 0) < 0 or values.get("to", 0) < 0:
        raise Nonsense("a negative amount")
    return Entry(**values)
