"""Mixed tables: whose choice the next game is, where its button is, and what a mix is (MIX-nn).

A mix is a game of its own name without steps: `deals(options)` names the games, whose keys it takes too, and every hand
is one of theirs from its `HandStarted` on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.game import Game, Option, Options, find_game, games
from engine.next_game import games_of
from engine.positions import NOBODY, Plan, blind_plan, clockwise, dealer_plan, ready_seats
from engine.refusals import Refused
from engine.state import Stakes, Table

TURN_OPTIONS = (
    Option("rotation.hands", None, "hands of each game; none: one orbit (MIX-02, MIX-03)", least=1, most=1000,
           optional=True),
    Option("rotation.choose", False, "dealer's choice instead of turns (MIX-07)", choices=(False, True)),
    Option("rotation.choose_seconds", 10, "time to choose, before the pause between hands (MIX-08)", most=600),
)  # fmt: skip


def chooser(table: Table) -> int | None:
    """The seat that may choose now: between hands, one player further clockwise each time, of those who are ready for
    some game of the table (MIX-11); its first hand is nobody's choice (MIX-07).
    """
    past, mixed = table.rotation, games_of(table)
    if past is None or table.playing or table.options is None or not table.options["rotation.choose"]:
        return None
    if past.chosen in [game.name for game in mixed]:
        return None
    ready = sorted({seat for game in mixed for seat in ready_seats(table, game)})
    return clockwise(table, ready, past.chooser + 1)[0] if len(ready) > 1 else None


def plan_for(table: Table, game: Game, seed: bytes) -> Plan | None:
    """Positions of the next hand. At a mixed table the blinds stand still while a game has none (MIX-05)."""
    plan = game.seating(table, seed)
    if plan is None or game is table.game or game.blinds:
        return plan
    small, big = (NOBODY if at is None else at for at in (table.small, table.big))
    return plan._replace(small=small, big=big)


def gap_ms(table: Table) -> int:
    """The pause before the next hand; with somebody to choose its game, his time first (MIX-08)."""
    assert table.options is not None
    seconds = table.options.number("hand_gap_seconds")
    if chooser(table) is not None:
        seconds += table.options.number("rotation.choose_seconds")
    return seconds * 1000


# --- making a mix


def mix(name: str, title: str, members: tuple[Game, ...], rotation: Option, changes: Mapping[str, Any]) -> Game:
    """A game that deals `members`, or those of them that its key `rotation` names: chairs for each, and their keys.
    `changes` names other defaults (a tuple: nothing else is allowed).
    """
    keys = {option.key: changed(option, changes) for game in members for option in game.options}

    def narrow(chosen: Mapping[str, object]) -> tuple[Option, ...]:
        """Only keys of the games in the list, so that a new game in the folder is none of this table's business."""
        names = str(chosen.get("rotation", rotation.default)).split()
        used = {option.key for game in members if game.name in names for option in game.options}
        return (rotation, *TURN_OPTIONS, *(option for key, option in keys.items() if key in used))

    return Game(
        name=name,
        title=title,
        seats=range(2, min(game.seats[-1] for game in members) + 1),
        options=(rotation, *TURN_OPTIONS, *keys.values()),
        stakes=most_stakes,
        steps=lambda options: (),
        seating=dealer_plan,
        shares=(),
        rules=f"{name}/1",
        blinds=any(game.blinds for game in members),
        least_stack=lambda options: max(find_game(member).least_stack(options) for member in named(options)),
        deals=named,
        narrow=narrow,
    )


def changed(option: Option, changes: Mapping[str, Any]) -> Option:
    value = changes.get(option.key, option.default)
    if isinstance(value, tuple):
        return replace(option, default=value[0], choices=value)
    return replace(option, default=value)


def mixable(game: Game) -> bool:
    """Dealt hand by hand with a dealer or with blinds, one seat per player, and no mix itself (MIX-10)."""
    one_seat = game.seats_each == 1 and game.tournament is None
    return bool(game.shares) and game.seating in (dealer_plan, blind_plan) and one_seat


def named(options: Options) -> tuple[str, ...]:
    """The games in the text of the key `rotation`."""
    return tuple(str(options["rotation"]).split())


def most_stakes(options: Options) -> Stakes:
    """The largest of each kind among the games, for the lobby, buy-ins and owed blinds. Raises Refused `bad_option` for
    a list that is empty, names a game twice or one that cannot be mixed, and for blinds that differ (MIX-10).
    """
    names, known = named(options), [game.name for game in games().values() if mixable(game)]
    if not names or len({*names}) < len(names) or not all(name in known for name in names):
        raise Refused("bad_option", key="rotation", choices=known)
    dealt = [find_game(name) for name in names]
    stakes = [game.stakes(options) for game in dealt]
    blinds = {(of.small_blind, of.big_blind) for game, of in zip(dealt, stakes, strict=True) if game.blinds}
    if len(blinds) > 1:
        raise Refused("bad_option", key="rotation", blinds=sorted(blinds))
    return Stakes(*map(max, zip(*stakes, strict=True)))
