"""Every setting of Croupier in one typed class; each is an environment variable ``CROUPIER_<NAME>``.

The same names in lower case may stand in a TOML file: ``croupier.toml`` in the working directory, or the file
that ``CROUPIER_CONFIG`` names. The environment wins over the file; an unknown name in the file is an error.
"""

import os
from pathlib import Path
from typing import Literal

from pydantic import Field
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

DurabilityLevel = Literal["dev", "standard", "strict"]
LogLevel = Literal["debug", "info", "warning", "error"]


def default_data_dir() -> Path:
    """Where one machine keeps its log, archive and keys: ``$XDG_DATA_HOME/croupier``."""
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "croupier"


class Settings(BaseSettings):
    """What an operator may choose. URLs can hold passwords, so none is ever part of the repr."""

    model_config = SettingsConfigDict(env_prefix="CROUPIER_", extra="forbid", frozen=True)

    redis_url: str | None = Field(None, repr=False, description="the log's store; none = embedded server")
    queue_url: str | None = Field(None, repr=False, description="plain Redis of the chores; none = redis_url")
    database_url: str | None = Field(None, repr=False, description="archive; none = SQLite in data_dir")
    data_dir: Path = Field(default_factory=default_data_dir, description="embedded server, archive, keys")
    redis_server: Path | None = Field(None, description="binary of the embedded server")
    seal_key_file: Path | None = Field(None, description="seals seeds; workers and auditor only")
    view_key_file: Path | None = Field(None, description="seals private views; workers and API")
    signing_key_file: Path | None = Field(None, description="signs checkpoints; the chores only")
    checkpoint_seconds: int = Field(60, ge=1, description="the head of the log of hands is signed this often")
    log_origin: str | None = Field(
        None, pattern=r"^[^\s+]{1,100}$", description="name of the log of hands; none = made of its key"
    )
    durability: DurabilityLevel = "standard"
    corpus: Path | None = Field(None, description="folder of real hand histories for `check`")
    partitions: int = Field(64, ge=1, le=999, description="units of ownership; fixed for a store's life")
    log_level: LogLevel = "info"
    lease_ms: int = Field(3000, ge=500, description="how long a silent worker keeps its partitions")
    backlog: int = Field(1000, ge=1, description="unprocessed commands of a partition before 503")
    rate: int = Field(30, ge=1, description="requests/s of a token or address; from this machine 50-fold")
    stall_seconds: int = Field(60, ge=1, description="a client that sends or takes nothing for so long is cut off")
    proxies: int = Field(0, ge=0, description="trusted reverse proxies in front of the API")

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
        file = os.environ.get("CROUPIER_CONFIG", "croupier.toml")
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls, Path(file))
