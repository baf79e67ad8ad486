"""The house stands: floors hold and catch a breach, rooms stay small, no machine is special."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
CODE = ("agent", "app")
OURS = (*CODE, "packaging", "scripts", "tests")
DRAWERS = {"utils", "util", "helpers", "helper", "common", "misc", "manager", "managers", "core"}
TEXTS = {".py", ".md", ".toml", ".txt", ".sh", ".spec", ".cfg", ".ini", ".yml", ".yaml"}
FILE_LINES, FUNCTION_LINES = 400, 60

FLOORS = "Floors: a room may only use floors below its own"
BREACHES = [
    (FLOORS, "agent/song/breach.py", "import agent.session"),
    (FLOORS, "app/storage/breach.py", "import app.sound"),
    (FLOORS, "app/services/breach.py", "import app.studio"),
    (FLOORS, "agent/plan/breach.py", "import agent.theory"),
    (
        "The composer changes with what writes, and both with what understands",
        "agent/composer/understanding/breach.py", "import agent.composer.writing.form",
    ),
    (
        "A model's planner goes round over reading, and reads over telling",
        "agent/model_planner/telling/breach.py", "import agent.model_planner.reading",
    ),
    (
        "The studio: runs stand over planning, and both over what was opened to services",
        "app/studio/doors/breach.py", "import app.studio.running.runs",
    ),
    (
        "The desktop: an open project stands over its rooms, and each room over what it is made of",
        "app/desktop/texts/breach.py", "import app.desktop.edits.mixing",
    ),
    ("Qt lives in app.ui and app.window", "app/studio/breach.py", "import PySide6.QtCore"),
    ("Model SDKs live in agent.providers", "agent/composer/breach.py", "import anthropic"),
    ("What speaks to the world outside lives in one room of services each", "app/studio/breach.py", "import asyncssh"),
    ("What speaks to the world outside lives in one room of services each", "app/cli/breach.py", "import mcp"),
    ("Database and keyring live in app.storage", "app/services/breach.py", "import sqlite3"),
    ("Database and keyring live in app.storage", "app/cli/breach.py", "import keyring"),
    ("The agent has no sound, disk or database", "agent/review/breach.py", "import pathlib"),
]


def python_files(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def lint_imports(folder: Path) -> tuple[int, dict[str, str]]:
    """Exit status, and what became of each contract: KEPT or BROKEN."""
    program = Path(sys.executable).parent / "lint-imports"
    answer = subprocess.run(
        [program, "--no-cache"],
        cwd=folder,
        env={**os.environ, "COLUMNS": "300", "NO_COLOR": "1", "PYTHONPATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    kept = re.findall(r"^(.+?) (KEPT|BROKEN)", answer.stdout, re.MULTILINE)
    assert kept, answer.stdout + answer.stderr
    return answer.returncode, dict(kept)


@pytest.fixture(scope="module")
def copy_of_the_house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    house = tmp_path_factory.mktemp("house")
    shutil.copy(ROOT / "pyproject.toml", house)
    for folder in CODE:
        shutil.copytree(ROOT / folder, house / folder, ignore=shutil.ignore_patterns("__pycache__"))
    return house


def test_every_floor_contract_holds() -> None:
    status, contracts = lint_imports(ROOT)
    assert status == 0
    assert set(contracts.values()) == {"KEPT"}


def test_each_contract_has_a_breach_planted_below() -> None:
    config = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert {contract["name"] for contract in config["tool"]["importlinter"]["contracts"]} == {
        contract for contract, _, _ in BREACHES
    }


@pytest.mark.parametrize(("contract", "file", "line"), BREACHES)
def test_a_planted_breach_is_caught(copy_of_the_house: Path, contract: str, file: str, line: str) -> None:
    planted = copy_of_the_house / file
    planted.write_text(f'"""A breach."""\n{line}\n')
    try:
        status, contracts = lint_imports(copy_of_the_house)
    finally:
        planted.unlink()
    assert status != 0
    assert [name for name, state in contracts.items() if state == "BROKEN"] == [contract]


def test_packaging_is_no_package() -> None:
    """With an `__init__.py` it would shadow the library of that name for everything run from the root."""
    assert not list((ROOT / "packaging").rglob("__init__.py"))


def test_rooms_have_names_not_drawers() -> None:
    stems = {path.stem: path for path in python_files(*OURS)}
    folders = {path.parent.name: path for path in python_files(*OURS)}
    assert not [str(path) for name, path in (stems | folders).items() if name in DRAWERS]


@pytest.mark.parametrize("path", python_files(*CODE), ids=lambda path: str(path.relative_to(ROOT)))
def test_a_file_can_be_read_in_one_sitting(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= FILE_LINES
    assert not [name for name, lines in function_sizes(text) if lines > FUNCTION_LINES]


def function_sizes(text: str) -> Iterator[tuple[str, int]]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            yield node.name, node.end_lineno - node.lineno + 1


def test_every_module_says_what_it_is() -> None:
    trees = {path: ast.parse(path.read_text("utf-8")) for path in python_files(*OURS)}
    assert not [str(path.relative_to(ROOT)) for path, tree in trees.items() if not ast.get_docstring(tree)]


def test_no_package_host_is_named() -> None:
    """Where packages come from is the business of whoever installs them."""
    hosts = r"pypi\.org|pythonhosted|debian\.org|npmjs|--(extra-)?index-url|--find-links"
    texts = [path for path in ROOT.iterdir() if path.suffix in TEXTS or path.name == "Makefile"]
    for folder in (*OURS, "docs", "resources", ".ci"):
        files = [path for path in (ROOT / folder).rglob("*") if path.is_file()]
        texts += [path for path in files if path.suffix in TEXTS or path.name == "run"]
    found = [path for path in texts if re.search(hosts, path.read_text("utf-8", "replace"), re.IGNORECASE)]
    assert not [str(path.relative_to(ROOT)) for path in found if path != Path(__file__)]


def constraints() -> list[Requirement]:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    return [Requirement(line) for line in lines if line and not line.startswith("#")]


def test_constraints_name_one_exact_version_each() -> None:
    for pin in constraints():
        assert pin.url is None, pin
        assert [part.operator for part in pin.specifier] == ["=="], pin
    markers = [(canonicalize_name(pin.name), str(pin.marker)) for pin in constraints()]
    assert len(markers) == len(set(markers))


def test_constraints_pin_what_the_project_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    here = [pin for pin in constraints() if pin.marker is None or pin.marker.evaluate()]
    pins = {canonicalize_name(pin.name): pin for pin in here}
    extras = project["optional-dependencies"].values()
    wanted = [Requirement(line) for line in (*project["dependencies"], *(line for extra in extras for line in extra))]
    for need in wanted:
        if need.name == project["name"]:
            continue
        if need.marker is None or need.marker.evaluate():
            version = next(iter(pins[canonicalize_name(need.name)].specifier)).version
            assert need.specifier.contains(version), f"{need} is pinned to {version}"


def test_python_3_11_keeps_the_qt_that_does_not_abort() -> None:
    """PySide6 6.12 loses a reference to None at each void call on 3.11, whose None is not immortal yet."""
    old = {"python_version": "3.11", "python_full_version": "3.11.9"}
    qt = [pin for pin in constraints() if canonicalize_name(pin.name) in ("pyside6-essentials", "shiboken6")]
    chosen = [pin for pin in qt if pin.marker is None or pin.marker.evaluate(old)]
    assert len(chosen) == 2
    assert all(next(iter(pin.specifier)).version.startswith("6.11.") for pin in chosen)
