"""The corpus of real hands is not part of the project; tests that need it say so when it is not there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

BESIDE = Path(__file__).resolve().parents[3] / "shared" / "data"


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of the corpus: CROUPIER_CORPUS, or ../shared/data beside the project."""
    folder = Path(os.environ.get("CROUPIER_CORPUS", BESIDE))
    if not (folder / "hands.jsonl").is_file():
        pytest.skip(
            f"NO CORPUS OF REAL HANDS at {folder}: set CROUPIER_CORPUS to play its 2,188 real hands in this test"
        )
    return folder
