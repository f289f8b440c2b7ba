"""The file: the same bytes every time, no hidden card, and a clear word about whatever is none."""

from __future__ import annotations

import subprocess
import sys
import tracemalloc
from pathlib import Path
from typing import Any

import msgpack
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.deck import hand_id, sealed_deck
from services.audit import Check
from services.bundle import EVENTS_MOST, MAGIC, VALUE_MOST, BundleBroken, read, write
from services.checkpoint import PublicKey
from services.cli import main
from services.verifying import Verifier, summed_up
from services.wire import pack
from tests.proofs.hands import (
    LOG_KEY,
    ORIGIN,
    SEAL_KEY,
    archived,
    bundled,
    cut_by_players,
    played,
    voided_among_choices,
)
from tests.proofs.tampering import changed, changes, pairs, rebuilt

HANDS = played("razz", 6, 3)
LAST = HANDS[-1]
ONE = bundled(HANDS[:1])
ALL = bundled(HANDS)
PUBLIC = PublicKey(ORIGIN, LOG_KEY.public)
GAMES = ("razz", "omaha8", "abyssinia", "hasaga", "horse")


@pytest.mark.parametrize("game", GAMES)
def test_hands_of_every_kind_of_game_agree_with_and_without_the_key(game: str) -> None:
    hands = played(game, 12, 5, "random")
    own = [hand for hand in hands if hand.table == hands[0].table]
    bundle = read(bundled(own))
    for verifier in (Verifier(strict=True), Verifier(SEAL_KEY, PUBLIC, strict=True)):
        verdict = summed_up(list(verifier.bundle(bundle)))
        assert verdict.ok, verdict
        assert verdict.hands == len(own)


def test_what_needs_the_key_is_said_and_nothing_else_is_left_out() -> None:
    """A mucked hand is taken from what followed; the first button was drawn from the seed."""
    hands = played("omaha8", 40, 2)
    found = Verifier().bundle(read(bundled(hands)))
    told = {hand.hand: detail_of("decide", checks) for hand, (_, checks) in zip(hands, found, strict=True)}
    assert "not re-decided: needs the key: " in told[1]
    assert "the drawn button" in told[1]
    mucked = {hand.hand for hand in hands if "Mucked" in str(hand.events())}
    assert mucked
    assert {hand for hand, detail in told.items() if "the mucked hand of seat" in detail} == mucked
    assert all(("needs the key" in detail) == (hand == 1 or hand in mucked) for hand, detail in told.items())


def detail_of(name: str, checks: list[Check]) -> str:
    return next(check.detail for check in checks if check.name == name)


def test_players_seeds_make_a_cut_that_anybody_can_check() -> None:
    hand = cut_by_players()
    bundle = read(bundled([hand]))
    verdict = summed_up(list(Verifier(SEAL_KEY).bundle(bundle)))
    assert verdict.ok, verdict
    assert detail_of("cut", verdict.checks).startswith("players: 2 seeds, ")
    (bundled_hand,) = bundle.hands
    for at, entry in enumerate(hand.entries):
        if type(hand.events()[at]).__name__ not in ("SeedRevealed", "CutFixed", "SeedsAwaited"):
            continue
        for field, other in changes(entry.event):
            forged = rebuilt(hand, changed(pairs(hand), at, other))
            (_, checks), *_ = Verifier().bundle(bundle._replace(hands=(bundled_hand._replace(segment=forged),)))
            wrong = [check.detail for check in checks if not check.ok]
            assert any(f"version {entry.version}" in detail for detail in wrong), (field, wrong)


def test_a_hand_voided_before_the_declarations_were_told() -> None:
    """What nobody was told keeps its seal; everything else is decided again."""
    verdict = summed_up(list(Verifier().bundle(read(bundled([voided_among_choices()])))))
    assert verdict.ok, verdict
    assert "needs the key: the drawn button, the untold choice of seat" in detail_of("decide", verdict.checks)
    assert detail_of("payoffs", verdict.checks) == "the hand was voided, everybody has what he began with"


def test_the_same_hand_gives_the_same_bytes_whenever_it_is_exported() -> None:
    assert bundled(HANDS[:1]) == ONE
    with archived(HANDS[:2]) as archive:
        before = b"".join(write(HANDS[:1], archive.log))
        for hand in HANDS[2:]:
            archive.insert(hand)
        assert b"".join(write(HANDS[:1], archive.log)) == before
        stored = archive.segment(LAST.table, 1)
        assert stored is not None
        assert b"".join(write([stored], archive.log)) == before


def test_no_hidden_card_is_in_the_file() -> None:
    """No salt of a card that never became public, no seed; in the public one not even a sealed seed."""
    public = bundled(HANDS, sealed=False)
    for hand in HANDS:
        assert hand.sealed_seed in ALL
        assert hand.sealed_seed not in public
        seed = SEAL_KEY.open(hand.sealed_seed, hand.table, hand.hand)
        deck = sealed_deck(seed, hand_id(hand.table, hand.hand))
        shown = {at for event in hand.events() if getattr(event, "cards", b"") for at in event.at}
        hidden = [at for at in range(52) if at not in shown]
        assert hidden
        assert seed not in ALL
        assert all(deck.opening(at)[:16] not in ALL for at in hidden)


def test_receipts_of_a_player_are_compared() -> None:
    entry = HANDS[2].entries[3]
    for head, ok in ((entry.hash, True), (bytes(32), False)):
        verdict = summed_up(list(Verifier(receipts={entry.version: head}).bundle(read(ALL))))
        assert verdict.ok == ok


def test_another_key_than_the_log_s_is_not_believed() -> None:
    other = PublicKey(ORIGIN, bytes(32))
    found = [check for _, checks in Verifier(public=other).bundle(read(ONE)) for check in checks if not check.ok]
    assert [check.name for check in found] == ["checkpoint"]


def test_a_hand_without_a_checkpoint_is_said_to_be_unchecked_there() -> None:
    with archived([]) as archive:
        bundle = read(b"".join(write(HANDS[:1], archive.log)))
    lenient, strict = (summed_up(list(Verifier(strict=strict).bundle(bundle))) for strict in (False, True))
    assert lenient.ok
    assert not strict.ok
    unchecked = [check.name for check in lenient.checks if check.detail.startswith("not checked")]
    assert unchecked == ["log", "checkpoint"] == [check.name for check in strict.checks if not check.ok]


# --- what is no bundle ----------------------------------------------------------------------------------------------

NESTED = b"\x91" * 100_000
HUGE = {
    "an array of four billion": b"\xdd\xff\xff\xff\xff",
    "arrays in arrays": NESTED,
    "large arrays in large arrays": (b"\xdc" + EVENTS_MOST.to_bytes(2)) * 5000,
    "bytes that are not there": b"\xc6\x7f\xff\xff\xff",
    "a map": b"\x81\x01\x02",
    "too long a value": pack(b"x" * (VALUE_MOST + 1)),
}


@pytest.mark.parametrize("what", HUGE)
def test_announced_sizes_are_not_believed(what: str) -> None:
    tracemalloc.start()
    with pytest.raises(BundleBroken):
        read(MAGIC + HUGE[what])
    with pytest.raises(BundleBroken):
        read(MAGIC + pack([LAST.table, ""]) + HUGE[what])
    assert tracemalloc.get_traced_memory()[1] < 200 * 2**20
    tracemalloc.stop()


@given(st.data())
@settings(max_examples=50, deadline=None)
def test_a_file_with_anything_changed_is_refused_or_found_out(data: st.DataObject) -> None:
    """Wherever a byte is changed, lost or added: no traceback, and never the same verdict about other events."""
    at = data.draw(st.integers(0, len(ONE) - 1))
    put = data.draw(st.binary(max_size=3))
    cut = data.draw(st.integers(0, 3))
    try:
        bundle = read(ONE[:at] + put + ONE[at + cut :])
    except BundleBroken:
        return
    verdict = summed_up(list(Verifier(public=PUBLIC).bundle(bundle)))
    same = read(ONE)
    unlike = [hand.segment.head for hand in bundle.hands] != [hand.segment.head for hand in same.hands]
    assert not (verdict.ok and unlike)


SHAPES: dict[str, Any] = {
    "no table": ["x", ""],
    "no key": [LAST.table],
    "a number": 7,
    "a table of a wrong name": ["../etc", ""],
}


@pytest.mark.parametrize("what", SHAPES)
def test_what_does_not_begin_like_a_bundle(what: str) -> None:
    with pytest.raises(BundleBroken):
        read(MAGIC + pack(SHAPES[what]))


def test_a_hand_with_any_part_of_another_kind_is_none() -> None:
    unpacker = msgpack.Unpacker(max_buffer_size=len(ONE))
    unpacker.feed(ONE[len(MAGIC) :])
    head, hand = unpacker
    for place in range(len(hand)):
        for other in ({}, "text", -1, 1.5, [[]]):
            parts = [*hand[:place], other, *hand[place + 1 :]]
            with pytest.raises(BundleBroken):
                read(MAGIC + pack(head) + pack(parts))


# --- the command ----------------------------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "one.bundle"
    path.write_bytes(ONE)
    return path


def test_the_command_needs_the_file_alone(file: Path, tmp_path: Path) -> None:
    """A fresh process in an empty folder: no settings, no store, and a network that cannot be reached."""
    code = (
        "import socket, sys; socket.socket.connect = None; sys.argv = ['croupier', 'verify', 'one.bundle'];"
        "from services.cli import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=60,
        env={"PYTHONPATH": str(Path(__file__).parents[2]), "CROUPIER_REDIS_URL": "redis://127.0.0.1:1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    checks = "order chain decode fold chips openings cut rules payoffs decide log checkpoint"
    assert " ".join(line.split()[1] for line in lines[:-1]) == checks
    assert lines[-1] == "1 hand: everything agrees"


def test_the_command_says_what_differs(file: Path) -> None:
    data = bytearray(ONE)
    data[data.index(b"HandEnded") - 2] ^= 1
    file.write_bytes(data)
    done = CliRunner().invoke(main, ["verify", str(file)])
    assert done.exit_code == 1
    assert f"DIFFERS  chain       {LAST.table} version {HANDS[0].last}" in done.stdout


def test_the_command_with_the_seal_key(file: Path, tmp_path: Path) -> None:
    key = tmp_path / "seal.key"
    for secret, code, said in ((bytes(range(32)), 0, "the sealed seed opens"), (bytes(32), 1, "sealed under key")):
        key.write_bytes(secret)
        key.chmod(0o600)
        done = CliRunner().invoke(main, ["verify", str(file), "--key", str(key), "--log-key", str(PUBLIC), "--json"])
        assert (done.exit_code, said in done.stdout) == (code, True), done.output
    key.chmod(0o644)
    done = CliRunner().invoke(main, ["verify", str(file), "--key", str(key)])
    assert (done.exit_code, "others may use it" in done.output) == (2, True)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["verify"], 2),
        (["verify", "nowhere"], 2),
        (["verify", "F", "--receipt", "x"], 2),
        (["verify", "F", "--log-key", "x"], 2),
    ],
)
def test_wrong_use(file: Path, words: list[str], code: int) -> None:
    done = CliRunner().invoke(main, [str(file) if word == "F" else word for word in words])
    assert done.exit_code == code
    assert "Traceback" not in done.output


def test_several_files_and_one_that_is_none(file: Path, tmp_path: Path) -> None:
    other = tmp_path / "all.bundle"
    other.write_bytes(ALL)
    assert CliRunner().invoke(main, ["verify", str(file), str(other)]).exit_code == 0
    other.write_bytes(ALL[:-1])
    done = CliRunner().invoke(main, ["verify", str(file), str(other)])
    assert done.exit_code == 1
    assert "cannot be read after" in done.stdout
