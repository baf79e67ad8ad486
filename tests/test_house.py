"""The house stands: floors hold and catch a breach, rooms stay small, no machine is special."""

from __future__ import annotations

import ast
import os
import re
import shutil
import string
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import pytest

from agent.fixes import FixKind

ROOT = Path(__file__).parent.parent
CODE = ("agent", "app")
OURS = (*CODE, "packaging", "scripts", "tests")
DRAWERS = {"utils", "util", "helpers", "helper", "common", "misc", "manager", "managers", "core"}
TEXTS = {".py", ".md", ".toml", ".txt", ".sh", ".spec", ".cfg", ".ini", ".yml", ".yaml"}
FILE_LINES, FUNCTION_LINES = 400, 60

FLOORS = "Floors: a room may only use floors below its own"
OUTSIDE = "What speaks to the world outside lives in one room of services each"
PLUG_IN = "Machines are reached through the plug-in's entry point alone"
DATABASE = "Database and keyring live in app.storage"
BREACHES = [
    (FLOORS, "agent.song", "agent.session"),
    (FLOORS, "app.storage", "app.sound"),
    (FLOORS, "app.services", "app.studio"),
    (FLOORS, "agent.plan", "agent.theory"),
    (
        "The composer changes with what writes, and both with what understands",
        "agent.composer.understanding", "agent.composer.writing.form",
    ),
    (
        "Talk: a reply stands over answers, and these over how a message is read",
        "agent.chat.reading", "agent.chat.answering.wording",
    ),
    (
        "A model's planner goes round over reading, and reads over the prompt",
        "agent.model_planner.prompt", "agent.model_planner.reading",
    ),
    (
        "The studio: runs stand over planning, and both over what was opened to services",
        "app.studio.integrations", "app.studio.running.runs",
    ),
    (
        "The view models: an open project stands over its rooms, and each room over what it is made of",
        "app.viewmodels.texts", "app.viewmodels.edits.mixing",
    ),
    ("Qt lives in app.ui and app.window", "app.studio", "PySide6.QtCore"),
    ("Model SDKs live in agent.providers", "agent.composer", "anthropic"),
    (OUTSIDE, "app.studio", "asyncssh"),
    (OUTSIDE, "app.cli", "mcp"),
    (PLUG_IN, "app.studio", "app.services.machines.ssh"),
    (PLUG_IN, "app.services", "app.services.machines.machines_service"),
    (DATABASE, "app.services", "sqlite3"),
    (DATABASE, "app.cli", "keyring"),
    ("The agent has no sound, disk or database", "agent.review", "pathlib"),
]
"""The contract, the room where a module is planted, and what that module imports."""


def python_files(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def lint_imports(folder: Path) -> tuple[int, dict[str, str]]:
    """Exit status, and what is said of each contract: KEPT, or the imports that break it."""
    program = Path(sys.executable).parent / "lint-imports"
    answer = subprocess.run(
        [program, "--no-cache"],
        cwd=folder,
        env={**os.environ, "COLUMNS": "300", "NO_COLOR": "1", "PYTHONPATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    states = dict(re.findall(r"^(.+?) (KEPT|BROKEN)", answer.stdout, re.MULTILINE))
    assert states, answer.stdout + answer.stderr
    found = re.split(r"^(.+)\n-+\n", answer.stdout.partition("Broken contracts")[2], flags=re.MULTILINE)
    return answer.returncode, {**states, **dict(zip(found[1::2], found[2::2], strict=True))}


@pytest.fixture(scope="module")
def breached(tmp_path_factory: pytest.TempPathFactory) -> tuple[int, dict[str, str]]:
    """What is said of a copy of the house with every breach planted in it."""
    house = tmp_path_factory.mktemp("house")
    shutil.copy(ROOT / "pyproject.toml", house)
    for folder in CODE:
        shutil.copytree(ROOT / folder, house / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for number, (_, room, imported) in enumerate(BREACHES):
        (house / room.replace(".", "/") / f"breach_{number}.py").write_text(f'"""A breach."""\nimport {imported}\n')
    return lint_imports(house)


def test_every_floor_contract_holds() -> None:
    status, contracts = lint_imports(ROOT)
    assert status == 0
    assert set(contracts.values()) == {"KEPT"}


def test_each_contract_has_a_breach_planted_below() -> None:
    config = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert {contract["name"] for contract in config["tool"]["importlinter"]["contracts"]} == {
        contract for contract, _, _ in BREACHES
    }


@pytest.mark.parametrize("number", range(len(BREACHES)), ids=lambda number: "-".join(BREACHES[number][1:]))
def test_a_planted_breach_is_caught(breached: tuple[int, dict[str, str]], number: int) -> None:
    status, contracts = breached
    contract, room, imported = BREACHES[number]
    assert status != 0
    target = imported if imported.startswith(CODE) else imported.partition(".")[0]
    assert f"{room}.breach_{number} -> {target} " in contracts[contract]


def test_packaging_is_no_package() -> None:
    """With an `__init__.py` it would shadow the library of that name for everything run from the root."""
    assert not list((ROOT / "packaging").rglob("__init__.py"))


def test_rooms_have_names_not_drawers() -> None:
    stems = {path.stem: path for path in python_files(*OURS)}
    folders = {path.parent.name: path for path in python_files(*OURS)}
    assert not [str(path) for name, path in (stems | folders).items() if name in DRAWERS]


def test_each_file_can_be_read_in_one_sitting() -> None:
    too_long = []
    for path in python_files(*CODE):
        text, name = path.read_text(encoding="utf-8"), path.relative_to(ROOT)
        too_long += [f"{name}: {lines} lines" for lines in [len(text.splitlines())] if lines > FILE_LINES]
        too_long += [f"{name}: {one}" for one, lines in function_sizes(text) if lines > FUNCTION_LINES]
    assert not too_long


def function_sizes(text: str) -> Iterator[tuple[str, int]]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            yield node.name, node.end_lineno - node.lineno + 1


SHARED_NAMES: dict[str, str] = {}
"""Public class names with two meanings, each with why both keep it; there are at most ten."""


def homonyms(sources: Mapping[str, str]) -> dict[str, list[str]]:
    """Public names that classes of several modules share, with these modules; `sources` are texts by their path."""
    found: dict[str, list[str]] = {}
    for path, text in sources.items():
        classes = {node.name for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ClassDef)}
        for name in sorted(classes):
            found.setdefault(name, []).append(path)
    return {name: paths for name, paths in found.items() if not name.startswith("_") and len(paths) > 1}


def test_a_class_name_has_one_meaning() -> None:
    sources = {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in python_files(*CODE)}
    shared = homonyms(sources)
    assert not {name: paths for name, paths in shared.items() if name not in SHARED_NAMES}
    assert shared.keys() == SHARED_NAMES.keys()
    assert len(SHARED_NAMES) <= 10
    breach = {"app/ui/mixer/breach.py": "if True:\n    class Song: ...\nclass _Song: ...\n"}
    assert homonyms({**sources, **breach}).keys() - shared.keys() == {"Song"}


SCENES = ("app.ui.pianoroll.scene", "app.ui.history.difference_scene")


def imports_of(path: Path) -> set[str]:
    """Modules that a file imports anywhere, also where only types are checked."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {one.name for one in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{one.name}" for one in node.names)}
    return found


def imports_in(*rooms: str) -> dict[str, set[str]]:
    return {".".join(path.relative_to(ROOT).with_suffix("").parts): imports_of(path) for path in python_files(*rooms)}


def circle(imports: dict[str, set[str]]) -> set[str]:
    """The modules that are left when those that import none of the others are taken away, again and again."""
    left = dict(imports)
    while free := [name for name, found in left.items() if not found & left.keys()]:
        for name in free:
            del left[name]
    return set(left)


def reached(imports: dict[str, set[str]], name: str) -> set[str]:
    """All that a module imports, and what that imports."""
    found, ahead = set(), [name]
    while ahead:
        for one in imports.get(ahead.pop(), set()) - found:
            found.add(one)
            ahead.append(one)
    return found


def test_files_of_a_room_import_one_way() -> None:
    folders = [path for top in ("agent", "app", "app/services", "app/ui") for path in (ROOT / top).iterdir()]
    rooms = {path.relative_to(ROOT).as_posix() for path in folders if path.is_dir()} - {"app/services", "app/ui"}
    assert not {room for room in rooms if circle(imports_in(room))}
    imports = imports_in("app/ui/canvas", "app/ui/pianoroll")
    imports["app.ui.pianoroll.scene"].add("app.ui.pianoroll.view")
    assert "app.ui.pianoroll.tools.draw" in circle(imports)


@pytest.mark.parametrize("scene", SCENES)
def test_a_scene_knows_no_qt(scene: str) -> None:
    imports = imports_in("app/ui")
    assert not [one for one in reached(imports, scene) if one.startswith("PySide6")]
    imports[scene].add("app.ui.canvas.look")
    assert "PySide6.QtGui" in reached(imports, scene)


HEAVY = (
    "app.bootstrap", "app.studio", "app.storage", "app.sound", "app.exchange", "app.window", "agent.composer",
    "agent.session", "agent.chat", "rich", "msgspec", "asyncio", "sqlalchemy", "pydantic", "numpy", "PySide6",
)
"""What no person should wait for who only asks for help."""


def heavy_at_help(overlay: Path) -> list[str]:
    """What is loaded of `HEAVY` once help is shown, with the files of `overlay` in place of those of app/cli."""
    program = f"""
import sys, app.cli
app.cli.__path__.insert(0, sys.argv[1])
from app.cli.main import run
assert run(["--help"]) == run(["plan", "--help"]) == 0
print(*[name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)
"""
    words = [sys.executable, "-c", program, str(overlay)]
    return subprocess.run(words, cwd=ROOT, check=True, capture_output=True, text=True).stderr.split()


def test_help_waits_for_nothing_heavy(tmp_path: Path) -> None:
    assert heavy_at_help(tmp_path) == []
    (tmp_path / "commands.py").write_text((ROOT / "app/cli/commands.py").read_text("utf-8") + "import app.storage\n")
    assert heavy_at_help(tmp_path) == ["app.storage"]


BEHIND_THE_FRAME = (
    "app.bootstrap", "app.studio.studio", "app.viewmodels.open_project", "app.ui.settings", "agent.composer",
    "msgspec", "asyncio", "qasync", "socket", "sqlalchemy", "numpy",
)
"""What nobody should wait for who opens the window."""


def behind_the_frame(before: str) -> list[str]:
    """What is loaded of `BEHIND_THE_FRAME` once all is imported that the first frame needs, after the line `before`."""
    program = f"""
import sys
{before}
import app.window.front
print(*[name for name in {BEHIND_THE_FRAME!r} if name in sys.modules])
"""
    words = [sys.executable, "-c", program]
    return subprocess.run(words, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()


def test_the_first_frame_waits_for_nothing_heavy() -> None:
    assert behind_the_frame("import agent.errors") == []
    assert behind_the_frame("import agent.plan.plan") == ["msgspec"]


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


TYPED = re.compile(r"bandleader [a-z]|(?<![\w-])--[a-z]")
TYPED_ELSEWHERE = (
    "app/cli/", "app/services/mcp_servers/mortal.py", "agent/chat/answering/program.py",
)
"""What is typed, what another program is given, what fills a door's own words."""
STORED = "in advance by --yes"
"""Who approved, as it stands in the databases of people."""


def advised_commands(source: str) -> list[str]:
    """The texts of a module, but docstrings, that name a command or an option of the command line."""
    nodes = list(ast.walk(ast.parse(source)))
    docs = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    texts = [node.value for node in nodes if isinstance(node, ast.Constant) and id(node) not in docs]
    return [text for text in texts if isinstance(text, str) and text != STORED and TYPED.search(text)]


def advised_wrongly(tree: ast.AST) -> list[int]:
    """The lines that give a kind of advice more or fewer values than it has fields."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)]
    return [
        call.lineno for call in calls
        if isinstance(call.func, ast.Attribute) and ast.unparse(call.func.value) == "FixKind"
        if len(call.args) != len(FixKind[call.func.attr].fields) or call.keywords
    ]


def test_each_advice_has_the_values_of_its_kind() -> None:
    trees = {path.relative_to(ROOT).as_posix(): ast.parse(path.read_text("utf-8")) for path in python_files(*CODE)}
    assert not {name: lines for name, tree in trees.items() if (lines := advised_wrongly(tree))}
    assert advised_wrongly(ast.parse("FixKind.SHOW_RUN()\nFixKind.LIST_RUNS()\nFixKind.SHOW_RUN(run='r')")) == [1, 3]


def test_no_advice_below_the_command_line_names_a_command() -> None:
    found = {}
    for path in python_files(*CODE):
        name = path.relative_to(ROOT).as_posix()
        if not name.startswith(TYPED_ELSEWHERE) and (texts := advised_commands(path.read_text("utf-8"))):
            found[name] = texts
    assert not found
    assert advised_commands('raise StudioError("there is none", fix=f"bandleader runs show {run}")')
    assert advised_commands('def f():\n    """As `--yes` does."""\n    return FixKind.SAY("repeat it with --yes")') == [
        "repeat it with --yes"
    ]


def handler_names(trees: Iterable[ast.AST]) -> set[str]:
    """The public attributes that hold what is called, as objects declare them of themselves."""
    declared = [one for tree in trees for one in ast.walk(tree) if isinstance(one, ast.AnnAssign)]
    found = [one.target for one in declared if ast.unparse(one.annotation).startswith("Callable[")]
    return {one.attr for one in found if isinstance(one, ast.Attribute) and not one.attr.startswith("_")}


def handlers_set(tree: ast.AST, handlers: set[str]) -> list[int]:
    """The lines that give another object a handler after it was built: an arrow that no contract sees."""
    rooms = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    methods = {one.name for room in rooms for one in room.body if isinstance(one, ast.FunctionDef)}
    properties = {
        one.name for room in rooms for one in room.body if isinstance(one, ast.FunctionDef) and one.decorator_list
    }
    return sorted(
        target.lineno for one in ast.walk(tree) if isinstance(one, ast.Assign) for target, value in _set(one)
        if isinstance(target, ast.Attribute) and not _is_self(target.value)
        if target.attr in handlers or isinstance(value, ast.Lambda) or _own(value) in methods - properties
    )


def _set(one: ast.Assign) -> Iterator[tuple[ast.expr, ast.expr]]:
    for target in one.targets:
        if isinstance(target, ast.Tuple) and isinstance(one.value, ast.Tuple):
            yield from zip(target.elts, one.value.elts, strict=False)
        else:
            yield target, one.value


def _own(value: ast.expr) -> str:
    return value.attr if isinstance(value, ast.Attribute) and _is_self(value.value) else ""


def _is_self(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


def test_handlers_are_constructor_arguments_or_signals() -> None:
    trees = {path.relative_to(ROOT).as_posix(): ast.parse(path.read_text("utf-8")) for path in python_files("app")}
    handlers = handler_names(trees.values())
    assert not {name: lines for name, tree in trees.items() if (lines := handlers_set(tree, handlers))}
    breach = """
class Panel:
    def __init__(self, box):
        self.act: Callable[[str], bool] = lambda name: False
        self.box = box
        self.box.asked = self._asked
        box.refuses = lambda words: ""
        self.told, box.told = words, self._asked
        box.title = self._title

    def _asked(self): ...

    @property
    def _title(self): ...

def made(panel, links):
    panel.act = links.act
"""
    assert handler_names([ast.parse(breach)]) == {"act"}
    assert handlers_set(ast.parse(breach), {"act"}) == [6, 7, 8, 17]


def error_names(trees: Iterable[ast.AST]) -> set[str]:
    """The classes that are errors of ours, by what they derive from."""
    bases = {
        node.name: {one.id for one in node.bases if isinstance(one, ast.Name)}
        for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)
    }
    found = {"BandleaderError"}
    while more := {name for name, over in bases.items() if over & found} - found:
        found |= more
    return found


def untranslatable(tree: ast.AST, errors: set[str]) -> list[int]:
    """The lines that put an error's sentence together where no catalogue can see it."""
    lines = []
    for call in ast.walk(tree):
        name = call.func.id if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) else ""
        if name == "msg" and not _well_made(call):
            lines.append(call.lineno)
        if name in errors:
            parts = [*call.args[:1], *(one.value for one in call.keywords if one.arg in ("what", "why", "fix"))]
            lines += [part.lineno for part in parts if isinstance(part, ast.JoinedStr)]
    return lines


def _well_made(call: ast.Call) -> bool:
    """Whether a message is one text whose fields are its values."""
    text = call.args[0].value if isinstance(call.args[0], ast.Constant) else None
    return isinstance(text, str) and {
        field for _, field, _, _ in string.Formatter().parse(text) if field is not None
    } == {one.arg for one in call.keywords}


def test_every_sentence_of_an_error_can_be_translated() -> None:
    trees = {path.relative_to(ROOT).as_posix(): ast.parse(path.read_text("utf-8")) for path in python_files(*CODE)}
    errors = error_names(trees.values())
    assert not {name: lines for name, tree in trees.items() if (lines := untranslatable(tree, errors))}
    for breach in ('RunError(f"no run {run}")', 'RunError("gone", why=f"{run}")', 'msg("no {a}", b=1)', "msg(text)"):
        assert untranslatable(ast.parse(breach), errors), breach
