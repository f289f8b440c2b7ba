"""The battery passes the production shuffle and rejects every fault that others shipped (P122-P124)."""

import json
from hashlib import sha256

import pytest
from click.testing import CliRunner

from engine.deck import hand_id, shuffle
from engine.drbg import HmacDrbg
from services.cli import rng
from services.cli.rng import command, fault
from services.rng.attacks import bits_excluded
from services.rng.battery import (
    BIRTHS,
    CATEGORIES,
    HANDS,
    avalanche,
    examine,
    known_answer,
    no_deck_twice,
    unforeseen,
)
from services.rng.shuffles import TABLE, Dealer, controls, facts_of, production, seeded

DECKS = 6_000


def generator(purpose: bytes) -> HmacDrbg:
    """Fixed chance: these tests give the same answer every time."""
    return HmacDrbg(bytes(range(32)), personalisation=purpose)


def test_the_generator_is_that_of_the_standard() -> None:
    assert known_answer().ok


def test_exact_counts_of_hands_are_all_hands() -> None:
    assert sum(CATEGORIES.values()) == HANDS


def test_the_production_shuffle_passes() -> None:
    chance = generator(b"production")
    found = [*examine(production(generator(b"seeds")), DECKS, chance), avalanche(chance)]
    assert [finding for finding in found if not finding.ok] == []
    assert len(found) >= 13


@pytest.mark.parametrize("control", list(controls(generator(b"controls"))), ids=lambda dealer: dealer.name)
def test_every_known_fault_is_rejected(control: Dealer) -> None:
    """By what it deals alone: a dealer says nothing about itself."""
    by = fault(examine(control, DECKS, generator(control.name.encode()), BIRTHS))
    expected = {"32-bit seed": "no deck twice", "seed from public data": "not foreseeable",
                "clock as seed": "not foreseeable"}  # fmt: skip
    assert by == expected.get(control.name, by) != ""


def test_the_smaller_the_seed_the_fewer_decks_show_it() -> None:
    """The count that is needed is the one that is claimed: with 20 bits some 3,100 decks, 99 times in 100."""
    chance = generator(b"small")
    small = seeded("20-bit seed", lambda facts: int.from_bytes(chance.generate(4)) >> 12)
    assert 20 <= bits_excluded(3_200) < 20.2
    assert not no_deck_twice(small.deck(facts_of(number)) for number in range(3_200)).ok
    assert bits_excluded(BIRTHS) > 32


@pytest.mark.parametrize("secret", [b"", b"a secret"])
def test_a_deck_is_foreseen_only_if_its_seed_holds_nothing_secret(secret: bytes) -> None:
    def deck(number: int) -> bytes:
        return shuffle(sha256(f"{TABLE}:{number}".encode() + secret).digest(), hand_id(TABLE, number))

    assert unforeseen([deck(number) for number in range(5)]).ok == bool(secret)


def test_the_small_bias_of_a_byte_shows_only_in_whole_decks() -> None:
    """fairness.md 1.2: missed on five cards, found in the 52 by 52 table."""
    control = next(dealer for dealer in controls(generator(b"controls")) if dealer.name == "byte modulo")
    failed = [finding.name for finding in examine(control, DECKS, generator(b"bytes")) if not finding.ok]
    assert "52 by 52 positions" in failed
    assert "orders of 5 cards" not in failed


def test_the_command_reports_tests_and_controls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rng, "CONTROL_DECKS", 100)
    monkeypatch.setattr(rng, "BIRTHS", 0)
    done = CliRunner().invoke(command, ["--decks", "1000", "--json"])
    report = json.loads(done.stdout)
    assert {test["name"] for test in report["tests"]} >= {"SP 800-90A vector", "seed avalanche", "adjacent pairs"}
    assert len(report["controls"]) == 9
    assert done.exit_code == (0 if report["ok"] else 1)


def test_raw_output_is_as_long_as_asked() -> None:
    done = CliRunner().invoke(command, ["--raw", "10000"])
    assert len(done.stdout_bytes) == 10_000
