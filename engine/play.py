"""One hand from its start to its end: dealing it, taking actions, running out clocks, closing it."""

from __future__ import annotations

from typing import Any

from engine.betting import DOUBLE, RAISES
from engine.commands import Act, Expire, RevealSeed, StartHand
from engine.cut import await_seeds, fix_cut, pledged, reveal
from engine.deck import hand_id
from engine.draft import Draft
from engine.events import (
    Awaited,
    BlindsOwed,
    GameChosen,
    HandEnded,
    HandStarted,
    OrbitMissed,
    SatOut,
    Stood,
    TimeBankUsed,
    TimedOut,
)
from engine.game import Game
from engine.next_game import next_game
from engine.positions import Plan
from engine.presence import own_place
from engine.refusals import Refused
from engine.rotation import chooser, plan_for
from engine.state import Hand, Place, Stakes
from engine.steps import NO_MORE_ANSWERS, WITHOUT_ARGUMENTS, Args, Choices, Move, Range, Step
from engine.tournament import first_level

WITH_AMOUNT = (*RAISES, "bring_in")
PLAIN = {verb: Move(verb, 0) for verb in ("check", "fold", "show", "muck")} | {"call": None}  # nothing to choose
DEAL_ALGORITHM = "hmac-drbg-sha256/deck-1"


def start_hand(draft: Draft, command: StartHand) -> None:
    """Deal the next hand. Raises Refused `table_not_running`, `hand_running` or `not_enough_players`."""
    table = draft.table
    if table.status != "running":
        raise Refused("table_not_running")
    if table.playing:
        raise Refused("hand_running")
    assert table.game is not None and table.options is not None
    game = next_game(table)
    plan = command.plan or plan_for(table, game, command.seed)
    if plan is None:
        raise Refused("not_enough_players")
    if (undecided := chooser(table)) is not None:
        draft.emit(GameChosen(undecided, game.name, True))
    stakes = table.stakes(game)
    if plan.passed or plan.missed_small:
        note_missed(draft, plan, game, stakes)
    first_level(draft)
    number, pledges = table.number + 1, pledged(table, plan.order)
    deck = draft.deal(command.seed, hand_id(table.id, number))
    draft.emit(HandStarted(
        number, command.head, game.name, plan.button, plan.small, plan.big,
        tuple([(i, place.player, place.chips) for i in plan.order if (place := table.places[i])]),
        tuple((post.seat, post.live, post.dead) for post in plan.posts), tuple(stakes),
        deck.root, DEAL_ALGORITHM if deck.root else "bare",
        game.rules, draft.now,
    ))  # fmt: skip
    assert table.hand is not None
    draft.hand = table.hand
    draft.hand.learn(deck)
    await_seeds(draft, pledges)
    if not draft.hand.revealing:
        go_on(draft)


def reveal_seed(draft: Draft, command: RevealSeed) -> None:
    """With the last of them the cut is fixed, and the cards are dealt."""
    reveal(draft, command)
    if not draft.hand.revealing:
        go_on(draft)


def note_missed(draft: Draft, plan: Plan, game: Game, stakes: Stakes) -> None:
    """Blinds that passed a seat sitting out are owed; too many missed orbits free the seat (COM-69, COM-70)."""
    table = draft.table
    assert table.options is not None
    for index in plan.missed_small:
        if game.blinds and not table.place(index).owes_small:
            draft.emit(BlindsOwed(index, stakes.small_blind, table.place(index).owes_big))
    limit = table.options.number("max_missed_orbits")
    for index in plan.passed:
        place = table.place(index)
        if game.blinds and not place.owes_big:
            draft.emit(BlindsOwed(index, place.owes_small, stakes.big_blind))
        draft.emit(OrbitMissed(index))
        if limit and place.missed_orbits > limit:
            draft.emit(Stood(index, place.player, place.chips, ""))


def step_of(hand: Hand) -> Step:
    """The step that has given somebody the turn."""
    return hand.script.steps[hand.step]


def legal(hand: Hand) -> dict[str, tuple[int, int]]:
    """Verb -> (least, most) for the seat on turn; empty when nobody has it."""
    if hand.actor is None:
        return {}
    if hand.legal is None:
        hand.legal = hand.script.steps[hand.step].options(hand)
    return hand.legal


def choices(hand: Hand) -> Choices:
    """Verb -> each set of arguments it may be sent with, for the verbs of the seat on turn that take some."""
    if hand.actor is None:
        return {}
    if hand.choices is None:
        hand.choices = step_of(hand).choices(hand)
    return hand.choices


def take_action(draft: Draft, command: Act) -> None:
    """The seat on turn decides. Raises Refused with the code of rule book 1.13, before anything has changed."""
    table = draft.table
    seat, player, verb, amount, turn, args = command
    place = own_place(table, seat, player)
    if turn and turn != table.turn:
        raise Refused("stale_turn", turn=table.turn)
    hand = table.hand
    if hand is None or (hand.actor != seat and (hand.over or seat not in hand.awaited)):
        raise Refused(out_of_turn(hand, command), turn=table.turn)
    if table.status == "paused":
        raise Refused("table_paused")
    move = checked(hand, verb, amount, args)
    if hand.actor != seat:
        answer_first(draft, seat)
    elif draft.now > hand.deadline - place.bank_ms and not hand.awaited:
        use_bank(draft, place, draft.now - hand.deadline + place.bank_ms)
    hand.script.steps[hand.step].act(draft, move)
    go_on(draft)


def answer_first(draft: Draft, seat: int) -> None:
    """Of several who are awaited, who answers has the turn."""
    hand = draft.hand
    others = [index for index in hand.awaited if index != seat]
    draft.emit(Awaited((seat, *others), draft.table.turn, hand.deadline))


def out_of_turn(hand: Hand | None, command: Act) -> str:
    """While several seats are awaited, another one may not do what they may: the step says why."""
    if hand is None or hand.over or command.seat not in hand.seats:
        return "not_your_turn"
    if not hand.awaited or command.seat in hand.sealed:
        return too_late(hand, command.verb) or "not_your_turn"
    return step_of(hand).refusal(hand, command.verb, None)


def too_late(hand: Hand, verb: object) -> str | None:
    """The code for what could only be done earlier in the hand, whoever asks for it and whoever has the turn."""
    if hand.actor is None or type(verb) is not str or verb in legal(hand):
        return None
    return hand.game.late.get(verb)


def use_bank(draft: Draft, place: Place, ms: int) -> None:
    """Time taken beyond the action time; the bank is the player's, whichever of his seats has the turn (COM-71)."""
    used = min(place.bank_ms, ms)
    if used > 0:
        for index in draft.table.seats_of(place.player):
            draft.emit(TimeBankUsed(index, used))


def checked(hand: Hand, verb: str, amount: int | None, args: object) -> Move:
    """The move if it is among the options, else Refused."""
    offered = legal(hand) if hand.legal is None else hand.legal
    if amount is not None and type(amount) is not int:
        raise Refused("malformed_amount")
    if type(verb) is not str:
        raise Refused("illegal_action", legal=shown(offered))
    if verb in offered and verb in PLAIN:
        return PLAIN[verb] or Move(verb, offered[verb][0])
    named = synonym(offered, verb, amount)
    if named in WITH_AMOUNT and named in offered:
        return Move(named, chosen_amount(hand, offered, verb, named, amount))
    chosen = plain(args)
    if named not in offered or not fitting(hand, named, chosen):
        code = too_late(hand, verb) or step_of(hand).refusal(hand, verb, amount, chosen)
        raise Refused(code, legal=shown(offered))
    return Move(named, offered[named][0], chosen)


def chosen_amount(hand: Hand, offered: dict[str, Range], verb: str, named: str, amount: int | None) -> int:
    """What `verb`, which is `named` now, bets up to; where there is one amount only, it need not be said."""
    least, most = offered[named]
    if amount is None and least == most:
        return least
    if amount is None or not least <= amount <= most:
        raise Refused(step_of(hand).refusal(hand, verb, amount), legal=shown(offered))
    return amount


def plain(args: object) -> Args:
    """Arguments as `choices` has them: a list of numbers is one in ascending order, whatever wire it came by."""
    if not isinstance(args, dict):
        return {}
    return {key: ascending(value) if isinstance(value, list | tuple) else value for key, value in args.items()}


def ascending(values: list[Any] | tuple[Any, ...]) -> list[Any]:
    return sorted(values) if all(type(value) is int for value in values) else list(values)


def fitting(hand: Hand, verb: str, args: Args) -> bool:
    """The arguments are among the choices, or the verb takes none."""
    if verb in WITHOUT_ARGUMENTS:
        return True
    offered = choices(hand)
    return verb not in offered or (args in offered[verb] and exact(args))


def exact(args: Args) -> bool:
    """Whole numbers are whole numbers: True is not 1, nor is 1.0."""
    values = [one for value in args.values() for one in (value if isinstance(value, list) else [value])]
    return all(type(value) in (int, str) for value in values)


def synonym(offered: dict[str, tuple[int, int]], verb: str, amount: int | None) -> str:
    """`bet`, `raise` and `complete` all mean "to amount": the offered verb that goes there, else the plain one.

    Who must bring in may also say `bring_in` for the double, which is a completion (RAZ-09, RAZ-C02).
    """
    if verb == "bring_in" and verb in offered and offered.get("complete") == (amount, amount):
        return "complete"
    if verb not in RAISES or (verb in offered and DOUBLE not in offered):  # as nearly always: one way to raise
        return verb
    wagers = [other for other in (*RAISES, DOUBLE) if other in offered]
    reaching = [other for other in wagers if amount is not None and offered[other][0] <= amount <= offered[other][1]]
    return next(iter(reaching or wagers), verb)


def shown(offered: dict[str, tuple[int, int]]) -> dict[str, list[int]]:
    return {verb: list(bounds) for verb, bounds in offered.items()}


def expire(draft: Draft, command: Expire) -> None:
    """The clock of this decision, or the time to reveal seeds, has run out (COM-71).

    Raises Refused `stale_turn`, `table_paused`, `too_early`.
    """
    table = draft.table
    hand = table.hand
    if hand is None or hand.over or not hand.clocked or command.turn != table.turn:
        raise Refused("stale_turn", turn=table.turn)
    if table.status == "paused":
        raise Refused("table_paused")
    if draft.now < hand.deadline:
        raise Refused("too_early")
    if hand.actor is None:
        fix_cut(draft)
        return go_on(draft)
    seat, place = hand.actor, table.place(hand.actor)
    if hand.awaited:
        draft.emit(TimedOut(seat, table.turn, hand.deadline, draft.now))
        step_of(hand).act(draft, NO_MORE_ANSWERS)
        return go_on(draft)
    draft.spent = place.player  # also if his other seat is next
    time_out(draft)
    use_bank(draft, place, place.bank_ms)
    assert table.game is not None
    if not place.sitting_out and not place.leaving and not table.game.tournament:
        draft.emit(SatOut(seat, "timed_out"))
    return go_on(draft)


def time_out(draft: Draft) -> None:
    """The seat on turn does what a timeout does; the fact and the resolved action are both recorded (COM-73)."""
    hand = draft.hand
    assert hand.actor is not None
    draft.emit(TimedOut(hand.actor, draft.table.turn, hand.deadline, draft.now))
    step = step_of(hand)
    step.act(draft, step.default(hand))


def go_on(draft: Draft) -> None:
    """Run the script until somebody has to decide or the hand is over; players who left time out at once (COM-11)."""
    hand, places = draft.hand, draft.table.places
    while True:
        if hand.actor is None:
            advance(draft, hand)
        actor = hand.actor
        if actor is None or not places[actor].leaving:  # type: ignore[union-attr]
            return
        time_out(draft)


def advance(draft: Draft, hand: Hand) -> None:
    """Enter step after step while nobody has the turn; a single live seat goes straight to the award (COM-14)."""
    script = hand.script
    at = hand.step
    alone = len(hand.live()) == 1
    while hand.actor is None and not hand.over:
        at += 1
        if alone and at < script.award:
            at = script.award
        if at == len(script.steps):
            end_hand(draft)
        else:
            script.steps[at].enter(draft)


def end_hand(draft: Draft) -> None:
    """Close the books: the chips at the table are what they were (COM-55)."""
    hand = draft.hand
    stacks = hand.stacks()
    before = sum([seat.start for seat in hand.seats.values()]) + hand.bank
    assert sum(stacks) + hand.rake + draft.table.bank == before and min(stacks) >= 0, "chips are not conserved"
    draft.emit(HandEnded(hand.number, stacks))
