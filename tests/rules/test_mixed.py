"""Mixed tables (MIX-01..10): what is dealt in turn, blinds across games, dealer's choice."""

import pytest

from engine import snapshot
from engine.commands import AddChips, ChangeOptions, ChooseGame, Post, SitIn, SitOut, StartHand
from engine.game import find_game
from engine.positions import can_deal
from engine.refusals import Refused
from engine.rotation import gap_ms
from engine.view import view
from tests.rules.stories import Story, rule
from workers.lobby import lobby_row

HORSE = ["holdem", "omaha8", "razz", "stud", "stud8"]


def table(names: str, game: str = "mixed", **keys: object) -> Story:
    story = Story(game, {key.replace("__", "."): value for key, value in keys.items()})
    for name in names:
        story.sit(name, 1000)
    return story


def after_a_hand(rotation: str) -> Story:
    """Dealer's choice, and it is B who may choose."""
    story = table("ABC", rotation=rotation, rotation__choose=True)
    story.deal_first("A")
    story.finish()
    return story


def deal(story: Story) -> str:
    """The next hand, over at once; what it was a hand of."""
    story.deal()
    game = story.hand.game.name
    story.finish()
    return game


def dealt(story: Story, hands: int) -> list[str]:
    return [deal(story) for _ in range(hands)]


@rule("MIX-01", "MIX-02")
def test_games_follow_each_other_for_an_orbit_each() -> None:
    story = table("ABC", rotation="razz holdem")
    assert dealt(story, 7) == ["razz"] * 3 + ["holdem"] * 3 + ["razz"]


@rule("MIX-02")
def test_an_orbit_is_as_long_as_the_first_hand_had_players() -> None:
    """D comes too late for the first orbit and counts in the second; B leaves in the middle of it."""
    story = table("ABC", rotation="razz stud holdem")
    assert deal(story) == "razz"
    story.sit("D", 1000)
    assert dealt(story, 3) == ["razz", "razz", "stud"]
    story.leave("B")
    assert dealt(story, 4) == ["stud", "stud", "stud", "holdem"]


@rule("MIX-03")
def test_or_for_a_number_of_hands() -> None:
    story = table("ABC", rotation="stud omaha8", rotation__hands=2)
    assert dealt(story, 5) == ["stud", "stud", "omaha8", "omaha8", "stud"]


@rule("MIX-01", "MIX-03")
def test_a_changed_list_begins_anew_where_the_game_is_no_longer_in_it() -> None:
    story = table("ABC", rotation="stud omaha8", rotation__hands=2)
    deal(story)
    story.do(ChangeOptions("host", {"rotation": "razz stud holdem"}))
    assert dealt(story, 2) == ["stud", "holdem"]
    story.do(ChangeOptions("host", {"rotation": "razz omaha8"}))
    assert deal(story) == "razz"


@rule("MIX-04")
def test_a_hand_is_one_of_its_game_in_everything() -> None:
    story = table("ABC", rotation="razz holdem", rotation__hands=1, razz__small=20, holdem__structure="no_limit")
    story.deal()
    started = story.kinds("HandStarted")[0][1]
    assert (started.game, started.rules) == ("razz", "razz/1")
    assert story.asked.endswith("bring in 10, complete to 20")
    story.finish()
    story.deal()
    assert view(story.table)["hand"]["game"] == "holdem"
    assert view(story.table)["game"] == "mixed"
    assert len(story.hand.seats[0].cards) == 2
    assert ": fold, call 10, raise to 20..10" in story.asked


@rule("MIX-04")
def test_the_lobby_says_mixed_where_the_games_are_bet_in_several_ways() -> None:
    """Stud has limits whatever hold'em has."""
    for structure, words in (("no_limit", ["no_limit", "mixed"]), ("limit", ["limit", "limit"])):
        stories = [table("A", rotation=games, holdem__structure=structure) for games in ("holdem", "stud holdem")]
        assert [lobby_row(story.table)["structure"] for story in stories] == words


@rule("MIX-05")
def test_blinds_stand_still_while_a_game_has_none() -> None:
    """Two hands each with four seats, where moving on would have the same two players pay every big blind."""
    story = table("ABCD", rotation="holdem razz", rotation__hands=2)
    paid = []
    for _ in range(8):
        story.deal()
        paid += [story.name(fact.seat) for _, fact in story.kinds("BlindPosted") if fact.kind == "big"]
        story.finish()
    first = "ABCD".index(paid[0])
    assert paid == [*"ABCDABCD"][first : first + 4]


@rule("MIX-05")
def test_the_dealers_place_goes_on_from_the_last_button() -> None:
    story = table("ABCD", rotation="holdem razz", rotation__hands=1)
    story.deal()
    button = story.hand.button
    story.finish()
    story.deal()
    assert story.hand.button == (button + 1) % 4
    assert story.kinds("BlindPosted") == []


@rule("MIX-05")
def test_a_first_hand_with_blinds_draws_its_button() -> None:
    story = table("ABCD", rotation="razz holdem", rotation__hands=1)
    dealt(story, 1)
    assert story.table.big == -1
    story.deal()
    assert len(story.kinds("BlindPosted")) == 2
    assert len(story.hand.order) == 4


@rule("MIX-06")
def test_who_owes_a_blind_plays_hands_without_and_owes_it_still() -> None:
    """D comes during hold'em: dealt into razz at once, into hold'em again with the big blind only."""
    story = table("ABC", rotation="holdem razz", rotation__hands=1)
    story.deal_first("A")
    story.finish()
    story.sit("D", 1000, 7)  # between C, who had the big blind, and A
    story.deal()
    assert (story.hand.game.name, story.order) == ("razz", "C D A B")
    story.finish()
    assert story.table.place(7).owes_big == 10
    story.deal()
    assert (story.hand.game.name, story.name(story.hand.big)) == ("holdem", "D")
    assert story.table.place(7).owes_big == 0


@rule("MIX-06")
def test_the_wish_to_post_waits_for_a_hand_with_blinds() -> None:
    story = table("ABCDE", rotation="holdem razz", rotation__hands=1)
    story.deal_first("A")
    story.finish()
    story.leave("E")
    story.sit("F", 1000, 4)
    story.ask(Post, "F")
    story.deal()
    assert story.hand.game.name == "razz"
    assert story.kinds("Posted") == []
    story.finish()
    assert story.table.place(4).posting
    story.deal()
    assert [(story.name(fact.seat), fact.live) for _, fact in story.kinds("Posted")] == [("F", 10)]


@rule("MIX-06")
def test_a_hand_without_blinds_makes_no_debts() -> None:
    story = table("ABCD", rotation="razz holdem", rotation__hands=4)
    story.deal_first("A")
    story.finish()
    story.ask(SitOut, "B")
    for _ in range(3):
        deal(story)
        assert story.kinds("BlindsOwed") == []
    assert story.table.place(1).missed_orbits == 1


# --- dealer's choice


@rule("MIX-07")
def test_the_choice_passes_one_player_clockwise_per_hand() -> None:
    story = table("ABC", rotation="holdem razz stud", rotation__choose=True)
    assert view(story.table)["rotation"] == {"games": ["holdem", "razz", "stud"], "next": "holdem", "chooser": None}
    story.deal_first("A")
    story.finish()
    games = []
    for name, game in (("B", "stud"), ("C", "razz"), ("A", "stud"), ("B", "holdem")):
        assert view(story.table)["rotation"]["chooser"] == story.names[name]
        story.ask(ChooseGame, name, game)
        assert view(story.table)["rotation"] == {"games": ["holdem", "razz", "stud"], "next": game, "chooser": None}
        games.append(deal(story))
    assert games == ["stud", "razz", "stud", "holdem"]


@rule("MIX-07")
def test_who_sits_out_has_no_choice() -> None:
    story = table("ABC", rotation__choose=True)
    story.deal_first("A")
    story.finish()
    story.leave("B")
    assert view(story.table)["rotation"]["chooser"] == story.names["C"]


@rule("MIX-07")
def test_a_choice_out_of_turn_of_no_game_or_during_a_hand_is_refused() -> None:
    story = table("ABC", rotation="holdem razz", rotation__choose=True)
    assert story.refusal(ChooseGame(0, "A", "razz")) == "not_your_turn"
    story.deal_first("A")
    assert story.refusal(ChooseGame(1, "B", "razz")) == "hand_running"
    story.finish()
    assert story.refusal(ChooseGame(2, "C", "razz")) == "not_your_turn"
    assert story.refusal(ChooseGame(1, "C", "razz")) == "not_your_seat"
    assert story.refusal(ChooseGame(1, "B", "stud")) == "illegal_action"
    story.ask(ChooseGame, "B", "razz")
    assert story.refusal(ChooseGame(1, "B", "holdem")) == "not_your_turn"
    plain = table("ABC", "razz")
    deal(plain)
    assert plain.refusal(ChooseGame(0, "A", "razz")) == "not_your_turn"


@rule("MIX-07")
def test_a_choice_that_the_host_has_taken_out_of_the_list_is_none() -> None:
    story = after_a_hand("holdem razz stud")
    story.ask(ChooseGame, "B", "stud")
    story.do(ChangeOptions("host", {"rotation": "holdem razz"}))
    assert view(story.table)["rotation"] == {"games": ["holdem", "razz"], "next": "holdem", "chooser": story.names["C"]}
    story.ask(ChooseGame, "C", "razz")
    assert deal(story) == "razz"


@rule("MIX-08")
def test_without_a_word_the_last_game_is_dealt_again_and_the_choice_is_gone() -> None:
    story = after_a_hand("holdem razz")
    story.ask(ChooseGame, "B", "razz")
    assert deal(story) == "razz"
    assert deal(story) == "razz"
    assert [(story.name(fact.seat), fact.game, fact.default) for _, fact in story.kinds("GameChosen")] == [
        ("C", "razz", True)
    ]
    assert view(story.table)["rotation"]["chooser"] == story.names["A"]


@rule("MIX-08")
def test_there_is_time_to_choose_before_the_pause() -> None:
    story = table("ABC", rotation__choose=True, rotation__choose_seconds=7, hand_gap_seconds=3)
    assert gap_ms(story.table) == 3000
    deal(story)
    assert gap_ms(story.table) == 10_000
    chooser = story.name(view(story.table)["rotation"]["chooser"])
    story.ask(ChooseGame, chooser, "stud8")
    assert gap_ms(story.table) == 3000


@rule("MIX-04")
def test_a_table_loaded_between_hands_goes_on_where_it_was() -> None:
    story = after_a_hand("holdem razz")
    story.ask(ChooseGame, "B", "razz")
    loaded = snapshot.restore(story.table.id, snapshot.take(story.table))
    assert loaded is not None
    assert loaded.rotation == story.table.rotation
    assert {**view(loaded), "hand": None, "seats": None} == {**view(story.table), "hand": None, "seats": None}
    plain = table("ABC", "razz")
    assert snapshot.take(plain.table)[12] is None


# --- what a mix is


@rule("MIX-09")
def test_horse_is_five_limit_games_in_their_order() -> None:
    story = table("AB", "horse", rotation__hands=1)
    assert dealt(story, 6) == [*HORSE, "holdem"]
    game = find_game("horse")
    assert game.seats == range(2, 9)
    options = game.resolve({})
    assert game.stakes(options) == (1, 5, 5, 10, 10, 20)
    for name in HORSE:
        stakes = find_game(name).stakes(options)
        assert (stakes.small_bet, stakes.big_bet) == (10, 20)
    for key in ("holdem.structure", "omaha.structure"):
        with pytest.raises(Refused, match="bad_option"):
            game.resolve({key: "no_limit"})
    with pytest.raises(Refused, match="bad_option"):
        game.resolve({"rotation": "razz stud"})


@rule("MIX-10")
@pytest.mark.parametrize("rotation", ["", "razz razz", "razz chess", "horse", "mixed razz", "razz,stud"])
def test_a_list_names_games_that_can_be_mixed_once_each(rotation: str) -> None:
    with pytest.raises(Refused, match="bad_option"):
        find_game("mixed").resolve({"rotation": rotation})


@rule("MIX-04", "MIX-10")
def test_only_keys_of_the_games_in_the_list_are_keys_of_the_table() -> None:
    game = find_game("mixed")
    assert "stud.small" not in game.resolve({"rotation": "razz holdem"})
    with pytest.raises(Refused, match="unknown_option"):
        game.resolve({"rotation": "razz holdem", "stud.small": 20})
    story = table("ABC", rotation="razz holdem", razz__small=20)
    story.do(ChangeOptions("host", {"rotation": "stud razz", "stud.small": 30}))
    assert story.table.options is not None
    assert (story.table.options["razz.small"], story.table.options["stud.small"]) == (20, 30)
    assert "holdem.big_blind" not in story.table.options
    assert story.refusal(ChangeOptions("host", {"holdem.big_blind": 4})) == "unknown_option"


@rule("MIX-10")
def test_blinds_are_the_same_in_all_games_and_buy_ins_count_the_largest_bet() -> None:
    game = find_game("mixed")
    with pytest.raises(Refused, match="bad_option"):
        game.resolve({"rotation": "holdem omaha8", "holdem.big_blind": 4})
    game.resolve({"rotation": "holdem razz", "holdem.big_blind": 4})
    stakes = game.stakes(game.resolve({"rotation": "holdem razz", "razz.small": 30}))
    assert (stakes.big_blind, stakes.big_bet) == (10, 60)


# --- too few chips for one of the games


def with_a_short_stack(rotation: str, **keys: object) -> Story:
    """B has less than the reserve of Abyssinia, which is 41; one hand of each game."""
    story = table("", rotation=rotation, rotation__hands=1, **keys)
    for name, chips in (("A", 100), ("B", 30), ("C", 100)):
        story.sit(name, chips)
    return story


@rule("MIX-04", "MIX-11", "ABY-06")
def test_who_has_too_little_for_one_game_is_dealt_into_the_others() -> None:
    story = with_a_short_stack("razz abyssinia")
    story.deal_first("C")
    assert story.order == "A B C"
    story.finish()
    assert view(story.table)["seats"][1]["state"] == "below_minimum"
    story.deal()
    assert (story.hand.game.name, story.order) == ("abyssinia", "C A")
    assert view(story.table)["seats"][1]["state"] == "in"


@rule("MIX-05", "MIX-11")
def test_and_pays_their_blinds() -> None:
    """Though he is too short for Abyssinia, which comes next: nobody plays for nothing."""
    story = with_a_short_stack("holdem abyssinia")
    story.deal_first("C")
    assert story.amounts("BlindPosted") == "A 5, B 10"


@rule("MIX-07", "MIX-11")
def test_who_is_too_short_for_the_last_game_chooses_all_the_same() -> None:
    """C sits out, and Abyssinia cannot be dealt again: B says what is."""
    story = with_a_short_stack("abyssinia razz", rotation__choose=True)
    story.deal_first("A")
    while story.table.playing:
        story.time_out()
    assert story.hand.game.name == "abyssinia"
    story.ask(SitIn, "A")
    assert (can_deal(story.table), view(story.table)["rotation"]["chooser"]) == (False, 1)
    story.ask(ChooseGame, "B", "razz")
    assert can_deal(story.table)
    story.deal()
    assert sorted(story.order.split()) == ["A", "B"]


@rule("MIX-11")
def test_a_game_that_fewer_than_two_can_pay_for_is_not_chosen_and_waits_for_chips() -> None:
    story = with_a_short_stack("razz abyssinia", rotation__choose=True)
    story.deal_first("A")
    story.finish()
    story.ask(SitOut, "C")
    assert story.refusal(ChooseGame(1, "B", "abyssinia")) == "not_enough_players"
    story.ask(ChooseGame, "B", "razz")
    in_turn = with_a_short_stack("razz abyssinia")
    deal(in_turn)
    in_turn.ask(SitOut, "C")
    assert not can_deal(in_turn.table)
    assert in_turn.refusal(StartHand(bytes(32), b"")) == "not_enough_players"
    in_turn.ask(AddChips, "B", 20)
    assert can_deal(in_turn.table)
    in_turn.deal()
    assert in_turn.hand.game.name == "abyssinia"
