"""The public cut: players' seeds, pledged before a hand, decide where its cards lie (COM-01, COM-76)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine import snapshot
from engine.commands import Close, Expire, ExtendClock, Pause, PledgeSeed, Resume, RevealSeed, StartHand, VoidHand
from engine.cut import REVEAL_MS
from engine.deck import Deck, hand_id, pledge_of, public_cut, sealed_deck, verify_opening
from engine.events import CutFixed, Event
from engine.game import Game, games
from engine.refusals import Refused
from engine.state import UNCUT
from engine.table import Table, evolve
from engine.view import private_view, view, view_event
from tests.rules.random_play import Player, seed_of
from tests.rules.stories import Story, rule

SEED = bytes(range(32))
every_game = pytest.mark.parametrize("game", games().values(), ids=games())


class Cut(Story):
    """A table dealt as in production, whose players may pledge and reveal."""

    def stacked(self, seed: bytes, hand: bytes) -> Deck:
        return sealed_deck(seed, hand)

    def pledge(self, *names: str) -> None:
        number = self.table.number + 1
        for name in names:
            self.do(PledgeSeed(name, number, pledge_of(seed_of(name, number), hand_id(self.table.id, number))))

    def reveal(self, *names: str) -> list[Event]:
        """What the last reveal led to."""
        facts: list[Event] = []
        for name in names:
            facts = self.do(RevealSeed(name, self.table.number, seed_of(name, self.table.number)))
        return facts

    def wait(self) -> list[Event]:
        """Let the time for revealing run out."""
        return self.time_out()

    @property
    def cut(self) -> Any:
        return view(self.table)["hand"]["cut"]

    def expected(self, *names: str) -> bytes:
        """The cut that anybody can compute from what is public."""
        seeds = [seed_of(name, self.table.number) for name in names]
        return public_cut(seeds, self.hand.root, hand_id(self.table.id, self.table.number))


def table(game: str = "omaha8") -> Cut:
    story = Cut(game)
    for name in "ABC":
        story.sit(name, 100)
    return story


def dealt(*names: str) -> Cut:
    """A first hand for which these players have pledged; nobody has revealed yet."""
    story = table()
    story.pledge(*names)
    story.deal(seed=SEED)
    return story


def kinds(facts: list[Event]) -> list[str]:
    return [type(fact).__name__ for fact in facts]


# --- a hand with a cut


@rule("COM-01", "COM-76")
def test_without_pledges_the_cards_come_as_they_lie_and_at_once() -> None:
    story = dealt()
    assert story.cut == {"label": "server-only", "players": [], "awaited": []}
    assert story.hand.actor is not None
    assert story.hand.seats[story.hand.order[0]].cards == [0, 3, 6, 9]
    assert not story.kinds("SeedsAwaited", "CutFixed")


@rule("COM-01", "COM-76")
def test_the_kth_card_dealt_lies_where_the_seeds_of_the_players_say() -> None:
    story = dealt("A", "C")
    assert story.cut["label"] == "pending" and sorted(story.cut["awaited"]) == ["A", "C"]
    assert story.hand.actor is None and not story.received
    assert kinds(story.reveal("A")) == ["SeedRevealed"]
    facts = story.reveal("C")
    assert kinds(facts)[:2] == ["SeedRevealed", "CutFixed"]
    cut = story.expected("A", "C")
    ((_, dealt_now),) = story.kinds("RoundDealt")
    assert dealt_now.at == cut[:12] != UNCUT[:12]
    first = story.hand.seats[story.hand.order[0]]
    assert first.cards == list(cut[0:12:3])
    assert story.cut["label"] == "players" and sorted(story.cut["players"]) == ["A", "C"]


@rule("COM-01")
def test_openings_of_own_and_public_cards_hold_where_the_cut_has_put_them() -> None:
    story = dealt("A", "B")
    story.reveal("A", "B")
    hand = hand_id(story.table.id, 1)
    own = private_view(story.table, 0)
    assert own["at"] == story.hand.seats[0].cards != [0, 1, 2, 3]
    while story.street == "preflop":
        story.play(f"{story.turn} {'calls' if 'call' in story.asked else 'checks'}")
    (_, flop), *_ = story.kinds("BoardDealt")
    assert flop.at == story.expected("A", "B")[13:16]
    start = 0
    for at, card in zip(flop.at, flop.cards, strict=True):
        size = 208 if at < 48 else 144
        assert verify_opening(story.hand.root, hand, at, card, flop.openings[start : start + size])
        start += size


@rule("COM-73")
def test_who_does_not_reveal_in_time_is_left_out() -> None:
    story = dealt("A", "B", "C")
    assert story.hand.deadline == story.now + REVEAL_MS
    story.reveal("B")
    facts = story.wait()
    (_, fixed), *_ = story.kinds("CutFixed")
    assert kinds(facts)[0] == "CutFixed" and [player for player, _ in fixed.seeds] == ["B"]
    assert story.hand.cut == fixed.cut == story.expected("B")
    assert story.cut == {"label": "players", "players": ["B"], "awaited": []}
    assert story.refusal(RevealSeed("A", 1, seed_of("A", 1))) == "seed_too_late"


@rule("COM-73")
def test_when_nobody_reveals_the_hand_is_the_servers_alone() -> None:
    story = dealt("A")
    story.wait()
    assert (story.hand.cut, story.cut["label"]) == (UNCUT, "server-only")
    assert story.hand.actor is not None


@rule("COM-73")
def test_the_time_to_reveal_is_not_over_before_its_deadline() -> None:
    story = dealt("A")
    story.now = story.hand.deadline - 1
    assert story.refusal(Expire(story.table.turn, story.hand.deadline)) == "too_early"
    story.reveal("A")
    assert story.cut["label"] == "players"


@rule("COM-01")
def test_only_seeds_of_players_who_are_dealt_in_are_awaited() -> None:
    story = table()
    story.pledge("A", "B")
    story.leave("B")
    story.sit("D", 100, chair=4)
    story.pledge("D")
    story.leave("D")
    story.deal()
    assert story.cut["awaited"] == ["A"]


@rule("COM-01", "COM-76")
def test_a_pledge_is_for_one_hand() -> None:
    story = dealt("A")
    story.reveal("A")
    story.pledge("B")
    assert [seat["pledged"] for seat in view(story.table)["seats"][:3]] == [False, True, False]
    story.finish()
    story.deal()
    assert story.cut["awaited"] == ["B"]
    assert not any(seat["pledged"] for seat in view(story.table)["seats"][:3])
    story.reveal("B")
    story.finish()
    story.deal()
    assert story.cut["label"] == "server-only"


@rule("COM-76")
def test_a_snapshot_between_hands_keeps_the_pledges() -> None:
    story = table()
    story.pledge("A", "C")
    loaded = snapshot.restore(story.table.id, snapshot.take(story.table))
    assert loaded == story.table and list(loaded.pledges) == ["A", "C"]
    older = snapshot.restore(story.table.id, (2, *snapshot.take(story.table)[1:-1]))
    assert older is not None and older.pledges == {}


# --- what is refused


@rule("COM-10")
@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda good: good._replace(seed=bytes(32)), "seed_mismatch"),
        (lambda good: good._replace(seed=good.seed[1:]), "malformed_seed"),
        (lambda good: good._replace(seed=good.seed.hex()), "malformed"),
        (lambda good: good._replace(player="B"), "no_pledge"),
        (lambda good: good._replace(hand=0), "seed_too_late"),
        (lambda good: good._replace(hand=2), "seed_too_early"),
    ],
)
def test_a_seed_that_is_not_the_pledged_one_is_refused(change: Callable[[Any], Any], code: str) -> None:
    story = dealt("A", "C")
    good = RevealSeed("A", 1, seed_of("A", 1))
    assert story.refusal(change(good)) == code
    story.do(good)
    assert story.refusal(good) == "already_revealed"


@rule("COM-10")
@pytest.mark.parametrize(
    ("command", "code"),
    [
        (PledgeSeed("Z", 1, bytes(32)), "not_your_seat"),
        (PledgeSeed("A", 2, bytes(32)), "stale_hand"),
        (PledgeSeed("A", 1, bytes(31)), "malformed_seed"),
        (PledgeSeed("A", 1, "a" * 32), "malformed"),  # type: ignore[arg-type]
        (RevealSeed("A", 1, bytes(32)), "seed_too_early"),
        (RevealSeed("A", 0, bytes(32)), "seed_too_late"),
    ],
)
def test_what_is_no_pledge_is_refused(command: Any, code: str) -> None:
    assert table().refusal(command) == code


@rule("COM-10")
def test_a_pledge_stands_once_it_is_made() -> None:
    story = table()
    story.pledge("A")
    assert story.refusal(PledgeSeed("A", 1, bytes(32))) == "already_pledged"


@rule("COM-10")
def test_nobody_acts_before_the_cut() -> None:
    story = dealt("A")
    assert story.refused("A folds") == "not_your_turn"
    assert story.refusal(StartHand(SEED, b"")) == "hand_running"


# --- what comes between


@rule("COM-73")
def test_a_pause_stops_the_time_to_reveal() -> None:
    story = dealt("A")
    deadline = story.hand.deadline
    story.do(Pause("host"))
    story.now += 60_000
    assert story.refusal(RevealSeed("A", 1, seed_of("A", 1))) == "table_paused"
    assert story.refusal(Expire(story.table.turn, deadline)) == "table_paused"
    story.do(Resume("host"))
    assert story.hand.deadline == deadline + 60_000
    story.reveal("A")
    assert story.cut["label"] == "players"


@rule("COM-73")
def test_an_outage_gives_the_time_to_reveal_back() -> None:
    story = dealt("A")
    deadline = story.hand.deadline
    story.do(ExtendClock(5000, "outage"))
    assert story.hand.deadline == deadline + 5000


@rule("COM-11", "COM-55")
def test_the_hand_goes_on_when_a_player_leaves_before_the_cut() -> None:
    story = dealt("A", "B")
    story.leave("A")
    story.reveal("B")
    story.wait()
    assert story.cut["players"] == ["B"]
    story.finish()
    assert story.table.places[0] is None


@rule("COM-55")
def test_a_hand_is_voided_or_its_table_closed_before_the_cut() -> None:
    story = dealt("A")
    story.do(VoidHand("host", "lost"))
    assert story.cut["label"] == "server-only" and not story.table.playing
    story = dealt("A")
    story.do(Close("host"))
    story.wait()
    story.finish()
    assert story.table.places[:3] == [None] * 3


# --- every game


@rule("COM-76", "COM-75")
@every_game
def test_every_game_is_dealt_by_the_cut(game: Game) -> None:
    """And folds from its log at every step; nobody learns the seeds' effect before they are all there."""
    player = Player(game, 3, sealed_deck, seeded=True)
    fixed = 0
    for _ in range(6):
        if not player.hand():
            break
    folded = Table(player.table.id)
    for step in player.steps:
        for fact in step.facts:
            evolve(folded, fact)
            assert view_event(fact) is not None
            fixed += isinstance(fact, CutFixed)
        hand = folded.hand
        if hand and hand.pledges:
            assert not hand.dealt or hand.cut is not None
            assert taken(hand) == set((hand.cut or UNCUT)[: hand.dealt])
    assert fixed, "no hand had a cut"
    assert view(folded) == view(player.table)


def taken(hand: Any) -> set[int]:
    """Positions of all cards that have left the deck."""
    everywhere = [at for seat in hand.seats.values() for at in seat.cards]
    return {*everywhere, *hand.board, *hand.burned, *hand.discards, *hand.aside.values()}


@rule("COM-10")
def test_a_refusal_of_a_seed_does_not_tell_it() -> None:
    story = dealt("A")
    with pytest.raises(Refused) as refusal:
        story.do(RevealSeed("A", 1, bytes(range(32))))
    assert bytes(range(32)).hex() not in str(refusal.value.detail) + str(refusal.value)
