"""A row that is left to the planner, at the command line: killed at any moment, and approved later."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from commandline import CommandLine
from killing import kill_at_event
from stages import with_sample

KILLS = 6
LAST = "(SELECT max(number) FROM run)"
TOOLS = ("set_tempo", "update_track", "add_effect", "modify_clip", "create_track", "create_midi_clip", "set_loudness")


def steps(home: CommandLine, *, accept: bool) -> list[dict[str, Any]]:
    [first, *_] = home.song().tracks
    return [
        {"id": "a", "tool": "set_key", "inputs": {"tonic": "C", "mode": "minor"}},
        {
            "id": "g", "tool": "work_on", "by": "model", "goal": "make it slower and more ambient", "max_edits": 60,
            "inputs": {"tools": list(TOOLS), "tracks": [first.id], "accept": accept},
        },
        {"id": "z", "tool": "rename_song", "inputs": {"name": "Slower"}},
    ]


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    return with_sample(tmp_path_factory.mktemp("goal") / "sample")


def copied(sample: CommandLine, to: Path) -> CommandLine:
    shutil.copytree(sample.home, to)
    return CommandLine(to)


def last_run(at: CommandLine) -> tuple[str, str]:
    [*_, (run, state)] = at.rows("SELECT id, state FROM run ORDER BY created")
    return run, state


def test_a_kill_at_any_moment_leaves_all_edits_of_the_goal_or_none(sample: CommandLine, tmp_path: Path) -> None:
    plan, approved = sample.bound(steps(sample, accept=True), seed=5)
    words = ("run", str(plan), "--approve", approved, "--json")
    ideal = copied(sample, tmp_path / "ideal")
    [(before,)] = ideal.rows("SELECT count(*) FROM event")
    said = ideal.job(*words)
    assert said.status == 0, said.stderr
    [(events,)] = ideal.rows("SELECT count(*) FROM event")
    commits = [root for (root,) in ideal.rows("SELECT working FROM project")]
    inside = 0
    for number in range(KILLS):
        at = copied(sample, tmp_path / f"home{number}")
        [(start,)] = at.rows("SELECT working FROM project")
        at.job(*words, kill=kill_at_event(at, before + 4 + number * (events - before - 6) // KILLS))
        run, state = last_run(at)
        done = {step for (step,) in at.rows(f"SELECT step FROM step WHERE state = 'done' AND run = {LAST}")}
        [(working,)] = at.rows("SELECT working FROM project")
        song = at.song()
        assert (working != start) == bool(done), f"kill {number}"
        assert (song.tempos[0].bpm != 112) == ("g" in done), f"kill {number}"
        assert done in (set(), {"a"}, {"a", "g"}, {"a", "g", "z"})
        inside += state == "RUNNING" and "g" not in done
        if state != "COMPLETED":
            again = at.job("runs", "resume", run, "--json")
            assert again.status == 0, again.stderr
        assert [root for (root,) in at.rows("SELECT working FROM project")] == commits, f"kill {number}"
        told = at.rows(f"SELECT count(*) FROM event WHERE kind = 'STEP_DONE' AND run = {LAST}")
        assert told == [(3,)], f"kill {number}"
    assert inside, "no kill hit the goal while it was worked on"


def test_what_waits_is_shown_and_approved_at_the_command_line(sample: CommandLine, tmp_path: Path) -> None:
    at = copied(sample, tmp_path / "home")
    before = at.song()
    shown = at.carry_out(steps(at, accept=False), status=5, name="goal", seed=5)
    assert (shown["state"], shown["needs_review"], shown["not_run"]) == ("NEEDS_REVIEW", 1, 1)
    waiting = shown["steps"][1]["waiting"]
    assert waiting
    assert "ready for your approval" in shown["steps"][1]["reason"]
    assert at.song().tempos == before.tempos
    human = at.run("runs", "show", shown["run"]).stdout
    assert f"runs approve {shown['run']} g" in human
    assert "set_tempo" in human
    ended = at.ask("runs", "approve", shown["run"], "g")
    assert (ended["state"], ended["done"]) == ("COMPLETED", 3)
    assert at.song().name == "Slower"
    assert at.song().tempos[0].bpm < before.tempos[0].bpm
    assert at.refused(5, "runs", "approve", shown["run"], "g")["what"]
    assert at.refused(5, "runs", "approve", shown["run"], "nope")["what"]
