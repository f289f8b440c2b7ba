"""Full Tilt Poker hand histories (English text) → neutral records.

Beyond what the room prints: the bring-in of a hand in which nobody brought in is half the small bet (RAZ-C02)
and marked `bring_in_inferred`. A second line `shows` that only names the hand's value is no event.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from services.formats.figures import CURRENCIES, Nonsense, amount, card_names
from services.formats.scribe import STUD_STREETS
from services.formats.sheet import Sheet
from services.formats.text import (
    AMOUNT,
    CARDS,
    Room,
    Title,
    Walk,
    blind,
    dealt,
    forced,
    forms,
    put,
    raises,
    say,
    sheets,
    shows,
    sit,
    summary,
    total,
    uncalled,
    verbs,
)

HEAD = re.compile(r"Full ?Tilt ?Poker Game #(\d+): .*")
_STAKES = re.compile(rf" - ({AMOUNT})/({AMOUNT})(?: Ante ({AMOUNT}))?(?= - )")
_GAME = re.compile(rf" - ((?:{AMOUNT} Cap )?(?:FL|PL|NL|Limit|Pot Limit|No Limit)) ([A-Za-z0-9' /-]+?)(?= - )")
_VARIANTS = {
    "Razz": "razz",
    "Omaha H/L": "omaha8",
    "Omaha Hi/Lo": "omaha8",
    "Stud H/L": "stud8",
    "Stud Hi": "stud",
    "Hold'em": "holdem",
    "Omaha": "omaha",
    "Omaha Hi": "omaha",
}
_STRUCTURES = {"Limit": "FL", "Pot Limit": "PL", "No Limit": "NL"}
_STREETS = {"HOLE CARDS": "preflop", "FLOP": "flop", "TURN": "turn", "RIVER": "river"} | {
    f"{name.upper()} STREET": name for name in STUD_STREETS
}


def game(line: str) -> tuple[str, str]:
    """Variant and structure, as far as the first line of a hand tells; others keep the room's words."""
    found = _GAME.search(line)
    if not found:
        raise Nonsense("a first line without a game")
    return _VARIANTS.get(found[2], found[2].lower()), _STRUCTURES.get(found[1], found[1])


def title(line: str) -> Title:
    """The first line of a hand: number, game, stakes, ante."""
    head, stakes = HEAD.fullmatch(line), _STAKES.search(line)
    if not (head and stakes):
        raise Nonsense("a first line without stakes")
    cents = stakes[1][0] in CURRENCIES
    ante = amount(stakes[3], cents) if stakes[3] else 0
    return Title(head[1], *game(line), cents, (amount(stakes[1], cents), amount(stakes[2], cents)), ante)


def _button(walk: Walk, found: re.Match[str]) -> None:
    walk.button = int(found[1])


def _street(walk: Walk, found: re.Match[str]) -> None:
    walk.scribe.begin(_STREETS[found[1]], card_names(found[3] or ""))


def _wins(walk: Walk, seat: int, found: re.Match[str]) -> None:
    half = {"high ": "hi", "low ": "lo"}.get(found[1] or "")
    pot = (found[2] or "main ").strip().replace(" ", "-")
    walk.scribe.collect(seat, walk.chips(found[3]), pot, half)


_ALL_IN = r"(?:,? and is all in)?"
ROOM = Room(
    name="ftp",
    head=HEAD,
    game=game,
    title=title,
    forms=forms(
        (rf"Seat (\d+): (.+) \(({AMOUNT})\)(?:, is sitting out)?", sit),
        (r"The button is in seat #(\d+)", _button),
        (rf"\*\*\* ({'|'.join(_STREETS)}) \*\*\*(?: (?:{CARDS} )?{CARDS})?(?: \(Total Pot: .*\))?", _street),
        (rf"Dealt to .+ {CARDS}", dealt),
        (rf"Uncalled bet of ({AMOUNT}) returned to (.+)", uncalled),
        (r"\*\*\* SUMMARY \*\*\*", summary),
        (rf"Total pot ({AMOUNT})(?: (?:Main|Side) pot.*)? \| Rake ({AMOUNT})", total),
    ),
    verbs=verbs(
        (r" folds", say("fold")),
        (r" checks", say("check")),
        (rf" calls ({AMOUNT}){_ALL_IN}", put("call")),
        (rf" bets ({AMOUNT}){_ALL_IN}", put("bet")),
        (rf" (?:raises to|completes it to) ({AMOUNT}){_ALL_IN}", raises),
        (rf" antes ({AMOUNT}){_ALL_IN}", forced("ante")),
        (rf" posts the small blind of ({AMOUNT}){_ALL_IN}", blind("sb", "dead")),
        (rf" posts the big blind of ({AMOUNT}){_ALL_IN}", blind("bb", "post")),
        (rf" posts a dead small blind of ({AMOUNT})", forced("dead")),
        (rf" posts ({AMOUNT}){_ALL_IN}", forced("post")),
        (rf" brings in for ({AMOUNT}){_ALL_IN}", forced("bring_in")),
        (rf" shows {CARDS}(?: .*)?", shows),
        (r" mucks", say("muck")),
        (
            rf" (?:wins|ties for) the (high |low )?(main |side )?pot(?: \d)? \(({AMOUNT})\)(?: with .*)?",
            _wins,
        ),
    ),
    remarks=re.compile(
        r"\*\*\* SHOW DOWN \*\*\*|\*+ # \d+ \*+|Board: \[.*\]|No low hand qualified|Duration \d+s"
        r"|.+: .*|.+ (?:shows [^\[].*|is (?:high|low) with \[.*\]|has \d+ seconds left to act"
        r"|has timed out|has been disconnected|has reconnected|is sitting out|has returned|stands up"
        r"|sits down|adds .*)"
    ),
)


def read(file: str, text: str) -> Iterator[Sheet]:
    """The hands of a Full Tilt text."""
    return sheets(ROOM, file, text)
