"""Nothing that has to be read lies under anything else: fullest tables at every width, which play reaches rarely.

The page's own module draws views that are made up here. Only the pieces of one seat may touch each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Page, ViewportSize

from tests.web.people import OpenTable, Person, covered

WIDTHS = [
    ViewportSize(width=width, height=height)
    for width, height in ((360, 740), (390, 844), (820, 1180), (950, 800), (1280, 720), (1440, 900))
]
NAMES = ("Ada", "Blaise", "Carl", "Daphne", "Emmy", "Felix", "Grace", "Henri", "Ida", "Jules")
WORDS = ("checks", "calls 34", "makes it 1,250", "buys for 4")
BETS = (4, 34, 415, 1250)
FLOP = ["As", "Kd", "7c", "2h", "Td"]
SEVEN = [None, None, "9d", "Ks", "2c", "Jh", None]


class Full(NamedTuple):
    """A table: what each seat holds, and what lies in the middle."""

    game: str
    seats: tuple[int, ...]
    cards: list[str | None]
    middle: dict[str, Any]


FULL = (
    Full("omaha8", (2, 6, 9, 10), [None] * 4, {"board": FLOP}),
    Full("razz", (6, 8), SEVEN[:3], {}),
    Full("stud", (2, 8), SEVEN, {}),
    Full("abyssinia", (3, 7), ["Ks", "8c", "2h", "Td"],
         {"market": {"left": {"card": "8s", "price": 1}, "right": {"card": "5c", "price": 2}}}),
)  # fmt: skip
PAIRS = (
    Full("hasaga", (4, 6, 8), [None] * 2,
         {"board": FLOP[:4], "positions": {"burned": [0, 1]}, "extra_blinds": [2], "blocked": ["turn", "river"]}),
    Full("hasaga", (8,), [None] * 2, {"board": FLOP, "positions": {"burned": [0, 1, 2]}}),
)  # fmt: skip

DRAW = """async ([view, bubbles]) => {
  const { drawFelt } = await import("/web/felt.js");
  const felt = document.querySelector(".felt").cloneNode(true); // the page goes on drawing into its own
  document.querySelector(".felt").replaceWith(felt);
  document.body.classList.toggle("seated", Boolean(view.you));
  felt.querySelector(".seats").replaceChildren();
  for (let twice = 0; twice < 2; twice++) drawFelt(felt, view, { bottom: 0, bubbles, take: () => {} });
}"""


def views(full: Full) -> Iterator[dict[str, Any]]:
    """Everybody has bet; every third seat is free and some have folded; all-in with side pots; the reader plays."""
    for chairs in full.seats:
        yield view(full, chairs)
        yield {**view(full, chairs), "seats": thinned(view(full, chairs)["seats"])}
        yield all_in(view(full, chairs))
        yield {**view(full, chairs), "you": {"seat": 0, "cards": ["As", "Kd"]}}


def view(full: Full, chairs: int) -> dict[str, Any]:
    """As the API tells it, as far as the felt shows it."""
    each = 2 if full in PAIRS else 1
    seats = [
        {"seat": seat, "player": NAMES[seat // each], "chips": 1985 - 70 * seat, "bet": BETS[seat % 4],
         "cards": full.cards, "state": "in", "folded": False, "mucked": False, "leaving": False}
        for seat in range(chairs)
    ]  # fmt: skip
    hand = {"button": 1, "actor": 1, "awaited": [], "over": False, "awards": [], "board": [], "pot": 2630, "pots": [],
            "chosen": [], "declared": None, "positions": {}, "gone": [], "street": "", **full.middle}  # fmt: skip
    return {"seats": seats, "hand": hand, "status": "running"}


def thinned(seats: list[dict[str, Any]]) -> list[dict[str, Any] | None]:
    out = {"bet": 0, "cards": [], "state": "folded", "folded": True}
    return [None if at % 3 == 2 else {**seat, **out} if at % 4 == 3 else seat for at, seat in enumerate(seats)]


def all_in(view: dict[str, Any]) -> dict[str, Any]:
    """Two of them, and so three pots."""
    everybody = list(range(len(view["seats"])))
    for seat in everybody[:2]:
        view["seats"][seat]["state"] = "all_in"
    amounts = ((1146, everybody), (246, everybody[:3]), (62, everybody[:2]))
    view["hand"]["pots"] = [{"amount": amount, "eligible": eligible} for amount, eligible in amounts]
    return view


def drawn(page: Page, view: dict[str, Any]) -> Page:
    """The page with this view on its felt."""
    words = {seat: WORDS[seat % 4] for seat, place in enumerate(view["seats"]) if place and not place["folded"]}
    page.evaluate(DRAW, [view, words])
    return page


@pytest.mark.parametrize("fulls", [FULL, PAIRS], ids=["one seat each", "two seats each"])
def test_nothing_on_the_felt_lies_over_anything_else(
    person: Person, open_table: OpenTable, fulls: tuple[Full, ...]
) -> None:
    page = person.page
    person.visit(open_table(fulls[0].game))
    for size in WIDTHS:
        page.set_viewport_size(size)
        for full in fulls:
            for number, view in enumerate(views(full)):
                assert covered(drawn(page, view)) == [], (size, full.game, number)


def test_what_lies_over_something_is_noticed(person: Person, open_table: OpenTable) -> None:
    """The measure itself: a bet that is put where the pot is."""
    person.visit(open_table("omaha8"))
    assert covered(drawn(person.page, view(FULL[0], 6))) == []
    person.page.evaluate("""() => {
      const bet = document.querySelector("[data-bet='0']");
      bet.style.setProperty("--left", "50%");
      bet.style.setProperty("--top", "50%");
    }""")
    assert covered(person.page) != []
