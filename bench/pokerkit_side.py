"""PokerKit 0.7.7 playing given hands: stacked decks, fixed limits, and the set-up under which it is fastest."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import NamedTuple

import pokerkit.state
from pokerkit import (
    Automation,
    BettingStructure,
    Card,
    Deck,
    FixedLimitOmahaHoldemHighLowSplitEightOrBetter,
    FixedLimitRazz,
    HandHistory,
    OmahaEightOrBetterLowHand,
    OmahaHoldemHand,
    Opening,
    State,
    Street,
)

from bench.hands import ANTE, BIG_BET, BIG_BLIND, BRING_IN, SEATS, SMALL_BET, SMALL_BLIND, STACK, Hand

Policy = Callable[[State, Callable[[], float]], object]
Automations = tuple[Automation, ...]

ALL = tuple(Automation)
# The caller who turns every hand up himself spares PokerKit the question who must show and who may muck.
CALLER_SHOWS = tuple(kind for kind in ALL if kind is not Automation.HOLE_CARDS_SHOWING_OR_MUCKING)


class Played(NamedTuple):
    """Final stacks, beginning with the hand dealt to first, and the number of player actions."""

    stacks: tuple[int, ...]
    actions: int


def omaha8(automations: Automations) -> State:
    """A limit Omaha-8 hand. PokerKit's own class of that name is pot-limit by mistake, so the state is built here."""
    return State(
        automations,
        Deck.STANDARD,
        (OmahaHoldemHand, OmahaEightOrBetterLowHand),
        (
            # The big blind is the first bet of its street: three raises. Later streets: a bet and three raises.
            Street(False, (False,) * 4, 0, False, Opening.POSITION, SMALL_BET, 3),
            Street(True, (), 3, False, Opening.POSITION, SMALL_BET, 4),
            Street(True, (), 1, False, Opening.POSITION, BIG_BET, 4),
            Street(True, (), 1, False, Opening.POSITION, BIG_BET, 4),
        ),
        BettingStructure.FIXED_LIMIT,
        True,
        0,
        (SMALL_BLIND, BIG_BLIND),
        0,
        STACK,
        SEATS,
    )


def razz(automations: Automations) -> State:
    """A limit razz hand."""
    return FixedLimitRazz.create_state(automations, True, ANTE, BRING_IN, SMALL_BET, BIG_BET, STACK, SEATS)


GAMES: dict[str, Callable[[Automations], State]] = {"omaha8": omaha8, "razz": razz}


def calldown(state: State, draw: Callable[[], float]) -> object:
    """Bring in, check or call."""
    return state.post_bring_in() if state.bring_in_status else state.check_or_call()


def at_random(state: State, draw: Callable[[], float]) -> object:
    """Uniform over: fold when facing a bet, check or call (or bring in), raise at the minimum."""
    opening = state.bring_in_status
    folds = not opening and bool(state.checking_or_calling_amount)
    choice = int(draw() * (1 + folds + state.can_complete_bet_or_raise_to()))
    if folds and choice == 0:
        return state.fold()
    if choice == folds:
        return state.post_bring_in() if opening else state.check_or_call()
    return state.complete_bet_or_raise_to()


POLICIES: dict[str, Policy] = {"random": at_random, "calldown": calldown}


def as_cards(cards: Sequence[int]) -> tuple[Card, ...]:
    """Our card numbers as PokerKit's cards."""
    return tuple(next(Card.parse("23456789TJQKA"[card // 4] + "cdhs"[card % 4])) for card in cards)


def put_on_top(cards: Sequence[Card]) -> None:
    """Make the next state deal these cards from the top.

    A state shuffles its deck with the function its module imported and takes no deck from outside. Replacing that
    function costs the peer nothing; it even saves it the shuffle.
    """

    def put(deck: deque[Card]) -> None:
        deck.clear()
        deck.extend(cards)

    pokerkit.state.shuffle = put  # type: ignore[attr-defined, assignment]


def play(game: str, policy: str, automations: Automations, hand: Hand, cards: Sequence[Card]) -> State:
    """One hand to its end; `cards` are the hand's, converted."""
    put_on_top(cards)
    state = GAMES[game](automations)
    act, draw = POLICIES[policy], iter(hand.draws).__next__
    while state.status:
        if state.actor_index is None:
            state.show_or_muck_hole_cards(True)
        else:
            act(state, draw)
    return state


def history(game: str, policy: str, hand: Hand) -> str:
    """The hand as a PHH document."""
    state = play(game, policy, ALL, hand, as_cards(hand.cards))
    rules: FixedLimitRazz | FixedLimitOmahaHoldemHighLowSplitEightOrBetter
    if game == "razz":
        rules = FixedLimitRazz(ALL, True, ANTE, BRING_IN, SMALL_BET, BIG_BET)
    else:  # replaying, the wrong limit does not matter: every recorded amount is legal in pot-limit, too
        rules = FixedLimitOmahaHoldemHighLowSplitEightOrBetter(
            ALL, True, 0, (SMALL_BLIND, BIG_BLIND), SMALL_BET, BIG_BET
        )
    return HandHistory.from_game_state(rules, state).dumps()


def replay(document: str) -> State:
    """Parse a PHH document and play it to its end."""
    *_, last = HandHistory.loads(document)
    return last
