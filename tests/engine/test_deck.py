"""The sealed deck: every card provable on its own, nothing shown that was not opened."""

import subprocess
import sys
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import deck
from engine.deck import Deck, hand_id, sealed_deck, verify_opening

TABLE = "017-01JDEALVECT0R5000000000000"
HAND = hand_id(TABLE, 7)
SEED = bytes(range(32))

seeds = st.binary(min_size=32, max_size=32)


def dealt() -> Deck:
    return sealed_deck(SEED, HAND)


def test_hand_id_is_table_nul_and_number() -> None:
    assert hand_id("000-T", 258) == b"000-T\x00\x00\x00\x00\x00\x00\x00\x01\x02"


@pytest.mark.parametrize("table_id", ["a\0b", "tâble"])
def test_hand_id_takes_plain_table_ids_only(table_id: str) -> None:
    with pytest.raises(ValueError, match=r"NUL|ascii"):
        hand_id(table_id, 1)


@given(seed=seeds, number=st.integers(0, (1 << 64) - 1))
def test_a_deck_is_the_52_cards_once_each(seed: bytes, number: int) -> None:
    """COM-01; defect 2 of peers: a generator that dealt undefined cards."""
    assert sorted(deck.shuffle(seed, hand_id(TABLE, number))) == list(range(52))


def test_all_52_openings_verify() -> None:
    sealed = dealt()
    for at, card in enumerate(sealed.cards):
        assert verify_opening(sealed.root, HAND, at, card, sealed.opening(at))


def test_openings_have_the_length_of_their_path() -> None:
    assert [len(dealt().opening(at)) for at in range(52)] == [208] * 48 + [144] * 4


def test_an_altered_card_or_position_is_rejected_exhaustively() -> None:
    sealed = dealt()
    for at, card in enumerate(sealed.cards):
        opening = sealed.opening(at)
        assert not any(
            verify_opening(sealed.root, HAND, at, other, opening) for other in {*range(52)} - {card}
        )
        assert not any(
            verify_opening(sealed.root, HAND, other, card, opening) for other in {*range(52)} - {at}
        )


@given(at=st.integers(0, 51), data=st.data())
def test_an_altered_opening_root_or_hand_is_rejected(at: int, data: st.DataObject) -> None:
    sealed = dealt()
    card, opening = sealed.cards[at], sealed.opening(at)
    bit = data.draw(st.integers(0, 8 * len(opening) - 1))
    altered = (int.from_bytes(opening, "big") ^ 1 << bit).to_bytes(len(opening), "big")
    assert not verify_opening(sealed.root, HAND, at, card, altered)
    assert not verify_opening(sealed.root, HAND, at, card, opening[:-1])
    assert not verify_opening(sealed.root, HAND, at, card, opening + bytes(32))
    assert not verify_opening(sealed.root[::-1], HAND, at, card, opening)
    assert not verify_opening(sealed.root, hand_id(TABLE, 8), at, card, opening)


@given(
    at=st.integers(-2, 300),
    card=st.integers(-2, 300),
    opening=st.binary(max_size=230),
    root=st.binary(max_size=33),
)
def test_rubbish_is_rejected_and_never_an_error(at: int, card: int, opening: bytes, root: bytes) -> None:
    """What verifies comes from outside: it may be anything."""
    assert not verify_opening(root, HAND, at, card, opening)


def test_the_same_seed_and_hand_give_the_same_deck() -> None:
    """P127: a replay deals the old cards, a new seed new ones; also in another hand of the same table."""
    assert dealt() == dealt()
    decks = [dealt(), sealed_deck(SEED[::-1], HAND), sealed_deck(SEED, hand_id(TABLE, 8))]
    assert all(one.cards != other.cards and one != other for one, other in pairwise(decks))


def test_decks_with_the_same_cards_and_other_salts_differ() -> None:
    assert deck.commit(dealt().cards, SEED[::-1], HAND) != dealt()


def test_the_deal_does_not_depend_on_hash_randomisation() -> None:
    """P125: the root is the same whatever PYTHONHASHSEED is."""
    program = f"from engine.deck import *; print(sealed_deck(bytes(range(32)), {HAND!r}).root.hex())"
    for hash_seed in ("0", "1"):
        run = subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": hash_seed, "PYTHONPATH": ":".join(filter(None, sys.path))},
            capture_output=True,
            text=True,
            check=True,
        )
        assert run.stdout.strip() == dealt().root.hex()


def test_two_tables_interleaved_deal_what_each_deals_alone() -> None:
    """P126: no generator is shared."""
    hands = [(bytes((table,)) * 32, hand_id(f"00{table}-T", n)) for n in range(4) for table in (1, 2)]
    together = [deck.shuffle(seed, hand) for seed, hand in hands]
    alone = [deck.shuffle(seed, hand) for seed, hand in hands[1::2]]
    assert together[1::2] == alone
    assert len(set(together)) == len(hands)


def test_one_bit_of_the_seed_changes_the_whole_deck() -> None:
    """Avalanche: flipping any of the 256 bits leaves about one card in place (52 · 1/52), never many."""
    original = deck.shuffle(SEED, HAND)
    in_place = []
    for bit in range(256):
        flipped = (int.from_bytes(SEED, "big") ^ 1 << bit).to_bytes(32, "big")
        in_place.append(sum(a == b for a, b in zip(original, deck.shuffle(flipped, HAND), strict=True)))
    assert max(in_place) <= 8
    assert 192 <= sum(in_place) <= 320  # 256 ± 4 standard deviations


def test_salts_are_all_different_and_change_with_seed_and_hand() -> None:
    decks = [dealt(), sealed_deck(SEED[::-1], HAND), sealed_deck(SEED, hand_id(TABLE, 8))]
    salts = [one.opening(at)[:16] for one in decks for at in range(52)]
    assert len(set(salts)) == len(salts)


def test_a_bare_deck_has_no_commitment() -> None:
    bare = deck.bare_deck(reversed(range(52)))
    assert (bare.cards[0], bare.root, bare.opening(3)) == (51, b"", b"")


@pytest.mark.parametrize("cards", [range(51), [0, *range(51)], range(1, 53)])
def test_a_deck_with_a_missing_or_double_card_is_refused_without_naming_it(cards: list[int]) -> None:
    with pytest.raises(ValueError, match=r"^a deck holds each of the 52 cards once$"):
        deck.bare_deck(cards)


@pytest.mark.parametrize(
    "use", [sealed_deck, deck.shuffle, lambda seed, hand: deck.commit(bytes(range(52)), seed, hand)]
)
def test_a_seed_of_another_length_is_refused_without_showing_it(use: object) -> None:
    with pytest.raises(ValueError, match=r"^a seed has 32 bytes, not 6$"):
        use(b"secret", HAND)  # type: ignore[operator]


def test_nothing_printed_shows_cards_or_salts() -> None:
    """P119: a deck may land in a log line or a traceback."""
    sealed = dealt()
    assert repr(sealed) == str(sealed) == f"<Deck root={sealed.root.hex()}>"
    assert repr(deck.bare_deck(range(52))) == "<Deck bare>"


def test_no_leaf_outside_the_deck_can_be_opened() -> None:
    with pytest.raises(IndexError):
        dealt().opening(52)


def test_cut_depends_on_every_seed_and_not_on_their_order() -> None:
    root, players = dealt().root, [bytes((player,)) * 32 for player in range(3)]
    cut = deck.public_cut(players, root, HAND)
    assert sorted(cut) == list(range(52))
    assert deck.public_cut(players[::-1], root, HAND) == cut
    others = [
        deck.public_cut(players[:2], root, HAND),
        deck.public_cut(players, root[::-1], HAND),
        deck.public_cut(players, root, hand_id(TABLE, 8)),
    ]
    assert cut not in others


def test_without_players_seeds_cards_are_dealt_as_they_lie() -> None:
    assert deck.public_cut([], dealt().root, HAND) == bytes(range(52))


def test_a_player_cannot_shift_the_boundary_between_seeds() -> None:
    with pytest.raises(ValueError, match="a seed has 32 bytes"):
        deck.public_cut([b"\0" * 31, b"\0" * 33], dealt().root, HAND)


@given(seed=seeds, seats=st.integers(1, 10))
def test_first_button_is_a_seat(seed: bytes, seats: int) -> None:
    """P129: drawn from the seed, not from the order in which players joined."""
    assert 0 <= deck.first_button(seed, seats) < seats
