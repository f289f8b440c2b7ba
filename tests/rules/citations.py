"""Which test is about which rule: read from the `@rule(…)` decorators, without importing a test."""

from __future__ import annotations

import ast
from pathlib import Path

HERE = Path(__file__).parent
IDS = HERE.parent.parent / "docs" / "rules" / "ids.txt"
NO_RULE = "no rule:"


def rule_ids() -> dict[str, str]:
    """Id -> meaning, as `docs/rules/ids.txt` lists them."""
    lines = IDS.read_text(encoding="utf-8").splitlines()
    parts = [line.split(" ", 1) for line in lines if line and not line.startswith("#")]
    found = dict(parts)
    assert len(found) == len(parts), "an id is listed twice"
    return found


def citations() -> dict[str, list[str]]:
    """Id -> pytest node ids of the tests that cite it."""
    found: dict[str, list[str]] = {}
    for path in sorted(HERE.glob("test_*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                for key in cited(node):
                    found.setdefault(key, []).append(f"{path}::{node.name}")
    return found


def cited(test: ast.FunctionDef) -> list[str]:
    """The arguments of its `@rule(…)`."""
    calls = [node for node in test.decorator_list if isinstance(node, ast.Call)]
    rules = [call for call in calls if isinstance(call.func, ast.Name) and call.func.id == "rule"]
    return [str(ast.literal_eval(arg)) for call in rules for arg in call.args]
