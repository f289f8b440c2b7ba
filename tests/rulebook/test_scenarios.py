"""The rule book's 63 worked examples and 480 random deals, on the engine, for every game that is there."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.game import games
from services.check import check
from services.formats import open_history
from services.formats.rulebook import read
from services.formats.sheet import Sheet

HERE = Path(__file__).parent
SHEETS = {s.id: s for name in ("examples.json", "scenarios-open.json") for s in open_history(HERE / name)}


def differences(sheet: Sheet) -> list[str]:
    report = check(sheet, {})
    assert report.skipped is None
    return [str(difference) for difference in report.differences]


@pytest.mark.parametrize("name", [name for name in SHEETS if name.startswith("EX-")])
def test_worked_example(name: str) -> None:
    """Each carries the rule ids it shows in the book."""
    if SHEETS[name].variant not in games():
        pytest.skip(f"the engine has no {SHEETS[name].variant} yet")
    assert differences(SHEETS[name]) == []


@pytest.mark.parametrize("game", sorted({sheet.variant for sheet in SHEETS.values()}))
def test_random_deals(game: str) -> None:
    if game not in games():
        pytest.skip(f"the engine has no {game} yet")
    deals = [sheet for sheet in SHEETS.values() if sheet.variant == game and sheet.id.startswith("RND-")]
    assert len(deals) == 120
    assert {sheet.id: found for sheet in deals if (found := differences(sheet))} == {}


# The runner finds what is wrong: the same deal with one statement changed.


def changed(name: str, change: Callable[[dict[str, Any]], None]) -> list[str]:
    data = next(deal for deal in json.loads((HERE / "examples.json").read_text("utf-8")) if deal["id"] == name)
    change(data)
    (sheet,) = read("changed.json", json.dumps([data]))
    return differences(sheet)


def nth(data: dict[str, Any], key: str, value: object, number: int = 0) -> dict[str, Any]:
    return [event for event in data["events"] if event.get(key) == value][number]


CHANGES: dict[str, tuple[str, Callable[[dict[str, Any]], object]]] = {
    "order": ("EX-RAZ-12", lambda d: d["order"].reverse()),
    "forced": ("EX-OM8-04", lambda d: d["forced"].pop()),
    "doors": ("EX-RAZ-12", lambda d: nth(d, "street", "3rd")["doors"].update(A="2c")),
    "bring_in_card": ("EX-RAZ-12", lambda d: nth(d, "street", "3rd").update(bring_in_card="A")),
    "first": ("EX-RAZ-12", lambda d: nth(d, "street", "6th").update(first="D")),
    "burn": ("EX-OM8-04", lambda d: nth(d, "street", "turn").update(burn="2c")),
    "cards": ("EX-OM8-04", lambda d: nth(d, "street", "river").update(cards=["2c"])),
    "community": ("EX-RAZ-08", lambda d: nth(d, "street", "7th").update(community="2d")),
    "street": ("EX-OM8-04", lambda d: nth(d, "street", "turn").update(street="river")),
    "to": ("EX-OM8-04", lambda d: nth(d, "action", "call").update(to=1)),
    "all_in": ("EX-RAZ-12", lambda d: nth(d, "all_in", True).pop("all_in")),
    "opens": ("EX-RAZ-12", lambda d: nth(d, "opens", True).pop("opens")),
    "completes": ("EX-RAZ-04", lambda d: nth(d, "completes", True).pop("completes")),
    "on turn": ("EX-OM8-04", lambda d: nth(d, "action", "check").update(hand="S")),
    "showdown": ("EX-OM8-04", lambda d: nth(d, "action", "shown").update(hand="R")),
    "returns": ("EX-RAZ-02", lambda d: d["returns"].clear()),
    "pots": ("EX-OM8-09", lambda d: d["pots"][1]["eligible"].pop()),
    "final": ("EX-OM8-04", lambda d: d["final"].update(S=100, R=102)),
    "board": ("EX-OM8-04", lambda d: d["board"].pop()),
    "burned": ("EX-OM8-04", lambda d: d["burned"].pop()),
    "deck_used": ("EX-OM8-04", lambda d: d.update(deck_used=29)),
    "left": ("EX-ABY-01", lambda d: nth(d, "street", "buy1").update(left="Ks")),
    "card": ("EX-ABY-01", lambda d: nth(d, "source", "blind").update(card="Ks")),
    "price": ("EX-ABY-01", lambda d: nth(d, "source", "blind").update(price=1)),
    "refill": ("EX-ABY-01", lambda d: nth(d, "source", "left").update(refill="Ks")),
    "to_call": (
        "EX-RAZ-04",
        lambda d: next(e for e in d["events"] if "expect" in e)["expect"].update(to_call=4),
    ),
    "min_to": (
        "EX-OM8-10",
        lambda d: next(e for e in d["events"] if "expect" in e)["expect"].update(min_to=5),
    ),
    "event 4: min_to": (  # in limit there is one size: a larger one than that is not the all-in's
        "EX-OM8-03",
        lambda d: d["events"][4]["expect"].update(min_to=9),
    ),
    "short": ("EX-OM8-13", lambda d: nth(d, "short", True).pop("short")),
    "small_bet": ("EX-OM8-13", lambda d: d.update(small_bet=11)),
    "big_bet": ("EX-OM8-13", lambda d: d.update(big_bet=10)),
    "markers before it": ("EX-HAS-01", lambda d: d["events"].insert(1, d["events"].pop(0))),
    "hands shown before it": ("EX-HAS-12", lambda d: d["events"].pop(nth_place(d, "action", "shown"))),
    "exb": ("EX-HAS-12", lambda d: d["exb"].append("P2a")),
    "look": ("EX-HAS-08", lambda d: nth(d, "item", "seelive").update(args=["P2b", "1"])),
    "args": ("EX-HAS-04", lambda d: nth(d, "item", "add").update(args=["2c"])),
    "bank": ("EX-HAS-11", lambda d: d.update(bank=0)),
    "result": ("EX-HAS-19", lambda d: d["result"].pop()),
}


def nth_place(data: dict[str, Any], key: str, value: object) -> int:
    return next(place for place, event in enumerate(data["events"]) if event.get(key) == value)


def test_a_completion_that_is_said_to_fall_short_is_found() -> None:
    found = changed("EX-RAZ-04", lambda data: nth(data, "completes", True).update(completes=False))
    assert [text.partition(": ")[2] for text in found] == ["completes: expected False, got True"]


@pytest.mark.parametrize("what", CHANGES)
def test_a_wrong_statement_is_found(what: str) -> None:
    name, change = CHANGES[what]

    def apply(data: dict[str, Any]) -> None:
        change(data)

    found = changed(name, apply)
    assert any(f"{what}: " in difference for difference in found), found


@pytest.mark.parametrize("name", ["EX-HAS-12", "EX-HAS-14", "EX-RAZ-08", "EX-OM8-04", "EX-OM8-09", "EX-ABY-02"])
def test_every_word_of_the_result_counts(name: str) -> None:
    """One line after another without its last word, and the five cards of a hand exchanged for others."""
    deal = next(deal for deal in json.loads((HERE / "examples.json").read_text("utf-8")) if deal["id"] == name)
    for place, line in enumerate(deal["result"]):
        shorter = line.rpartition(" ")[0]
        found = changed(name, lambda data, at=place, to=shorter: data["result"].__setitem__(at, to))  # type: ignore[misc]
        assert [text.partition(": expected")[0] for text in found] == ["end: result"], line


def test_five_cards_that_are_not_there_or_make_another_hand_are_found() -> None:
    told = "P1a: Ah Kh -> pair K-A-8-7 (Ah Kh Kd 8s 7h)"
    for wrong in ("(As Kh Kd 8s 7h)", "(Ah Kh Kd 8s 2d)", "(Kd 8s 7h 2d 5s)"):
        line = told.replace("(Ah Kh Kd 8s 7h)", wrong)
        assert changed("EX-HAS-01", lambda data, to=line: data["result"].__setitem__(1, to)), wrong  # type: ignore[misc]


def test_a_raise_that_is_not_said_to_be_short_is_found() -> None:
    """HAS-C05: less than the smallest full raise, for lack of chips."""
    deals = [deal for deal in json.loads((HERE / "scenarios-open.json").read_text("utf-8")) if deal["game"] == "hasaga"]
    short = next(deal for deal in deals if any("short" in event for event in deal["events"]))
    next(event for event in short["events"] if "short" in event).pop("short")
    (sheet,) = read("changed.json", json.dumps([short]))
    assert any("short: expected False" in difference for difference in differences(sheet))


BROKEN: dict[str, Callable[[dict[str, Any]], object]] = {
    "no arguments": lambda d: nth(d, "item", "seelive").pop("args"),
    "too many arguments": lambda d: nth(d, "item", "seelive").update(args=["P2b", "0", "0"]),
    "too few arguments": lambda d: nth(d, "item", "seelive").update(args=[]),
    "a target that is not there": lambda d: nth(d, "item", "seelive").update(args=["P9a", "0"]),
    "an unknown item": lambda d: nth(d, "item", "seelive").update(item="seeall"),
    "no index": lambda d: nth(d, "action", "reveal").pop("index"),
    "no attempt": lambda d: nth(d, "action", "refused").pop("attempt"),
    "no sale, but an attempt": lambda d: nth(d, "action", "refused").update(action="sell"),
    "no amount": lambda d: nth(d, "action", "raise").pop("to"),
    "no board": lambda d: d.pop("board"),
    "two of one name": lambda d: d["seats"].append("P1a"),
    "a refusal of nobody": lambda d: d.update(exb_refused=[{"code": "INSUFFICIENT_CHIPS"}]),
}


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda d: nth(d, "source", "left").pop("source"), "missing or misshaped: 'source'"),
        (lambda d: nth(d, "source", "left").pop("card"), "missing or misshaped: 'card'"),
        (lambda d: d["stacks"].update(Cy=40), "Cy with 40: the minimum is 41"),
        (lambda d: d.update(not_dealt={"Cy": "below_minimum"}), "Cy with 60: the minimum is 41"),
        (lambda d: d.update(not_dealt={"Cy": "asleep"}), "no reason not to be dealt in"),
    ],
)
def test_who_is_dealt_in_and_what_is_bought_is_told_whole(change: Callable[[dict[str, Any]], None], why: str) -> None:
    """ABY-06: a seat with less than the reserve is not dealt in."""
    (found,) = changed("EX-ABY-01", change)
    assert found.endswith(f"got line 2: {why}")


@pytest.mark.parametrize("what", BROKEN)
def test_what_cannot_be_played_is_told_without_an_accident(what: str) -> None:
    found = changed("EX-HAS-08", lambda data: BROKEN[what](data))
    assert len(found) == 1 and found[0].startswith("history: expected readable, got line 2: "), found


def test_where_nobody_could_pay_the_extra_blind_who_asks_has_too_few_chips() -> None:
    """HAS-C38: no window is held then, and the yes is refused all the same."""
    short = {"P1a": 19, "P1b": 19, "P2a": 19, "P2b": 19}
    asked = [{"hand": "P1a", "code": "INSUFFICIENT_CHIPS"}]
    found = changed("EX-HAS-01", lambda data: data.update(stacks=short, exb_refused=asked))
    assert not any("exb of" in difference for difference in found)
    short["P1a"] = 20
    assert any(
        "exb of" in difference
        for difference in changed("EX-HAS-01", lambda data: data.update(stacks=short, exb_refused=asked))
    )


def test_a_refusal_with_another_code_is_found() -> None:
    name = next(
        deal["id"]
        for deal in json.loads((HERE / "scenarios-open.json").read_text("utf-8"))
        if deal["game"] == "razz" and any(event.get("action") == "refused" for event in deal["events"])
    )
    data = next(d for d in json.loads((HERE / "scenarios-open.json").read_text("utf-8")) if d["id"] == name)
    nth(data, "action", "refused")["code"] = "MUST_BUY"
    (sheet,) = read("changed.json", json.dumps([data]))
    assert any("must_buy" in difference for difference in differences(sheet))


def test_a_missing_key_breaks_the_scenario() -> None:
    found = changed("EX-OM8-04", lambda data: data.pop("deck_used"))
    assert found == ["history: expected readable, got line 2: missing or misshaped: 'deck_used'"]


POSTS: list[dict[str, Any]] = [
    {"hand": "R", "live": 2, "dead": 1},  # twice
    {"hand": "G", "live": 2, "dead": 1},  # the big blind
    {"hand": "U", "live": 1, "dead": 1},
    {"hand": "U", "live": 0, "dead": 0},
    {"hand": "U", "live": 0, "dead": 100},  # not a chip is left
]


@pytest.mark.parametrize("post", POSTS)
def test_a_post_that_nobody_may_make_breaks_the_scenario(post: dict[str, Any]) -> None:
    """COM-69; chips that are not there were paid otherwise."""
    (found,) = changed("EX-OM8-04", lambda data: data["posts"].append(post))
    assert found.startswith("history: expected readable, got line 2: a post ")


def test_an_action_that_is_no_showdown_is_found_there() -> None:
    """Also where the time has run out, so that nothing is sent."""
    found = changed("EX-OM8-01", lambda data: nth(data, "action", "muck").update(action="fold", timeout=True))
    assert any("showdown: " in difference for difference in found), found
