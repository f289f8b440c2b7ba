"""The languages of the pages: catalogues of texts, and which one a reader gets."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

from flask import Request

LOCALES = Path(__file__).parent / "web" / "locales"
LANGUAGES = ("en", "fr", "es")
COOKIE = "lang"


@cache
def catalogue(language: str) -> dict[str, str]:
    """Key → text of one of LANGUAGES; texts hold `{names}` to fill in."""
    texts: dict[str, str] = json.loads((LOCALES / f"{language}.json").read_text("utf-8"))
    return texts


def choose(request: Request) -> str:
    """`?lang=`, else the cookie, else what the browser accepts, else English."""
    for wish in (request.args.get("lang"), request.cookies.get(COOKIE)):
        if wish in LANGUAGES:
            return str(wish)
    return request.accept_languages.best_match(LANGUAGES) or LANGUAGES[0]


class Texts:
    """What a template says: `texts("lobby.seated", players=3, seats=6)`. An unknown key shows itself."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.texts = catalogue(language)

    def __call__(self, key: str, **values: object) -> str:
        return re.sub(r"\{(\w+)\}", lambda found: self.written(values.get(found[1], "")), self.texts.get(key, key))

    def name(self, kind: str, word: str) -> str:
        """What a game, a structure, … is called here; a new one keeps its own word until it is translated."""
        return self.texts.get(f"{kind}.{word}", word)

    def written(self, value: object) -> str:
        """Whole numbers with the language's thousands separator: a narrow space in French, a point in Spanish."""
        if not isinstance(value, int):
            return str(value)
        separator = {"en": ",", "fr": "\u202f", "es": "."}[self.language]
        return f"{value:,}".replace(",", separator)
