"""Rows of files in a real run: what breaks between approval and run, or in the middle of it, and taking it up."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from awaiting import awaited
from collections_of_files import a_collection, midi_file
from studios import after, approved, carried_out, crashed

from agent.plan.plan import Step
from agent.services.service import Call, Outcome
from agent.session.cancellation import Cancellation
from agent.session.run_state import RunState
from app.paths import Paths
from app.services.files.writing import FileWriters
from app.studio.running.run_view import RunView
from app.studio.studio import Studio

pytestmark = pytest.mark.skipif("sys.platform == 'win32'", reason="needs pipes and links that anyone may make")

BRING = (
    Step("s1", "query_library", {"kind": "midi", "key": "A minor"}),
    Step("s2", "import_midi", {"path": "{{item.path}}"}, for_each="{{s1.items}}", on_error="continue"),
)


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    a_collection(tmp_path / "Mine")
    midi_file(tmp_path / "Mine" / "👩‍🎤 lied.mid")
    return tmp_path / "Mine"


def states(view: RunView) -> list[str]:
    """How the rows ended."""
    return [row.state.value for row in view.rows]


@awaited
async def test_a_file_that_breaks_after_the_approval_fails_its_item_and_no_other(studio: Studio, mine: Path) -> None:
    project = await studio.projects.create("One")
    await studio.library.add(mine)
    await studio.library.scan()
    run = await approved(studio, project, BRING)
    (mine / "Bass" / "Night riff.mid").unlink()
    os.mkfifo(mine / "Bass" / "Night riff.mid")
    view = await studio.runs.host.carry_out(run, Cancellation())
    assert view.state is RunState.PARTIAL
    reasons = {item.state.value: item.reason for item in view.items if item.step == "s2"}
    assert "Night riff.mid" in reasons["failed"]
    assert (await studio.open(await studio.projects.find("One"))).song.note_count == 12


@awaited
async def test_a_folder_that_disappears_in_the_middle_fails_the_rows_that_need_it(studio: Studio, mine: Path) -> None:
    project = await studio.projects.create("One")
    await studio.folders.allow(project, mine, "write")
    run = await approved(studio, project, (
        Step("s1", "import_midi", {"path": str(mine / "Bass" / "Night riff.mid")}),
        Step("s2", "export_midi", {"path": str(mine / "new.mid")}, after=("s1",)),
        Step("s3", "write_text", {"path": str(mine / "new.txt"), "text": "x"}, after=("s1",)),
    ))
    silence = studio.runs.events.listen(after(1, lambda: shutil.rmtree(mine, ignore_errors=True)))
    view = await studio.runs.host.carry_out(run, Cancellation())
    silence()
    assert states(view) == ["done", "failed", "not_run"]
    assert view.ledger.balanced
    assert not mine.exists()
    assert (await studio.open(await studio.projects.find("One"))).song.note_count == 12


@awaited
async def test_folders_that_are_taken_back_after_the_approval_are_closed(studio: Studio, mine: Path) -> None:
    project = await studio.projects.create("One")
    await studio.folders.allow(project, mine, "write")
    run = await approved(studio, project, (Step("s1", "write_text", {"path": str(mine / "a.txt"), "text": "x"}),))
    await studio.folders.allow(project, mine, "read")
    view = await studio.runs.host.carry_out(run, Cancellation())
    assert states(view) == ["failed"]
    assert not (mine / "a.txt").exists()


@awaited
async def test_a_run_that_was_left_is_taken_up_and_writes_nothing_twice(
    studio: Studio, mine: Path, paths: Paths
) -> None:
    project = await studio.projects.create("One")
    await studio.folders.allow(project, mine)
    run = await approved(studio, project, (
        Step("s1", "import_midi", {"path": str(mine / "Bass" / "Night riff.mid")}),
        Step("s2", "export_midi", {"path": "a.mid"}),
        Step("s3", "write_text", {"path": "a.txt", "text": "{{s2.notes}} notes"}),
    ))
    left = await crashed(studio, run, 2)
    assert left.state is RunState.RUNNING
    exported = paths.exports / "One" / "a.mid"
    first = exported.stat()
    view = await studio.runs.host.carry_out(run, Cancellation())
    assert view.state is RunState.COMPLETED
    assert exported.stat() == first
    assert (exported.parent / "a.txt").read_text() == "12 notes"


class Died(BaseException):
    """The program ends right here."""


@awaited
async def test_a_file_that_was_written_just_before_the_end_is_not_written_again(
    studio: Studio, paths: Paths, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = await studio.projects.create("One")
    rows = (Step("s1", "write_text", {"path": "a.txt", "text": "x"}), Step("s2", "read_text", {"path": "{{s1.path}}"}))
    run = await approved(studio, project, rows)
    write = FileWriters.write

    def die(writers: FileWriters, call: Call) -> Outcome:
        write(writers, call)
        raise Died

    monkeypatch.setattr(FileWriters, "write", die)
    with pytest.raises(Died):
        await studio.runs.host.carry_out(run, Cancellation())
    file = paths.exports / "One" / "a.txt"
    before = file.stat()
    monkeypatch.setattr(FileWriters, "write", write)
    view = await studio.runs.host.carry_out(run, Cancellation())
    assert states(view) == ["done", "done"]
    assert file.stat() == before


@awaited
async def test_the_same_plan_on_the_same_song_imports_the_same_ids(studio: Studio, mine: Path) -> None:
    tracks = []
    for name in ("One", "Two"):
        project = await studio.projects.create(name)
        await studio.folders.allow(project, mine)
        row = Step("s1", "import_midi", {"path": str(mine / "Bass" / "Night riff.mid")})
        await carried_out(studio, project, (row,))
        song = (await studio.open(await studio.projects.find(name))).song
        tracks.append(song.tracks)
    assert tracks[0] == tracks[1]
