"""Bots that play over the HTTP API, like anybody else: a few seats of one table, watched by one thread."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from engine.cards import parse
from engine.game import find_game
from services.client import Answer, Client, Unreachable
from services.policies import POLICIES, Draw, Policy, Strength, offers_of, strength_of
from services.seeds import Seeds

LONG_POLL_S = 20
TROUBLE_PAUSE_S = 1.0
SHORT = 10  # a bot with less than a tenth of its first stack buys in again; until then it goes all-in at times


@dataclass
class Bot:
    """One seated bot: its session, the number of its last command, its seeds."""

    seat: int
    player: str
    token: str
    k: int
    seeds: Seeds = field(default_factory=Seeds, repr=False)


@dataclass
class TableBots:
    """Plays its bots at one table until `stop` is set; sits them down, buys them in again, brings them back.

    `pledge`: they pledge seeds for the public cut, and reveal them. `spare`: chairs that they leave to people.
    `refused`: told who cannot sit down, and why.
    """

    url: str
    table: str
    names: list[str]
    chips: int
    seed: int = 1
    think_s: float = 1.0  # on average, but never more than half of the time there is
    policy: Policy = POLICIES["bots"]
    pledge: bool = False
    bots: dict[int, Bot] = field(default_factory=dict)
    stop: threading.Event = field(default_factory=threading.Event)
    changed: Callable[[], None] = lambda: None
    spare: int = 0
    refused: Callable[[str, str], object] = lambda name, why: None

    def __post_init__(self) -> None:
        self.draw = Draw(self.seed)
        self.rest_s = 0.0
        self.client = Client(self.url)

    def run(self) -> None:
        """Until `stop` is set, or a tournament has its winner."""
        version = 0
        while not self.stop.is_set():
            try:
                answer = self.watch(version)
                if answer.ok:
                    version = int(answer.body["version"])
                    self.rest_s = rest_s(answer.body)
                    self.look(answer.body["view"])
                    if decided(answer.body["view"]):
                        return
                elif answer.status != 304:
                    self.no_view(answer)
            except Unreachable:
                self.stop.wait(TROUBLE_PAUSE_S)

    def watch(self, version: int) -> Any:
        self.client.token = ""
        return self.client.get(f"/tables/{self.table}?after={version}&wait={LONG_POLL_S}")

    def no_view(self, answer: Answer) -> None:
        """The table cannot be seen: not now, or not ever."""
        if final(answer):
            self.refused(" ".join(self.names), answer.refusal)
        self.stop.wait(TROUBLE_PAUSE_S)

    def look(self, view: dict[str, Any]) -> None:
        """Do what the table asks of a bot of ours now."""
        if self.fill_seats(view):
            return  # this view is older than those who have just sat down
        hand = view["hand"]
        if self.pledge:
            self.cut(view)
        if hand is None or hand["over"]:
            self.look_after(view)
        elif view["status"] == "running" and hand["actor"] is not None:
            for seat in hand["awaited"] or [hand["actor"]]:
                bot = self.owner(view, seat)
                if bot is not None:
                    self.decide(view, bot, seat)

    def cut(self, view: dict[str, Any]) -> None:
        """The seeds that this view asks for. Whatever is refused is left out: the next hand has another one."""
        for bot in self.bots.values():
            asked = bot.seeds.due(view, bot.player)
            if asked is not None:
                self.client.token = bot.token
                self.client.put(f"/tables/{self.table}/seats/{bot.seat}/{asked.path}", asked.body)

    def owner(self, view: dict[str, Any], seat: int) -> Bot | None:
        """The bot of ours that plays this seat."""
        place = view["seats"][seat]
        return next((bot for bot in self.bots.values() if place and place["player"] == bot.player), None)

    def fill_seats(self, view: dict[str, Any]) -> bool:
        """Every name has a seat; sessions kept from before go on. True if somebody sat down."""
        for seat in list(self.bots):
            place = view["seats"][seat]
            if place is None or place["player"] != self.bots[seat].player:
                del self.bots[seat]
        seated = {bot.player for bot in self.bots.values()}
        before = len(self.bots)
        if self.bots and not joinable(view):  # if nobody sits yet, they try, and are told why not
            return False
        chairs = range(0, len(view["seats"]), find_game(view["game"]).seats_each)
        for name in self.names:
            if name in seated:
                continue
            free = [seat for seat in chairs if view["seats"][seat] is None and seat not in self.bots]
            if len(free) > self.spare:
                self.sit(free[self.draw.below(len(free))], name)
            else:
                self.refused(name, "no chair is free")
        return len(self.bots) > before

    def sit(self, seat: int, name: str) -> None:
        self.client.token = ""
        path, wanted = f"/tables/{self.table}/seats/{seat}", {"player": name, "chips": self.chips}
        answer = self.client.put(path, wanted)
        if answer.code == "outcome_unknown":
            self.client.token = answer.body.get("token", "")
            answer = self.client.put(path, wanted)
        if answer.ok:
            body = answer.body
            self.bots[seat] = Bot(seat, name, body.get("token", self.client.token), int(body["last"]))
            self.changed()
        elif final(answer):
            self.refused(name, answer.refusal)

    def leave(self) -> None:
        """Everybody gets up; what a running hand still asks of them times out."""
        self.client.close()  # a request may have been broken off
        with suppress(Unreachable):
            for bot in self.bots.values():
                self.client.token = bot.token
                self.client.delete(f"/tables/{self.table}/seats/{bot.seat}")

    def look_after(self, view: dict[str, Any]) -> None:
        """Between hands: chips for the broke, back in for those who sit out, a game where that is a bot's choice.

        In a tournament there is nothing to do.
        """
        if "tournament" in view:
            return
        for bot in self.bots.values():
            place = view["seats"][bot.seat]
            if place["state"] == "below_minimum" or place["chips"] < self.chips // SHORT:
                self.command(bot, {"verb": "add_chips", "amount": self.chips - place["chips"]})
            if place["sitting_out"]:
                self.command(bot, {"verb": "sit_in"})
            rotation = view.get("rotation", {})
            if rotation.get("chooser") == bot.seat:
                games = rotation["games"]
                self.command(bot, {"verb": "choose_game", "choice": games[self.draw.below(len(games))]})

    def decide(self, view: dict[str, Any], bot: Bot, seat: int) -> None:
        hand = view["hand"]
        if not hand["awaited"]:
            self.stop.wait(min(self.think_s * (0.5 + self.draw.next()), self.rest_s / 2))
        legal = {verb: (bounds[0], bounds[1]) for verb, bounds in hand["legal"].items()}
        if not legal:
            return
        offers = offers_of(hand["choices"], hand.get("market", {}))
        choice = self.policy(legal, self.strength(hand, bot, seat), self.draw, offers)
        body: dict[str, Any] = {"verb": choice.verb, "turn": view["turn"], "seat": seat, **(choice.args or {})}
        if choice.amount is not None:
            body["amount"] = choice.amount
        self.command(bot, body)

    def strength(self, hand: dict[str, Any], bot: Bot, seat: int) -> Strength:
        """How good the bot's own cards look, with the board; they are asked for when they are first looked at."""
        own = cache(lambda: self.own_cards(bot, seat))
        board = [parse(card) for card in hand["board"] if card]
        shares = [share.name for share in find_game(hand["game"]).shares]

        def look(more: Sequence[int] = (), share: str = "") -> float:
            return strength_of([*own(), *more], board, [share] if share else shares)

        return look

    def own_cards(self, bot: Bot, seat: int) -> list[int]:
        self.client.token = bot.token
        you = self.client.get(f"/tables/{self.table}").body.get("view", {}).get("you") or {}
        own = [told["cards"] for told in (you, *you.get("also", ())) if told.get("seat") == seat]
        return [parse(card) for cards in own for card in cards]

    def command(self, bot: Bot, body: dict[str, Any]) -> None:
        """Send under the next number. Not known whether it counted: the same again, it counts once."""
        bot.k += 1
        self.client.token = bot.token
        for _ in range(3):
            try:
                answer = self.client.command(self.table, bot.k, body)
            except Unreachable:
                time.sleep(TROUBLE_PAUSE_S)
                continue
            if answer.status != 202:
                bot.k = max(bot.k, int(answer.body.get("last", bot.k)))
                return


def final(answer: Answer) -> bool:
    """The same again would be refused again: the service is not busy, and nobody was faster."""
    return 400 <= answer.status < 500 and answer.status != 429 and answer.code != "seat_taken"


def rest_s(body: dict[str, Any]) -> float:
    """Seconds that the running decision of a table, as it was just read, may still take (COM-71); 0 without one."""
    hand = body["view"]["hand"]
    return max(0.0, (hand["deadline"] - body["now"]) / 1000) if hand and hand["deadline"] else 0.0


def decided(view: dict[str, Any]) -> bool:
    """A tournament has been won."""
    return 1 in view.get("tournament", {}).get("ranks", {}).values()


def joinable(view: dict[str, Any]) -> bool:
    """A tournament takes players for a while only."""
    tournament = view.get("tournament")
    return tournament is None or bool(tournament["joinable"])
