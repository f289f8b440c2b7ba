"""The log cannot be rewritten unnoticed: an event or a hand that is changed, dropped, put in or swapped is named.

Two attackers: one writes events over and leaves the hashes, the other computes every hash anew. The first breaks the
chain at the very event. Against the second stand the decisions made again, the openings, and the signed log.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.audit import Check
from services.bundle import Bundle, Bundled, read
from services.segment import Segment
from services.verifying import Verifier
from services.wire import pack
from tests.proofs.hands import bundled, played
from tests.proofs.tampering import Pair, changed, changes, dropped, inserted, pairs, rebuilt, swapped

GAMES = {
    "razz": played("razz", 6, 3),
    "abyssinia": played("abyssinia", 6, 3, "random", ("abyssinia.hidden", True), ("abyssinia.declare", True)),
}


@cache
def bundle_of(game: str) -> Bundle:
    return read(bundled(GAMES[game]))


def last_hand(bundle: Bundle) -> Bundle:
    """A file of one hand, the longest: nothing before it helps."""
    longest = max(bundle.hands, key=lambda hand: len(hand.segment.entries))
    return bundle._replace(hands=(longest,))


def with_hand(bundle: Bundle, at: int, segment: Segment) -> Bundle:
    hand = bundle.hands[at]._replace(segment=segment)
    return bundle._replace(hands=(*bundle.hands[:at], hand, *bundle.hands[at + 1 :]))


def wrong(bundle: Bundle) -> list[Check]:
    """The checks that fail, of all hands."""
    return [check for _, checks in Verifier().bundle(bundle) for check in checks if not check.ok]


def names(checks: Iterable[Check], versions: set[int]) -> bool:
    """Whether one of them names one of these places."""
    return any(int(version) in versions for check in checks for version in re.findall(r"version (\d+)", check.detail))


@pytest.mark.parametrize("game", GAMES)
def test_what_was_played_agrees(game: str) -> None:
    assert wrong(bundle_of(game)) == []


@pytest.mark.parametrize("game", GAMES)
def test_every_field_of_every_event_of_a_hand_changed(game: str) -> None:
    """By the second attacker: decisions made again or openings name the event, and the head is another one.

    Another root is no decision of anybody's: the first card that was opened under it gives it away.
    """
    bundle = last_hand(bundle_of(game))
    segment = bundle.hands[0].segment
    for at, entry in enumerate(segment.entries):
        for field, other in changes(entry.event):
            forged = rebuilt(segment, changed(pairs(segment), at, other))
            found = wrong(with_hand(bundle, 0, forged))
            assert forged.head != segment.head
            assert "log" in [check.name for check in found], field
            assert names(found, {entry.version}) or field == "HandStarted.root", (field, entry.version, found)
            assert names(found, {*range(segment.first, segment.last + 1)}), field


@pytest.mark.parametrize("game", GAMES)
def test_every_event_of_a_hand_dropped_doubled_and_swapped(game: str) -> None:
    """The place is the event, its neighbour that is there instead, or the command that cannot be decided any more."""
    bundle = last_hand(bundle_of(game))
    segment = bundle.hands[0].segment
    whole, command = pairs(segment), segment.first
    for at, entry in enumerate(segment.entries):
        command = entry.version if entry.command else command
        forgeries = [dropped(whole, at), inserted(whole, at, entry.event)]
        if at + 1 < len(whole) and whole[at + 1][0] != entry.event:
            forgeries.append(swapped(whole, at))
        for forgery in forgeries:
            forged = rebuilt(segment, forgery)
            found = wrong(with_hand(bundle, 0, forged))
            assert forged.head != segment.head
            assert "log" in [check.name for check in found]
            assert names(found, {entry.version - 1, entry.version, entry.version + 1, command}), (entry, found)
            naive = wrong(with_hand(bundle, 0, rebuilt(segment, forgery, honest=True)))
            assert naive
            assert continues(whole, forgery) or "chain" in [check.name for check in naive], entry


def continues(whole: list[Pair], forgery: list[Pair]) -> bool:
    """Only the end is missing, or more follows: such a log has no wrong hash, but is no hand."""
    return all(one[0] == other[0] for one, other in zip(whole, forgery, strict=False))


@pytest.mark.parametrize("game", GAMES)
def test_who_leaves_the_hashes_breaks_the_chain_at_the_very_event(game: str) -> None:
    bundle = last_hand(bundle_of(game))
    segment = bundle.hands[0].segment
    for at, entry in enumerate(segment.entries):
        _, other = next(changes(entry.event))
        found = wrong(with_hand(bundle, 0, rebuilt(segment, changed(pairs(segment), at, other), honest=True)))
        (chain,) = [check for check in found if check.name == "chain"]
        assert names([chain], {entry.version})


HANDS = st.integers(0, 5)


@given(HANDS, HANDS, st.sampled_from(["drop", "double", "swap"]), st.sampled_from(list(GAMES)))
@settings(max_examples=8, deadline=None)
def test_hands_dropped_doubled_and_swapped(one: int, two: int, what: str, game: str) -> None:
    """Without another change: each hand is good by itself, but they do not follow from each other."""
    bundle = bundle_of(game)
    hands: list[Bundled] = list(bundle.hands)
    if what == "drop":
        if one in (0, 5):  # a file may begin and end where it likes: that is no forgery
            return
        del hands[one]
    elif what == "double":
        hands.insert(two, hands[one])
    elif one == two:
        return
    else:
        hands[one], hands[two] = hands[two], hands[one]
    found = wrong(bundle._replace(hands=tuple(hands)))
    assert {check.name for check in found} == {"order"}
    assert any(re.search(r"hand \d+", check.detail) for check in found)


@given(st.data())
@settings(max_examples=12, deadline=None)
def test_anything_at_all_done_to_events_and_hands_is_found(data: st.DataObject) -> None:
    """Some of it twice, in any hand, by either attacker."""
    bundle = bundle_of(data.draw(st.sampled_from(list(GAMES))))
    original = bundle
    for _ in range(data.draw(st.integers(1, 2))):
        at = data.draw(HANDS)
        segment = bundle.hands[at].segment
        whole = pairs(segment)
        place = data.draw(st.integers(1, len(whole) - 2))
        other = data.draw(st.sampled_from([other for _, other in changes(whole[place][0])]))
        forgery = data.draw(st.sampled_from([
            dropped(whole, place), inserted(whole, place, other), swapped(whole, place), changed(whole, place, other),
        ]))  # fmt: skip
        bundle = with_hand(bundle, at, rebuilt(segment, forgery, honest=data.draw(st.booleans())))
    same = all(pairs(a.segment) == pairs(b.segment) for a, b in zip(bundle.hands, original.hands, strict=True))
    found = wrong(bundle)
    assert same or any(re.search(r"version \d|hand \d", check.detail) for check in found)


def test_the_table_before_a_hand_is_bound_as_well() -> None:
    """Its options decide odd chips and rake, and no event of the hand tells them."""
    bundle = last_hand(bundle_of("razz"))
    hand = bundle.hands[0]
    assert hand.segment.before is not None
    options = {**hand.segment.before[2], "rake.percent": 5}
    before = (*hand.segment.before[:2], options, *hand.segment.before[3:])
    forged = hand._replace(segment=hand.segment._replace(before=before), before=pack(before))
    assert {"log"} <= {check.name for check in wrong(bundle._replace(hands=(forged,)))}
