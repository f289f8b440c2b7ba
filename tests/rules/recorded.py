"""Recorded courses of tables in `seeds/recorded/`: they must replay to the same events for ever.

    python -m tests.rules.recorded              replay them all (standard library and engine only)
    python -m tests.rules.recorded record       write them anew, after a change of the rules that is meant

A course is JSON: the commands with their times, and the digests of all events that followed. `canonical` is over an
encoding that any Python can make, `stored` over the bytes of the log, which need msgpack. Courses without `words`
were recorded in the earlier ones (docs/decisions/0013-fewer-events.md).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from engine.commands import REGISTRY, ChangeOptions, Close, VoidHand
from engine.deck import sealed_deck
from engine.events import VERSIONS, Event, earlier_words
from engine.game import Game, games
from engine.table import Table, act
from tests.rules.random_play import Player

try:
    from services.wire import pack
except ModuleNotFoundError:  # msgpack is missing on this Python
    pack = None  # type: ignore[assignment]

FOLDER = Path(__file__).parent.parent.parent / "seeds" / "recorded"
NUMBERS = (67, 94, 187, 218, 277)
SEEDED = (301,)  # tables whose players cut the deck
WORDS = 2  # what events are told in now
HANDS = 8  # per course, if there are still two players


def plain(value: object) -> object:
    """Bytes as hex; everything else JSON can say itself."""
    return {"hex": value.hex()} if isinstance(value, bytes) else value


def whole(value: object) -> object:
    """The inverse of `plain`, on what JSON has read."""
    return bytes.fromhex(value["hex"]) if isinstance(value, dict) and "hex" in value else value


def words(fact: Event) -> Iterable[tuple[Any, ...]]:
    """One event as the array that is stored: version, name, fields."""
    return [(VERSIONS[type(fact).__name__], type(fact).__name__, *fact)]  # type: ignore[misc]


def canonical(stored: tuple[Any, ...]) -> bytes:
    """One event as JSON without blanks, keys in order."""
    return json.dumps(stored[1:], default=plain, sort_keys=True, separators=(",", ":")).encode()


def digests(stored: Iterable[tuple[Any, ...]]) -> dict[str, str]:
    """Each event preceded by its length, so that no two courses have the same bytes."""
    stored = list(stored)
    kinds = {"canonical": canonical, **({"stored": pack} if pack else {})}
    found = {}
    for name, encode in kinds.items():
        total = sha256()
        for each in stored:
            data = encode(each)
            total.update(len(data).to_bytes(4) + data)
        found[name] = total.hexdigest()
    return found


def course(player: Player) -> dict[str, Any]:
    """What is written down of a table that has been played."""
    commands = [
        [step.now, type(step.command).__name__, [plain(value) for value in step.command]] for step in player.steps
    ]
    stored = [each for step in player.steps for fact in step.facts for each in words(fact)]
    return {"table": player.table.id, "words": WORDS, "commands": commands, "events": len(stored),
            "digests": digests(stored)}  # fmt: skip


def commands_of(recorded: dict[str, Any]) -> Iterator[tuple[int, Any]]:
    """The commands of a recorded course, each with its time."""
    for at, name, values in recorded["commands"]:
        yield at, REGISTRY[name](*map(whole, values))


def replayed(text: str) -> tuple[dict[str, Any], list[tuple[Any, ...]]]:
    """A recorded course and the events it gives now, in the words it was recorded in."""
    recorded = json.loads(text)
    table = Table(recorded["table"])
    tell = words if recorded.get("words") == WORDS else earlier_words
    stored: list[tuple[Any, ...]] = []
    for at, command in commands_of(recorded):
        stored += [each for fact in act(table, command, at, sealed_deck) for each in tell(fact)]
    return recorded, stored


def played(game: Game, number: int) -> Player:
    """A table played at random; at its end the options change, a hand is voided and the table closed."""
    player = Player(game, number, sealed_deck, seeded=number in SEEDED)
    for _ in range(HANDS):
        player.hand()
    player.try_to(ChangeOptions("host", {"hand_gap_seconds": 5}))
    if player.start():
        player.try_to(VoidHand("host", "recorded"))
    player.send(Close("host", "closing time"))
    return player


def record() -> None:
    """Some tables of each game, from numbers whose courses together have nearly every kind of event; beside those in
    earlier words, which stay as they are.
    """
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, game in games().items():
        for number in (*NUMBERS, *SEEDED):
            text = json.dumps(course(played(game, number))) + "\n"
            (FOLDER / f"{name}-{number}-words{WORDS}.json").write_text(text, encoding="utf-8")


def differences() -> list[str]:
    """Courses that no longer give the events they gave."""
    found = []
    for path in sorted(FOLDER.glob("*.json")):
        recorded, stored = replayed(path.read_text(encoding="utf-8"))
        now = digests(stored)
        if recorded["events"] != len(stored) or any(recorded["digests"][kind] != now[kind] for kind in now):
            found.append(path.name)
    return found


def main(arguments: list[str]) -> int:
    if arguments == ["record"]:
        record()
    different = differences()
    version = ".".join(map(str, sys.version_info[:3]))
    kinds = "canonical and stored bytes" if pack else "canonical bytes only, no msgpack"
    print(f"Python {version}, {kinds}: {len(list(FOLDER.glob('*.json')))} courses, different: {different or 'none'}")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
