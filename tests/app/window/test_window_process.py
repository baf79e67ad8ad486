"""The window as a process: it opens once, closes cleanly, and says why it cannot open."""

from __future__ import annotations

import signal
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from windows import WindowProcess, started


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def test_a_second_start_raises_the_first_window_and_ends(home: Path) -> None:
    with WindowProcess(home) as first:
        first.until_open()
        second = started(home)
        assert (second.returncode, second.stdout) == (0, "")
        assert "brought to the front" in second.stderr
        assert first.process.poll() is None
        first.send(signal.SIGTERM)
        assert first.ended() == 0
        assert first.said == ""
    with WindowProcess(home) as third:
        third.until_open()
        third.send(signal.SIGINT)
        assert third.ended() == 0


def test_it_may_be_told_to_close_while_it_opens(home: Path) -> None:
    with WindowProcess(home) as window:
        # The lock of the window comes before Qt's first frame, and the database long after it.
        window.until_open()
        window.send(signal.SIGTERM)
        assert window.ended() == 0
        assert "Traceback" not in window.said


def test_what_a_killed_window_leaves_does_not_keep_the_next_from_opening(home: Path) -> None:
    with WindowProcess(home) as window:
        window.until_open()
        window.send(signal.SIGKILL)
        window.ended()
    for left in (home / "running").iterdir():
        left.unlink()
    with WindowProcess(home) as window:
        window.until_open()
        assert started(home).returncode == 0
        window.send(signal.SIGTERM)
        assert window.ended() == 0


def test_a_window_that_hangs_is_named(home: Path) -> None:
    with WindowProcess(home) as first:
        first.until_open()
        assert started(home).returncode == 0
        first.send(signal.SIGSTOP)
        second = started(home)
        assert second.returncode == 6
        assert "does not answer" in second.stderr
        assert f"process {first.process.pid}" in second.stderr
        first.send(signal.SIGCONT)
        first.send(signal.SIGTERM)
        assert first.ended() == 0


def _newer(home: Path) -> None:
    with WindowProcess(home) as window:
        window.until_open()
        window.send(signal.SIGTERM)
        assert window.ended() == 0
    connection = sqlite3.connect(home / "bandleader.db")
    connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.commit()
    connection.close()


def _garbage(home: Path) -> None:
    home.mkdir()
    (home / "bandleader.db").write_bytes(b"no database at all " * 300)


def _file_in_the_way(home: Path) -> None:
    home.write_text("a file")


@pytest.mark.parametrize("spoil", [_newer, _garbage, _file_in_the_way])
def test_a_start_that_fails_tells_why_in_a_window_and_on_stderr(home: Path, spoil: Callable[[Path], None]) -> None:
    spoil(home)
    with WindowProcess(home) as window:
        window.until_said("error: ")
        window.send(signal.SIGTERM)
        assert window.ended() == 6
        assert "why: " in window.said
        assert "Traceback" not in window.said


@pytest.mark.parametrize("display", ["", ":7654"])
def test_without_a_display_the_commands_are_named(home: Path, display: str) -> None:
    said = started(home, QT_QPA_PLATFORM="", DISPLAY=display, WAYLAND_DISPLAY="")
    assert said.returncode == 6
    assert "display" in said.stderr
    assert "try: " in said.stderr
    assert "bandleader compose" in said.stderr
    assert not home.exists()


@pytest.mark.skipif(sys.platform != "linux", reason="fontconfig, which finds the fonts, is Linux's")
def test_without_any_font_the_window_opens_and_that_is_said(home: Path, tmp_path: Path) -> None:
    empty = tmp_path / "fonts.conf"
    empty.write_text('<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig></fontconfig>')
    with WindowProcess(home, FONTCONFIG_FILE=str(empty)) as window:
        window.until_open()
        window.send(signal.SIGTERM)
        assert window.ended() == 0
        assert "error: this system has no fonts" in window.said
        assert "try: install one" in window.said


CRASHING = (
    "AAAA/wAAAAH9AAAAAgAAAAAAAAEYAAACmPwCAAAAAfwAAABKAAACmAAAABwBAAAb+gAAAAACAAAAAvsAAAAIAGMAaABhAHQBAAAAAP////8AAAAA"
    "AP////sAAAAOAGgAaQBzAHQAbwByAHkBAAAAAP////8AAAAAAP///wAAf////wH/AAABBPwBAAAAAfsAAAAIAHAAbABhAG4BAAABGQAAAf8AAAAA"
    "AP///wAAAf8AAAGTAAAABAAAAAQAAAABAAAACPwAAAAA"
)
"""Places of docks with four bytes changed: restoring them ends Qt with a segmentation fault."""


@pytest.mark.parametrize("content", [
    b"", b"{", b'{"theme": 7}', b'{"theme":"light","geometry":"x","layout":"AAAA"}',
    f'{{"layout": "{CRASHING}"}}'.encode(), f'{{"layout": "0123456789abcdef {CRASHING}"}}'.encode(),
])
def test_looks_that_are_damaged_keep_no_window_from_opening(home: Path, content: bytes) -> None:
    (home / "cache").mkdir(parents=True)
    (home / "cache" / "window.json").write_bytes(content)
    with WindowProcess(home) as window:
        window.until_open()
        window.send(signal.SIGTERM)
        assert window.ended() == 0
        assert window.said == ""
