"""Runs that fail, are taken up, skipped, cancelled, queued and rolled back, and the versions they leave."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from commandline import CommandLine, Said, ended
from stages import copied, with_sample

from agent.song.ids import ProjectId
from app.storage import leases
from app.storage.database import Database
from app.storage.presence import ProgramPresence

Row = dict[str, Any]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    """A sample song; each test works on a copy."""
    return with_sample(tmp_path_factory.mktemp("runs") / "home")


@pytest.fixture
def stage(base: CommandLine, tmp_path: Path) -> CommandLine:
    return copied(base, tmp_path / "home")


def root(command_line: CommandLine, iteration: str) -> str:
    """The hash of the song of an iteration."""
    [(found,)] = command_line.rows("SELECT root FROM iteration WHERE id = ?", iteration)
    return str(found)


def working(command_line: CommandLine) -> str:
    """The hash of the working song."""
    [(found,)] = command_line.rows("SELECT working FROM project")
    return str(found)


def failing_rows() -> list[Row]:
    """The third row can only fail, but nobody can know before it runs: a pan of as many seconds as it lasts."""
    return [
        {"id": "slower", "tool": "set_tempo", "inputs": {"bpm": 200}},
        {"id": "made", "tool": "create_track", "inputs": {"name": "Pad", "instrument": "pad_warm"}},
        {"id": "heard", "tool": "render"},
        {"id": "panned", "tool": "update_track", "on_error": "continue",
         "inputs": {"track_id": "{{made.track_id}}", "pan": "{{heard.seconds}}"}},
        {"id": "after_it", "tool": "set_key", "inputs": {"tonic": "D", "mode": "minor"}, "after": ["panned"]},
        {"id": "noted", "tool": "create_midi_clip",
         "inputs": {"track_id": "{{made.track_id}}", "start_time": 0, "duration": 4,
                    "notes": [{"n": 60, "s": 0, "d": 4}]}},
    ]


def states(document: Row) -> dict[str, str]:
    return {step["id"]: step["state"] for step in document["steps"]}


def balanced(document: Row) -> bool:
    parts = ("done", "skipped", "failed", "not_run", "needs_review")
    return bool(document["approved"] == sum(document[part] for part in parts) == len(document["steps"]))


def test_a_row_that_fails_is_told_and_the_rest_is_kept(stage: CommandLine) -> None:
    document = stage.carry_out(failing_rows(), status=5)
    assert document["state"] == "PARTIAL"
    assert states(document) == {
        "slower": "done", "made": "done", "heard": "done", "panned": "failed", "after_it": "not_run", "noted": "done",
    }
    assert balanced(document)
    assert (document["done"], document["failed"], document["not_run"]) == (4, 1, 1)
    [failed] = [step for step in document["steps"] if step["state"] == "failed"]
    assert "pan" in failed["error"]
    [blocked] = [step for step in document["steps"] if step["state"] == "not_run"]
    assert blocked["reason"] == "blocked by row panned, which is failed"
    assert "blocked by row panned" in document["answer"]
    newest = stage.ask("history")["iterations"][0]
    assert (newest["id"], newest["actions"]) == (document["iteration"], 4)
    assert stage.song().tempos[0].bpm == 200

    again = stage.run("runs", "retry", document["run"], "--json")
    assert again.status == 5
    assert states(again.json) == states(document)
    assert len(stage.ask("history")["iterations"]) == 3

    skipped = stage.ask("runs", "skip", document["run"], "panned")
    assert skipped["state"] == "COMPLETED"
    assert states(skipped)["panned"] == "skipped"
    assert states(skipped)["after_it"] == "done"
    assert balanced(skipped)
    assert str(stage.song().key) == "D minor"


def test_a_row_that_stops_the_run_names_itself_in_all_that_follow(stage: CommandLine) -> None:
    rows = failing_rows()
    rows[3].pop("on_error")
    document = stage.carry_out(rows, status=5)
    reasons = {step["id"]: step["reason"] for step in document["steps"] if step["state"] == "not_run"}
    assert set(reasons) == {"after_it", "noted"}
    assert all("panned" in reason for reason in reasons.values())


def test_nothing_done_is_a_failed_run(stage: CommandLine) -> None:
    (stage.home / "exports").write_text("a file where the folder should be")
    before = working(stage)
    rows = [{"id": "out", "tool": "export_audio", "inputs": {"format": "mid"}}]
    document = stage.carry_out(rows, status=5)
    assert (document["state"], document["done"], document["failed"]) == ("FAILED", 0, 1)
    assert document["iteration"] is None
    assert working(stage) == before

    (stage.home / "exports").unlink()
    again = stage.ask("runs", "retry", document["run"])
    assert (again["state"], again["done"]) == ("COMPLETED", 1)
    assert Path(again["actions_executed"][0]["result"]["path"]).exists()
    assert len(stage.ask("history")["iterations"]) == 2, "a run that only reads makes no version"


def test_a_run_is_taken_up_only_while_its_result_is_the_newest(stage: CommandLine) -> None:
    document = stage.carry_out(failing_rows(), status=5)
    stage.carry_out([{"id": "a", "tool": "set_tempo", "inputs": {"bpm": 99}}], name="later")
    before = stage.content()
    error = stage.refused(5, "runs", "retry", document["run"])
    assert "newest" in error["why"]
    stage.refused(5, "runs", "skip", document["run"], "panned")
    stage.refused(5, "runs", "cancel", document["run"])
    assert stage.content() == before


def test_runs_are_listed_and_shown(stage: CommandLine) -> None:
    first = stage.carry_out(failing_rows(), status=5)
    second = stage.carry_out([{"id": "a", "tool": "set_tempo", "inputs": {"bpm": 99}}], name="b", request="at 99")
    listed = stage.ask("runs")["runs"]
    assert [run["id"] for run in listed][:2] == [second["run"], first["run"]]
    assert [run["state"] for run in listed] == ["COMPLETED", "PARTIAL", "COMPLETED"]
    shown = stage.ask("runs", "show", first["run"])
    assert {name: shown[name] for name in first} == first
    assert "events" not in shown
    events = stage.ask("runs", "show", first["run"], "--events")["events"]
    kinds = [event["kind"] for event in events]
    assert kinds.count("STEP_DONE") == 4
    assert kinds.count("STEP_FAILED") == kinds.count("STEP_NOT_RUN") == 1
    assert kinds[-1] == "RUN_FAILED"
    assert [event["at"] for event in events] == sorted(event["at"] for event in events)


@pytest.mark.parametrize("verb", ["show", "resume", "cancel", "retry", "rollback"])
def test_an_unknown_run_is_an_error(base: CommandLine, verb: str) -> None:
    error = base.refused(2, "runs", verb, "rnothere")
    assert "rnothere" in error["what"]


def test_a_run_that_ended_cannot_be_taken_up(base: CommandLine) -> None:
    [run] = base.ask("runs")["runs"]
    before = base.content()
    base.refused(2, "runs", "resume", run["id"])
    base.refused(5, "runs", "retry", run["id"])
    base.refused(5, "runs", "skip", run["id"], "tempo")
    base.refused(5, "runs", "cancel", run["id"])
    assert base.content() == before


def test_rolling_back_brings_the_song_before_the_run(stage: CommandLine) -> None:
    before, head = working(stage), stage.ask("history")["head"]
    run = stage.carry_out([{"id": "a", "tool": "set_tempo", "inputs": {"bpm": 99}}], name="a")["run"]
    assert working(stage) != before
    rolled_back = stage.ask("runs", "rollback", run)["rolled_back"]
    assert working(stage) == before
    newest = stage.ask("history")["iterations"][0]
    assert newest["id"] == rolled_back
    assert newest["source"] == "restore"
    assert root(stage, newest["id"]) == root(stage, head)
    assert len(stage.ask("history")["iterations"]) == 4


def test_rolling_back_over_later_versions_asks_first(stage: CommandLine) -> None:
    before = working(stage)
    first = stage.carry_out([{"id": "a", "tool": "set_tempo", "inputs": {"bpm": 99}}], name="a")
    second = stage.carry_out([{"id": "a", "tool": "set_tempo", "inputs": {"bpm": 66}}], name="b")
    content = stage.content()
    error = stage.refused(4, "runs", "rollback", first["run"])
    assert second["iteration"] in error["why"]
    assert "--yes" in error["try"]
    assert stage.content() == content
    stage.ask("runs", "rollback", first["run"], "--yes")
    assert working(stage) == before


def test_restoring_makes_a_new_version_equal_to_the_byte(stage: CommandLine) -> None:
    head = stage.ask("history")["head"]
    stage.carry_out([{"id": "a", "tool": "set_tempo", "inputs": {"bpm": 99}}], name="a")
    restored = stage.ask("restore", head)
    assert restored == {"iteration": stage.ask("history")["head"], "restored": head}
    assert restored["iteration"] != head
    assert root(stage, restored["iteration"]) == root(stage, head) == working(stage)
    by_number = stage.ask("restore", "1")
    assert stage.song().tracks == ()
    assert [one["number"] for one in stage.ask("history")["iterations"]] == [5, 4, 3, 2, 1]
    assert by_number["restored"] == stage.ask("history")["iterations"][-1]["id"]
    stage.refused(2, "restore", "inothere")


def test_a_plan_can_restore_and_branch(stage: CommandLine) -> None:
    head = stage.ask("history")["head"]
    stage.carry_out([{"id": "a", "tool": "set_tempo", "inputs": {"bpm": 99}}], name="a")
    branched = stage.carry_out(
        [{"id": "b", "tool": "branch", "inputs": {"iteration": head, "name": "Another way"}}], name="b"
    )
    newest = stage.ask("history")["iterations"][0]
    assert (newest["id"], newest["parent"], newest["label"]) == (branched["iteration"], head, "Another way")
    assert working(stage) == root(stage, head)


def test_a_diff_counts_what_differs(stage: CommandLine) -> None:
    song = stage.song()
    clip = next(clip for _, clip in song.clips() if clip.name == "Lead 1")
    moved = clip.notes[0]
    notes = [
        {"n": note.pitch, "s": note.start / 960, "d": note.duration / 960, "v": note.velocity}
        for note in clip.notes[1:-1]
    ]
    notes += [
        {"n": moved.pitch, "s": 0.25, "d": 0.25, "v": moved.velocity},
        {"n": 40, "s": 20, "d": 1}, {"n": 41, "s": 21, "d": 1},
    ]
    document = stage.carry_out([
        {"id": "a", "tool": "modify_clip", "inputs": {"clip_id": clip.id, "notes": notes}},
        {"id": "b", "tool": "set_tempo", "inputs": {"bpm": 90}},
    ], name="c")
    before = stage.ask("history")["iterations"][1]["id"]
    diff = stage.ask("diff", before, document["iteration"])
    assert (diff["a"], diff["b"]) == (before, document["iteration"])
    [lead] = diff["tracks"]
    assert (lead["track"], lead["change"]) == ("Lead", "changed")
    assert (lead["notes_added"], lead["notes_removed"], lead["notes_moved"]) == (2, 1, 1)
    assert list(diff["song"]) == ["tempos"]
    assert "112" in diff["song"]["tempos"][0]
    assert "90" in diff["song"]["tempos"][1]
    same = stage.ask("diff", before, before)
    assert (same["tracks"], same["song"]) == ([], {})


def long_rows() -> list[Row]:
    """A change, a rendering that takes some seconds, and another change."""
    return [
        {"id": "first", "tool": "set_tempo", "inputs": {"bpm": 12}},
        {"id": "heard", "tool": "analyse_audio"},
        {"id": "last", "tool": "set_key", "inputs": {"tonic": "F", "mode": "major"}},
    ]


class Rendering:
    """A run that renders in another process."""

    def __init__(self, stage: CommandLine, rows: list[Row]) -> None:
        path, approved = stage.bound(rows, "long")
        self._stage = stage
        self._reads_first = rows[0]["tool"] == "analyse_audio"
        self.process = stage.start("run", str(path), "--approve", approved, "--json")
        self.run = self._running()

    def _running(self) -> str:
        started = "SELECT id FROM run WHERE state = 'RUNNING'"
        done = "SELECT run.id FROM step JOIN run ON number = run WHERE step = 'first' AND step.state = 'done'"
        return self.wait_for(started if self._reads_first else done)

    def wait_for(self, query: str) -> str:
        """The first value that a query finds, while the run is on its way."""
        while self.process.poll() is None:
            found = self._stage.rows(query)
            if found:
                return str(found[0][0])
            time.sleep(0.02)
        raise AssertionError(ended(self.process))

    def hold(self) -> None:
        """Let it stand still in the middle of rendering."""
        time.sleep(0.2)
        self.process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Let it go on."""
        self.process.send_signal(signal.SIGCONT)

    def end(self) -> Said:
        """What it said in the end."""
        return ended(self.process)

    def close(self) -> None:
        """End it whatever happened."""
        if self.process.poll() is None:
            self.go_on()
            self.process.kill()
            self.process.communicate()


@pytest.fixture
def rendering(stage: CommandLine) -> Iterator[Rendering]:
    with closing(Rendering(stage, long_rows())) as started:
        yield started


def test_cancelling_from_another_process_keeps_what_is_done(stage: CommandLine, rendering: Rendering) -> None:
    cancelled = stage.ask("runs", "cancel", rendering.run)
    assert cancelled["state"] == "CANCELLED"
    assert states(cancelled) == {"first": "done", "heard": "not_run", "last": "not_run"}
    assert balanced(cancelled)
    said = rendering.end()
    assert said.status == 130
    assert said.json["state"] == "CANCELLED"
    newest = stage.ask("history")["iterations"][0]
    assert newest["id"] == cancelled["iteration"]
    assert stage.song().tempos[0].bpm == 12
    assert str(stage.song().key) == "A minor"


def test_a_signal_cancels_too(stage: CommandLine, rendering: Rendering) -> None:
    rendering.process.terminate()
    said = rendering.end()
    assert said.status == 130
    assert states(said.json) == {"first": "done", "heard": "not_run", "last": "not_run"}
    assert stage.ask("runs", "show", rendering.run)["state"] == "CANCELLED"


@pytest.mark.skipif(sys.platform == "win32", reason="processes cannot be held there")
def test_a_run_holds_the_song(stage: CommandLine) -> None:
    head = stage.ask("history")["head"]
    with closing(Rendering(stage, long_rows())) as rendering:
        rendering.hold()
        error = stage.refused(5, "restore", head)
        assert rendering.run in error["what"]
        assert "cancel" in error["try"]
        path, approved = stage.bound([{"id": "a", "tool": "set_tempo", "inputs": {"bpm": 99}}], "second")
        stage.refused(5, "run", str(path), "--approve", approved)
        assert stage.ask("runs", "show", rendering.run)["state"] == "RUNNING"
        assert stage.ask("export", "mid")["kept"] > 0
        rendering.go_on()
        assert stage.ask("runs", "cancel", rendering.run)["state"] == "CANCELLED"


def queued_behind(rendering: Rendering, stage: CommandLine, path: Path, approved: str) -> Said:
    """A run that is queued while another one renders, and goes on when that has ended."""
    rendering.hold()
    waiting = stage.start("run", str(path), "--approve", approved, "--queue", "--json")
    rendering.wait_for("SELECT id FROM run WHERE state = 'QUEUED'")
    rendering.go_on()
    assert rendering.end().status == 0
    return ended(waiting)


@pytest.mark.skipif(sys.platform == "win32", reason="processes cannot be held there")
def test_a_queued_run_waits_and_then_runs(stage: CommandLine) -> None:
    path, approved = stage.bound([{"id": "a", "tool": "set_tempo", "inputs": {"bpm": 99}}], "queued")
    with closing(Rendering(stage, [{"id": "heard", "tool": "analyse_audio"}])) as rendering:
        said = queued_behind(rendering, stage, path, approved)
    assert said.status == 0, said.stderr
    assert (said.json["state"], said.json["done"]) == ("COMPLETED", 1)
    assert stage.song().tempos[0].bpm == 99
    assert [run["state"] for run in stage.ask("runs")["runs"]] == ["COMPLETED"] * 3


@pytest.mark.skipif(sys.platform == "win32", reason="processes cannot be held there")
def test_a_queued_run_whose_song_changed_asks_again(stage: CommandLine) -> None:
    rows = [{"id": "heard", "tool": "analyse_audio"}, {"id": "b", "tool": "set_tempo", "inputs": {"bpm": 70}}]
    path, approved = stage.bound([{"id": "a", "tool": "set_tempo", "inputs": {"bpm": 99}}], "queued")
    with closing(Rendering(stage, rows)) as rendering:
        said = queued_behind(rendering, stage, path, approved)
    assert said.status == 4, said.stdout
    assert "changed" in said.json["error"]["what"]
    assert stage.song().tempos[0].bpm == 70
    assert [run["state"] for run in stage.ask("runs")["runs"]] == ["PROPOSED", "COMPLETED", "COMPLETED"]


def test_of_two_runs_at_once_one_wins(stage: CommandLine) -> None:
    path, approved = stage.bound([{"id": "a", "tool": "set_tempo", "inputs": {"bpm": 99}}], "twice")
    words = ("run", str(path), "--approve", approved, "--json")
    pair = [stage.start(*words), stage.start(*words)]
    first, second = sorted((ended(one) for one in pair), key=lambda said: said.status)
    assert first.status == 0
    assert second.status in (4, 5)
    assert set(second.json) == {"error"}
    newest, older, *_ = stage.ask("history")["iterations"]
    assert newest["run"] == first.json["run"]
    assert older["number"] == 2
    assert [run["state"] for run in stage.ask("runs")["runs"] if run["state"] == "RUNNING"] == []
    assert stage.ask("doctor")["checks"]


@contextmanager
def living(stage: CommandLine) -> Iterator[str]:
    """The name of a program that runs beside the commands."""
    presence = ProgramPresence.begin(stage.home / "running")
    try:
        yield presence.name
    finally:
        presence.end()


def test_a_project_that_a_living_program_holds_is_left_to_it(stage: CommandLine) -> None:
    head = stage.ask("history")["head"]
    path, approved = stage.bound([{"id": "a", "tool": "set_tempo", "inputs": {"bpm": 99}}], "held")
    [project] = stage.ask("projects")["projects"]
    with living(stage) as owner, closing(Database.open(stage.database, stage.home / "backups")) as database:
        take = partial(leases.acquire, project=ProjectId(project["id"]), owner=owner, seconds=leases.LONGEST)
        lease = database.write_now(take)
        before = {name: stage.content()[name] for name in ("project", "iteration")}
        for words in (("run", str(path), "--approve", approved), ("restore", head)):
            error = stage.refused(5, *words)
            assert "being changed by another program" in error["what"]
            assert owner in error["why"]
            assert "wait until it is done" in error["try"]
        assert {name: stage.content()[name] for name in before} == before
        assert stage.rows("SELECT id FROM run WHERE state = 'RUNNING'") == []
        database.write_now(lambda connection: leases.release(connection, lease))
    assert stage.ask("run", str(path), "--approve", approved)["state"] == "COMPLETED"


def test_two_first_commands_at_once_share_a_home(tmp_path: Path) -> None:
    command_line = CommandLine(tmp_path / "home")
    pair = [command_line.start("projects", "new", name, "--json") for name in ("One", "Two")]
    assert [ended(one).status for one in pair] == [0, 0]
    assert {project["name"] for project in command_line.ask("projects")["projects"]} == {"One", "Two"}
