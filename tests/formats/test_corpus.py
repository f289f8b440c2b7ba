"""The corpus of real hands: our readers against its neutral records; every Razz and Omaha-8 hand played."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from services.check import check
from services.formats import open_history
from services.report import read_known

KNOWN = read_known(Path(__file__).parents[2] / "seeds" / "known.tsv")
OURS = ("razz", "omaha8")

# Our reader knows more than the neutral record: the winner shows four cards after all others folded on 4th.
SEEN_MORE = {"stars-35874664176"}


def records(corpus: Path) -> dict[str, dict[str, Any]]:
    lines = (corpus / "hands.jsonl").read_text(encoding="utf-8").splitlines()
    return {hand["id"]: hand for hand in map(json.loads, lines) if hand["variant"] in OURS}


def files_of(corpus: Path, folder: str) -> dict[str, list[str]]:
    """Raw file → ids of its Razz and Omaha-8 hands."""
    wanted, found = records(corpus), {}
    for line in (corpus / "expected.jsonl").read_text(encoding="utf-8").splitlines():
        result = json.loads(line)
        if result["id"] in wanted and result["file"].startswith(folder):
            found.setdefault(result["file"], []).append(result["id"])
    return found


def comparable(record: dict[str, Any], *, names: bool) -> dict[str, Any]:
    """Without the id, and without an inferred bring-in, which rooms set by rules of their own (ours:
    RAZ-C02).
    """
    hand = {key: value for key, value in record.items() if key != "id"}
    if hand["limits"].get("bring_in_inferred"):
        hand["limits"] = {**hand["limits"], "bring_in": None}
    if not names:
        hand["players"] = [(player["seat"], player["stack"]) for player in hand["players"]]
    return hand


@pytest.mark.parametrize(("folder", "hands"), [("stars/", 147), ("fulltilt/", 23), ("phh/", 24)])
def test_our_readers_agree_with_the_neutral_records(corpus: Path, folder: str, hands: int) -> None:
    wanted, read = records(corpus), 0
    for file, ids in files_of(corpus, folder).items():
        sheets = [sheet for sheet in open_history(corpus / file) if sheet.variant in OURS]
        for sheet in sheets:
            name = ids[0] if folder == "phh/" else sheet.id
            ours = comparable(sheet.read().to_json(), names=folder != "phh/")
            theirs = comparable(wanted[name], names=folder != "phh/")
            assert (ours == theirs) is (name not in SEEN_MORE), name
            read += 1
    assert read == hands


def test_every_razz_and_omaha8_hand_is_played_and_agrees_or_is_explained(corpus: Path) -> None:
    reports = [check(sheet, KNOWN) for sheet in open_history(corpus / "hands.jsonl") if sheet.variant in OURS]
    assert len(reports) == 59 + 273
    assert [report.id for report in reports if report.skipped] == []
    assert {report.id for report in reports if not report.ok} == set(KNOWN)


@pytest.mark.parametrize("folder", ["stars", "fulltilt", "phh"])
def test_the_raw_files_end_as_the_rooms_say(corpus: Path, folder: str) -> None:
    for path in sorted((corpus / folder).rglob("*")):
        if path.is_file():
            for sheet in open_history(path):
                report = check(sheet, KNOWN)
                assert report.ok or report.known, (report.id, [str(d) for d in report.differences])
