"""Who shows first, who may muck, what is seen (COM-60..64)."""

import pytest

from engine.commands import Disconnect
from engine.view import view
from tests.rules.stories import Story, omaha, razz, rule

BOARD = "Kh 8s 7d 4h Qh"
HANDS = {"A": "Qs Jc 2c Tc", "B": "Ks Kd Jh 9c", "C": "As 2s 5c 6c", "D": "8h 8d Jd Js"}


def four(line: str, keys: dict[str, object] | None = None) -> Story:
    """Limit 1/2, A left of the button: B holds kings, C the straight and the low, D eights, A a pair."""
    hand = omaha("A 100, B 100, C 100, D 100", button="D", hands=HANDS, board=BOARD, keys=keys)
    hand.play("C calls; D calls; A calls; B checks")
    hand.play(line)
    hand.check_down()
    return hand


@rule("COM-60", "OM8-74", "OM8-73")
@pytest.mark.parametrize(
    ("line", "first"),
    [
        (
            "A checks; B bets 2; C raises to 4; D folds; A folds; B calls; all check; all check",
            "C",
        ),
        (
            "all check; A checks; B bets 4; C calls; D calls; A calls; all check",
            "B",
        ),
        (
            "A checks; B checks; C checks; D bets 2; A calls; B calls; C calls; "
            "A checks; B checks; C bets 4; D raises to 8; A calls; B calls; C calls; "
            "all check",
            "D",
        ),
        (
            "all check; all check; A bets 4; B calls; C raises to 8; D calls; A calls; B calls",
            "C",
        ),
    ],
)
def test_the_last_voluntary_bettor_shows_first_looking_back_street_by_street(line: str, first: str) -> None:
    """P061."""
    assert four(line).showdown.startswith(f"{first} shows")


@rule("COM-60")
def test_without_any_bet_the_first_to_act_on_the_river_shows_first() -> None:
    """Blinds, posts and a checked option are no voluntary bets."""
    hand = four("all check; all check")
    assert hand.showdown == "A shows, B shows, C shows, D mucks"


@rule("COM-60")
def test_a_raise_before_the_flop_counts_when_nothing_was_bet_later() -> None:
    hand = omaha("A 100, B 100, C 100", button="A", hands={"C": HANDS["A"]}, board=BOARD)
    hand.play("A calls; B calls; C raises to 4; A calls; B calls")
    hand.check_down()
    assert hand.showdown.startswith("C shows")


@rule("COM-60")
def test_showdown_first_final_street_only() -> None:
    """The bet of the turn does not count: first to act on the river shows."""
    line = "all check; A checks; B checks; C checks; D bets 4; A calls; B calls; C calls"
    assert four(line).showdown.startswith("D shows")
    assert four(line, {"showdown.first": "final_street_only"}).showdown.startswith("A shows")
    river = "all check; all check;" \
        "A checks; B checks; C bets 4; D calls; A calls; B calls"  # fmt: skip
    assert four(river, {"showdown.first": "final_street_only"}).showdown.startswith("C shows")


@rule("COM-60", "RAZ-33")
def test_the_bring_in_is_no_voluntary_bet_but_the_double_is() -> None:
    cards = {"D": "7c 7d Jh 9d Td 9c Ts", "A": "Ah 2h 4h 6c 8h Kc Kd", "B": "Ac 2s 5s 7s 3s Qc Qd"}
    hand = razz("D 300, A 300, B 300", cards)
    hand.run("D brings in for 5; A calls; B calls")
    assert hand.showdown.startswith("B shows")
    hand = razz("D 300, A 300, B 300", cards)
    hand.run("D completes to 10; A calls; B calls")
    assert hand.showdown.startswith("D shows")


@rule("COM-61", "OM8-75")
def test_hands_that_tie_or_beat_what_is_shown_are_shown_the_others_may_muck() -> None:
    line = "all check; A checks; B checks; C bets 4; D raises to 8; A calls; B calls; C calls"
    assert four(line).showdown == "D shows, A mucks, B shows, C shows"


@rule("COM-61", "OM8-76")
def test_a_beaten_hand_is_asked_to_show_or_muck() -> None:
    hand = omaha("A 100, B 100", button="A", hands={"A": HANDS["A"], "B": HANDS["B"]}, board=BOARD)
    hand.play("A calls; B checks; B checks; A checks; B checks; A checks; B bets 4; A calls")
    assert hand.asked == "A: show, muck"
    assert hand.refused("A checks") == "illegal_action"
    hand.play("A shows")
    assert hand.showdown == "B shows, A shows"
    assert hand.stacks == "A 94, B 106"


@rule("COM-61", "OM8-75")
def test_a_hand_that_ties_what_is_shown_is_shown() -> None:
    """B's kings and queens, twice; nobody has a low."""
    hands = {"A": "Ks Qd 9h 9s", "B": "Kd Qs 9c 9d"}
    hand = omaha("A 100, B 100", button="A", hands=hands, board=BOARD)
    hand.play("A calls; B checks; all check; all check; B bets 4; A calls")
    assert hand.showdown == "B shows, A shows"


@rule("COM-61", "COM-71")
def test_a_timeout_at_the_showdown_mucks() -> None:
    hand = omaha("A 100, B 100", button="A", hands={"A": HANDS["A"], "B": HANDS["B"]}, board=BOARD)
    hand.play("A calls; B checks; B checks; A checks; B checks; A checks; B bets 4; A calls; A times out")
    assert hand.showdown == "B shows, A mucks"


@rule("COM-61")
def test_a_low_that_is_the_only_one_is_a_claim() -> None:
    """B's kings are not beaten, but C has the only low."""
    hands = {"B": HANDS["B"], "C": "Ad 2d 9h 9s"}
    hand = omaha("B 100, C 100", button="C", hands=hands, board=BOARD)
    hand.play("C calls; B checks; B checks; C checks; B checks; C checks; B bets 4; C calls")
    assert hand.showdown == "B shows, C shows"


@rule("COM-61", "COM-51")
def test_a_claim_on_a_side_pot_is_a_claim() -> None:
    """A's hand is the best; B beats C in the side pot and is shown."""
    hands = {"A": "5h 6h As 2s", "B": HANDS["B"], "C": HANDS["A"]}
    hand = omaha("A 20, B 100, C 100", "no_limit 1/2", button="C", hands=hands, board=BOARD)
    hand.play("C raises to 20; A calls; B calls; B bets 20; C calls")
    hand.check_down()
    assert hand.showdown == "B shows, C mucks, A shows"


@rule("COM-62", "OM8-77")
def test_mucking_never_loses_a_winning_hand() -> None:
    """A winner has no choice: he is shown; a mucked hand never had a claim."""
    hand = four("all check; all check")
    winners = {hand.name(seat) for _, _, seat, amount in hand.hand.awards if amount}
    shown = {word.split()[0] for word in hand.showdown.split(", ") if word.endswith("shows")}
    assert winners <= shown
    assert hand.awards == "0 both C 8"


@rule("COM-63")
def test_all_in_hands_stay_face_down_until_the_showdown() -> None:
    hand = omaha("A 100, B 100", "no_limit 1/2", hands=HANDS, board=BOARD)
    hand.play("A raises to 100; B calls")
    kinds = [kind for kind, _ in hand.kinds("Shown", "BoardDealt", "StreetBegan")]
    assert kinds.index("Shown") > max(at for at, kind in enumerate(kinds) if kind == "BoardDealt")


@rule("COM-63")
def test_all_in_face_up_turns_hands_up_before_the_board_is_run_out() -> None:
    hand = omaha("A 100, B 100, C 100", "no_limit 1/2", board=BOARD, keys={"showdown.all_in_face_up": True})
    hand.play("A raises to 100; B calls; C folds")
    kinds = [kind for kind, _ in hand.kinds("Shown", "BoardDealt")]
    assert kinds == ["Shown", "Shown", "BoardDealt", "BoardDealt", "BoardDealt"]


@rule("COM-63")
def test_all_in_face_up_waits_while_two_seats_can_still_bet() -> None:
    hand = omaha("A 20, B 100, C 100", "no_limit 1/2", button="C", keys={"showdown.all_in_face_up": True})
    hand.play("C raises to 20; A calls; B calls")
    assert hand.showdown == ""
    hand.play("B bets 80; C folds")
    assert hand.showdown == "A shows, B shows"


@rule("COM-63")
def test_all_in_face_up_in_razz_shows_the_last_down_card_too() -> None:
    cards = {"D": "7c 8d Jh 9d 8h 3s Td", "A": "Ah 2h 4h 6c 8c Kc Kd"}
    hand = razz("D 11, A 11", cards, keys={"showdown.all_in_face_up": True})
    hand.play("D completes to 10; A calls")
    assert all(hand.hand.open[at] for seat in (0, 1) for at in hand.hand.seats[seat].cards)


@rule("COM-64", "OM8-82", "OM8-83", "OM8-84")
def test_mucked_cards_are_known_to_the_record_and_to_nobody_else() -> None:
    """P063: the last hands of who was dealt in hold them; the public state never does."""
    hand = omaha("A 100, B 100, C 100", button="C", hands=HANDS, board=BOARD)
    hand.play("C folds; A calls; B checks; A checks; B checks; A checks; B checks; A checks; B bets 4; A calls")
    hand.play("A mucks")
    live = [hand.name(i) for i in hand.hand.live()]
    assert live == ["A", "B"]
    assert hand.cards("A") == HANDS["A"]
    seats = view(hand.table)["seats"]
    assert seats[0]["cards"] == [None] * 4
    assert seats[1]["cards"] == HANDS["B"].split()
    assert hand.table.options is not None
    assert hand.table.options["history.per_session"] == 50


@rule("COM-64")
def test_an_uncontested_winner_and_folded_hands_have_no_showdown_cards() -> None:
    hand = omaha("A 100, B 100, C 100", hands=HANDS)
    hand.play("A folds; B folds")
    assert hand.street == "preflop"
    assert hand.hand.live() == [2]
    assert all(card is None for seat in view(hand.table)["seats"] if seat for card in seat["cards"])


@rule("OM8-81")
def test_an_all_in_seat_forces_a_showdown_although_the_last_bet_is_uncalled() -> None:
    hands = {"A": HANDS["C"], "B": HANDS["B"], "C": HANDS["A"]}
    hand = omaha("A 30, B 200, C 200", "no_limit 1/2", button="C", hands=hands, board=BOARD)
    hand.play("C calls; A raises to 30; B calls; C calls; all check; B bets 40; C calls; B bets 60; C folds")
    assert hand.returned == "B 60"
    assert hand.showdown == "B shows, A shows"
    assert hand.stacks == "A 90, B 210, C 130"


@rule("COM-62", "COM-72")
def test_a_disconnected_winner_is_shown_and_paid() -> None:
    hand = omaha("A 100, B 100", button="A", hands={"A": HANDS["C"], "B": HANDS["B"]}, board=BOARD)
    hand.ask(Disconnect, "B")
    hand.play("A raises to 4; B calls")
    hand.check_down()
    assert hand.stacks == "A 104, B 96"
