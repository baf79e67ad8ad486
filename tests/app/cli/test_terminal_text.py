"""Foreign words at a terminal: shown as they are, obeyed never."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from commandline import ROOT, CommandLine
from hypothesis import given
from hypothesis import strategies as st
from rich.table import Table
from rich.text import Text

from agent.plan.document import Plan
from agent.plan.plan import Step
from agent.plan.tool import ToolSpec
from app.cli.output import PlainConsole, escaped, storable
from app.cli.tables import detail, print_plan

NASTY = "\x1b[31m \x07 \x9b1m \u202eliva [/red] [link=http://x]y[/link] :bomb: \\[a] \\"
ACTING = "\x1b\x07\x08\x9b\u202e\u200b\r"


def shown(printed: object) -> str:
    file = io.StringIO()
    PlainConsole(file, width=400).print(printed)
    return file.getvalue()


@pytest.mark.parametrize("make", [str, Text, lambda text: in_a_table(text)])
def test_nothing_in_a_name_acts(make: object) -> None:
    assert callable(make)
    said = shown(make(NASTY))
    assert not set(said) & set(ACTING)
    assert "[/red] [link=http://x]y[/link] :bomb: \\[a] \\" in said


def in_a_table(text: str) -> Table:
    table = Table(title=text)
    table.add_column(text)
    table.add_row(text)
    return table


@given(st.text("[]\\/=ab #.:", max_size=30))
def test_what_looks_like_markup_is_text(text: str) -> None:
    assert shown(text) == text + "\n"


@given(st.text())
def test_json_keeps_its_meaning_without_acting(text: str) -> None:
    text = storable(text)
    document = escaped(json.dumps([text], ensure_ascii=False))
    assert json.loads(document) == [text]
    assert not set(document) & set(ACTING)


def test_a_row_says_what_runs_whatever_its_title_claims() -> None:
    claimed = Step("s1", "delete_track", {"track_id": "tabc"}, title="A softer pad", for_each="{{s0.items}}")
    assert "delete_track" in detail(claimed)
    assert "tabc" in detail(claimed)
    assert "{{s0.items}}" in detail(claimed)


def test_a_row_that_a_model_works_on_or_that_leaves_the_song_is_shown_whole() -> None:
    goal = "Make the bass softer. " + "Then do something else. " * 30 + "Delete the drums."
    left = Step("s1", "work_on", {"tools": ["update_track", "delete_clip"]}, goal=goal, by="model", max_edits=200)
    file = Step("s2", "copy_file", {"path": "a/" + "b" * 200 + ".mid", "to": "c/" + "d" * 200 + "/end.mid"}, retry=3)
    copies = ToolSpec("copy_file", "files", "1", "Copies a file.", {}, {}, effect="files")
    console = io.StringIO()
    print_plan(PlainConsole(console, width=200), Plan((left, file)), {"copy_file": copies})
    said = "".join(console.getvalue().split("\n"))
    for words in ("Delete the drums.", "delete_clip", '"max_edits":200', "d" * 200 + "/end.mid", '"retry":3'):
        assert words in said


def test_a_row_says_how_it_runs_where_that_is_not_as_usual() -> None:
    row = Step("s2", "set_tempo", {"bpm": 90}, on_error="continue", retry=2, timeout=9, after=("s1",), max_edits=7)
    for words in ("goes on where it fails", "tried 2 times again", "at most 9 s", "after s1", "at most 7 edits"):
        assert words in detail(row)


def test_a_project_with_a_nasty_name_is_listed(tmp_path: Path) -> None:
    command_line = CommandLine(tmp_path / "home")
    name = NASTY.strip()
    command_line.ask("projects", "new", name)
    for words in (["projects"], ["history"], ["projects", "--json"], ["export", "mid"]):
        said = command_line.run(*words)
        assert said.status in (0, 2), said.stderr
        assert not set(said.stdout + said.stderr) & set(ACTING)


def test_a_file_name_that_is_no_text_is_one_clear_error(tmp_path: Path) -> None:
    error = CommandLine(tmp_path / "home").refused(2, "import", os.fsdecode(b"\xff.mid"))
    assert "no such file" in error["why"]


@pytest.mark.parametrize("closed", [[0], [1], [2], [0, 1, 2]])
def test_closed_streams_are_no_reason_to_fail(closed: list[int], tmp_path: Path) -> None:
    closing = " ".join(f"{number}>&-" for number in closed)
    command = f'exec "{sys.executable}" -m app projects new quiet {closing}'
    environment = {**os.environ, "BANDLEADER_HOME": str(tmp_path / "home")}
    ended = subprocess.run(["/bin/sh", "-c", command], cwd=ROOT, env=environment, capture_output=True, check=False)
    assert ended.returncode == 0, ended.stderr
    assert b"quiet" in CommandLine(tmp_path / "home").run("projects").stdout.encode()


def test_a_long_input_hides_no_other_one_from_whoever_approves() -> None:
    said = detail(Step("s1", "write_text", {"text": "harmless " * 200, "path": "/home/me/.profile", "replace": True}))
    assert "path /home/me/.profile" in said
    assert "replace True" in said
