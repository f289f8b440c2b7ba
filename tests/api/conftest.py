"""A whole service in one process: an embedded server, a worker that folds, the API.

Worker and API come to the store as the users of `deploy/users.acl`, so what these may do is enough for every test here.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.serving import make_server

from api.app import create_app
from api.house import House
from services.accounts import ensure_host_token
from services.server import start_server
from services.settings import Settings
from services.store import connect
from tests.api.story import Player, Story
from tests.deploy.files import admit
from workers.setup import make_worker

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment


@dataclass
class Service:
    app: Flask
    url: str
    host_token: str
    settings: Settings

    @property
    def house(self) -> House:
        house = self.app.extensions["croupier"]
        assert isinstance(house, House)
        return house


class Whole:
    """The application; what it answers with a file is read before any of it is sent.

    werkzeug's server leaves a file open when the browser hangs up in the middle of it.
    """

    def __init__(self, app: Flask) -> None:
        self.app = app

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        answer = self.app(environ, start_response)
        if not environ["PATH_INFO"].startswith(("/web/", "/favicon")):
            return answer
        with closing(answer):
            return [b"".join(answer)]


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("service")
    yield from serve(folder)


def serve(folder: Path) -> Iterator[Service]:
    with start_server(Settings(data_dir=folder, durability="dev", partitions=4)) as server:
        settings = Settings(
            data_dir=folder, durability="dev", partitions=4, redis_url=server.url, rate=1000, log_level="error"
        )
        as_user = admit(server.url)
        worker = make_worker(settings.model_copy(update={"redis_url": as_user("worker")}))
        folding = threading.Thread(target=worker.run, daemon=True)
        folding.start()
        app = create_app(settings.model_copy(update={"redis_url": as_user("api")}))
        web = make_server("127.0.0.1", 0, Whole(app), threaded=True)
        web.daemon_threads = True
        serving = threading.Thread(target=web.serve_forever, daemon=True)
        serving.start()
        token = ensure_host_token(connect(server.url), folder)
        yield Service(app, f"127.0.0.1:{web.server_port}", token, settings)
        web.shutdown()
        web.server_close()
        app.extensions["croupier"].feed.stop()
        app.extensions["croupier"].archive.close()
        worker.stop()
        folding.join(timeout=10)


@pytest.fixture
def client(service: Service) -> FlaskClient:
    return service.app.test_client(use_cookies=False)


@pytest.fixture
def story(service: Service, client: FlaskClient) -> Story:
    """A fresh heads-up razz table that deals at once."""
    return Story.opened(client, service.host_token)


@pytest.fixture
def ann(story: Story) -> Player:
    return story.sit(0, "Ann")


@pytest.fixture
def bob(story: Story, ann: Player) -> Player:
    return story.sit(1, "Bob")
