"""What a game is: its options, its stakes and its script (a list of steps). One file per game in `engine/games/`."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from engine.refusals import Refused

if TYPE_CHECKING:
    from engine.positions import Plan
    from engine.state import Hand, Stakes, Table
    from engine.steps import Step
    from engine.tournament import Tournament

Value = int | bool | str | None
T = TypeVar("T")


@dataclass(frozen=True)
class Option:
    """One configuration key: its default and what else it may be (`docs/rules`, table of keys).

    `samples`: of a text, some that are good, to try out.
    """

    key: str
    default: Value
    help: str
    least: int | None = None
    most: int | None = None
    choices: tuple[Value, ...] = ()
    optional: bool = False  # None means "off" or "derived"
    samples: tuple[str, ...] = ()

    def check(self, value: object) -> Value:
        """The value if it may be set, else Refused `bad_option`."""
        if value is None and self.optional:
            return None
        if self.choices:
            good = any(value == choice and type(value) is type(choice) for choice in self.choices)
        elif isinstance(self.default, str):
            good = isinstance(value, str) and len(value) <= (self.most or 40)
        else:
            good = type(value) is int and (self.least or 0) <= value <= (self.most or 10**9)
        if not good:
            raise Refused("bad_option", key=self.key, **self.range())
        return value  # type: ignore[return-value]

    def range(self) -> dict[str, object]:
        """What is allowed, for people and forms."""
        if self.choices:
            return {"choices": list(self.choices)}
        return {"least": self.least or 0, "most": self.most or 10**9}


class Options(Mapping[str, Value]):
    """Resolved options of a table: every key of the game has a value. Immutable."""

    __slots__ = ("known", "values_by_key")

    def __init__(self, values: Mapping[str, Value]) -> None:
        self.values_by_key = dict(values)
        self.known: dict[Callable[[Options], Any], Any] = {}

    def __getitem__(self, key: str) -> Value:
        return self.values_by_key[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.values_by_key)

    def __len__(self) -> int:
        return len(self.values_by_key)

    def __deepcopy__(self, memo: object) -> Options:
        return self

    def number(self, key: str) -> int:
        """An integer option (None and False count as 0)."""
        value = self.values_by_key[key]
        return value if isinstance(value, int) else 0

    def once(self, make: Callable[[Options], T]) -> T:
        """`make(options)`, worked out when first asked for."""
        found: T | None = self.known.get(make)
        if found is None:
            found = self.known[make] = make(self)
        return found


COMMON_OPTIONS = (
    Option("name", "", "name of the table", most=60),
    Option("seats", None, "number of chairs", least=2, most=12, optional=True),
    Option("action_seconds", 30, "time for a decision (COM-71)", most=86_400),
    Option("time_bank_seconds", 60, "extra time per player and session (COM-71)", most=86_400),
    Option("disconnect_grace_seconds", 15, "extra time once per hand when disconnected (COM-72)", most=3_600),
    Option("disconnect_policy", "timeout", "what happens to a disconnected player", choices=("timeout",)),
    Option("showdown.first", "latest_street", "who shows first (COM-60)",
           choices=("latest_street", "final_street_only")),
    Option("showdown.all_in_face_up", False, "turn all-in hands up at once (COM-63)", choices=(False, True)),
    Option("history.per_session", 50, "last hands kept per player (COM-64)", choices=(50,)),
    Option("rake.percent", 0, "share of each contested pot taken by the house (COM-55)", most=100),
    Option("rake.cap", None, "most rake per hand, in chips", optional=True, least=0),
    Option("rake.no_flop_no_drop", True, "no rake from a hand that ends on its first street", choices=(True, False)),
    Option("odd_chip", "clockwise", "who gets the odd chip of a tie (COM-54)", choices=("clockwise",)),
    Option("odd_chip_unit", 1, "smallest chip a pot is split into", least=1, most=10**6),
    Option("buy_in.min", 20, "least buy-in, in big bets; 0: any stack", most=10**6),
    Option("buy_in.max", 200, "most buy-in, in big bets; 0: no limit", most=10**6),
    Option("hand_gap_seconds", 3, "pause between hands", most=3_600),
    Option("max_missed_orbits", None, "orbits away before the seat is freed (COM-70)", least=1, optional=True),
)  # fmt: skip

MAX_RAISES = Option("limit.max_raises", 3, "raises per street after the bet (COM-21)", least=1, most=100)

LIMIT_OPTIONS = (
    MAX_RAISES,
    Option("limit.heads_up_uncapped", False, "no cap on raises between two (COM-21)", choices=(False, True)),
)

BUTTON_OPTIONS = (Option("button", "dead_button", "how the button moves (COM-66)", choices=("dead_button",)),)


@dataclass(frozen=True)
class Script:
    """The steps of one hand, where each street is in them, and where the pots are paid; the time for a decision."""

    steps: tuple[Step, ...]
    index: Mapping[str, int]
    award: int
    action_ms: int

    def __deepcopy__(self, memo: object) -> Script:
        return self


def with_common(own: tuple[Option, ...]) -> tuple[Option, ...]:
    """The common keys, but for those that the game restates, and its own."""
    restated = {option.key for option in own}
    return (*(option for option in COMMON_OPTIONS if option.key not in restated), *own)


Rank = Callable[["Hand", int], int | None]


@dataclass(frozen=True)
class Share:
    """A part of every pot: its name and how a seat's cards are ranked for it (bigger wins, None: no claim)."""

    name: str
    rank: Rank


class Seating(Protocol):
    """Who is dealt in and where the button and blinds are; None when no hand can be dealt."""

    def __call__(self, table: Table, seed: bytes) -> Plan | None: ...


@dataclass(frozen=True, eq=False)
class Game:
    """`steps(options)` is the game as its rule page tells it; `shares` say what the pots are split by.

    `view`: what of the game's own everybody may see of a hand, beside what all games show. `seats_each`: adjacent
    chairs a player takes at once, each a betting unit of its own. `chairs`: how many a new table has where its maker
    does not say; 0: as many as it may.
    `late`: verb of a step at the start of a hand -> the code that refuses it later.
    A mix of others (`engine/rotation.py`) `deals` several in turn; then `narrow` leaves of `options` those that the
    chosen ones call for.
    """

    name: str
    title: str
    seats: range
    options: tuple[Option, ...]
    stakes: Callable[[Options], Stakes]
    steps: Callable[[Options], tuple[Step, ...]]
    seating: Seating
    shares: tuple[Share, ...]
    rules: str
    blinds: bool = False
    structure: str = "limit"  # how large bets may be, where no option says it
    least_stack: Callable[[Options], int] = lambda options: 1
    view: Callable[[Hand], dict[str, Any]] = lambda hand: {}
    late: Mapping[str, str] = field(default_factory=dict)
    deals: Callable[[Options], tuple[str, ...]] = lambda options: ()
    narrow: Callable[[Mapping[str, object]], tuple[Option, ...]] | None = None
    seats_each: int = 1
    chairs: int = 0
    tournament: Tournament | None = None

    def __deepcopy__(self, memo: object) -> Game:
        return self

    def all_options(self) -> tuple[Option, ...]:
        return with_common(self.options)

    def options_in_use(self, chosen: Mapping[str, object]) -> tuple[Option, ...]:
        """The keys of a table for which these values were chosen."""
        return with_common(self.narrow(chosen) if self.narrow else self.options)

    def opening(self, chosen: Mapping[str, Any]) -> dict[str, Any]:
        """The options to open a table with. (`resolve` would give it as many chairs as it may have, as it always has:
        what was once opened with the same options must stay what it was.)
        """
        return {"seats": self.chairs, **chosen} if self.chairs else dict(chosen)

    def resolve(self, chosen: Mapping[str, object]) -> Options:
        """Every key with its value. Raises Refused `unknown_option` or `bad_option`."""
        try:
            return resolved(self, tuple(chosen), *chosen.values())
        except TypeError:  # a value that cannot be looked up, which is refused by name
            return self.resolve_anew(chosen)

    def resolve_anew(self, chosen: Mapping[str, object]) -> Options:
        known = {option.key: option for option in self.options_in_use(chosen)}
        known["seats"] = replace(known["seats"], least=self.seats[0], most=self.seats[-1])
        for key in chosen:
            if key not in known:
                raise Refused("unknown_option", key=str(key)[:60])
        values = {key: option.check(chosen.get(key, option.default)) for key, option in known.items()}
        if values["seats"] is None:
            values["seats"] = self.seats[-1]
        if values["seats"] not in self.seats:
            raise Refused("bad_option", key="seats", choices=list(self.seats))
        options = Options(values)
        self.stakes(options)  # raises Refused when the amounts do not fit together
        return options

    def script(self, options: Options) -> Script:
        steps = self.steps(options)
        award = next(at for at, step in enumerate(steps) if step.pays)
        streets = {step.street: at for at, step in enumerate(steps) if step.street}
        return Script(steps, streets, award, options.number("action_seconds") * 1000)


@lru_cache(maxsize=256, typed=True)
def resolved(game: Game, keys: tuple[str, ...], *values: object) -> Options:
    """As `resolve`. Options do not change, and whoever reads hands back resolves the same ones for each."""
    return game.resolve_anew(dict(zip(keys, values, strict=True)))


@cache
def games() -> Mapping[str, Game]:
    """All games by name, found in `engine/games/` (a new game is one new file with a `GAME`)."""
    package = importlib.import_module("engine.games")
    found: dict[str, Game] = {}
    for module in sorted(info.name for info in pkgutil.iter_modules(package.__path__)):
        game = importlib.import_module(f"engine.games.{module}").GAME
        found[game.name] = game
    return found


@cache
def find_game(name: str) -> Game:
    """The game of that name. Raises Refused `unknown_game`."""
    found = games().get(name)
    if found is None:
        raise Refused("unknown_game", games=list(games()))
    return found


def script_for(game: Game, options: Options) -> Script:
    """The steps of `game` under these options, built once."""
    return options.once(game.script)
