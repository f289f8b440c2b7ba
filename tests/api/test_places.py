"""How many clients a process keeps waiting for news (P155)."""

from __future__ import annotations

from typing import Any

from api.limits import Places
from tests.api.conftest import Service
from tests.api.story import Story


def test_one_client_of_another_machine_takes_a_quarter_of_the_places(service: Service, story: Story) -> None:
    """Streams take them, and give them back however they end; who asks for the head alone takes none."""
    house = service.app.extensions["croupier"]
    before, places = house.places, Places(8)
    object.__setattr__(house, "places", places)
    client, path = service.app.test_client(), f"{story.path}/stream"

    def watch(address: str, method: str = "GET") -> Any:
        return client.open(path, method=method, environ_overrides={"REMOTE_ADDR": address}, buffered=False)

    try:
        far = [watch("192.0.2.1") for _ in range(3)]
        assert [stream.status_code for stream in far] == [200, 200, 503]
        assert far[2].get_json()["code"] == "crowded"
        assert watch("192.0.2.1", "HEAD").status_code == 200
        far[0].close()
        far[0] = watch("192.0.2.1")
        near = [watch("127.0.0.1") for _ in range(7)]
        assert [stream.status_code for stream in (far[0], *near)] == [200] * 7 + [503]
        for stream in (*far, *near):
            stream.close()
        assert places._taken == 0 and not places._each
    finally:
        object.__setattr__(house, "places", before)
