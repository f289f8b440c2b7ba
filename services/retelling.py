"""Plays one of our own exported hands again, decision by decision, and compares every event and every stack.

What its viewer did not know is filled with other cards: any, but for the hands that were mucked at the showdown, which
get cards that lose there, and cards that were paid for by their rank.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, islice
from typing import Any

from engine.events import REGISTRY, TURN
from engine.game import find_game
from engine.games.abyssinia import price
from engine.pots import pots
from engine.rankings import WrongNumberOfCards
from engine.refusals import Refused
from engine.state import Hand
from services.driver import InProcess
from services.formats.figures import UNKNOWN
from services.formats.own import OwnHand
from services.report import HandReport

EventDict = Mapping[str, Any]

_CLOCKS = frozenset({
    "HandStarted", "TurnBegan", "Awaited", "TimedOut", "TimeBankUsed", "ClockExtended", "GraceGiven",
})  # fmt: skip
_FACTS = frozenset(
    name
    for name, kind in REGISTRY.items()
    if kind.__module__.rpartition(".")[2] not in ("places", "seeds", "tables", "tournaments")
)
"""What must come again for the hand to be the same: neither clocks and seeds, nor who comes and goes meanwhile."""
_OTHERWISE = frozenset({"openings", "salts", "number", "left_ms", *TURN})
_MOST_FILLERS = 100_000
_LIKELY_WORST: dict[bool, Callable[[int], int]] = {
    False: lambda card: ((card >> 2) - 7) % 13,  # nine to ace, then two to eight
    True: lambda card: -((card >> 2) + 1) % 13,  # king to ace
}


class NoSuchCards(Exception):
    """No cards in the places of unknown ones give what the file says."""


def retell(own: OwnHand, report: HandReport) -> None:
    """Play it and note every difference in `report`."""
    try:
        run, refused = play(own, all_fillers(own))
    except Refused as refusal:
        report.differ("table", "a table our rules know", f"{refusal.code} {refusal.detail or ''}".strip())
    except NoSuchCards as why:
        report.differ("cards", "cards that give this result", str(why))
    else:
        report.differ("decisions", None, refused)
        compare(own, run, report)


def play(own: OwnHand, fillers: Mapping[int, int]) -> tuple[InProcess, str | None]:
    """The hand with these cards at unknown places, up to the first decision that is refused, and what that was."""
    driver = InProcess()
    driver.start(replace(own.setting, deck=deck(own, fillers)))
    for number, decision in enumerate(own.data["decisions"]):
        if refused := send(driver, decision):
            return driver, f"{number}, {decision.get('verb', 'timeout')} of seat {decision['seat']}: {refused}"
    close_waiting(driver, "")
    return driver, None


def send(driver: InProcess, decision: EventDict) -> str | None:
    """One decision as it was sent, or the clock's."""
    hand = driver.table.hand
    if hand is None or hand.over:
        return "the hand is over"
    if decision.get("others_wait"):
        return send_default(driver, decision["seat"])
    close_waiting(driver, decision.get("verb", ""))
    if decision.get("timeout"):
        driver.run_out()
        return None
    return driver.send(decision["seat"], decision["verb"], decision.get("amount"), decision.get("args"))


def send_default(driver: InProcess, seat: int) -> str | None:
    """What the clock chooses for one of several who are awaited: the first there is."""
    hand = driver.view()["hand"]
    verb = next(iter(hand["legal"]), "")
    return driver.send(seat, verb, None, next(iter(hand["choices"].get(verb, ())), None))


def close_waiting(driver: InProcess, verb: str) -> None:
    """Nobody else answered while several were awaited: their time is over before anything else is done."""
    hand = driver.table.hand
    if hand is not None and hand.awaited and verb not in driver.view()["hand"]["legal"]:
        driver.run_out()


def deck(own: OwnHand, fillers: Mapping[int, int]) -> tuple[int, ...]:
    """52 cards in dealing order."""
    told = {**own.cards, **fillers}
    rest = iter([card for card in range(52) if card not in set(told.values())])
    return tuple(told[at] if at in told else next(rest) for at in range(52))


# cards that nobody told


def unused(own: OwnHand, fillers: Mapping[int, int]) -> list[int]:
    """What may still lie at unknown places."""
    taken = {*own.cards.values(), *fillers.values()}
    return [card for card in range(52) if card not in taken]


def all_fillers(own: OwnHand) -> dict[int, int]:
    """For the places that matter. A hand that mucks needs to know whom it meets: the betting is played for that, with
    any cards.
    """
    fillers = priced(own)
    unknown = mucked(own)
    if not unknown:
        return fillers
    run, _ = play(own, fillers)
    return losing(own, run, fillers, unknown)


def priced(own: OwnHand) -> dict[int, int]:
    """Cards bought in secret are of a rank with their price (ABY-03, ABY-C09)."""
    found: dict[int, int] = {}
    places = {at: dealt for dealt, at in enumerate(own.order)}
    options = find_game(own.setting.game).resolve(own.setting.options)
    for event in own.data["events"]:
        at = places[event["at"][0]] if event["event"] == "Bought" else -1
        if at >= 0 and at not in own.cards:
            fitting = [card for card in unused(own, found) if price(options, card) == event["price"]]
            if not fitting:
                raise NoSuchCards(f"no card of the price {event['price']} is left")
            found[at] = fitting[0]
    return found


def mucked(own: OwnHand) -> list[int]:
    """Seats of the showdown with cards that the file does not tell."""
    gone = {event["seat"] for event in own.data["events"] if event["event"] == "Mucked"}
    return [seat["seat"] for seat in own.data["seats"] if seat["seat"] in gone and UNKNOWN in seat["cards"]]


def losing(own: OwnHand, run: InProcess, fillers: Mapping[int, int], seats: list[int]) -> dict[int, int]:
    """For every mucked hand cards with which it has no claim beside the hands shown before it (COM-61)."""
    hand, found = finished(run), dict(fillers)
    for seat in seats:
        empty = [at for at in hand.seats[seat].cards if at not in own.cards and at not in fillers]
        cards = weak(hand, seat, empty, unused(own, found), shown_before(own, seat))
        found |= zip(empty, cards, strict=True)
    return found


def shown_before(own: OwnHand, seat: int) -> list[int]:
    """Who had shown when this seat mucked."""
    names = [(event["event"], event.get("seat")) for event in own.data["events"]]
    return [other for name, other in names[: names.index(("Mucked", seat))] if name == "Shown" and other is not None]


def weak(hand: Hand, seat: int, empty: list[int], candidates: list[int], shown: list[int]) -> tuple[int, ...]:
    """Cards that lose for every share of every pot that this seat may win; middling ones are tried first, which make
    neither a high hand nor a low one.
    """
    rivals = [[other for other in pot.eligible if other in shown] for pot in pots(hand) if seat in pot.eligible]
    ranks = {other: ranks_of(hand, other) for group in rivals for other in group}
    candidates = sorted(candidates, key=_LIKELY_WORST[tuple(share.name for share in hand.game.shares) == ("low",)])
    for cards in islice(combinations(candidates, len(empty)), _MOST_FILLERS):
        for at, card in zip(empty, cards, strict=True):
            hand.deck[at] = card
        own = ranks_of(hand, seat)
        if all(beaten(own, [ranks[other] for other in group]) for group in rivals):
            return cards
    raise NoSuchCards(f"no cards with which seat {seat} loses")


def ranks_of(hand: Hand, seat: int) -> tuple[int | None, ...]:
    """For every share of the pot."""
    try:
        return tuple(share.rank(hand, seat) for share in hand.game.shares)
    except WrongNumberOfCards as why:
        raise NoSuchCards(f"the betting ends before the showdown: {why}") from None


def beaten(own: tuple[int | None, ...], shown: Iterable[tuple[int | None, ...]]) -> bool:
    """No share that this hand would win or divide."""
    columns = zip(*shown, strict=True)
    bests = [max((rank for rank in column if rank is not None), default=None) for column in columns]
    return all(rank is None or (best is not None and rank < best) for rank, best in zip(own, bests, strict=True))


# what is compared


def finished(run: InProcess) -> Hand:
    hand = run.table.hand
    assert hand is not None
    return hand


def compare(own: OwnHand, run: InProcess, report: HandReport) -> None:
    """Every fact in order, then the stacks."""
    again = facts(run.events(), own.order)
    told = facts(own.data["events"], range(52))
    for number, (expected, got) in enumerate(zip(told, again, strict=False)):
        if expected != got:
            report.differ(f"event {number}", expected, got)
            break
    report.differ("events", len(told), len(again))
    hand = finished(run)
    for seat in own.data["seats"]:
        report.differ(f"stack of seat {seat['seat']}", seat["end"], hand.seats[seat["seat"]].stack)


def facts(events: Iterable[EventDict], order: Sequence[int]) -> list[EventDict]:
    """What must come again, in single facts; `order`: dealing order → position in the file."""
    return [seen for event in events for single in apart(event) if (seen := fact(single, order)) is not None]


def apart(event: EventDict) -> Iterator[EventDict]:
    """Antes, a round and what is burned before it, seat by seat, as files in earlier words have them (record 13)."""
    if event.get("burned"):
        yield {"event": "Burned", "at": event["burned"]}
    if event["event"] == "AntesPaid":
        for seat, amount in event["antes"]:
            yield {"event": "AntePaid", "seat": seat, "amount": amount}
    elif event["event"] == "RoundDealt":
        yield from hands_of(event["seats"], event["at"], event["down"], event["cards"])
    else:
        yield {key: value for key, value in event.items() if key != "burned"}


def hands_of(seats: Sequence[int], at: Sequence[int], down: int, cards: Sequence[str]) -> Iterator[EventDict]:
    """First what every seat was dealt face down, then what face up."""
    count = len(seats)
    hidden, up = at[: down * count], at[down * count :]
    for positions, names in ((hidden, ()), (up, cards)):
        for place, seat in enumerate(seats if positions else ()):
            yield {"event": "Dealt", "seat": seat, "at": positions[place::count], "cards": list(names[place::count])}


def fact(event: EventDict, order: Sequence[int]) -> EventDict | None:
    """An event without what another deck and another table change."""
    if event["event"] in _CLOCKS or event["event"] not in _FACTS:
        return None
    kept = {key: value for key, value in event.items() if key not in _OTHERWISE}
    if "at" in event:
        kept["at"] = [order[at] for at in event["at"]]
    plain: EventDict = json.loads(json.dumps(kept))  # tuples are lists, as in the file
    return plain
