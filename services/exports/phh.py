"""Our hands as PHH 0.0.2 (TOML), the Poker Hand History file format.

Limit razz (`FR`) and limit Omaha-8 (`FO/8`) are exact; so are the other games that the format has a code for. Codes of
our own stand beside `_phh_extension = true`. Fields of our own begin with an underscore, as the format asks: readers
pass over them. A game of purchases has no actions in PHH: its file carries our own JSON under `_croupier`, and the
course of the hand as comments.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from engine.events import BlindPosted, BroughtIn, Folded, RaisedTo
from services.exports import own_json
from services.exports.answer import EARLY, SHORT, CannotHold, Export, Unsaid, all_of
from services.exports.record import has_record, record_of
from services.exports.remarks import hidden_cards, table_talk
from services.exports.story import Story
from services.formats.phh import VARIANTS
from services.formats.record import Entry, Record
from services.formats.scribe import STUD_GAMES

CODES = {variant: code for code, variant in VARIANTS.items()}
STANDARD = frozenset({"FR", "FO/8", "FT", "NT", "PO", "F7S", "F7S/8"})

EXTENSION = Unsaid("variant", "PHH has no code for this game; ours is an extension")
SPLIT = Unsaid("shares", "which half of a pot was won with what; finishing_stacks are right")
ODD_CHIPS = Unsaid("odd_chips", "who gets an odd chip of a tie; finishing_stacks are right, `_house` names our rule")
BUTTON = Unsaid("dead_button", "a button before an empty chair; `_button` names it")
PASSED = Unsaid("passed_opening", "the bring-in of a player without chips passes on; who declines it folds (RAZ-C09)")
DEAD = Unsaid("dead_blinds", "a dead blind is no ante of its own; it stands in antes, and alone in `_dead_blinds`")
RAKE = Unsaid("rake", "how much was taken from which pot; `_rake` is the sum")
OWN_GAME = Unsaid("actions", "PHH has no action for what is done in this game; `_croupier` holds the hand")


def write(story: Story) -> Export:
    """One hand. Raises CannotHold for a hand that was called off."""
    if story.voided:
        raise CannotHold("PHH has no way to call a hand off")
    fields, unsaid = _played(story) if has_record(story) else _told(story)
    return Export("".join(f"{key} = {toml(value)}\n" for key, value in fields.items()), unsaid)


def part(number: int, export: Export) -> str:
    """One hand of a .phhs file: a table under its number."""
    return f"[{number}]\n{export.text}\n"


def _played(story: Story) -> tuple[dict[str, Any], tuple[Unsaid, ...]]:
    """A hand that consists of deals, bets and shows."""
    record = record_of(story)
    code = CODES[record.variant, record.structure]
    fields: dict[str, Any] = {"variant": code, "ante_trimming_status": False, **_stakes(story, record)}
    fields |= {
        "starting_stacks": [story.hand.seats[index].start for index in story.hand.order],
        "actions": list(_actions(story, record)),
        **_about(story),
        "_house": dict(record.house or {}),
    }
    if code not in STANDARD:
        fields["_phh_extension"] = True
    return fields, _unsaid(story, record, code)


def _stakes(story: Story, record: Record) -> dict[str, Any]:
    """Antes, blinds and bets by player; dead blinds are antes, live posts negative blinds (as PokerKit takes them)."""
    hand, stakes = story.hand, story.hand.stakes
    dead = {entry.seat: entry.amount or 0 for entry in record.entries if entry.kind == "dead"}
    fields: dict[str, Any] = {"antes": [stakes.ante + dead.get(index + 1, 0) for index in hand.order]}
    if dead:
        fields["_dead_blinds"] = [dead.get(index + 1, 0) for index in hand.order]
    if record.variant in STUD_GAMES:
        fields["bring_in"] = stakes.bring_in
    else:
        fields["blinds_or_straddles"] = _blinds(story)
    if record.structure == "FL":
        return {**fields, "small_bet": stakes.small_bet, "big_bet": stakes.big_bet}
    return {**fields, "min_bet": stakes.big_blind}


def _blinds(story: Story) -> list[int]:
    """Whole blinds, also of a short stack; of two players the format wants the small blind first."""
    hand, posted = story.hand, {post.seat: -post.live for post in story.hand.posts}
    kinds = {event.seat: event.kind for event in story.events if isinstance(event, BlindPosted)}
    nominal = {"small": hand.stakes.small_blind, "big": hand.stakes.big_blind}
    blinds = [nominal[kinds[index]] if index in kinds else posted.get(index, 0) for index in hand.order]
    return blinds[::-1] if len(blinds) == 2 else blinds


def _actions(story: Story, record: Record) -> Iterator[str]:
    """The actions of PHH, players in dealing order."""
    names = {index + 1: f"p{at}" for at, index in enumerate(story.hand.order, 1)}
    place = {index + 1: at for at, index in enumerate(story.hand.order)}
    deals: list[Entry] = []
    for entry in record.entries:
        if entry.kind == "deal":
            deals.append(entry)
            continue
        yield from _dealing(deals, names, place)
        deals = []
        if action := _action(story, entry, names):
            yield action
    yield from _dealing(deals, names, place)


def _dealing(deals: list[Entry], names: Mapping[int, str], place: Mapping[int, int]) -> Iterator[str]:
    """Cards of one street, the first player's first."""
    for entry in sorted(deals, key=lambda deal: place[deal.seat or 0]):
        yield f"d dh {names[entry.seat or 0]} {''.join((*entry.down, *entry.up))}"


def _action(story: Story, entry: Entry, names: Mapping[int, str]) -> str | None:
    who = names.get(entry.seat or 0, "")
    match entry.kind:
        case "street" if entry.board:
            return f"d db {''.join(entry.board)}"
        case "bring_in":
            return f"{who} pb"
        case "fold":
            return f"{who} f"
        case "check" | "call":
            return f"{who} cc"
        case "bet" | "raise":
            return f"{who} cbr {entry.to}"
        case "show":
            return f"{who} sm {''.join(story.cards(story.hand.seats[(entry.seat or 0) - 1].cards))}"
        case "muck":
            return f"{who} sm"
    return None


def _about(story: Story) -> dict[str, Any]:
    """Who, where, when; the result; and what ties the hand to our log."""
    hand, started = story.hand, datetime.fromtimestamp(story.hand.started_ms // 1000, UTC)
    fields: dict[str, Any] = {
        "venue": "Croupier",
        "time": started.time(),
        "time_zone": "UTC",
        "day": started.day,
        "month": started.month,
        "year": started.year,
        "hand": hand.number,
        "table": story.table,
        "seats": [index + 1 for index in hand.order],
        "seat_count": hand.chairs,
        "players": [hand.seats[index].player for index in hand.order],
        "finishing_stacks": [hand.seats[index].stack for index in hand.order],
        "winnings": [sum(chips for _, _, who, chips in hand.awards if who == index) for index in hand.order],
        "_button": hand.button + 1,
        "_game": hand.game.name,
        "_rules_version": story.started.rules,
        "_view": story.view,
        "_log_head": story.head.hex(),
    }
    if hand.rake:
        fields["_rake"] = hand.rake
    if hand.root:
        fields["_deal_root"] = hand.root.hex()
    return fields


def _told(story: Story) -> tuple[dict[str, Any], tuple[Unsaid, ...]]:
    """A hand whose actions PHH does not know: what happened as comments, the whole of it as our own JSON."""
    inner = own_json.write(story)
    hand = story.hand
    fields: dict[str, Any] = {
        "variant": hand.game.name.upper(),
        "antes": [hand.stakes.ante for _ in hand.order],
        "blinds_or_straddles": _blinds(story) if hand.game.blinds else [0 for _ in hand.order],
        "starting_stacks": [hand.seats[index].start for index in hand.order],
        "actions": [f"# {line}" for line in own_json.lines(story)],
        **_about(story),
        "_phh_extension": True,
        "_croupier": inner.text,
    }
    return fields, all_of((EXTENSION, OWN_GAME), inner.unsaid)


def _unsaid(story: Story, record: Record, code: str) -> tuple[Unsaid, ...]:
    """What of this hand the format does not say."""
    hand, found = story.hand, []
    if code not in STANDARD:
        found.append(EXTENSION)
    if len({share for _, share, _, _ in hand.awards} & {"high", "low", "both"}):
        found.append(SPLIT)
    if any(entry.kind == "dead" for entry in record.entries):
        found.append(DEAD)
    if record.variant not in STUD_GAMES and hand.button not in hand.seats:
        found.append(BUTTON)
    if short_price(story):
        found.append(SHORT)
    if passed_opening(story):
        found.append(PASSED)
    if hand.rake:
        found.append(RAKE)
    if hand.options["showdown.all_in_face_up"]:
        found.append(EARLY)
    if ties(story):
        found.append(ODD_CHIPS)
    return all_of(found, table_talk(story), hidden_cards(record))


def short_price(story: Story) -> bool:
    """A forced opening bet that its stack did not cover."""
    stakes = story.hand.stakes
    blinds = {"small": 0, "big": stakes.big_blind}
    return any(
        (isinstance(event, BlindPosted) and event.amount < blinds[event.kind])
        or (isinstance(event, BroughtIn) and event.amount < stakes.bring_in)
        for event in story.events
    )


def passed_opening(story: Story) -> bool:
    """Third street has no bring-in and no bet before somebody folds."""
    actions = [event for event in story.events if isinstance(event, BroughtIn | RaisedTo | Folded)]
    return bool(story.hand.stakes.bring_in and actions and isinstance(actions[0], Folded))


def ties(story: Story) -> bool:
    """A share of a pot was split unevenly."""
    shares: dict[tuple[int, str], list[int]] = {}
    for pot, share, _, amount in story.hand.awards:
        shares.setdefault((pot, share), []).append(amount)
    return any(max(paid) > min(paid) for paid in shares.values())


def toml(value: Any) -> str:
    """A value as TOML has it. A basic string of TOML is a string of JSON."""
    if isinstance(value, bool | int | str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, list):
        return f"[{', '.join(map(toml, value))}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {toml(item)}" for key, item in value.items()) + "}"
    return str(value)
