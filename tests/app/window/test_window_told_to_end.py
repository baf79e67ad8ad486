"""A window that is told to end ends cleanly whatever it does, and the next start finds everything as it was."""

from __future__ import annotations

import asyncio
import shutil
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import cycle
from pathlib import Path

import driven_window
import pytest
from commandline import CommandLine
from driven_window import FIRST, FIRST_FRAME, OPENING, PROJECT, STATES
from model_plans import pad_rows, written
from model_server import Text, model_server
from model_wire_script import Stall
from windows import WindowProcess

from agent.session.run_state import RunState
from app.bootstrap import open_studio
from app.paths import Paths, find_paths
from app.studio.running.run_view import RunView
from app.studio.studio import Studio

PROGRAM = str(Path(driven_window.__file__))
SIGNALS = cycle((signal.SIGTERM, signal.SIGINT, signal.SIGHUP))
ASKING = ("proposed", "planning", "model_streaming", "running", "waiting_for_the_person")
"""States in which a request was sent, which makes a project of its own."""
BEFORE_A_RUN = ASKING[:3]
ENDS = {"waiting_for_the_person": RunState.WAITING_USER}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a song."""
    home = tmp_path_factory.mktemp("made") / "home"
    line = CommandLine(home)
    line.ask("projects", "new", PROJECT)
    line.ask("compose", "a calm song of 16 bars", "--project", PROJECT, "--yes", "--seed", "1")
    shutil.rmtree(home / "cache", ignore_errors=True)
    return home


@pytest.fixture
def home(made: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copytree(made, tmp_path / "home"))


@pytest.fixture(scope="module")
def model() -> Iterator[str]:
    """A model's server that falls silent in the middle of each answer."""
    text = written(pad_rows())
    with model_server(lambda _: Stall(Text(text), len(text) // 2)) as server:
        yield server.url("openai-chat")


def opened(home: Path) -> Studio:
    """The next start."""
    return open_studio(Paths(home, home / "cache", home / "logs", find_paths().resources))


@pytest.mark.parametrize(
    ("state", "by"), list(zip((FIRST_FRAME, OPENING, *STATES), SIGNALS, strict=False)), ids=lambda part: str(part)
)
def test_it_ends_cleanly_in_every_state(home: Path, model: str, state: str, by: signal.Signals) -> None:
    before = stored(home)
    environment = {"OPENAI_BASE_URL": model, "OPENAI_API_KEY": "sk-none"} if state == "model_streaming" else {}
    with WindowProcess(
        home, (PROGRAM, state, str(home / "song.wav")), PYTHONPATH=".", **environment
    ) as window:
        assert window.next_line() == state, window.said
        window.send(by)
        assert window.ended() == 0
        assert window.said == ""
    assert not (home / "song.wav").exists()
    now = stored(home)
    asked = [text for role, text in now["message"] if role == "user"]
    assert asked == [text for role, text in before["message"] if role == "user"] + [FIRST] * (state in ASKING)
    assert set(before["iteration"]) <= set(now["iteration"])
    if state not in ASKING:
        assert now == before
    asyncio.run(is_as_it_was(home, state))


async def is_as_it_was(home: Path, state: str) -> None:
    """Look at what a start finds that follows a state."""
    studio = opened(home)
    try:
        project = await studio.projects.find(None)
        kept = await studio.kept_plans.find(project.id)
        assert (kept is not None) == (state == "proposed")
        found = [await studio.runs.show(one.id) for one in await studio.runs.all(project)]
        if state == "running":
            rested_amid(found[0])
        else:
            assert [one.state for one in found] == [ENDS.get(state, RunState.COMPLETED)] * (state not in BEFORE_A_RUN)
    finally:
        await studio.close()


def rested_amid(left: RunView) -> None:
    # The rows are quick: the last may be done before the signal is heard.
    assert left.state.holds_song or left.state is RunState.COMPLETED
    assert sum(row.state.ended for row in left.rows) >= 2


def stored(home: Path) -> dict[str, list[tuple[str, ...]]]:
    """What people have made."""
    queries = {
        "message": "SELECT role, text FROM message ORDER BY rowid", "iteration": "SELECT id, root FROM iteration",
        "project": "SELECT id, name, working FROM project", "run": "SELECT id, state FROM run",
    }
    with closing(sqlite3.connect(home / "bandleader.db")) as connection:
        return {table: connection.execute(query).fetchall() for table, query in queries.items()}
