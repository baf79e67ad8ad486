"""Where an imported file goes: the project that is named, the last one while it is empty, else a new one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from mido import Message, MidiFile, MidiTrack

from agent.session.cancellation import Cancellation, WorkCancelled
from app.bootstrap import open_studio
from app.cli.main import run
from app.studio.importing import bring_in
from tests.support.awaiting import awaited
from tests.support.studios import paths_in


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


@awaited
async def test_nowhere_once_somebody_asks_to_stop_while_the_file_is_read(tmp_path: Path) -> None:
    body = b"\x60\x90\x3c\x40\x60\x3c\x00" * 30_000 + b"\x00\xff\x2f\x00"
    long = tmp_path / "long.mid"
    long.write_bytes(b"MThd\x00\x00\x00\x06\x00\x00\x00\x01\x03\xc0MTrk" + len(body).to_bytes(4, "big") + body)
    studio = open_studio(paths_in(tmp_path / "home"))
    try:
        stop = Cancellation()
        stop.cancel()
        with pytest.raises(WorkCancelled):
            await bring_in(studio, long, None, stop)
        assert await studio.projects.all() == ()
    finally:
        await studio.close()
