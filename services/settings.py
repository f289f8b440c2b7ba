"""Every setting of Croupier in one typed class; each is an environment variable ``CROUPIER_<NAME>``.

The same names in lower case may stand in a TOML file: ``croupier.toml`` in the working directory, or the file
that ``CROUPIER_CONFIG`` names. The environment wins over the file; an unknown name in the file is an error.
"""

import os
import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, field_validator
from pydantic_core import PydanticCustomError
from pydantic_settings import BaseSettings, InitSettingsSource, PydanticBaseSettingsSource, SettingsConfigDict

from services.keys import PARTITIONS_MOST

PREFIX = "CROUPIER_"
DurabilityLevel = Literal["dev", "standard", "strict"]
LogLevel = Literal["debug", "info", "warning", "error"]


class FileBroken(Exception):
    """The file of settings cannot be read. The text tells the place, never the content."""


def no_address(value: Any) -> Any:
    """What should be a path is none, and may hold a password: it is refused before anybody repeats it."""
    if isinstance(value, str) and ("://" in value or "\0" in value):
        raise PydanticCustomError("path", "name a file or folder, not an address")
    return value


Place = Annotated[Path, BeforeValidator(no_address)]


def default_data_dir() -> Path:
    """Where one machine keeps its log, archive and keys: ``$XDG_DATA_HOME/croupier``."""
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "croupier"


class Settings(BaseSettings):
    """What an operator may choose. URLs can hold passwords, so none is ever part of the repr."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, extra="forbid", frozen=True)

    redis_url: str | None = Field(None, repr=False, description="the log's store; none = embedded server")
    queue_url: str | None = Field(None, repr=False, description="plain Redis of the chores; none = redis_url")
    database_url: str | None = Field(None, repr=False, description="archive; none = SQLite in data_dir")
    data_dir: Place = Field(default_factory=default_data_dir, description="embedded server, archive, keys")
    redis_server: Place | None = Field(None, description="binary of the embedded server")
    seal_key_file: Place | None = Field(None, description="seals seeds; workers and auditor only")
    view_key_file: Place | None = Field(None, description="seals private views; workers and API")
    signing_key_file: Place | None = Field(None, description="signs checkpoints; the chores only")
    checkpoint_seconds: int = Field(60, ge=1, le=86_400, description="how often the log's head is signed")
    log_origin: str | None = Field(
        None, pattern=r"^[^\s+]{1,100}$", description="name of the log of hands; none = made of its key"
    )
    durability: DurabilityLevel = "standard"
    corpus: Place | None = Field(None, description="folder of real hand histories for `check`")
    partitions: int = Field(64, ge=1, le=PARTITIONS_MOST, description="units of ownership; fixed for a store's life")
    log_level: LogLevel = "info"
    lease_ms: int = Field(3000, ge=500, le=600_000, description="how long a silent worker keeps its partitions")
    backlog: int = Field(1000, ge=1, le=1_000_000, description="unprocessed commands of a partition before 503")
    rate: int = Field(30, ge=1, le=1_000_000, description="requests/s of a token or address; from this machine 50-fold")
    stall_seconds: int = Field(
        60, ge=1, le=86_400, description="a client that sends or takes nothing for so long is cut off"
    )
    proxies: int = Field(0, ge=0, le=100, description="trusted reverse proxies in front of the API")

    @field_validator("*", mode="before")
    @classmethod
    def is_said(cls, value: Any) -> Any:
        """A variable left empty is a mistake: what it should have named would be made anew, a key for example."""
        if isinstance(value, str) and not value.strip():
            raise PydanticCustomError("empty", "it is empty; leave it out, or give it a value")
        if isinstance(value, bool):
            raise PydanticCustomError("switch", "it is no switch; give it a value")
        return value

    @property
    def archive_url(self) -> str:
        """SQLAlchemy URL of the archive and the accounts."""
        return self.database_url or f"sqlite:///{self.data_dir / 'archive.db'}"

    def key_file(self, purpose: Literal["seal", "view", "signing"]) -> Path:
        """The file that holds the key for this purpose."""
        chosen: Path | None = getattr(self, f"{purpose}_key_file")
        return chosen or self.data_dir / "keys" / f"{purpose}.key"

    @property
    def signer_memory(self) -> Path:
        """The file beside its key where the signer keeps what it signed last."""
        return self.key_file("signing").with_suffix(".last")

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return init_settings, env_settings, InitSettingsSource(settings_cls, read_file())


def read_file() -> dict[str, Any]:
    """What the file of settings says; nothing, if there is none and none is named. Raises FileBroken."""
    named = os.environ.get(f"{PREFIX}CONFIG")
    file = Path("croupier.toml" if named is None else named)
    if named is None and not file.is_file():
        return {}
    try:
        return tomllib.loads(file.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise FileBroken(f"{PREFIX}CONFIG: {file}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise FileBroken(f"the file is no TOML: {file} is not UTF-8 text") from None
    except RecursionError:
        raise FileBroken(f"the file is no TOML: {file} is nested too deeply") from None
    except tomllib.TOMLDecodeError as error:
        raise FileBroken(f"the file is no TOML: {file}: {error}") from None


def unknown_names() -> list[str]:
    """Variables of the environment that look like settings and are none."""
    known = {*(f"{PREFIX}{name}".upper() for name in Settings.model_fields), f"{PREFIX}CONFIG"}
    return sorted(name for name in os.environ if name.upper().startswith(PREFIX) and name.upper() not in known)
