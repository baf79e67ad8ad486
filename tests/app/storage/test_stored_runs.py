"""Runs with steps and events."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from agent.song.ids import ProjectId, RunId
from agent.song.revision import ContentHash, song_revision
from agent.song.song import Song
from app.storage import projects, runs
from app.storage.database import Database
from app.storage.errors import StorageError
from app.storage.records import ROW, Event, Run, RunUpdate, StepRecord, stamp

RUN = RunId("rone")
REVISION = song_revision(Song())


@pytest.fixture
def run(database: Database, project: ProjectId) -> Run:
    new = Run(RUN, project, "more ambient", "PROPOSED", REVISION, REVISION, 7, "local")
    return database.write_now(lambda c: runs.create(c, new))


def record(database: Database, *steps: StepRecord, **more: object) -> None:
    progress = replace(RunUpdate(RUN, steps), **more)
    database.write_now(lambda c: runs.record(c, progress))


def step(name: str = "s1", item: int = ROW, state: str = "running", **more: object) -> StepRecord:
    return replace(StepRecord(name, int(name[1:] or 0), item, state, "create_track", f"key {name} {item}"), **more)


def test_a_run_is_found_as_it_was_saved(database: Database, run: Run) -> None:
    assert database.read_now(lambda c: runs.find(c, RUN)) == run
    saved = database.write_now(lambda c: runs.save(c, replace(run, state="APPROVED", approval="{}", answer="[]")))
    assert database.read_now(lambda c: runs.find(c, RUN)) == saved
    assert saved.updated > run.updated
    assert database.read_now(lambda c: runs.find(c, RunId("nobody"))) is None


def test_a_step_changes_everything_or_nothing(database: Database, run: Run) -> None:
    other = ContentHash("b" * 64)
    record(database, step(), events=(Event("STEP_STARTED"),), state="RUNNING", revision=other)
    found = database.read_now(lambda c: runs.find(c, RUN))
    assert found
    assert (found.state, found.revision, found.base_revision) == ("RUNNING", other, REVISION)
    with pytest.raises(StorageError):
        record(database, step("s2"), events=(Event("STEP_DONE"), Event("")), state="COMPLETED")
    assert database.read_now(lambda c: runs.find(c, RUN)) == found
    [event] = database.read_now(lambda c: runs.events(c, RUN))
    assert (event.number, event.kind) == (1, "STEP_STARTED")
    assert database.read_now(lambda c: runs.steps(c, RUN)) == (step(),)


def test_events_are_numbered_without_gaps_and_read_from_any_point(database: Database, run: Run) -> None:
    for number in range(4):
        record(database, events=(Event("A", f'{{"n": {number}}}'), Event("B", at="2026-01-01T00:00:00Z")))
    found = database.read_now(lambda c: runs.events(c, RUN))
    assert [event.number for event in found] == list(range(1, 9))
    assert [event.kind for event in found] == ["A", "B"] * 4
    assert found[1].at == "2026-01-01T00:00:00Z"
    assert database.read_now(lambda c: runs.events(c, RUN, after=6)) == found[6:]


def test_a_step_is_written_over_until_it_is_done(database: Database, run: Run) -> None:
    done = step(state="done", intent_at=stamp(), done_at=stamp(), result='{"track_id": "t1"}')
    record(database, step(intent_at=done.intent_at))
    record(database, step(state="failed", reason="disk"))
    record(database, done)
    assert database.read_now(lambda c: runs.steps(c, RUN)) == (done,)
    with pytest.raises(StorageError, match="done already"):
        record(database, step(state="running"))
    assert database.read_now(lambda c: runs.steps(c, RUN)) == (done,)


def test_steps_come_as_the_plan_has_them(database: Database, run: Run) -> None:
    record(database, step("s2"), step("s2", 1), step("s2", 0))
    record(database, step("s1"), step("s2", 0, "done", done_at=stamp()), step("s10", 3))
    found = database.read_now(lambda c: runs.steps(c, RUN))
    assert [(one.step, one.item) for one in found] == [("s1", ROW), ("s2", ROW), ("s2", 0), ("s2", 1), ("s10", 3)]


def test_a_step_never_takes_the_place_of_another(database: Database, run: Run) -> None:
    record(database, step("s1"))
    with pytest.raises(StorageError, match="s2 of run rone is where s1 is"):
        record(database, step("s2", place=1))
    assert database.read_now(lambda c: runs.steps(c, RUN)) == (step("s1"),)


BAD = [
    step(item=-2), step(item=2**20 - 1), step(place=-1), step(place=2**20), step(""), step(state=""), step(key=""),
]


@pytest.mark.parametrize("bad", BAD, ids=str)
def test_a_step_that_cannot_be_true_is_refused(database: Database, run: Run, bad: StepRecord) -> None:
    with pytest.raises(StorageError):
        record(database, bad)
    assert database.read_now(lambda c: runs.steps(c, RUN)) == ()


def test_what_a_crash_left_is_found_by_its_state(database: Database, project: ProjectId, run: Run) -> None:
    database.write_now(lambda c: projects.create(c, ProjectId("ptwo"), "Two"))
    for name, owner, state in [("r2", project, "RUNNING"), ("r1", "ptwo", "RUNNING"), ("r3", project, "COMPLETED")]:
        new = replace(run, id=RunId(name), project=ProjectId(owner), state=state)
        database.write_now(lambda c, n=new: runs.create(c, n))
    left = database.read_now(lambda c: runs.in_states(c, ["RUNNING", "QUEUED"]))
    assert [found.id for found in left] == ["r2", "r1"]
    assert [found.id for found in database.read_now(lambda c: runs.in_states(c, ["RUNNING"], project))] == ["r2"]
    assert [found.id for found in database.read_now(lambda c: runs.all_of(c, project))] == ["r3", "r2", RUN]
    assert database.read_now(lambda c: runs.in_states(c, [])) == ()


@pytest.mark.parametrize(
    "progress", [RunUpdate(RunId("no"), (step(),)), RunUpdate(RunId("no"), state="FAILED")], ids=str
)
def test_progress_of_no_run_is_refused(database: Database, progress: RunUpdate) -> None:
    with pytest.raises(StorageError):
        database.write_now(lambda c: runs.record(c, progress))


def test_a_run_that_was_never_made_cannot_be_saved(database: Database, run: Run) -> None:
    with pytest.raises(StorageError, match="no run"):
        database.write_now(lambda c: runs.save(c, replace(run, id=RunId("no"))))
