"""Runs a scenario of the rule book on a table and compares everything it says (its format, section 9).

The table is behind a `Driver`, so the same scenarios run on the engine and through a running service.
Markers, forced payments, actions and the outcome are read from public events; the assertions from the legal
actions offered; an illegal attempt must leave every view as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.refusals import Refused
from services.course import Course, Done, Purchase, Street
from services.course_hasaga import BANK
from services.driver import Driver
from services.formats.rulebook import Data, Scenario
from services.report import HandReport
from services.scenario_result import Telling, without_fives
from services.scenario_words import arguments, expected_facts, offered, told_later

RAISES = ("bet", "raise", "complete")
_SHOWN = {"show": True, "muck": False}


def run(scenario: Scenario, report: HandReport, driver: Driver) -> None:
    """Play the scenario and note every difference in `report`."""
    try:
        driver.start(scenario.setting)
    except Refused as refused:
        report.differ("table", "accepted", refused.code)
        return
    deal = _Deal(scenario, report, driver, Course(scenario.setting.deck))
    deal.answer_window()
    deal.take()
    deal.check_forced()
    for number, event in enumerate(scenario.data["events"]):
        if not deal.step(number, event):
            return
    deal.check_outcome()


@dataclass(slots=True)
class _Deal:
    """A scenario being played. `reached`: street markers passed; `turned`: showdown events passed; `look`: the purchase
    whose card its owner has yet to pick.
    """

    scenario: Scenario
    report: HandReport
    driver: Driver
    course: Course
    reached: int = 0
    turned: int = 0
    look: Data | None = None
    now: str = ""

    # what happened

    def take(self) -> None:
        self.course.take(self.driver.events())

    def differ(self, what: str, expected: Any, got: Any) -> None:
        self.report.differ(f"{self.now}{what}", expected, got)

    def name(self, chair: int | None) -> str | None:
        """The hand in this chair, by the scenario's name."""
        return next((name for name, at in self.scenario.chairs.items() if at == chair), None)

    def hand(self) -> dict[str, Any]:
        view: dict[str, Any] = self.driver.view()["hand"]
        return view

    def views(self) -> list[dict[str, Any]]:
        """Everything anybody can see."""
        return [self.driver.view(), *(self.driver.view(chair) for chair in self.course.order)]

    def answer_window(self) -> None:
        """Everybody who is awaited before the cards says what the scenario says; a yes that is refused, first."""
        chairs, data = self.scenario.chairs, self.scenario.data
        opened = bool(self.hand()["awaited"])
        for refused in data.get("exb_refused", ()):
            code = self.driver.send(chairs[refused["hand"]], "exb", None, {"choice": "yes"})
            code = code if opened else self.unasked(refused["hand"], code)
            self.differ(f"exb of {refused['hand']}", refused["code"].lower(), code)
        for chair in self.hand()["awaited"]:
            choice = "yes" if self.name(chair) in data.get("exb", ()) else "no"
            code = self.driver.send(chair, "exb", None, {"choice": choice})
            self.differ(f"exb of {self.name(chair)}", None, code)

    def unasked(self, hand: str, code: str | None) -> str | None:
        """Where nobody could pay there was no window: who asks all the same is late, for want of chips (HAS-C38)."""
        data = self.scenario.data
        poor = data["stacks"][hand] - data["ante"] < 2 * data["big_blind"]
        return "insufficient_chips" if poor and code == "exb_too_late" else code

    # events of the scenario

    def step(self, number: int, event: Data) -> bool:
        """One event; False when the scenario cannot go on."""
        self.now = f"event {number}: "
        if "street" in event:
            return self.street(event)
        if not self.told(event):
            return False
        if "expect" in event:
            return self.expect(event["expect"])
        if event["action"] == "refused":
            return self.refused(event)
        if event["action"] == "shown":
            return self.turned_up(event["hand"], shown=True, asked=False)
        return self.command(event)

    def told(self, event: Data) -> bool:
        """All streets up to this event have had their markers, all hands shown before it their events."""
        streets, shown = len(self.course.streets), len(self.course.showdown)
        self.differ("markers before it", streets, self.reached)
        if event.get("action") == "shown":
            return streets == self.reached
        self.differ("hands shown before it", shown, self.turned)
        return (streets, shown) == (self.reached, self.turned)

    def street(self, marker: Data) -> bool:
        if self.reached == len(self.course.streets):
            self.differ("street", marker["street"], "not reached")
            return False
        street = self.course.streets[self.reached]
        self.reached += 1
        self.differ("street", marker["street"], street.name)
        for key in marker:
            if key != "street":
                self.differ(key, marker[key], _MARKER_KEYS[key](self, street))
        return bool(street.name == marker["street"])

    def expect(self, keys: Data) -> bool:
        hand = self.hand()
        self.differ("on turn", keys["hand"], self.name(hand["actor"]))
        if hand["actor"] is None:
            return False
        found = _offered(hand) | offered(hand["choices"], self.held(hand["actor"]))
        if found.get("min_to") is not None and found["min_to"] == found["max_to"]:  # perhaps only all-in is left
            found["min_to"] = max(found["min_to"], self.course.full)
        for key, value in keys.items():
            if key != "hand":
                self.differ(key, value, found.get(key))
        return True

    def held(self, chair: int) -> int:
        """How many cards lie before a hand."""
        return len(self.driver.view()["seats"][chair]["cards"])

    def refused(self, event: Data) -> bool:
        before = self.views()
        verb, amount, args = self.asked(event["attempt"])
        code = self.driver.send(self.scenario.chairs[event["hand"]], verb, amount, args)
        self.differ(f"{event['attempt']} of {event['hand']}", event["code"].lower(), code)
        self.differ("events after a refusal", [], self.driver.events())
        self.differ("views after a refusal", True, self.views() == before)
        return code is not None

    def command(self, event: Data) -> bool:
        hand, full = self.hand(), self.course.full
        self.differ("on turn", event["hand"], self.name(hand["actor"]))
        verb, amount, args = self.asked(event)
        chair, done = self.scenario.chairs[event["hand"]], len(self.course.actions)
        code = None
        if not (event.get("timeout") and hand["actor"] == chair and self.driver.run_out()):
            code = self.driver.send(chair, verb, amount, args)
        if code is not None:
            self.differ(event["action"], "accepted", code)
            return False
        self.take()
        if len(self.course.actions) == done:  # it was to show or to muck
            return self.turned_up(event["hand"], shown=_SHOWN.get(verb), asked=True)
        self.check_action(event, hand, full, self.course.actions[done])
        return True

    def asked(self, event: Data) -> tuple[str, int | None, dict[str, Any] | None]:
        """Verb, amount and arguments to send."""
        verb, amount = event["action"], event.get("to")
        return verb, amount if verb in (*RAISES, "bring_in") else None, arguments(event, self.scenario.chairs)

    def check_action(self, event: Data, before: Mapping[str, Any], full: int, done: Done) -> None:
        """What the command came to; `full`: the smallest full raise-to before it. The double of a bring-in is a
        completion (RAZ-09).
        """
        double = event["action"] == "bring_in" and done.action == "raise"
        expected = (event["hand"], "raise" if double else event["action"])
        self.differ("action", expected, (self.name(done.seat), done.action))
        facts = expected_facts(event)
        self.differ("outcome", facts, {key: done.facts.get(key) for key in facts})
        if isinstance(event.get("to"), int):
            self.differ("to", event["to"], done.to)
            self.differ("all_in", event.get("all_in", False), done.all_in)
        if event["action"] == "buy":
            self.check_purchase(event, self.course.purchases[-1])
        if event.get("item") == "add":
            self.differ("args", event["args"], [done.facts["card"]])
        self.differ("look", *told_later(self.look, event, event["hand"]))
        self.look = event if event.get("item") == "seelive" else None
        if event["action"] == "raise":
            self.differ("opens", event.get("opens", False), before["price"] == 0)
            completes = done.to == full if "complete" in before["legal"] else None
            self.differ("completes", event.get("completes"), completes)
            self.differ("short", event.get("short", False), done.to < full)

    def check_purchase(self, event: Data, done: Purchase) -> None:
        self.differ("card", (event["source"], event["card"]), (done.source, done.card))
        self.differ("price", event["price"], done.price)
        self.differ("refill", event.get("refill"), done.refill)

    def turned_up(self, hand: str, *, shown: bool | None, asked: bool) -> bool:
        """The next hand in showdown order."""
        if self.turned == len(self.course.showdown):
            self.differ("showdown", hand, "nothing shown or mucked")
            return False
        seat, was_shown, was_asked = self.course.showdown[self.turned]
        self.turned += 1
        self.differ("showdown", (hand, shown, asked), (self.name(seat), was_shown, was_asked))
        return True

    # the outcome

    def check_forced(self) -> None:
        data, course = self.scenario.data, self.course
        self.differ("order", data["order"], [self.name(seat) for seat in course.order])
        forced = [["bank" if seat == BANK else self.name(seat), kind, amount] for seat, kind, amount in course.forced]
        self.differ("forced", data["forced"], forced)
        stakes = self.hand()["stakes"]
        for size in ("small_bet", "big_bet"):
            if size in data:
                self.differ(size, data[size], stakes[size])
        self.differ("exb", data.get("exb", []), [name for name, kind, _ in forced if kind == "exb" and name != "bank"])

    def check_outcome(self) -> None:
        data, course = self.scenario.data, self.course
        self.now = "end: "
        self.differ("over", True, course.over)
        if not course.over:
            return
        self.differ("markers", len(course.streets), self.reached)
        self.differ("showdown events", len(course.showdown), self.turned)
        returns = [[street, self.name(seat), amount] for street, seat, amount in course.returns]
        self.differ("returns", data["returns"], returns)
        self.differ("pots", data["pots"], self.pots())
        self.differ("final", data["final"], self.final())
        self.differ("burned", data.get("burned", []), course.burned)
        self.differ("deck_used", data["deck_used"], course.used)
        self.differ("cards", data["cards"], self.cards())
        self.differ("bank", data.get("bank", 0), course.bank)
        if "board" in data:
            self.differ("board", data["board"], self.hand()["board"])
        if "community" in data:
            self.differ("community", data["community"], next(iter(self.hand()["board"]), None))

        self.check_result()

    def check_result(self) -> None:
        data, course, board = self.scenario.data, self.course, self.hand()["board"]
        live = [str(self.name(seat)) for seat in sorted(course.order) if seat not in course.folded]
        game, cards, pots, final = self.scenario.setting.game, self.cards(), self.pots(), self.final()
        told = Telling(game, course, self.name, live, cards, board, pots, final)
        expected = (without_fives(line, cards, board) for line in data["result"])
        self.differ("result", sorted(expected), sorted(told.lines()))

    def final(self) -> dict[str, int]:
        seats = self.driver.view()["seats"]
        return {name: seats[at]["chips"] if seats[at] else 0 for name, at in self.scenario.chairs.items()}

    def cards(self) -> dict[str, list[str | None]]:
        """Every hand's cards, as its own player sees them; None where one was bought away."""
        order = self.course.order
        own: dict[int, list[str | None]] = {seat: list(self.driver.view(seat)["you"]["cards"]) for seat in order}
        for seat, slot in self.hand().get("gone", ()):
            if seat in own:
                own[seat][slot] = None
        return {name: own[at] for name, at in self.scenario.chairs.items() if at in own}

    def pots(self) -> list[dict[str, Any]]:
        """The awards, pot by pot, with the seats that could win them by COM-51."""
        live = [seat for seat in self.course.order if seat not in self.course.folded]
        alone = len(live) == 1
        eligible = [live] if alone else [layer.eligible for layer in self.course.layers()]
        numbers = sorted({pot for pot, _, _, _ in self.course.awards})
        return [self.pot(number, eligible[at]) for at, number in enumerate(numbers)]

    def pot(self, number: int, eligible: list[int]) -> dict[str, Any]:
        paid = [
            (share, self.name(seat), chips) for pot, share, seat, chips in self.course.awards if pot == number
        ]
        found: dict[str, Any] = {
            "amount": sum(chips for _, _, chips in paid),
            "eligible": [self.name(seat) for seat in sorted(eligible)],
            "award": _sums(paid, ("high", "low", "both", "only", "all")),
        }
        for share in ("high", "low"):
            if any(name == share for name, _, _ in paid):
                found[share] = _sums(paid, (share,))
        return found


def _sums(paid: list[tuple[str, str | None, int]], shares: tuple[str, ...]) -> dict[str | None, int]:
    """Chips per winner of these shares; a share of 0 counts."""
    found: dict[str | None, int] = {}
    for share, name, chips in paid:
        if share in shares:
            found[name] = found.get(name, 0) + chips
    return found


def _offered(hand: Mapping[str, Any]) -> dict[str, Any]:
    """The legal actions in the words of the assertions."""
    legal = hand["legal"]
    if "buy" in legal:
        market = hand["market"]
        prices = {f"{side}_price": offer["price"] for side, offer in market.items()}
        return {"must_buy": True, **prices, **{side: offer["card"] for side, offer in market.items()}}
    if "muck" in legal:
        return {"show_or_muck": True}
    raising = next((legal[verb] for verb in RAISES if verb in legal), None)
    if "bring_in" in legal:
        amounts = [legal["bring_in"][0], *(raising[:1] if raising else [])]
        return {"bring_in": amounts, "may_fold": "fold" in legal}
    return {
        "to_call": legal.get("call", [0])[0],
        "may_raise": raising is not None,
        "min_to": raising[0] if raising else None,
        "max_to": raising[1] if raising else None,
    }


def _cards_of_street(deal: _Deal, street: Street) -> Any:
    if street.board:
        return street.board
    return {deal.name(seat): cards[-1] for seat, cards in street.dealt.items()}


def _doors(deal: _Deal, street: Street) -> Any:
    return {deal.name(seat): cards[-1] for seat, cards in street.dealt.items()}


_MARKER_KEYS: dict[str, Callable[[_Deal, Street], Any]] = {
    "burn": lambda deal, street: street.burn,
    "cards": _cards_of_street,
    "community": lambda deal, street: next(iter(street.board), None),
    "doors": _doors,
    "left": lambda deal, street: street.market.get("left"),
    "right": lambda deal, street: street.market.get("right"),
    "first": lambda deal, street: deal.name(street.first),
    "bring_in_card": lambda deal, street: deal.name(street.first),
}
