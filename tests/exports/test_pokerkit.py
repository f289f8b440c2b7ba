"""Our PHH files and our PokerStars text in PokerKit: it must come to our stacks.

Where PokerKit 0.7.7 is known to play otherwise than a room, the hand is left out, and how many are left out is counted:
a short blind or bring-in lowers its price, after a short all-in raise it counts the next one from there, it refuses a
raise that only players without chips could answer, it does not know an opening passed on, it halves side pots in which
nobody has a low if there is one in another pot, in pot-limit it does not count a dead small blind, and its odd chips go
by another rule than ours. All other pots of high and low are compared, also several of one hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from pokerkit import HandHistory

from engine.events import RaisedTo
from engine.state import Hand, Place, Seat, Table
from services.exports import phh, pokerstars
from services.exports.phh import passed_opening, short_price, ties
from services.exports.story import Story
from tests.exports.tables import played, stories_of

EXACT = {
    "FR": ("razz", {}),
    "FO/8": ("omaha8", {"omaha.structure": "limit"}),
    "FT": ("holdem", {"holdem.structure": "limit"}),
    "NT": ("holdem", {"holdem.structure": "no_limit"}),
    "PO": ("omaha", {"omaha.structure": "pot_limit"}),
    "F7S/8": ("stud8", {}),
}
ANY_STACK = {"buy_in.min": 0, "buy_in.max": 0}


def otherwise(story: Story) -> str | None:
    """What of this hand PokerKit is known to play in its own way."""
    hand = story.hand
    if short_price(story):
        return "short price"
    if passed_opening(story):
        return "passed opening"
    if hand.small not in hand.seats and hand.options.get("omaha.structure") == "pot_limit":
        return "dead blind in the pot"
    if odd := next(odd_raises(story), None):
        return odd
    if several_pots(story) and "only" in {share for _, share, _, _ in hand.awards}:
        return "side pot without a low"
    return "odd chip" if ties(story) or (several_pots(story) and odd_halves(hand)) else None


def several_pots(story: Story) -> bool:
    """Whether high and low share one of several."""
    shares = {share for _, share, _, _ in story.hand.awards}
    return bool(shares & {"high", "low", "both"}) and len({pot for pot, *_ in story.hand.awards}) > 1


def odd_halves(hand: Hand) -> bool:
    """A pot has a chip more for the high hand than for the low one."""
    halves: Counter[tuple[int, str]] = Counter()
    for pot, share, _, amount in hand.awards:
        halves[pot, share] += amount
    return any(halves[pot, "high"] != paid for (pot, share), paid in halves.items() if share == "low")


def odd_raises(story: Story) -> Iterator[str]:
    """Short all-in raises, and raises to more than anybody else could call."""
    seats: dict[int, Seat] = {}
    hand: Hand | None = None
    table = Table("again", options=story.hand.options, places=[None] * story.hand.chairs)
    for index, seat in story.hand.seats.items():
        table.places[index] = Place(seat.player, seat.start, 0)
    table.number, table.game = story.hand.number - 1, story.hand.game
    for event in story.events:
        if isinstance(event, RaisedTo) and hand is not None:
            others = [seat for index, seat in seats.items() if seat.live and index != event.seat]
            if event.to < hand.price + hand.size and seats[event.seat].stack == event.to - seats[event.seat].bet:
                yield "short raise"
            if all(seat.bet + seat.stack <= hand.price for seat in others):
                yield "unanswerable raise"
        if not type(event).__module__.endswith(".places"):  # who comes and goes meanwhile changes no bet
            event.apply(table)
        hand = table.hand
        seats = hand.seats if hand else {}


def pokerkit_stacks(text: str) -> list[int]:
    *_, last = HandHistory.loads(text)
    return list(last.stacks)


@pytest.mark.parametrize("code", EXACT)
@pytest.mark.parametrize("view", ["public", "full"])
def test_pokerkit_comes_to_the_same_stacks(code: str, view: str) -> None:
    game, options = EXACT[code]
    count: Counter[str] = Counter()
    for number in range(12):
        for story in stories_of(played(game, number, 3, chosen={**ANY_STACK, **options}), view):
            why = otherwise(story)
            count[why or "same"] += 1
            count["several pots"] += why is None and several_pots(story)
            if why is None:
                export = phh.write(story)
                assert f'variant = "{code}"' in export.text
                assert pokerkit_stacks(export.text) == [story.hand.seats[i].stack for i in story.hand.order], (
                    export.text
                )
    assert count["same"] > 5, count
    assert count["several pots"] or not code.endswith("/8"), count


@pytest.mark.filterwarnings("ignore:The field 'time_zone_abbreviation' is an unexpected field")  # its reader's own
def test_pokerkits_own_reader_of_pokerstars_text_comes_to_the_same_stacks() -> None:
    """It reads no-limit hold'em only."""
    count = 0
    for number in range(20):
        for story in stories_of(played("holdem", number, 3, chosen=ANY_STACK)):
            if otherwise(story) is None:
                text = pokerstars.write(story).text
                (history,) = HandHistory.from_pokerstars(text, error_status=True)
                *_, last = history
                assert history.players is not None
                stacks = dict(zip(history.players, last.stacks, strict=True))
                assert stacks == {seat.player: seat.stack for seat in story.hand.seats.values()}, text
                count += 1
    assert count > 15
