"""Full Tilt Poker hand histories (English text) → neutral records.

Beyond what the room prints: the bring-in of a hand in which nobody brought in is half the small bet (RAZ-C02)
and marked `bring_in_inferred`. A second line `shows` that only names the hand's value is no event.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from services.formats import text
from services.formats.scribe import STUD_STREETS
from services.formats.sheet import Sheet
from services.formats.text import AMOUNT, CARDS, Room, Title, Walk

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
_STREETS = text.STREETS | {f"{name.upper()} STREET": name for name in STUD_STREETS}


def game(line: str) -> tuple[str, str]:
    """Variant and structure, as far as the first line of a hand tells; others keep the room's words."""
    structure, variant = text.found_in(_GAME, line, "game").groups()
    return _VARIANTS.get(variant, variant.lower()), _STRUCTURES.get(structure, structure)


def title(line: str) -> Title:
    """The first line of a hand: number, game, stakes, ante."""
    return text.title(HEAD, _STAKES, game, line)


def _button(walk: Walk, found: re.Match[str]) -> None:
    walk.button = int(found[1])


def _street(walk: Walk, found: re.Match[str]) -> None:
    text.begin(walk, _STREETS[found[1]], found[2], found[3])


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
    forms=text.forms(
        (rf"Seat (\d+): (.+) \(({AMOUNT})\)(?:, is sitting out)?", text.sit),
        (r"The button is in seat #(\d+)", _button),
        (rf"\*\*\* ({'|'.join(_STREETS)}) \*\*\*(?: (?:{CARDS} )?{CARDS})?(?: \(Total Pot: .*\))?", _street),
        (rf"Dealt to .+ {CARDS}", text.dealt),
        (rf"Uncalled bet of ({AMOUNT}) returned to (.+)", text.uncalled),
        (r"\*\*\* SUMMARY \*\*\*", text.summary),
        (r"Hand #\d+ has been canceled", text.cancelled),
        (rf"Total pot ({AMOUNT})(?: (?:Main|Side) pot.*)? \| Rake ({AMOUNT})", text.total),
    ),
    verbs=text.verbs(
        (r" folds", text.say("fold")),
        (r" checks", text.say("check")),
        (rf" calls ({AMOUNT}){_ALL_IN}", text.put("call")),
        (rf" bets ({AMOUNT}){_ALL_IN}", text.put("bet")),
        (rf" (?:raises to|completes it to) ({AMOUNT}){_ALL_IN}", text.raises),
        (rf" antes ({AMOUNT}){_ALL_IN}", text.forced("ante")),
        (rf" posts the small blind of ({AMOUNT}){_ALL_IN}", text.blind("sb", "dead")),
        (rf" posts the big blind of ({AMOUNT}){_ALL_IN}", text.blind("bb", "post")),
        (rf" posts a dead small blind of ({AMOUNT})", text.forced("dead")),
        (rf" posts ({AMOUNT}){_ALL_IN}", text.forced("post")),
        (rf" brings in for ({AMOUNT}){_ALL_IN}", text.forced("bring_in")),
        (rf" shows {CARDS}(?: .*)?", text.shows),
        (r" mucks", text.say("muck")),
        (
            rf" (?:wins|ties for) (?:the )?(high |low )?(main |side )?pot(?: #?\d)? \(({AMOUNT})\)(?: with .*)?",
            _wins,
        ),
    ),
    remarks=re.compile(
        r"\*\*\* SHOW DOWN \*\*\*|\*+ # \d+ \*+|Board: \[.*\]|No low hand qualified|Duration \d+s"
        r"|.+: .*|The blinds are now .*|.+ (?:shows [^\[].*|is (?:high|low) with \[.*\]|has \d+ seconds left to act"
        r"|has requested TIME|is feeling \w+"
        r"|has timed out.*|has been disconnected|has reconnected|is sitting out|has returned|stands up"
        r"|sits down|adds .*)"
    ),
)


def read(file: str, content: str) -> Iterator[Sheet]:
    """The hands of a Full Tilt text."""
    return text.sheets((ROOM,), file, content)
