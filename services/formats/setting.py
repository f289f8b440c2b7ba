"""From a neutral record to a hand our engine can deal: game and options, chairs, positions, stacked deck.

A row of `HOUSES` says which game a variant is, how a record's limits are its options, and by what the cards
of a loser are kept weak. Rooms split odd chips of a tie from the button's left and halve a pot before they
look who wins both halves; where our own rule differs (RAZ-C08, OM8-C05) the table gets the room's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, islice
from typing import Any, cast

from engine.cards import parse
from engine.positions import NOBODY, Plan
from engine.rankings import WrongNumberOfCards, eight_or_better, high, omaha_high, omaha_low, razz_low
from engine.state import Post
from services.formats.figures import UNKNOWN, Nonsense
from services.formats.record import Entry, Record
from services.formats.scribe import FLOP_STREETS, STUD_GAMES, STUD_STREETS

Ranks = Callable[[Sequence[int], Sequence[int]], tuple[int | None, ...]]

_MOST_FILLERS = 200_000


@dataclass(frozen=True, slots=True)
class Setting:
    """A hand about to be dealt. `chairs[i]`: (player, chips) or None; `deck`: 52 cards, the top first."""

    game: str
    options: dict[str, Any]
    chairs: tuple[tuple[str, int] | None, ...]
    plan: Plan
    deck: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class House:
    """How one variant is played here. `ranks`: own cards and board → rank for each share of the pot; `room`: what
    rooms do where our rule is another.
    """

    game: str
    options: Callable[[Record], dict[str, Any]]
    ranks: Ranks
    room: Mapping[str, Any] = field(default_factory=dict)
    antes: bool = False  # without, antes are posted as dead chips
    low_brings_in: bool = False


def _ante_options(game: str) -> Callable[[Record], dict[str, Any]]:
    """Stud and its kin."""
    return lambda record: {
        f"{game}.ante": record.limits["ante"],
        f"{game}.bring_in": record.limits["bring_in"],
        f"{game}.small": record.limits["small_bet"],
        f"{game}.big": record.limits["big_bet"],
    }


_STRUCTURES = {"FL": "limit", "PL": "pot_limit", "NL": "no_limit"}


def _blind_options(game: str) -> Callable[[Record], dict[str, Any]]:
    return lambda record: {
        f"{game}.structure": _STRUCTURES[record.structure],
        f"{game}.big_blind": record.limits["big_blind"],
        f"{game}.small_blind": _small_blind(record),
    }


def _small_blind(record: Record) -> int:
    """One that nobody posted is a guess of the reader's, and no more than the big one."""
    limits = record.limits
    if limits.get("small_blind_inferred"):
        return min(cast(int, limits["small_blind"]), cast(int, limits["big_blind"]))
    return cast(int, limits["small_blind"])


def _holdem_options(record: Record) -> dict[str, Any]:
    ante = 0 if antes_are_dead(record) else record.limits.get("ante", 0)
    return {**_blind_options("holdem")(record), "holdem.ante": ante}


HOUSES = {
    "razz": House(
        "razz",
        _ante_options("razz"),
        lambda own, board: (razz_low([*own, *board]),),
        {"razz.odd_chip": "clockwise"},
        antes=True,
    ),
    "stud": House(
        "stud",
        _ante_options("stud"),
        lambda own, board: (high([*own, *board]),),
        antes=True,
        low_brings_in=True,
    ),
    "stud8": House(
        "stud8",
        _ante_options("stud8"),
        lambda own, board: (high([*own, *board]), eight_or_better([*own, *board])),
        {"stud8.identical_split": "halves"},
        antes=True,
        low_brings_in=True,
    ),
    "holdem": House("holdem", _holdem_options, lambda own, board: (high([*own, *board]),), antes=True),
    "omaha": House("omaha", _blind_options("omaha"), lambda own, board: (omaha_high(own, board),)),
    "omaha8": House(
        "omaha8",
        _blind_options("omaha"),
        lambda own, board: (omaha_high(own, board), omaha_low(own, board)),
        {"omaha.identical_split": "halves"},
    ),
}


def antes_are_dead(record: Record) -> bool:
    """No ante of everybody: our game has none, or one player pays for the table. Then it is a dead chip of the pot."""
    return not HOUSES[record.variant].antes or "ante_seats" in record.limits


def game_of(variant: str) -> str:
    """Our name of a variant; a variant without a row keeps its own."""
    house = HOUSES.get(variant)
    return house.game if house else variant


def setting_of(record: Record) -> tuple[Setting, dict[int, int]]:
    """The hand and, for every seat of the record, its chair. Raises `Nonsense` if it cannot be dealt."""
    house = HOUSES[record.variant]
    if any(entry.kind == "straddle" for entry in record.entries):
        raise Nonsense("a straddle")
    if any(UNKNOWN in entry.board for entry in record.entries):
        raise Nonsense("a board card that nobody knows")
    chairs = _chairs(record)
    try:
        options = house.options(record) | dict(house.room) if record.house is None else dict(record.house)
    except KeyError as missing:
        raise Nonsense(f"limits without {missing}") from None
    seated: list[tuple[str, int] | None] = [None] * max(2, len(chairs))
    for player in record.players:
        seated[chairs[player.seat]] = (f"seat {player.seat}", player.stack)  # two may have the same name
    plan = _plan(record, chairs)
    deck = _deck(record, house, [seat for at in plan.order for seat in chairs if chairs[seat] == at])
    options["seats"] = len(seated)
    return Setting(house.game, options, tuple(seated), plan, deck), chairs


def _chairs(record: Record) -> dict[int, int]:
    """Seats of the record, the button's included even if nobody sits there, in clockwise order."""
    seats = {player.seat for player in record.players}
    if record.button is not None:
        seats.add(record.button)
    return {seat: chair for chair, seat in enumerate(sorted(seats))}


def _dealt_in(record: Record) -> list[int]:
    """Seats with cards, in the order of the record."""
    return list(dict.fromkeys(e.seat for e in record.entries if e.kind == "deal" and e.seat is not None))


def _plan(record: Record, chairs: dict[int, int]) -> Plan:
    """Without a button the dealer is the seat before the first one dealt to."""
    dealt = [chairs[seat] for seat in _dealt_in(record)]
    if len(dealt) < 2:
        raise Nonsense("cards for fewer than two seats")
    count = len(chairs)
    button = (min(dealt) - 1) % count if record.button is None else chairs[record.button]
    order = sorted(dealt, key=lambda chair: (chair - button - 1) % count)
    small, big = (_poster(record, chairs, kind) for kind in ("sb", "bb"))
    if record.variant not in STUD_GAMES and big == NOBODY:
        small, big = _without_chips(record, chairs, small, order)
    return Plan(button, small, big, tuple(order), tuple(_posts(record, chairs)))


def _poster(record: Record, chairs: dict[int, int], kind: str) -> int:
    return next((chairs[e.seat] for e in record.entries if e.kind == kind and e.seat is not None), NOBODY)


def _without_chips(record: Record, chairs: dict[int, int], small: int, order: list[int]) -> tuple[int, int]:
    """Small and big blind where the ante has taken the last chip of who should post."""
    small = order[0] if small == NOBODY else small
    big = order[(order.index(small) + 1) % len(order)]
    if not any(e.kind == "ante" and e.all_in and e.seat is not None and chairs[e.seat] == big for e in record.entries):
        raise Nonsense("nobody posts the big blind")
    return small, big


def _posts(record: Record, chairs: dict[int, int]) -> list[Post]:
    """What returning players post, live and dead, one `Post` each; and antes where our game has none, as dead
    chips.
    """
    dealt = _dealt_in(record)
    dead = {"dead", "ante"} if antes_are_dead(record) else {"dead"}
    posts: dict[int, Post] = {}
    for entry in record.entries:
        if entry.seat is None or (entry.kind != "post" and entry.kind not in dead):
            continue
        if entry.all_in and record.house is None:
            raise Nonsense("a post or ante that takes the whole stack")
        if entry.seat not in dealt:
            raise Nonsense("a post without cards")
        before = posts.get(entry.seat, Post(chairs[entry.seat], 0, 0))
        chips = entry.amount or 0
        live = chips if entry.kind == "post" else 0
        posts[entry.seat] = Post(before.seat, before.live + live, before.dead + chips - live)
    if any(_forced(record, seat) > record.player(seat).stack for seat in posts):
        raise Nonsense("a post that the stack does not cover")
    return list(posts.values())


def _forced(record: Record, seat: int) -> int:
    """Antes and posts of a seat and its whole blind: with posts to pay, a blind may not be short."""
    kinds = {entry.kind: entry.amount or 0 for entry in record.entries if entry.seat == seat}
    blinds = {"sb": record.limits.get("small_blind"), "bb": record.limits.get("big_blind")}
    nominal = [blind for kind, blind in blinds.items() if kind in kinds and isinstance(blind, int)]
    return sum(kinds.get(kind, 0) for kind in ("ante", "post", "dead")) + sum(nominal)


# the deck


def _deck(record: Record, house: House, order: list[int]) -> tuple[int, ...]:
    """52 cards that give exactly the named ones in dealing order, any others for the unknown."""
    names = _stacked(record, order)
    named = [parse(name) for name in names if name not in (None, UNKNOWN)]
    unused = [card for card in range(52) if card not in named]
    if len(set(named)) < len(named) or len(names) > 52:
        raise Nonsense("the same card twice, or more than 52")
    try:
        fillers = _fillers(record, house, unused)
    except WrongNumberOfCards:
        raise Nonsense("a showdown without all its cards") from None
    deck: list[int] = []
    for name, owner in zip(names, _owners(record, order), strict=True):
        if name is not None and name != UNKNOWN:
            deck.append(parse(name))
        else:
            deck.append(fillers[owner].pop(0) if fillers.get(owner) else -1)
    rest = [card for card in unused if card not in deck]
    if house.low_brings_in:  # a door card that nobody knows was not the lowest
        doors = range(2 * len(order), 3 * len(order))
        deck = [rest.pop() if card < 0 and at in doors else card for at, card in enumerate(deck)]
    return (*(rest.pop(0) if card < 0 else card for card in deck), *rest)


def _streets(record: Record) -> list[tuple[Entry, list[Entry]]]:
    """Every street with its deals."""
    found: list[tuple[Entry, list[Entry]]] = []
    for entry in record.entries:
        if entry.kind == "street":
            found.append((entry, []))
        elif entry.kind == "deal":
            if not found:
                raise Nonsense("cards before the first street")
            found[-1][1].append(entry)
    return found


def _slots(record: Record, order: list[int]) -> list[tuple[int | None, str | None]]:
    """(seat or None, card name) from the top of the deck; None for a burned card (FORMAT of the rule book,
    section 2).
    """
    slots: list[tuple[int | None, str | None]] = []
    for number, (street, deals) in enumerate(_streets(record)):
        hands = {deal.seat: (*deal.down, *deal.up) for deal in deals}
        seats = [seat for seat in order if seat in hands]
        cards = max((len(hand) for hand in hands.values()), default=0)
        stub = 52 - len(slots)
        if number and stub > len(seats) * cards + len(street.board) and _burns(record):
            slots.append((None, None))
        slots += [(seat, hands[seat][k]) for k in range(cards) for seat in seats]
        slots += [(None, name) for name in street.board]
    return slots


def _burns(record: Record) -> bool:
    """Every room burns a card before a street; a table of ours may do without."""
    return all(value is not False for key, value in (record.house or {}).items() if key.endswith(".burn"))


def _stacked(record: Record, order: list[int]) -> list[str | None]:
    try:
        return [name for _, name in _slots(record, order)]
    except IndexError:
        raise Nonsense("seats with different numbers of cards") from None


def _owners(record: Record, order: list[int]) -> list[int | None]:
    return [seat for seat, _ in _slots(record, order)]


# cards for hands nobody saw


def _fillers(record: Record, house: House, unused: list[int]) -> dict[int | None, list[int]]:
    """For every hand that went to the showdown unseen: cards with which it loses every pot."""
    board = [parse(name) for e in record.entries if e.kind == "street" for name in e.board]
    hands = {seat: _cards(record, seat) for seat in _live_at_end(record)}
    if len(hands) < 2 or not any(UNKNOWN in names for names in hands.values()):
        return {}
    paid = _paid(record)
    known = {
        seat: house.ranks([parse(name) for name in names], board)
        for seat, names in hands.items()
        if UNKNOWN not in names
    }
    found: dict[int | None, list[int]] = {}
    for seat, names in hands.items():
        if seat not in known:
            bounds = _bounds([ranks for other, ranks in known.items() if paid[other] >= paid[seat]])
            own = [parse(name) for name in names if name != UNKNOWN]
            cards = _weak(house, own, board, names.count(UNKNOWN), unused, bounds)
            found[seat] = list(cards)
            unused = [card for card in unused if card not in cards]
    return found


def _bounds(ranks: Iterable[tuple[int | None, ...]]) -> list[int | None]:
    """For every share the best rank seen; None if nobody has one."""
    return [max((rank for rank in column if rank is not None), default=None) for column in zip(*ranks, strict=True)]


def _weak(
    house: House, own: list[int], board: list[int], count: int, unused: list[int], bounds: list[int | None]
) -> tuple[int, ...]:
    """The first `count` unused cards that lose to `bounds` in every share."""
    high_first = sorted(unused, key=lambda card: (-((card >> 2) + 1) % 13, card & 3))
    for cards in islice(combinations(high_first, count), _MOST_FILLERS):
        ranks = house.ranks([*own, *cards], board)
        if all(
            rank is None or (bound is not None and rank < bound) for rank, bound in zip(ranks, bounds, strict=False)
        ):
            return cards
    raise Nonsense("no cards with which an unseen hand loses")


def _live_at_end(record: Record) -> list[int]:
    """Seats at the showdown. Who folds to no bet on the last street may only check there (COM-11), and gets
    to it.
    """
    names = (FLOP_STREETS[-1], STUD_STREETS[-1])
    last = next((at for at, entry in enumerate(record.entries) if entry.street in names), len(record.entries))
    bets = any(entry.kind in ("bet", "raise") for entry in record.entries[last:])
    folded = {e.seat for at, e in enumerate(record.entries) if e.kind == "fold" and (at < last or bets)}
    return [seat for seat in _dealt_in(record) if seat not in folded]


def _cards(record: Record, seat: int) -> list[str]:
    return [name for e in record.entries if e.kind == "deal" and e.seat == seat for name in (*e.down, *e.up)]


def _paid(record: Record) -> dict[int, int]:
    """Live chips over the whole hand, uncalled ones not counted."""
    paid = {player.seat: 0 for player in record.players}
    for entry in record.entries:
        if entry.seat is not None and entry.amount and entry.kind not in ("collect", "dead"):
            paid[entry.seat] += -entry.amount if entry.kind == "uncalled" else entry.amount
    return paid
