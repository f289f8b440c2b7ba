"""The Lua scripts, and how one is called: by its hash, loaded again whenever the server has forgotten it."""

from hashlib import sha1
from importlib.resources import files
from typing import Any

import redis

from services.store import Client, typed_errors


class Script:
    """One file of this package. The server's cache is volatile: it is empty after a restart or a failover."""

    def __init__(self, name: str) -> None:
        self.text = files(__package__).joinpath(f"{name}.lua").read_text(encoding="utf-8")
        self.sha = sha1(self.text.encode(), usedforsecurity=False).hexdigest()

    def call(self, client: Client, keys: list[str], arguments: list[Any]) -> list[Any]:
        """The script's answer: a word as bytes, and details. Raises what `typed_errors` raises."""
        words = ("EVALSHA", self.sha, len(keys), *keys, *arguments)
        with typed_errors():
            try:
                answer: list[Any] = client.execute_command(*words)
            except redis.exceptions.NoScriptError:
                # It did not run, so running it now is the first time.
                client.script_load(self.text)
                answer = client.execute_command(*words)
        return answer
