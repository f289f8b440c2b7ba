"""The scenario files of the rule book (`examples.json`, `scenarios-open.json`): one complete deal per line.

The format is described with them (docs/rules): table, stakes, deck, every decision in order with assertions
and illegal attempts in between, and the complete outcome. `ROWS` says how a game of the book is set up here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from engine.cards import parse
from engine.game import find_game
from engine.positions import NOBODY, Plan
from engine.state import Post
from services.formats.figures import Nonsense
from services.formats.record import BrokenHistory
from services.formats.setting import Setting
from services.formats.sheet import Sheet, unreadable
from services.scenario_words import arguments

Data = Mapping[str, Any]
WITH_AMOUNT = ("raise", "bring_in")


@dataclass(frozen=True, slots=True)
class Scenario:
    """One deal of the book. `chairs`: name of a hand → chair; `data`: the object as written."""

    id: str
    file: str
    line: int
    data: Data
    setting: Setting
    chairs: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Row:
    """`game`: our name; `options` from the scenario; `told`: keys of its outcome; `player` owns a hand of that name."""

    game: str
    options: Callable[[Data], dict[str, Any]]
    told: tuple[str, ...] = ()
    player: Callable[[str], str] = str


def _omaha(data: Data) -> dict[str, Any]:
    structures = {"limit": "limit", "pl": "pot_limit", "nl": "no_limit"}
    return {
        "omaha.structure": structures[data["structure"]],
        "omaha.big_blind": data["big_blind"],
        "omaha.small_blind": data["small_blind"],
    }


def _razz(data: Data) -> dict[str, Any]:
    return {
        "razz.ante": data["ante"],
        "razz.bring_in": data["bring_in"],
        "razz.small": data["small_bet"],
        "razz.big": data["big_bet"],
    }


def _abyssinia(data: Data) -> dict[str, Any]:
    return {}  # the book plays at the default stakes


def _hasaga(data: Data) -> dict[str, Any]:
    return {"hasaga.levels": f"{data['small_blind']}/{data['big_blind']}+{data['ante']}"}


ROWS = {
    "abyssinia": Row("abyssinia", _abyssinia),
    "hasaga": Row("hasaga", _hasaga, ("board", "burned", "bank", "exb"), player=lambda name: name[:-1]),
    "omaha_hilo": Row("omaha8", _omaha, ("board", "burned")),
    "razz": Row("razz", _razz, ("burned", "community")),
}

# What an event may hold: key → type of its value (None: any plain value). Others do not occur.
_KEYS: dict[str, tuple[type, ...]] = {
    "street": (str,),
    "expect": (dict,),
    "hand": (str,),
    "action": (str,),
    "to": (int, str, type(None)),
    "all_in": (bool,),
    "opens": (bool,),
    "short": (bool,),
    "completes": (bool,),
    "timeout": (bool,),
    "what": (str,),
    "attempt": (dict,),
    "code": (str,),
    "first": (str,),
    "burn": (str, type(None)),
    "cards": (dict, list),
    "community": (str,),
    "doors": (dict,),
    "bring_in_card": (str,),
    "left": (str, type(None)),
    "right": (str, type(None)),
    "source": (str,),
    "card": (str,),
    "price": (int,),
    "refill": (str,),
    "item": (str,),
    "args": (list,),
    "cost": (int,),
    "pooled": (int,),
    "commitment": (int,),
    "index": (int,),
    "indices": (list,),
    "amount": (int,),
}

_TOLD = {"call": ("to",), "buy": ("card", "price")}  # what comes with an action, to compare
_REASONS = ("sitting_out", "waiting_for_bb", "below_minimum")


def read(file: str, text: str) -> Iterator[Sheet]:
    """The scenarios of a file."""
    try:
        deals = json.loads(text)
    except (ValueError, RecursionError) as error:
        line = error.lineno if isinstance(error, json.JSONDecodeError) else 0
        raise BrokenHistory(file, line, f"not JSON: {error}") from None
    for line, data in enumerate(deals, 2):
        if not isinstance(data, dict):
            yield unreadable(BrokenHistory(file, line, "a scenario that is not an object"))
        else:
            yield _sheet(file, line, data)


def _sheet(file: str, line: int, data: Data) -> Sheet:
    book = str(data.get("game"))
    game = ROWS[book].game if book in ROWS else book
    return Sheet(str(data.get("id")), game, file, line, lambda: _read(file, line, data))


def _read(file: str, line: int, data: Data) -> Scenario:
    try:
        return _scenario(file, line, data)
    except (Nonsense, ValueError) as why:
        raise BrokenHistory(file, line, str(why)) from None
    except (KeyError, TypeError, AttributeError, IndexError) as why:
        raise BrokenHistory(file, line, f"missing or misshaped: {why}") from None


def _scenario(file: str, line: int, data: Data) -> Scenario:
    row = ROWS[data["game"]]
    chairs = {name: chair for chair, name in enumerate(data["seats"])}
    if len(chairs) < len(data["seats"]):
        raise Nonsense("two seats of one name")
    stacks = {name: chips_of(data["stacks"][name]) for name in chairs}
    for number, event in enumerate(data["events"]):
        _check_event(number, event, {name for name, chips in stacks.items() if chips})
        _check_command(event, chairs)
    seated = tuple((row.player(name), chips) if chips else None for name, chips in stacks.items())
    options = row.options(data)
    plan = _plan(data, chairs, least_stack(row.game))
    setting = Setting(row.game, {**options, "seats": len(chairs)}, seated, plan, _deck(data["deck"]))
    _check_outcome(data, chairs, row.told)
    return Scenario(data["id"], file, line, data, setting, chairs)


def least_stack(name: str) -> int:
    """To be dealt in, at the game's usual stakes: those of the book, where a game needs more than a chip (ABY-06)."""
    game = find_game(name)
    return game.least_stack(game.resolve({}))


def _plan(data: Data, chairs: Mapping[str, int], least: int) -> Plan:
    count = len(chairs)
    button = chairs[data["button"] if "button" in data else data["dealer"]]
    small, big = (chairs[data[key]] if data.get(key) else NOBODY for key in ("sb", "bb"))
    away = _away(data, least)
    dealt = [chair for name, chair in chairs.items() if data["stacks"][name] and name not in away]
    order = sorted(dealt, key=lambda chair: (chair - button - 1) % count)
    return Plan(button, small, big, tuple(order), _posts(data, chairs, {*dealt} - {small, big}))


def _away(data: Data, least: int) -> dict[str, str]:
    """Who is not dealt in, and why. Too few chips are a reason, and everybody else has enough (ABY-06)."""
    away: dict[str, str] = {name: data["not_dealt"][name] for name in data.get("not_dealt", ())}
    if not set(away.values()) <= set(_REASONS):
        raise Nonsense("no reason not to be dealt in")
    for name, chips in data["stacks"].items():
        if 0 < chips < least if name not in away else chips >= least and away[name] == "below_minimum":
            raise Nonsense(f"{name} with {chips}: the minimum is {least}")
    return away


def _posts(data: Data, chairs: Mapping[str, int], may_post: set[int]) -> tuple[Post, ...]:
    """Of returning and new hands, which are dealt in and no blinds, each once."""
    posts = tuple(_post(post, data, chairs) for post in data.get("posts", ()))
    seats = {post.seat for post in posts}
    if not seats <= may_post or len(seats) < len(posts):
        raise Nonsense("a post of somebody without cards, of a blind, or the second one of a hand")
    return posts


def _post(post: Data, data: Data, chairs: Mapping[str, int]) -> Post:
    live, dead = chips_of(post["live"]), chips_of(post["dead"])
    if live not in (0, data["big_blind"]) or live + dead == 0:
        raise Nonsense("a post that is no big blind")
    if live + dead + (live == 0) > data["stacks"][post["hand"]]:
        raise Nonsense("a post that the stack does not cover")
    return Post(chairs[post["hand"]], live, dead)


def chips_of(value: object) -> int:
    """An amount of chips. Raises `Nonsense`."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise Nonsense(f"not an amount: {value!r}")
    return value


def _deck(names: list[str]) -> tuple[int, ...]:
    """The named cards on top, the others in any order."""
    top = [parse(name) for name in names]
    if len(set(top)) < len(top):
        raise Nonsense("the same card twice in the deck")
    return (*top, *(card for card in range(52) if card not in top))


def _check_event(number: int, event: Data, players: set[str]) -> None:
    """An event is a street, an assertion or a command, of a hand that plays, with keys of the right types."""
    sort = [key for key in ("street", "expect", "action") if key in event]
    speaker = event.get("expect", event)
    attempt = event.get("attempt", {"action": ""})
    if (
        len(sort) != 1
        or not all(_fits(key, value) for key, value in event.items())
        or ("street" not in event and speaker.get("hand") not in players)
        or not (isinstance(attempt, dict) and all(_fits(key, value) for key, value in attempt.items()))
    ):
        raise Nonsense(f"event {number} is misshaped")
    if "expect" in event and not isinstance(speaker.get("min_to", None), type(speaker.get("max_to", None))):
        raise Nonsense(f"event {number}: min_to and max_to do not go together")
    if event.get("action") == "refused" and not ("attempt" in event and "action" in attempt and "code" in event):
        raise Nonsense(f"event {number}: an attempt without action or code")


def _check_command(event: Data, chairs: Mapping[str, int]) -> None:
    """Whatever is to be sent can be. Raises `KeyError` or `ValueError`."""
    command = event["attempt"] if event.get("action") == "refused" else event
    if "action" in command:
        arguments(command, chairs)
    if event.get("action") in WITH_AMOUNT:
        chips_of(event["to"])
    for key in _TOLD.get(event.get("action", ""), ()):
        event[key]


def _fits(key: str, value: object) -> bool:
    return key in _KEYS and isinstance(value, _KEYS[key])


def _check_outcome(data: Data, chairs: Mapping[str, int], told: tuple[str, ...]) -> None:
    """The keys of the outcome are there and speak of this table."""
    for key in (*told, "deck_used"):
        data[key]
    for asked in data.get("exb_refused", ()):
        chairs[asked["hand"]], asked["code"]
    for key in ("final", "cards"):
        if not set(data[key]) <= set(chairs):
            raise Nonsense(f"{key} of somebody who is not there")
    for key in ("forced", "returns", "pots", "order", "result"):
        if not isinstance(data[key], list):
            raise Nonsense(f"{key} is not a list")
