"""Deterministic random bits: HMAC_DRBG with SHA-256, NIST SP 800-90A rev. 1, section 10.1.2.

The same seed gives the same bits on every machine and Python version, for ever: a stored deal
must stay checkable, so nothing here comes from the `random` module.
"""

from hmac import digest

SEED_BYTES = 32  # 256 bits of strength; 52! is about 2^225.6, so every deck can be reached
REQUEST_BYTES_MAX = 1 << 16  # SP 800-90A table 2: at most 2^19 bits a request
REQUESTS_MAX = 1 << 48  # SP 800-90A table 2: requests between two reseeds
_POOL_BYTES = 128  # what `below` asks for at a time; part of the published scheme


class HmacDrbg:
    """One generator; never shared between tables or purposes (the personalisation names the purpose).

    Raises ValueError for an entropy input below 32 bytes or a request that is too large,
    RuntimeError when the generator must be reseeded first. No error shows any bytes.
    """

    __slots__ = ("_at", "_key", "_pool", "_requests", "_value")

    def __init__(self, entropy: bytes, nonce: bytes = b"", personalisation: bytes = b"") -> None:
        self._key = bytes(32)
        self._value = b"\x01" * 32
        self._seed(entropy, nonce + personalisation)

    def reseed(self, entropy: bytes, additional: bytes = b"") -> None:
        """Mix in fresh entropy (10.1.2.4); bits drawn earlier but not yet used are dropped."""
        self._seed(entropy, additional)

    def generate(self, size: int, additional: bytes = b"") -> bytes:
        """`size` bytes (10.1.2.5)."""
        if not 0 <= size <= REQUEST_BYTES_MAX:
            raise ValueError(f"a request is 0 to {REQUEST_BYTES_MAX} bytes, not {size}")
        if self._requests >= REQUESTS_MAX:
            raise RuntimeError("the generator must be reseeded")
        if additional:
            self._update(additional)
        blocks = []
        for _ in range(-(-size // 32)):
            self._value = digest(self._key, self._value, "sha256")
            blocks.append(self._value)
        self._update(additional)
        self._requests += 1
        return b"".join(blocks)[:size]

    def below(self, bound: int) -> int:
        """A number in 0..bound-1, all equally likely.

        Reads as many bytes as `bound - 1` needs, big-endian, and throws away draws at or above the
        largest multiple of `bound`: a bare remainder would favour small numbers.
        """
        if bound < 1:
            raise ValueError(f"there is no number below {bound}")
        width = ((bound - 1).bit_length() + 7) // 8
        span = 1 << 8 * width
        fair = span - span % bound
        draw = self._draw(width)
        while draw >= fair:
            draw = self._draw(width)
        return draw % bound

    def _seed(self, entropy: bytes, rest: bytes) -> None:
        if len(entropy) < SEED_BYTES:
            raise ValueError(f"at least {SEED_BYTES} bytes of entropy are needed")
        self._update(entropy + rest)
        self._requests = 0
        self._pool = b""
        self._at = 0

    def _update(self, provided: bytes) -> None:
        """HMAC_DRBG_Update (10.1.2.2)."""
        self._key = digest(self._key, self._value + b"\x00" + provided, "sha256")
        self._value = digest(self._key, self._value, "sha256")
        if provided:
            self._key = digest(self._key, self._value + b"\x01" + provided, "sha256")
            self._value = digest(self._key, self._value, "sha256")

    def _draw(self, width: int) -> int:
        start, self._at = self._at, self._at + width
        while self._at > len(self._pool):
            self._pool = self._pool[start:] + self.generate(_POOL_BYTES)
            start, self._at = 0, width
        return int.from_bytes(self._pool[start : self._at], "big")
