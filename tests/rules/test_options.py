"""The keys a table may change: defaults, ranges, reserved values (rule book, configuration keys)."""

import pytest

from engine.commands import AddChips, ChangeOptions, Close, OpenTable, Sit
from engine.game import find_game, games
from engine.games.hasaga import LEVELS
from engine.games.hasaga.shop import ITEMS
from engine.refusals import Refused
from engine.table import Table, act
from tests.rules.stories import Story, omaha, rule

Row = tuple[object, tuple[object, ...], tuple[object, ...]]  # default, allowed, not allowed

COMMON: dict[str, Row] = {
    "showdown.first": ("latest_street", ("final_street_only",), ("", "first", None, 1)),
    "showdown.all_in_face_up": (False, (True,), (0, 1, "true", None)),
    "action_seconds": (30, (0, 1, 86_400), (-1, 86_401, "30", None, True, 1.5)),
    "time_bank_seconds": (60, (0, 600), (-1, None, "60", False)),
    "disconnect_grace_seconds": (15, (0, 3_600), (-1, 3_601, None)),
    "disconnect_policy": ("timeout", (), ("all_in_protection", "", None)),
    "history.per_session": (50, (), (49, 51, 0, None)),
    "rake.percent": (0, (5, 100), (-1, 101, None, 2.5)),
    "rake.cap": (None, (0, 3), (-1, "none")),
    "rake.no_flop_no_drop": (True, (False,), (1, 0, None)),
    "odd_chip": ("clockwise", (), ("site", None)),
    "odd_chip_unit": (1, (5, 100), (0, -1, None)),
    "buy_in.min": (20, (0, 100), (-1, None)),
    "buy_in.max": (200, (0, 1000), (-1, None)),
    "hand_gap_seconds": (3, (0, 60), (-1, None)),
    "max_missed_orbits": (None, (1, 3), (0, -1, "off")),
    "name": ("", ("Ring", "x" * 60), ("x" * 61, 7, None)),
    "seats": (None, (2, 6, 8), (0, 1, 11, "6")),
}
LIMIT: dict[str, Row] = {
    "limit.max_raises": (3, (1, 4), (0, -1, None, True)),
    "limit.heads_up_uncapped": (False, (True,), (1, None)),
}

def blinds(game: str, structure: str) -> dict[str, Row]:
    """Keys of a game with blinds."""
    others = tuple(name for name in ("limit", "pot_limit", "no_limit") if name != structure)
    return {
        **LIMIT,
        "button": ("dead_button", (), ("moving_button", None)),
        f"{game}.structure": (structure, others, ("spread", None, "Limit")),
        f"{game}.big_blind": (2, (1, 100), (0, -2, None, 1.0)),
        f"{game}.small_blind": (None, (0, 1, 2), (-1, 3, "1")),
        f"{game}.burn": (True, (False,), (1, 0, None)),
    }


def antes(game: str) -> dict[str, Row]:
    """Keys of a game with antes and a bring-in."""
    return {
        **LIMIT,
        f"{game}.ante": (1, (0, 5), (-1, None)),
        f"{game}.bring_in": (None, (1, 5, 9), (0, 10, 11, -1)),
        f"{game}.small": (10, (2, 50), (1, 0, None)),
        f"{game}.big": (None, (20,), (19, 21, 10, 0)),
        f"{game}.short_stub": ("community", (), ("reshuffle_burns", None)),
    }


OWN: dict[str, dict[str, Row]] = {
    "omaha": blinds("omaha", "pot_limit"),
    "omaha8": {**blinds("omaha", "limit"), "omaha.identical_split": ("whole", ("halves",), ("", None))},
    "holdem": {**blinds("holdem", "no_limit"), "holdem.ante": (0, (1, 50), (-1, None))},
    "razz": {
        **antes("razz"),
        "razz.odd_chip": ("low_card", ("clockwise",), ("high_card", None)),
        "razz.low_tie": ("clockwise", ("high_suit",), ("low_suit", None)),
    },
    "stud": {
        **antes("stud"),
        "stud.open_pair": ("double", ("single",), ("triple", None)),
        "stud.high_tie": ("clockwise", ("high_suit",), ("low_suit", None)),
    },
    "stud8": {
        **antes("stud8"),
        "stud8.high_tie": ("clockwise", ("high_suit",), ("low_suit", None)),
        "stud8.identical_split": ("whole", ("halves",), ("", None)),
    },
    "abyssinia": {
        "limit.max_raises": LIMIT["limit.max_raises"],
        "abyssinia.ante": (1, (0, 5), (-1, 1_000_001, None, "1")),
        "abyssinia.bet": (1, (1, 10), (0, -1, 1_000_001, None)),
        **{f"abyssinia.price.{kind}": (price, (0, 9), (-1, 1_000_001, None, 1.5))
           for kind, price in (("low", 2), ("high", 1), ("ace", 4))},
        "abyssinia.min_stack": (None, (41, 100), (40, 0, -1, "41")),
        "abyssinia.hidden": (False, (True,), (0, 1, None)),
        "abyssinia.declare": (False, (True,), (0, 1, None)),
    },
    "hasaga": {
        "button": ("dead_button", (), ("moving_button", None)),
        "seats": (None, (4, 6, 12), (0, 2, 5, 13, "6")),
        "showdown.all_in_face_up": (False, (), (True, 0, None)),
        "hasaga.stack": (1500, (1, 500), (0, -1, None)),
        "hasaga.levels": (LEVELS, ("5/10", "1/2 2/4+1"), ("", "10/5", "x" * 401, 5, None)),
        "hasaga.level_seconds": (600, (1, 60), (0, None)),
        **{f"hasaga.price.{item.name}": (item.price, (0, 7), (-1, 1001, None)) for item in ITEMS},
        **{f"hasaga.destination.{item.name}": (item.to, ("bank", "pot"), ("house", None)) for item in ITEMS},
        "hasaga.seating": ("adjacent", (), ("interleaved", None)),
        "hasaga.exb.call_price": ("bb", ("exb",), ("sb", None)),
        "hasaga.exb_window_seconds": (5, (0, 30), (-1, None)),
        "hasaga.merge_after": ("split_halves", (), ("keep", None)),
    },
}
TURNS: dict[str, Row] = {
    "rotation.hands": (None, (1, 8), (0, 1001, "orbit")),
    "rotation.choose": (False, (True,), (0, 1, None)),
    "rotation.choose_seconds": (10, (0, 600), (-1, 601, None)),
}
KEYS = [(game, key, *rows) for game, own in OWN.items() for key, rows in {**COMMON, **own}.items()]
KEYS += [(game, key, *rows) for game in ("horse", "mixed") for key, rows in TURNS.items()]


@rule("COM-21", "COM-60", "COM-63", "COM-64", "COM-66", "COM-71", "COM-72", "RAZ-C06", "OM8-C05", "MIX-03", "MIX-08")
@rule("HAS-C12", "HAS-C39", "ABY-C06")
@pytest.mark.parametrize(("game", "key", "default", "good", "bad"), KEYS, ids=[f"{row[0]}-{row[1]}" for row in KEYS])
def test_a_key_has_its_default_and_its_range(
    game: str, key: str, default: object, good: tuple[object, ...], bad: tuple[object, ...]
) -> None:
    """Reserved values are refused like any other that is not on the list."""
    options = {option.key: option for option in find_game(game).all_options()}
    assert options[key].default == default
    for value in good:
        assert find_game(game).resolve({key: value})[key] == value
    for value in bad:
        with pytest.raises(Refused) as refusal:
            find_game(game).resolve({key: value})
        assert refusal.value.code == "bad_option"


@rule("COM-21")
def test_every_key_of_every_game_is_in_the_table_above() -> None:
    dealt = {name: game for name, game in games().items() if game.shares}
    assert OWN.keys() == dealt.keys()
    for name, game in dealt.items():
        assert {option.key for option in game.all_options()} == {*COMMON, *OWN[name]}


@rule("MIX-04")
@pytest.mark.parametrize("name", ["horse", "mixed"])
def test_a_mix_has_the_keys_of_all_its_games(name: str) -> None:
    mix = find_game(name)
    keys = {option.key for option in mix.all_options()}
    own = {key for game in mix.deals(mix.resolve({})) for key in OWN[game]}
    assert keys >= {*COMMON, *TURNS, "rotation", *own}


def test_an_unknown_key_is_refused() -> None:
    with pytest.raises(Refused, match="unknown_option"):
        find_game("razz").resolve({"omaha.burn": True})
    with pytest.raises(Refused, match="unknown_game"):
        find_game("chess")


@rule("RAZ-C02", "OM8-C02")
def test_amounts_that_do_not_fit_together_are_refused() -> None:
    for game, keys in (
        ("razz", {"razz.small": 4, "razz.bring_in": 4}),
        ("razz", {"razz.small": 4, "razz.big": 10}),
        ("omaha8", {"omaha.small_blind": 5, "omaha.big_blind": 4}),
    ):
        with pytest.raises(Refused, match="bad_option"):
            find_game(game).resolve(keys)


@pytest.mark.parametrize("game", games())
def test_a_wrong_number_of_chairs_is_refused_with_what_that_game_takes(game: str) -> None:
    """Not with what some game takes; where players have two seats, odd numbers between the bounds are none."""
    chairs = find_game(game).seats
    for wrong in (chairs[0] - 1, chairs[-1] + 1, "six", True):
        with pytest.raises(Refused) as refused:
            find_game(game).resolve({"seats": wrong})
        assert refused.value.detail == {"key": "seats", "least": chairs[0], "most": chairs[-1]}
    for wrong in {*range(chairs[0], chairs[-1])} - {*chairs}:
        with pytest.raises(Refused) as refused:
            find_game(game).resolve({"seats": wrong})
        assert refused.value.detail == {"key": "seats", "choices": list(chairs)}


def test_options_change_between_hands_only_and_the_chairs_stay() -> None:
    hand = omaha("A 100, B 100, C 100")
    assert hand.refusal(ChangeOptions("host", {"omaha.big_blind": 4})) == "hand_running"
    hand.finish()
    assert hand.refusal(ChangeOptions("host", {"seats": 6})) == "bad_option"
    assert hand.refusal(ChangeOptions("host", {"omaha.big_blind": 0})) == "bad_option"
    hand.do(ChangeOptions("host", {"omaha.big_blind": 4, "omaha.small_blind": 2}))
    hand.deal()
    assert [fact.amount for _, fact in hand.kinds("BlindPosted")] == [2, 4]


@rule("COM-10")
def test_a_table_that_was_never_opened_refuses_everything_else() -> None:
    for command in (ChangeOptions("host", {}), Close("host"), Sit(0, "A", 100)):
        table = Table("000-NEW")
        with pytest.raises(Refused) as refusal:
            act(table, command, 0)
        assert refusal.value.code in ("no_such_table", "no_such_seat")
        assert table == Table("000-NEW")


@rule("COM-15")
def test_buy_ins_are_whole_positive_and_within_the_bounds_of_the_table() -> None:
    """Twenty to two hundred big bets: 80 to 800 at 1/2 limit."""
    story = Story("omaha8", {"buy_in.min": 20, "buy_in.max": 200})
    assert story.refusal(Sit(0, "A", 79)) == "stack_below_minimum"
    assert story.refusal(Sit(0, "A", 801)) == "buy_in_too_large"
    for chips in (0, -5, True, "80"):
        assert story.refusal(Sit(0, "A", chips)) == "malformed_amount"  # type: ignore[arg-type]
    story.sit("A", 80)
    story.ask(AddChips, "A", 720)
    assert story.refusal(AddChips(0, "A", 1)) == "buy_in_too_large"
    assert story.refusal(OpenTable("omaha8", {})) == "table_exists"
