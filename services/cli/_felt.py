"""A table as text: the seats, the board, the pot, whose turn it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from services.cli._text import rows

BACK = "··"


def felt(view: Mapping[str, Any]) -> str:
    """A view (`engine/view.py`) in a few lines."""
    hand = view["hand"]
    lines = [f"{view['table']}  {view['game']}  {view['status']}  hand {view['number']}  turn {view['turn']}"]
    if hand is not None:
        lines.append(f"{hand['street']}  pot {hand['pot']}  board {cards(hand['board']) or 'none'}")
    lines.append(rows(("seat", "player", "chips", "bet", "state", "cards"), list(seats(view))))
    if hand is not None and hand["legal"]:
        offered = ", ".join(verb + sized(*bounds) for verb, bounds in hand["legal"].items())
        lines.append(f"seat {hand['actor']} may {offered}")
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


def sized(least: int, most: int) -> str:
    """The bounds of an amount, "" where there is none."""
    if not most:
        return ""
    return f" {least}" if least == most else f" {least}…{most}"


def told(event: Mapping[str, Any] | None) -> str:
    """An event in a line, without proofs."""
    if event is None:
        return "before the hand"
    facts = (f"{name} {value}" for name, value in event.items() if name not in QUIET and value not in ("", []))
    return " ".join([event["event"], *facts])


QUIET = ("event", "openings", "root", "prev_head", "algorithm", "rules", "started_ms", "deadline")
