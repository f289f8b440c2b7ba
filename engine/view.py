"""Who sees what: the one allow-list (COM-75). What is not listed here is not sent.

`view(table, None)` is the public view; `view(table, seat)` adds what that seat's player may see. Both are plain values
(dicts, lists, ints, texts, None) ready for JSON. A process that never knew the deck gets the same public view.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from engine.cards import NAMES
from engine.cut import label
from engine.deck import Deck
from engine.events import OF_GAMES, TURN, Event
from engine.middle import Middle, numbers_of
from engine.next_game import games_of, is_mixed, next_game
from engine.play import choices, legal
from engine.positions import post_obstacle
from engine.pots import pots
from engine.rotation import chooser
from engine.state import Hand, Place, Seat, Table
from engine.tournament import joinable, level_ends, next_stakes

View = dict[str, Any]


def view(table: Table, viewer: int | None = None) -> View:
    """The table as `viewer` (a seat index, None for everybody) may see it."""
    seen = {**table_view(table), "turn": table.turn}
    seen["seats"] = [place_view(table, index, place) for index, place in enumerate(table.places)]
    seen["hand"] = hand_view(table, table.hand) if table.hand else None
    if viewer is not None:
        seen["you"] = private_view(table, viewer)
    return seen


def table_view(table: Table) -> View:
    """The table without the number of its turn, its seats and its hand."""
    seen: View = {
        "table": table.id,
        "game": table.game.name if table.game else None,
        "name": table.options["name"] if table.options else "",
        "status": table.status,
        "number": table.number,
    }
    if is_mixed(table):
        seen["rotation"] = rotation_view(table)
    if table.game and table.game.tournament:
        seen["tournament"] = tournament_view(table)
    return seen


def rotation_view(table: Table) -> View:
    """The games of a mixed table, what is dealt next, and whose choice that is now, if it is anybody's."""
    return {
        "games": [game.name for game in games_of(table)],
        "next": next_game(table).name,
        "chooser": chooser(table),
    }


def tournament_view(table: Table) -> View:
    """The level in force, when it ends, its stakes and the next ones; the balance of the bank; who is out or has won;
    whether players may still join.
    """
    following = next_stakes(table)
    return {
        "level": table.level,
        "level_ends": level_ends(table),
        "stakes": table.stakes()._asdict(),
        "next": following._asdict() if following else None,
        "bank": table.bank,
        "ranks": dict(table.ranks),
        "joinable": joinable(table),
    }


def told(deal: Deck, at: list[int]) -> View:
    """Cards that somebody may see, with the proof of each."""
    cards = [NAMES[deal.cards[position]] for position in at]
    return {"at": list(at), "cards": cards, "openings": [deal.opening(position).hex() for position in at]}


def private_view(table: Table, index: int, tell: Callable[[Deck, list[int]], View] = told) -> View:
    """What only this seat's player sees: his own cards, with openings so that he can check them at once.

    `tell` says how the cards at some positions are told.
    """
    hand = table.hand
    if hand is None or hand.deal is None or not (dealt := dealt_to(table, hand, index)):
        return {"seat": index, "hand": None, "at": [], "cards": [], "openings": []}
    return own_view(hand, index, dealt, partial(tell, hand.deal))


def dealt_to(table: Table, hand: Hand, index: int) -> list[int]:
    """The player's seats that are in the hand; he looks through his first one even when that has been eliminated."""
    if index in hand.seats:
        return hand.seats_of(index)
    place, each = table.places[index], hand.game.seats_each
    others = range(index - index % each, index - index % each + each)
    return [other for other in others if place and other in hand.seats and hand.seats[other].player == place.player]


def own_view(hand: Hand, index: int, dealt: list[int], tell: Callable[[list[int]], View]) -> View:
    """The cards of a seat, as `tell` gives those at some positions. Where a player has two seats, also the cards of the
    other one and those that he has paid to see. `dealt`: those of his seats that are in the hand.
    """
    seen: View = {"seat": index, "hand": hand.number, **tell(hand.seats[index].cards if index in dealt else [])}
    if hand.game.seats_each > 1:
        seen["also"] = [{"seat": other, **tell(hand.seats[other].cards)} for other in dealt if other != index]
        seen["looks"] = tell(hand.looks.get(hand.seats[dealt[0]].player, []))
    return seen


PLACE = (
    "seat", "player", "chips", "state", "connected", "sitting_out", "leaving", "top_up", "owes", "posting", "may_post",
    "pledged", "time_bank_ms", "bet", "paid", "cards", "up", "folded", "shown", "mucked",
)  # fmt: skip
"""What is seen of a place; the last two only of one that is in the hand."""
NOT_IN_HAND = (0, 0, (), (), False)


def place_view(table: Table, index: int, place: Place | None) -> View | None:
    """What is seen of a place; None of an empty one."""
    return named(PLACE, place_values(table, index, place))


def place_values(table: Table, index: int, place: Place | None) -> tuple[Any, ...] | None:
    """The same without the names."""
    if place is None:
        return None
    hand = table.hand
    seat = hand.seats.get(index) if hand else None
    if seat and seat.player != place.player:
        seat = None
    playing = hand is not None and not hand.over
    return (
        index,
        place.player,
        seat.stack if seat and playing else place.chips,
        state_of(table, place, seat if playing else None),
        place.connected,
        place.sitting_out,
        place.leaving,
        place.top_up,
        [place.owes_small, place.owes_big],
        place.posting,
        place.owes and not place.posting and post_obstacle(table, index) is None,
        place.player in table.pledges,
        place.bank_ms,
        *(seat_values(hand, seat) if hand and seat else NOT_IN_HAND),
    )


def seat_values(hand: Hand, seat: Seat) -> tuple[Any, ...]:
    cards, up = seat.cards, seat.up
    return (
        seat.bet,
        seat.paid,
        names_of(hand, cards),
        [cards.index(at) for at in up],
        not seat.live,
        seat.shown,
        seat.mucked,
    )


def named(names: Sequence[str], values: Sequence[Any] | None) -> View | None:
    """Values with their names: of the first names, where there are fewer values."""
    return None if values is None else dict(zip(names, values, strict=False))


def state_of(table: Table, place: Place, seat: Seat | None) -> str:
    """One word of COM-73; a player who is away but dealt in keeps the word of his hand."""
    if seat is None:
        return out_of_hand(table, place)
    if seat.merged:
        return "merged"
    if not seat.live:
        return "folded"
    if seat.stack == 0:
        return "all_in"
    return "in" if place.connected else "disconnected"


def out_of_hand(table: Table, place: Place) -> str:
    """Why the seat has no cards; `in`: it will be dealt some."""
    assert table.options is not None
    if place.eliminated or place.sitting_out:
        return "eliminated" if place.eliminated else "sitting_out"
    if place.chips + place.top_up < next_game(table).least_stack(table.options):
        return "below_minimum"
    return "waiting" if place.owes else "in"


def names_of(hand: Hand, at: Iterable[int]) -> list[str | None]:
    """The cards at these positions, as far as they are public; None is a back."""
    deck, up = hand.deck, hand.open
    return [NAMES[card] if up[i] and (card := deck[i]) is not None else None for i in at]


def hand_view(table: Table, hand: Hand) -> View:
    *moment, _, of_game = moment_values(table, hand)
    return hand_of_parts(start_view(hand), course_values(hand), moment, hand, of_game)


def hand_of_parts(
    start: View, course: Sequence[Any], moment: Sequence[Any], middle: Hand | Middle, of_game: View
) -> View:
    """The view of a hand; `of_game`: what its game adds."""
    parts = *zip(COURSE, course, strict=True), *zip(MOMENT, moment, strict=True)
    seen = {**start, **dict(parts), **middle_view(middle), **of_game}
    seen["awaited"] = list(seen["awaited"])
    seen["legal"] = {verb: list(bounds) for verb, bounds in seen["legal"].items()}
    return seen


def start_view(hand: Hand) -> View:
    """What stays as it was when the hand began."""
    return {
        "number": hand.number,
        "game": hand.game.name,
        "button": hand.button,
        "small": hand.small,
        "big": hand.big,
        "order": list(hand.order),
        "stakes": hand.stakes._asdict(),
        "root": hand.root.hex(),
    }


COURSE = ("street", "over", "board", "burned", "returns", "awards", "rake", "cut")
"""What has come of the hand so far. Who acts changes nothing of it."""


def course_values(hand: Hand) -> tuple[Any, ...]:
    """In the order of COURSE."""
    return (
        hand.street,
        hand.over,
        names_of(hand, hand.board),
        len(hand.burned),
        [list(back) for back in hand.returns],
        [list(award) for award in hand.awards],
        hand.rake,
        cut_view(hand),
    )


MOMENT = ("actor", "awaited", "deadline", "price", "legal", "choices", "chosen")
"""Whose turn it is and what for. After it comes what lies in the middle, and what a game may add."""


def moment_values(table: Table, hand: Hand) -> tuple[Any, ...]:
    """In the order of MOMENT, what lies in the middle (`numbers_of`), and a map of what the game adds.

    At a paused table nobody may do anything.
    """
    still = table.status == "paused"
    return (
        hand.actor,
        hand.awaited,
        hand.deadline if hand.clocked else None,
        hand.price,
        {} if still else legal(hand),
        {} if still else choices(hand),
        list(hand.sealed),
        numbers_of(hand),
        hand.game.view(hand),
    )


def middle_view(hand: Hand | Middle) -> View:
    """Pot and pots; of a hand that is over there are none."""
    found = [] if hand.over else pots(hand)
    return {
        "pot": hand.in_middle(),
        "pots": [{"amount": pot.amount, "eligible": list(pot.eligible)} for pot in found],
    }


def cut_view(hand: Hand) -> View:
    """Whose seeds have made the public cut, or may still make it until `deadline`."""
    return {
        "label": label(hand),
        "players": [player for player in hand.pledges if player in hand.seeds],
        "awaited": [player for player in hand.pledges if player not in hand.seeds] if hand.revealing else [],
    }


# What is seen of which places other than before, after an event: of none, only of its `seat`, of its `seats`, or of
# those who had a bet before it. Of these kinds, some change the course of the hand (`NEW_COURSE`), all change the
# moment, and none changes anything else. Any other kind may change everything: what is `Shown`, too, for a card that
# was bought is seen at the seat it came from as well.
NO_PLACE = (
    "BoardDealt", "Burned", "Checked", "TurnBegan", "TurnEnded", "Awaited", "ChoiceSealed", "AnswersOpened",
    "TimedOut", "ClockExtended", "GraceGiven", "Raked",
)  # fmt: skip
ONE_PLACE = (
    "AntePaid", "BlindPosted", "Posted", "Dealt", "Folded", "Called", "RaisedTo", "BroughtIn", "TimeBankUsed",
    "Returned", "UnmatchedReturned", "Awarded", "Mucked", "Connected", "Disconnected", "TopUpAsked",
)  # fmt: skip
ITS_PLACES = ("RoundDealt",)
BETTORS = ("StreetBegan",)
NEW_COURSE = (
    "BoardDealt", "Burned", "Raked", "Dealt", "RoundDealt", "StreetBegan", "Returned", "UnmatchedReturned", "Awarded",
)  # fmt: skip


# Event -> the fields everybody may see; a game lists those of its own events in its file (`events.game_event`).
# None of them can hold a hidden card: hidden cards are positions only.
VISIBLE: dict[str, tuple[str, ...]] = {
    "TableOpened": ("game", "options", "rules", "chairs", "opened_ms"),
    "OptionsChanged": ("actor", "options"),
    "Sat": ("seat", "player", "chips"),
    "Stood": ("seat", "player", "chips"),
    "LeaveAsked": ("seat",),
    "TopUpAsked": ("seat", "amount"),
    "ChipsAdded": ("seat", "amount", "why"),
    "SatOut": ("seat", "why"),
    "SatIn": ("seat",),
    "BlindsOwed": ("seat", "small", "big"),
    "PostAsked": ("seat",),
    "OrbitMissed": ("seat",),
    "Disconnected": ("seat",),
    "Connected": ("seat",),
    "Paused": ("actor", "why", "at"),
    "Resumed": ("actor",),
    "Closed": ("actor", "why"),
    "GameChosen": ("seat", "game", "default"),
    "LevelStarted": ("level", "at"),
    "LevelExtended": ("by",),
    "SeatEliminated": ("seat",),
    "PlayerRanked": ("player", "rank"),
    "HandStarted": ("number", "prev_head", "game", "button", "small", "big", "seats", "posts", "stakes", "root",
                    "algorithm", "rules", "started_ms"),
    "SeedPledged": ("player", "pledge"),
    "SeedsAwaited": ("pledges", "deadline"),
    "SeedRevealed": ("player", "seed"),
    "CutFixed": ("seeds", "cut"),
    "AntePaid": ("seat", "amount"),
    "AntesPaid": ("antes",),
    "BlindPosted": ("seat", "amount", "kind"),
    "Posted": ("seat", "live", "dead"),
    "Dealt": ("seat", "at", "cards", "openings"),
    "RoundDealt": ("seats", "at", "down", "cards", "openings", "burned"),
    "BoardDealt": ("at", "cards", "openings", "burned"),
    "Burned": ("at",),
    "StreetBegan": ("street", "first", "price", "size", *TURN),
    "TurnBegan": ("seat", "turn", "deadline"),
    "TurnEnded": ("seat",),
    "Awaited": ("seats", "turn", "deadline"),
    "AnswersOpened": ("choices", "salts"),
    "Folded": ("seat", *TURN),
    "Checked": ("seat", *TURN),
    "Called": ("seat", "amount", *TURN),
    "RaisedTo": ("seat", "to", "level", "size", *TURN),
    "BroughtIn": ("seat", "amount", "price", *TURN),
    "TimedOut": ("seat", "turn", "deadline", "at"),
    "TimeBankUsed": ("seat", "ms"),
    "ClockExtended": ("by", "reason"),
    "GraceGiven": ("seat",),
    "ChoiceSealed": ("seat",),
    "Returned": ("seat", "amount"),
    "UnmatchedReturned": ("seat", "amount"),
    "Shown": ("seat", "at", "cards", "openings", *TURN),
    "Mucked": ("seat", *TURN),
    "Raked": ("amount",),
    "Awarded": ("pot", "share", "seat", "amount"),
    "HandEnded": ("number", "stacks"),
    "HandVoided": ("reason", "stacks"),
}  # fmt: skip


def view_event(event: Event) -> View | None:
    """The event for people and programs; None for a kind that is not on the list."""
    name = type(event).__name__
    fields = VISIBLE.get(name) or OF_GAMES.get(name)
    if fields is None:
        return None
    if fields[-3:] == TURN and event.to_act is None:  # type: ignore[attr-defined]
        fields = fields[:-3]
    return {"event": name, **{field: plain(field, getattr(event, field)) for field in fields}}


def plain(field: str, value: object) -> object:
    """Bytes become lists of positions, card names or hex; the rest is plain already."""
    if field == "cards":
        return [NAMES[card] for card in value]  # type: ignore[attr-defined]
    if field in ("at", "burned", "seats", "cut") and isinstance(value, bytes):
        return list(value)
    if field in ("seeds", "pledges"):
        return [[player, secret.hex()] for player, secret in value]  # type: ignore[attr-defined]
    return value.hex() if isinstance(value, bytes) else value
