"""Everything that can happen at a table, and what it does.

An event is a fact that cannot be recomputed. `apply` adds, moves and removes; it never decides (the rules are in the
steps). Names and field order are a storage format: fields are only added at the end, with a default; names stay. Cards
are named by deck position (`at`, one byte each) and appear as values only where the fact makes them public,
together with the openings of their commitments (`engine/deck.py`; empty for a bare deck).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from engine.game import find_game, script_for
from engine.refusals import LogBroken
from engine.state import NOT_YET, Hand, Place, Post, Rotation, Seat, Stakes, Table

REGISTRY: dict[str, type[Event]] = {}
VERSIONS: dict[str, int] = {}
OF_GAMES: dict[str, tuple[str, ...]] = {}  # a game's own events -> the fields everybody may see
MOVES_CARDS = ["Dealt"]  # events after which the player of their `seat` sees other cards of his own than before


class Event(Protocol):
    """A NamedTuple of plain values with `apply`."""

    def apply(self, table: Table) -> None: ...


def event(cls: type[Any]) -> type[Any]:
    """Register an event under its class name, first version 1."""
    REGISTRY[cls.__name__] = cls
    VERSIONS[cls.__name__] = 1
    return cls


def game_event(*visible: str, moves_cards: bool = False) -> Callable[[type[Any]], type[Any]]:
    """Register an event of one game. `visible`: the fields everybody may see, none of which can hold a hidden card."""

    def register(cls: type[Any]) -> type[Any]:
        OF_GAMES[cls.__name__] = visible
        if moves_cards:
            MOVES_CARDS.append(cls.__name__)
        return event(cls)

    return register


def running_hand(table: Table) -> Hand:
    """The hand being played; a hand event without one is a damaged log."""
    hand = table.hand
    if hand is None or hand.over:
        raise LogBroken("an event of a hand outside a hand")
    return hand


def pay(seat: Seat, amount: int) -> None:
    """Chips from the stack to the bet."""
    seat.stack -= amount
    seat.bet += amount
    seat.paid += amount


# --- the table -------------------------------------------------------------------------------------------------------


@event
class TableOpened(NamedTuple):
    game: str
    options: dict[str, Any]
    rules: str
    chairs: int
    opened_ms: int

    def apply(self, table: Table) -> None:
        table.game = find_game(self.game)
        table.options = table.game.resolve(self.options)
        table.rules = self.rules
        table.places = [None] * self.chairs
        table.status = "running"


@event
class OptionsChanged(NamedTuple):
    actor: str
    options: dict[str, Any]

    def apply(self, table: Table) -> None:
        assert table.game is not None
        table.options = table.game.resolve(self.options)


@event
class Sat(NamedTuple):
    seat: int
    player: str
    chips: int
    bank_ms: int
    transfer: str

    def apply(self, table: Table) -> None:
        table.places[self.seat] = Place(self.player, self.chips, self.bank_ms)


@event
class Stood(NamedTuple):
    seat: int
    player: str
    chips: int
    transfer: str

    def apply(self, table: Table) -> None:
        table.places[self.seat] = None


@event
class LeaveAsked(NamedTuple):
    """The player goes; his turns time out at once and the seat is freed after the hand (COM-11)."""

    seat: int

    def apply(self, table: Table) -> None:
        table.place(self.seat).leaving = True


@event
class TopUpAsked(NamedTuple):
    """Chips asked for during a hand; they are added when it is over (COM-15)."""

    seat: int
    amount: int

    def apply(self, table: Table) -> None:
        table.place(self.seat).top_up += self.amount


@event
class ChipsAdded(NamedTuple):
    seat: int
    amount: int
    transfer: str
    why: str

    def apply(self, table: Table) -> None:
        place = table.place(self.seat)
        place.chips += self.amount
        place.top_up = 0


@event
class SatOut(NamedTuple):
    seat: int
    why: str

    def apply(self, table: Table) -> None:
        place = table.place(self.seat)
        place.sitting_out = True
        place.posting = False


@event
class SatIn(NamedTuple):
    seat: int

    def apply(self, table: Table) -> None:
        place = table.place(self.seat)
        place.sitting_out = False
        place.missed_orbits = 0


@event
class BlindsOwed(NamedTuple):
    """What the seat owes before it is dealt in again, unless it waits for the big blind (COM-69)."""

    seat: int
    small: int
    big: int

    def apply(self, table: Table) -> None:
        place = table.place(self.seat)
        place.owes_small = self.small
        place.owes_big = self.big


@event
class PostAsked(NamedTuple):
    """The player will post what he owes at the next deal instead of waiting (OM8-16, OM8-18)."""

    seat: int

    def apply(self, table: Table) -> None:
        place = table.place(self.seat)
        place.sitting_out = False
        place.posting = True
        place.missed_orbits = 0


@event
class OrbitMissed(NamedTuple):
    """The big blind (or the dealer) passed a seat that sits out (COM-70)."""

    seat: int

    def apply(self, table: Table) -> None:
        table.place(self.seat).missed_orbits += 1


@event
class Disconnected(NamedTuple):
    seat: int

    def apply(self, table: Table) -> None:
        table.place(self.seat).connected = False


@event
class Connected(NamedTuple):
    seat: int

    def apply(self, table: Table) -> None:
        table.place(self.seat).connected = True


@event
class Paused(NamedTuple):
    actor: str
    why: str
    at: int

    def apply(self, table: Table) -> None:
        table.status = "paused"
        table.paused_ms = self.at


@event
class Resumed(NamedTuple):
    actor: str

    def apply(self, table: Table) -> None:
        table.status = "running"


@event
class GameChosen(NamedTuple):
    """What is dealt next at a dealer's choice table; `default`: `seat` let the time pass (MIX-07, MIX-08)."""

    seat: int
    game: str
    default: bool

    def apply(self, table: Table) -> None:
        assert table.rotation is not None
        table.rotation.chooser, table.rotation.chosen = self.seat, self.game


@event
class Closed(NamedTuple):
    actor: str
    why: str

    def apply(self, table: Table) -> None:
        table.status = "closed"


# --- a tournament ----------------------------------------------------------------------------------------------------


@event
class LevelStarted(NamedTuple):
    """Blinds and antes of this level hold for the hands that start from now on; levels count from 1 (HAS-C44)."""

    level: int
    at: int

    def apply(self, table: Table) -> None:
        table.level = self.level
        table.level_ms = self.at


@event
class LevelExtended(NamedTuple):
    """A pause does not count: the level ends `by` ms later."""

    by: int

    def apply(self, table: Table) -> None:
        table.level_ms += self.by


@event
class SeatEliminated(NamedTuple):
    """The seat has lost its chips, for good (HAS-C46)."""

    seat: int

    def apply(self, table: Table) -> None:
        table.place(self.seat).eliminated = True


@event
class PlayerRanked(NamedTuple):
    """The player is out, or has won (rank 1); players who went out together with equal chips share a rank."""

    player: str
    rank: int

    def apply(self, table: Table) -> None:
        table.ranks[self.player] = self.rank


# --- the hand --------------------------------------------------------------------------------------------------------


@event
class HandStarted(NamedTuple):
    """`seats`: (index, player, chips) in dealing order; `posts`: (seat, live, dead); `root`: commitment to the deck."""

    number: int
    prev_head: bytes
    game: str
    button: int
    small: int
    big: int
    seats: tuple[tuple[int, str, int], ...]
    posts: tuple[tuple[int, int, int], ...]
    stakes: tuple[int, ...]
    root: bytes
    algorithm: str
    rules: str
    started_ms: int

    def apply(self, table: Table) -> None:
        if self.number != table.number + 1:
            raise LogBroken("hand numbers do not follow")
        assert table.options is not None
        game = find_game(self.game)
        table.number = self.number
        table.button, table.small, table.big = self.button, self.small, self.big
        table.hand = Hand(
            self.number, game, table.options, script_for(game, table.options), Stakes(*self.stakes), self.button,
            self.small, self.big, len(table.places), [index for index, _, _ in self.seats],
            {index: Seat(player, chips, chips) for index, player, chips in self.seats},
            tuple(Post(*post) for post in self.posts), self.root, self.started_ms, [None] * 52, bytearray(52),
            bank=table.bank,
        )  # fmt: skip
        if game is not table.game:
            self.turn_rotation(table)
        if not game.blinds:
            return  # blinds owed at a mixed table are owed until a hand with blinds (MIX-06)
        for index, _, _ in self.seats:
            place = table.place(index)
            place.owes_small = place.owes_big = 0
            place.posting = False

    def turn_rotation(self, table: Table) -> None:
        """A mixed table notes which game it is at, and since when."""
        past = table.rotation
        if past is None or past.game != self.game:
            chooser = past.chooser if past else self.button
            table.rotation = Rotation(self.game, self.number, len(self.seats), chooser)
        else:
            past.chosen = ""


@event
class CutFixed(NamedTuple):
    """Players' revealed seeds and the permutation of deck positions that follows from them."""

    seeds: tuple[tuple[str, bytes], ...]
    cut: bytes

    def apply(self, table: Table) -> None:
        running_hand(table).cut = self.cut


@event
class AntePaid(NamedTuple):
    seat: int
    amount: int

    def apply(self, table: Table) -> None:
        seat = running_hand(table).seats[self.seat]
        seat.stack -= self.amount
        seat.paid += self.amount


@event
class BlindPosted(NamedTuple):
    """`kind`: small or big. A short stack posts what it has (COM-34)."""

    seat: int
    amount: int
    kind: str

    def apply(self, table: Table) -> None:
        pay(running_hand(table).seats[self.seat], self.amount)


@event
class Posted(NamedTuple):
    """A returning or new player's blinds: `live` is his bet, `dead` belongs to the pot (COM-69)."""

    seat: int
    live: int
    dead: int

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        seat = hand.seats[self.seat]
        pay(seat, self.live)
        seat.stack -= self.dead
        hand.dead += self.dead


def show_cards(hand: Hand, at: bytes, cards: bytes) -> None:
    """These positions are public from now on."""
    deck, is_open = hand.deck, hand.open
    for position, card in zip(at, cards, strict=True):
        deck[position] = card
        is_open[position] = 1


@event
class Dealt(NamedTuple):
    """Cards to a seat, face down (`cards` empty) or face up."""

    seat: int
    at: bytes
    cards: bytes
    openings: bytes

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        seat = hand.seats[self.seat]
        seat.cards.extend(self.at)
        hand.dealt += len(self.at)
        if self.cards:
            seat.up.extend(self.at)
            show_cards(hand, self.at, self.cards)


@event
class BoardDealt(NamedTuple):
    at: bytes
    cards: bytes
    openings: bytes

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        hand.board.extend(self.at)
        hand.dealt += len(self.at)
        show_cards(hand, self.at, self.cards)


@event
class Burned(NamedTuple):
    at: bytes

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        hand.burned.extend(self.at)
        hand.dealt += len(self.at)


@event
class StreetBegan(NamedTuple):
    """`first`: first in the order of action; `price`: the blind that already is the bet; `size`: of a full raise."""

    street: str
    first: int
    price: int
    size: int

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        hand.street = self.street
        hand.step = hand.script.index[self.street]
        hand.first = self.first
        hand.price = hand.level = self.price
        hand.size = self.size
        hand.raises = 0
        if self.size:
            hand.round = self.street
        keep = self.price > 0  # a street that opens with a price keeps the blinds that made it
        for seat in hand.seats.values():
            seat.acted = NOT_YET
            if not keep:
                seat.bet = 0


@event
class TurnBegan(NamedTuple):
    """`turn` is what a command must name; `deadline` in ms of the log's clock."""

    seat: int
    turn: int
    deadline: int

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        table.turn = self.turn
        hand.actor = self.seat
        hand.deadline = self.deadline
        hand.legal = hand.choices = None


@event
class TurnEnded(NamedTuple):
    """The seat has nothing left to decide: what it did besides betting took its last chip, or its last opponent's."""

    seat: int

    def apply(self, table: Table) -> None:
        running_hand(table).actor = None


@event
class Awaited(NamedTuple):
    """These seats may answer in any order until `deadline`, all under this turn; whoever is first has it."""

    seats: tuple[int, ...]
    turn: int
    deadline: int

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        table.turn = self.turn
        hand.awaited = tuple(self.seats)
        hand.actor = self.seats[0]
        hand.deadline = self.deadline
        hand.legal = hand.choices = None


@event
class AnswersOpened(NamedTuple):
    """Nobody is awaited any longer: (seat, choice) of all who have answered, and the salt of each seal, 16 bytes."""

    choices: tuple[tuple[int, str], ...]
    salts: bytes

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        hand.awaited = ()
        hand.sealed.clear()
        hand.actor = None


@event
class Folded(NamedTuple):
    seat: int

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        hand.seats[self.seat].live = False
        hand.actor = None


@event
class Checked(NamedTuple):
    seat: int

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        hand.seats[self.seat].acted = hand.level
        hand.actor = None


@event
class Called(NamedTuple):
    """`amount`: chips added, the whole stack if it is not enough (COM-12)."""

    seat: int
    amount: int

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        seat = hand.seats[self.seat]
        pay(seat, self.amount)
        seat.acted = hand.level
        hand.actor = None


@event
class RaisedTo(NamedTuple):
    """A bet or raise to `to`. `level` and `size` after it: a short all-in leaves one or both as they were."""

    seat: int
    to: int
    level: int
    size: int

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        seat = hand.seats[self.seat]
        pay(seat, self.to - seat.bet)
        hand.raises += self.level > hand.level > 0
        hand.price = self.to
        seat.acted = hand.level = self.level
        hand.size = self.size
        hand.aggressor, hand.aggressor_street = self.seat, hand.street
        hand.actor = None


@event
class BroughtIn(NamedTuple):
    """The forced opening of third street, short if the stack is: the price stays `price` (RAZ-C09)."""

    seat: int
    amount: int
    price: int

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        seat = hand.seats[self.seat]
        pay(seat, self.amount)
        hand.price = self.price
        seat.acted = hand.level
        hand.actor = None


@event
class TimedOut(NamedTuple):
    """The clock ran out, or the player left; the resolved action follows as its own event (COM-71, COM-73)."""

    seat: int
    turn: int
    deadline: int
    at: int

    def apply(self, table: Table) -> None:
        running_hand(table)


@event
class TimeBankUsed(NamedTuple):
    seat: int
    ms: int

    def apply(self, table: Table) -> None:
        table.place(self.seat).bank_ms -= self.ms


@event
class ClockExtended(NamedTuple):
    """The running turn gets `by` ms more: after an outage, or once for a disconnected player (COM-72)."""

    by: int
    reason: str

    def apply(self, table: Table) -> None:
        running_hand(table).deadline += self.by


@event
class GraceGiven(NamedTuple):
    """The seat has had its disconnection grace of this hand (COM-72)."""

    seat: int

    def apply(self, table: Table) -> None:
        running_hand(table).seats[self.seat].graced = True


@event
class ChoiceSealed(NamedTuple):
    """The seat has chosen; what, is told when all have (`engine/choosing.py`). `seal`: salted commitment, 32 bytes."""

    seat: int
    seal: bytes

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        hand.sealed[self.seat] = self.seal
        hand.actor = None


@event
class Returned(NamedTuple):
    """Uncalled chips go back before pots are formed (COM-50)."""

    seat: int
    amount: int

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        pay(hand.seats[self.seat], -self.amount)
        hand.returns.append((hand.street, self.seat, self.amount))


@event
class UnmatchedReturned(NamedTuple):
    """At the end of the hand a closed seat gets back what nobody has matched over the whole hand (HAS-C42)."""

    seat: int
    amount: int

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        seat = hand.seats[self.seat]
        seat.stack += self.amount
        seat.paid -= self.amount
        hand.returns.append(("settlement", self.seat, self.amount))


@event
class Shown(NamedTuple):
    seat: int
    at: bytes
    cards: bytes
    openings: bytes

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        hand.seats[self.seat].shown = True
        show_cards(hand, self.at, self.cards)
        hand.actor = None


@event
class Mucked(NamedTuple):
    seat: int

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        hand.seats[self.seat].mucked = True
        hand.actor = None


@event
class Raked(NamedTuple):
    amount: int

    def apply(self, table: Table) -> None:
        running_hand(table).rake += self.amount


@event
class Awarded(NamedTuple):
    """`pot` counts from the main pot (0); `share`: high, low, both (one split of the whole), only, all (no contest)."""

    pot: int
    share: str
    seat: int
    amount: int

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        hand.seats[self.seat].stack += self.amount
        hand.awarded += self.amount
        hand.awards.append((self.pot, self.share, self.seat, self.amount))


@event
class HandEnded(NamedTuple):
    """`stacks` in dealing order must equal what the fold of the hand gives."""

    number: int
    stacks: tuple[int, ...]

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        if tuple(self.stacks) != tuple(seat.stack for seat in hand.seats.values()):
            raise LogBroken("the stacks at the end of the hand differ from its events")
        for index, seat in hand.seats.items():
            table.place(index).chips = seat.stack
        hand.over = True
        hand.actor = None


@event
class HandVoided(NamedTuple):
    """The operator's way out of a lost hand: everybody gets back what he started with."""

    reason: str
    stacks: tuple[int, ...]

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        for (index, seat), chips in zip(hand.seats.items(), self.stacks, strict=True):
            seat.stack = table.place(index).chips = chips
        table.bank = hand.bank
        hand.over = True
        hand.actor = None
