"""Abyssinia: open hands bought card by card from a market, fixed limit, high and low (rule ids ABY-nn)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from engine.betting import Betting
from engine.cards import NAMES, rank
from engine.choosing import Choosing
from engine.draft import Draft
from engine.events import Dealt, StreetBegan, game_event, running_hand, show_cards
from engine.game import MAX_RAISES, Game, Option, Options, Share
from engine.limits import FixedLimit
from engine.positions import dealer_plan
from engine.pots import all_odd_to_first
from engine.rankings import five_high, five_low
from engine.refusals import Refused
from engine.showdown import Award, show
from engine.state import NOT_YET, Hand, Seat, Stakes, Table
from engine.steps import Antes, Args, Automatic, Choices, Move, Range, Step, left_of_button

ROUNDS = 5
SIDES = ("left", "right")  # the market cards, one each side of the deck
BLIND = "blind"  # the unknown top card
DECLARATIONS = ("high", "low", "both")
FIVE, ACE = 3, 12  # as `cards.rank` counts
PRICES = ("abyssinia.price.low", "abyssinia.price.high", "abyssinia.price.ace")


# --- events


@game_event("source", "at", "cards", "openings")
class MarketShown(NamedTuple):
    """The top card goes to the market, on the side `source`, face up."""

    source: str
    at: bytes
    cards: bytes
    openings: bytes

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        source, at, cards, _ = self
        hand.aside[source] = at[0]
        hand.dealt += 1
        show_cards(hand, at, cards)


@game_event("seat", "source", "at", "price", moves_cards=True)
class Bought(NamedTuple):
    """The seat takes the card and pays its price, which is nobody's bet. A blind card has been `Dealt` before."""

    seat: int
    source: str
    at: bytes
    price: int

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        index, source, at, paid = self
        seat = hand.seats[index]
        if source in SIDES:
            seat.cards.append(hand.aside.pop(source))
            seat.up.append(at[0])
        seat.stack -= paid
        hand.dead += paid
        hand.memo.setdefault("prices", {}).setdefault(index, []).append(paid)
        seat.acted = hand.level
        hand.actor = None


@game_event("choices", "salts")
class Declared(NamedTuple):
    """All declarations at once (ABY-C11): (seat, high, low or both), and the salt of each seal, 16 bytes."""

    choices: tuple[tuple[int, str], ...]
    salts: bytes

    def apply(self, table: Table) -> None:
        hand = running_hand(table)
        choices, _ = self
        hand.memo["declared"] = dict(choices)
        hand.sealed.clear()


# --- steps


def price(options: Options, card: int) -> int:
    """2 to 5, 6 to king, ace (ABY-03)."""
    low, high, ace = PRICES
    return options.number(ace if rank(card) == ACE else low if rank(card) <= FIVE else high)


def show_market(draft: Draft, side: str) -> None:
    """The next card of the deck to this side (ABY-11, ABY-C01)."""
    at = draft.hand.take(1)
    draft.emit(MarketShown(side, at, *draft.hand.reveal(at)))


@dataclass(frozen=True)
class OpenMarket(Automatic):
    """Two cards are turned up, one each side of the deck (ABY-08). Nobody can run out of chips (ABY-06, ABY-07)."""

    def enter(self, draft: Draft) -> None:
        hand = draft.hand
        assert all(seat.start >= least_stack(hand.options) for seat in hand.seats.values()), "a stack below the reserve"
        for side in SIDES:
            show_market(draft, side)


@dataclass(frozen=True)
class Buying:
    """From the dealer's left each live seat buys one card, without a way round it (ABY-09, ABY-C02)."""

    street: str
    pays: ClassVar[bool] = False

    def enter(self, draft: Draft) -> None:
        draft.tell(StreetBegan, (self.street, left_of_button(draft.hand), 0, 0))
        self.go_on(draft)

    def go_on(self, draft: Draft) -> None:
        hand = draft.hand
        waiting = [i for i in hand.live() if hand.seats[i].acted == NOT_YET]
        if waiting:
            draft.give_turn(waiting[0])

    def options(self, hand: Hand) -> dict[str, Range]:
        """What a card may cost."""
        prices = [hand.options.number(key) for key in PRICES]
        return {"buy": (min(prices), max(prices))}

    def choices(self, hand: Hand) -> Choices:
        return {"buy": [{"source": source} for source in (*SIDES, BLIND)]}

    def act(self, draft: Draft, move: Move) -> None:
        index = draft.hand.actor
        assert index is not None and move.args is not None
        source = str(move.args["source"])
        if source == BLIND:
            self.buy_blind(draft, index)
        else:
            self.buy(draft, index, source, bytes((draft.hand.aside[source],)))
            show_market(draft, source)
        self.go_on(draft)

    def buy_blind(self, draft: Draft, index: int) -> None:
        """The top card is turned up before it is paid (ABY-10); at a table that hides cards only its owner sees it."""
        hand = draft.hand
        at = hand.take(1)
        cards, openings = (b"", b"") if hand.options["abyssinia.hidden"] else hand.reveal(at)
        draft.emit(Dealt(index, at, cards, openings))
        self.buy(draft, index, BLIND, at)

    def buy(self, draft: Draft, index: int, source: str, at: bytes) -> None:
        hand = draft.hand
        card = hand.deck[at[0]]
        assert card is not None
        draft.emit(Bought(index, source, at, price(hand.options, card)))

    def default(self, hand: Hand) -> Move:
        """The cheaper market card, the left one at equal price (ABY-C05)."""
        return Move("buy", 0, {"source": min(SIDES, key=lambda side: offer(hand, side)["price"])})

    def refusal(self, hand: Hand, verb: str, amount: int | None, args: Args | None = None) -> str:
        return "must_buy"


@dataclass(frozen=True)
class TurnUp(Automatic):
    """Hidden cards of the live seats are turned up before the pot is split (ABY-C10)."""

    def enter(self, draft: Draft) -> None:
        for index in draft.hand.live():
            show(draft, index)


# --- high and low


def high(hand: Hand, seat: int) -> int | None:
    """The usual ranking (ABY-26)."""
    return five_high(hand.cards_of(seat)) if claims(hand, seat, "high") else None


def low(hand: Hand, seat: int) -> int | None:
    """Ace to five, without a qualifier (ABY-28, ABY-29)."""
    return five_low(hand.cards_of(seat)) if claims(hand, seat, "low") else None


def claims(hand: Hand, seat: int, share: str) -> bool:
    """Without declarations everybody claims both halves; else see ABY-C13 and ABY-C14."""
    declared: dict[int, str] = hand.memo.get("declared", {})
    standing = [i for i, choice in declared.items() if choice != "both" or unbeaten(hand, i)]
    return not standing or (seat in standing and declared[seat] in (share, "both"))


def unbeaten(hand: Hand, seat: int) -> bool:
    """No hand that claims a half has a better one for it."""
    declared: dict[int, str] = hand.memo["declared"]
    return all(
        ranking(hand.cards_of(seat)) >= ranking(hand.cards_of(other))
        for share, ranking in (("high", five_high), ("low", five_low))
        for other, choice in declared.items()
        if choice in (share, "both")
    )


# --- what everybody sees


def market_view(hand: Hand) -> dict[str, Any]:
    """The market with its prices, what each seat has paid and won so far (ABY-38), and the declarations once told."""
    return {
        "market": {side: offer(hand, side) for side in SIDES if side in hand.aside},
        "accounts": [account(hand, index, seat) for index, seat in hand.seats.items()],
        "declared": [{"seat": seat, "choice": choice} for seat, choice in hand.memo.get("declared", {}).items()],
    }


def offer(hand: Hand, side: str) -> dict[str, Any]:
    card = hand.deck[hand.aside[side]]
    assert card is not None
    return {"card": NAMES[card], "price": price(hand.options, card)}


def account(hand: Hand, index: int, seat: Seat) -> dict[str, Any]:
    """Chips of one seat; `prices` of its cards, in the order received. `net` is what all comes to."""
    return {
        "seat": index,
        "ante": hand.stakes.ante,
        "prices": list(hand.memo.get("prices", {}).get(index, ())),
        "bets": seat.paid - hand.stakes.ante,
        "award": sum(amount for _, _, winner, amount in hand.awards if winner == index),
        "net": seat.stack - seat.start,
    }


# --- the game


def reserve(options: Options) -> int:
    """The most a hand can cost: ante, five of the dearest cards, five rounds raised to the end (ABY-06, ABY-C06)."""
    dearest = max(options.number(key) for key in PRICES)
    bets = options.number("abyssinia.bet") * (1 + options.number("limit.max_raises"))
    return options.number("abyssinia.ante") + ROUNDS * (dearest + bets)


def least_stack(options: Options) -> int:
    """A seat with less is not dealt in."""
    return options.number("abyssinia.min_stack") or reserve(options)


def stakes(options: Options) -> Stakes:
    """Ante and one size of bet (ABY-02, ABY-05)."""
    if least_stack(options) < reserve(options):
        raise Refused("bad_option", key="abyssinia.min_stack", least=reserve(options), most=10**9)
    bet = options.number("abyssinia.bet")
    return Stakes(options.number("abyssinia.ante"), 0, 0, 0, bet, bet)


def steps(options: Options) -> tuple[Step, ...]:
    limit = FixedLimit(options.number("limit.max_raises"))
    rounds: list[Step] = []
    for number in range(1, ROUNDS + 1):
        rounds += Buying(f"buy{number}"), Betting(f"bet{number}", left_of_button, limit)
    declaring = (Choosing("declare", "declare", DECLARATIONS, Declared),) if options["abyssinia.declare"] else ()
    turning_up = (TurnUp(),) if options["abyssinia.hidden"] else ()
    return (Antes(), OpenMarket(), *rounds, *declaring, *turning_up, Award(split=all_odd_to_first))


GAME = Game(
    name="abyssinia",
    title="Abyssinia",
    seats=range(2, 9),
    options=(
        MAX_RAISES,
        Option("abyssinia.ante", 1, "ante (ABY-02)", least=0, most=10**6),
        Option("abyssinia.bet", 1, "bet and raise (ABY-05)", least=1, most=10**6),
        Option("abyssinia.price.low", 2, "price of a two to a five (ABY-03)", least=0, most=10**6),
        Option("abyssinia.price.high", 1, "price of a six to a king (ABY-03)", least=0, most=10**6),
        Option("abyssinia.price.ace", 4, "price of an ace (ABY-03)", least=0, most=10**6),
        Option("abyssinia.min_stack", None, "least stack to be dealt in; default the most a hand can cost (ABY-C06)",
               least=1, optional=True),
        Option("abyssinia.hidden", False, "cards bought blind stay face down (ABY-C09)", choices=(False, True)),
        Option("abyssinia.declare", False, "declare high, low or both before the end (ABY-C11)", choices=(False, True)),
    ),
    stakes=stakes,
    steps=steps,
    seating=dealer_plan,
    shares=(Share("high", high), Share("low", low)),
    rules="abyssinia/1",
    least_stack=least_stack,
    view=market_view,
)  # fmt: skip
