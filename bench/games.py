"""Every game by itself, six players (or as many as it takes) at random: actions a second beside Razz.

The shipped path as `croupier simulate --bare` takes it: `act` in place, every event packed; the policy and the list of
what is for sale are part of it, for a bot or a page asks for them too.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from bench.measure import Row, Subject, rate
from engine.game import games
from services.simulate import Setup, Summary, simulate

HANDS = 60
BESIDE = "razz"
MUST, AIM = 1 / 3, 1.0
"""Of Razz's actions a second."""


def play(game: str) -> Summary:
    """The same hands each time."""
    return simulate(Setup(game, hands=HANDS, bare=True))


@contextmanager
def subject() -> Iterator[Subject]:
    """Actions a CPU second; the notes tell how many make a hand."""
    names = [name for name, game in games().items() if game.shares]
    played = {name: play(name) for name in names}
    candidates = {name: partial(rate, played[name].actions, partial(play, name)) for name in names}
    rows = [Row(f"{name} : {BESIDE}, actions/s", name, BESIDE, MUST, AIM) for name in names if name != BESIDE]
    yield Subject(candidates, tuple(rows), lambda: [note(name, played[name]) for name in names])


def note(name: str, played: Summary) -> str:
    """What a hand of the game is."""
    return f"{name}: {played.actions / HANDS:.1f} actions and {played.events / HANDS:.1f} events a hand"
