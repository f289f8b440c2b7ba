"""What keeps a process from starting, told in one line to whoever starts it: no traceback, and never a secret value."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from pydantic import ValidationError
from redis import RedisError
from sqlalchemy.exc import SQLAlchemyError

from services.archive import Archive, ArchiveUnfit
from services.sealing import EntropyRefused, KeyFileRefused, ViewKey
from services.settings import FileBroken, Settings
from services.store import OutcomeUnknown, StoreError, connect


class Unusable(Exception):
    """Something that a process needs is not there; the text is for the operator."""


TROUBLE = (
    Unusable, ValidationError, FileBroken, KeyFileRefused, EntropyRefused, StoreError, RedisError, ArchiveUnfit,
    SQLAlchemyError, OSError,
)  # fmt: skip


def explain(error: Exception) -> str:
    """One line about one of TROUBLE. Of other people's errors only the kind: their text might hold a password."""
    match error:
        case ValidationError():
            wrong = error.errors(include_input=False, include_url=False, include_context=False)
            return "settings: " + "; ".join(f"{one['loc'][0]}: {one['msg']}" for one in wrong)
        case FileBroken():
            return f"settings: {error}"
        case OutcomeUnknown() | RedisError():
            return f"the store does not answer ({type(error).__name__})"
        case SQLAlchemyError():
            return f"the archive does not open ({type(error).__name__})"
        case OSError(filename=str() | bytes() | os.PathLike() as name):
            return f"{os.fsdecode(name)}: {error.strerror}"
        case OSError():
            return error.strerror or type(error).__name__
    return str(error)


@contextmanager
def explained(name: str) -> Iterator[None]:
    """Trouble within this block ends the process with status 1 and one line that begins with `name`."""
    try:
        yield
    except BrokenPipeError:
        raise  # nobody reads any more: whoever prints knows what to do
    except TROUBLE as error:
        if isinstance(error, ValidationError) and error.title != Settings.__name__:
            raise
        print(f"{name}: {explain(error)}", file=sys.stderr)
        raise SystemExit(1) from None


def require_store(settings: Settings) -> str:
    """The URL of the store that the settings name. Raises Unusable."""
    if settings.redis_url is None:
        raise Unusable("CROUPIER_REDIS_URL names no store; `croupier up` brings its own")
    return settings.redis_url


def require_parts(settings: Settings) -> None:
    """What a process that answers requests is made of, looked at before it has children. Raises one of TROUBLE."""
    connect(require_store(settings)).close()
    ViewKey.load(settings.data_dir / "keys", settings.view_key_file)
    Archive(settings.archive_url).close()


def require_address(host: str, port: int) -> None:
    """Nobody else serves there, and we may. Raises Unusable."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        if not host.encode("idna").strip():
            raise UnicodeError
        socket.create_server((host, port), family=family).close()
    except (OSError, UnicodeError) as error:
        number = getattr(error, "errno", None) or 0
        why = os.strerror(number) if number > 0 else "no such address"
        raise Unusable(f"{host}:{port} cannot be served on ({why}); choose another --port or --host") from None
