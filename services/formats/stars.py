"""PokerStars hand histories (English text, any currency) → neutral records.

Beyond what the room prints: an uncalled bet of old files is worked out (COM-50); a bring-in nobody posted is
half the small bet (RAZ-C02) and marked `bring_in_inferred`; of `posts small & big blinds` the small one is
dead (COM-69), as is a second `posts small blind`; a second `posts big blind` is a live post. In our own exports
(`services/exports/pokerstars.py`) the house says under which rules and by which dealer it was dealt.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from services.formats import text
from services.formats.figures import Nonsense
from services.formats.house_rules import from_words
from services.formats.scribe import STUD_GAMES, STUD_STREETS
from services.formats.sheet import Sheet
from services.formats.text import AMOUNT, CARDS, Room, Title, Walk

HEAD = re.compile(r"PokerStars (?:Home Game |Zoom )*(?:Hand|Game) #(\d+): .*", re.IGNORECASE)
_STAKES = re.compile(rf"\(?(?:[^()]*, )?({AMOUNT}) ?/ ?({AMOUNT})(?: - {AMOUNT} Cap -)?(?: +[A-Z]{{3}})?\)")
_CLUB = re.compile(r"\{[^{}]*\}")
_GAME = re.compile(
    r"(Razz|Omaha Hi/Lo|7 Card Stud Hi/Lo|7 Card Stud|Hold'em|Omaha|\d Card Omaha(?: Hi/Lo)?"
    r"|[\w -]*(?:Draw|Badugi)[\w -]*)"
    r" (Pot Limit Pre-Flop, No Limit Post-Flop|No Limit|Pot Limit|Limit)",
    re.IGNORECASE,
)
HOUSE = "Croupier"
_VARIANTS = {
    "razz": "razz",
    "omaha hi/lo": "omaha8",
    "7 card stud hi/lo": "stud8",
    "7 card stud": "stud",
    "hold'em": "holdem",
    "omaha": "omaha",
}
_STRUCTURES = {"no limit": "NL", "pot limit": "PL", "limit": "FL"}
_STREETS = text.STREETS | {f"{name} STREET": name for name in STUD_STREETS}


def game(line: str) -> tuple[str, str]:
    """Variant and structure, as far as the first line of a hand tells; others keep the room's words."""
    variant, structure = (word.strip().lower() for word in text.found_in(_GAME, _CLUB.sub("", line), "game").groups())
    return _VARIANTS.get(variant, variant), _STRUCTURES.get(structure, structure)


def title(line: str) -> Title:
    """The first line of a hand: number, game, stakes."""
    return text.title(HEAD, _STAKES, game, _CLUB.sub("", line))


def _table(walk: Walk, found: re.Match[str]) -> None:
    if found[1]:
        walk.button = int(found[1])


def _street(walk: Walk, found: re.Match[str]) -> None:
    stud_river = found[1] == "RIVER" and walk.title.variant in STUD_GAMES
    text.begin(walk, "7th" if stud_river else _STREETS[found[1]], found[2], found[3])


def _both_blinds(walk: Walk, seat: int, found: re.Match[str]) -> None:
    both, big = walk.chips(found[1]), walk.title.stakes[walk.title.structure != "FL"]
    if both <= big:
        raise Nonsense(f"small and big blind of {both} together")
    walk.scribe.forced("dead", seat, both - big)
    walk.scribe.forced("post", seat, big)


def _collects(walk: Walk, seat: int, found: re.Match[str]) -> None:
    walk.scribe.settle()
    pot = found[2].replace(" pot", "") if " " in found[2] else "main"
    walk.scribe.collect(seat, walk.chips(found[1]), pot)


def _house(walk: Walk, found: re.Match[str]) -> None:
    """Of our own exports: a voice that nobody at the table has."""
    rules = from_words(found[1])
    walk.button = int(rules.pop("dealer", walk.button or 0)) or None
    walk.house = rules


def _showdown(walk: Walk, found: re.Match[str]) -> None:
    walk.scribe.settle()


_ALL_IN = r"(?: and is all-in)?"
ROOM = Room(
    name="stars",
    head=HEAD,
    game=game,
    title=title,
    forms=text.forms(
        (r"Table '.*'(?: \d+-max)?(?: Zoom)?(?: \(Play Money\))?(?: Seat #(\d+) is the button)?", _table),
        (rf"Seat (\d+): (.+) \(({AMOUNT}) in chips(?:, {AMOUNT} bounty)?\)(?: .*)?", text.sit),
        (rf"\*\*\* ({'|'.join(_STREETS)}) \*\*\*(?: +(?:{CARDS} )?{CARDS})?", _street),
        (rf"Dealt to .+ {CARDS}", text.dealt),
        (rf"Uncalled bet \(({AMOUNT})\) returned to (.+)", text.uncalled),
        (r"\*\*\* SHOW ?DOWN \*\*\*", _showdown),
        (r"\*\*\* SUMMARY \*\*\*", text.summary),
        (rf"Total pot ({AMOUNT})(?: (?:Main|Side) pot.*)? \| Rake ({AMOUNT})", text.total),
        (r"Hand cancelled", text.cancelled),
        (rf'{HOUSE} said, "house rules:(.*)"', _house),
    ),
    verbs=text.verbs(
        (rf": folds(?: {CARDS}| \(disconnect(?:ed)?\))?", text.say("fold")),
        (r": checks", text.say("check")),
        (rf": calls ({AMOUNT}){_ALL_IN}", text.put("call")),
        (rf": bets ({AMOUNT}){_ALL_IN}", text.put("bet")),
        (rf": raises ({AMOUNT}) to ({AMOUNT}){_ALL_IN}", text.raises),
        (rf": posts the ante ({AMOUNT}){_ALL_IN}", text.forced("ante")),
        (rf": posts small blind ({AMOUNT}){_ALL_IN}", text.blind("sb", "dead")),
        (rf": posts big blind ({AMOUNT}){_ALL_IN}", text.blind("bb", "post")),
        (rf": posts small & big blinds ({AMOUNT}){_ALL_IN}", _both_blinds),
        (rf": posts straddle ({AMOUNT}){_ALL_IN}", text.forced("straddle")),
        (rf": brings[- ]in(?: low)? for ({AMOUNT}){_ALL_IN}", text.forced("bring_in")),
        (rf": shows {CARDS}(?: \(.*\))?", text.shows),
        (r": mucks hand", text.say("muck")),
        (rf" collected ({AMOUNT}) from (pot|main pot|side pot(?:-\d+)?)", _collects),
    ),
    remarks=re.compile(
        r"Board \[.*\]|\*+ # \d+ \*+|Betting is capped|No low hand qualified"
        r"|Pair on board - a double bet is allowed|.* said, \".*\"|.+: doesn't show hand|.+: sits out"
        r"|.+ (?:has timed out.*|is (?:dis)?connected"
        r"|has returned|is sitting out|leaves the table|joins the table at seat #\d+"
        r"|will be allowed to play after the button|was removed from the table for failing to post"
        r"|finished the tournament.*|wins the .*tournament.*|re-buys and receives .*|takes the add-on and receives .*"
        r"|wins the .* bounty .*|wins .+ for eliminating .+|wins an entry to tournament #\d+.*"
        r"|cashed out the hand for .*)"
    ),
)


def read(file: str, content: str) -> Iterator[Sheet]:
    """The hands of a PokerStars text."""
    return text.sheets((ROOM,), file, content)
