"""What starting a command costs: nothing that it does not need is imported."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MODELS = ("anthropic", "openai", "httpx2", "genai_prices", "json_repair")
SLOW = ("PySide6", "qasync", "numpy", "pedalboard", "fluidsynth", "scipy", "sounddevice", "keyring", *MODELS)
PROGRAM = """
import sys
from app.cli.main import run
status = run(sys.argv[1:])
print([name for name in {slow!r} if name in sys.modules], file=sys.stderr)
sys.exit(status)
"""


@pytest.fixture(scope="module", autouse=True)
def set_up() -> None:
    """As `make setup` leaves it: what sayings mean is learned."""
    subprocess.run([sys.executable, "scripts/learn.py"], cwd=ROOT, check=True)


@pytest.mark.parametrize(
    "words", [["projects"], ["list", "styles"], ["projects", "new", "One"], ["history"], ["plan", "a calm lofi beat"]]
)
def test_commands_without_sound_import_neither_window_nor_sound(words: list[str], tmp_path: Path) -> None:
    environment = {**os.environ, "BANDLEADER_HOME": str(tmp_path)}
    program = [sys.executable, "-c", PROGRAM.format(slow=SLOW)]
    if words[0] in ("history", "plan"):
        subprocess.run([*program, "projects", "new", "One"], cwd=ROOT, env=environment, check=True, capture_output=True)
    said = subprocess.run(
        [*program, *words, "--json"], cwd=ROOT, env=environment, check=True, capture_output=True, text=True
    )
    assert said.stderr.strip().splitlines()[-1] == "[]"


@pytest.mark.parametrize("words", [["projects"], ["projects", "new", "Two"], ["history"], ["diff", "1", "1"]])
def test_what_concerns_versions_alone_waits_for_no_composer(words: list[str], tmp_path: Path) -> None:
    environment = {**os.environ, "BANDLEADER_HOME": str(tmp_path)}
    late = ("agent.composer", "agent.chat", "agent.theory", "app.bootstrap", "app.exchange", "mido", "alembic", *SLOW)
    subprocess.run(
        [sys.executable, "-m", "app", "projects", "new", "One"], cwd=ROOT, env=environment, check=True,
        capture_output=True,
    )
    said = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(slow=late), *words], cwd=ROOT, env=environment, check=True,
        capture_output=True, text=True,
    )
    assert said.stderr.strip().splitlines()[-1] == "[]"


def test_composing_imports_no_window(tmp_path: Path) -> None:
    environment = {**os.environ, "BANDLEADER_HOME": str(tmp_path)}
    program = PROGRAM.format(slow=("PySide6", "qasync", *MODELS))
    said = subprocess.run(
        [sys.executable, "-c", program, "compose", "a short calm lofi beat, 4 bars", "--yes", "--json"],
        cwd=ROOT, env=environment, check=True, capture_output=True, text=True,
    )
    assert said.stderr.strip().splitlines()[-1] == "[]"


def test_garbage_is_collected_once_a_command_has_its_studio(tmp_path: Path) -> None:
    program = """
import atexit, gc, sys
from app.__main__ import main
atexit.register(lambda: print(gc.isenabled(), gc.get_freeze_count() > 0, file=sys.stderr))
sys.argv = ["app", "projects"]
sys.exit(main())
"""
    said = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env={**os.environ, "BANDLEADER_HOME": str(tmp_path)}, check=True,
        capture_output=True, text=True,
    )
    assert said.stderr.split() == ["True", "True"]


LATE = (
    "providers.short_answers", "mcp_servers.talk", "mcp_servers.http_transport", "mcp_servers.stdio_transport",
    "mcp_servers.bounded",
)
"""The modules that are made of such a library; who imports one at the top of a file fails here."""


def test_no_module_loads_what_models_need_when_it_is_imported() -> None:
    program = """
import sys
from importlib import import_module
from pkgutil import walk_packages
import agent, app
for package in (agent, app):
    for module in walk_packages(package.__path__, f"{{package.__name__}}."):
        late = "migrations" in module.name or module.name.endswith(("__main__", *{late!r}))
        if not late:
            import_module(module.name)
print([name for name in {slow!r} if name in sys.modules])
"""
    slow = (*MODELS, "keyring", "mcp", "asyncssh", "pypsrp")
    said = subprocess.run(
        [sys.executable, "-c", program.format(slow=slow, late=LATE)], cwd=ROOT, check=True, text=True,
        capture_output=True,
    )
    assert said.stdout.strip() == "[]"


def test_the_first_frame_waits_for_no_loop_database_or_sound() -> None:
    program = """
import sys
import app.window.front
print([name for name in {slow!r} if name in sys.modules])
"""
    waited = ("asyncio", "qasync", "sqlalchemy", "alembic", "qtawesome", "PySide6.QtNetwork", "app.bootstrap",
              "app.viewmodels.desktop", "numpy", "pedalboard")
    said = subprocess.run(
        [sys.executable, "-c", program.format(slow=waited)], cwd=ROOT, check=True, capture_output=True, text=True
    )
    assert said.stdout.strip() == "[]"
