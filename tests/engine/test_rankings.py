"""Scores against the words of the rule book, in three steps.

1. Five cards: every class of hands is compared with a scorer written straight from COM-02 and COM-03.
2. More cards: the score is the best of the fives that the game allows.
3. Hands that other programs got wrong (case numbers P…).
"""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations, combinations_with_replacement, pairwise
from math import comb, prod
from random import Random

import pytest

from engine.cards import parse, parse_many
from engine.hand_names import name_high, name_low
from engine.rankings import (
    WrongNumberOfCards,
    at_most_two,
    five_high,
    five_low,
    high,
    omaha_high,
    omaha_low,
    razz_low,
    showing_lows,
)

Cards = list[int]
Pick = Callable[[Random, int], Cards]


def plain_groups(ranks: list[int]) -> tuple[list[int], list[int]]:
    """Sizes of the groups of equal ranks and their ranks, larger groups first, then higher ranks."""
    groups = sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)
    return [size for size, _ in groups], [rank for _, rank in groups]


def plain_high(cards: Cards) -> tuple[int, list[int]]:
    """COM-02 word for word; the bigger tuple wins."""
    sizes, ranks = plain_groups([card // 4 for card in cards])
    flush = len({card % 4 for card in cards}) == 1
    if ranks == [12, 3, 2, 1, 0]:
        ranks = [3, 2, 1, 0, -1]
    straight = len(ranks) == 5 and ranks[0] - ranks[4] == 4
    shapes = [[1, 1, 1, 1, 1], [2, 1, 1, 1], [2, 2, 1], [3, 1, 1], "straight", "flush", [3, 2], [4, 1]]
    if straight or flush:
        return (8 if straight and flush else 5 if flush else 4), ranks
    return shapes.index(sizes), ranks


def plain_low(cards: Cards) -> tuple[list[int], list[int]]:
    """COM-03 word for word: fewer repetitions, then lower ranks with the ace as 1; the smaller tuple wins."""
    return plain_groups([card // 4 % 12 + 2 if card < 48 else 1 for card in cards])


def classes() -> Iterator[tuple[Cards, int]]:
    """Five cards for every class of hands that suits cannot tell apart, and the number of its hands."""
    for ranks in combinations_with_replacement(range(13), 5):
        counts = Counter(ranks)
        if max(counts.values()) == 5:
            continue
        suits = prod(comb(4, count) for count in counts.values())
        mixed = [4 * rank + (place + place // 4) % 4 for place, rank in enumerate(ranks)]
        if len(counts) == 5:
            yield [4 * rank + 2 for rank in ranks], 4
            yield mixed, suits - 4
        else:
            yield [4 * rank + place % 4 for place, rank in enumerate(ranks)], suits


def test_every_class_of_five_cards_stands_where_com_02_puts_it() -> None:
    """COM-02: same order, and a tie exactly where the rule sees one; 7,462 different high hands."""
    ordered = sorted((cards for cards, _ in classes()), key=plain_high)
    for worse, better in pairwise(ordered):
        assert (five_high(worse) < five_high(better)) == (plain_high(worse) < plain_high(better))
        assert five_high(worse) <= five_high(better)
    assert len({five_high(cards) for cards in ordered}) == 7462


def test_the_2598960_hands_fall_into_the_known_categories() -> None:
    """COM-02."""
    tally = Counter[str]()
    for cards, hands in classes():
        tally[name_high(high(cards)).category] += hands
    assert tally == {
        "straight flush": 40,
        "quads": 624,
        "full house": 3744,
        "flush": 5108,
        "straight": 10200,
        "trips": 54912,
        "two pair": 123552,
        "pair": 1098240,
        "no pair": 1302540,
    }


def test_every_class_of_five_cards_stands_where_com_03_puts_it_for_low() -> None:
    """COM-03: straights and flushes do not exist, so there are 6,175 different lows."""
    ordered = sorted((cards for cards, _ in classes()), key=plain_low, reverse=True)
    for worse, better in pairwise(ordered):
        assert (five_low(worse) < five_low(better)) == (plain_low(worse) > plain_low(better))
        assert five_low(worse) <= five_low(better)
    assert len({five_low(cards) for cards in ordered}) == 6175


def any_cards(chance: Random, count: int) -> Cards:
    return chance.sample(range(52), count)


def two_suits(chance: Random, count: int) -> Cards:
    """Flushes and straight flushes are common here."""
    return chance.sample([card for card in range(52) if card % 4 < 2], count)


def few_ranks(chance: Random, count: int) -> Cards:
    """Quads, full houses and counterfeited lows are common here."""
    ranks = chance.sample(range(13), 5)
    return chance.sample([4 * rank + suit for rank in ranks for suit in range(4)], count)


deals = pytest.mark.parametrize("pick", [any_cards, two_suits, few_ranks])


def best(fives: Iterator[tuple[int, ...]], score: Callable[[Cards], int]) -> int:
    return max(score(list(five)) for five in fives)


@deals
@pytest.mark.parametrize("count", [5, 6, 7])
def test_high_and_razz_low_take_the_best_five(pick: Pick, count: int) -> None:
    """COM-02, COM-03, COM-05."""
    chance = Random(f"any five of {count}")
    for _ in range(300):
        cards = pick(chance, count)
        assert high(cards) == best(combinations(cards, 5), five_high)
        assert razz_low(cards) == best(combinations(cards, 5), five_low)


@deals
def test_suits_and_the_order_of_the_cards_do_not_matter(pick: Pick) -> None:
    """COM-02, P019: suits never decide a pot."""
    chance = Random("renamed suits")
    for _ in range(300):
        cards = pick(chance, 7)
        names = chance.sample(range(4), 4)
        renamed = [card // 4 * 4 + names[card % 4] for card in chance.sample(cards, 7)]
        assert high(renamed) == high(cards)
        assert razz_low(renamed) == razz_low(cards)


def two_and_three(hole: Cards, board: Cards) -> Iterator[tuple[int, ...]]:
    return (two + three for two in combinations(hole, 2) for three in combinations(board, 3))


@deals
@pytest.mark.parametrize("on_board", [3, 4, 5])
def test_omaha_plays_two_hole_cards_and_three_of_the_board(pick: Pick, on_board: int) -> None:
    """OM8-26, OM8-27: high and low each choose their own two and three; on flop and turn too."""
    chance = Random("two and three")
    for _ in range(400 if on_board == 5 else 60):
        cards = pick(chance, 4 + on_board)
        hole, board = cards[:4], cards[4:]
        assert omaha_high(hole, board) == best(two_and_three(hole, board), five_high)
        lows = [five_low(list(five)) for five in two_and_three(hole, board) if eight_or_better(five)]
        assert omaha_low(hole, board) == max(lows, default=None)


def eight_or_better(five: tuple[int, ...]) -> bool:
    """OM8-C04: five different ranks from ace to eight."""
    ranks = {card // 4 for card in five}
    return len(ranks) == 5 and ranks <= {0, 1, 2, 3, 4, 5, 6, 12}


@deals
@pytest.mark.parametrize(("hole", "board"), [(0, 5), (1, 4), (2, 3), (2, 5), (3, 5), (4, 4), (5, 3), (6, 5)])
def test_hasaga_plays_at_most_two_hole_cards(pick: Pick, hole: int, board: int) -> None:
    """HAS-C06, HAS-C32: none, one or two, also on a board that was blocked at three or four cards."""
    chance = Random(f"at most two of {hole} with {board}")
    for _ in range(100):
        cards = pick(chance, hole + board)
        own, shared = cards[:hole], cards[hole:]
        fives = (a + b for n in range(3) for a in combinations(own, n) for b in combinations(shared, 5 - n))
        assert at_most_two(own, shared) == best(fives, five_high)


@deals
def test_a_dealt_omaha_low_is_a_razz_low_of_the_same_five(pick: Pick) -> None:
    """OM8-C04, COM-03: one scale for all lows, so that their names agree too."""
    chance = Random("one scale")
    lows = [(cards, omaha_low(cards[:4], cards[4:])) for cards in (pick(chance, 9) for _ in range(300))]
    for cards, low in lows:
        assert low is None or low in {five_low(list(five)) for five in combinations(cards, 5)}


def hand(text: str) -> Cards:
    return parse_many(text)


def razz(text: str) -> str:
    return name_low(razz_low(hand(text))).text()


def on_board(board: str) -> Callable[[str], int]:
    """A player's high with this board, as in Hasaga."""
    return lambda hole: at_most_two(hand(hole), hand(board))


def test_equal_hands_tie_in_either_order() -> None:
    """P018."""
    play = on_board("9s 2h 6d 7s 4c")
    assert play("8d Qc") == play("8c Qs")


def test_equal_flushes_of_different_suits_tie() -> None:
    """P019."""
    assert high(hand("As Ks 9s 5s 3s")) == high(hand("Ac Kc 9c 5c 3c"))


def test_a_straight_on_the_board_is_shared_by_all() -> None:
    """P079."""
    play = on_board("Jd Tc Qs Ks 9s")
    scores = {play(hole) for hole in ("9c 2s", "Jh Kh", "Qc 4h", "Qh 8d")}
    assert [name_high(score).text() for score in scores] == ["straight K"]


@pytest.mark.parametrize(
    ("case", "board", "winner", "loser"),
    [
        ("P080 all five cards of a flush count", "Qd Jd 9d Kc 6d", "Qc 7d", "5d Ah"),
        ("P081a kickers", "9c 7s 5h 5s 3c", "8h Ks", "4d Qs"),
        ("P081c a pair beats ace-king", "9s Jc 3c Qc 8h", "Qh 4h", "Ad Ks"),
        ("P081c the higher pair", "9s Jc 3c Qc 8h", "Qh 4h", "9c 5h"),
        ("P081d the higher of two pairs", "5s 6s Td 6h As", "3s Ad", "7h 7c"),
        ("P082 the lowest of three pairs is dropped", "4d 8s 4h 7d 8c", "7s 5s", "Kh 6h"),
        ("P085 the steel wheel beats a straight", "2d 3d 4d 5d Ks", "Ad 9c", "6c Qh"),
        ("P086 the queen of the suit", "Ah Kh 9h 6h 3h", "Qh 2c", "7h 7c"),
        ("P086 the seven of the suit plays", "Ah Kh 9h 6h 3h", "7h 7c", "As Ks"),
        ("P087 a pocket pair above the board's pairs", "5s 5h 8d 8c 2s", "Kh Kd", "Ah 3d"),
        ("P088a a full house beats trips", "Js 8c 8s Ah Tc", "As Ad", "6h 7h"),
        ("P088b trips beat a pair", "9h Jh 7d 2s Kc", "7c 7h", "Jc 5h"),
    ],
)
def test_the_better_hand_wins(case: str, board: str, winner: str, loser: str) -> None:
    play = on_board(board)
    assert play(winner) > play(loser), case


@pytest.mark.parametrize(
    ("board", "one", "other"),
    [("Ah Jd 3s Qc 3d", "8s 5h", "8h 2c"), ("Jd 7h Jc Kh Ks", "Ah 8h", "As Qc")],
)
def test_cards_beyond_the_best_five_break_no_tie(board: str, one: str, other: str) -> None:
    """P083, COM-05."""
    play = on_board(board)
    assert play(one) == play(other)


def test_a_flush_is_compared_from_the_top() -> None:
    """P081b: king high beats queen high."""
    assert high(hand("3c 4c 5c Tc Kc")) > high(hand("4h 5h 7h Th Qh"))


@pytest.mark.parametrize(
    ("case", "cards", "name"),
    [
        ("P084a a straight and a flush of different cards", "9c Th Jh Qh Kh 2h 3h", "flush K-Q-J-T-3"),
        ("P084b repeated ranks hide no straight", "2c 3d 3h 4s 5c 6d 6h", "straight 6"),
        ("P085 the ace is low in a straight flush", "Ad 2d 3d 4d 5d", "straight flush 5"),
        ("P085 a straight does not go round the corner", "Qd Kh Ad 2c 3s", "no pair A-K-Q-3-2"),
        ("P088a", "Js 8c 8s Ah Tc As Ad", "full house A-8"),
        ("P088c three of a kind is no full house", "Jh Jd Js 8h 4c", "trips J-8-4"),
        ("two sets of trips", "Jh Jd Js 8h 8c 8d 4c", "full house J-8"),
        ("quads and trips", "Jh Jd Js Jc 8c 8d 8h", "quads J-8"),
        ("six of a suit", "2h 4h 6h 8h Th Qh Ks", "flush Q-T-8-6-4"),
    ],
)
def test_the_high_hand_is_called(case: str, cards: str, name: str) -> None:
    assert name_high(high(hand(cards))).text() == name, case


@pytest.mark.parametrize(
    ("case", "hole", "board", "name"),
    [
        ("P091 two cards of the hand play", "Ks 8c Js 5c", "3s 5h Qs Qd 9h", "two pair Q-5-K"),
        ("P092", "As Ks 5d 7c", "Ts 7d 8h 4s 2c", "pair 7-A-T-8"),
        ("P095", "9c Td Ah 7s", "Qh 9h 5h Ts 6h", "two pair T-9-Q"),
        ("P097 OM8-30", "Ad Kd 3s 2s", "Jd 4d 3c Qd 5h", "flush A-K-Q-J-4"),
        ("OM8-26 four aces in hand are a pair", "Ac Ad Ah As", "Kc 9d 7h 4s 2c", "pair A-K-9-7"),
        ("OM8-26 one suited card is no flush", "As Kd Kh Qd", "7s 8s 2s Ts 9h", "pair K-T-9-8"),
    ],
)
def test_the_omaha_high_is_called(case: str, hole: str, board: str, name: str) -> None:
    assert name_high(omaha_high(hand(hole), hand(board))).text() == name, case


@pytest.mark.parametrize(
    ("case", "hole", "board", "name"),
    [
        ("P092", "As Ks 5d 7c", "Ts 7d 8h 4s 2c", "7-5-4-2-A"),
        ("P094 one low card in hand", "6h Js 9c Qc", "5d Ad 4s 2d Ts", None),
        ("P094", "Td 5s 7c 3s", "5d Ad 4s 2d Ts", "5-4-3-2-A"),
        ("P095 two low cards on the board", "4s 7d 7h As", "Qh 9h 5h Ts 6h", None),
        ("P096 one", "7s 3s 7h Td", "8c Ad Ks 6h 8h", "8-7-6-3-A"),
        ("P096 other", "9s Jd 7d 3h", "8c Ad Ks 6h 8h", "8-7-6-3-A"),
        ("P097 ERR-01", "Ad Kd 3s 2s", "Jd 4d 3c Qd 5h", "5-4-3-2-A"),
        ("a nine is no low", "Ah 2d Kc Ks", "3c 4d 9h Ts Jc", None),
    ],
)
def test_the_omaha_low_is_called(case: str, hole: str, board: str, name: str | None) -> None:
    low = omaha_low(hand(hole), hand(board))
    assert (None if low is None else name_low(low).text()) == name, case


def test_the_paired_board_decides_the_high_half_of_a_quartered_pot() -> None:
    """P096: eights and sevens against eights and an ace."""
    board = hand("8c Ad Ks 6h 8h")
    assert omaha_high(hand("7s 3s 7h Td"), board) > omaha_high(hand("9s Jd 7d 3h"), board)


def test_trips_in_the_hand_are_a_pair_and_lose_on_five_rivers_only() -> None:
    """P093, OM8-26."""
    board, queens, kings = hand("2d 5c Qh Js"), hand("5d Qs Qc 7d"), hand("Kd Kh Ad Ks")
    dead = {*board, *queens, *kings}
    scores = {
        river: (omaha_high(queens, [*board, river]), omaha_high(kings, [*board, river]))
        for river in range(52)
        if river not in dead
    }
    lost = [river for river, (ours, theirs) in scores.items() if ours < theirs]
    assert lost == sorted(parse(name) for name in ("Tc", "Td", "Th", "Ts", "Kc"))
    assert sum(ours > theirs for ours, theirs in scores.values()) == 35


@pytest.mark.parametrize(
    ("case", "cards", "name"),
    [
        ("P099 the lowest pair, then the lowest others", "Ac Ad 2h 2s 3c 3d 4h", "pair A-4-3-2"),
        ("P101a suited wheel", "Ac 2c 3c 4c 5c", "5-4-3-2-A"),
        ("RAZ-07 trips are left out", "2c 2d 3h 4c Kc Kd Kh", "pair 2-K-4-3"),
        ("quads and trips leave a full house", "9c 9d 9h 9s 4c 4d 4h", "full house 4-9"),
    ],
)
def test_the_low_is_called(case: str, cards: str, name: str) -> None:
    assert razz(cards) == name, case


@pytest.mark.parametrize(
    ("case", "winner", "loser"),
    [
        ("P100 no pair is lower than any pair", "Kc Qd Js Th 9c", "5c 4d 3s 2h 2c"),
        ("P101b", "6c 4d 3s 2h Ac", "6c 5d 4s 3h 2c"),
        ("P101c compare from the top", "8c 6d 5s 4h 3c", "8c 7d 3s 2h Ac"),
        ("a pair of aces is the lowest pair", "Ac Ad Ks Qh Jc", "2c 2d 3s 4h 5c"),
        ("the higher pair of two decides first", "5c 5d 4s 4h Kc", "6c 6d 2s 2h Ac"),
    ],
)
def test_the_lower_low_wins(case: str, winner: str, loser: str) -> None:
    """COM-03."""
    assert five_low(hand(winner)) > five_low(hand(loser)), case


@pytest.mark.parametrize(
    ("lower", "higher"),
    [
        ("As", "2c"),
        ("Kc Qd", "2c 2d"),
        ("4s 2h", "4h 3d"),
        ("7c 5d 3s 2h", "7c 5d 4s Ah"),
        ("Ac Ad 9c", "2c 2d 3h"),
    ],
)
def test_the_lowest_board_opens_in_razz(lower: str, higher: str) -> None:
    """RAZ-C05."""
    low, high = showing_lows(range(52), [hand(lower), hand(higher)])
    assert low > high


def test_showing_boards_of_equal_ranks_tie() -> None:
    """RAZ-C05: then the place at the table decides, not the suit."""
    first, second = showing_lows(range(52), [hand("4s 2h"), hand("2c 4d")])
    assert first == second


@pytest.mark.parametrize(
    "rank",
    [
        lambda: high(hand("2d 2h 9d 9h")),
        lambda: high(hand("2c 3c 4c 5c 6c 7c 8c 9c")),
        lambda: five_high(hand("2c 3c 4c 5c 6c 7c")),
        lambda: razz_low(hand("2d 2h 9d 9h")),
        lambda: razz_low(hand("2c 3c 4c 5c 6c 7c 8c 9c")),
        lambda: five_low(hand("2c 3c 4c 5c 6c 7c")),
        lambda: showing_lows(range(52), [[]]),
        lambda: showing_lows(range(52), [hand("2c 3c 4c 5c 6c")]),
        lambda: omaha_high(hand("2d 2h 9d 9h"), []),
        lambda: omaha_low(hand("2d 2h 9d 9h"), []),
        lambda: omaha_high(hand("2d 2h"), hand("3c 4c 5c 6c 7c")),
        lambda: omaha_low(hand("2d 2h"), hand("3c 4c 5c 6c 7c")),
        lambda: at_most_two(hand("As"), hand("2c 3c 4c")),
        lambda: at_most_two(hand("As Ah"), []),
        lambda: at_most_two(hand("As Ah Ad Ac Ks Kh Kd"), hand("2c 3c 4c")),
    ],
)
def test_too_few_or_too_many_cards_are_a_typed_error_that_names_no_card(rank: Callable[[], int]) -> None:
    """P098: before the flop there is nothing to rank; hidden cards stay out of the error."""
    with pytest.raises(WrongNumberOfCards, match=r"^\d [a-z ,\d]+$"):
        rank()
