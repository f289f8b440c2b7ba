"""What the text readers make of the difficult lines of PokerStars and Full Tilt histories."""

from __future__ import annotations

import re

import pytest

from services.check import check
from services.formats import fulltilt, neutral, phh, read_texts, recognise, stars
from services.formats.record import BrokenHistory, Entry, Record
from tests.formats import samples

STRANGE_NAMES = [
    ("Ann (host)", "Ann$1", "A.B"),
    ("x", "x: raises", "a:b"),
    ("penny  two  spaces", "pennyfolds", "🂡 ace 🎲"),
    ("e\u0301", "\u00e9", "[Kh] mucks hand"),
    ("Seat 1: x", "collected $5 from pot", "bob: folds"),
]


def read_stars(text: str) -> Record:
    (sheet,) = stars.read("hand.txt", text)
    record = sheet.read()
    assert isinstance(record, Record)
    return record


def read_full_tilt(text: str) -> Record:
    (sheet,) = fulltilt.read("hand.txt", text)
    record = sheet.read()
    assert isinstance(record, Record)
    return record


def actions(record: Record) -> list[tuple[str, int | None, int | None, int | None]]:
    kinds = {"bring_in", "call", "bet", "raise", "uncalled"}
    return [(e.kind, e.seat, e.amount, e.to) for e in record.entries if e.kind in kinds]


@pytest.mark.parametrize("names", STRANGE_NAMES)
def test_names_survive_whatever_they_hold(names: tuple[str, str, str]) -> None:
    ann, bob, cat = names
    record = read_stars(samples.stars(ann, bob, cat))
    assert [player.name for player in record.players] == [ann, bob, cat]
    plain = read_stars(samples.stars())
    assert record.entries == plain.entries
    ftp = read_full_tilt(samples.full_tilt(ann, bob))
    assert [player.name for player in ftp.players] == [ann, bob]
    assert ftp.entries == read_full_tilt(samples.full_tilt()).entries


def test_a_line_that_two_players_could_have_written_is_refused() -> None:
    text = samples.full_tilt(ann="bob shows [2c 3c 4c 5c]")
    with pytest.raises(BrokenHistory, match="two players"):
        read_full_tilt(text.replace("*** TURN", "bob shows [2c 3c 4c 5c] mucks\n*** TURN", 1))


def test_raises_20_to_30_is_a_raise_to_30() -> None:
    """P113."""
    record = read_stars(samples.stars())
    assert "ann: raises $2 to $6" in samples.stars()
    assert ("raise", 1, 400, 600) in actions(record)


def test_completion_of_a_bring_in_is_to_the_small_bet_and_the_next_raise_to_twice_it() -> None:
    """Bring-in 2, completed to 4, raised to 8: 26 chips would be in with three more antes (RAZ-C04)."""
    record = read_stars(samples.razz())
    assert actions(record)[:4] == [
        ("bring_in", 5, 2, None),
        ("raise", 6, 4, 4),
        ("raise", 7, 8, 8),
        ("call", 6, 4, 8),
    ]
    assert record.limits == {"ante": 1, "small_bet": 4, "big_bet": 8, "bring_in": 2}


def test_cards_seen_late_are_known_from_the_start() -> None:
    record = read_stars(samples.stars())
    deals = {e.seat: e.down for e in record.entries if e.kind == "deal"}
    assert deals[4] == ("Ac", "5c", "Qd", "Jd")
    assert deals[2] == ("??",) * 4


def test_cards_shown_before_the_last_streets_do_not_break_the_run_out() -> None:
    record = read_full_tilt(samples.full_tilt())
    assert [e.street for e in record.entries if e.kind == "street"] == ["preflop", "flop", "turn", "river"]
    assert Entry("uncalled", 5, 3400) in record.entries


def test_a_hand_with_only_a_small_blind_is_cancelled_and_nobody_wins() -> None:
    head, _, rest = samples.stars().partition("cat: posts big blind $2\n")
    text = head + "Uncalled bet ($1) returned to bob\nHand cancelled\n*** SUMMARY ***\nTotal pot $0 | Rake $0\n"
    (sheet,) = stars.read("hand.txt", text)
    report = check(sheet, {})
    assert report.skipped == "hand cancelled"
    assert "collected" in rest


def test_a_pot_collected_twice_is_refused() -> None:
    """P115."""
    won = "ann collected $18.50 from pot\n"
    with pytest.raises(BrokenHistory, match="are not the pot"):
        read_stars(samples.stars().replace(won, won + won, 1))


def test_thirty_raises_on_one_street_are_thirty_entries() -> None:
    """P114."""
    war = "".join(f"{('cat', 'ann')[k % 2]}: raises $0.02 to ${4.02 + k / 50:.2f}\n" for k in range(30))
    text = samples.stars().replace("Limit ($2/$4 USD)", "No Limit ($1/$2 USD)")
    text = text.replace("cat: calls $2\n", war + "cat: folds\n", 1).partition("*** FLOP")[0]
    text += "Uncalled bet ($0.02) returned to ann\nann collected $10.16 from pot\n*** SUMMARY ***\n"
    record = read_stars(text)
    assert len([entry for entry in record.entries if entry.kind == "raise"]) == 31


def test_talk_and_comings_and_goings_are_passed_over() -> None:
    talk = 'bob said, "ann: folds"\nann is disconnected\nnewcomer joins the table at seat #6\n'
    text = samples.stars().replace("*** FLOP ***", talk + "*** FLOP ***", 1)
    assert read_stars(text).entries == read_stars(samples.stars()).entries


def test_a_file_of_hands_and_noise_around_them_is_cut_at_the_heads() -> None:
    text = (
        "\ufeff\n*** my notes ***\n" + samples.stars(number=1) + "\n\n\n" + samples.razz(number=2).replace("\n", "\r\n")
    )
    assert [sheet.id for sheet in stars.read("two.txt", text)] == ["stars-1", "stars-2"]


def test_one_damaged_hand_does_not_take_the_others_with_it() -> None:
    text = samples.stars(number=1).replace("calls $2", "calls $2000") + samples.stars(number=2)
    first, second = stars.read("two.txt", text)
    with pytest.raises(BrokenHistory) as broken:
        first.read()
    assert (broken.value.file, broken.value.line) == ("two.txt", 12)
    assert second.read().id == "stars-2"


def test_kinds_are_told_by_content_not_by_name() -> None:
    known = [samples.stars(), samples.full_tilt(), samples.PHH, samples.neutral()]
    assert [recognise(text) for text in known] == [read_texts, read_texts, phh.read, neutral.read]
    assert recognise("Dear diary,\n") is None
    assert recognise("{}") is None


# What rooms write, and other programs had trouble with.


def agrees(text: str) -> None:
    """Every hand of it is played and comes out as it says."""
    reader = recognise(text)
    assert reader is not None
    reports = [check(sheet, {}) for sheet in reader("hands.txt", text)]
    assert [(report.skipped, report.differences) for report in reports] == [(None, [])] * len(reports)


def test_hands_of_two_rooms_joined_in_one_file_are_all_found() -> None:
    """Where files were joined a mark of their beginning stands in the middle."""
    text = samples.full_tilt(number=1) + "\ufeff" + samples.stars(number=2) + "\ufeff" + samples.full_tilt(number=3)
    assert [sheet.id for sheet in read_texts("joined.txt", text)] == ["ftp-1", "stars-2", "ftp-3"]
    agrees(text)


@pytest.mark.parametrize("sign", ["\u2028", "\x85", "\x1d", "\x0b"])
def test_only_line_ends_end_a_line(sign: str) -> None:
    """P111: separators that Unicode has stay in names and talk."""
    talk = f'ann said, "one{sign}bob: folds"\n*** FLOP ***'
    agrees(samples.stars(ann=f"a{sign}b"))
    agrees(samples.stars().replace("*** FLOP ***", talk, 1))


@pytest.mark.parametrize(
    "head",
    [
        "Omaha Hi/Lo Limit ($2 / $4 USD)",
        "Omaha Hi/Lo Limit ($2/$4 - $80 Cap -  USD)",
        "{Razz Limit (5/10) fans} Omaha Hi/Lo Limit ($2/$4 USD)",
        "HORSE (Omaha Hi/Lo Limit, $2/$4 USD)",
        "Tournament #7,  Omaha Hi/Lo Limit - Level VI ($2/$4)",
    ],
)
def test_first_lines_of_every_kind_name_game_and_stakes(head: str) -> None:
    record = read_stars(samples.stars().replace("Omaha Hi/Lo Limit ($2/$4 USD)", head, 1))
    assert (record.variant, record.limits["small_bet"], record.limits["big_bet"]) == ("omaha8", 200, 400)


def test_a_currency_that_follows_its_amounts_is_one() -> None:
    """P109: `0,50 €` is half a euro, not half a chip."""
    text = samples.stars().replace("$18.50", "18,50 €").replace("$50.50", "50,50 €")
    record = read_stars(re.sub(r"\$(\d+)", r"\1 €", text))
    assert (record.unit, record.player(4).stack) == ("cent", 5_050)


@pytest.mark.parametrize(
    "line",
    [
        "bob: sits out",
        "dee takes the add-on and receives 2000 chips for $5.00",
        "ann wins $2.50 for eliminating dee and their own bounty increases by $2.50 to $7.50",
        "ann wins an entry to tournament #123",
        "cat cashed out the hand for $3.40 | Cash Out Fee $0.03",
        "cat cashed out the hand for $3.40",
    ],
)
def test_what_happens_beside_the_play_of_stars_is_passed_over(line: str) -> None:
    agrees(samples.stars().replace("*** SUMMARY", line + "\n*** SUMMARY", 1))


@pytest.mark.parametrize(
    "line",
    [
        "bob has requested TIME",
        "ann is feeling happy",
        "bob has timed out while disconnected",
        "The blinds are now $2/$4",
    ],
)
def test_what_happens_beside_the_play_of_full_tilt_is_passed_over(line: str) -> None:
    agrees(samples.full_tilt().replace("bob raises to $6", f"{line}\nbob raises to $6", 1))


def test_a_pot_whose_winner_was_paid_by_the_room_is_told_in_the_summary() -> None:
    """He sold his chance: no line says that he collects."""
    won = "ann collected $18.50 from pot\n"
    text = samples.stars().replace(won + won, "ann cashed out the hand for $36.63 | Cash Out Fee $0.37\n", 1)
    assert "not the pot" in check(next(stars.read("x.txt", text)), {}).differences[0].got
    agrees(text.replace("Kings\nSeat 2", "Kings (pot not awarded as player cashed out)\nSeat 2"))


def test_numbered_side_pots_of_full_tilt() -> None:
    text = samples.full_tilt().replace("the high pot", "high side pot #1").replace("the low pot", "low side pot #2")
    pots = [entry.pot for entry in read_full_tilt(text).entries if entry.kind == "collect"]
    assert pots == ["side", "side"]


def test_a_board_that_changes_is_refused() -> None:
    """The cards that lie there are said again on every street."""
    with pytest.raises(BrokenHistory, match="other cards on the board"):
        read_stars(samples.stars().replace("*** TURN *** [3c 4d Ks]", "*** TURN *** [3c 4d Kc]"))
    with pytest.raises(BrokenHistory, match="other cards on the board"):
        read_full_tilt(samples.full_tilt().replace("*** RIVER *** [7d 8h Kc As]", "*** RIVER *** [7d 8h Kc Ad]"))


def test_cancelled_hands_of_every_form_are_skipped() -> None:
    """P058: one small blind and nobody to play with; before any blind; of the other room."""
    stars_head, ftp_head = samples.stars().partition("bob: posts")[0], samples.full_tilt().partition("ann posts")[0]
    for text in (
        stars_head + "bob: posts small blind $1\ncat: is sitting out\nHand cancelled\n",
        stars_head + "Hand cancelled\n*** SUMMARY ***\nSeat 2: bob (small blind) collected ($0)\n",
        ftp_head + "Hand #7 has been canceled\n*** SUMMARY ***\nTotal pot $0 | Rake $0\n",
    ):
        (sheet,) = read_texts("x.txt", text)
        assert check(sheet, {}).skipped == "hand cancelled"
