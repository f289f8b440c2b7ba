"""What a bot does when nobody knows whether it sits, and when there is less time than it likes to take."""

from __future__ import annotations

from typing import Any

from services.bots import Bot, TableBots, rest_s
from services.client import Answer, Client

ANSWERS = [
    Answer(503, {"code": "outcome_unknown", "token": "cr_first", "last": 0}),
    Answer(200, {"last": 0, "status": "accepted"}),
]


class Doubtful(Client):
    """Answers as a service whose store fell silent for a moment."""

    def __init__(self) -> None:
        super().__init__("http://nowhere.invalid", "cr_somebody_else")
        self.asked_as: list[str] = []

    def put(self, path: str, body: dict[str, Any]) -> Answer:
        self.asked_as.append(self.token)
        return ANSWERS[len(self.asked_as) - 1]


def test_a_bot_that_may_have_been_seated_asks_again_as_itself() -> None:
    crew = TableBots("http://nowhere.invalid", "000-T", ["Ada"], 1000)
    crew.client = client = Doubtful()
    crew.sit(2, "Ada")
    assert client.asked_as == ["", "cr_first"]
    assert (crew.bots[2].player, crew.bots[2].token) == ("Ada", "cr_first")


def test_a_bot_thinks_no_longer_than_half_of_the_time_there_is() -> None:
    """COM-71: two seconds a decision and no bank; it is not dealt out for having thought for a minute."""
    crew = TableBots("http://nowhere.invalid", "000-T", ["Ada"], 1000, think_s=60)
    hand = {"deadline": 12_000, "awaited": [], "legal": {}}
    crew.rest_s = rest_s({"now": 10_000, "view": {"hand": hand}})
    waited: list[float] = []
    crew.stop.wait = waited.append  # type: ignore[method-assign, assignment]
    crew.decide({"hand": hand}, Bot(2, "Ada", "cr_first", 0), 2)
    assert waited == [1.0]
    assert rest_s({"now": 10_000, "view": {"hand": None}}) == 0
