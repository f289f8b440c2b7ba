"""The Lua scripts, and how one is called: by its hash, loaded again whenever the server has forgotten it."""

from collections.abc import Sequence
from hashlib import sha1
from importlib.resources import files
from typing import Any

import redis

from services.store import Client, ask, is_cluster, typed_errors


class Script:
    """One file of this package. The server's cache is volatile: it is empty after a restart or a failover."""

    def __init__(self, name: str) -> None:
        self.text = files(__package__).joinpath(f"{name}.lua").read_text(encoding="utf-8")
        self.sha = sha1(self.text.encode(), usedforsecurity=False).hexdigest()

    def call_all(self, client: Client, calls: Sequence[tuple[list[str], list[Any]]]) -> list[list[Any]]:
        """One answer for each pair of keys and arguments, of one round trip; on a cluster of one for each."""
        if is_cluster(client):
            return [self.call(client, *words) for words in calls]
        pipeline = client.pipeline(transaction=False)
        for keys, arguments in calls:
            pipeline.execute_command("EVALSHA", self.sha, len(keys), *keys, *arguments)
        with typed_errors():
            answers: list[Any] = pipeline.execute(raise_on_error=False)
        return [self._answer(client, *pair) for pair in zip(calls, answers, strict=True)]

    def _answer(self, client: Client, words: tuple[list[str], list[Any]], answer: Any) -> list[Any]:
        """A call's answer; a script that was not there did not run, and runs now."""
        if isinstance(answer, redis.exceptions.NoScriptError):
            return self.call(client, *words)
        with typed_errors():
            if isinstance(answer, Exception):
                raise answer
        found: list[Any] = answer
        return found

    def call(self, client: Client, keys: list[str], arguments: list[Any]) -> list[Any]:
        """The script's answer: a word as bytes, and details. Raises what `typed_errors` raises."""
        words = ("EVALSHA", self.sha, len(keys), *keys, *arguments)
        with typed_errors():
            try:
                answer: list[Any] = ask(client, *words)
            except redis.exceptions.NoScriptError:
                # It did not run, so running it now is the first time.
                client.script_load(self.text)
                answer = ask(client, *words)
        return answer
