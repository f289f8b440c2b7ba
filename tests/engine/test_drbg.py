"""HMAC_DRBG (SP 800-90A rev. 1, 10.1.2) against NIST's own vectors, and fair bounded numbers from it."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import drbg
from engine.drbg import HmacDrbg

VECTORS = Path(__file__).parent.parent / "vectors" / "hmac_drbg_sha256.json"
CAVP: list[dict[str, Any]] = json.loads(VECTORS.read_text(encoding="utf-8"))["vectors"]
SEED = bytes(range(32))


def bits(text: str) -> bytes:
    return bytes.fromhex(text)


@pytest.mark.parametrize("vector", CAVP, ids=lambda vector: vector["name"])
def test_nist_cavp_vectors(vector: dict[str, Any]) -> None:
    generator = HmacDrbg(bits(vector["entropy"]), bits(vector["nonce"]), bits(vector["personalisation"]))
    if "reseed" in vector:
        generator.reseed(bits(vector["reseed"]["entropy"]), bits(vector["reseed"]["additional"]))
    first, second = (generator.generate(128, bits(additional)) for additional in vector["additional"])
    assert second == bits(vector["returned"])
    assert first != second


def test_the_same_seed_gives_the_same_bits_and_any_other_input_gives_others() -> None:
    def start(*inputs: bytes) -> bytes:
        return HmacDrbg(*inputs).generate(64)

    assert start(SEED, b"hand", b"deck/1") == start(SEED, b"hand", b"deck/1")
    others = (
        start(SEED[::-1], b"hand", b"deck/1"),
        start(SEED, b"hane", b"deck/1"),
        start(SEED, b"hand", b"cut/1"),
    )
    assert start(SEED, b"hand", b"deck/1") not in others


def test_reseeding_drops_the_bits_drawn_before() -> None:
    """Numbers after a reseed must not come from bytes the old state already gave out."""
    one, two = HmacDrbg(SEED), HmacDrbg(SEED)
    one.below(52)
    two.generate(128)
    for generator in (one, two):
        generator.reseed(SEED[::-1])
    assert [one.below(52) for _ in range(40)] == [two.below(52) for _ in range(40)]


@given(bound=st.integers(1, 1 << 40), skipped=st.integers(0, 200))
def test_a_bounded_number_is_below_its_bound(bound: int, skipped: int) -> None:
    generator = HmacDrbg(SEED)
    generator.generate(skipped)
    assert 0 <= generator.below(bound) < bound


@pytest.mark.parametrize("bound", [1, 2, 3, 6, 7, 52, 200, 255, 256])
def test_rejection_leaves_every_number_the_same_number_of_bytes(
    bound: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Defect of peers (`% n` on raw bytes): exact here, by feeding all 256 byte values once."""
    monkeypatch.setattr(HmacDrbg, "generate", lambda self, size, additional=b"": bytes(range(256)))
    generator = HmacDrbg(SEED)
    kept = 256 - 256 % bound
    numbers = Counter(generator.below(bound) for _ in range(kept))
    assert numbers == dict.fromkeys(range(bound), kept // bound)


def test_wide_bounds_read_more_bytes_big_endian(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HmacDrbg, "generate", lambda self, size, additional=b"": b"\xff\xff\x01\x02" * 32)
    assert HmacDrbg(SEED).below(1000) == 0x0102  # 0xffff is above 65,000 and thrown away


def test_numbers_read_on_where_one_request_ends() -> None:
    """The bytes used are those of consecutive requests of 128 bytes, none lost at the seam."""
    stream = HmacDrbg(SEED)
    expected = b"".join(stream.generate(128) for _ in range(3))
    numbers = HmacDrbg(SEED)
    read = b"".join(numbers.below(1 << 24).to_bytes(3, "big") for _ in range(128))
    assert read == expected


@pytest.mark.parametrize("size", [-1, drbg.REQUEST_BYTES_MAX + 1])
def test_a_request_has_its_limits(size: int) -> None:
    with pytest.raises(ValueError, match="a request is 0 to 65536 bytes"):
        HmacDrbg(SEED).generate(size)


def test_there_is_no_number_below_zero() -> None:
    with pytest.raises(ValueError, match="no number below 0"):
        HmacDrbg(SEED).below(0)


def test_short_entropy_is_refused_without_showing_it() -> None:
    with pytest.raises(ValueError, match="at least 32 bytes of entropy") as refused:
        HmacDrbg(b"secret")
    assert "secret" not in str(refused.value)


def test_a_worn_out_generator_must_be_reseeded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drbg, "REQUESTS_MAX", 2)
    generator = HmacDrbg(SEED)
    generator.generate(1)
    generator.generate(1)
    with pytest.raises(RuntimeError, match="reseeded"):
        generator.generate(1)
    generator.reseed(SEED)
    assert generator.generate(1)
