"""What keeps the cards secret outside the engine: entropy for deals, and sealed seeds and private views.

A sealed value is  0x01 (format) ‖ key id (4) ‖ nonce (12) ‖ ChaCha20-Poly1305 ciphertext and tag.
It opens only with the same key and at the place it was sealed for: a seed for its table and hand
number, a view for its table, seat and version, a choice for its table, actor and command number.
Workers hold both keys, the API the view key only; the key that signs checkpoints is with the chores
alone, so that who deals cannot vouch for what he dealt.
Nothing here shows a key, a seed or a plaintext in a repr or an error.
"""

import os
import stat
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from pathlib import Path
from tempfile import mkstemp
from typing import ClassVar, NoReturn, Self

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from engine.deck import hand_id
from engine.drbg import SEED_BYTES
from engine.mac import keyed

KEY_BYTES = 32
FORMAT = b"\x01"

_KEY_ID_BYTES = 4
_NONCE_BYTES = 12
_CHOICE_BYTES = 40
_HEADER_BYTES = len(FORMAT) + _KEY_ID_BYTES

_SAMPLE_BYTES = 2500  # 20,000 bits, the sample of FIPS 140-2's start-up tests
_ONES = range(9_576, 10_425)  # 10,000 ± 6 standard deviations: a sound source leaves it once in 5·10^8
_REPEATS_MAX = 4  # SP 800-90B 4.4.1 for 8 bits of entropy a byte and one false alarm in 2^30 bytes


class SealBroken(Exception):
    """A sealed value is damaged, of another key, or belongs to another place."""


class KeyFileRefused(Exception):
    """A key file is missing, unsafe or not a key; the message names the file, never its content."""


class EntropyRefused(Exception):
    """The system's random source failed its check: no hand may be dealt from it."""


def fresh_seed() -> bytes:
    """32 bytes for one deal: the only place a live seed comes from.

    Raises EntropyRefused as long as the system's source fails `check_entropy`, which runs once a process.
    """
    return _checked_source()(SEED_BYTES)


def check_entropy(draw: Callable[[int], bytes] = os.urandom) -> None:
    """Refuse a source that is stuck, repeats itself or prefers a bit.

    It finds a broken source, not a weak one: `draw` is asked for two samples of 2,500 bytes.
    Raises EntropyRefused.
    """
    samples = draw(_SAMPLE_BYTES), draw(_SAMPLE_BYTES)
    if samples[0] == samples[1]:
        raise EntropyRefused("the random source gave the same bytes twice; no hand is dealt")
    for sample in samples:
        if _longest_repeat(sample) > _REPEATS_MAX:
            raise EntropyRefused("the random source is stuck on a value; no hand is dealt")
        if int.from_bytes(sample, "big").bit_count() not in _ONES:
            raise EntropyRefused("the random source prefers one bit value; no hand is dealt")


class _Key:
    """32 secret bytes with a public id of four."""

    __slots__ = ("_derive", "_secret", "id")
    file_name: ClassVar[str]

    def __init__(self, secret: bytes) -> None:
        if len(secret) != KEY_BYTES:
            raise ValueError(f"a key has {KEY_BYTES} bytes")
        self._secret = secret
        self._derive = keyed(secret)
        self.id = self._derive(b"id")[:_KEY_ID_BYTES]

    @classmethod
    def load(cls, data_dir: Path, configured: Path | None = None) -> Self:
        """The key of this installation.

        `configured`: the file the settings name, which must exist. Without it the key is in
        `data_dir`, made on the first start. Raises KeyFileRefused.
        """
        path = configured or data_dir / cls.file_name
        try:
            if configured is None and not path.exists():
                _create(path)
            return cls(_read(path))
        except OSError as error:
            raise KeyFileRefused(f"{path}: {error.strerror}") from None

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.id.hex()}>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a key stays in its process")

    def _seal(self, plain: bytes, place: bytes, nonce: bytes = b"") -> bytes:
        header, nonce = FORMAT + self.id, nonce or os.urandom(_NONCE_BYTES)
        return header + nonce + self._cipher(place).encrypt(nonce, plain, header + place)

    def _open(self, sealed: bytes, place: bytes) -> bytes:
        header, rest = sealed[:_HEADER_BYTES], sealed[_HEADER_BYTES:]
        if header[:1] != FORMAT:
            raise SealBroken("not a sealed value of a known format")
        if header[1:] != self.id:
            raise SealBroken(f"sealed under key {header[1:].hex()}, but this is {self.id.hex()}")
        try:
            return self._cipher(place).decrypt(rest[:_NONCE_BYTES], rest[_NONCE_BYTES:], header + place)
        except (InvalidTag, ValueError):
            raise SealBroken("damaged, or sealed for another place") from None

    def _cipher(self, place: bytes) -> ChaCha20Poly1305:
        # A key of its own for every place: no number of hands or views makes random nonces collide.
        return ChaCha20Poly1305(self._derive(place))


class SealKey(_Key):
    """Seals the seeds that lie beside the log. Only workers and the auditor hold it."""

    __slots__ = ()
    file_name = "seal.key"

    def seal(self, seed: bytes, table_id: str, number: int) -> bytes:
        """The seed of hand `number`, sealed: 65 bytes."""
        return self._seal(seed, b"seed\x00" + hand_id(table_id, number))

    def open(self, sealed: bytes, table_id: str, number: int) -> bytes:
        """The seed again. Raises SealBroken."""
        return self._open(sealed, b"seed\x00" + hand_id(table_id, number))


class ViewKey(_Key):
    """Seals private views, and choices on their way, so that the store and its backups hold nothing hidden."""

    __slots__ = ()
    file_name = "view.key"

    def seal(self, view: bytes, table_id: str, seat: int, version: int) -> bytes:
        """The view of `seat` at the table's event number `version`, sealed: 33 bytes longer."""
        return self._seal(view, _view_place(table_id, seat, version))

    def open(self, sealed: bytes, table_id: str, seat: int, version: int) -> bytes:
        """The view again. Raises SealBroken."""
        return self._open(sealed, _view_place(table_id, seat, version))

    def seal_errand(self, seed: bytes, errand: str) -> bytes:
        """A seed on its way from the chores to the API, sealed for this errand alone."""
        return self._seal(seed, b"errand\x00" + errand.encode("ascii"))

    def open_errand(self, sealed: bytes, errand: str) -> bytes:
        """The seed again. Raises SealBroken."""
        return self._open(sealed, b"errand\x00" + errand.encode("ascii"))

    def seal_share(self, known: bytes, name: str) -> bytes:
        """Cards that a player shows by a link, sealed for that link."""
        return self._seal(known, b"share\x00" + name.encode("ascii"))

    def open_share(self, sealed: bytes, name: str) -> bytes:
        """The cards again. Raises SealBroken."""
        return self._open(sealed, b"share\x00" + name.encode("ascii"))

    def seal_choice(self, choice: str, table_id: str, actor: str, k: int) -> bytes:
        """A choice nobody may know yet, of the actor's k-th command: 73 bytes whatever it is.

        Sent again it is the same bytes, or it would not be the same command; so the nonce follows from the choice.
        """
        place, plain = _choice_place(table_id, actor, k), choice.encode().ljust(_CHOICE_BYTES, b"\0")
        return self._seal(plain, place, self._derive(b"nonce\x00" + place + plain)[:_NONCE_BYTES])

    def open_choice(self, sealed: bytes, table_id: str, actor: str, k: int) -> str:
        """The choice again. Raises SealBroken."""
        return self._open(sealed, _choice_place(table_id, actor, k)).rstrip(b"\0").decode()


class SigningKey(_Key):
    """Signs checkpoints (Ed25519, RFC 8032). Only the chores hold it."""

    __slots__ = ()
    file_name = "signing.key"

    @property
    def public(self) -> bytes:
        """The public key, 32 bytes."""
        return self._pair().public_key().public_bytes_raw()

    def sign(self, text: bytes) -> bytes:
        """The signature, 64 bytes."""
        return self._pair().sign(text)

    def _pair(self) -> Ed25519PrivateKey:
        return Ed25519PrivateKey.from_private_bytes(self._secret)


def _choice_place(table_id: str, actor: str, k: int) -> bytes:
    return b"choice\x00" + hand_id(table_id, k) + actor.encode()


def _view_place(table_id: str, seat: int, version: int) -> bytes:
    return b"view\x00" + hand_id(table_id, version) + seat.to_bytes(2, "big")


@cache
def _checked_source() -> Callable[[int], bytes]:
    check_entropy(os.urandom)
    return os.urandom


def _longest_repeat(sample: bytes) -> int:
    longest = run = 1
    for before, value in pairwise(sample):
        run = run + 1 if value == before else 1
        longest = max(longest, run)
    return longest


def _create(path: Path) -> None:
    """Write a new key beside `path` and link it there: never half a key, never over an existing one."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor, draft = mkstemp(dir=path.parent, prefix=f".{path.name}.")  # mode 0600
    try:
        with open(descriptor, "wb") as file:
            file.write(_checked_source()(KEY_BYTES))
            file.flush()
            os.fsync(descriptor)
        os.link(draft, path)
    except FileExistsError:
        return  # another process of this installation was first: its key counts
    finally:
        os.unlink(draft)
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """A key lost in a power cut would take the running hands with it."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _read(path: Path) -> bytes:
    with path.open("rb") as file:
        status = os.fstat(file.fileno())
        secret = file.read(KEY_BYTES + 1)
    mode = stat.S_IMODE(status.st_mode)
    # A supervisor (systemd, Kubernetes) hands root's file to its service through the group: there is no other way in.
    handed = status.st_uid == 0 != os.geteuid()
    if mode & (0o037 if handed else 0o077):
        raise KeyFileRefused(f"{path}: others may use it (mode {mode:04o}); set mode 0600")
    if len(secret) != KEY_BYTES:
        raise KeyFileRefused(f"{path}: a key file holds exactly {KEY_BYTES} bytes")
    return secret
