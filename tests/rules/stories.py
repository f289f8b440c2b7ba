"""A small vocabulary to tell hands in: seats by name, cards by text, actions in the words of the rule book.

    hand = omaha("D 100, S 100, G 100, U 100", button="D", stakes="limit 1/2")
    assert hand.asked == "U: fold, call 2, raise to 4"
    hand.play("U raises to 4; D folds; S calls; G folds")

A story checks after every command that no chip appeared or vanished.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from engine.cards import parse_many, show
from engine.commands import Act, Expire, OpenTable, Sit, Stand, StartHand
from engine.deck import CARDS, Deck, bare_deck, first_button
from engine.events import Event
from engine.play import legal
from engine.positions import NOBODY, Plan, clockwise
from engine.pots import pots
from engine.refusals import Refused
from engine.state import Hand, Post
from engine.table import Table, act

Test = TypeVar("Test", bound=Callable[..., None])

VERBS = {
    "folds": "fold", "checks": "check", "calls": "call", "bets": "bet", "raises": "raise",
    "completes": "complete", "doubles": "double", "brings": "bring_in", "shows": "show", "mucks": "muck",
    "buys": "buy", "declares": "declare", "reveals": "reveal", "sells": "sell",
}  # fmt: skip
ARGUMENTS = {"buy": "source", "declare": "choice"}  # the first word after the verb
MOVED = {"Sat": ("chips", 1), "ChipsAdded": ("amount", 1), "Stood": ("chips", -1), "Raked": ("amount", -1)}
NO_BUY_IN_BOUNDS = {"buy_in.min": 0, "buy_in.max": 0}


def rule(*ids: str) -> Callable[[Test], Test]:
    """The rule ids a test is about; `test_rule_ids.py` reads them, `inversions.py` selects by them."""

    def cite(test: Test) -> Test:
        return test

    assert ids, "a test cites at least one rule"
    return cite


def pairs(text: str) -> dict[str, int]:
    """`A 100, B 20` as {"A": 100, "B": 20}."""
    return {name: int(amount) for name, amount in (part.split() for part in text.split(","))}


def fill(top: Iterable[int]) -> list[int]:
    """A whole deck that begins with these cards."""
    top = list(top)
    return top + [card for card in range(CARDS) if card not in top]


class Story:
    """One table. Seats are named; `play` sends actions, the properties read what came of them."""

    def __init__(self, game: str, keys: Mapping[str, object] | None = None) -> None:
        self.table = Table("000-STORY")
        self.now = 1_000_000
        self.names: dict[str, int] = {}
        self.events: list[Event] = []  # of the last hand
        self.course: list[Event] = []
        self.deck: list[int] = list(range(CARDS))
        self.bank = 0  # chips brought to the table and not taken away
        self.do(OpenTable(game, {**NO_BUY_IN_BOUNDS, **(keys or {})}))

    # --- doing

    def do(self, command: Any) -> list[Event]:
        """Send a command; the facts that follow."""
        facts = act(self.table, command, self.now, self.stacked)
        self.events += facts
        self.course += facts
        for fact in facts:
            kind = type(fact).__name__
            field, sign = MOVED.get(kind, ("", 0))
            self.bank += sign * getattr(fact, field, 0)
        assert self.table.chips() == self.bank, "chips are not conserved"
        return facts

    def stacked(self, seed: bytes, hand: bytes) -> Deck:
        return bare_deck(self.deck)

    def sit(self, name: str, chips: int, chair: int | None = None) -> None:
        """Take a chair (the next free one); the player is called like the seat."""
        free = [i for i, place in enumerate(self.table.places) if place is None]
        at = free[0] if chair is None else chair
        self.names = {other: seat for other, seat in self.names.items() if seat != at} | {name: at}
        self.do(Sit(at, name, chips))

    def set_chips(self, name: str, chips: int) -> None:
        """Give a seat another stack between hands."""
        place = self.table.place(self.names[name])
        self.bank += chips - place.chips
        place.chips = chips

    def leave(self, *names: str) -> None:
        for name in names:
            self.do(Stand(self.names[name], self.player(name)))

    def ask(self, command: type[Any], name: str, *arguments: Any) -> list[Event]:
        """Send a command of the seat's player: `ask(SitOut, "A")`."""
        return self.do(command(self.names[name], self.player(name), *arguments))

    def player(self, name: str) -> str:
        """Who owns the seat of that name."""
        return name

    def arguments(self, verb: str, words: list[str]) -> dict[str, Any] | None:
        """`buys left` as {"source": "left"}."""
        return {ARGUMENTS[verb]: words[0]} if verb in ARGUMENTS and words else None

    def play(self, text: str) -> list[Event]:
        """`A raises to 30; B folds; C times out; all check`. The amount of a call is checked, not sent."""
        facts: list[Event] = []
        for phrase in text.split(";"):
            facts += self.phrase(phrase.split())
        return facts

    def phrase(self, words: list[str]) -> list[Event]:
        if words == ["all", "check"]:
            return self.check_round()
        name, verb, *rest = words
        index = self.names[name]
        assert self.hand.actor == index, f"{name} {verb}, but it is the turn of {self.turn}"
        if verb == "times":
            return self.time_out()
        amount = next((int(word) for word in rest if word.isdigit()), None)
        if verb == "calls" and amount is not None:
            assert legal(self.hand)["call"] == (amount, amount)
        return self.act(name, VERBS[verb], amount, rest)

    def act(self, name: str, verb: str, amount: int | None = None, rest: list[str] | None = None) -> list[Event]:
        return self.do(self.action(name, verb, amount, rest or []))

    def action(self, name: str, verb: str, amount: int | None, rest: list[str]) -> Act:
        return Act(self.names[name], self.player(name), verb, amount, 0, self.arguments(verb, rest))

    def check_round(self) -> list[Event]:
        """Everybody checks until the street is over."""
        street, facts = self.street, []
        while self.street == street and self.table.playing:
            facts += self.act(self.turn, "check")
        return facts

    def time_out(self) -> list[Event]:
        """Let the clock of the running decision run out."""
        self.now = self.hand.deadline
        return self.do(Expire(self.table.turn, self.hand.deadline))

    def refused(self, text: str) -> str:
        """The code that refuses this action; the table is what it was."""
        name, verb, *rest = text.split()
        amount = next((int(word) for word in rest if word.lstrip("-").isdigit()), None)
        return self.refusal(self.action(name, VERBS.get(verb, verb), amount, rest))

    def refusal(self, command: Any) -> str:
        before = copy.deepcopy(self.table)
        try:
            self.do(command)
        except Refused as refusal:
            assert self.table == before, "a refusal has changed the table"
            return refusal.code
        raise AssertionError(f"{command} was not refused")

    # --- dealing

    def deal(self, deck: list[int] | None = None, seed: bytes = bytes(32)) -> list[Event]:
        """The next hand, positions as they follow from the last one."""
        self.deck = deck or self.deck
        self.events = []
        return self.do(StartHand(seed, b""))

    def deal_first(self, button: str, deck: list[int] | None = None) -> list[Event]:
        """The first hand, with a seed that draws this button."""
        ready = sorted(self.names.values())
        at = ready.index(self.names[button])
        seed = next(seed for k in range(99) if first_button(seed := bytes([k] * 32), len(ready)) == at)
        return self.deal(deck, seed)

    def prescribe(self, plan: Plan, deck: list[int]) -> None:
        """A hand with prescribed positions."""
        self.deck = deck
        self.events = []
        self.do(StartHand(bytes(32), b"", plan))

    def finish(self) -> None:
        """Everybody checks or folds, brings in or mucks until the hand is over."""
        while self.table.playing:
            verb = next(v for v in ("check", "bring_in", "muck", "fold") if v in legal(self.hand))
            self.act(self.turn, verb)

    def run(self, text: str) -> None:
        """`play`, then check and muck to the end."""
        self.play(text)
        self.check_down()

    def check_down(self) -> None:
        """Nobody bets any more."""
        while self.table.playing and ("check" in legal(self.hand) or "muck" in legal(self.hand)):
            self.act(self.turn, "check" if "check" in legal(self.hand) else "muck")

    # --- reading

    @property
    def hand(self) -> Hand:
        assert self.table.hand is not None
        return self.table.hand

    def name(self, index: int | None) -> str:
        return next((name for name, at in self.names.items() if at == index), "nobody")

    @property
    def turn(self) -> str:
        return self.name(self.hand.actor)

    @property
    def asked(self) -> str:
        """Who has the turn and what is legal: `S: fold, call 5, raise to 8`."""
        offered = [worded(verb, *bounds) for verb, bounds in legal(self.hand).items()]
        return f"{self.turn}: {', '.join(offered)}"

    @property
    def street(self) -> str:
        return self.hand.street

    @property
    def stacks(self) -> str:
        """Chips of everybody who sits, dealt in or not: `A 100, B 20`."""
        dealt = self.hand.seats if self.table.hand else {}
        chips = {
            name: dealt[at].stack if at in dealt and self.table.playing else self.table.place(at).chips
            for name, at in self.names.items()
            if self.table.places[at]
        }
        return ", ".join(f"{name} {amount}" for name, amount in chips.items())

    @property
    def pots(self) -> str:
        """`300 A+B+C, 400 B+C`."""
        return ", ".join(f"{pot.amount} {'+'.join(map(self.name, pot.eligible))}" for pot in pots(self.hand))

    @property
    def returned(self) -> str:
        return ", ".join(f"{self.name(seat)} {amount}" for _, seat, amount in self.hand.returns)

    @property
    def awards(self) -> str:
        """`0 high A 40, 0 low B 40`: pot, share, winner, chips."""
        return ", ".join(f"{pot} {share} {self.name(seat)} {chips}" for pot, share, seat, chips in self.hand.awards)

    @property
    def showdown(self) -> str:
        """`U shows, S mucks`, in the order in which it happened."""
        words = {"Shown": "shows", "Mucked": "mucks"}
        return ", ".join(f"{self.name(e.seat)} {words[kind]}" for kind, e in self.kinds(*words))

    @property
    def board(self) -> str:
        return show(card for at in self.hand.board if (card := self.hand.deck[at]) is not None)

    def cards(self, name: str) -> str:
        return show(self.hand.cards_of(self.names[name]))

    def kinds(self, *kinds: str) -> list[tuple[str, Any]]:
        """Facts of these kinds since the hand began."""
        return [(kind, fact) for fact in self.events if (kind := type(fact).__name__) in kinds]

    def amounts(self, kind: str) -> str:
        return ", ".join(f"{self.name(fact.seat)} {fact.amount}" for _, fact in self.kinds(kind))

    @property
    def antes(self) -> str:
        """`A 1, B 1`, in the order in which they were paid."""
        paid = [ante for _, fact in self.kinds("AntesPaid") for ante in fact.antes]
        return ", ".join(f"{self.name(seat)} {amount}" for seat, amount in paid)

    @property
    def received(self) -> list[tuple[str, list[int]]]:
        """Seat and deck positions of every round dealt, in dealing order."""
        return [
            (self.name(seat), list(fact.at[place :: len(fact.seats)]))
            for _, fact in self.kinds("RoundDealt")
            for place, seat in enumerate(fact.seats)
        ]

    @property
    def order(self) -> str:
        """Dealt-in seats in dealing order."""
        return " ".join(map(self.name, self.hand.order))

    @property
    def positions(self) -> str:
        """Chairs, empty ones too: `button 1, small 2, big 3` (chairs count from 1, as people do)."""
        return f"button {self.hand.button + 1}, small {self.hand.small + 1}, big {self.hand.big + 1}"


def worded(verb: str, least: int, most: int) -> str:
    if most == 0:
        return verb
    to = {"raise": "raise to ", "complete": "complete to "}.get(verb, f"{verb} ")
    return to.replace("_", " ") + (str(least) if least == most else f"{least}..{most}")


# --- whole deals


def omaha(
    stacks: str,
    stakes: str = "limit 1/2",
    button: str = "",
    hands: Mapping[str, str] | None = None,
    board: str = "",
    keys: Mapping[str, object] | None = None,
    posts: Mapping[str, tuple[int, int]] | None = None,
    dead_small: bool = False,
) -> Story:
    """A hand of Omaha-8. The first seat has the button if no other is named; other hands get any cards."""
    return with_blinds("omaha8", "omaha", 4, stacks, stakes, button, hands, board, keys, posts, dead_small)


def holdem(
    stacks: str,
    stakes: str = "limit 1/2",
    button: str = "",
    hands: Mapping[str, str] | None = None,
    board: str = "",
    keys: Mapping[str, object] | None = None,
) -> Story:
    """A hand of hold'em, in the words of `omaha`."""
    return with_blinds("holdem", "holdem", 2, stacks, stakes, button, hands, board, keys, None, False)


def with_blinds(
    game: str,
    prefix: str,
    hole: int,
    stacks: str,
    stakes: str,
    button: str,
    hands: Mapping[str, str] | None,
    board: str,
    keys: Mapping[str, object] | None,
    posts: Mapping[str, tuple[int, int]] | None,
    dead_small: bool,
) -> Story:
    """A hand of a game with blinds; `prefix` is that of its keys."""
    structure, blinds = stakes.split()
    small, big = map(int, blinds.split("/"))
    options = {
        f"{prefix}.structure": structure,
        f"{prefix}.small_blind": small,
        f"{prefix}.big_blind": big,
        **(keys or {}),
    }
    story = Story(game, options)
    for name, chips in pairs(stacks).items():
        story.sit(name, chips)
    plan = blinds_plan(story, button or next(iter(story.names)), posts or {}, dead_small)
    burns = 1 if options.get(f"{prefix}.burn", True) else 0
    story.prescribe(plan, flop_deck([story.name(i) for i in plan.order], hands or {}, board, hole, burns))
    return story


def blinds_plan(story: Story, button: str, posts: Mapping[str, tuple[int, int]], dead_small: bool) -> Plan:
    """Everybody is dealt in; the blinds are left of the button, heads-up the button has the small one."""
    at = story.names[button]
    order = clockwise(story.table, list(story.names.values()), at + 1)
    small, big = (at, order[0]) if len(order) == 2 else (order[0], order[1])
    if dead_small:
        small, big = NOBODY, order[0]
    posted = tuple(Post(story.names[name], *chips) for name, chips in posts.items())
    return Plan(at, small, big, tuple(order), posted)


def flop_deck(order: list[str], hands: Mapping[str, str], board: str, holes: int, burns: int) -> list[int]:
    """`holes` rounds along `order`, then burn and flop, burn and turn, burn and river (OM8-C01, HLD-04)."""
    given = {name: parse_many(text) for name, text in hands.items()}
    common = parse_many(board)
    used = [card for cards in given.values() for card in cards] + common
    rest = [card for card in range(CARDS) if card not in used]
    hole = [given[name] if name in given else [rest.pop() for _ in range(holes)] for name in order]
    common += [rest.pop() for _ in range(5 - len(common))]
    top = [cards[k] for k in range(holes) for cards in hole]
    for first, last in ((0, 3), (3, 4), (4, 5)):
        top += [rest.pop(0) for _ in range(burns)] + common[first:last]
    return fill(top)


def razz(
    stacks: str,
    cards: Mapping[str, str],
    dealer: str = "",
    keys: Mapping[str, object] | None = None,
) -> Story:
    """A hand of razz, ante 1, bring-in 5, bets 10/20; `cards`: as many as each seat will be dealt."""
    return with_antes("razz", stacks, cards, dealer, keys)


def with_antes(
    game: str, stacks: str, cards: Mapping[str, str], dealer: str = "", keys: Mapping[str, object] | None = None
) -> Story:
    """As `razz`, of any game with antes and a bring-in."""
    story = Story(game, keys)
    for name, chips in pairs(stacks).items():
        story.sit(name, chips)
    at = story.names[dealer or next(iter(story.names))]
    order = clockwise(story.table, list(story.names.values()), at + 1)
    deck = razz_deck([parse_many(cards[story.name(i)]) for i in order])
    story.prescribe(Plan(at, NOBODY, NOBODY, tuple(order)), deck)
    return story


def razz_deck(hands: list[list[int]]) -> list[int]:
    """Three rounds along the order, then per street a burn and a card for every seat that still gets one."""
    used = [card for cards in hands for card in cards]
    rest = [card for card in range(CARDS) if card not in used]
    top = [cards[k] for k in range(3) for cards in hands]
    for k in range(3, 7):
        dealt = [cards[k] for cards in hands if len(cards) > k]
        top += [rest.pop(), *dealt] if dealt else []
    return fill(top)


def abyssinia(
    stacks: str, deck: str = "", dealer: str = "", keys: Mapping[str, object] | None = None
) -> Story:
    """A hand of Abyssinia, ante and bet 1; `deck`: the top cards, the left market card first (ABY-C01)."""
    story = Story("abyssinia", keys)
    for name, chips in pairs(stacks).items():
        story.sit(name, chips)
    at = story.names[dealer or next(iter(story.names))]
    order = clockwise(story.table, list(story.names.values()), at + 1)
    story.prescribe(Plan(at, NOBODY, NOBODY, tuple(order)), fill(parse_many(deck)))
    return story
