"""Simulated tables: the same seed gives the same bytes everywhere, and every hand stands an audit."""

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import msgpack
import pytest
from click.testing import CliRunner

from engine.cards import parse_many
from engine.game import games
from engine.games.hasaga.shop import ITEMS
from engine.refusals import Refused
from services.cli.simulate import Auditor, command
from services.policies import POLICIES, Draw, offers_of, strength_of
from services.simulate import Played, Setup, simulate
from services.variety import HANDS_A_TABLE, Varied, some_options
from services.wire import EVENTS

ROOT = Path(__file__).parents[2]
SCRIPT = """
import sys
from services.simulate import Setup, simulate
for game in sys.argv[1:]:
    for policy in ("random", "bots"):
        print(simulate(Setup(game, tables=2, hands=15, seed=7, policy=policy)).digest)
"""


def digests(python: str, hash_seed: str, path: str = str(ROOT)) -> list[str]:
    """What another process says for the same simulations."""
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": path}
    words = [python, "-W", "error", "-c", SCRIPT, *games()]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=True, cwd=ROOT)
    return done.stdout.split()


@pytest.fixture(scope="module")
def expected() -> list[str]:
    return digests(sys.executable, "0")


@pytest.mark.parametrize("hash_seed", ["1", "random"])
def test_the_digest_does_not_depend_on_the_order_of_hashing(expected: list[str], hash_seed: str) -> None:
    assert digests(sys.executable, hash_seed) == expected
    assert len(set(expected)) == len(expected) == 2 * len(games())


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13", "3.14"])
def test_the_digest_is_the_same_on_every_python(expected: list[str], version: str, tmp_path: Path) -> None:
    python = other_python(version)
    if python is None:
        pytest.skip(f"no Python {version} on this machine")
    # The package alone: its extension does not load there, so this also compares MessagePack in pure Python.
    (tmp_path / "msgpack").symlink_to(Path(msgpack.__file__).parent)
    assert digests(python, "random", f"{ROOT}{os.pathsep}{tmp_path}") == expected


def other_python(version: str) -> str | None:
    """An interpreter of that version that really starts."""
    known = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))
    for python in [*map(str, known), shutil.which(f"python{version}")]:
        if python and subprocess.run([python, "-c", ""], capture_output=True, check=False).returncode == 0:
            return python
    return None


@pytest.mark.parametrize("policy", list(POLICIES))
@pytest.mark.parametrize("game", list(games()))
def test_every_simulated_hand_conserves_chips_and_stands_an_audit(game: str, policy: str) -> None:
    """COM-55, and `decide` again on the recorded commands."""
    words = [game, "--hands", "25", "--policy", policy, "--audit", "--json"]
    done = CliRunner().invoke(command, words)
    assert done.exit_code == 0, done.output
    report = json.loads(done.stdout)
    assert report["audited"] == {"hands": 25, "ok": True, "failed": []}
    assert report["hands"] == 25
    assert report["actions_per_second"] > report["hands_per_second"] > 0


@pytest.mark.parametrize("game", list(games()))
def test_tables_left_to_chance_stand_it_too(game: str) -> None:
    """Random options, players and stacks; the bank counts, tournaments go on at the next table."""
    words = [game, "--vary", "--hands", "90", "--policy", "bots", "--audit", "--json"]
    done = CliRunner().invoke(command, words)
    assert done.exit_code == 0, done.output
    report = json.loads(done.stdout)
    assert report["audited"] == {"hands": 90, "ok": True, "failed": []}
    assert report["seats"] is None


def test_chance_takes_every_choice_and_never_what_is_refused() -> None:
    """A key that is set stays; one that no table takes is told instead of tried for ever."""
    draw, game = Draw(3), games()["abyssinia"]
    found = [some_options(game, draw, {"abyssinia.ante": 3}) for _ in range(200)]
    assert {options["abyssinia.ante"] for options in found} == {3}
    variants = {(options["abyssinia.hidden"], options["abyssinia.declare"]) for options in found}
    assert len(variants) == 4
    assert len({options["abyssinia.bet"] for options in found}) >= 3
    assert {options["rotation"] for options in (some_options(games()["mixed"], draw, {}) for _ in range(50))} > {"razz"}
    with pytest.raises(Refused, match="unknown_option"):
        some_options(game, draw, {"nothing": 1})


def test_players_chairs_and_stacks_differ_from_table_to_table() -> None:
    tables: dict[str, tuple[int, int, int]] = {}

    def look(played: Played) -> None:
        assert played.table.hand is not None
        starts = [seat.start for seat in played.table.hand.seats.values()]
        tables.setdefault(played.table.id, (len(starts), len(played.table.places), min(starts)))

    simulate(Setup("razz", hands=HANDS_A_TABLE * 12, policy="calldown", bare=True), look, Varied)
    assert len(tables) >= 12
    assert all(len({table[k] for table in tables.values()}) > 2 for k in range(3))


def test_a_log_that_gives_another_table_is_found() -> None:
    """The test of the check: a chip has moved without an event."""
    kept: list[Played] = []
    simulate(Setup("razz", hands=1, keep=True), kept.append)
    (played,) = kept
    auditor = Auditor(True)
    auditor.check(played)
    assert not auditor.failed
    giver, taker, *_ = (place for place in played.table.places if place)
    giver.chips, taker.chips = giver.chips - 1, taker.chips + 1
    auditor = Auditor(True)
    auditor.check(played)
    assert [check.name for check in auditor.failed[0][2].checks if not check.ok] == ["same table"]


def told_by(game: str, hands: int, **chosen: object) -> Counter[str]:
    """What happens in the hands of bots: purchases, sales, sources, declarations, shares won, cards on the board."""
    found: Counter[str] = Counter()

    def look(played: Played) -> None:
        assert played.table.hand is not None
        found[f"board {len(played.table.hand.board)}"] += 1
        for fact in (EVENTS.decode(row.event) for row in played.log):
            kind = type(fact).__name__
            said = {"Fee": "item", "Bought": "source", "Awarded": "share"}.get(kind)
            found[f"{kind} {getattr(fact, said)}" if said else kind] += 1
            if kind == "Declared":
                found.update(choice for _, choice in fact.choices)
            if kind == "Sold" and fact.at:
                found["Sold for chips"] += 1

    simulate(Setup(game, hands=hands, policy="bots", keep=True, chosen=chosen), look)
    return found


def test_bots_play_hasaga_to_all_its_ends_and_buy_everything_there_is() -> None:
    """Without a contest and at a showdown, on no, three, four and five cards, by merged hands, to the last winner."""
    found = told_by("hasaga", 150)
    assert [item.name for item in ITEMS if not found[f"Fee {item.name}"]] == []
    ends = ["Awarded all", "Awarded only", "board 0", "board 3", "board 4", "board 5"]
    rest = ["Sold for chips", "ExtraBlindTaken", "PoolSplit", "Shown", "Mucked", "PlayerRanked", "UnmatchedReturned"]
    assert [what for what in (*ends, *rest) if not found[what]] == []


@pytest.mark.parametrize("declare", [False, True])
def test_bots_play_abyssinia_to_all_its_ends_and_buy_from_everywhere(declare: bool) -> None:
    found = told_by("abyssinia", 150, **{"abyssinia.declare": declare, "abyssinia.hidden": declare})
    sources = [f"Bought {source}" for source in ("left", "right", "blind")]
    ends = ["Awarded all", "Awarded high", "Awarded low", "Returned"]
    variant = ["high", "low", "both", "Awarded only", "Shown"] if declare else []
    assert [what for what in (*sources, *ends, *variant) if not found[what]] == []


def test_bots_fold_split_and_scoop_at_omaha_8() -> None:
    """Where nearly every hand looks good for one half or the other."""
    found = told_by("omaha8", 100)
    assert [share for share in ("all", "only", "high", "low", "both") if not found[f"Awarded {share}"]] == []


def test_other_seeds_policies_and_options_give_other_digests() -> None:
    setup = Setup("razz", hands=5)
    others = [
        setup._replace(seed=1),
        setup._replace(policy="calldown"),
        setup._replace(chosen={"razz.ante": 2}),
        setup._replace(tables=2),
        setup._replace(bare=True),
    ]
    found = [simulate(other).digest for other in [setup, *others]]
    assert len(set(found)) == len(found)


def test_everybody_sits_down_with_100_big_bets_and_six_or_the_most_seats() -> None:
    hands: list[tuple[int, ...]] = []

    def look(played: Played) -> None:
        assert played.table.hand is not None
        hands.append(tuple(seat.start for seat in played.table.hand.seats.values()))

    simulate(Setup("razz", hands=1), look)
    simulate(Setup("omaha8", hands=1, seats=10), look)
    assert hands == [(2000,) * 6, (400,) * 10]


def test_a_bare_deck_has_no_root_and_an_ordinary_one_has() -> None:
    roots: list[bytes] = []

    def look(played: Played) -> None:
        assert played.table.hand is not None
        roots.append(played.table.hand.root)

    simulate(Setup("razz", hands=1, bare=True), look)
    simulate(Setup("razz", hands=1), look)
    assert [len(root) for root in roots] == [0, 32]


@pytest.mark.parametrize(
    "words",
    [
        ["razz", "--set", "nothing=1"],
        ["razz", "--seats", "11"],
        ["razz", "--bare", "--audit"],
        ["razz", "--set", "x"],
    ],
)
def test_wrong_use_is_told_apart_from_a_failed_check(words: list[str]) -> None:
    done = CliRunner().invoke(command, [*words, "--hands", "1"])
    assert done.exit_code == 2
    assert "Error" in done.stderr


def test_calldown_mucks_checks_and_calls_but_never_folds_or_raises() -> None:
    calldown = POLICIES["calldown"]
    draw = Draw(1)
    assert calldown({"fold": (0, 0), "call": (4, 4), "raise": (8, 8)}, float, draw) == ("call", None, None)
    assert calldown({"check": (0, 0), "bet": (4, 4)}, float, draw) == ("check", None, None)
    assert calldown({"bring_in": (5, 5), "complete": (10, 10)}, float, draw) == ("bring_in", 5, None)
    assert calldown({"show": (0, 0), "muck": (0, 0)}, float, draw) == ("muck", None, None)


def test_the_random_policy_takes_every_kind_equally_often_and_raises_the_minimum() -> None:
    """Uniform over fold, call and raise at the minimum."""
    legal = {"fold": (0, 0), "call": (4, 4), "raise": (8, 400)}
    draw = Draw(1)
    chosen = [POLICIES["random"](legal, float, draw) for _ in range(3000)]
    counts = [chosen.count(choice) for choice in [("fold", None, None), ("call", None, None), ("raise", 8, None)]]
    assert sum(counts) == 3000
    assert min(counts) > 900


def test_bots_bet_good_hands_more_often_and_stay_within_the_bounds() -> None:
    legal = {"fold": (0, 0), "call": (4, 4), "raise": (8, 400)}
    draw = Draw(1)

    def raises(strength: float) -> int:
        choices = [POLICIES["bots"](legal, lambda: strength, draw) for _ in range(500)]
        assert all(8 <= amount <= 400 for verb, amount, _ in choices if verb == "raise" and amount is not None)
        return sum(choice.verb == "raise" for choice in choices)

    assert raises(0.95) > raises(0.5) > raises(0.1)


def test_strength_sees_pairs_for_high_and_small_cards_for_low() -> None:
    aces, rags, low = [51, 50], [0, 21], [48, 0, 5]
    assert strength_of(aces, [], ["high"]) > strength_of(rags, [], ["high"])
    assert strength_of(low, [], ["low"]) > strength_of(aces, [], ["low"])
    assert strength_of([], [], ["high"]) == 0.0


def test_cards_are_bought_that_suit_the_hand() -> None:
    """A pair toward high, a small card toward low; a card that spoils both is left for the unknown one."""
    offers = offers_of(
        {"buy": [{"source": side} for side in ("left", "right", "blind")]},
        {"left": {"card": "Kd", "price": 1}, "right": {"card": "3c", "price": 2}},
    )
    shares = ["high", "low"]

    def bought(cards: str) -> object:
        def strength(more: Sequence[int] = (), share: str = "") -> float:
            return strength_of([*parse_many(cards), *more], [], [share] if share else shares)

        choice = POLICIES["bots"]({"buy": (1, 4)}, strength, Draw(1), offers)
        return choice.args and choice.args["source"]

    assert [bought("Ks Kh"), bought("Ac 2d 4h")] == ["left", "right"]
    assert POLICIES["calldown"]({"buy": (1, 4)}, float, Draw(1), offers).args == {"source": "left"}
    at_random = {str(POLICIES["random"]({"buy": (1, 4)}, float, Draw(seed), offers).args) for seed in range(40)}
    assert len(at_random) == 3


def test_the_better_looking_half_is_declared_and_both_where_both_look_good() -> None:
    offers = offers_of({"declare": [{"choice": choice} for choice in ("high", "low", "both")]}, {})

    def declared(high: float, low: float) -> object:
        looks = {"high": high, "low": low}
        choice = POLICIES["bots"]({"declare": (0, 0)}, lambda more=(), share="": looks[share], Draw(1), offers)
        return choice.args and choice.args["choice"]

    assert [declared(0.8, 0.3), declared(0.3, 0.8), declared(0.9, 0.9)] == ["high", "low", "both"]


@pytest.mark.parametrize("chosen", [{"abyssinia.hidden": True}, {"abyssinia.declare": True}])
def test_the_variants_of_abyssinia_stand_an_audit_too(chosen: dict[str, bool]) -> None:
    words = [word for key, value in chosen.items() for word in ("--set", f"{key}={str(value).lower()}")]
    done = CliRunner().invoke(command, ["abyssinia", "--hands", "15", "--audit", "--json", *words])
    assert done.exit_code == 0, done.output
