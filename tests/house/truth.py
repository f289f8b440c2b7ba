"""What nobody outside may know of the hands of a house: found out with the seal key, to search for it everywhere.

Whose card is whose follows from the rules of each game and from where cards go, not from what an event shows: it might
be the one that tells too much.
"""

from __future__ import annotations

import re
import sys
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from engine.cards import NAMES
from engine.deck import CARDS, Deck, hand_id, sealed_deck
from engine.events import HandStarted, TableOpened
from services.archive import Archive
from services.history import History
from services.reader import Reader
from services.sealing import SealKey
from services.wire import EVENTS

CARD = re.compile(r"(?<![0-9A-Za-z_])[2-9TJQKA][cdhs](?![0-9A-Za-z_])")
DOWN, STUD, UP = range(0), range(2, 6), range(5)
UP_CARDS = {"razz": STUD, "stud": STUD, "holdem": DOWN, "omaha8": DOWN, "abyssinia": UP, "hasaga": DOWN}
"""Which of the cards dealt to a seat lie face up, counted in the order it gets them; in Abyssinia not at a table that
hides what is bought blind. The other games are held against the same question in the generic tests
(tests/rules/test_every_game.py).
"""
HIDING = "abyssinia.hidden"
AHEAD = 6
"""Undealt positions whose salts are searched for."""
RUN = 4
"""Bytes of a number in a memoryview: by the first four of a needle most of them are seen not to be there."""
FEW, MANY = 4, 6
"""Cards next to each other: four names are no chance, six numbers are none in a megabyte of bytes (2 to the 48th)."""


class Hand:
    """One hand. `opened`: position → the version of the table at which the card became public; `own`: seat → the cards
    before it; `known`: player → all cards that he has held or paid to see.
    """

    def __init__(self, table: str, event: HandStarted, deck: Deck, seed: bytes, options: dict[str, Any]) -> None:
        self.name = f"{table} hand {event.number}"
        self.deck = deck
        self.seed = seed
        self.up = DOWN if options.get(HIDING) else UP_CARDS[event.game]
        self.players = {seat: player for seat, player, _ in event.seats}
        self.own: dict[int, list[int]] = {seat: [] for seat in self.players}
        self.known: dict[str, list[int]] = {player: [] for player in self.players.values()}
        self.looks = 0
        self.burned: list[int] = []
        self.opened: dict[int, int] = {}
        self.pending: dict[int, bytes] = {}
        self.street = ""
        self.order = bytes(range(CARDS))
        self.dealt = 0

    def take(self, version: int, event: Any) -> None:
        """What happens to cards and choices."""
        kind = type(event).__name__
        if kind in ("Dealt", "RoundDealt", "BoardDealt", "MarketShown", "CardAdded"):
            burned = getattr(event, "burned", b"")
            self.burned += burned
            self.dealt += len(burned) + len(event.at)
        if kind == "RoundDealt":
            for place, seat in enumerate(event.seats):
                self.deal(seat, event.at[place :: len(event.seats)], version)
        elif kind == "Dealt":
            self.deal(event.seat, event.at, version)
        elif kind in ("CardAdded", "DeadBought") or (kind == "Bought" and event.source in ("left", "right")):
            self.give(event.seat, event.at)
        elif kind in ("BoardDealt", "MarketShown", "Sold"):
            self.open(event.at, version)
        elif kind == "Shown":
            self.open(self.own[event.seat], version)
        elif kind in ("Looked", "Revealed"):
            self.looks += 1
            self.known[self.players[event.seat]] += event.at
        elif kind == "CutFixed":
            self.order = event.cut
        elif kind == "Merged":
            self.own[event.seat] += self.own[event.absorbed]
            self.own[event.absorbed] = []
        self.choose(kind, event)

    def deal(self, seat: int, at: bytes, version: int) -> None:
        before = len(self.own[seat])
        self.give(seat, at)
        self.open([position for number, position in enumerate(at, before) if number in self.up], version)

    def give(self, seat: int, at: bytes) -> None:
        """Cards come to a seat, out of the deck or from where they lay."""
        for cards in (*self.own.values(), self.burned):
            cards[:] = [position for position in cards if position not in at]
        self.own[seat] += at
        self.known[self.players[seat]] += at

    def choose(self, kind: str, event: Any) -> None:
        """Choices that nobody is told yet: whoever knew the salt could try them out."""
        if kind == "StreetBegan":
            self.street = event.street
        elif kind == "ChoiceSealed":
            self.pending[event.seat] = self.deck.salt(f"{self.street}/{event.seat}".encode())
        elif kind in ("Declared", "AnswersOpened"):
            self.pending.clear()

    def open(self, positions: Any, version: int) -> None:
        for at in positions:
            self.opened.setdefault(at, version)

    def names(self, positions: Any) -> list[str]:
        return [NAMES[self.deck.cards[at]] for at in positions]

    def seen_by(self, seat: int | None) -> list[int]:
        """What the player at a seat may know of others than the public; a session is that of his first seat."""
        player = None if seat is None else self.players.get(seat, self.players.get(seat + 1))
        return self.known[player] if player else []

    def allowed(self, version: int | None, seat: int | None) -> set[str]:
        """Cards that may be spoken of at a version (None: ever) to whoever sits there (None: to everybody)."""
        public = [at for at, since in self.opened.items() if version is None or since <= version]
        return set(self.names([*public, *self.seen_by(seat)]))

    def hidden(self, seat: int | None = None) -> dict[int, list[int]]:
        """Seat → its positions that never became public, without those that the player who looks has come to know."""
        known = {*self.opened, *self.seen_by(seat)}
        return {other: [at for at in own if at not in known] for other, own in self.own.items() if other != seat}

    def salts(self, seat: int | None) -> list[bytes]:
        """Of hidden and burned cards and of the next ones in the deck: whoever knows one can try out the card."""
        known = {*self.opened, *self.seen_by(seat)}
        positions = [at for own in self.hidden(seat).values() for at in own]
        positions += [at for at in self.burned if at not in known]
        positions += self.order[self.dealt : self.dealt + AHEAD]
        return [*(self.deck.opening(at)[:16] for at in positions), *self.pending.values()]


class Needle(NamedTuple):
    """Bytes that may stand nowhere. `what` says what they give away, without giving it away."""

    what: str
    data: bytes


def hands_of(table: str, store: Any, data: Path) -> dict[int, Hand]:
    """All hands of a table by number, from its whole log."""
    reader, archive, key = Reader(store), Archive(f"sqlite:///{data / 'archive.db'}"), SealKey.load(data / "keys")
    found: dict[int, Hand] = {}
    options: dict[str, Any] = {}
    for entry in History(reader, archive).events(table, 0):
        event = EVENTS.decode(entry.event)
        if isinstance(event, TableOpened):
            options = event.options
        if isinstance(event, HandStarted):
            segment = archive.segment(table, event.number)
            sealed = segment.sealed_seed if segment else reader.seed(table, event.number)
            assert sealed
            seed = key.open(sealed, table, event.number)
            deck = sealed_deck(seed, hand_id(table, event.number))
            found[event.number] = Hand(table, event, deck, seed, options)
        elif found:
            found[max(found)].take(entry.version, event)
    archive.close()
    return found


# --- what secrets look like ------------------------------------------------------------------------------------------


def spelt(secret: bytes) -> list[bytes]:
    """A secret as it is and as programs write it down."""
    texts = (secret.hex(), secret.hex().upper(), b64encode(secret).decode().rstrip("="), repr(secret)[2:-1])
    return [secret, *(text.encode() for text in texts), urlsafe_b64encode(secret).rstrip(b"=")]


def sequences(cards: list[int]) -> Iterator[tuple[str, bytes]]:
    """(spelling, bytes) of several cards next to each other, in every way in which they cannot stand there by chance:
    a test that searches megabytes of hashes and salts a thousand times must not find three or four cards in them.

    So numbers count where cards belong or where they are all there is of a value, and from MANY on everywhere; names
    from FEW on. Texts are searched for every single card by name (`spoken`): what is left are files and stores.
    """
    names, numbers, raw = [NAMES[card] for card in cards], [str(card) for card in cards], bytes(cards)
    for start, between in (('cards":[', ","), ('cards": [', ", "), ("cards=[", ", "), ("cards=(", ", ")):
        yield "numbers of cards", (start + between.join(numbers)).encode()
    yield "packed numbers of cards", b"cards" + bytes((0x90 + len(cards), *cards))
    yield "packed bytes of cards", b"cards\xc4" + bytes((len(cards), *cards))
    if len(cards) >= FEW:
        for between in ("", " ", ",", ", ", '","', '", "', "', '", "-", "|"):
            yield "names", between.join(names).encode()
        yield "packed names", b"".join(b"\xa2" + name.encode() for name in names)
        yield "packed numbers", bytes((0x90 + len(cards), *cards))
        yield "packed bytes", bytes((0xC4, len(cards), *cards))
        for text in (raw.hex(), b64encode(raw).decode(), ",".join(numbers)):
            yield "a text of its own", f'"{text}"'.encode()
    if len(cards) >= MANY:
        yield from (("bytes", raw), ("hex", raw.hex().encode()), ("base 64", b64encode(raw)[: len(cards) * 8 // 6]))
        yield from (("numbers", between.join(numbers).encode()) for between in (",", ", ", " "))


def needles(hand: Hand, seat: int | None = None) -> Iterator[Needle]:
    """What gives `hand` away to somebody at `seat` (None: to anybody)."""
    secrets = [("seed", hand.seed), *(("salt", salt) for salt in hand.salts(seat))]
    for what, secret in secrets:
        yield from (Needle(f"{what} of {hand.name}", data) for data in spelt(secret))
    for other, positions in hand.hidden(seat).items():
        cards = [hand.deck.cards[at] for at in positions]
        if len(cards) > 1:
            for order in (cards, sorted(cards), cards[::-1]):
                for spelling, data in sequences(order):
                    yield Needle(f"cards of seat {other} in {hand.name}, {spelling}", data)


def present(wanted: Iterable[Needle], data: bytes | bytearray) -> list[Needle]:
    """Those that stand in `data`. Searched for are only those of whose first four bytes there is a run in it."""
    by_start: dict[int, list[Needle]] = {}
    for needle in wanted:
        assert len(needle.data) >= RUN, needle.what
        by_start.setdefault(int.from_bytes(needle.data[:RUN], sys.byteorder), []).append(needle)
    whole = memoryview(data)
    runs = (whole[at : at + (len(data) - at) // RUN * RUN].cast("I") for at in range(RUN))
    starts = {start for run in runs for start in by_start.keys() & run}
    return [needle for start in starts for needle in by_start[start] if needle.data in data]


def spoken(text: str) -> set[str]:
    """Every card that a text names."""
    return set(CARD.findall(text))
