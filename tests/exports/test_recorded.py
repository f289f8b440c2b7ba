"""Every recorded hand is exported in every format that can hold it, and played again from the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from services.exports import FORMATS
from services.exports.answer import CannotHold
from tests.exports.tables import recorded_stories
from tests.exports.test_round_trip import differences
from tests.rules.recorded import FOLDER
from tests.rules.special import files
from tests.rules.stories import rule

COURSES = sorted(FOLDER.glob("*.json"))
VIEW = {True: "public", False: "full"}


@rule("COM-76")
@pytest.mark.parametrize("path", COURSES, ids=[path.stem for path in COURSES])
def test_every_recorded_hand_is_played_again_from_its_exports(path: Path) -> None:
    """Special cases as everybody may see them, the others with all cards."""
    written = 0
    for story in recorded_stories(path.read_text(encoding="utf-8"), VIEW[path.name in files()]):
        for name, kind in FORMATS.items():
            try:
                text = kind.write(story).text
            except CannotHold:
                assert name != "json"
                continue
            written += 1
            assert story.voided or differences(text) == [], text
    assert written
