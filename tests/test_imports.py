"""The engine is a pure function of its arguments: its imports show it (architecture.md, section 2)."""

import ast
import sys
from pathlib import Path

import pytest

ENGINE = Path(__file__).parent.parent / "engine"
WORLD = {"datetime", "logging", "os", "pathlib", "random", "secrets", "socket", "time", "uuid"}


def imported(source: str) -> set[str]:
    """Top-level names of all modules that the source imports from outside its own package."""
    nodes = list(ast.walk(ast.parse(source)))
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom) and node.level == 0}
    return {name.partition(".")[0] for name in names}


@pytest.mark.parametrize("path", sorted(ENGINE.rglob("*.py")), ids=lambda path: str(path.relative_to(ENGINE)))
def test_engine_imports_the_standard_library_only_and_no_clock_chance_or_world(path: Path) -> None:
    names = imported(path.read_text(encoding="utf-8"))
    assert names <= sys.stdlib_module_names | {"engine"}
    assert not names & WORLD


def test_an_import_of_the_clock_is_seen() -> None:
    assert imported("def f():\n    from time import time\n    import redis.client") == {"time", "redis"}
