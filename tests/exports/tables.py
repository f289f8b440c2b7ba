"""Finished hands for the export tests: tables played at random, cut into hands as the log would be."""

from __future__ import annotations

import json
from collections.abc import Iterator

from engine import snapshot
from engine.commands import Act, OpenTable, Sit, StartHand
from engine.deck import hand_id, sealed_deck
from engine.game import games
from engine.state import Table
from engine.table import act, options
from services.chain import extend
from services.exports.story import Story, known_to, story_of
from services.reader import Entry
from services.recording import command_bytes
from services.segment import Segment, finished_hands
from services.wire import EVENTS, Recorded, pack
from tests.rules.random_play import Player, Step
from tests.rules.recorded import commands_of


def entries_of(table: str, steps: list[Step]) -> list[Entry]:
    """The log that these commands would have left."""
    found: list[Entry] = []
    head = b""
    for step in steps:
        stored = [EVENTS.encode(fact) for fact in step.facts]
        kept = pack(Recorded(step.now, "", 0, command_bytes(step.command)))
        for event, command in zip(stored, [kept, *[b""] * (len(stored) - 1)], strict=True):
            (head,) = extend(table, head, [event])
            found.append(Entry(len(found) + 1, event, head, command))
    return found


def segments_of(table: str, steps: list[Step]) -> Iterator[Segment]:
    """The finished hands of a table."""
    before, head = None, b""
    for number, entries in finished_hands(entries_of(table, steps)):
        segment = Segment(table, number, before, head, entries)
        yield segment
        before, head = snapshot.take(segment.end()), entries[-1].hash


def stories_of(player: Player, view: str = "public") -> Iterator[Story]:
    """The finished hands of a random table as `public`, `full`, or `seat`: the first seat dealt to."""
    seeds = [step.command.seed for step in player.steps if isinstance(step.command, StartHand)]
    for segment in segments_of(player.table.id, player.steps):
        yield story_as(segment, seeds[segment.hand - 1], view)


def story_as(segment: Segment, seed: bytes, view: str) -> Story:
    if view == "public":
        return story_of(segment)
    deck = sealed_deck(seed, hand_id(segment.table, segment.hand))
    hand = segment.end().hand
    assert hand is not None
    seat = hand.order[0]
    return story_of(
        segment,
        "full" if view == "full" else f"seat:{seat}",
        known_to(segment, "full" if view == "full" else seat, deck),
    )


def played(
    game: str, number: int, hands: int = 4, quiet: bool = False, chosen: dict[str, object] | None = None
) -> Player:
    """A table that has played up to `hands` hands from sealed decks; `chosen`: its options, None: any. At every
    other table the players' seeds cut the deck.
    """
    player = Player(games()[game], number, sealed_deck, seeded=number % 2 == 0, chosen=chosen)
    for _ in range(hands):
        if not player.hand(quiet):
            break
    return player


def called_down(game: str, players: int) -> Story:
    """A hand that everybody plays to its end for as little as he can, told with all cards."""
    table, steps = Table("000-CALLED"), []

    def do(command: OpenTable | Sit | StartHand | Act) -> None:
        steps.append(Step(command, 1000, act(table, command, 1000, sealed_deck)))

    do(OpenTable(game, {}))
    for seat in range(players):
        do(Sit(seat, f"p{seat}", 1000))
    do(StartHand(bytes(32), b""))
    while table.hand is not None and table.hand.actor is not None:
        verb = next(verb for verb in ("bring_in", "check", "call", "muck") if verb in options(table))
        do(Act(table.hand.actor, f"p{table.hand.actor}", verb))
    return next(story_as(segment, bytes(32), "full") for segment in segments_of(table.id, steps))


def recorded_stories(text: str, view: str = "public") -> Iterator[Story]:
    """The finished hands of a course of `seeds/recorded`."""
    recorded = json.loads(text)
    table, steps, seeds = Table(recorded["table"]), [], []
    for at, command in commands_of(recorded):
        steps.append(Step(command, at, act(table, command, at, sealed_deck)))
        seeds += [command.seed] if isinstance(command, StartHand) else []
    for segment in segments_of(table.id, steps):
        yield story_as(segment, seeds[segment.hand - 1], view)
