"""A person at the page: looks at it and clicks, as people do."""

from __future__ import annotations

from collections.abc import Callable

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import ConsoleMessage, Locator, Page, ViewportSize, expect

from tests.api.story import Player, Story

OpenTable = Callable[..., Story]
PASSIVE = ("check", "call", "bring_in", "muck")
DESKTOP = ViewportSize(width=1280, height=800)
PHONE = ViewportSize(width=390, height=844)


class Person:
    """`complaints`: errors and warnings on the console of the window."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.complaints: list[str] = []
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def _hear(self, message: ConsoleMessage) -> None:
        too_late = str(message.location.get("url", "")).endswith(("/pledge", "/seed"))  # may be: the hand goes on
        if message.type in ("error", "warning") and not too_late:
            self.complaints.append(f"{message.text} {message.location}")

    def visit(self, story: Story) -> None:
        self.page.goto(f"/tables/{story.table}")
        expect(self.seat(0)).to_be_visible()

    def sit(self, story: Story, seat: int, name: str, chips: int = 400) -> None:
        self.visit(story)
        self.seat(seat).get_by_role("button").click()
        self.page.get_by_label("Name").fill(name)
        self.page.get_by_label("Buy-in").fill(str(chips))
        self.page.get_by_role("button", name="Sit down").click()
        expect(self.seat(seat)).to_contain_text(name)
        expect(self.page.get_by_role("button", name="Leave")).to_be_visible()

    def seat(self, seat: int) -> Locator:
        return self.page.locator(f"[data-seat='{seat}']")

    def button(self, verb: str) -> Locator:
        return self.page.locator(f"#bar .act.{verb}")

    def own_cards(self) -> list[str]:
        """As they are read out."""
        return [str(card.get_attribute("aria-label")) for card in self.page.locator("#own .card").all()]

    def awaits_turn(self) -> None:
        expect(self.page.locator("#status")).to_contain_text("Your turn")
        expect(self.page.locator("#bar .act").first).to_be_enabled()

    def plays_on(self) -> None:
        """Whatever costs least without giving up."""
        self.awaits_turn()
        offered = self.page.locator(", ".join(f"#bar .act.{verb}" for verb in PASSIVE))
        offered.first.click()
        expect(self.page.locator("#bar")).not_to_have_class("bar locked")


COVERED = """() => {
  const felt = document.querySelector(".felt");
  const what = `.pot, .chip, .plate, .word:not(:empty), .middle .card, .price, .burned > span, .dealer, .clock,
    .seat .cards, .mark, .vacant`;
  const pieces = [...felt.querySelectorAll(what)].flatMap((piece) => {
    const box = piece.getBoundingClientRect();
    return box.width ? [{ piece, box, of: piece.closest(".seat, .spot, .board, .ware") ?? piece }] : [];
  });
  const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;
  const name = ({ piece }) => piece.className.baseVal ?? `${piece.className} ${piece.textContent}`;
  const found = [];
  pieces.forEach((one, at) => pieces.slice(at + 1).forEach((other) => {
    if (one.of !== other.of && meet(one.box, other.box)) found.push(`${name(one)} / ${name(other)}`);
  }));
  const edge = felt.getBoundingClientRect();
  for (const { piece, box } of pieces) {
    if (box.left < 0 || box.right > innerWidth || box.top < edge.top - 4 || box.bottom > edge.bottom + 4) {
      found.push(`outside: ${name({ piece })}`);
    }
  }
  return found;
}"""


def covered(page: Page) -> list[str]:
    """What on the felt lies over what, by its class and text; the pieces of one seat may touch each other."""
    return list(page.evaluate(COVERED))


def fits(page: Page, size: ViewportSize) -> None:
    """In such a window nothing scrolls sideways, all on the felt can be read, the controls of the turn are in sight."""
    page.set_viewport_size(size)
    page.evaluate("() => new Promise(requestAnimationFrame)")  # drawn anew by then
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    expect(page.locator("#bar")).to_be_in_viewport(ratio=1)
    assert covered(page) == []


def clear_of_the_bar(what: Locator) -> bool:
    """Nothing of it lies beneath the controls of the turn, at the top of the page."""
    what.page.evaluate("scrollTo(0, 0)")
    found, bar = what.bounding_box(), what.page.locator(".hero").bounding_box()
    assert found is not None and bar is not None, "not on the page"
    return found["y"] + found["height"] <= bar["y"]


def faults(page: Page) -> list[str]:
    """What axe-core finds wrong; the window must not heed the content policy."""
    found = Axe().run(page).response["violations"]
    return [f"{one['id']}: {[node['html'][:120] for node in one['nodes']]}" for one in found]


def answers(player: Player, seat: int | None = None) -> bool:
    """By HTTP: the player does what costs least without giving up, or the first thing offered, if it is his turn."""
    actions = player.actions(seat)
    if not actions["on_turn"]:
        return False
    verb = next((verb for verb in PASSIVE if verb in actions["legal"]), None) or next(iter(actions["choices"]))
    chosen = {} if verb in PASSIVE else actions["choices"][verb][0]
    response = player.send({"verb": verb, "turn": actions["turn"], "seat": actions["seat"], **chosen})
    assert response.status_code == 200, response.text
    return True


def play_out(person: Person, seat: int, story: Story) -> None:
    """The running hand to its end: the person by the page, everybody else by HTTP."""
    number = story.dealt()["number"]
    while True:
        view = story.view()
        hand = view["hand"]
        if view["number"] != number or hand["over"]:
            return
        if hand["actor"] == seat:
            person.plays_on()
            story.until(lambda now, turn=view["turn"]: now["turn"] != turn or now["hand"]["over"])
        elif hand["actor"] is not None:
            answers(story.players[hand["actor"]])
