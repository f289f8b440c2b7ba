"""The driver of scenarios for a running service: the same calls as on the engine, answered over HTTP."""

from __future__ import annotations

from typing import Any

from engine.cards import show
from engine.game import Game, find_game
from engine.refusals import Refused
from services.formats.setting import Setting
from tests.house.houses import Table, Up

ENDLESS = {"action_seconds": 3600, "time_bank_seconds": 0}
ANY_STACK = {"buy_in.min": 0, "buy_in.max": 0}
LASTING = {"hasaga.exb_window_seconds": 600, "hasaga.level_seconds": 86_400}
OTHER_STATUS = {"stale_turn": 412, "malformed_amount": 422, "not_your_seat": 403}


class OverHttp:
    """One table of `up` for one hand. Nothing is known here but what the service answers."""

    def __init__(self, up: Up) -> None:
        self.up = up
        self.table: Table
        self.version = 0
        self.turn = 0

    def start(self, setting: Setting) -> None:
        game = find_game(setting.game)
        options = {**setting.options, **ENDLESS, **ANY_STACK, "hand_gap_seconds": 0, "seats": len(setting.chairs)}
        options |= {option.key: LASTING[option.key] for option in game.options if option.key in LASTING}
        self.table = Table(self.up, setting.game, **options)
        plan = [*setting.plan[:3], list(setting.plan.order), [list(post) for post in setting.plan.posts]]
        hand: dict[str, Any] = {"deck": show(setting.deck), "plan": plan}
        self.table.state("paused")
        if game.tournament:
            hand["stacks"] = self.sit_in_tournament(game, setting)
        else:
            self.sit_with_stacks(setting)
        self.up.stack(self.table.id, {"1": hand})
        self.version = self.table.see()["version"]
        if not self.table.state("running").ok:
            raise Refused("table_not_running")
        self.turn = self.table.wait(lambda view: view["hand"] is not None, "the hand begins")["turn"]

    def sit_with_stacks(self, setting: Setting) -> None:
        for index, chair in enumerate(setting.chairs):
            if chair is not None:
                self.table.sit(index, *chair)

    def sit_in_tournament(self, game: Game, setting: Setting) -> list[int | None]:
        """Everybody with the same chips, as the rules want it; the stacks that the worker makes of them."""
        assert game.tournament is not None
        full, each = game.tournament.stack(game.resolve(setting.options)), game.seats_each
        stacks: list[int | None] = []
        for first in range(0, len(setting.chairs), each):
            chairs = setting.chairs[first : first + each]
            player = next((chair[0] for chair in chairs if chair), None)
            if player is not None:
                self.table.sit(first, player, full * each, each)
            stacks += [None if player is None else chair[1] if chair else 0 for chair in chairs]
        return stacks

    def send(self, seat: int, verb: str, amount: int | None = None, args: dict[str, Any] | None = None) -> str | None:
        body = {"verb": verb, "turn": self.turn, **(args or {})}
        if amount is not None:
            body["amount"] = amount
        answer = self.table.command(seat, **body)
        if answer.ok:
            return None
        assert answer.status == OTHER_STATUS.get(answer.code, 409), answer
        assert answer.body["turn"] == self.turn and "legal_actions" in answer.body, answer
        return answer.code

    def run_out(self) -> bool:
        """Clocks are real here: the scenario sends what a timeout would do."""
        return False

    def events(self) -> list[dict[str, Any]]:
        items = []
        while True:
            page = self.table.public.get(f"/tables/{self.table.id}/events?after={self.version}").body
            items += page["items"]
            if page["items"]:
                self.version = page["items"][-1]["version"]
            if page["next"] is None:
                return items

    def view(self, seat: int | None = None) -> dict[str, Any]:
        """Of a player's other seat his session tells the cards beside those of the first."""
        view: dict[str, Any] = self.table.see(seat)["view"]
        self.turn = view["turn"]
        if seat is not None:
            own = view["you"]
            view["you"] = {**own, **next(one for one in (own, *own.get("also", ())) if one["seat"] == seat)}
        return view

    def close(self) -> None:
        self.table.close()
