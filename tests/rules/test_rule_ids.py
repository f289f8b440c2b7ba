"""Every rule has a test and a place in the rule pages, and every citation names a rule."""

import re

from tests.rules.citations import IDS, NO_RULE, citations, rule_ids

GAMES_TOLD_HERE = ("COM", "RAZ", "OM8", "ABY", "HLD", "STD", "ST8", "MIX", "HAS", "VOI")


def test_every_rule_id_is_cited() -> None:
    cited = citations()
    rules = [key for key, meaning in rule_ids().items() if not meaning.startswith(NO_RULE)]
    assert [key for key in rules if key.split("-")[0] in GAMES_TOLD_HERE and key not in cited] == []


def test_every_cited_id_exists_and_is_a_rule() -> None:
    known = rule_ids()
    assert [key for key in citations() if known.get(key, NO_RULE).startswith(NO_RULE)] == []


def test_the_pages_say_every_rule() -> None:
    """`OM8-09 to OM8-12` and `STD-01..09` say what is between, too."""
    pages = " ".join(page.read_text(encoding="utf-8") for page in sorted(IDS.parent.glob("*.md")))
    said = set()
    for match in re.finditer(r"\b([A-Z0-9]{3}-C?)(\d\d)(?:(?:\.\.|\s+to\s+\1)(\d\d))?", pages):
        kind, first, last = match.groups()
        said |= {f"{kind}{number:02}" for number in range(int(first), int(last or first) + 1)}
    rules = {key for key, meaning in rule_ids().items() if not meaning.startswith(NO_RULE)}
    assert (rules - said, said - rules) == (set(), set())


def test_what_is_no_rule_is_a_short_list() -> None:
    """Headings, names, advice, remarks, an example without cards, a dialogue box."""
    assert [key for key, meaning in rule_ids().items() if meaning.startswith(NO_RULE)] == [
        *("RAZ-00", "RAZ-01", "RAZ-06", "RAZ-13", "RAZ-30"),
        *("OM8-00", "OM8-06", "OM8-28", "OM8-38", "OM8-51"),
        *("ABY-00", "ABY-39", "ABY-40", "ABY-43", "ABY-44"),
        *("HAS-00", "HAS-39"),
    ]
