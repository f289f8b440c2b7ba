"""Who may do what: opaque tokens. The store keeps only their SHA-256, so a copy of it lets nobody in.

A host's token opens tables and runs them. An auditor's reads what is hidden, and is logged; an operator's reads
`/ops`. A seat's token plays one seat for one session, from sitting down to leaving: `held` says whose session a seat
belongs to now, so an old token never shows the next player's cards.
"""

import os
import re
import secrets
import unicodedata
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from services.inbox import Claim
from services.keys import table_keys
from services.store import Client, typed_errors
from services.wire import pack, unpack

HOST = "host"
SEAT = "seat"
AUDITOR = "auditor"
OPERATOR = "operator"
TOKEN = re.compile(r"cr_[A-Za-z0-9_-]{43}")
SEAT_TOKEN_S = 30 * 24 * 3600
"""A session that lasts longer has to sit down anew."""
CACHED_MOST = 20_000
NAME_MOST = 30


class Credential(NamedTuple):
    """What a token stands for. `actor` numbers commands; the rest is a seat's."""

    kind: str
    actor: str
    table: str = ""
    seat: int = -1
    player: str = ""


class Holder(NamedTuple):
    """The session a seat belongs to: `since` is the version of the table at which it began."""

    since: int
    actor: str


class BadName(ValueError):
    """Not a name that everybody can read and nobody can mistake."""


class Accounts:
    """Issues and finds credentials. Records never change, so they are remembered."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._known: dict[str, Credential] = {}
        self._held: dict[tuple[str, int], Holder] = {}

    def issue(self, credential: Credential, token: str | None = None, seconds: int | None = None) -> str:
        """Keep the credential under a fresh token (or the given one), which is returned. `seconds`: how long."""
        token = token or new_token()
        expires = SEAT_TOKEN_S if credential.kind == SEAT else seconds
        with typed_errors():
            self._client.set(token_key(token), pack((1, *credential)), ex=expires)
        return token

    def withdraw(self, token: str) -> None:
        """It stands for nobody any longer: what it was for has been refused."""
        with typed_errors():
            self._client.expire(token_key(token), 0)

    def find(self, token: str) -> Credential | None:
        """What the token stands for; None: nobody issued it, or it has expired."""
        if not TOKEN.fullmatch(token):
            return None
        key = token_key(token)
        known = self._known.get(key)
        if known is None:
            with typed_errors():
                stored = self._client.get(key)
            if stored is None:
                return None
            known = Credential(*unpack(stored)[1:])
            if known.kind not in (HOST, SEAT):
                return known  # it may end any moment
            if len(self._known) >= CACHED_MOST:
                self._known.clear()
            self._known[key] = known
        return known

    def holder(self, table: str, seat: int) -> Holder | None:
        """Whose seat it is; None if nobody sat down there yet (or his session ended and was cleared)."""
        with typed_errors():
            stored = self._client.hget(held_key(table), str(seat))
        if stored is None:
            self._held.pop((table, seat), None)
            return None
        if len(self._held) >= CACHED_MOST:
            self._held.clear()
        holder = self._held[table, seat] = Holder(*unpack(stored))
        return holder

    def known_holder(self, table: str, seat: int) -> Holder | None:
        """As `holder`, but whoever held it when it was last looked up: good for what goes with a `claim`."""
        return self._held.get((table, seat)) or self.holder(table, seat)

    def claim(self, table: str, seat: int, holder: Holder) -> Claim:
        """That the seat belongs to this session still."""
        return Claim(held_key(table), str(seat), pack(tuple(holder)))

    def hold(self, table: str, seat: int, holder: Holder) -> None:
        """The seat belongs to this session, unless to a later one already."""
        current = self.holder(table, seat)
        if current is None or current.since < holder.since:
            with typed_errors():
                self._client.hset(held_key(table), str(seat), pack(tuple(holder)))

    def clear(self, table: str, seat: int) -> None:
        """Nobody sits there: the last session is over."""
        with typed_errors():
            self._client.hdel(held_key(table), str(seat))


def token_key(token: str) -> str:
    return f"token:{sha256(token.encode()).hexdigest()}"


def held_key(table: str) -> str:
    """HASH seat → its `Holder`."""
    return f"{table_keys(table).start}:held"


def new_token() -> str:
    return f"cr_{secrets.token_urlsafe(32)}"


def new_actor() -> str:
    """A name for whoever sends commands: no dash, for command ids are `<actor>-<k>`."""
    return f"a{secrets.token_hex(8)}"


def aside(actor: str) -> str:
    """Who sends what an actor asked for without a number of his own: his own numbers stay his."""
    return f"{actor}x"


def ensure_host_token(client: Client, data_dir: Path) -> str:
    """The host's token of this installation, made on the first start and kept in `host.token` (mode 0600).

    A store that has been replaced learns it again.
    """
    path = data_dir / "host.token"
    if not path.exists():
        write_private(path, new_token())
    token = path.read_text(encoding="ascii").strip()
    accounts = Accounts(client)
    if accounts.find(token) is None:
        accounts.issue(Credential(HOST, HOST), token)
    return token


def write_private(path: Path, text: str) -> None:
    """A new file that nobody else may read. The first of several writers wins."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(descriptor, "w", encoding="ascii") as file:
        file.write(text + "\n")
    try:
        os.link(draft, path)
    except FileExistsError:
        return
    finally:
        draft.unlink()


def player_name(text: str) -> str:
    """The name as it is used: composed (NFC), 1–30 printable characters, no blanks at its ends. Raises BadName."""
    name = unicodedata.normalize("NFC", text)
    if not 1 <= len(name) <= NAME_MOST or not name.isprintable() or name != name.strip():
        raise BadName
    return name
