"""Our own JSON: any hand of any game, whole, one line. What `croupier check` plays again from nothing else.

Events are those of the interface (`engine/view.py`), without openings and salts, which are proofs and belong to the
bundle. `known`: what the viewer knows beside them. `decisions`: what was sent, and what the clock decided.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from engine.view import view_event
from services.exports.answer import Export, Unsaid
from services.exports.story import Decided, Story
from services.formats.own import FORMAT

PROOFS = Unsaid("proofs", "openings and salts, which prove the cards; the bundle has them")
_PROOFS = ("openings", "salts")


def write(story: Story) -> Export:
    """The hand as one object without line breaks."""
    return Export(json.dumps(document(story), separators=(",", ":"), ensure_ascii=False) + "\n", (PROOFS,))


def part(number: int, export: Export) -> str:
    """One hand a line."""
    return export.text


def document(story: Story) -> dict[str, Any]:
    """Plain values; keys in a fixed order."""
    hand = story.hand
    return {
        "format": FORMAT,
        "id": story.id,
        "table": story.table,
        "name": story.name,
        "hand": hand.number,
        "view": story.view,
        "game": hand.game.name,
        "rules": story.started.rules,
        "options": {key: value for key, value in hand.options.items() if key in keys_of(story)},
        "stakes": hand.stakes._asdict(),
        "started_ms": hand.started_ms,
        "ended_ms": story.ended_ms,
        "voided": story.voided,
        "version": story.first,
        "head": story.head.hex(),
        "chairs": hand.chairs,
        "seats": [seat(story, index) for index in hand.order],
        "board": list(story.cards(hand.board)),
        "rake": hand.rake,
        "bank": hand.bank,
        "known": [[at, card] for at, card in sorted(story.known.items()) if hand.deck[at] is None],
        "decisions": [decision(one) for one in story.decisions],
        "events": list(events(story)),
    }


def keys_of(story: Story) -> frozenset[str]:
    """The options of the hand's game, which are fewer than those of a mixed table."""
    return frozenset(option.key for option in story.hand.game.all_options())


def seat(story: Story, index: int) -> dict[str, Any]:
    """A seat with its cards as the viewer knows them, `??` for others."""
    hand = story.hand
    one = hand.seats[index]
    won = sum(amount for _, _, winner, amount in hand.awards if winner == index)
    cards = list(story.cards(one.cards))
    return {"seat": index, "player": one.player, "start": one.start, "end": one.stack, "won": won, "cards": cards}


def decision(one: Decided) -> dict[str, Any]:
    """Keys without a value are left out."""
    pairs = one._asdict().items()
    return {key: value for key, value in pairs if key == "seat" or value not in ("", None, False)}


def events(story: Story) -> Iterator[dict[str, Any]]:
    """As anybody may see them."""
    for event in story.events:
        if seen := view_event(event):
            yield {key: value for key, value in seen.items() if key not in _PROOFS}


def lines(story: Story) -> Iterator[str]:
    """The course of the hand in words, for formats that have only comments."""
    for event in events(story):
        name = event.pop("event")
        facts = (f"{key}={json.dumps(value, ensure_ascii=False)}" for key, value in event.items())
        yield " ".join((name, *facts)).replace("#", "")
