"""How the benchmark table comes about."""

from __future__ import annotations

import pytest

from bench.http_load import Answer
from bench.measure import Row, Subject, run

FASTER = Row("ours : theirs", "ours", "theirs", must=2, aim=4)
SMALLER = Row("ours, seconds", "seconds", None, must=3, aim=1)


def test_candidates_take_turns_so_that_both_sides_share_a_slow_minute() -> None:
    turns: list[str] = []
    subject = Subject({name: lambda name=name: turns.append(name) or 1.0 for name in ("ours", "theirs")}, ())
    run(subject, rounds=2)
    assert turns == ["ours", "theirs", "ours", "theirs"]


def test_a_row_compares_medians_so_one_hiccup_does_not_count() -> None:
    ours = iter([30.0, 1.0, 31.0])
    subject = Subject({"ours": lambda: next(ours), "theirs": lambda: 10.0}, (FASTER,))
    (figure,) = run(subject, rounds=3).figures
    assert figure.value == pytest.approx(3.0)
    assert (figure.must_met, figure.aim_met) == (True, False)


@pytest.mark.parametrize(("seconds", "must_met", "aim_met"), [(4, False, False), (2, True, False), (1, True, True)])
def test_where_the_aim_is_below_the_must_less_is_better(seconds: float, must_met: bool, aim_met: bool) -> None:
    (figure,) = run(Subject({"seconds": lambda: seconds}, (SMALLER,)), rounds=1).figures
    assert (figure.must_met, figure.aim_met) == (must_met, aim_met)


def test_an_answer_is_complete_with_its_last_byte_in_whatever_pieces_it_comes() -> None:
    answer = Answer()
    assert not answer.complete(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n")
    assert not answer.complete(b"\r\nabc")
    assert answer.complete(b"d")
    assert answer.complete(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n")


def test_a_refused_request_is_no_answer() -> None:
    with pytest.raises(AssertionError, match="503"):
        Answer().complete(b"HTTP/1.1 503 Unavailable\r\nContent-Length: 0\r\n\r\n")
