"""Our hands as PokerStars text, the form that most tracking programs import.

Games that the room has: razz, Omaha-8, hold'em, Omaha, stud, stud-8, all structures. Chips are play money, hand
numbers are 15 digits made of table and number, times are UTC. One line of talk, by a voice that nobody at the table
has, says under which rules the house dealt; programs pass over talk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256

from services.advice import hand_names
from services.exports.answer import EARLY, SHORT, CannotHold, Export, Unsaid, all_of
from services.exports.phh import short_price
from services.exports.record import BESIDE, gross_pots, has_record, record_of
from services.exports.remarks import hidden_cards, table_talk
from services.exports.story import Story
from services.formats import begins_hand
from services.formats.house_rules import in_words
from services.formats.record import Entry, Record
from services.formats.scribe import STUD_GAMES, STUD_STREETS
from services.formats.stars import HOUSE

GAMES = {
    "razz": "Razz",
    "omaha8": "Omaha Hi/Lo",
    "holdem": "Hold'em",
    "omaha": "Omaha",
    "stud": "7 Card Stud",
    "stud8": "7 Card Stud Hi/Lo",
}
STRUCTURES = {"FL": "Limit", "PL": "Pot Limit", "NL": "No Limit"}
STREETS = {"preflop": "HOLE CARDS", "7th": "RIVER"} | {name: f"{name} STREET" for name in STUD_STREETS[:-1]}

FIRST = ("preflop", "3rd")
FOLDED = {"flop": "Flop", "turn": "Turn", "river": "River"} | {name: f"{name} Street" for name in STUD_STREETS}

COMMUNITY = Unsaid("community_card", "the room never had to write a common card of stud; it stands after RIVER")
HALVES = Unsaid("shares", "which half of a pot was won with what")
NAMES = Unsaid("names", "the name of a player that could be read as a line about another; his seat stands for it")
RAKE = Unsaid("rake", "how much was taken from which pot; the summary has the sum")


def write(story: Story) -> Export:
    """One hand. Raises CannotHold for games and hands that the room has no words for."""
    if not has_record(story):
        why = "PokerStars has no text for a hand that is called off" if story.voided else "PokerStars has no such game"
        raise CannotHold(why)
    record = record_of(story, beside=True)
    if any(entry.kind == "dead" for entry in record.entries) and not any(
        entry.kind == "sb" for entry in record.entries
    ):
        raise CannotHold("without a small blind a dead one would be read as the small blind")
    lines = _Lines(story, record)
    return Export("\n".join([*lines.head(), *lines.course(), *lines.summary()]) + "\n", _unsaid(story, record))


def part(number: int, export: Export) -> str:
    """One hand of a file: two blank lines after it."""
    return export.text + "\n\n"


def hand_number(story: Story) -> int:
    """At most 15 digits, always the same for this hand."""
    return int.from_bytes(sha256(story.id.encode()).digest()) % 10**15


def names_of(record: Record) -> dict[int, str]:
    """Seat → name. Where one could begin a line about another, or a hand, the seat's number stands for it."""
    names = {player.seat: player.name for player in record.players}
    heads = [f"{name}{sign}" for name in names.values() for sign in (":", " ")]
    taken = [name for name in names.values() if any(map(name.startswith, heads)) or begins_hand(f"{name}: ")]
    return {seat: f"player in seat {seat}" if name in taken else name for seat, name in names.items()}


@dataclass(slots=True)
class _Lines:
    """The text in the writing. `bets`: of this street; `board`, `seen`: what lies there already, and what of it the
    viewer was shown by seat; `folded`: seat → street.
    """

    story: Story
    record: Record
    names: Mapping[int, str] = field(default_factory=dict)
    known: frozenset[str] = frozenset()
    bets: dict[int, int] = field(default_factory=dict)
    board: list[str] = field(default_factory=list)
    seen: dict[int, list[str]] = field(default_factory=dict)
    street: str = ""
    folded: dict[int, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.names = names_of(self.record)
        self.known = frozenset(self.story.known.values())

    def name(self, entry: Entry) -> str:
        return self.names[entry.seat or 0]

    # before the cards

    def head(self) -> Iterator[str]:
        """Title, table, seats, and the house's word."""
        record, hand = self.record, self.story.hand
        stakes, stud = hand.stakes, record.variant in STUD_GAMES
        small, big = stakes.small_blind, stakes.big_blind
        if record.structure == "FL":
            small, big = stakes.small_bet, stakes.big_bet
        when = datetime.fromtimestamp(hand.started_ms // 1000, UTC)
        game = f"{GAMES[record.variant]} {STRUCTURES[record.structure]}"
        yield f"PokerStars Hand #{hand_number(self.story)}:  {game} ({small}/{big}) - {when:%Y/%m/%d %H:%M:%S} UTC"
        button = "" if stud else f" Seat #{hand.button + 1} is the button"
        yield f"Table '{self.story.table}' {hand.chairs}-max (Play Money){button}"
        for player in record.players:
            yield f"Seat {player.seat}: {self.names[player.seat]} ({player.stack} in chips)"
        dealer = {"dealer": hand.button + 1} if stud else {}
        yield f'{HOUSE} said, "house rules: {in_words({**dealer, **(record.house or {})})}"'

    # the play

    def course(self) -> Iterator[str]:
        """Everything between the seats and the summary."""
        entries = self.record.entries
        shows = any(entry.kind in ("show", "muck") for entry in entries)
        both: int | None = None
        for entry, after in zip(entries, [*entries[1:], None], strict=True):
            if entry.kind == "dead" and after and (after.kind, after.seat) == ("post", entry.seat):
                both = entry.amount  # told together with the live blind
            elif entry.kind == "post" and both:
                yield f"{self.name(entry)}: posts small & big blinds {both + self.put(entry)}{all_in(entry)}"
                both = None
            else:
                if shows and entry.kind in ("show", "muck"):
                    shows = False
                    yield "*** SHOW DOWN ***"
                yield from _SAYS[entry.kind](self, entry)

    def put(self, entry: Entry) -> int:
        """Note a live bet of this street; what it adds."""
        self.bets[entry.seat or 0] = self.bets.get(entry.seat or 0, 0) + (entry.amount or 0)
        return entry.amount or 0

    def begin(self, entry: Entry) -> Iterator[str]:
        """A street with its common cards."""
        self.street = entry.street or ""
        if self.street not in FIRST:
            self.bets.clear()
        before = f" [{' '.join(self.board)}]" if self.board else ""
        new = f" [{' '.join(entry.board)}]" if entry.board else ""
        self.board += entry.board
        yield f"*** {STREETS.get(self.street, self.street.upper())} ***{before}{new}"

    def deal(self, entry: Entry) -> Iterator[str]:
        """Cards that the viewer knows from the deal: those of his seat, and of others what lies face up."""
        cards = (*entry.down, *entry.up) if {*entry.down} <= self.known else entry.up
        before = self.seen.setdefault(entry.seat or 0, [])
        if cards:
            past = f" [{' '.join(before)}]" if before else ""
            yield f"Dealt to {self.name(entry)}{past} [{' '.join(cards)}]"
        before += cards

    def fold(self, entry: Entry) -> Iterator[str]:
        self.folded[entry.seat or 0] = self.street
        yield f"{self.name(entry)}: folds"

    def raises(self, entry: Entry) -> Iterator[str]:
        price, to = max(self.bets.values(), default=0), entry.to or 0
        self.put(entry)
        yield f"{self.name(entry)}: raises {to - price} to {to}{all_in(entry)}"

    def shows(self, entry: Entry) -> Iterator[str]:
        cards = self.cards(entry.seat or 0)
        yield f"{self.name(entry)}: shows [{' '.join(cards)}]{self.worth(cards)}"

    def cards(self, seat: int) -> tuple[str, ...]:
        return self.story.cards(self.story.hand.seats[seat - 1].cards)

    def worth(self, cards: tuple[str, ...]) -> str:
        """What a hand is called, for high and low where there are both."""
        found = [one for one in hand_names(self.record.variant, cards, self.board) if "text" in one]
        marks = {"high": "HI: ", "low": "LO: "} if len(found) > 1 else {}
        return f" ({'; '.join(marks.get(one['share'], '') + one['text'] for one in found)})" if found else ""

    def collects(self, entry: Entry) -> Iterator[str]:
        several = len({award[0] for award in self.story.hand.awards}) > 1
        pot = (entry.pot or "").replace("side-", "side pot-").replace("main", "main pot") if several else "pot"
        yield f"{self.name(entry)} collected {entry.amount} from {pot}"

    # the end

    def summary(self) -> Iterator[str]:
        """Totals, the board, a line for every seat."""
        hand, outcome = self.story.hand, self.record.outcome
        assert outcome is not None
        yield "*** SUMMARY ***"
        main, *side = gross_pots(hand)
        parts = f" Main pot {main}.{''.join(f' Side pot-{at} {chips}.' for at, chips in enumerate(side, 1))}"
        yield f"Total pot {sum((main, *side))}{parts if side else ''} | Rake {hand.rake}"
        if self.board:
            yield f"Board [{' '.join(self.board)}]"
        for player in self.record.players:
            won = outcome.collected.get(player.seat, 0)
            yield f"Seat {player.seat}: {self.names[player.seat]}{self.role(player.seat)} {self.fate(player.seat, won)}"

    def role(self, seat: int) -> str:
        """Button and blinds, in games that have them."""
        hand, at = self.story.hand, seat - 1
        places = ((hand.button, "button"), (hand.small, "small blind"), (hand.big, "big blind"))
        return "".join(f" ({name})" for place, name in places if place == at and self.record.variant not in STUD_GAMES)

    def fate(self, seat: int, won: int) -> str:
        """How it ended for a seat."""
        one = self.story.hand.seats[seat - 1]
        if seat in self.folded:
            where = self.folded[seat]
            return "folded before Flop" if where == "preflop" else f"folded on the {FOLDED.get(where, where)}"
        if one.shown:
            return f"showed [{' '.join(self.cards(seat))}] and {f'won ({won})' if won else 'lost'}"
        return f"collected ({won})" if won else "mucked"


def all_in(entry: Entry) -> str:
    return " and is all-in" if entry.all_in else ""


Say = Callable[[_Lines, Entry], Iterable[str]]


def line(words: str, live: bool = False) -> Say:
    """A line of a name, these words, and the amount, if there is one."""

    def say(lines: _Lines, entry: Entry) -> Iterator[str]:
        if live:
            lines.put(entry)
        amount = f" {entry.amount}" if entry.amount else ""
        yield f"{lines.name(entry)}{words}{amount}{all_in(entry)}"

    return say


_SAYS: dict[str, Say] = {
    "ante": line(": posts the ante"),
    "sb": line(": posts small blind", live=True),
    "bb": line(": posts big blind", live=True),
    "post": line(": posts big blind", live=True),
    "dead": line(": posts small blind"),
    "street": _Lines.begin,
    "deal": _Lines.deal,
    "bring_in": line(": brings in for", live=True),
    "check": line(": checks"),
    "fold": _Lines.fold,
    "call": line(": calls", live=True),
    "bet": line(": bets", live=True),
    "raise": _Lines.raises,
    "uncalled": lambda lines, entry: [f"Uncalled bet ({entry.amount}) returned to {lines.name(entry)}"],
    "show": _Lines.shows,
    "muck": line(": mucks hand"),
    "collect": _Lines.collects,
    "timed_out": line(" has timed out"),
    "sits_out": line(" is sitting out"),
    "returns": line(" has returned"),
    "disconnected": line(" is disconnected"),
    "connected": line(" is connected"),
}


def _unsaid(story: Story, record: Record) -> tuple[Unsaid, ...]:
    """What of this hand the text does not say."""
    hand, found = story.hand, []
    if record.variant in STUD_GAMES and hand.board:
        found.append(COMMUNITY)
    if {share for _, share, _, _ in hand.awards} & {"high", "low", "both"}:
        found.append(HALVES)
    if short_price(story):
        found.append(SHORT)
    if hand.rake:
        found.append(RAKE)
    if hand.options["showdown.all_in_face_up"]:
        found.append(EARLY)
    if {*names_of(record).values()} != {player.name for player in record.players}:
        found.append(NAMES)
    return all_of(found, table_talk(story, BESIDE), hidden_cards(record))
