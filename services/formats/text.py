"""What the two text readers share: cutting a file into hands and walking through the lines of one.

A `Room` is a table of forms: how a hand begins, and what each whole line means. Nothing is searched inside a
line: the players' names are known from the seats of the hand, so a name may hold colons, brackets, verbs or
two spaces. A line that fits no form breaks the history; talk and comings and goings are the forms of
`remarks`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from services.formats.figures import CURRENCIES, Nonsense, amount, card_names
from services.formats.house_rules import Rule
from services.formats.record import BrokenHistory, Player, Record
from services.formats.scribe import STUD_GAMES, Scribe
from services.formats.sheet import UNREADABLE, Sheet, lines_of

AMOUNT = rf"[{CURRENCIES}]?\d(?:[\d \u00a0\u202f'’.,]*\d)?(?:[ \u00a0]?[{CURRENCIES}])?"
CARDS = r"\[([^\[\]]*)\]"
STREETS = {"HOLE CARDS": "preflop", "FLOP": "flop", "TURN": "turn", "RIVER": "river"}


@dataclass(frozen=True, slots=True)
class Title:
    """What the first line of a hand says. `stakes`: as printed, small and big (bets or blinds)."""

    number: str
    variant: str
    structure: str
    cents: bool
    stakes: tuple[int, int]
    ante: int = 0


def found_in(pattern: re.Pattern[str], line: str, what: str) -> re.Match[str]:
    """What a first line has to tell."""
    found = pattern.search(line)
    if not found:
        raise Nonsense(f"a first line without {what}")
    return found


def title(head: re.Pattern[str], stakes: re.Pattern[str], game: Callable[[str], tuple[str, str]], line: str) -> Title:
    """The title of a first line. `stakes` finds small, big, and an ante where the room prints one there."""
    number, amounts = found_in(head, line, "number")[1], found_in(stakes, line, "stakes").groups()
    cents = any(sign in amounts[0] for sign in CURRENCIES)
    small, big, *ante = (amount(chips, cents) if chips else 0 for chips in amounts)
    return Title(number, *game(line), cents, (small, big), *ante)


@dataclass(slots=True)
class Walk:
    """The state of reading one hand."""

    title: Title
    seats: dict[str, int] = field(default_factory=dict)
    stacks: list[Player] = field(default_factory=list)
    button: int | None = None
    book: Scribe | None = None
    summary: bool = False
    total: int | None = None
    rake: int = 0
    cancelled: bool = False
    house: dict[str, Rule] | None = None

    @property
    def scribe(self) -> Scribe:
        """The record in the writing; the seats are complete when it is first needed."""
        if self.book is None:
            self.book = Scribe(self.title.variant, self.stacks)
        return self.book

    def chips(self, text: str) -> int:
        """A printed amount of this hand."""
        return amount(text, self.title.cents)

    def sit(self, seat: str, name: str, stack: str) -> None:
        """A seat of the list at the head of the hand."""
        if self.book is not None or name in self.seats:
            raise Nonsense("a seat listed twice or too late")
        self.seats[name] = int(seat)
        self.stacks.append(Player(int(seat), name, self.chips(stack)))

    def owners(self, line: str, start: str = "") -> Iterator[tuple[int, str]]:
        """(seat, rest of the line) for every player whose name the line begins with, longest name first."""
        for name in sorted(self.seats, key=len, reverse=True):
            if line.startswith(start + name):
                yield self.seats[name], line[len(start) + len(name) :]


Verb = Callable[[Walk, int, re.Match[str]], None]
Form = Callable[[Walk, re.Match[str]], None]


def put(kind: str) -> Verb:
    """call, bet: the printed amount is added."""
    return lambda walk, seat, found: walk.scribe.put(kind, seat, walk.chips(found[1]))


def forced(kind: str) -> Verb:
    """ante, bring_in, post, dead, straddle."""
    return lambda walk, seat, found: walk.scribe.forced(kind, seat, walk.chips(found[1]))


def blind(kind: str, again: str) -> Verb:
    """The first small or big blind; what others post of the same kind is called `again`."""

    def post(walk: Walk, seat: int, found: re.Match[str]) -> None:
        met = any(entry.kind == kind for entry in walk.scribe.entries)
        walk.scribe.forced(again if met else kind, seat, walk.chips(found[1]))

    return post


def say(kind: str) -> Verb:
    """check, fold, muck."""
    return lambda walk, seat, found: walk.scribe.say(kind, seat)


def raises(walk: Walk, seat: int, found: re.Match[str]) -> None:
    """The last amount is the total of the seat on this street."""
    walk.scribe.raise_to(seat, walk.chips(found[found.re.groups]))


def shows(walk: Walk, seat: int, found: re.Match[str]) -> None:
    """Cards turned up by their owner."""
    walk.scribe.learn(seat, card_names(found[1]))
    walk.scribe.say("show", seat)


def deal(walk: Walk, seat: int, held: tuple[str, ...], new: tuple[str, ...]) -> None:
    """`Dealt to X [held] [new]`: whoever is shown three cards on 3rd street tells the story, of others we see
    one.
    """
    scribe, seen = walk.scribe, held + new
    if walk.title.variant not in STUD_GAMES:
        scribe.learn(seat, seen)
        return
    if not seen:
        raise Nonsense("dealt no card")
    if (len(seen) == 3 and scribe.street == 0) or seat in scribe.known:
        scribe.learn(seat, seen)
    if scribe.street < 4:
        scribe.door(seat, seen[-1:])


def dealt(walk: Walk, found: re.Match[str]) -> None:
    """The line `Dealt to …`."""
    for seat, rest in walk.owners(found[0], "Dealt to "):
        if cards := re.fullmatch(rf" {CARDS}(?: {CARDS})?", rest):
            deal(walk, seat, card_names(cards[1]), card_names(cards[2] or ""))
            return
    raise Nonsense("cards dealt to nobody")


def begin(walk: Walk, name: str, before: str | None, new: str | None) -> None:
    """A street: the cards that lie there already, said again, and the new ones. Raises Nonsense if they are others."""
    scribe = walk.scribe
    if before is not None and card_names(before) != tuple(card for entry in scribe.entries for card in entry.board):
        raise Nonsense(f"other cards on the board than before: {before!r}")
    scribe.begin(name, card_names(new or ""))


def uncalled(walk: Walk, found: re.Match[str]) -> None:
    """Amount and owner of what nobody called."""
    if found[2] not in walk.seats:
        raise Nonsense("chips returned to nobody")
    walk.scribe.uncalled(walk.seats[found[2]], walk.chips(found[1]))


def summary(walk: Walk, found: re.Match[str]) -> None:
    """The summary begins."""
    walk.summary = True


def cancelled(walk: Walk, found: re.Match[str]) -> None:
    """The room gave everything back."""
    walk.cancelled = True


def total(walk: Walk, found: re.Match[str]) -> None:
    """Pot and rake of the summary."""
    walk.total, walk.rake = walk.chips(found[1]), walk.chips(found[2])


def sit(walk: Walk, found: re.Match[str]) -> None:
    """Seat number, name, stack."""
    walk.sit(found[1], found[2], found[3])


def forms(*pairs: tuple[str, Form]) -> tuple[tuple[re.Pattern[str], Form], ...]:
    """Whole lines and what they mean."""
    return tuple((re.compile(pattern), form) for pattern, form in pairs)


def verbs(*pairs: tuple[str, Verb]) -> tuple[tuple[re.Pattern[str], Verb], ...]:
    """What may follow a name, and what it means."""
    return tuple((re.compile(pattern), verb) for pattern, verb in pairs)


@dataclass(frozen=True, slots=True)
class Room:
    """`game`: variant and structure from a first line. `verbs`: what may follow a player's name; `forms`:
    other whole lines; `remarks`: lines without meaning here.
    """

    name: str
    head: re.Pattern[str]
    game: Callable[[str], tuple[str, str]]
    title: Callable[[str], Title]
    verbs: tuple[tuple[re.Pattern[str], Verb], ...]
    forms: tuple[tuple[re.Pattern[str], Form], ...]
    remarks: re.Pattern[str]


def sheets(rooms: Sequence[Room], file: str, text: str) -> Iterator[Sheet]:
    """The hands of a file, unread, in the order of the file; of whichever of the rooms each one is."""
    lines = [line.strip() for line in lines_of(text)]
    starts = [(at, room) for at, line in enumerate(lines) for room in rooms if room.head.match(line)]
    ends = [*(at for at, _ in starts[1:]), len(lines)]
    for (at, room), end in zip(starts, ends, strict=True):
        yield _sheet(room, file, lines[at:end], at + 1)


def _sheet(room: Room, file: str, lines: list[str], first: int) -> Sheet:
    head = room.head.match(lines[0])
    assert head is not None, "cut at the heads"
    try:
        variant = room.game(lines[0])[0]
    except Nonsense:
        variant = UNREADABLE
    return Sheet(f"{room.name}-{head[1]}", variant, file, first, lambda: _read(room, file, lines, first))


def _read(room: Room, file: str, lines: list[str], first: int) -> Record:
    done = 0
    try:
        walk = Walk(room.title(lines[0]))
        for line in lines[1:]:
            done += 1
            if line:
                _line(room, walk, line)
        return _record(room, walk)
    except Nonsense as why:
        raise BrokenHistory(file, first + done, str(why)) from None


def _line(room: Room, walk: Walk, line: str) -> None:
    if walk.summary and _told_in_summary(walk, line):
        return
    for pattern, form in room.forms:
        if found := pattern.fullmatch(line):
            form(walk, found)
            return
    meanings = [
        (verb, seat, found)
        for seat, rest in walk.owners(line)
        for pattern, verb in room.verbs
        if (found := pattern.fullmatch(rest))
    ]
    if len(meanings) > 1:
        raise Nonsense("a line that two players could have written")
    for verb, seat, found in meanings:
        verb(walk, seat, found)
    if not meanings and not room.remarks.fullmatch(line):
        raise Nonsense(f"not understood: {line[:80]!r}")


_SUMMARY_SEAT = re.compile(r"Seat (\d+): ")
_SUMMARY_CARDS = re.compile(rf"(?: \([a-z ]+\))* (?:mucked|showed) {CARDS}.*")
_NOT_AWARDED = re.compile(rf".* won \(({AMOUNT})\) .*\(pot not awarded as player cashed out\)")


def _told_in_summary(walk: Walk, line: str) -> bool:
    """Seat lines of the summary: only cards shown or mucked there are news, and what a player won by the cards who had
    sold his chance to the room.
    """
    found = _SUMMARY_SEAT.match(line)
    if not found:
        return False
    for seat, rest in walk.owners(line, found[0]):
        if seat != int(found[1]):
            continue
        if cards := _SUMMARY_CARDS.fullmatch(rest):
            walk.scribe.learn(seat, card_names(cards[1]))
        if won := _NOT_AWARDED.fullmatch(rest):
            walk.scribe.collect(seat, walk.chips(won[1]), "main")
    return True


def _record(room: Room, walk: Walk) -> Record:
    scribe, title = walk.scribe, walk.title
    if not scribe.entries and not walk.cancelled:
        raise Nonsense("a hand in which nothing happens")
    if not walk.cancelled:
        scribe.settle()
        scribe.check_money(walk.total, walk.rake)
    entries = scribe.entries_with_deals()
    scribe.check_cards(entries)
    playing = {entry.seat for entry in entries}
    return Record(
        id=f"{room.name}-{title.number}",
        variant=title.variant,
        structure=title.structure,
        unit="cent" if title.cents else "chip",
        limits=_limits(title, scribe),
        button=None if title.variant in STUD_GAMES and walk.house is None else walk.button,
        players=tuple(p for p in sorted(walk.stacks, key=lambda p: p.seat) if p.seat in playing),
        entries=entries,
        outcome=scribe.outcome(walk.rake, after_rake=walk.house is not None),
        cancelled=walk.cancelled,
        house=walk.house,
    )


def _limits(title: Title, scribe: Scribe) -> Mapping[str, int | bool | list[int]]:
    """The stakes of the hand, from its title and from what was posted."""
    small, big = title.stakes
    antes = [e.amount or 0 for e in scribe.entries if e.kind == "ante"]
    limits: dict[str, int | bool | list[int]] = {"ante": max([title.ante, *antes])}
    if title.structure == "FL":
        limits |= {"small_bet": small, "big_bet": big}
    if title.variant in STUD_GAMES:
        return limits | _bring_in(small, scribe)
    if title.structure == "FL":
        return limits | {"big_blind": small} | _small_blind(small, scribe)
    return limits | {"big_blind": big, "small_blind": small}


def _bring_in(small_bet: int, scribe: Scribe) -> dict[str, int | bool | list[int]]:
    for entry in scribe.entries:
        if entry.kind == "bring_in" and entry.amount is not None:
            short = {"bring_in_all_in_short": True} if entry.all_in else {}
            return {"bring_in": entry.amount, **short}
    return {"bring_in": small_bet // 2, "bring_in_inferred": True}


def _small_blind(big_blind: int, scribe: Scribe) -> dict[str, int | bool | list[int]]:
    for entry in scribe.entries:
        if entry.kind == "sb" and entry.amount is not None and not entry.all_in:
            return {"small_blind": entry.amount}
    return {"small_blind": big_blind // 2, "small_blind_inferred": True}
