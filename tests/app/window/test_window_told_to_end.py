"""A window that is told to end in the middle of work ends cleanly, and nothing that was reached is lost."""

from __future__ import annotations

import asyncio
import signal
import sqlite3
from pathlib import Path

import driven_window
import pytest
from driven_window import FIRST, SECOND
from windows import WindowProcess

from agent.session.run_state import RunState
from app.bootstrap import open_studio
from app.paths import Paths
from app.studio.running.run_view import RunView


def ended_amid(home: Path, what: str) -> WindowProcess:
    """A window that was told to end while it did something."""
    program = str(Path(driven_window.__file__))
    with WindowProcess(home, (program, what, str(home / "song.wav")), PYTHONPATH=".") as window:
        assert window.next_line() == what, window.said
        window.send(signal.SIGTERM)
        assert window.ended() == 0
        assert window.said == ""
    return window


def requests_in(home: Path) -> list[str]:
    connection = sqlite3.connect(home / "bandleader.db")
    try:
        return [text for text, in connection.execute("SELECT text FROM message WHERE role = 'user' ORDER BY rowid")]
    finally:
        connection.close()


def last_run(home: Path) -> RunView:
    async def look() -> RunView:
        studio = open_studio(Paths(home, home / "cache", home / "logs", Path("resources").absolute()))
        try:
            project = await studio.projects.find(None)
            return await studio.runs.show((await studio.runs.all(project))[0].id)
        finally:
            await studio.close()

    return asyncio.run(look())


@pytest.mark.parametrize("what", ["proposed", "planning", "exporting"])
def test_what_was_asked_and_made_is_kept(tmp_path: Path, what: str) -> None:
    home = tmp_path / "home"
    ended_amid(home, what)
    asked = requests_in(home)
    assert asked == ([FIRST, SECOND] if what == "planning" else [FIRST])
    if what != "proposed":
        assert last_run(home).state is RunState.COMPLETED
    assert not (home / "song.wav").exists()


def test_a_run_can_be_taken_up_where_it_is_not_over(tmp_path: Path) -> None:
    home = tmp_path / "home"
    ended_amid(home, "running")
    left = last_run(home)
    # The rows are quick: the last may be done before the signal is heard.
    assert left.state.holds_song or left.state is RunState.COMPLETED
    assert sum(row.state.ended for row in left.rows) >= 2
