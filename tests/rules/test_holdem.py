"""Hold'em (HLD-01..10). What it shares with Omaha is told in test_omaha8.py, test_button.py and test_posting.py."""

import pytest

from engine.commands import ChangeOptions, OpenTable, Post
from engine.game import find_game
from engine.refusals import Refused
from engine.view import view
from tests.rules.stories import Story, holdem, rule

BOARD = "Qh Jd 8s 5c 2d"


def called_down(hands: dict[str, str], board: str, **keys: object) -> Story:
    """A and B call the blinds and check to the end; A has the button."""
    named = {key.replace("__", "."): value for key, value in keys.items()}
    hand = holdem("A 100, B 100", "no_limit 1/2", "A", hands, board, named)
    hand.play("A calls; B checks")
    hand.check_down()
    return hand


@rule("HLD-01")
def test_two_cards_each_one_at_a_time_that_only_their_owner_sees() -> None:
    hand = holdem("D 100, S 100, G 100", hands={"S": "As Ks"})
    assert hand.cards("S") == "As Ks"
    assert [at for _, at in hand.received] == [[0, 3], [1, 4], [2, 5]]
    assert view(hand.table, 1)["you"]["cards"] == ["As", "Ks"]
    assert "As" not in str(view(hand.table, 2))


@rule("HLD-02")
def test_two_to_ten_players() -> None:
    assert find_game("holdem").seats == range(2, 11)
    ten = holdem(", ".join(f"P{k} 100" for k in range(10)))
    ten.finish()
    assert ten.hand.over
    with pytest.raises(Refused, match="bad_option"):
        find_game("holdem").resolve({"seats": 11})


@rule("HLD-03")
def test_four_rounds_the_first_left_of_the_big_blind_the_others_left_of_the_button() -> None:
    hand = holdem("D 100, S 100, G 100, U 100")
    turns = []
    while hand.table.playing and hand.street != "showdown":
        if not turns or turns[-1][0] != hand.street:
            turns.append((hand.street, hand.turn))
        hand.play(f"{hand.turn} {'calls' if 'call' in hand.asked else 'checks'}")
    assert turns == [("preflop", "U"), ("flop", "S"), ("turn", "S"), ("river", "S")]


@rule("HLD-03")
def test_heads_up_the_button_has_the_small_blind_and_acts_first_once() -> None:
    hand = holdem("A 100, B 100", "no_limit 1/2", "A")
    assert hand.asked == "A: fold, call 1, raise to 4..100"
    hand.play("A calls; B checks")
    assert hand.turn == "B"


@rule("HLD-04")
def test_the_board_comes_after_burned_cards() -> None:
    hand = called_down({}, BOARD)
    assert hand.hand.burned == [4, 8, 10]
    assert hand.hand.board == [5, 6, 7, 9, 11]
    assert hand.board == BOARD
    assert called_down({}, BOARD, holdem__burn=False).hand.board == [4, 5, 6, 7, 8]


@rule("HLD-05")
def test_the_big_blind_may_raise_when_nobody_has() -> None:
    hand = holdem("D 100, S 100, G 100", "no_limit 1/2")
    hand.play("D calls; S calls")
    assert hand.asked == "G: check, raise to 4..100"
    hand.play("G checks")
    assert hand.street == "flop"


@rule("HLD-06")
@pytest.mark.parametrize(
    ("own", "other", "board", "winner"),
    [
        ("Qs Qc", "As Ks", "Qh Jd 8s 5c 2d", "A"),  # two own cards: trips
        ("Ah 3c", "Kh 4c", "Qh Jh 8h 5h 2d", "A"),  # one own card: the higher flush
        ("As Ad", "Ks 3c", "Kh Kd Kc 5h 2d", "B"),  # one own card: four kings
        ("3c 2c", "4s 2s", "Ah Kh Qh Jh Th", "AB"),  # none: the board plays
    ],
)
def test_the_best_five_of_seven_whoever_they_belong_to(own: str, other: str, board: str, winner: str) -> None:
    hand = called_down({"A": own, "B": other}, board)
    assert hand.stacks == {"A": "A 102, B 98", "B": "A 98, B 102", "AB": "A 100, B 100"}[winner]


@rule("HLD-07")
def test_limit_bets_double_on_the_turn() -> None:
    hand = holdem("A 100, B 100", "limit 2/4", "A")
    hand.play("A calls; B checks")
    assert hand.asked == "B: check, bet 4"
    hand.play("B checks; A checks")
    assert hand.asked == "B: check, bet 8"
    hand.play("B bets; A raises to 16; B raises to 24; A raises to 32")
    assert hand.asked == "B: fold, call 8"


@rule("HLD-08")
@pytest.mark.parametrize(("structure", "most"), [("no_limit", 98), ("pot_limit", 4)])
def test_pot_limit_and_no_limit_bet_at_least_the_big_blind(structure: str, most: int) -> None:
    hand = holdem("A 100, B 100", f"{structure} 1/2", "A")
    hand.play("A calls; B checks; B checks; A checks")
    assert hand.street == "turn"
    assert hand.asked == f"B: check, bet 2..{most}"


@rule("HLD-09")
def test_the_small_blind_is_half_the_big_one_unless_set() -> None:
    game = find_game("holdem")
    for big, small, expected in ((5, None, 2), (1, None, 1), (5, 5, 5), (5, 0, 0)):
        options = game.resolve({"holdem.big_blind": big, "holdem.small_blind": small})
        assert game.stakes(options).small_blind == expected
    with pytest.raises(Refused, match="bad_option"):
        game.resolve({"holdem.big_blind": 5, "holdem.small_blind": 6})


@rule("HLD-10")
def test_antes_come_before_the_blinds_and_are_nobodys_bet() -> None:
    hand = holdem("D 100, S 100, G 100", "no_limit 5/10", keys={"holdem.ante": 2})
    assert hand.antes == "S 2, G 2, D 2"
    assert [kind for kind, _ in hand.kinds("AntesPaid", "BlindPosted")] == ["AntesPaid"] + ["BlindPosted"] * 2
    assert hand.asked == "D: fold, call 10, raise to 20..98"
    hand.play("D folds; S folds")
    assert hand.stacks == "D 98, S 93, G 109"


@rule("HLD-10")
def test_an_ante_counts_for_side_pots_and_may_leave_no_blind() -> None:
    """G has three chips: two for the ante, one for the big blind, whose price stays ten."""
    hand = holdem("D 100, S 100, G 3", "no_limit 5/10", keys={"holdem.ante": 2})
    assert hand.asked == "D: fold, call 10, raise to 20..98"
    hand.play("D calls; S calls")
    assert hand.pots == "9 S+G+D, 18 S+D"
    broke = holdem("D 100, S 100, G 2", "no_limit 5/10", keys={"holdem.ante": 2})
    assert broke.asked == "D: fold, call 10, raise to 20..98"
    assert broke.pots.startswith("6 S+G+D")


@rule("HLD-10", "COM-40", "COM-69")
@pytest.mark.parametrize(("chips", "refusal"), [(12, "insufficient_chips"), (19, "insufficient_chips"), (20, None)])
def test_who_posts_has_the_chips_for_the_ante_too(chips: int, refusal: str | None) -> None:
    """N is new: ten for the ante, which is paid first, and ten for the big blind."""
    story = Story("holdem", {"seats": 6, "holdem.big_blind": 10, "holdem.ante": 10})
    for name in "1234":
        story.sit(name, 1000)
    story.deal_first("1")
    story.finish()
    story.sit("N", chips, chair=5)
    if refusal:
        assert story.refusal(Post(5, "N")) == refusal
    else:
        story.ask(Post, "N")
    story.deal()
    assert ("N" in story.order.split()) == (refusal is None)
    story.finish()


@rule("HLD-10", "COM-69", "MIX-06")
def test_an_ante_that_has_grown_leaves_a_post_for_later() -> None:
    """N has asked to post in time, whatever stud asks for; his chips are counted again when the cards are dealt."""
    story = Story("mixed", {"rotation": "holdem stud", "stud.ante": 500})
    for name in "1234":
        story.sit(name, 1000)
    story.deal_first("1")
    story.finish()
    story.sit("N", 15, chair=5)
    story.ask(Post, "N")
    story.do(ChangeOptions("host", {"holdem.ante": 10}))
    story.deal()
    assert (story.hand.game.name, "N" in story.order.split()) == ("holdem", False)
    assert story.table.place(story.names["N"]).posting


@rule("HLD-10")
def test_pot_limit_counts_the_antes() -> None:
    hand = holdem("D 100, S 100, G 100", "pot_limit 5/10", keys={"holdem.ante": 2})
    assert hand.asked == "D: fold, call 10, raise to 20..41"


@rule("HLD-01", "HLD-06")
def test_omaha_high_is_omaha_without_a_low() -> None:
    """Four cards, two of them play; the whole pot to the high."""
    story = Story("omaha", {"seats": 6})
    story.sit("A", 100)
    story.sit("B", 100)
    story.deal()
    assert len(story.cards("A").split()) == 4
    assert [share.name for share in find_game("omaha").shares] == ["high"]
    assert story.refusal(OpenTable("omaha", {})) == "table_exists"
    story.finish()
    assert story.table.chips() == 200
