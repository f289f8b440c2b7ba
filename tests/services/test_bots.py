"""What a bot does when nobody knows whether it sits."""

from __future__ import annotations

from typing import Any

from services.bots import TableBots
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
