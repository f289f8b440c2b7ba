"""What a table is at one moment. Plain slotted records, changed by events only (`engine/events/`).

A `Place` is a chair at the table and outlives hands; a `Seat` is the same chair during one hand: the betting unit
that holds cards, puts in chips and takes turns. Both are addressed by the same index. A player may own two seats.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from engine.deck import Deck
    from engine.game import Game, Options, Script
    from engine.middle import Middle
    from engine.pots import Pot

NOT_YET = -1  # Seat.acted of a seat that has not acted on this street
BURNED = -1  # in `Hand.gone`: the burned cards
NOT_A_LEAF = bytes(204)  # what a table of 256 needs beside the 52 cards, to look up many at once
UNCUT = bytes(range(52))  # dealing order -> position where no public cut moves the cards


class Stakes(NamedTuple):
    """Forced bets and bet sizes of one hand, in chips; 0 where the game has none."""

    ante: int = 0
    bring_in: int = 0
    small_blind: int = 0
    big_blind: int = 0
    small_bet: int = 0
    big_bet: int = 0


@lru_cache(maxsize=256)
def stakes_of(told: tuple[int, ...]) -> Stakes:
    """Of the numbers that an event tells; hand after hand they are the same few."""
    return Stakes(*told)


class Post(NamedTuple):
    """What a returning or new player posts: `live` counts as his bet, `dead` does not (COM-69)."""

    seat: int
    live: int
    dead: int


@dataclass(slots=True)
class Place:
    """A chair with its player, between hands and through them. `chips` is the stack before the running hand."""

    player: str
    chips: int
    bank_ms: int
    sitting_out: bool = False
    owes_small: int = 0
    owes_big: int = 0
    posting: bool = False  # wants to post what is owed instead of waiting for the big blind (OM8-16, OM8-18)
    leaving: bool = False
    top_up: int = 0
    connected: bool = True
    missed_orbits: int = 0
    eliminated: bool = False  # has lost its chips in a tournament: never dealt in again (HAS-C46)

    @property
    def owes(self) -> bool:
        return self.owes_small > 0 or self.owes_big > 0


@dataclass(slots=True, init=False)
class Seat:
    """A betting unit in one hand. `bet`: live chips on this street; `paid`: antes and bets over the hand (COM-41)."""

    player: str
    stack: int
    start: int
    bet: int
    paid: int
    fees: int  # dead chips attached to this seat (COM-52)
    acted: int  # the betting level when it last acted on this street (COM-23, COM-32)
    live: bool
    shown: bool
    mucked: bool
    graced: bool  # has used its disconnection grace in this hand (COM-72)
    closed: bool  # in for what it has put in, but may not bet, though it has chips left (HAS-37)
    merged: bool  # its cards and chips have gone to the player's other seat (HAS-C26)
    cards: list[int]  # deck positions, in the order received
    up: list[int]  # those of them that lie face up

    def __init__(self, player: str, chips: int) -> None:
        self.player = player
        self.stack = self.start = chips
        self.bet = self.paid = self.fees = 0
        self.acted = NOT_YET
        self.live = True
        self.shown = self.mucked = self.graced = self.closed = self.merged = False
        self.cards, self.up = [], []

    @property
    def all_in(self) -> bool:
        return self.live and self.stack == 0


Circle = tuple[tuple[int, ...], ...]  # for every chair: the dealt-in seats clockwise, the first after it first


@lru_cache(maxsize=4096)
def circle(seats: frozenset[int], chairs: int) -> Circle:
    """Of these seats at a table of so many chairs. The same few are asked for hand after hand."""
    return tuple(tuple(sorted(seats, key=lambda index: (index - chair - 1) % chairs)) for chair in range(chairs))


@dataclass(slots=True)
class Hand:
    """One deal. `seats` holds the dealt-in seats by index, from the button's left; `order` lists their indices."""

    number: int
    game: Game
    options: Options
    script: Script = field(repr=False, compare=False)
    stakes: Stakes
    button: int
    small: int  # the small-blind position, which may be an empty chair (COM-66)
    big: int
    chairs: int
    order: list[int]
    in_it: list[int]  # those of them whose seat is live
    after: Circle = field(repr=False, compare=False)  # from the chair after one; chair -1 is the last
    seats: dict[int, Seat]
    posts: tuple[Post, ...]
    root: bytes
    started_ms: int
    deck: list[int | None] = field(repr=False)  # position -> card, None where this process does not know it
    open: bytearray = field(repr=False)  # position -> 1 once the card is public
    deal: Deck | None = field(default=None, repr=False, compare=False)
    pledges: dict[str, bytes] = field(init=False)  # player -> his pledge for the cut of this hand
    seeds: dict[str, bytes] = field(init=False)  # player -> the seed he has revealed
    cut: bytes | None = None  # dealing order -> position, where players had pledged seeds
    dealt: int = 0
    board: list[int] = field(init=False)
    burned: list[int] = field(init=False)
    gone: list[tuple[int, int]] = field(init=False)  # (seat or BURNED, slot) whose card was bought away
    discards: list[int] = field(init=False)  # cards out of play, face up
    looks: dict[str, list[int]] = field(init=False)  # player -> positions he has paid to see
    skipped: list[str] = field(init=False)  # streets that will not be dealt
    aside: dict[str, int] = field(init=False)  # cards that lie elsewhere in the middle, by the game's word
    street: str = ""
    round: str = ""  # the last betting street
    step: int = -1
    first: int = 0  # the seat first in the order of action on this street
    price: int = 0  # the bet to match on this street
    level: int = 0  # the last full bet or raise (limit), the price (other structures)
    size: int = 0  # what a full raise adds
    raises: int = 0
    actor: int | None = None
    awaited: tuple[int, ...] = ()  # seats that may answer in any order, under one turn; the actor is one of them
    deadline: int = 0
    aggressor: int | None = None  # last seat that bet or raised of its own will (COM-60)
    aggressor_street: str = ""
    dead: int = 0  # chips in the middle that are nobody's bet (COM-41)
    attached: int = 0  # all `Seat.fees`
    rake: int = 0
    bank: int = 0  # the balance of the table's bank when the hand began
    awarded: int = 0
    returns: list[tuple[str, int, int]] = field(init=False)
    awards: list[tuple[int, str, int, int]] = field(init=False)
    sealed: dict[int, bytes] = field(init=False)  # choices made that are not told yet
    over: bool = False
    legal: dict[str, tuple[int, int]] | None = field(default=None, repr=False, compare=False)
    choices: dict[str, list[dict[str, object]]] | None = field(default=None, repr=False, compare=False)
    scores: dict[int, tuple[int | None, ...]] | None = field(default=None, repr=False, compare=False)
    contested: list[Pot] | None = field(default=None, repr=False, compare=False)
    memo: dict[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        """Every hand has lists and dictionaries of its own; a factory called for each would take twice as long."""
        self.pledges, self.seeds, self.looks, self.aside, self.sealed, self.memo = {}, {}, {}, {}, {}, {}
        self.board, self.burned, self.gone, self.discards, self.skipped = [], [], [], [], []
        self.returns, self.awards = [], []

    @property
    def revealing(self) -> bool:
        """Nothing is dealt yet: players may reveal their seeds until `deadline`."""
        return bool(self.pledges) and self.cut is None and not self.over

    @property
    def clocked(self) -> bool:
        """Somebody is waited for, until `deadline`."""
        return self.actor is not None or self.revealing

    def live(self) -> list[int]:
        """Seats still in the hand, in dealing order; nobody changes the list."""
        return self.in_it

    def fold(self, index: int) -> None:
        """The seat is out of it."""
        self.seats[index].live = False
        self.in_it = live = self.in_it.copy()
        live.remove(index)

    def lying(self, target: int) -> list[int]:
        """Positions of the burned cards (BURNED) or of a seat's cards, but for those that were bought away."""
        cards = self.burned if target == BURNED else self.seats[target].cards
        return [at for slot, at in enumerate(cards) if (target, slot) not in self.gone]

    def seats_of(self, index: int) -> list[int]:
        """The seats of whoever owns this one."""
        player = self.seats[index].player
        return [other for other, seat in self.seats.items() if seat.player == player]

    def take(self, count: int) -> bytes:
        """Deck positions of the next `count` cards from the top (COM-01; the cut permutes them)."""
        return (self.cut or UNCUT)[self.dealt : self.dealt + count]

    def cards_of(self, index: int) -> list[int]:
        """The cards of a seat, all of them; only for a process that knows the deck."""
        deck = self.deck
        return [deck[at] for at in self.seats[index].cards]  # type: ignore[misc]

    def learn(self, deal: Deck) -> None:
        """The dealing process (and the auditor) folds with the deck; everybody else without."""
        self.deal = deal
        self.deck = list(deal.values)

    def reveal(self, at: bytes) -> tuple[bytes, bytes]:
        """Cards at these positions and their openings, for an event that makes them public."""
        deal = self.deal
        assert deal is not None, "the deck is not known here"
        openings = b"".join([deal.opening(i) for i in at]) if deal.root else b""
        return at.translate(deal.cards + NOT_A_LEAF), openings

    def stacks(self) -> tuple[int, ...]:
        """What every seat has left, in dealing order."""
        return tuple([seat.stack for seat in self.seats.values()])

    def in_middle(self) -> int:
        """Chips put in and not yet paid out: bets, antes, dead chips (the pot of COM-33)."""
        return in_middle(self)


def in_middle(of: Hand | Middle) -> int:
    """As `Hand.in_middle`."""
    return of.dead + of.attached - of.awarded - of.rake + sum([seat.paid for seat in of.seats.values()])


@dataclass(slots=True)
class Rotation:
    """Where a mixed table stands: `game` has been dealt since hand `since`, whose first deal had `players` seats.

    `chooser`: who last had the choice of a game at a dealer's choice table; `chosen`: what is dealt next, if asked for.
    """

    game: str
    since: int
    players: int
    chooser: int
    chosen: str = ""


@dataclass(slots=True)
class Table:
    """A table: its options, its places and its latest hand (kept after its end until the next one starts)."""

    id: str
    game: Game | None = None
    options: Options | None = None
    rules: str = ""
    status: str = "new"  # new, running, paused, closed
    paused_ms: int = 0
    places: list[Place | None] = field(default_factory=list)
    number: int = 0
    turn: int = 0
    button: int | None = None
    small: int | None = None
    big: int | None = None
    hand: Hand | None = None
    rotation: Rotation | None = None  # of a mixed table, once a hand has been dealt
    bank: int = 0  # what a game's bank has received, less what it has paid (HAS-C36)
    level: int = 0  # of a tournament, from 1; 0 before its first deal
    level_ms: int = 0  # when the level began
    ranks: dict[str, int] = field(default_factory=dict)  # of the players who are out, and of the winner
    pledges: dict[str, bytes] = field(default_factory=dict)  # player -> his pledge for the cut of the next hand

    @property
    def playing(self) -> bool:
        return self.hand is not None and not self.hand.over

    def place(self, index: int) -> Place:
        """The occupied place at `index`."""
        found = self.places[index]
        assert found is not None, "nobody sits there"
        return found

    def seats_of(self, player: str) -> list[int]:
        """The chairs of a player; he may have two."""
        return [index for index, place in enumerate(self.places) if place and place.player == player]

    def stakes(self, game: Game | None = None) -> Stakes:
        """Of the table's game, or of one that it deals: of the level in force where there are levels (HAS-C44)."""
        game = game or self.game
        assert game is not None and self.options is not None
        if game.tournament is None:
            return self.options.once(game.stakes)
        return game.tournament.levels(self.options)[max(self.level, 1) - 1]

    def chips(self) -> int:
        """All chips at the table: stacks, what is in the middle, and the bank's balance (COM-55)."""
        hand = self.hand
        if hand is None or hand.over:
            return self.bank + sum(place.chips for place in self.places if place)
        total = self.bank + hand.in_middle() + hand.rake
        for index, place in enumerate(self.places):
            if index in hand.seats:
                total += hand.seats[index].stack
            elif place:
                total += place.chips
        return total
