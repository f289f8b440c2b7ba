"""Writes a neutral record while a reader walks through a text: keeps stacks and bets, so that nonsense shows.

The readers say what happened in the room's words; the scribe knows how much a `raises to` adds, who is
all-in, what comes back uncalled, which hidden cards a later `shows` explains, and whether the money adds up
in the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from services.formats.figures import UNKNOWN, Nonsense
from services.formats.record import Entry, Outcome, Player

FLOP_STREETS = ("preflop", "flop", "turn", "river")
STUD_STREETS = ("3rd", "4th", "5th", "6th", "7th")
HOLE_CARDS = {"holdem": 2, "omaha": 4, "omaha8": 4}
STUD_GAMES = frozenset({"razz", "stud", "stud8"})
BOARD_SIZE = {"flop": 3, "turn": 1, "river": 1}


@dataclass(slots=True)
class Scribe:
    """One hand in the writing. Seats are those of the record; amounts are in the smallest unit.

    Every method raises `Nonsense` when the text cannot be true: more chips than the stack, a card twice, a
    street out of order, an action of a seat that is not in the hand.
    """

    variant: str
    players: list[Player]
    entries: list[Entry] = field(default_factory=list)
    street: int = -1
    stacks: dict[int, int] = field(default_factory=dict)
    bets: dict[int, int] = field(default_factory=dict)
    paid: dict[int, int] = field(default_factory=dict)
    folded: set[int] = field(default_factory=set)
    known: dict[int, tuple[str, ...]] = field(default_factory=dict)
    up: dict[tuple[int, int], str] = field(default_factory=dict)
    collected: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if len({p.seat for p in self.players}) < len(self.players):
            raise Nonsense("two players in one seat")
        self.stacks = {p.seat: p.stack for p in self.players}

    # chips

    def _pay(self, seat: int, amount: int) -> bool:
        """Take chips from the stack; true if that was the last one."""
        if seat not in self.stacks or seat in self.folded:
            raise Nonsense(f"seat {seat} is not in the hand")
        if not 0 < amount <= self.stacks[seat]:
            raise Nonsense(f"seat {seat} cannot pay {amount} of {self.stacks[seat]}")
        self.stacks[seat] -= amount
        self.paid[seat] = self.paid.get(seat, 0) + amount
        return self.stacks[seat] == 0

    def forced(self, kind: str, seat: int, amount: int) -> None:
        """ante, sb, bb, post, dead, straddle, bring_in."""
        all_in = self._pay(seat, amount)
        if kind not in ("ante", "dead"):
            self.bets[seat] = self.bets.get(seat, 0) + amount
        self.entries.append(Entry(kind, seat, amount, all_in=all_in))

    def put(self, kind: str, seat: int, amount: int) -> None:
        """call or bet: `amount` chips are added."""
        all_in = self._pay(seat, amount)
        self.bets[seat] = to = self.bets.get(seat, 0) + amount
        self.entries.append(Entry(kind, seat, amount, to, all_in))

    def raise_to(self, seat: int, to: int) -> None:
        """A raise (or completion) to `to` chips on this street."""
        self.put("raise", seat, to - self.bets.get(seat, 0))

    def say(self, kind: str, seat: int) -> None:
        """check, fold, show, muck."""
        if seat not in self.stacks or (kind in ("check", "fold") and seat in self.folded):
            raise Nonsense(f"seat {seat} is not in the hand")
        if kind == "fold":
            self.folded.add(seat)
        self.entries.append(Entry(kind, seat))

    def uncalled(self, seat: int, amount: int) -> None:
        """The room says that it gives chips back."""
        ante = self.street < 0 and seat not in self.bets  # of an ante that nobody else could pay in full
        if not 0 < amount <= (self.paid if ante else self.bets).get(seat, 0):
            raise Nonsense(f"{amount} returned to seat {seat}, which has less in front of it")
        if not ante:
            self.bets[seat] -= amount
        self.paid[seat] -= amount
        self.stacks[seat] += amount
        self.entries.append(Entry("uncalled", seat, amount))

    def settle(self) -> None:
        """End of a street: return what nobody matched, if the room has not said so itself (COM-50)."""
        ranked = sorted(self.bets.items(), key=lambda bet: -bet[1])
        if not ranked:
            return
        second = ranked[1][1] if len(ranked) > 1 else 0
        if ranked[0][1] > second:
            self.uncalled(ranked[0][0], ranked[0][1] - second)

    def collect(self, seat: int, amount: int, pot: str, half: str | None = None) -> None:
        """A seat is paid from a pot; refused if it is not in the hand."""
        if seat not in self.stacks or seat in self.folded:
            raise Nonsense(f"seat {seat} collects without being in the hand")
        self.collected[seat] = self.collected.get(seat, 0) + amount
        self.entries.append(Entry("collect", seat, amount, pot=pot, half=half))

    # cards

    def begin(self, name: str, board: Sequence[str] = ()) -> None:
        """The next street begins with these new board cards."""
        streets = STUD_STREETS if self.variant in STUD_GAMES else FLOP_STREETS
        if name not in streets or streets.index(name) != self.street + 1:
            raise Nonsense(f"street {name} is out of order")
        if name in BOARD_SIZE and len(board) != BOARD_SIZE[name]:
            raise Nonsense(f"{len(board)} cards on the {name}")
        if self.street >= 0:
            self.settle()
            self.bets.clear()
        self.street += 1
        self.entries.append(Entry("street", street=name, board=tuple(board)))

    def door(self, seat: int, cards: Sequence[str]) -> None:
        """The new face-up card of a stud seat on this street."""
        if seat not in self.stacks or seat in self.folded or len(cards) != 1:
            raise Nonsense(f"seat {seat} is dealt {len(cards)} cards face up")
        if self.up.setdefault((seat, self.street), cards[0]) != cards[0]:
            raise Nonsense(f"seat {seat} is dealt two cards on one street")

    def learn(self, seat: int, cards: Sequence[str]) -> None:
        """All cards of a seat, in the order received; what shows fewer than are known teaches nothing."""
        if seat not in self.stacks:
            raise Nonsense(f"seat {seat} is not in the hand")
        if len({c for c in cards if c != UNKNOWN}) < sum(c != UNKNOWN for c in cards):
            raise Nonsense("the same card twice")
        most = 7 if self.variant in STUD_GAMES else HOLE_CARDS.get(self.variant, 0)
        least = min(3, most) if self.variant in STUD_GAMES else most
        if least <= len(cards) <= most and len(cards) >= len(self.known.get(seat, ())):
            self.known[seat] = tuple(cards)

    def entries_with_deals(self) -> tuple[Entry, ...]:
        """The entries, and after every street one `deal` per seat still in, in seat order."""
        live = sorted({e.seat for e in self.entries if e.seat is not None} | set(self.known))
        out: list[Entry] = []
        for entry in self.entries:
            out.append(entry)
            if entry.kind == "fold" and entry.seat is not None:
                live.remove(entry.seat)
            if entry.kind == "street" and not entry.board:
                out += (self._deal(seat, entry.street or "") for seat in live)
        return tuple(out)

    def _deal(self, seat: int, street: str) -> Entry:
        if self.variant not in STUD_GAMES:
            down = self.known.get(seat, (UNKNOWN,) * HOLE_CARDS.get(self.variant, 0))
            return Entry("deal", seat, down=down)
        up = tuple(self.up.get((seat, at), UNKNOWN) for at in range(4))
        if len(self.known.get(seat, ())) == 7 and not {*up} - {UNKNOWN} <= {*self.known[seat]}:
            raise Nonsense(f"seat {seat} shows other cards than it was dealt")
        down = tuple(card for card in self.known.get(seat, ()) if card not in up)
        down += (UNKNOWN,) * (3 - len(down))
        if street == "7th":
            return Entry("deal", seat, down=down[2:3])
        at = STUD_STREETS.index(street)
        return Entry("deal", seat, down=down[:2] if at == 0 else (), up=up[at : at + 1])

    # the end

    def check_money(self, total: int | None, rake: int) -> None:
        """What was paid in must have been collected or raked, and be the printed total."""
        pot, got = sum(self.paid.values()), sum(self.collected.values())
        if rake < 0 or got + rake != pot or total not in (None, pot):
            raise Nonsense(f"{got} collected and {rake} rake are not the pot of {pot}")

    def check_cards(self, entries: tuple[Entry, ...]) -> None:
        """No card twice."""
        cards = [c for e in entries for c in (*e.board, *e.down, *e.up) if c != UNKNOWN]
        if len(set(cards)) < len(cards):
            raise Nonsense("the same card twice")

    def outcome(self, rake: int, after_rake: bool = False) -> Outcome:
        """What the room says was won. Without rake, or with one winner only, the net chips follow from it; so they
        do if the hand is played again by a table that takes the same rake.
        """
        net = {p.seat: self.collected.get(p.seat, 0) - self.paid.get(p.seat, 0) for p in self.players}
        if rake and len(self.collected) == 1 and not after_rake:
            net[next(iter(self.collected))] += rake
        exact = after_rake or not rake or len(self.collected) == 1
        return Outcome(net if exact else None, dict(self.collected), rake)
