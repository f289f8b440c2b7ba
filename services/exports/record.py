"""From our own log to the neutral record of a hand, from which the room formats are written.

It is the same record into which `croupier check` reads other people's files, so whatever is written from it can be
read again and compared. Seats are chairs counted from 1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from engine.events import (
    AntePaid,
    AntesPaid,
    Awarded,
    BlindPosted,
    BoardDealt,
    BroughtIn,
    Called,
    Checked,
    Dealt,
    Folded,
    Mucked,
    Posted,
    RaisedTo,
    Returned,
    RoundDealt,
    Shown,
    StreetBegan,
)
from engine.pots import pots
from engine.state import Hand
from services.exports.story import Story
from services.formats.house_rules import house_rules
from services.formats.record import Entry, Outcome, Player, Pot, Record
from services.formats.scribe import FLOP_STREETS, STUD_GAMES, STUD_STREETS
from services.formats.setting import HOUSES
from services.summary import pots_of

STREETS = frozenset((*FLOP_STREETS, *STUD_STREETS))
STRUCTURES = {"limit": "FL", "pot_limit": "PL", "no_limit": "NL"}
HALVES = {"high": "hi", "low": "lo"}
BESIDE = {
    "TimedOut": "timed_out",
    "SatOut": "sits_out",
    "SatIn": "returns",
    "Disconnected": "disconnected",
    "Connected": "connected",
}


def has_record(story: Story) -> bool:
    """Whether rooms know this game."""
    return story.hand.game.name in HOUSES and not story.voided


def record_of(story: Story, beside: bool = False) -> Record:
    """The hand in neutral words; only where `has_record`. `beside`: with entries for timeouts, and for who sat out or
    lost the line meanwhile, which are nothing that is played.
    """
    hand = story.hand
    book = _Book(story)
    for event in story.events:
        if note := _NOTES.get(type(event)):
            note(book, event)
        elif beside and type(event).__name__ in BESIDE and event.seat in hand.seats:  # type: ignore[attr-defined]
            book.entries.append(Entry(BESIDE[type(event).__name__], event.seat + 1))  # type: ignore[attr-defined]
    return Record(
        id=story.id,
        variant=hand.game.name,
        structure=structure_of(hand),
        unit="chip",
        limits=limits_of(hand),
        button=None if hand.game.name in STUD_GAMES else hand.button + 1,
        players=tuple(Player(index + 1, seat.player, seat.start) for index, seat in sorted(hand.seats.items())),
        entries=tuple(book.entries),
        outcome=outcome_of(hand),
        house=house_rules(hand.game, hand.options),
    )


def structure_of(hand: Hand) -> str:
    """FL, PL or NL."""
    key = next((key for key in hand.options if key.endswith(".structure") and is_of(hand, key)), None)
    return STRUCTURES[str(hand.options[key]) if key else hand.game.structure]


def is_of(hand: Hand, key: str) -> bool:
    """An option of this game, and not of another one that the table deals too."""
    return any(option.key == key for option in hand.game.options)


def limits_of(hand: Hand) -> dict[str, int | bool | list[int]]:
    """The stakes, by the names that records give them."""
    stakes, limits = hand.stakes, {"ante": hand.stakes.ante}
    if structure_of(hand) == "FL":
        limits |= {"small_bet": stakes.small_bet, "big_bet": stakes.big_bet}
    if hand.game.name in STUD_GAMES:
        return {**limits, "bring_in": stakes.bring_in}
    return {**limits, "big_blind": stakes.big_blind, "small_blind": stakes.small_blind}


def outcome_of(hand: Hand) -> Outcome:
    """Net chips, what was collected, and the pots as they were paid, after rake."""
    collected: dict[int, int] = {}
    for _, _, index, amount in hand.awards:
        collected[index + 1] = collected.get(index + 1, 0) + amount
    return Outcome(
        payoff={index + 1: seat.stack - seat.start for index, seat in hand.seats.items()},
        collected={seat: chips for seat, chips in collected.items() if chips},
        rake=hand.rake,
        pots=tuple(_pot(pot) for pot in pots_of(hand) if pot["amount"]),
    )


def gross_pots(hand: Hand) -> list[int]:
    """What lay in every pot before rake, the main pot first; without a contest all of it is one."""
    if any(share == "all" for _, share, _, _ in hand.awards):
        return [hand.awarded + hand.rake]
    return [pot.amount for pot in pots(replace(hand, rake=0))]


def _pot(pot: dict[str, Any]) -> Pot:
    shares: dict[int, int] = {}
    for winner in pot["winners"]:
        shares[winner["seat"] + 1] = shares.get(winner["seat"] + 1, 0) + winner["amount"]
    return Pot(pot["amount"], shares)


@dataclass(slots=True)
class _Book:
    """The record in the writing. `coming`: cards that have left the deck for the street about to begin; `turned_up`:
    hands shown before the showdown, which the formats know only there.
    """

    story: Story
    entries: list[Entry] = field(default_factory=list)
    bets: dict[int, int] = field(default_factory=dict)
    stacks: dict[int, int] = field(default_factory=dict)
    coming: dict[int, tuple[list[str], list[str]]] = field(default_factory=dict)
    board: list[str] = field(default_factory=list)
    turned_up: list[int] = field(default_factory=list)
    showdown: bool = False

    def __post_init__(self) -> None:
        self.stacks = {index: seat.start for index, seat in self.story.hand.seats.items()}

    def pay(self, kind: str, index: int, amount: int, to: int | None = None, live: bool = True) -> None:
        """Chips go in; nothing is written of none."""
        if not amount:
            return
        self.stacks[index] -= amount
        if live:
            self.bets[index] = self.bets.get(index, 0) + amount
        self.entries.append(Entry(kind, index + 1, amount, to, all_in=self.stacks[index] == 0))

    def put(self, kind: str, index: int, amount: int) -> None:
        """A call, bet or raise that adds `amount`."""
        self.pay(kind, index, amount, self.bets.get(index, 0) + amount)

    def ante(self, event: AntePaid) -> None:
        self.pay("ante", event.seat, event.amount, live=False)

    def antes(self, event: AntesPaid) -> None:
        for seat, amount in event.antes:
            self.ante(AntePaid(seat, amount))

    def blind(self, event: BlindPosted) -> None:
        self.pay({"small": "sb", "big": "bb"}[event.kind], event.seat, event.amount)

    def posted(self, event: Posted) -> None:
        self.pay("dead", event.seat, event.dead, live=False)
        self.pay("post", event.seat, event.live)

    def dealt(self, event: Dealt) -> None:
        down, up = self.coming.setdefault(event.seat, ([], []))
        (up if event.cards else down).extend(self.story.cards(event.at))

    def round_dealt(self, event: RoundDealt) -> None:
        for place, seat in enumerate(event.seats):
            down, up = self.coming.setdefault(seat, ([], []))
            cards = self.story.cards(event.at[place :: len(event.seats)])
            down.extend(cards[: event.down])
            up.extend(cards[event.down :])

    def board_dealt(self, event: BoardDealt) -> None:
        self.board += self.story.cards(event.at)

    def street(self, event: StreetBegan) -> None:
        if event.street not in STREETS:
            self.showdown = True
            self.entries += [Entry("show", index + 1) for index in self.turned_up]
            return
        if not event.price:
            self.bets.clear()
        self.entries.append(Entry("street", street=event.street, board=tuple(self.board)))
        for index, (down, up) in sorted(self.coming.items()):
            self.entries.append(Entry("deal", index + 1, down=tuple(down), up=tuple(up)))
        self.board, self.coming = [], {}

    def brought_in(self, event: BroughtIn) -> None:
        self.pay("bring_in", event.seat, event.amount)

    def called(self, event: Called) -> None:
        self.put("call", event.seat, event.amount)

    def raised(self, event: RaisedTo) -> None:
        kind = "raise" if any(self.bets.values()) else "bet"
        self.put(kind, event.seat, event.to - self.bets.get(event.seat, 0))

    def returned(self, event: Returned) -> None:
        self.stacks[event.seat] += event.amount
        self.bets[event.seat] -= event.amount
        self.entries.append(Entry("uncalled", event.seat + 1, event.amount))

    def shown(self, event: Shown) -> None:
        if self.showdown:
            self.entries.append(Entry("show", event.seat + 1))
        elif event.seat not in self.turned_up:
            self.turned_up.append(event.seat)

    def awarded(self, event: Awarded) -> None:
        pot = "main" if event.pot == 0 else f"side-{event.pot}"
        if event.amount:
            self.entries.append(Entry("collect", event.seat + 1, event.amount, pot=pot, half=HALVES.get(event.share)))


def _says(kind: str) -> Callable[[_Book, Any], None]:
    return lambda book, event: book.entries.append(Entry(kind, event.seat + 1))


_NOTES: dict[type[Any], Callable[[_Book, Any], None]] = {
    AntePaid: _Book.ante,
    AntesPaid: _Book.antes,
    BlindPosted: _Book.blind,
    Posted: _Book.posted,
    Dealt: _Book.dealt,
    RoundDealt: _Book.round_dealt,
    BoardDealt: _Book.board_dealt,
    StreetBegan: _Book.street,
    BroughtIn: _Book.brought_in,
    Folded: _says("fold"),
    Checked: _says("check"),
    Called: _Book.called,
    RaisedTo: _Book.raised,
    Returned: _Book.returned,
    Shown: _Book.shown,
    Mucked: _says("muck"),
    Awarded: _Book.awarded,
}
