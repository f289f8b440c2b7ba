"""A table as text: the seats, the board, the pot, whose turn it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from services.cli._text import offered, rows, show

BACK = "··"


def felt(view: Mapping[str, Any]) -> str:
    """A view (`engine/view.py`) in a few lines."""
    hand = view["hand"]
    lines = [f"{view['table']}  {view['game']}  {view['status']}  hand {view['number']}  turn {view['turn']}"]
    if hand is not None:
        street, board = hand["street"] or "before the cards", cards(hand["board"]) or "none"
        lines.append(f"{street}  pot {hand['pot']}  board {board}")
    lines.append(rows(("seat", "player", "chips", "bet", "state", "cards"), list(seats(view))))
    if hand is not None and hand["legal"]:
        lines.append(f"seat {hand['actor']} may {offered(hand['legal'])}")
    return "\n".join(lines)


def seats(view: Mapping[str, Any]) -> Iterator[tuple[object, ...]]:
    """A row for each occupied seat; the viewer's own cards are filled in."""
    you = view.get("you") or {}
    own = {one["seat"]: one["cards"] for one in (you, *you.get("also", ())) if one}
    dealt = (view.get("deck") or {}).get("seats", {})
    for place in view["seats"]:
        if place is None:
            continue
        seat = place["seat"]
        known = dealt.get(str(seat)) or own.get(seat)
        yield seat, place["player"], place["chips"], place["bet"], place["state"], cards(known or place["cards"])


def cards(names: Any) -> str:
    """Card names, a mark for each back."""
    return " ".join(name or BACK for name in names)


def told(event: Mapping[str, Any] | None) -> str:
    """An event in a line, without proofs."""
    if event is None:
        return "before the hand"
    facts = (f"{name} {plain(value)}" for name, value in event.items() if name not in QUIET and plain(value))
    return " ".join([event["event"], *facts])


def plain(value: Any) -> str:
    """A fact without the signs of a programming language: rows by commas, what is in a row by spaces."""
    if isinstance(value, Mapping):
        value = list(value.items())
    if not isinstance(value, (list, tuple)):
        return show(value)
    nested = any(isinstance(one, (list, tuple, Mapping)) for one in value)
    return (", " if nested else " ").join(map(plain, value))


QUIET = ("event", "openings", "root", "prev_head", "algorithm", "rules", "started_ms", "deadline")
