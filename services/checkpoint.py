"""Checkpoints: the head of a log as a signed note (c2sp.org/tlog-checkpoint, c2sp.org/signed-note), Ed25519.

    <origin>
    <number of leaves>
    <root, base64>
    audit <entries of the audit log> <hash of its last entry, base64>

    — <origin> <base64 of key id (4) ‖ signature (64)>

The text up to and without the empty line is what is signed. The line about the audit log is an extension, which others
pass over; it is missing while that log is empty. The key id is SHA-256(origin ‖ 0x0A ‖ 0x01 ‖ public
key), its first four bytes; a public key is written `<origin>+<key id, hex>+<base64 of 0x01 ‖ public key>`.
"""

from __future__ import annotations

import base64
import binascii
import re
from hashlib import sha256
from typing import NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from services.audit_log import Head
from services.sealing import SigningKey

ED25519 = b"\x01"
NOTE_MOST = 4096
"""Bytes of a note: ours has some 200; others may have added their signatures."""
NAME = re.compile(r"[^\s+]{1,100}")
SIZE = re.compile(r"0|[1-9][0-9]{0,17}")
AUDIT = re.compile(r"audit ([1-9][0-9]{0,17}) ([A-Za-z0-9+/]+={0,2})")
SIGNATURE = re.compile(r"— ([^\s+]{1,100}) ([A-Za-z0-9+/]+={0,2})")


class NoteBroken(Exception):
    """A note or a public key cannot be read, or no signature by this key is good. Texts are safe to show."""


class NotSigned(NoteBroken):
    """The note may be good, but this key has not signed it."""


class PublicKey(NamedTuple):
    """Whose notes are believed: a name (here: the log's origin) and 32 bytes."""

    name: str
    key: bytes

    @classmethod
    def read(cls, text: str) -> PublicKey:
        """From `name+id+key`. Raises NoteBroken."""
        name, _, rest = text.strip().partition("+")
        id_, _, encoded = rest.partition("+")
        decoded = decode(encoded)
        found = cls(name, decoded[1:])
        if not NAME.fullmatch(name) or decoded[:1] != ED25519 or len(found.key) != 32 or id_ != found.id.hex():
            raise NoteBroken("not a public key of a signed note")
        return found

    @property
    def id(self) -> bytes:
        """Four bytes that tell keys of one name apart."""
        return sha256(self.name.encode() + b"\n" + ED25519 + self.key).digest()[:4]

    def __str__(self) -> str:
        return f"{self.name}+{self.id.hex()}+{base64.b64encode(ED25519 + self.key).decode()}"

    def accepts(self, signature: bytes, text: bytes) -> bool:
        """Whether it is this key's signature of the text."""
        try:
            Ed25519PublicKey.from_public_bytes(self.key).verify(signature, text)
        except (InvalidSignature, ValueError):
            return False
        return True


class Checkpoint(NamedTuple):
    """The first `size` leaves of the log called `origin` have this root. `audit`: where the audit log stood then."""

    origin: str
    size: int
    root: bytes
    audit: Head | None = None

    @property
    def text(self) -> str:
        """What is signed."""
        text = f"{self.origin}\n{self.size}\n{base64.b64encode(self.root).decode()}\n"
        if self.audit is None:
            return text
        return f"{text}audit {self.audit.entries} {base64.b64encode(self.audit.hash).decode()}\n"

    def signed(self, key: SigningKey) -> str:
        """The note."""
        signature = PublicKey(self.origin, key.public).id + key.sign(self.text.encode())
        return f"{self.text}\n— {self.origin} {base64.b64encode(signature).decode()}\n"


def read_checkpoint(note: str) -> Checkpoint:
    """What a note says, believed or not; lines that others have added are passed over. Raises NoteBroken."""
    match split(note)[0].split("\n"):
        case [origin, size, root, *more] if NAME.fullmatch(origin) and SIZE.fullmatch(size):
            audits = [Head(int(line[1]), decode(line[2])) for line in map(AUDIT.fullmatch, more) if line]
            found = Checkpoint(origin, int(size), decode(root), audits[0] if audits else None)
            if len(found.root) == 32:
                return found
    raise NoteBroken("not a checkpoint")


def open_checkpoint(note: str, key: PublicKey) -> Checkpoint:
    """What a note says that this key has signed. Raises NoteBroken."""
    text, signatures = split(note)
    for line in signatures[:-1].split("\n"):
        found = SIGNATURE.fullmatch(line)
        if found is None:
            raise NoteBroken("a line that is no signature")
        signature = decode(found[2])
        if (found[1], signature[:4]) == (key.name, key.id):
            if not key.accepts(signature[4:], text.encode()):
                raise NoteBroken("the signature is not good")
            return require_origin(read_checkpoint(note), key)
    raise NotSigned(f"not signed by the key {key.id.hex()} of {key.name}")


def require_origin(checkpoint: Checkpoint, key: PublicKey) -> Checkpoint:
    """The log signs for itself only."""
    if checkpoint.origin != key.name:
        raise NoteBroken("signed by the key of another log")
    return checkpoint


def split(note: str) -> tuple[str, str]:
    """Text and signature lines. Raises NoteBroken."""
    text, blank, signatures = note.rpartition("\n\n")
    if len(note) > NOTE_MOST or not blank or not signatures.endswith("\n"):
        raise NoteBroken("not a signed note")
    return text + "\n", signatures


def decode(text: str) -> bytes:
    """Base64, strictly: one text for the same bytes. Raises NoteBroken."""
    try:
        decoded = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise NoteBroken("not base64") from None
    if base64.b64encode(decoded).decode() != text:
        raise NoteBroken("not base64")
    return decoded
