"""The service, a real browser, and people who sit at the tables: one by the page, the others by HTTP."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Browser, BrowserContext, expect, sync_playwright

from tests.api.conftest import Service, serve
from tests.api.story import Story
from tests.web.people import DESKTOP, OpenTable, Person

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE_MS = 20_000  # on a machine that does other things too
MISSING = "NO CHROMIUM: the web client is NOT tested here (apt-get install chromium)"


@pytest.fixture(scope="session")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    yield from serve(tmp_path_factory.mktemp("web"))


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip(MISSING)
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


def opened(browser: Browser, web: Service, **how: Any) -> BrowserContext:
    """A browser with cookies of its own."""
    plain = {"locale": "en-GB", "viewport": DESKTOP, "base_url": f"http://{web.url}", "reduced_motion": "reduce"}
    return browser.new_context(**{**plain, **how})


@pytest.fixture
def contexts(browser: Browser, web: Service) -> Iterator[Any]:
    """Makes browser windows with cookies of their own; they are closed after the test."""
    made: list[BrowserContext] = []

    def make(**how: Any) -> BrowserContext:
        made.append(opened(browser, web, **how))
        return made[-1]

    yield make
    for context in made:
        context.close()


@pytest.fixture
def person(contexts: Any) -> Iterator[Person]:
    """Somebody at a browser window, who must not see an error on its console."""
    person = Person(contexts().new_page())
    yield person
    assert person.complaints == []


@pytest.fixture
def http(web: Service) -> FlaskClient:
    return web.app.test_client(use_cookies=False)


@pytest.fixture
def open_table(web: Service, http: FlaskClient) -> OpenTable:
    """`open_table(game, **options)`: a new table; the next hand starts at once unless it says otherwise."""
    return lambda game, **options: Story.opened(http, web.host_token, game, **options)


@pytest.fixture
def razz(open_table: OpenTable) -> Story:
    return open_table("razz", name="Razz by the river")


@pytest.fixture
def omaha(open_table: OpenTable) -> Story:
    return open_table("omaha8", **{"name": "Pot by pot", "omaha.structure": "pot_limit"})
