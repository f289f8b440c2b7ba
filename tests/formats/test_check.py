"""`croupier check`: what it plays, what it finds when something is wrong, what it prints and how it ends."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from services.check import check
from services.cli import main
from services.formats import open_history
from services.formats.record import Entry, Record
from services.formats.sheet import Sheet
from services.report import HandReport, Known, read_known
from tests.formats import samples

REAL = Path(__file__).parents[2] / "seeds" / "real"


def croupier(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["check", *map(str, arguments)])


def real(name: str) -> Record:
    record = next(sheet for sheet in open_history(REAL / "hands.jsonl") if sheet.id == name).read()
    assert isinstance(record, Record)
    return record


def played(record: Record) -> HandReport:
    return check(Sheet(record.id, record.variant, "", 1, lambda: record), {})


def test_a_fresh_clone_plays_its_real_hands() -> None:
    result = croupier(REAL)
    assert result.exit_code == 0, result.output
    assert "24 hands: 24 played (24 agree, 0 explained, 0 differ), 0 skipped" in result.output
    assert "played    phh-wsop43-79" in result.output


def test_json_has_the_promised_shape() -> None:
    report = json.loads(croupier(REAL, "--json").output)
    assert {"id", "ok", "differences"} <= set(report["hands"][0])
    assert report["summary"]["played"] == 24


def test_wrong_use_is_2(tmp_path: Path) -> None:
    assert croupier().exit_code == 2
    assert croupier(tmp_path / "missing").exit_code == 2
    assert croupier(tmp_path).exit_code == 2
    bad = tmp_path / "known.tsv"
    bad.write_text("hand without a rule\n", encoding="utf-8")
    assert croupier(REAL, "--known", bad).exit_code == 2


def test_a_file_that_is_no_history_is_a_difference_but_folders_pass_it_over(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("Dear diary\n", encoding="utf-8")
    (tmp_path / "hand.txt").write_text(samples.razz(), encoding="utf-8")
    assert croupier(tmp_path / "notes.txt").exit_code == 1
    assert croupier(tmp_path).exit_code == 0


def test_a_game_we_do_not_have_is_skipped_with_the_reason(tmp_path: Path) -> None:
    path = tmp_path / "draw.phh"
    path.write_text(samples.PHH.replace('"FR"', '"F2L3D"'), encoding="utf-8")
    result = croupier(path)
    assert result.exit_code == 0
    assert "skipped   phh-" in result.output
    assert "game not available" in result.output


def test_a_difference_fails_unless_a_rule_explains_it(tmp_path: Path) -> None:
    path = tmp_path / "hand.txt"
    folded = samples.razz().replace("S7: folds\n", "S7: folds\nS6: folds\n", 1).replace("S6: bets 4\n", "")
    path.write_text(folded.replace("Uncalled bet (4) returned to S6\n", ""), encoding="utf-8")
    result = croupier(path)
    assert result.exit_code == 1
    assert "DIFFERS   stars-8" in result.output
    known = tmp_path / "known.tsv"
    known.write_text("# why\nstars-8\tCOM-11\tHere nobody folds to no bet.\n", encoding="utf-8")
    explained = croupier(path, "--known", known)
    assert explained.exit_code == 0
    assert "explained stars-8  COM-11: Here nobody folds to no bet." in explained.output
    assert read_known(known)["stars-8"].rule == "COM-11"


def test_a_list_of_explained_differences_may_come_from_any_editor(tmp_path: Path) -> None:
    known = tmp_path / "known.tsv"
    known.write_bytes("# why\r\nstars-8\tCOM-11\tOne\u2028sentence.\r\n".encode("utf-8-sig"))
    assert read_known(known) == {"stars-8": Known("COM-11", "One\u2028sentence.")}


# A check that cannot fail checks nothing: the same hands with one thing wrong.


def test_a_wrong_payoff_is_found() -> None:
    record = real("phh-wsop43-79")
    assert record.outcome is not None
    assert record.outcome.payoff is not None
    payoff = {seat: net + 1 for seat, net in record.outcome.payoff.items()}
    wrong = replace(record, outcome=replace(record.outcome, payoff=payoff))
    assert [d.what for d in played(wrong).differences] == ["net of seat 1", "net of seat 2", "net of seat 3"]


def test_other_pots_are_found() -> None:
    record = real("phh-wsop43-79")
    assert record.outcome is not None
    assert record.outcome.pots is not None
    wrong = replace(record, outcome=replace(record.outcome, pots=record.outcome.pots[:-1]))
    assert [d.what for d in played(wrong).differences] == ["pots"]


def test_an_uncalled_bet_that_stays_is_found() -> None:
    record = real("phh-wsop43-85fixed")
    wrong = replace(record, entries=tuple(e for e in record.entries if e.kind != "uncalled"))
    assert [d.what for d in played(wrong).differences] == ["uncalled"]


@pytest.mark.parametrize(
    ("index", "entry", "what"),
    [
        (0, Entry("fold", 1), "turn"),
        (0, Entry("call", 3, 1, 1), "call"),
        (0, Entry("raise", 3, 400_001, 400_001), "decision"),
    ],
)
def test_a_decision_that_our_rules_do_not_allow_is_found(index: int, entry: Entry, what: str) -> None:
    record = real("phh-wsop43-12")
    decisions = [at for at, e in enumerate(record.entries) if e.kind in ("raise", "fold", "call")]
    entries = list(record.entries)
    entries[decisions[index]] = entry
    assert [d.what for d in played(replace(record, entries=tuple(entries))).differences] == [what]


def test_a_hand_that_stops_in_the_middle_is_found() -> None:
    record = real("phh-wsop43-12")
    last = max(at for at, e in enumerate(record.entries) if e.kind == "call")
    wrong = replace(record, entries=record.entries[:last])
    assert [d.what for d in played(wrong).differences] == ["end"]


def test_an_all_in_player_said_to_fold_is_noted_and_the_hand_goes_on() -> None:
    """Three recorded hands do this; the chips end right all the same (COM-13: he has no turn)."""
    record = real("phh-wsop43-79")
    all_in = next(at for at, e in enumerate(record.entries) if e.all_in)
    turn = next(at for at, e in enumerate(record.entries) if e.street == "turn")
    entries = [
        *record.entries[: turn + 1],
        Entry("fold", record.entries[all_in].seat),
        *record.entries[turn + 1 :],
    ]
    assert [d.what for d in played(replace(record, entries=tuple(entries))).differences] == ["turn"]


def test_unseen_hands_at_the_showdown_lose_every_pot() -> None:
    """The mucked hand of a recorded showdown gets cards that beat nobody."""
    record = real("phh-wsop43-13")
    loser = next(e.seat for e in record.entries if e.kind == "muck")
    entries = tuple(
        replace(e, down=("??",) * 4) if e.kind == "deal" and e.seat == loser else e for e in record.entries
    )
    assert played(replace(record, entries=entries)).differences == []
