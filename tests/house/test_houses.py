"""What the service tests themselves stand on."""

import os
import subprocess
import sys

import pytest

from tests.house.houses import descendants, processes


def test_a_command_line_is_seen_whole_in_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """A long path before the words that a test looks for must not hide them: `ps` cuts lines at COLUMNS."""
    monkeypatch.setenv("COLUMNS", "40")
    words = "x" * 120 + " the end"
    child = subprocess.Popen([sys.executable, "-c", "input()", words], stdin=subprocess.PIPE)
    try:
        assert child.pid in descendants(os.getpid()) and processes()[child.pid][1].endswith(words)
    finally:
        child.communicate(b"\n", 10)
