"""What goes wrong on a page is told to people in their language, and to programs as everywhere."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from api.languages import LANGUAGES, catalogue

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/tables/017-nosuch", 404, "not_found"),
        ("/tables/017-nosuch/hands/7", 404, "not_found"),
        ("/no/such/page", 404, "not_found"),
        ("/web/no.js", 404, "not_found"),
        ("/?game=no+such+game", 422, "malformed"),
    ],
)
def test_a_page_that_is_none_says_so(client: FlaskClient, language: str, path: str, status: int, code: str) -> None:
    page = client.get(path, headers={"Accept": BROWSER, "Accept-Language": language})
    assert (page.status_code, page.mimetype) == (status, "text/html")
    assert f"<h1>{catalogue(language)[f'problem.{code}']}</h1>" in page.text and 'href="/"' in page.text
    assert "frame-ancestors 'none'" in page.headers["Content-Security-Policy"]
    for accepted in ("*/*", "application/json"):
        told = client.get(path, headers={"Accept": accepted})
        assert (told.status_code, told.content_type) == (status, "application/problem+json")
        assert told.get_json()["code"] == code


def test_the_api_is_for_programs(client: FlaskClient) -> None:
    for path in ("/api/v1/no/such", "/api/v1/tables/017-nosuch"):
        assert client.get(path, headers={"Accept": BROWSER}).content_type == "application/problem+json"


def test_the_same_page_in_another_language_keeps_what_was_asked(client: FlaskClient) -> None:
    page = client.get("/?game=razz&lang=en", headers={"Accept": BROWSER}).text
    assert 'href="?game=razz&amp;lang=fr"' in page
    assert 'href="?lang=es"' in client.get("/no/such/page", headers={"Accept": BROWSER}).text
