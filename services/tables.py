"""Tables for those who do not own them: open one, send it commands, look at it as a viewer may.

Nothing here decides. A command goes into the inbox and its outcome comes back from the worker; views are the
worker's, the seats' ones opened with the view key.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from engine.commands import OpenTable
from engine.events import MOVES_CARDS
from engine.game import find_game
from engine.view import view_event
from services import seat_view
from services.advice import shown_hands
from services.choices import covered
from services.feed import Feed
from services.inbox import Backlog, Claim, Inbox
from services.keys import new_table_id, partition_of
from services.latest import Latest
from services.outcomes import Outcome, decode_outcome
from services.public_view import joined
from services.reader import Entry, Reader, View
from services.receipts import KeyReused, Superseded, answered
from services.records import opened as opened_record
from services.sealing import ViewKey
from services.store import Client, OutcomeUnknown, now_ms, typed_errors
from services.wire import COMMANDS, EVENTS, Envelope, Receipt, Unreadable, unpack

APPEND_PAUSES_S = (0.05, 0.2)
"""Before an append of unknown outcome is repeated. Repeating is safe: the worker knows a repeated `k`."""
NUMBERING_S = 2.0
"""Whose command we number waits at least so long for its outcome: another of his may have had that number first."""
OPENED_S = 24 * 3600
"""How long a key finds the table it opened."""
CARDS = ("at", "cards", "openings")
"""What tells cards in a private view: positions, names, proofs."""
NOTHING: Mapping[str, Any] = dict.fromkeys(CARDS, ())
LOOK_BACK = 200
"""Events read at a time on the way back to the start of a hand."""


class Viewer(NamedTuple):
    """A seat's session that looks: it began at version `since` of the table."""

    seat: int
    since: int


class Seen(NamedTuple):
    """The table as somebody may see it at `version`; `head` is the chain hash there, `now` the store's time (ms)."""

    version: int
    head: bytes
    view: dict[str, Any]
    now: int


class Shown(NamedTuple):
    """An event as somebody may see it; None: this kind is shown to nobody."""

    version: int
    head: bytes
    event: dict[str, Any] | None


class Page(NamedTuple):
    """Rows of the lobby; `next` continues after them, None at the end."""

    items: list[dict[str, Any]]
    next: str | None


class Tables:
    """`feed` is the process's one reader of results."""

    def __init__(self, client: Client, view_key: ViewKey, partitions: int, backlog: int, feed: Feed) -> None:
        self.reader = Reader(client)
        self._latest = Latest(self.reader, feed)
        self._client = client
        self._inbox = Inbox(client, backlog)
        self._view_key = view_key
        self._partitions = partitions
        self._feed = feed

    # --- commands ----------------------------------------------------------------------------------------------------

    def open(
        self, game: str, options: Mapping[str, Any], actor: str, key: int | None, wait_s: float
    ) -> tuple[str, Outcome | None]:
        """A new table, with its id; with a `key` of the actor's the one that the same key opened before.

        Raises Refused before anything is sent when game or options are wrong.
        """
        known = find_game(game)
        chosen = known.opening(options)
        known.resolve(chosen)
        table = new_table_id(secrets.randbelow(self._partitions), now_ms(self._client))
        if key is not None:
            table = self._opened_before(f"opened:{actor}:{key}", table)
        return table, self.submit(table, actor, 1, OpenTable(game, chosen), wait_s)

    def _opened_before(self, name: str, table: str) -> str:
        with typed_errors():
            if self._client.set(name, table, nx=True, ex=OPENED_S):
                return table
            found: bytes | None = self._client.get(name)
        return found.decode() if found else table

    def submit(
        self, table: str, actor: str, k: int, command: Any, wait_s: float, claim: Claim | None = None
    ) -> Outcome | None:
        """Send the actor's k-th command; its outcome, or None if that is not known after `wait_s` seconds.

        Raises ClaimLost, Backlog, StoreRefused (nothing was sent), TooLong, or OutcomeUnknown: then send the same
        again.
        """
        command = covered(command, self._view_key, table, actor, k)
        envelope = Envelope(table, actor, k, COMMANDS.encode(command))
        if wait_s <= 0:
            self._append(envelope, claim)
            return None
        with self._feed.outcome_of((table, actor, k, envelope.body)) as waiter:
            self._append(envelope, claim)
            told = waiter.wait(wait_s)
        return decode_outcome(told) if told else self._stored(envelope)

    def submit_next(self, table: str, actor: str, command: Any, wait_s: float) -> tuple[int, Outcome | None]:
        """As `submit`, under the actor's next number, which is returned. Raises Backlog if others always had it."""
        give_up = time.monotonic() + max(wait_s, NUMBERING_S)
        while (left := give_up - time.monotonic()) > 0:
            last = self.reader.receipt(table, actor)
            k = last.k + 1 if last else 1
            outcome = self.submit(table, actor, k, command, left)
            if outcome is None or outcome.code not in ("k_reused", "superseded"):
                return k, outcome
        raise Backlog(table)

    def last(self, table: str, actor: str) -> Receipt | None:
        """The actor's last answered command there. Whoever knows it is not shown the table as it was before."""
        found = self.reader.receipt(table, actor)
        self._latest.drop(table)
        return found

    def _append(self, envelope: Envelope, claim: Claim | None) -> None:
        for pause in APPEND_PAUSES_S:
            try:
                self._inbox.append(envelope, claim)
                return
            except OutcomeUnknown:
                time.sleep(pause)
        self._inbox.append(envelope, claim)

    def _stored(self, envelope: Envelope) -> Outcome | None:
        """What the receipt says of a command whose outcome was not heard in time."""
        last = self.last(envelope.table, envelope.actor)
        try:
            result = answered(last, envelope)
        except KeyReused:
            return Outcome("k_reused", {"last": envelope.k}, 0, 0)
        except Superseded:
            return Outcome("superseded", {"last": last.k if last else 0}, 0, 0)
        return decode_outcome(result) if result else None

    # --- looking -----------------------------------------------------------------------------------------------------

    def see(self, table: str, viewer: Viewer | None = None, *, lately: bool = False) -> Seen | None:
        """The table for `viewer` (None: everybody); None if there is no such table.

        `lately`: as this process last saw it, which is not older than what it has heard.
        """
        public = self._latest.view(table) if lately else self._latest.fresh(table)
        if public is None:
            return None
        seen = opened(public, self._feed.now_ms())
        if viewer is not None:
            seen.view["you"] = self.own(table, viewer, seen.view)
        return seen

    def news(self, known: Mapping[str, int]) -> dict[str, tuple[Seen, list[Entry] | None]]:
        """As `Reader.news`, with the views opened."""
        found, now = self._latest.news(known), self._feed.now_ms()
        return {table: (opened(view, now), entries) for table, (view, entries) in found.items()}

    def own(self, table: str, viewer: Viewer, view: Mapping[str, Any]) -> dict[str, Any]:
        """What only that seat's player may see of the hand in `view`, as `engine.view.private_view`.

        Nothing of an earlier hand, nothing from before his session, no card that `view` has not dealt yet.
        """
        own: dict[str, Any] = {"seat": viewer.seat, "hand": None, "at": [], "cards": [], "openings": []}
        sealed = self.reader.seat_view(table, viewer.seat)
        place = view["seats"][viewer.seat]
        if sealed is None or sealed.version <= viewer.since or not place or not view["hand"]:
            return own
        told = seat_view.opened(self._view_key.open(sealed.data, table, viewer.seat, sealed.version))
        if told["hand"] != view["hand"]["number"]:
            return own
        places = view["seats"]
        own |= {"hand": told["hand"], **dealt(told, places)}
        if "also" in told:
            own["also"] = [{"seat": other["seat"], **dealt(other, places)} for other in told["also"]]
            own["looks"] = {name: list(told["looks"][name]) for name in CARDS}
        return own

    def events(self, table: str, after: int, count: int, viewer: Viewer | None = None) -> list[Shown]:
        """Up to `count` events after a version; a viewer's own cards are filled in where he was dealt them.

        Raises LogGap when they have gone to the archive.
        """
        events = [shown(entry) for entry in self._latest.events(table, after, count)]
        if viewer is None or not any(map(gives_cards, events)):
            return events
        seen = self.see(table, viewer)
        assert seen is not None, "events of a table without a view"
        return list(map(Own(seen.view["you"], self.hand_at(table, after)).fill, events))

    def hand_at(self, table: str, version: int) -> int:
        """The number of the hand that had begun last at this version; 0 before the first."""
        while entries := self.reader.latest(table, version, LOOK_BACK):
            for entry in entries:
                event = EVENTS.decode(entry.event)
                if type(event).__name__ == "HandStarted":
                    return int(event.number)
            version = entries[-1].version - 1
        return 0

    def lobby(self, wanted: Mapping[str, Any], cursor: str | None, limit: int) -> Page:
        """Rows of tables, oldest first within their partition, that have all the `wanted` values.

        `free: True` wants an empty seat; closed tables are left out unless `status` asks for them. Continue with
        `next` as the cursor.
        """
        items: list[dict[str, Any]] = []
        start = partition_of(cursor) if cursor else 0
        for partition in range(start, self._partitions):
            for row in self._rows(partition):
                if (cursor and row["table"] <= cursor) or not matches(row, wanted):
                    continue
                if len(items) == limit:
                    return Page(items, items[-1]["table"])
                items.append(row)
        return Page(items, None)

    def records(self, table: str, player: str) -> Iterator[dict[str, Any]]:
        """The player's own records of his session's last hands, newest first (COM-64), as `services.records`."""
        for stored in self.reader.records(table, player):
            seat, number, sealed = unpack(stored)
            yield opened_record(self._view_key.open(sealed, table, seat, number))

    def record(self, table: str, player: str, hand: int) -> dict[str, Any] | None:
        """One of them."""
        return next((record for record in self.records(table, player) if record["number"] == hand), None)

    def frozen(self, table: str) -> bool:
        """Whether a fault has stopped the table."""
        return table in self.reader.parked(partition_of(table))

    def row(self, table: str) -> dict[str, Any] | None:
        """The table's row of the lobby."""
        return next((row for row in self._rows(partition_of(table)) if row["table"] == table), None)

    def _rows(self, partition: int) -> list[dict[str, Any]]:
        """The lobby's rows as the worker wrote them; of a table that has been stopped only the status is another."""
        rows = [row for stored in sorted(self.reader.lobby(partition).items()) if (row := lobby_row(*stored))]
        frozen = self.reader.parked(partition) if rows else {}
        return [row | {"status": "frozen"} if row["table"] in frozen else row for row in rows]


class Own:
    """Fills in the cards of a player's seats while their events go by. `number`: the hand that has begun last."""

    def __init__(self, own: Mapping[str, Any], number: int) -> None:
        also = own.get("also", ())
        self._seats = [own["seat"], *(other["seat"] for other in also)]
        self._hand = own["hand"]
        self._known = {
            at: (card, opening)
            for told in (own, *also, own.get("looks", NOTHING))
            for at, card, opening in zip(*(told[name] for name in CARDS), strict=True)
        }
        self._number = number

    def fill(self, event: Shown) -> Shown:
        """The event itself, or with the cards if it gives them, or a look at them, to the player alone."""
        facts = event.event
        if facts is None:
            return event
        if facts["event"] == "HandStarted":
            self._number = facts["number"]
        mine = {seat: at for seat, at in given(facts).items() if seat in self._seats and self._known.keys() >= {*at}}
        if not mine or self._number != self._hand:
            return event
        told = [{"seat": seat, **self._told(at)} for seat, at in mine.items()]
        return event._replace(event={**facts, **({"own": told} if "seats" in facts else told[0])})

    def _told(self, at: list[int]) -> dict[str, Any]:
        cards, openings = zip(*(self._known[position] for position in at), strict=True)
        return {"at": at, "cards": list(cards), "openings": "".join(openings)}


def opened(stored: View, now: int) -> Seen:
    """The public view."""
    return Seen(stored.version, stored.head, dressed(joined(stored.parts)), now)


def dressed(view: dict[str, Any]) -> dict[str, Any]:
    """With the names of hands turned up at the showdown: they follow from the cards, so nobody stores them."""
    hand = view["hand"]
    return view if hand is None else {**view, "hand": {**hand, "names": shown_hands(view)}}


def gives_cards(event: Shown) -> bool:
    """Whether it gives somebody cards, or a look at them, that nobody else sees."""
    return bool(given(event.event or {}))


def given(facts: Mapping[str, Any]) -> dict[int, list[int]]:
    """Seat → positions of the cards that the event gives its player, or a look at them, and nobody else sees."""
    if facts.get("event") not in MOVES_CARDS:
        return {}
    if "seats" in facts:
        count = len(facts["seats"])
        found = {seat: facts["at"][place::count][: facts["down"]] for place, seat in enumerate(facts["seats"])}
    else:
        found = {facts["seat"]: facts.get("at", []) if not facts.get("cards") else []}
    return {seat: at for seat, at in found.items() if at}


def dealt(own: Mapping[str, Any], places: list[Any]) -> dict[str, Any]:
    """A seat's cards, as many as the public view has dealt."""
    count = len(places[own["seat"]]["cards"]) if places[own["seat"]] else 0
    return {name: list(own[name][:count]) for name in CARDS}


def shown(entry: Entry) -> Shown:
    """The event as everybody may see it."""
    return Shown(entry.version, entry.hash, view_event(EVENTS.decode(entry.event)))


def lobby_row(table: str, stored: bytes) -> dict[str, Any] | None:
    """A row as the worker wrote it; None for what somebody else has put there."""
    try:
        row = unpack(stored)
    except Unreadable:
        return None
    return {"table": table, **row} if isinstance(row, dict) and {"status", "seats", "players"} <= row.keys() else None


def matches(row: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Whether a row of the lobby has the values."""
    if wanted.get("free") and row["players"] >= row["seats"]:
        return False
    if row["status"] == "closed" and "status" not in wanted:
        return False
    return all(row.get(key) == value for key, value in wanted.items() if key != "free")
