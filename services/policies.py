"""How simulated players and bots decide: policies over what is legal, none of which knows a hidden card.

A policy is a pure function of the legal actions, an estimate of the own hand and a source of chance, so that
a simulation repeats itself exactly.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple, Protocol

from engine.cards import parse
from engine.play import choices
from engine.state import Hand
from engine.steps import WITHOUT_ARGUMENTS

Legal = Mapping[str, tuple[int, int]]
"""Verb → (least, most), as `engine.table.options` gives it."""
Strength = Callable[..., float]
"""How good the own cards look, 0 … 1: `strength(more=(), share="")`, with `more` cards added, for one share of the pot
or for the better. Asked for only by policies that care."""
Args = dict[str, Any]


class Offer(NamedTuple):
    """Arguments a verb may be sent with; the card that they buy and its price, where these are known."""

    args: Args
    card: int | None = None
    price: int | None = None


Offers = Mapping[str, Sequence[Offer]]
"""Verb → its offers, for verbs that take arguments."""
NO_OFFERS: Offers = {}


class Draw:
    """Chance from a seed, the same on every Python: `random()` is the one method CPython keeps stable."""

    def __init__(self, seed: int) -> None:
        self.next = Random(seed).random

    def below(self, count: int) -> int:
        """0 … count − 1."""
        return int(self.next() * count)

    def shuffled(self, items: Iterable[int]) -> list[int]:
        """The items in a random order (Fisher and Yates)."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            at = self.below(last + 1)
            order[last], order[at] = order[at], order[last]
        return order


class Choice(NamedTuple):
    """What to send: `amount` is the bet after the action, `args` the arguments, None where the verb has none."""

    verb: str
    amount: int | None = None
    args: Args | None = None


class Policy(Protocol):
    def __call__(self, legal: Legal, strength: Strength, draw: Draw, offers: Offers = NO_OFFERS) -> Choice: ...


PASSIVE = ("check", "call", "bring_in")
RAISES = ("bet", "raise", "complete")
MUST = ("buy", "declare")
SHOPPING = 0.15  # how often a bot buys something for sale before it acts
GAMBLING = 0.15  # how often it takes an extra blind, unseen
DARING = 0.08  # how often it declares for everything
BOLDEST = 0.92  # no looks keep it in more often than that: they say nothing of what the others have
WEAK = 0.45  # cards that a bot would rather sell
DEAR = 1 << 30  # a price that is not known


def calldown(legal: Legal, strength: Strength, draw: Draw, offers: Offers = NO_OFFERS) -> Choice:
    """Bring in, check or call to the end; muck what need not be shown, buy what is cheap."""
    for verb in ("muck", *PASSIVE):
        if verb in legal:
            return at_least(verb, legal)
    verb = next(iter(legal))
    cheapest = min(offers.get(verb, ()), key=lambda offer: DEAR if offer.price is None else offer.price, default=None)
    return taking(cheapest, at_least(verb, legal))


def at_random(legal: Legal, strength: Strength, draw: Draw, offers: Offers = NO_OFFERS) -> Choice:
    """Uniform over the legal kinds: fold when facing a bet, check or call, raise at the minimum."""
    if "muck" in legal:
        return Choice("muck")
    verb = list(legal)[draw.below(len(legal))]
    known = offers.get(verb)
    return taking(known[draw.below(len(known))] if known else None, at_least(verb, legal))


def by_strength(legal: Legal, strength: Strength, draw: Draw, offers: Offers = NO_OFFERS) -> Choice:
    """Good hands raise more often and higher, bad ones fold more often, and every hand varies its play."""
    if "muck" in legal:
        return Choice("muck")
    for verb in MUST:
        if verb in legal and verb in offers:
            if verb == "declare" and draw.next() < DARING:
                return taking(offers[verb][-1], at_least(verb, legal))
            return taking(max(offers[verb], key=lambda offer: worth(offer, strength)), at_least(verb, legal))
    for verb, pick in AT_WILL.items():
        if verb in legal and draw.next() < OFTEN.get(verb, 1.0):
            return taking(pick(offers[verb], strength, draw), at_least(verb, legal))
    good, mood = strength(), draw.next()
    raising = next((verb for verb in RAISES if verb in legal), None)
    if raising and mood < good * good * 0.6:
        least, most = legal[raising]
        return Choice(raising, least + int((most - least) * good**3 * draw.next() * 0.5))
    if "fold" in legal and mood > min(0.35 + good, BOLDEST):
        return Choice("fold")
    return calldown(legal, strength, draw, offers)


def one_of_a_kind(offers: Sequence[Offer], strength: Strength, draw: Draw) -> Offer:
    """Anything for sale, of each kind as often."""
    kinds = list(dict.fromkeys(offer.args["item"] for offer in offers))
    item = kinds[draw.below(len(kinds))]
    return any_of([offer for offer in offers if offer.args["item"] == item], strength, draw)


def any_of(offers: Sequence[Offer], strength: Strength, draw: Draw) -> Offer:
    return offers[draw.below(len(offers))]


def rarely(offers: Sequence[Offer], strength: Strength, draw: Draw) -> Offer:
    """The last offer, mostly the first."""
    return offers[-1 if draw.next() < GAMBLING else 0]


def if_weak(offers: Sequence[Offer], strength: Strength, draw: Draw) -> Offer:
    """As much as possible of a weak hand, nothing of a good one."""
    return offers[-1 if strength() < WEAK else 0]


OFTEN = {"purchase": SHOPPING}  # what a bot need not do
AT_WILL: dict[str, Callable[[Sequence[Offer], Strength, Draw], Offer]] = {
    "purchase": one_of_a_kind,
    "reveal": any_of,
    "sell": if_weak,
    "exb": rarely,
}

POLICIES: dict[str, Policy] = {"random": at_random, "calldown": calldown, "bots": by_strength}


def at_least(verb: str, legal: Legal) -> Choice:
    """The verb with its smallest amount."""
    amount = legal[verb][0]
    return Choice(verb, amount if verb in RAISES or verb == "bring_in" else None)


def taking(offer: Offer | None, choice: Choice) -> Choice:
    """The choice with the arguments of an offer."""
    return choice._replace(args=offer.args) if offer else choice


def worth(offer: Offer, strength: Strength) -> float:
    """A known card by what it makes of the hand, a little less for its price; an unknown one will hardly help.

    Of shares to declare the better looking; both, where both look good.
    """
    if offer.card is not None:
        return strength((offer.card,)) - 0.02 * (offer.price or 0)
    match offer.args.get("choice"):
        case None:
            return 0.9 * strength()
        case "both":
            return 2 * min(strength(share="high"), strength(share="low")) - 0.7
        case share:
            return strength(share=share)


def offers_of(choices: Mapping[str, Sequence[Args]], market: Mapping[str, Mapping[str, Any]]) -> Offers:
    """The offers in a public view of a hand: its `choices`, and what lies on the `market` where the game has one."""
    return {
        verb: [Offer(args, *on_market(market.get(args.get("source", "")))) for args in listed]
        for verb, listed in choices.items()
    }


class OffersAt(Mapping[str, Sequence[Offer]]):
    """The same from the hand itself, listed only when a policy asks for a verb that takes arguments."""

    def __init__(self, hand: Hand) -> None:
        self._hand = hand
        self._made: Offers | None = None

    def _offers(self) -> Offers:
        if self._made is None:
            offered = choices(self._hand)
            self._made = offers_of(offered, market_at(self._hand, offered)) if offered else NO_OFFERS
        return self._made

    def __getitem__(self, verb: str) -> Sequence[Offer]:
        if verb in WITHOUT_ARGUMENTS:
            raise KeyError(verb)
        return self._offers()[verb]

    def __iter__(self) -> Iterator[str]:
        return iter(self._offers())

    def __len__(self) -> int:
        return len(self._offers())


def offers_at(hand: Hand) -> Offers:
    """What the seat on turn is offered."""
    return OffersAt(hand)


def market_at(hand: Hand, choices: Mapping[str, Sequence[Args]]) -> Mapping[str, Mapping[str, Any]]:
    """What lies on the market; nothing where no choice names a place on it: a game's view is dear."""
    if any("source" in args for listed in choices.values() for args in listed[:1]):
        market: Mapping[str, Mapping[str, Any]] = hand.game.view(hand).get("market", {})
        return market
    return {}


def on_market(found: Mapping[str, Any] | None) -> tuple[int | None, int | None]:
    """Card and price."""
    return (parse(found["card"]), found["price"]) if found else (None, None)


def strength_of(cards: Sequence[int], board: Sequence[int], shares: Iterable[str]) -> float:
    """The better of how the cards look for high and for low, as far as the game pays such `shares`."""
    known = [*cards, *board]
    if not known:
        return 0.0
    looks = {"high": high_look, "low": low_look}
    return max((looks[share](known) for share in shares if share in looks), default=0.5)


def high_look(known: Sequence[int]) -> float:
    """High cards, and much more for pairs and better and for many of a suit."""
    ranks = Counter(card >> 2 for card in known)
    suits = Counter(card & 3 for card in known)
    groups = sorted(ranks.values(), reverse=True)
    made = (0.0, 0.0, 0.3, 0.6, 0.9)[groups[0]] + (0.15 if len(groups) > 1 and groups[1] > 1 else 0.0)
    flush = 0.4 if max(suits.values()) >= 5 else 0.0
    return min(1.0, made + flush + 0.4 * sum(card >> 2 for card in known) / (12 * len(known)))


def low_look(known: Sequence[int]) -> float:
    """Different ranks from ace to eight, of the five a low needs; pairs and high cards are worth nothing."""
    low = {rank for card in known if (rank := ((card >> 2) + 1) % 13) < 8}
    return min(1.0, 0.8 * len(low) / min(5, len(known)))
