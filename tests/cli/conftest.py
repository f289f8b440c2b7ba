"""The commands against a whole service in this process."""

from collections.abc import Callable, Iterator

import pytest
from click.testing import CliRunner, Result

from services.cli import main
from tests.api.conftest import Service, serve

Croupier = Callable[..., Result]


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    yield from serve(tmp_path_factory.mktemp("service"))


@pytest.fixture
def croupier(service: Service, monkeypatch: pytest.MonkeyPatch) -> Croupier:
    """Runs a command in this installation."""
    assert service.settings.redis_url is not None
    monkeypatch.setenv("CROUPIER_REDIS_URL", service.settings.redis_url)
    monkeypatch.setenv("CROUPIER_DATA_DIR", str(service.settings.data_dir))
    monkeypatch.setenv("CROUPIER_DURABILITY", "dev")
    return lambda *words: CliRunner().invoke(main, list(map(str, words)))


@pytest.fixture(scope="session")
def url(service: Service) -> tuple[str, str]:
    return "--url", f"http://{service.url}"
