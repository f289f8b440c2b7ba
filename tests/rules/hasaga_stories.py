"""Hasaga deals told in a few words: seats are `P1a P1b P2a …`, two per player.

    hand = hasaga(players=2, hands={"P1a": "Ah Kh"}, then="2c Kd 8s 7h 3c 2d 4c 5s", button="P1a")
    hand.play("P2b raises to 20; P1a buys see_live P2b; P2b reveals 0; P1a calls 20; P1b folds; P2a folds")
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.cards import parse_many
from engine.commands import Act, Sit
from engine.deck import CARDS
from engine.events import Event
from engine.play import choices, legal
from engine.positions import Plan, clockwise
from engine.state import BURNED
from tests.rules.stories import Story, fill

STACK = 1500
BOARD = "2c Kd 8s 7h 3c 2d 4c 5s"  # burn, flop, burn, turn, burn, river


class TwoHanded(Story):
    """A table of players with two seats each."""

    def player(self, name: str) -> str:
        return name[:-1]

    def seat_players(self, count: int) -> None:
        """P1 on the chairs 0 and 1, P2 on the next two …"""
        for number in range(count):
            self.do(Sit(2 * number, f"P{number + 1}", 2 * self.stack))
            self.names |= {f"P{number + 1}a": 2 * number, f"P{number + 1}b": 2 * number + 1}

    @property
    def stack(self) -> int:
        assert self.table.options is not None
        return self.table.options.number("hasaga.stack")

    def arguments(self, verb: str, words: list[str]) -> dict[str, Any] | None:
        """`see_folded P1b 0`, `buy_dead 0` (a burned card), `reveals 1`, `sells 0 1`."""
        if verb == "reveal":
            return {"index": int(words[0])}
        if verb == "sell":
            return {"indices": [int(word) for word in words if word.isdigit()]}
        if verb == "exb":
            return {"choice": words[0]}
        if verb != "purchase":
            return None
        found: dict[str, Any] = {"item": words[0]}
        for word in words[1:]:
            found["slot" if word.isdigit() else "target"] = int(word) if word.isdigit() else self.names[word]
        return found

    def action(self, name: str, verb: str, amount: int | None, rest: list[str]) -> Act:
        verb = "purchase" if verb == "buy" else verb
        amount = None if verb in ("purchase", "reveal", "sell") else amount
        return super().action(name, verb, amount, rest)

    def answer(self, *yes: str) -> list[Event]:
        """Everybody who is awaited says yes or no to the extra blind."""
        facts: list[Event] = []
        for index in self.hand.awaited:
            choice = "yes" if self.name(index) in yes else "no"
            facts += self.act(self.name(index), "exb", None, [choice])
        return facts

    def keep(self) -> None:
        """Nobody sells, nobody shows what he need not."""
        while self.table.playing:
            offered = legal(self.hand)
            verb = next(verb for verb in ("sell", "muck", "check") if verb in offered)
            self.act(self.turn, verb)

    def run(self, text: str) -> None:
        """`play`, then check, sell nothing and muck to the end."""
        self.play(text)
        self.keep()

    # --- reading

    @property
    def items(self) -> str:
        """What the seat on turn may buy."""
        return " ".join(dict.fromkeys(str(args["item"]) for args in choices(self.hand).get("purchase", ())))

    @property
    def own(self) -> dict[str, str]:
        """Cards of every seat, by name."""
        return {self.name(index): self.cards(self.name(index)) for index in self.hand.order}

    def offered(self, item: str) -> list[str]:
        """Targets and slots of an item: `P2b 0`, of the burned cards `0`."""
        found = [args for args in choices(self.hand).get("purchase", ()) if args["item"] == item]
        return [" ".join(map(str, self.words(args))) for args in found]

    def words(self, args: Mapping[str, Any]) -> list[object]:
        target = args.get("target", BURNED)
        seat = [] if target == BURNED else [self.name(target)]
        return [*seat, *([args["slot"]] if "slot" in args else [])]


def hasaga(
    players: int = 2,
    hands: Mapping[str, str] | None = None,
    then: str = BOARD,
    button: str = "P1a",
    stacks: Mapping[str, int] | None = None,
    level: str = "5/10",
    exb: tuple[str, ...] | None = (),
    keys: Mapping[str, object] | None = None,
) -> TwoHanded:
    """A deal at level `level`; `then`: what comes after the hands, from the burned card on; other cards do not matter.

    `exb`: who takes the extra blind; None leaves the window open.
    """
    story = TwoHanded("hasaga", {"hasaga.levels": level, **(keys or {})})
    story.seat_players(players)
    for name, chips in (stacks or {}).items():
        story.set_chips(name, chips)
    at = story.names[button]
    dealt = [index for index in story.names.values() if story.table.place(index).chips]
    order = clockwise(story.table, dealt, at + 1)
    small, big = (at, order[0]) if len(order) == 2 else (order[0], order[1])
    story.prescribe(Plan(at, small, big, tuple(order)), deck([story.name(i) for i in order], hands or {}, then))
    if exb is not None:
        story.answer(*exb)
    return story


def deck(order: list[str], hands: Mapping[str, str], then: str) -> list[int]:
    """Two rounds along `order`, then the stub."""
    given = {name: parse_many(text) for name, text in hands.items()}
    stub = parse_many(then)
    used = [*stub, *(card for cards in given.values() for card in cards)]
    low_first = sorted((card for card in range(CARDS) if card not in used), key=lambda card: card * 7 % 52)
    dealt = [given[name] if name in given else [low_first.pop(), low_first.pop()] for name in order]
    return fill([cards[k] for k in range(2) for cards in dealt] + stub)
