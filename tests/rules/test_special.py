"""Every special case is recorded: its course is there, the case occurs in it, and it replays (COM-76)."""

import pytest

from tests.rules.recorded import FOLDER
from tests.rules.special import README, deals_of, files, readme
from tests.rules.stories import rule


@rule("COM-76")
@pytest.mark.parametrize("name", files())
def test_the_case_occurs_in_its_course(name: str) -> None:
    *before, last = deals_of((FOLDER / name).read_text(encoding="utf-8"))
    case = files()[name]
    assert case.holds(last), case.text
    assert not any(case.holds(deal) for deal in before), "the course ends with the first hand of its case"


def test_the_list_of_recorded_cases_is_complete() -> None:
    assert README.read_text(encoding="utf-8") == readme()
