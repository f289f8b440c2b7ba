"""Entropy for deals, sealed seeds and views, key files: what is refused, and that nothing secret is shown."""

import os
import pickle
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from hashlib import shake_256
from pathlib import Path
from stat import S_IFREG

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services import sealing
from services.sealing import (
    EntropyRefused,
    KeyFileRefused,
    SealBroken,
    SealKey,
    ViewKey,
    check_entropy,
    fresh_seed,
)

TABLE = "017-01JDEALVECT0R5000000000000"
SECRET = b"a key that nobody may ever read!"
SEED = b"a seed that nobody must ever see"
KEYS = [SealKey, ViewKey]
GOLDEN = (
    "01cdd296bcdd7370241e2c8debf5cceb843541a4ed4d60ece2901a377a9955902b"
    "a8586e667ba4906b203a5f377b72ce40c0234d3f8ae25e8182a26e34309025f2"
)

each_key = pytest.mark.parametrize("kind", KEYS)


def write_key(path: Path, content: bytes = SECRET, mode: int = 0o600) -> Path:
    path.write_bytes(content)
    path.chmod(mode)
    return path


# Entropy


@pytest.fixture
def source_not_yet_checked() -> Iterator[None]:
    sealing._checked_source.cache_clear()
    yield
    sealing._checked_source.cache_clear()


def sound() -> Callable[[int], bytes]:
    """A source that gives the next bytes of one fixed good stream at every draw."""
    stream = iter(shake_256(b"sound").digest(1 << 14))
    return lambda size: bytes(next(stream) for _ in range(size))


def with_run(length: int) -> Callable[[int], bytes]:
    """A sound source with one byte value `length` times in a row."""
    draw = sound()
    return lambda size: b"\x0f" + b"\x5a" * length + b"\x0f" + draw(size - length - 2)


def with_ones(ones: int) -> Callable[[int], bytes]:
    """A source whose 20,000 bits hold so many ones, spread evenly; the first draw differs from the second."""
    numbers = iter((0, 1))

    def draw(size: int) -> bytes:
        shift = next(numbers)
        bits = [((at + 1) * ones // 20_000) - (at * ones // 20_000) for at in range(8 * size)]
        bits = bits[shift:] + bits[:shift]
        return int("".join(map(str, bits)), 2).to_bytes(size, "big")

    return draw


def test_the_systems_source_is_sound_and_gives_seeds_of_32_bytes() -> None:
    """P124, P127: from the operating system, new for each hand."""
    check_entropy()
    seeds = {fresh_seed() for _ in range(100)}
    assert len(seeds) == 100
    assert {len(seed) for seed in seeds} == {32}


@pytest.mark.parametrize(
    ("draw", "why"),
    [
        (bytes, "the same bytes twice"),
        (lambda size: shake_256(b"stuck").digest(size), "the same bytes twice"),
        (with_run(5), "stuck on a value"),
        (with_ones(9_575), "prefers one bit value"),
        (with_ones(10_425), "prefers one bit value"),
    ],
    ids=["zeros", "restarting", "run of five", "too few ones", "too many ones"],
)
def test_a_broken_source_is_refused(draw: Callable[[int], bytes], why: str) -> None:
    with pytest.raises(EntropyRefused, match=why):
        check_entropy(draw)


@pytest.mark.parametrize("draw", [sound(), with_run(4)], ids=["sound", "run of four"])
def test_a_sound_source_passes(draw: Callable[[int], bytes]) -> None:
    check_entropy(draw)


@pytest.mark.usefixtures("source_not_yet_checked")
def test_no_seed_and_no_key_come_from_a_broken_source(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """AGCO 21.1: unavailable on failure; and still unavailable at the next try."""
    monkeypatch.setattr(os, "urandom", bytes)
    for _ in range(2):
        with pytest.raises(EntropyRefused):
            fresh_seed()
    with pytest.raises(EntropyRefused):
        SealKey.load(tmp_path)
    assert not list(tmp_path.iterdir())


# Sealing


@given(seed=st.binary(min_size=32, max_size=32), number=st.integers(0, 1 << 40))
def test_a_seed_opens_where_it_was_sealed(seed: bytes, number: int) -> None:
    sealed = SealKey(SECRET).seal(seed, TABLE, number)
    assert len(sealed) == 65
    assert seed not in sealed
    assert SealKey(SECRET).open(sealed, TABLE, number) == seed


@given(view=st.binary(max_size=400), seat=st.integers(0, 9), version=st.integers(0, 1 << 40))
def test_a_view_opens_where_it_was_sealed(view: bytes, seat: int, version: int) -> None:
    sealed = ViewKey(SECRET).seal(view, TABLE, seat, version)
    assert len(sealed) == len(view) + 33
    assert ViewKey(SECRET).open(sealed, TABLE, seat, version) == view


@pytest.mark.parametrize(("table", "number"), [("018-T", 7), (TABLE, 8)])
def test_a_seed_does_not_open_in_another_hand(table: str, number: int) -> None:
    sealed = SealKey(SECRET).seal(SEED, TABLE, 7)
    with pytest.raises(SealBroken, match="sealed for another place"):
        SealKey(SECRET).open(sealed, table, number)


@pytest.mark.parametrize(("table", "seat", "version"), [("018-T", 2, 99), (TABLE, 3, 99), (TABLE, 2, 98)])
def test_a_view_does_not_open_for_another_seat_table_or_version(table: str, seat: int, version: int) -> None:
    sealed = ViewKey(SECRET).seal(b"As Ad", TABLE, 2, 99)
    with pytest.raises(SealBroken, match="sealed for another place"):
        ViewKey(SECRET).open(sealed, table, seat, version)


def test_seeds_and_views_are_apart_even_under_one_key() -> None:
    with pytest.raises(SealBroken):
        SealKey(SECRET).open(ViewKey(SECRET).seal(SEED, TABLE, 0, 7), TABLE, 7)


def test_sealing_twice_looks_different() -> None:
    """The nonce is random: equal views of two seats or two moments cannot be told to be equal."""
    key = ViewKey(SECRET)
    assert key.seal(b"fold", TABLE, 1, 5) != key.seal(b"fold", TABLE, 1, 5)


def test_every_altered_bit_is_noticed() -> None:
    sealed = SealKey(SECRET).seal(SEED, TABLE, 7)
    for bit in range(8 * len(sealed)):
        altered = (int.from_bytes(sealed, "big") ^ 1 << bit).to_bytes(len(sealed), "big")
        with pytest.raises(SealBroken):
            SealKey(SECRET).open(altered, TABLE, 7)


def test_every_shortened_value_is_noticed() -> None:
    sealed = SealKey(SECRET).seal(SEED, TABLE, 7)
    for length in range(len(sealed)):
        with pytest.raises(SealBroken):
            SealKey(SECRET).open(sealed[:length], TABLE, 7)


def test_another_key_is_named_by_its_id() -> None:
    sealed, other = SealKey(SECRET).seal(SEED, TABLE, 7), SealKey(SECRET[::-1])
    with pytest.raises(SealBroken) as broken:
        other.open(sealed, TABLE, 7)
    assert str(broken.value) == f"sealed under key {SealKey(SECRET).id.hex()}, but this is {other.id.hex()}"


def test_a_later_format_is_refused_not_guessed() -> None:
    sealed = SealKey(SECRET).seal(SEED, TABLE, 7)
    with pytest.raises(SealBroken, match="known format"):
        SealKey(SECRET).open(b"\x02" + sealed[1:], TABLE, 7)


def test_a_stored_value_still_opens() -> None:
    """Golden bytes: what format 1 and its key derivation once wrote must open for ever."""
    sealed = bytes.fromhex(GOLDEN)
    assert SealKey(SECRET).open(sealed, "000-T", 1) == SEED


# Keys and their files


@each_key
def test_a_key_shows_only_its_id(kind: type[SealKey] | type[ViewKey]) -> None:
    key = kind(SECRET)
    assert repr(key) == str(key) == f"<{kind.__name__} {key.id.hex()}>"
    assert key.id not in SECRET


def test_a_key_does_not_travel() -> None:
    """Pickled into a job or a cache it would lie in the store."""
    with pytest.raises(TypeError, match="stays in its process"):
        pickle.dumps(SealKey(SECRET))


def test_a_key_of_wrong_length_is_refused_without_showing_it() -> None:
    with pytest.raises(ValueError, match=r"^a key has 32 bytes$"):
        SealKey(SECRET + b"!")


@each_key
def test_first_start_makes_a_key_file_only_its_owner_may_use(
    kind: type[SealKey] | type[ViewKey], tmp_path: Path
) -> None:
    data_dir = tmp_path / "data"
    key = kind.load(data_dir)
    (path,) = data_dir.iterdir()
    assert path.name == kind.file_name
    assert path.stat().st_mode & 0o777 == 0o600
    assert kind.load(data_dir).id == key.id


def test_seal_key_and_view_key_are_two_keys(tmp_path: Path) -> None:
    assert SealKey.load(tmp_path).id != ViewKey.load(tmp_path).id
    assert sorted(path.name for path in tmp_path.iterdir()) == ["seal.key", "view.key"]


def test_processes_starting_together_agree_on_one_key(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as starts:
        ids = set(starts.map(lambda _: SealKey.load(tmp_path).id, range(32)))
    assert len(ids) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["seal.key"]


def test_a_process_that_is_second_takes_the_key_of_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other process writes its key between our look and our link."""
    path = write_key(tmp_path / "seal.key")
    monkeypatch.setattr(Path, "exists", lambda self: False)
    assert SealKey.load(tmp_path).id == SealKey(SECRET).id
    assert list(tmp_path.iterdir()) == [path]


def test_a_configured_file_is_used_in_place_of_the_data_folder(tmp_path: Path) -> None:
    configured = write_key(tmp_path / "elsewhere")
    assert SealKey.load(tmp_path / "data", configured).id == SealKey(SECRET).id
    assert not (tmp_path / "data").exists()


def test_a_configured_file_that_is_missing_is_never_made(tmp_path: Path) -> None:
    """A new key in place of a lost one would leave every running hand unreadable."""
    with pytest.raises(KeyFileRefused, match=r"absent.key: No such file"):
        SealKey.load(tmp_path, tmp_path / "absent.key")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o601, 0o644])
def test_a_key_file_others_may_use_is_refused(mode: int, tmp_path: Path) -> None:
    path = write_key(tmp_path / "seal.key", mode=mode)
    with pytest.raises(KeyFileRefused) as refused:
        SealKey.load(tmp_path)
    assert str(refused.value) == f"{path}: others may use it (mode {mode:04o}); set mode 0600"


@pytest.mark.parametrize(("mode", "taken"), [(0o440, True), (0o400, True), (0o460, False), (0o444, False)])
def test_a_key_of_roots_may_come_through_the_group(
    mode: int, taken: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So systemd and Kubernetes hand a secret to a service that is not root; it stays theirs to write."""
    path = write_key(tmp_path / "seal.key")
    status = path.stat()
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    monkeypatch.setattr("os.fstat", lambda _: os.stat_result((S_IFREG | mode, *status[1:4], 0, *status[5:])))
    if taken:
        assert SealKey.load(tmp_path, path).id == SealKey(SECRET).id
    else:
        with pytest.raises(KeyFileRefused, match="others may use it"):
            SealKey.load(tmp_path, path)


@pytest.mark.parametrize("content", [b"", SECRET[:-1], SECRET + b"\n"])
def test_a_key_file_of_wrong_length_is_refused_without_showing_it(content: bytes, tmp_path: Path) -> None:
    path = write_key(tmp_path / "view.key", content)
    with pytest.raises(KeyFileRefused) as refused:
        ViewKey.load(tmp_path)
    assert str(refused.value) == f"{path}: a key file holds exactly 32 bytes"


def test_a_folder_in_place_of_a_key_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "seal.key").mkdir()
    with pytest.raises(KeyFileRefused, match=r"seal.key: Is a directory"):
        SealKey.load(tmp_path)


# Choices on their way


def test_a_sealed_choice_is_the_same_bytes_each_time_and_as_long_whatever_it_is() -> None:
    key = ViewKey(SECRET)
    sealed = [key.seal_choice(choice, TABLE, "ann", 3) for choice in ("low", "both", "low")]
    assert sealed[0] == sealed[2] != sealed[1]
    assert {len(one) for one in sealed} == {73}
    assert [key.open_choice(one, TABLE, "ann", 3) for one in sealed] == ["low", "both", "low"]


@pytest.mark.parametrize(("table", "actor", "k"), [("000-X", "ann", 3), (TABLE, "bob", 3), (TABLE, "ann", 4)])
def test_a_sealed_choice_opens_for_its_command_only(table: str, actor: str, k: int) -> None:
    """Sent again by somebody else, or under another number, it tells and does nothing."""
    sealed = ViewKey(SECRET).seal_choice("low", TABLE, "ann", 3)
    with pytest.raises(SealBroken):
        ViewKey(SECRET).open_choice(sealed, table, actor, k)
    assert sealed[17:] != ViewKey(SECRET).seal_choice("low", table, actor, k)[17:]
