"""The table decides: commands in, events out.

`act` is the shipped path: it applies each fact to the table it is given. `decide` is the same on a copy. A refusal is
raised before the first fact. Any other exception is a fault of the engine: the table it happened on must be dropped
and folded again from its log.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from engine.commands import (
    Act,
    AddChips,
    ChangeOptions,
    ChooseGame,
    Close,
    Connect,
    Disconnect,
    Expire,
    ExtendClock,
    NextLevel,
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
    VoidHand,
    require_types,
)
from engine.cut import pledge
from engine.deck import Deck, sealed_deck
from engine.draft import DealSource, Draft
from engine.events import (
    BlindsOwed,
    ChipsAdded,
    ClockExtended,
    Closed,
    Event,
    GameChosen,
    HandVoided,
    LeaveAsked,
    LevelExtended,
    OptionsChanged,
    Paused,
    PostAsked,
    Resumed,
    Sat,
    SatIn,
    SatOut,
    Stood,
    TableOpened,
    TopUpAsked,
)
from engine.game import find_game
from engine.next_game import games_of
from engine.play import expire, go_on, legal, reveal_seed, start_hand, take_action, time_out
from engine.positions import can_deal, post_obstacle
from engine.presence import connect, disconnect, own_place
from engine.refusals import Refused
from engine.rotation import chooser
from engine.state import Place, Table
from engine.tournament import eliminate, level_ends, next_level, require_joinable

__all__ = ["Deck", "Table", "act", "decide", "evolve", "options"]


def act(table: Table, command: Any, now: int, deal: DealSource = sealed_deck) -> list[Event]:
    """Facts that follow from `command` at `now` (ms), already applied to `table`. Raises Refused, table unchanged."""
    draft, kind = Draft(table, now, deal), type(command)
    if kind is not Act:  # whose fields are looked at one by one anyway, and which come by the million
        require_types(command)
    HANDLERS[kind](draft, command)
    if draft.untold:
        draft.conclude()
    hand = table.hand
    if hand is not None and hand.over:
        tidy(draft)
    return draft.events


def decide(table: Table, command: Any, now: int, deal: DealSource = sealed_deck) -> list[Event]:
    """As `act`, on a copy: `table` is left alone."""
    return act(copy.deepcopy(table), command, now, deal)


def evolve(table: Table, event: Event) -> None:
    """Apply a recorded fact."""
    event.apply(table)


def options(table: Table) -> dict[str, tuple[int, int]]:
    """What the seat on turn may do: verb -> (least, most); empty when nobody has the turn."""
    hand = table.hand
    return {} if hand is None or table.status == "paused" else legal(hand)


def open_table(draft: Draft, command: OpenTable) -> None:
    if draft.table.status != "new":
        raise Refused("table_exists")
    game = find_game(command.game)
    resolved = game.resolve(command.options)
    draft.emit(TableOpened(game.name, dict(sorted(resolved.items())), game.rules, resolved.number("seats"), draft.now))


def change_options(draft: Draft, command: ChangeOptions) -> None:
    """Between hands; the number of chairs stays."""
    table = draft.table
    if table.game is None or table.options is None:
        raise Refused("no_such_table")
    if table.playing:
        raise Refused("hand_running")
    wanted = {**table.options, **command.options}
    used = {option.key for option in table.game.options_in_use(wanted)}
    resolved = table.game.resolve({key: wanted[key] for key in wanted if key in used or key in command.options})
    if resolved["seats"] != table.options["seats"]:
        raise Refused("bad_option", key="seats", fixed=table.options["seats"])
    draft.emit(OptionsChanged(command.actor, dict(sorted(resolved.items()))))


def buy_in_bounds(table: Table) -> tuple[int, int | None]:
    """Least and most chips a player sits down with (keys `buy_in.*`, in big bets; a least of 0 lets any stack sit)."""
    assert table.game is not None and table.options is not None
    if table.game.tournament:
        chips = table.game.tournament.stack(table.options) * table.game.seats_each
        return chips, chips
    stakes = table.stakes()
    big = stakes.big_bet or stakes.big_blind or 1
    wanted, most = table.options.number("buy_in.min") * big, table.options.number("buy_in.max") * big
    least = max(wanted, table.game.least_stack(table.options)) if wanted else 1
    return least, (max(least, most) if most else None)


def check_chips(table: Table, chips: object, before: int = 0) -> int:
    """A whole positive number of chips that keeps the stack within the buy-in bounds."""
    if type(chips) is not int or chips <= 0:
        raise Refused("malformed_amount")
    least, most = buy_in_bounds(table)
    if before + chips < least:
        raise Refused("stack_below_minimum", least=least)
    if most is not None and before + chips > most:
        raise Refused("buy_in_too_large", most=most)
    return chips


def sit(draft: Draft, command: Sit) -> None:
    """Take an empty chair, or as many adjacent ones as a player of the game has; the chips are split evenly.

    With blinds a newcomer owes one big blind, except before the first deal and in a tournament (COM-65, COM-69).
    """
    table = draft.table
    if table.status == "closed":
        raise Refused("table_closed")
    if type(command.seat) is not int or not 0 <= command.seat < len(table.places):
        raise Refused("no_such_seat", seats=len(table.places))
    assert table.game is not None and table.options is not None
    each = table.game.seats_each
    chairs = range(command.seat - command.seat % each, command.seat - command.seat % each + each)
    if any(table.places[index] is not None for index in chairs):
        raise Refused("seat_taken")
    if any(place and place.player == command.player for place in table.places):
        raise Refused("already_seated")
    if table.game.tournament:
        require_joinable(table)
    chips = check_chips(table, command.chips)
    bank = table.options.number("time_bank_seconds") * 1000
    for index in chairs:
        draft.emit(Sat(index, command.player, chips // each, bank, command.transfer))
    if table.game.blinds and table.number > 0 and not table.game.tournament:
        draft.emit(BlindsOwed(command.seat, 0, table.stakes().big_blind))


def dealt_in(table: Table, index: int) -> bool:
    return table.playing and table.hand is not None and index in table.hand.seats


def stays(table: Table, place: Place) -> bool:
    """In a tournament who leaves is dealt in until he is out, or all is decided (HAS-C45)."""
    assert table.game is not None
    running = table.game.tournament is not None and table.number > 0 and table.status != "closed"
    return running and place.player not in table.ranks


def stand(draft: Draft, command: Stand) -> None:
    """Leave: at once between hands, else after the hand, timing out on every turn until then (COM-11)."""
    table = draft.table
    place = own_place(table, command.seat, command.player)
    if place.leaving:
        raise Refused("already_leaving")
    own = table.seats_of(command.player)
    if not dealt_in(table, command.seat) and not stays(table, place):
        for index in own:
            draft.emit(Stood(index, place.player, table.place(index).chips, ""))
        return
    for index in own:
        draft.emit(LeaveAsked(index))
    if table.playing and draft.hand.actor in own and table.status != "paused":
        time_out(draft)
        go_on(draft)


def require_cash(table: Table) -> None:
    """In a tournament nobody buys chips or sits out. Raises Refused `not_in_a_tournament`."""
    assert table.game is not None
    if table.game.tournament:
        raise Refused("not_in_a_tournament")


def add_chips(draft: Draft, command: AddChips) -> None:
    """Top up between hands; during a hand the chips wait for its end (COM-15)."""
    table = draft.table
    place = own_place(table, command.seat, command.player)
    require_cash(table)
    chips = check_chips(table, command.amount, place.chips + place.top_up)
    if dealt_in(table, command.seat):
        draft.emit(TopUpAsked(command.seat, chips))
    else:
        draft.emit(ChipsAdded(command.seat, chips, command.transfer, "top_up"))


def sit_out(draft: Draft, command: SitOut) -> None:
    """From the next deal on (COM-70)."""
    place = own_place(draft.table, command.seat, command.player)
    require_cash(draft.table)
    if place.sitting_out:
        raise Refused("already_sitting_out")
    draft.emit(SatOut(command.seat, "asked"))


def sit_in(draft: Draft, command: SitIn) -> None:
    """Back in; with blinds owed, the seat waits for the big blind (COM-69)."""
    place = own_place(draft.table, command.seat, command.player)
    if not place.sitting_out:
        raise Refused("not_sitting_out")
    if place.chips == 0:
        raise Refused("insufficient_chips")
    draft.emit(SatIn(command.seat))


def post(draft: Draft, command: Post) -> None:
    """Post what is owed at the next deal. Refused on the button, before the big blind, without the chips (COM-69)."""
    table = draft.table
    own_place(table, command.seat, command.player)
    obstacle = post_obstacle(table, command.seat)
    if obstacle:
        raise Refused(obstacle)
    draft.emit(PostAsked(command.seat))


def choose_game(draft: Draft, command: ChooseGame) -> None:
    """The next hand's game, by the player who has the choice (MIX-07), if two can pay for it (MIX-11)."""
    table = draft.table
    own_place(table, command.seat, command.player)
    if table.playing:
        raise Refused("hand_running")
    if chooser(table) != command.seat:
        raise Refused("not_your_turn", turn=table.turn)
    names = [game.name for game in games_of(table)]
    if command.game not in names:
        raise Refused("illegal_action", games=names)
    if not can_deal(table, find_game(command.game)):
        raise Refused("not_enough_players")
    draft.emit(GameChosen(command.seat, command.game, False))


def pause(draft: Draft, command: Pause) -> None:
    """Stop play, a running turn's clock included."""
    if draft.table.status != "running":
        raise Refused("table_not_running")
    draft.emit(Paused(command.actor, command.why[:200], draft.now))


def resume(draft: Draft, command: Resume) -> None:
    """Go on; the running turn gets back the time of the pause."""
    table = draft.table
    if table.status != "paused":
        raise Refused("table_not_paused")
    draft.emit(Resumed(command.actor))
    if level_ends(table):
        draft.emit(LevelExtended(draft.now - table.paused_ms))
    restart_clock(draft)


def restart_clock(draft: Draft) -> None:
    """After a pause: the running turn gets its length; who has asked to leave meanwhile times out now."""
    table = draft.table
    if not table.playing or not draft.hand.clocked:
        return
    draft.emit(ClockExtended(draft.now - table.paused_ms, "paused"))
    if draft.hand.actor is not None and table.place(draft.hand.actor).leaving:
        time_out(draft)
        go_on(draft)


def close(draft: Draft, command: Close) -> None:
    """No further hand; a running one is played to its end, then everybody gets his chips back."""
    table = draft.table
    if table.status in ("new", "closed"):
        raise Refused("no_such_table" if table.status == "new" else "table_closed")
    paused = table.status == "paused"
    draft.emit(Closed(command.actor, command.why[:200]))
    if paused:
        restart_clock(draft)
    if not table.playing:
        tidy(draft)


def extend_clock(draft: Draft, command: ExtendClock) -> None:
    """After an outage the running turn gets its length (section 7 of the architecture)."""
    if not draft.table.playing or not draft.hand.clocked:
        raise Refused("stale_turn", turn=draft.table.turn)
    draft.emit(ClockExtended(command.by, command.reason))


def void_hand(draft: Draft, command: VoidHand) -> None:
    """The operator gives every stack back as before the hand (VOI-01); what was posted is owed again (VOI-02)."""
    if not draft.table.playing:
        raise Refused("no_hand")
    for post in draft.hand.posts:
        draft.emit(BlindsOwed(post.seat, post.dead, post.live))
    draft.emit(HandVoided(command.reason[:200], tuple(seat.start for seat in draft.hand.seats.values())))


def tidy(draft: Draft) -> None:
    """Between hands: leavers stand, waiting chips arrive, empty stacks sit out, a closed table empties."""
    table = draft.table
    assert table.game is not None
    if table.game.tournament:
        eliminate(draft)
    closed = table.status == "closed"
    for index, place in enumerate(table.places):
        if place is None:
            continue
        if closed or (place.leaving and not stays(table, place)):
            draft.emit(Stood(index, place.player, place.chips, ""))
            continue
        if place.top_up:
            draft.emit(ChipsAdded(index, place.top_up, "", "top_up"))
        if place.chips == 0 and not place.sitting_out and not table.game.tournament:
            draft.emit(SatOut(index, "no_chips"))


HANDLERS: dict[type[Any], Callable[[Draft, Any], None]] = {
    OpenTable: open_table,
    ChangeOptions: change_options,
    Sit: sit,
    Stand: stand,
    AddChips: add_chips,
    SitOut: sit_out,
    SitIn: sit_in,
    Post: post,
    ChooseGame: choose_game,
    PledgeSeed: pledge,
    RevealSeed: reveal_seed,
    Connect: connect,
    Disconnect: disconnect,
    Act: take_action,
    Pause: pause,
    Resume: resume,
    Close: close,
    StartHand: start_hand,
    Expire: expire,
    ExtendClock: extend_clock,
    NextLevel: next_level,
    VoidHand: void_hand,
}
