"""Recorded courses of special cases: each has at least one hand in which the case occurs.

    python -m tests.rules.special record        look for those that are missing in `seeds/recorded` and write them

A course is found by playing tables at random until the case occurs; `seeds/README.md` lists them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from engine.commands import Post, SitOut, VoidHand
from engine.deck import sealed_deck
from engine.events import Event, HandEnded, HandVoided
from engine.game import games
from engine.state import BURNED, Hand, Table
from engine.table import act
from tests.rules.random_play import Player, unsealed
from tests.rules.recorded import FOLDER, commands_of, course

TRIES = 1_500
README = FOLDER.parent / "README.md"


class Deal(NamedTuple):
    """One finished hand: its facts from the start to the end, and how it ended."""

    facts: list[Event]
    hand: Hand

    def names(self) -> set[str]:
        return {type(fact).__name__ for fact in self.facts}

    def of(self, name: str) -> list[Any]:
        return [fact for fact in self.facts if type(fact).__name__ == name]

    def paid(self, share: str) -> list[int]:
        """Payments of this share of the first pot."""
        return [chips for pot, name, _, chips in self.hand.awards if pot == 0 and name == share]


Holds = Callable[[Deal], bool]


def random_hand(player: Player) -> bool:
    return player.hand()


def called_off(player: Player) -> bool:
    """A hand that the host voids at its first decision."""
    return player.start() and player.try_to(VoidHand("host", "recorded"))


def missing_blinds(player: Player) -> bool:
    """Somebody sits out until he owes both blinds, then posts them; nobody else does anything but play."""
    places = player.table.places
    seat = next(index for index, place in enumerate(places) if place)
    place = player.table.place(seat)
    if place.owes_small and place.owes_big:
        player.try_to(Post(seat, place.player))
    elif not place.sitting_out:
        player.try_to(SitOut(seat, place.player))
    return player.hand(quiet=True)


class Case(NamedTuple):
    """`games`: where to look for it; `play`: one hand; `hands`: how many of a table."""

    text: str
    games: tuple[str, ...]
    holds: Holds
    play: Callable[[Player], bool] = random_hand
    hands: int = 3


def met(name: str) -> Holds:
    """An event of this kind."""
    return lambda deal: name in deal.names()


def bought(item: str) -> Holds:
    """Hasaga: this advantage."""
    return lambda deal: any(fee.item == item for fee in deal.of("Fee"))


def pots(count: int) -> Holds:
    return lambda deal: len({pot for pot, *_ in deal.hand.awards}) >= count


def uneven(deal: Deal) -> bool:
    """A tie left an odd chip."""
    return any(max(paid) > min(paid) > 0 for paid in map(deal.paid, ("high", "low", "only")) if len(paid) > 1)


def short_big_blind(deal: Deal) -> bool:
    """Of all blinds the big one."""
    stakes = deal.hand.stakes
    return any(post.kind == "big" and 0 < post.amount < stakes.big_blind for post in deal.of("BlindPosted"))


def short_bring_in(deal: Deal) -> bool:
    return any(fact.amount < deal.hand.stakes.bring_in for fact in deal.of("BroughtIn"))


def short_ante(deal: Deal) -> bool:
    ante = deal.hand.stakes.ante
    return any(seat.start < ante for seat in deal.hand.seats.values())


def quartered(deal: Deal) -> bool:
    """Three or more at the showdown, one half won alone, the other one tied."""
    halves = sorted(len(deal.paid(share)) for share in ("high", "low"))
    return len(deal.hand.live()) > 2 and halves[0] == 1 and halves[1] > 1


def posted(live: bool, dead: bool) -> Holds:
    return lambda deal: any(bool(post.live) is live and bool(post.dead) is dead for post in deal.hand.posts)


def dead_button(deal: Deal) -> bool:
    return deal.hand.button not in deal.hand.seats and len(deal.hand.seats) > 2


def dead_small_blind(deal: Deal) -> bool:
    return deal.hand.small not in deal.hand.seats and deal.hand.big in deal.hand.seats


def community(deal: Deal) -> bool:
    return len(deal.hand.board) == 1


def by_the_clock(event: str) -> Holds:
    """The clock chose this action."""

    def holds(deal: Deal) -> bool:
        names = [type(fact).__name__ for fact in deal.facts]
        return ("TimedOut", event) in pairwise(names)

    return holds


def sold_away(deal: Deal) -> bool:
    return any(sale.at for sale in deal.of("Sold"))


def dead_bought(of: Callable[[int], bool]) -> Holds:
    return lambda deal: any(of(purchase.target) for purchase in deal.of("DeadBought"))


def chosen_by_a_player(deal: Deal) -> bool:
    return any(not choice.default for choice in deal.of("GameChosen"))


def option(key: str, value: object, event: str) -> Holds:
    """An event at a table with this option."""
    return lambda deal: deal.hand.options.get(key) == value and event in deal.names()


FLOP = ("omaha8", "holdem", "omaha")
STUD = ("razz", "stud", "stud8")
CASES = {
    "side-pots": Case("three pots (COM-51)", ("omaha8", "razz"), pots(3)),
    "odd-chip": Case("an odd chip of a tie (COM-54, RAZ-C08)", ("omaha8", "razz", "holdem"), uneven),
    "quartered": Case("three at the showdown, one half of the pot divided (OM8-C05)", ("omaha8", "stud8"), quartered),
    "community-card": Case("the deck is too short: one card for all (RAZ-C06)", STUD, community),
    "dead-button": Case("the button before an empty chair (COM-66)", FLOP, dead_button),
    "dead-small-blind": Case("nobody to post the small blind (COM-66)", FLOP, dead_small_blind),
    "missed-big-blind": Case("a live post (COM-69)", ("omaha8", "omaha"), posted(True, False)),
    "missed-both-blinds": Case("a live and a dead post (COM-69)", FLOP, posted(True, True), missing_blinds, 9),
    "all-in-ante": Case("an ante that its stack does not cover (COM-40)", ("hasaga",), short_ante),
    "short-big-blind": Case("a big blind that its stack does not cover (COM-34)", FLOP, short_big_blind),
    "short-bring-in": Case("a bring-in that its stack does not cover (RAZ-C09)", STUD, short_bring_in),
    "uncalled": Case("a bet that nobody called (COM-50)", ("omaha8", "razz"), met("Returned")),
    "timeout-fold": Case("the clock folds (COM-71)", ("omaha8", "razz"), by_the_clock("Folded")),
    "timeout-bring-in": Case("the clock brings in (COM-71)", ("razz",), by_the_clock("BroughtIn")),
    "timeout-muck": Case("the clock mucks (COM-71)", ("omaha8", "razz"), by_the_clock("Mucked")),
    "time-bank": Case("the time bank is used (COM-71)", ("omaha8",), met("TimeBankUsed")),
    "disconnected": Case("the grace of a lost line (COM-72)", ("omaha8",), met("GraceGiven")),
    "left": Case("a player leaves in the middle of the hand (COM-11)", ("omaha8", "razz"), met("LeaveAsked")),
    "rake": Case("rake (COM-55)", ("omaha8", "razz"), met("Raked")),
    "face-up": Case("hands all-in turned up at once (COM-63)", ("omaha8",),
                    option("showdown.all_in_face_up", True, "Shown")),
    "muck": Case("a beaten hand is mucked (COM-61)", ("omaha8", "razz"), met("Mucked")),
    "voided": Case("a hand that the host calls off", ("omaha8", "hasaga"), met("HandVoided"), called_off),
    "cut": Case("players' seeds cut the deck", ("omaha8", "hasaga"), met("CutFixed")),
    "blind-in-secret": Case("a card bought blind stays hidden (ABY-C09)", ("abyssinia",),
                            option("abyssinia.hidden", True, "Bought")),
    "declared": Case("declarations of high, low or both (ABY-C11)", ("abyssinia",), met("Declared")),
    "see-burned": Case("SEE_BURNED", ("hasaga",), bought("see_burned")),
    "see-folded": Case("SEE_FOLDED", ("hasaga",), bought("see_folded")),
    "see-live": Case("SEE_LIVE and the card that its owner shows", ("hasaga",), met("Revealed")),
    "add-card": Case("ADD_CARD", ("hasaga",), met("CardAdded")),
    "buy-burned": Case("BUY_DEAD, a burned card", ("hasaga",), dead_bought(lambda target: target == BURNED)),
    "buy-folded": Case("BUY_DEAD, a card of a folded hand", ("hasaga",), dead_bought(lambda target: target != BURNED)),
    "merge": Case("two hands become one, and its stack two again (HAS-C26, HAS-C29)", ("hasaga",), met("PoolSplit")),
    "block-river": Case("BLOCK_RIVER", ("hasaga",), bought("block_river")),
    "block-turn-river": Case("BLOCK_TURN_RIVER", ("hasaga",), bought("block_turn_river")),
    "extra-blind": Case("extra blinds and the bank's (HAS-38)", ("hasaga",), met("BankPaid")),
    "sale": Case("cards sold to the bank (HAS-24)", ("hasaga",), sold_away),
    "elimination": Case("a hand is out (HAS-C46)", ("hasaga",), met("SeatEliminated")),
    "ranking": Case("a player is out (HAS-C46)", ("hasaga",), met("PlayerRanked")),
    "level": Case("the next level (HAS-C44)", ("hasaga",), met("LevelStarted")),
    "dealers-choice": Case("a dealer's choice (MIX-07)", ("mixed",), chosen_by_a_player),
}  # fmt: skip


def files() -> dict[str, Case]:
    """File name → its case. A case is recorded of every game that it names."""
    return {f"{game}-{name}.json": case for name, case in CASES.items() for game in case.games}


def deals_of(text: str) -> Iterator[Deal]:
    """The finished hands of a recorded course, each with what was done before it since the one before."""
    recorded = json.loads(text)
    table, facts = Table(recorded["table"]), []
    for at, command in commands_of(recorded):
        fresh = act(table, command, at, sealed_deck)
        facts += fresh
        if any(isinstance(fact, HandEnded | HandVoided) for fact in fresh):
            assert table.hand is not None
            yield Deal(facts, table.hand)
            facts = []


def found(game: str, number: int, case: Case, deal: Any = unsealed) -> Player | None:
    """The table of this number, as far as the case; None if it does not occur there. `deal`: where seeds of players cut
    the deck, which they do by its commitment, it has to have one.
    """
    seeded = number % 2 == 0
    player = Player(games()[game], number, sealed_deck if seeded else deal, seeded=seeded)
    for _ in range(case.hands):
        before = len(player.steps)
        if not case.play(player):
            return None
        facts = [fact for step in player.steps[before:] for fact in step.facts]
        assert player.table.hand is not None
        if case.holds(Deal(facts, player.table.hand)):
            return player
    return None


def record(path: Path, case: Case) -> bool:
    """Write the first table at which the case occurs; whether there is one."""
    game = path.name.split("-")[0]
    number = next((number for number in range(TRIES) if found(game, number, case)), None)
    if number is None:
        return False
    player = found(game, number, case, sealed_deck)
    assert player is not None
    path.write_text(json.dumps(course(player)) + "\n", encoding="utf-8")
    return True


def readme() -> str:
    """What is in the folder."""
    rows = [f"| `{name}` | {case.text} |" for name, case in files().items()]
    return "\n".join([*INTRODUCTION, *rows]) + "\n"


INTRODUCTION = """# Recorded hands

* `recorded/`: courses of tables, the commands with their times and seeds, and digests of all events that followed.
  They must give the same events for ever, on every Python we support: `python -m tests.rules.recorded` replays them
  with the standard library alone, and the tests with every Python that is installed. Courses with a number in their
  name are random play; the others are below.
* `real/`: hands that were played elsewhere ([sources](real/SOURCES.md)); `known.tsv`: where rooms and our rules differ,
  and why ([hand histories](../docs/hand-histories.md)).

`python -m tests.rules.special record` looks for special cases that are not recorded yet.

| course in `recorded/` | special case |
| --- | --- |""".splitlines()


def main(arguments: list[str]) -> int:
    if arguments == ["record"]:
        README.write_text(readme(), encoding="utf-8")
        for name, case in files().items():
            path = FOLDER / name
            if not path.exists():
                print(name, "recorded" if record(path, case) else "NOT FOUND", flush=True)
    missing = [name for name in files() if not (FOLDER / name).exists()]
    print(f"{len(files())} special cases, missing: {missing or 'none'}")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
