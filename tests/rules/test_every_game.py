"""What holds in every game of `engine/games/`, a new one included, whatever is played."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.commands import (
    FIELDS,
    Act,
    AddChips,
    ChangeOptions,
    ChooseGame,
    Close,
    Connect,
    Expire,
    OpenTable,
    Pause,
    PledgeSeed,
    Post,
    Resume,
    RevealSeed,
    Sit,
    SitIn,
    SitOut,
    Stand,
    StartHand,
)
from engine.deck import CARDS, bare_deck, shuffle
from engine.draft import Draft
from engine.events import GIVES_TURN, MOVES_CARDS, Awaited, Event, RoundDealt, TurnBegan
from engine.game import Game, games
from engine.games.abyssinia import price
from engine.play import choices, legal
from engine.pots import pots
from engine.refusals import Refused
from engine.state import BURNED, Hand, Table
from engine.steps import Step
from engine.table import act, decide, evolve
from engine.view import private_view, view, view_event
from services.wire import EVENTS, fold
from tests.rules.random_play import Player, played, unsealed
from tests.rules.random_play import Step as Done
from tests.rules.stories import MOVED, rule

NO_AMOUNTS: tuple[Any, ...] = (1.5, "7", True, [])
NO_VERBS: tuple[Any, ...] = (None, 3, [], {})
numbers = st.integers(0, 2**32)
every_game = pytest.mark.parametrize("game", games().values(), ids=games())


# --- what is true after every event


def turns_by(fact: Any) -> tuple[int, ...]:
    """By how much a fact may move the number of turns; several seats that are awaited share one."""
    kind = type(fact)
    if kind is Awaited:
        return (1, 0)
    return (1,) if kind is TurnBegan or (GIVES_TURN[kind] and fact.to_act is not None) else (0,)


class Watch:
    """Folds a log event by event and holds every state against what is always true."""

    def __init__(self, table_id: str) -> None:
        self.table = Table(table_id)
        self.bank = 0

    def see(self, facts: Iterable[Event]) -> None:
        for fact in facts:
            hand, turn = self.table.number, self.table.turn
            evolve(self.table, fact)
            self.count(fact)
            assert self.table.number - hand == (type(fact).__name__ == "HandStarted")
            assert self.table.turn - turn in turns_by(fact)
            if self.table.hand:
                check_cards(self.table.hand)
                check_seats(self.table.hand)

    def count(self, fact: Event) -> None:
        """Chips come with players, go with them, or are raked; nothing else changes their number."""
        kind = type(fact).__name__
        field, sign = MOVED.get(kind, ("", 0))
        self.bank += sign * getattr(fact, field, 0)
        hand = self.table.hand
        rake = hand.rake if hand and not hand.over else 0
        assert self.table.chips() == self.bank + rake, f"{kind} has made or lost chips"
        assert all(seat.stack >= 0 for seat in hand.seats.values()) if hand else True
        assert not hand or hand.over or sum(pot.amount for pot in pots(hand)) == hand.in_middle() + hand.awarded


def check_seats(hand: Hand) -> None:
    """Who is in the hand is kept, seat by seat and as a list."""
    assert hand.live() == [index for index in hand.order if hand.seats[index].live]


def check_cards(hand: Hand) -> None:
    """Every position is in one place only: a hand, the board, the burned cards, aside, or still in the deck (P090)."""
    away = [at for place in (*hand.seats, BURNED) for at in hand.lying(place)] + hand.board + hand.discards
    away += hand.aside.values()
    assert len(set(away)) == len(away) == hand.dealt <= CARDS
    known = [card for card in hand.deck if card is not None]
    assert len(set(known)) == len(known)


@rule("COM-55", "COM-01", "COM-76")
@every_game
@given(number=numbers)
@settings(max_examples=60)
def test_chips_cards_and_numbers_hold_after_every_event(game: Game, number: int) -> None:
    """P013: and a hand ends within a bound of steps."""
    player = played(game, number)
    watch = Watch(player.table.id)
    for step in player.steps:
        watch.see(step.facts)
    assert watch.table.chips() == player.table.chips()


@every_game
def test_a_step_that_changes_the_hand_without_an_event_is_caught(game: Game, monkeypatch: Any) -> None:
    """The test of the test: the first step moves a chip from one seat to another in passing; none is missing."""
    player = Player(game, 1)
    player.start()
    assert player.table.hand is not None
    kind = type(player.table.hand.script.steps[0])
    enter = kind.enter

    def slip(step: Step, draft: Any) -> None:
        giver, *_, taker = draft.hand.seats.values()
        giver.stack, taker.stack = giver.stack - 1, taker.stack + 1
        enter(step, draft)

    check_fold(player)
    monkeypatch.setattr(kind, "enter", slip)
    player = Player(game, 1)
    player.start()
    with pytest.raises(AssertionError, match="views differ"):
        check_fold(player)


@every_game
def test_a_hidden_card_in_an_event_is_caught(game: Game, monkeypatch: Any) -> None:
    """The test of the test: the deadline of a turn depends on a card that nobody may know."""
    give_turn = Draft.give_turn

    def tell(draft: Draft, index: int) -> None:
        draft.now += draft.hand.deal.cards[51]  # type: ignore[union-attr]
        give_turn(draft, index)

    monkeypatch.setattr(Draft, "give_turn", tell)
    with pytest.raises(AssertionError):
        check_some_hidden(game)


def check_some_hidden(game: Game) -> None:
    for number in range(1, 9):
        check_hidden(game, number)


# --- deciding


@rule("COM-10", "COM-76")
@every_game
@given(number=numbers)
@settings(max_examples=12)
def test_every_legal_action_works_and_deciding_changes_nothing(game: Game, number: int) -> None:
    """Each verb with its least and most, on a copy; `decide` gives what `act` gives."""
    player = Player(game, number)
    for _ in range(2):
        if not player.start():
            return
        while player.table.playing:
            try_everything(player)
            decided = decide(player.table, action := player.some_action(), player.now, unsealed)
            assert decided == player.send(action)


def try_everything(player: Player) -> None:
    hand = player.table.hand
    assert hand is not None and hand.actor is not None
    before = copy.deepcopy(player.table)
    name = hand.seats[hand.actor].player
    for verb, bounds in legal(hand).items():
        for amount in sorted(set(bounds)):
            listed = choices(hand).get(verb, [None])
            for args in player.chance.sample(listed, min(len(listed), 6)):
                assert decide(player.table, Act(hand.actor, name, verb, amount, 0, args), player.now, unsealed)
    assert decide(player.table, Expire(player.table.turn, hand.deadline), hand.deadline, unsealed)
    assert player.table == before


def battery(table: Table) -> list[Any]:
    """Commands that are wrong now, whatever the game."""
    hand = table.hand
    assert hand is not None and hand.actor is not None
    seat = hand.actor
    name = hand.seats[seat].player
    reach = hand.seats[seat].bet + hand.seats[seat].stack
    other = next(i for i in hand.order if i != seat)
    wrong = [
        Act(seat, name, verb, amount)
        for verb in ("bet", "raise", "complete", "bring_in")
        for amount in (0, -1, reach + 1, 10**12)
    ]
    missing = [verb for verb in ("fold", "check", "call", "show", "muck") if verb not in legal(hand)]
    return [
        *wrong,
        *(Act(seat, name, verb) for verb in [*missing, "", "FOLD", "dance"]),
        *(Act(seat, name, "raise", amount) for amount in NO_AMOUNTS),
        *(Act(seat, name, verb) for verb in NO_VERBS),
        Act(other, hand.seats[other].player, "fold"),
        Act(seat, "stranger", "fold"),
        Act(-1, name, "fold"),
        Act(len(table.places), name, "fold"),
        Act("0", name, "fold"),  # type: ignore[arg-type]
        Act(seat, name, next(iter(legal(hand))), None, table.turn + 1),
        Expire(table.turn - 1, hand.deadline),
        Sit(seat, "newcomer", 100),
        StartHand(bytes(32), b""),
        Resume("host"),
        Post(seat, name),
    ]


@rule("COM-10", "COM-76")
@every_game
@given(number=numbers)
@settings(max_examples=8)
def test_what_is_illegal_is_refused_with_a_code_and_changes_nothing(game: Game, number: int) -> None:
    player = Player(game, number)
    if not player.start():
        return
    while player.table.playing:
        before = copy.deepcopy(player.table)
        for command in battery(player.table):
            with pytest.raises(Refused) as refusal:
                act(player.table, command, player.now, unsealed)
            assert refusal.value.code.islower()
            assert player.table == before, command
        player.decision(quiet=True)


NO_VALUES: tuple[Any, ...] = (True, False, -1, -2, 10**30, 1.0, "", "x", b"x", None, [], [True], [-1], [0, 0], {}, "0")


def wrong_arguments(listed: list[dict[str, Any]], chance: random.Random) -> list[Any]:
    """Arguments that are not among those listed: of the wrong type, out of any range, too few or too many."""
    right = chance.choice(listed)
    changed = [{**right, key: value} for key in right for value in NO_VALUES]
    fewer = [{key: value for key, value in right.items() if key != left} for left in right]
    wrong = [*changed, *fewer, {**right, "more": 1}, {**right, 7: 7}, None, 5, "x", [right], {}]
    return [args for args in wrong if not any(type(args) is dict and same(args, other) for other in listed)]


def same(args: dict[Any, Any], other: dict[str, Any]) -> bool:
    """Equal, and of equal types, to the last number."""
    return repr(sorted(args.items(), key=repr)) == repr(sorted(other.items(), key=repr))


@rule("COM-10", "COM-76")
@every_game
@given(number=numbers)
@settings(max_examples=5)
def test_arguments_of_no_kind_are_refused_with_a_code_and_change_nothing(game: Game, number: int) -> None:
    """Purchases, sales, looks, declarations: booleans, negative and huge numbers, texts and lists in their place."""
    player = Player(game, number)
    if not player.start():
        return
    while player.table.playing:
        hand = player.table.hand
        assert hand is not None and hand.actor is not None
        before = copy.deepcopy(player.table)
        seat, name = hand.actor, hand.seats[hand.actor].player
        for verb, listed in choices(hand).items():
            for args in wrong_arguments(listed, player.chance):
                with pytest.raises(Refused) as refusal:
                    act(player.table, Act(seat, name, verb, None, 0, args), player.now, unsealed)
                assert refusal.value.code.islower()
        assert player.table == before
        player.decision(quiet=True)


def unfit(command: Any) -> list[Any]:
    """The command with each of its fields of a wrong type in turn."""
    wrong: tuple[Any, ...] = (5, None, b"x", [], "x", 1.5, True)
    return [
        command._replace(**{field: value})
        for field, kind in FIELDS[type(command)].items()
        for value in wrong
        if type(value) is not kind
    ]


@rule("COM-10")
@every_game
def test_a_command_with_a_field_of_a_wrong_type_is_refused_and_changes_nothing(game: Game) -> None:
    """Whatever it asks for: a text that is none would break the events that keep it."""
    player = played(game, 1, hands=1)
    place = next(place for place in player.table.places if place)
    seat = player.table.places.index(place)
    empty = next((i for i, other in enumerate(player.table.places) if other is None), seat)
    good = [
        Pause("host", "break"), Close("host", "late"), Sit(empty, "n", 100, "t"), AddChips(seat, place.player, 5, "t"),
        ChangeOptions("host", {}), OpenTable(game.name, {}), ChooseGame(seat, place.player, "razz"),
        PledgeSeed(place.player, 2, bytes(32)), RevealSeed(place.player, 2, bytes(32)), Stand(seat, place.player),
        SitOut(seat, place.player), SitIn(seat, place.player), Connect(seat, place.player), Resume("host"),
    ]  # fmt: skip
    for command in [wrong for one in good for wrong in unfit(one)]:
        before = copy.deepcopy(player.table)
        with pytest.raises(Refused):
            act(player.table, command, player.now, unsealed)
        assert player.table == before, command


# --- the log


def check_fold(player: Player) -> None:
    """Bytes and back (P137), folded without the deck: the same public view after every command."""
    folded = Table(player.table.id)
    acting = Table(player.table.id)
    for step in player.steps:
        assert act(acting, step.command, step.now, player.deal) == step.facts
        for fact in step.facts:
            stored = EVENTS.encode(fact)
            assert EVENTS.encode(EVENTS.decode(stored)) == stored
            fold(folded, [stored])
        assert view(folded) == view(acting), "the views differ: something changed without an event"
    if folded.hand and acting.hand:
        known = [at for at in range(CARDS) if folded.hand.deck[at] is not None]
        assert all(folded.hand.deck[at] == acting.hand.deck[at] for at in known)
        folded.hand.deck[:] = acting.hand.deck
    assert folded == acting == player.table


@rule("COM-76", "COM-73")
@every_game
@given(number=numbers)
@settings(max_examples=40)
def test_the_log_folds_to_the_same_table_and_the_commands_decide_the_same_again(game: Game, number: int) -> None:
    check_fold(played(game, number, hands=3))


# --- hidden cards


def streams(steps: list[Done], table_id: str, swap: dict[int, int], viewers: list[int]) -> list[Any]:
    """What everybody and these seats are told along the course, with some cards of the deck exchanged."""

    def deal(seed: bytes, hand: bytes) -> Any:
        cards = shuffle(seed, hand)
        return bare_deck([cards[swap.get(at, at)] for at in range(CARDS)])

    table, told = Table(table_id), []
    for step in steps:
        for fact in act(table, step.command, step.now, deal):
            told.append(view_event(fact))
        told += [view(table), *(private_view(table, seat) for seat in viewers)]
    return told


def hidden_places(hand: Hand, viewers: list[int], steps: list[Done]) -> list[int]:
    """Positions these viewers must learn nothing about; at a showdown every live hand has had its effect."""
    known = {at for seat in viewers for at in learned(hand, seat, steps)}
    if hand.street == "showdown":
        known.update(at for seat in hand.seats.values() if seat.live for at in seat.cards)
    return [at for at in range(CARDS) if not hand.open[at] and at not in known]


def learned(hand: Hand, viewer: int, steps: list[Done]) -> list[int]:
    """Positions of the cards that the seat's player was dealt, has bought or was shown in the last hand."""
    own = hand.seats_of(viewer)
    facts = [fact for step in steps for fact in step.facts if type(fact).__name__ in MOVES_CARDS]
    return [at for fact in facts for at in received(fact, own)]


def received(fact: Any, own: list[int]) -> bytes:
    """Positions that the fact gives these seats, or a look at them."""
    if isinstance(fact, RoundDealt):
        count = len(fact.seats)
        return b"".join(fact.at[place::count] for place, seat in enumerate(fact.seats) if seat in own)
    return getattr(fact, "at", b"") if fact.seat in own else b""


def exchanged(hand: Hand, hidden: list[int], chance: random.Random) -> dict[int, int]:
    """The hidden cards at other hidden places; where something of them is public, among those alike in it."""
    known = KNOWN_OF_HIDDEN.get(hand.game.name)
    if known is None:
        return dict(zip(hidden, chance.sample(hidden, len(hidden)), strict=True))
    swap = {}
    for kind in sorted({known(hand, at) for at in hidden}):
        places = [at for at in hidden if known(hand, at) == kind]
        swap.update(zip(places, chance.sample(places, len(places)), strict=True))
    return swap


def price_at(hand: Hand, at: int) -> int:
    card = hand.deck[at]
    assert card is not None
    return price(hand.options, card)


KNOWN_OF_HIDDEN: dict[str, Callable[[Hand, int], int]] = {"abyssinia": price_at}  # ABY-C09: the price is public


@rule("COM-75")
@every_game
@given(number=numbers)
@settings(max_examples=60)
def test_hidden_cards_leave_no_trace_in_what_others_are_told(game: Game, number: int) -> None:
    """Two hands that differ in hidden cards only look alike to everybody who may not know them."""
    check_hidden(game, number)


def check_hidden(game: Game, number: int, kind: type[Player] = Player) -> list[Event]:
    """What happened in that course."""
    player = kind(game, number, seeded=number % 2 == 1)
    chance = random.Random(number)
    if not player.start():
        return []
    stop = chance.choice((2, 5, 9, 1000))  # decisions; the course may end within the hand
    while player.table.playing and stop:
        stop -= 1
        player.decision(quiet=True)
    hand = player.table.hand
    assert hand is not None
    for viewers in ([], [chance.choice(hand.order)]):
        hidden = hidden_places(hand, viewers, player.steps)
        swap = exchanged(hand, hidden, chance)
        told, other = (streams(player.steps, player.table.id, s, viewers) for s in ({}, swap))
        assert repr(told) == repr(other)
    return [fact for step in player.steps for fact in step.facts]
