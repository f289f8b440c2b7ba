"""Who is dealt in, where the button is, who owes and posts what (COM-65..70, RAZ-C01)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import NamedTuple

from engine.deck import first_button
from engine.game import Game
from engine.next_game import next_game
from engine.state import Post, Table

NOBODY = -1


class Plan(NamedTuple):
    """A hand about to start. `order`: dealt-in seats in dealing order; `small`, `big`: positions, NOBODY if none."""

    button: int
    small: int
    big: int
    order: tuple[int, ...]
    posts: tuple[Post, ...] = ()
    passed: tuple[int, ...] = ()  # sitting-out seats the big blind (or dealer) passed
    missed_small: tuple[int, ...] = ()  # sitting-out seats whose turn for the small blind has come


def ready_seats(table: Table, game: Game | None = None) -> list[int]:
    """Whose player has enough chips for `game`, which is the next one if none is named (MIX-11), and wants cards, at
    once or with the big blind; in a tournament nobody is asked whether he does (HAS-C45).
    """
    assert table.game is not None and table.options is not None
    cash, least = table.game.tournament is None, (game or next_game(table)).least_stack(table.options)
    return [
        index
        for index, place in enumerate(table.places)
        if place and place.chips >= least and not (cash and (place.sitting_out or place.leaving))
    ]


def can_deal(table: Table, game: Game | None = None) -> bool:
    """Two players or more are ready for `game`, or for the next one."""
    return table.game is not None and opposed(table, ready_seats(table, game))


def opposed(table: Table, seats: list[int]) -> bool:
    """They are of two players or more: one with two hands does not play against himself (HAS-C46)."""
    return any(table.place(index).player != table.place(seats[0]).player for index in seats)


def clockwise(table: Table, seats: list[int], start: int) -> list[int]:
    """`seats`, which ascend, in clockwise order: the first at or after `start` begins."""
    at = bisect_left(seats, start % len(table.places))
    return seats[at:] + seats[:at]


def between(table: Table, low: int, high: int) -> list[int]:
    """Chairs strictly between two positions, clockwise."""
    count = len(table.places)
    return [(low + k) % count for k in range(1, (high - low) % count or count)]


def first_after(seats: list[int], chair: int) -> int:
    """The first of `seats`, which ascend, that comes clockwise after the chair."""
    return seats[bisect_right(seats, chair) % len(seats)]


def sitting_out(table: Table) -> list[int]:
    return [i for i, place in enumerate(table.places) if place and place.sitting_out]


def passed_by(table: Table, seats: list[int], low: int, high: int) -> tuple[int, ...]:
    """Those of `seats` strictly between two positions."""
    return tuple([i for i in between(table, low, high) if i in seats]) if seats else ()


def dealer_plan(table: Table, seed: bytes) -> Plan | None:
    """Games with antes: the dealer's place moves one in-player clockwise per deal, the first is drawn (RAZ-C01)."""
    ready = ready_seats(table)
    if not opposed(table, ready):
        return None
    if table.button is None:
        dealer = ready[first_button(seed, len(ready))]
        return Plan(dealer, NOBODY, NOBODY, tuple(clockwise(table, ready, dealer + 1)))
    dealer = first_after(ready, table.button)
    passed = passed_by(table, sitting_out(table), table.button, dealer)
    return Plan(dealer, NOBODY, NOBODY, tuple(clockwise(table, ready, dealer + 1)), (), passed)


def blind_plan(table: Table, seed: bytes) -> Plan | None:
    """Games with blinds: a drawn button first, then the dead button (COM-65..67)."""
    ready = ready_seats(table)
    if not opposed(table, ready):
        return None
    if table.big is None or table.big == NOBODY:
        return first_deal(table, ready, seed)
    big, small = first_after(ready, table.big), table.big
    dealt, posts = dealt_with_posts(table, ready, small, big)
    out = sitting_out(table)
    passed, missed_small = passed_by(table, out, small, big), passed_by(table, out, last_small(table), small + 1)
    button = button_chair(table, dealt, small)
    if len(dealt) == 2:
        small = button = next(i for i in dealt if i != big)
    return Plan(button, small, big, tuple(clockwise(table, dealt, button + 1)), posts, passed, missed_small)


def last_small(table: Table) -> int:
    return NOBODY if table.small is None else table.small


def button_chair(table: Table, seats: list[int], small: int) -> int:
    """Where the small blind was (COM-66). If any of `seats` lies between it and the small blind's chair, who is to act
    first after the flop (OM8-11, OM8-55), the last of them: so it is after a heads-up hand (decision 33).
    """
    button = last_small(table)
    return [button, *passed_by(table, seats, button, small)][-1]


def paid_up(table: Table, ready: list[int], big: int) -> list[int]:
    """Who is dealt in without a post: nothing owed, or the big blind's turn."""
    return [i for i in ready if i == big or not table.place(i).owes]


def dealt_with_posts(table: Table, ready: list[int], small: int, big: int) -> tuple[list[int], tuple[Post, ...]]:
    """Who owes blinds is dealt in as the big blind, or posting what he owes; the posts, from the button's left."""
    sure = paid_up(table, ready, big)
    if sure == ready:
        return ready, ()
    button = button_chair(table, sure, small)
    posting = [i for i in ready if i not in sure and posts_now(table, i, button, big)]
    if sure == [big] and len(posting) < 2:  # one who posts would have the button, which he may not (COM-69)
        return ready, ()  # nobody to play against but players who wait: the game starts again, nobody owes
    return sorted([*sure, *posting]), tuple([post_of(table, i) for i in clockwise(table, posting, button + 1)])


def first_deal(table: Table, ready: list[int], seed: bytes) -> Plan:
    """Drawn button; small and big blind next to it, heads-up the button is the small blind (COM-65, COM-67)."""
    button = ready[first_button(seed, len(ready))]
    order = clockwise(table, ready, button + 1)
    small, big = (button, order[0]) if len(order) == 2 else (order[0], order[1])
    return Plan(button, small, big, tuple(order))


def posts_now(table: Table, index: int, button: int, big: int) -> bool:
    """Wants to post, may at this position, and has the chips (COM-69)."""
    place = table.place(index)
    return place.posting and post_allowed(table, index, button, big) and can_post(table, index)


def post_allowed(table: Table, index: int, button: int, big: int) -> bool:
    """Not on the button and not between button and big blind (COM-69)."""
    return index != button and index not in between(table, button, big)


def can_post(table: Table, index: int) -> bool:
    """The full amount after the ante, which is paid first; at least a chip more if nothing is live (COM-40, COM-69)."""
    post, game = post_of(table, index), next_game(table)
    ante = table.stakes(game).ante if game.blinds else 0
    return table.place(index).chips >= ante + post.live + post.dead + (0 if post.live else 1)


def post_of(table: Table, index: int) -> Post:
    """At today's blinds: one big blind live, one small blind dead, each if it is owed (OM8-19)."""
    stakes = table.stakes()
    place = table.place(index)
    return Post(index, stakes.big_blind if place.owes_big else 0, stakes.small_blind if place.owes_small else 0)


def post_obstacle(table: Table, index: int) -> str | None:
    """Why the player may not post what he owes at the next deal (COM-69); None: he may."""
    if not table.place(index).owes:
        return "nothing_owed"
    if not can_post(table, index):
        return "insufficient_chips"
    positions = next_positions(table, index)
    if positions and not post_allowed(table, index, *positions):
        return "post_not_allowed_here"
    return None


def next_positions(table: Table, with_seat: int) -> tuple[int, int] | None:
    """(button, big blind) of the next deal if it were planned now with `with_seat` in; None before the first deal."""
    if table.big is None or table.big == NOBODY:
        return None
    ready = sorted({*ready_seats(table), with_seat})
    big = first_after(ready, table.big)
    return button_chair(table, paid_up(table, ready, big), table.big), big
