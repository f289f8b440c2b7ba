"""Razz when the deck runs short before seventh street (RAZ-27..29, RAZ-C06, RAZ-C07)."""

from engine.games.razz import low
from engine.rankings import razz_low, showing_lows
from tests.rules.stories import Story, rule


def eight(fold_on: str = "", stay: str = "ABCDEFGH", dealt: str = "ABCDEFGH") -> Story:
    """Everybody calls and checks; on one street those who do not stay fold to a bet. Up to seventh street."""
    story = Story("razz")
    for name in dealt:
        story.sit(name, 300)
    story.deal_first("A")
    while story.table.playing and story.street != "7th":
        asked = story.asked.split(": ")[1]
        if "bring in" in asked:
            story.play(f"{story.turn} brings in for 5")
        elif story.street == fold_on and "bet" in asked and story.turn in stay:
            story.play(f"{story.turn} bets {20 if fold_on > '4th' else 10}")
        elif "check" in asked:
            story.play(f"{story.turn} checks")
        else:
            story.play(f"{story.turn} {'calls' if story.street != fold_on or story.turn in stay else 'folds'}")
    return story


@rule("RAZ-27", "RAZ-28", "RAZ-C06", "RAZ-29")
def test_eight_players_on_seventh_street_share_one_community_card() -> None:
    """P104: the 52nd card, without a burn."""
    story = eight()
    assert story.board == "As"
    assert story.hand.dealt == 52
    assert len(story.hand.burned) == 3
    assert [len(seat.cards) for seat in story.hand.seats.values()] == [6] * 8
    story.check_down()
    assert story.hand.over


@rule("RAZ-C06", "RAZ-29")
def test_a_community_card_although_only_two_are_left() -> None:
    story = eight(fold_on="6th", stay="AB")
    assert len(story.hand.live()) == 2
    assert story.board == "As"


@rule("RAZ-C06")
def test_the_community_card_comes_after_a_burn_if_two_cards_are_left() -> None:
    """Eight on fourth street, seven after it: 3 cards for 7 hands."""
    story = eight(fold_on="4th", stay="ABCDEFG")
    assert len(story.hand.live()) == 7
    assert len(story.hand.board) == 1
    assert len(story.hand.burned) == 4
    assert story.hand.dealt == 51


@rule("RAZ-C06")
def test_one_card_more_than_players_is_burned() -> None:
    """Eight dealt in, six from fourth street on: 7 cards for 6 hands."""
    story = eight(fold_on="3rd", stay="ABCDEF")
    assert story.hand.board == []
    assert len(story.hand.burned) == 4
    assert story.hand.dealt == 52


@rule("RAZ-C06")
def test_seven_cards_for_seven_players_are_dealt_without_a_burn() -> None:
    story = eight(dealt="ABCDEFG")
    assert story.hand.board == []
    assert len(story.hand.burned) == 3
    assert story.hand.dealt == 52
    assert [len(seat.cards) for seat in story.hand.seats.values()] == [7] * 7


@rule("RAZ-28", "RAZ-C07")
def test_the_community_card_counts_in_every_hand_but_not_for_the_order() -> None:
    story = eight()
    assert [len(seat.up) for seat in story.hand.seats.values()] == [4] * 8
    scores = showing_lows(story.hand.deck, [seat.up for seat in story.hand.seats.values()])
    assert story.hand.first == story.hand.order[scores.index(max(scores))]
    assert all(low(story.hand, i) == razz_low([*story.hand.cards_of(i), 51]) for i in range(8))
    assert story.hand.first == 6  # G, who opened sixth street, too
    folded = eight(fold_on="6th", stay="AB").hand  # the others have folded, G among them
    up = {i: folded.seats[i].up for i in (0, 1)}
    best, other = showing_lows(folded.deck, up.values())
    assert folded.first == 0 and best > other
    best, other = showing_lows(folded.deck, [[*at[1:], *folded.board] for at in up.values()])
    assert best < other  # with the ace in the middle instead of the door cards B would be first
