"""Decisions with arguments, as the rule book's scenarios write them and as a table is sent them (FORMAT, section 4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

Data = Mapping[str, Any]

# What a scenario calls an item -> our name of it, and what its arguments say.
ITEMS: dict[str, tuple[str, tuple[str, ...]]] = {
    "seeburn": ("see_burned", ("slot",)),
    "seefold": ("see_folded", ("target", "slot")),
    "add": ("add_card", ()),
    "merge": ("merge", ()),
    "buyburn": ("buy_dead", ("slot",)),
    "buyfold": ("buy_dead", ("target", "slot")),
    "seelive": ("see_live", ("target",)),
    "blockr": ("block_river", ()),
    "blocktr": ("block_turn_river", ()),
}
TELL_A_CARD = ("add", "seelive")  # done, they name the card that came or its slot as well
# The keys of an action to compare -> what the course of the hand calls them.
OUTCOMES: dict[str, dict[str, str]] = {
    "purchase": {"cost": "cost", "to": "where", "card": "card", "pooled": "pooled", "commitment": "commitment"},
    "reveal": {"index": "index", "card": "card"},
    "sell": {"cards": "cards", "amount": "amount"},
}


def arguments(event: Data, chairs: Mapping[str, int]) -> dict[str, Any] | None:
    """What goes with the verb; None for verbs without arguments. Raises `KeyError` or `ValueError`."""
    match event["action"]:
        case "buy":
            return {"source": event["source"]}
        case "purchase":
            item, names = ITEMS[event["item"]]
            if len(event["args"]) > len(names) + (event["item"] in TELL_A_CARD):
                raise ValueError("more arguments than the item has")
            given: Iterable[tuple[str, str]] = zip(names, event["args"][: len(names)], strict=True)
            return {"item": item} | {name: chairs[word] if name == "target" else int(word) for name, word in given}
        case "reveal":
            return {"index": event["index"]}
        case "sell":
            return {"indices": event["indices"]}
    return None


def expected_facts(event: Data) -> dict[str, Any]:
    """What the action comes to, by the course's names; a card that its owner has yet to pick is not known then."""
    names = OUTCOMES.get(event["action"], {})
    waits = event.get("item") == "seelive"
    return {names[key]: event[key] for key in names if key in event and not (key == "card" and waits)}


def told_later(asked: Data | None, shown: Data, hand: str) -> tuple[object, object]:
    """Slot and card of a look into a live hand, as its purchase tells them and as its owner then picked them."""
    if asked is None:
        return None, None
    card = shown.get("card")
    return (asked["args"], asked.get("card", card)), ([hand, str(shown["index"])], card)


def offered(choices: Mapping[str, list[Data]], cards: int) -> dict[str, Any]:
    """The assertions about decisions with arguments; `cards`: how many the seat on turn holds."""
    found: dict[str, Any] = {"items": sorted({item_of(args) for args in choices.get("purchase", ())})}
    if "reveal" in choices:
        found["reveal"] = [args["index"] for args in choices["reveal"]]
    if "sell" in choices:
        found |= {"sell": True, "keep": cards - max(len(args["indices"]) for args in choices["sell"])}
    return found


def item_of(args: Data) -> str:
    """The scenarios' name of a purchase: a dead card is bought of the burned ones or of a folded hand."""
    told = tuple(key for key in ("target", "slot") if key in args)
    return next(word for word, (item, names) in ITEMS.items() if item == args["item"] and names == told)
