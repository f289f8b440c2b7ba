"""The engine's source keeps what determinism needs (architecture, section 3): checked on its syntax trees."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.rules.stories import rule

ENGINE = Path(__file__).parent.parent.parent / "engine"
SOURCES = sorted(ENGINE.rglob("*.py"))
MODULES = {
    "__future__", "abc", "ast", "bisect", "collections", "copy", "dataclasses", "enum", "functools", "hashlib", "heapq",
    "hmac", "importlib", "itertools", "math", "operator", "pkgutil", "string", "struct", "types", "typing", "engine",
}  # fmt: skip
ORDERING = {
    "sorted",
    "min",
    "max",
    "sum",
    "len",
    "any",
    "all",
    "set",
    "frozenset",
}  # the order of a set is nothing to them


def is_set(node: ast.expr) -> bool:
    """Built as a set on the spot; annotations are not evaluated here, so names are not followed."""
    if isinstance(node, ast.Set | ast.SetComp):
        return True
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("set", "frozenset")


def set_names(tree: ast.AST) -> set[str]:
    """Names that are somewhere given a set."""
    found = set()
    for node in ast.walk(tree):
        targets: list[ast.expr] = []
        if isinstance(node, ast.Assign) and is_set(node.value):
            targets = node.targets
        elif isinstance(node, ast.AnnAssign) and node.value and is_set(node.value):
            targets = [node.target]
        found |= {target.id for target in targets if isinstance(target, ast.Name)}
    return found


def walked(tree: ast.AST) -> Iterator[ast.expr]:
    """What is gone through in order: loops, comprehensions, `list(…)`, `tuple(…)`, unpacking."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args]
    ordered = {id(call.args[0]) for call in calls if called(call) in ORDERING}
    for node in ast.walk(tree):
        if isinstance(node, ast.For):
            yield node.iter
        elif isinstance(node, ast.ListComp | ast.GeneratorExp | ast.DictComp) and id(node) not in ordered:
            yield from (part.iter for part in node.generators)
        elif isinstance(node, ast.Starred):
            yield node.value
        elif isinstance(node, ast.Call) and called(node) in ("list", "tuple", "bytes", "next", "iter", "enumerate"):
            yield from node.args[:1]


def called(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else ""


def findings(source: str) -> list[str]:
    """Everything in the source that does not belong into the engine, with its line."""
    tree = ast.parse(source)
    sets = set_names(tree)
    found = [f"{node.lineno}: order of a set" for node in walked(tree)
             if is_set(node) or (isinstance(node, ast.Name) and node.id in sets)]  # fmt: skip
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 0)
        found += [f"{line}: {what}" for what in faults(node)]
    return found


def faults(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Constant(value=float() | complex()):
            yield "a number that is not whole"
        case ast.BinOp(op=ast.Div()) | ast.AugAssign(op=ast.Div()):
            yield "true division"
        case ast.Call(
            func=ast.Name(id="float" | "hash" | "id" | "round" | "open" | "print" | "input" | "eval" | "exec")
        ):
            yield f"{node.func.id}()"  # type: ignore[attr-defined]
        case ast.ExceptHandler(type=None):
            yield "a bare except"
        case ast.ExceptHandler(body=[ast.Pass()]):
            yield "an exception passed over"
        case ast.Global():
            yield "a global statement"
        case ast.Import(names=names):
            yield from (f"import of {name.name}" for name in names if name.name.split(".")[0] not in MODULES)
        case ast.ImportFrom(module=module) if (module or "").split(".")[0] not in MODULES:
            yield f"import of {module}"


@rule("COM-76")
@pytest.mark.parametrize("path", SOURCES, ids=[str(path.relative_to(ENGINE)) for path in SOURCES])
def test_the_engine_computes_with_whole_numbers_in_a_fixed_order(path: Path) -> None:
    assert findings(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("source", "finding"),
    [
        ("half = 0.5", "1: a number that is not whole"),
        ("half = pot / 2", "1: true division"),
        ("pot /= 2", "1: true division"),
        ("for seat in {1, 2}: pay(seat)", "1: order of a set"),
        ("for seat in set(live): pay(seat)", "1: order of a set"),
        ("tied = {1, 2}\nfor seat in tied: pay(seat)", "2: order of a set"),
        ("first = [seat for seat in {s for s in live}]", "1: order of a set"),
        ("first = list(frozenset(live))", "1: order of a set"),
        ("seats = [*{1, 2}]", "1: order of a set"),
        ("key = hash(card)", "1: hash()"),
        ("import random", "1: import of random"),
        ("from time import time", "1: import of time"),
        ("def f():\n    import secrets", "2: import of secrets"),
        ("import logging", "1: import of logging"),
        ("try:\n    f()\nexcept ValueError:\n    pass", "3: an exception passed over"),
        ("try:\n    f()\nexcept:\n    g()", "3: a bare except"),
    ],
)
def test_each_fault_is_found(source: str, finding: str) -> None:
    assert findings(source) == [finding]


def test_sorted_sets_and_tests_for_membership_are_fine() -> None:
    assert findings("levels = sorted({1, 2})\nif seat in {1, 2}: pay(seat)\nn = sum(x for x in {1, 2})") == []
