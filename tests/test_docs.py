"""What the README and the docs say is true: their commands run, their links lead somewhere."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "deploy" / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
LINK = re.compile(r"\]\((?!https?:)([^)#]+)")
BLOCK = re.compile(r"```sh\n(.*?)```", re.S)


def commands(page: Path, start: str) -> list[str]:
    lines = "\n".join(BLOCK.findall(page.read_text(encoding="utf-8"))).splitlines()
    return [line.partition("#")[0].strip() for line in lines if line.startswith(start)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    missing = [link for link in LINK.findall(page.read_text(encoding="utf-8")) if not (page.parent / link).exists()]
    assert missing == []


@pytest.mark.parametrize("command", commands(ROOT / "README.md", ".venv/bin/croupier"))
def test_the_commands_of_the_readme_run(command: str) -> None:
    program, *arguments = command.split()
    local = Path(sys.executable).parent / Path(program).name
    done = subprocess.run([local, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stdout + done.stderr


def test_make_targets_of_the_readme_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    asked = [command.split()[1] for command in commands(ROOT / "README.md", "make ")]
    assert asked
    assert [target for target in asked if f"\n{target}:" not in makefile] == []


def test_the_game_that_is_shown_is_the_one_that_is_played() -> None:
    page = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
    (script,) = re.findall(r"```python\n(.*?)```", page, re.S)
    assert script in (ROOT / "engine" / "games" / "stud.py").read_text(encoding="utf-8")


def test_what_the_page_tells_to_take_and_to_edit_is_there() -> None:
    page = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
    files = re.findall(r"`((?:\w+/)+[\w.*]*)`", page)
    assert len(files) > 10
    assert [name for name in files if not any(ROOT.glob(name.rstrip("/")))] == []
    engine = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "engine").rglob("*.py")))
    take = re.findall(r"`([A-Za-z_]+)`", page[page.index("| you need |") : page.index("Something is missing?")])
    known = {*re.findall(r"(?:^(?:class|def) |^    )(\w+)\b", engine, re.M), "high", "low"}
    assert len(take) > 15
    assert [name for name in take if name not in known] == []


def test_every_event_is_on_the_list_of_who_sees_what() -> None:
    from engine.events import REGISTRY
    from engine.view import VISIBLE

    common = {name for name, kind in REGISTRY.items() if kind.__module__.startswith("engine.events.")}
    assert common == set(VISIBLE)


def test_every_setting_is_explained_and_every_explained_one_exists() -> None:
    from services.settings import Settings

    page = (ROOT / "docs" / "running.md").read_text(encoding="utf-8")
    table = page[page.index("| setting |") : page.index("What keeps a process")]
    assert set(re.findall(r"CROUPIER_(\w+)", table)) == {name.upper() for name in Settings.model_fields}


def test_every_metric_is_explained_and_every_explained_one_exists() -> None:
    from api.metrics import Metrics

    page = (ROOT / "docs" / "running.md").read_text(encoding="utf-8")
    explained = set(re.findall(r"`(croupier_\w+)`", page))
    kept = {line.split()[2] for line in Metrics().text().decode().splitlines() if line.startswith("# TYPE")}
    assert explained == {name.removesuffix("_total") for name in kept if not name.endswith("_created")}


def test_everything_an_export_may_leave_out_is_explained() -> None:
    """Codes are given in `services/exports/` as Unsaid("code", "text")."""
    page = (ROOT / "docs" / "hand-histories.md").read_text(encoding="utf-8")
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "services" / "exports").glob("*.py")]
    codes = {code for source in sources for code in re.findall(r'Unsaid\(\s*"(\w+)"', source)}
    assert len(codes) > 5
    assert {code for code in codes if f"`{code}`" not in page} == set()


def test_every_option_of_every_game_is_on_a_page_of_the_rules_and_nothing_else_is() -> None:
    """A trailing `.*` stands for a family of keys."""
    from engine.game import games

    options = {option.key for game in games().values() for option in game.all_options()}
    pages = "\n".join(page.read_text(encoding="utf-8") for page in sorted((ROOT / "docs" / "rules").glob("*.md")))
    named = set(re.findall(r"`([a-z_0-9]+(?:\.[a-z_0-9*]+)*)`", pages))
    families = {name.removesuffix("*") for name in named if name.endswith(".*")}
    assert {key for key in options if key not in named and not key.startswith(tuple(families))} == set()
    keyed = {name for name in named if "." in name and not name.endswith((".*", ".txt", ".md"))}
    assert {name for name in keyed if name not in options} == set()
