"""A table as the tests tell its story: well-formed commits without any poker."""

from dataclasses import dataclass
from typing import Any

from services.batch import Commit
from services.chain import extend

PARTITION = 17


@dataclass
class Story:
    """A table as its owner has it in memory: gives the next commits, well formed."""

    id: str = "017-ann"
    version: int = 0
    head: bytes = b""

    def commit(self, *events: bytes, **more: Any) -> Commit:
        hashes = extend(self.id, self.head, events)
        commit = Commit(self.id, self.version, events, hashes, **more)
        self.version += len(events)
        self.head = hashes[-1] if hashes else self.head
        return commit
