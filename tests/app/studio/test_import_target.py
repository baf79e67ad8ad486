"""Where an imported file goes: the project that is named, the last one while it is empty, else a new one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from mido import Message, MidiFile, MidiTrack

from app.cli.main import run


@pytest.fixture
def tune(tmp_path: Path) -> Path:
    file, track = MidiFile(), MidiTrack()
    track.append(Message("note_on", note=60, velocity=80))
    track.append(Message("note_off", note=60, time=480))
    file.tracks.append(track)
    file.save(tmp_path / "A tune.mid")
    return tmp_path / "A tune.mid"


class Line:
    def __init__(self, read: pytest.CaptureFixture[str]) -> None:
        self._read = read

    def __call__(self, *words: str) -> Any:
        assert run((*words, "--json")) == 0
        return json.loads(self._read.readouterr().out)


@pytest.fixture
def line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Line:
    monkeypatch.setenv("BANDLEADER_HOME", str(tmp_path / "home"))
    return Line(capsys)


def names(line: Line) -> dict[str, str]:
    return {one["id"]: one["name"] for one in line("projects")["projects"]}


def test_into_a_new_project_named_after_the_file_when_there_is_none(line: Line, tune: Path) -> None:
    made = line("import", str(tune))
    assert names(line) == {made["project"]: "A tune"}


def test_into_the_last_project_while_it_is_empty(line: Line, tune: Path) -> None:
    line("projects", "new", "First")
    last = line("projects", "new", "Last")
    assert line("import", str(tune))["project"] == last["project"]


def test_into_a_new_project_when_the_last_one_holds_a_song(line: Line, tune: Path) -> None:
    first = line("import", str(tune))
    second = line("import", str(tune))
    assert names(line) == {first["project"]: "A tune", second["project"]: "A tune 2"}
    assert len(line("history", "--project", first["project"])["iterations"]) == 2


def test_into_the_project_that_is_named_as_a_new_version(line: Line, tune: Path) -> None:
    first = line("import", str(tune))
    again = line("import", str(tune), "--project", "A tune")
    assert again["project"] == first["project"]
    versions = line("history")["iterations"]
    assert [one["source"] for one in versions][:2] == ["import", "import"]
    assert versions[0]["id"] == again["iteration"]
