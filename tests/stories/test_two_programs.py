"""Two programs on one database never run the same step: leases and fences, with real processes."""

from __future__ import annotations

import json
import os
import shutil
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from commandline import CommandLine, Started, ended
from patience import PATIENCE
from silenced import stopped_outside_of_a_write
from system_packages import needs

ROWS = 480
FAKETIME = next(iter(Path("/usr/lib").glob("*/faketime/libfaketime.so.1")), None)
HELD, UNFINISHED, BAD_INPUT = 5, 5, 2
STEPS: list[dict[str, Any]] = [
    {"id": "pad", "tool": "create_track", "inputs": {"name": "Pad", "instrument": "pad_warm"}},
    *({"id": f"t{n}", "tool": "set_tempo", "inputs": {"bpm": 60 + n % 90, "at_beat": n}} for n in range(1, ROWS)),
]


class Home:
    """A project with an approved plan, copied for each test; `song` is what an undisturbed run comes to."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._number = 0
        self.origin = CommandLine(folder / "origin")
        self.origin.ask("projects", "new", "One")
        self.plan, self.hash = self.origin.bound(STEPS, seed=1)
        quiet = self.copy()
        assert quiet.run(*self.words()).status == 0
        self.song = quiet.rows("SELECT working FROM project")

    def copy(self) -> CommandLine:
        self._number += 1
        home = self._folder / f"home{self._number}"
        shutil.copytree(self._folder / "origin", home)
        return CommandLine(home)

    def words(self) -> tuple[str, ...]:
        return ("run", str(self.plan), "--approve", self.hash, "--json")


@pytest.fixture(scope="module")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Home:
    return Home(tmp_path_factory.mktemp("two"))


def until(true: Callable[[], bool], what: str, seconds: float = PATIENCE) -> None:
    patience = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < patience, what
        time.sleep(0.005)


def steps_done(at: CommandLine) -> int:
    [(count,)] = at.rows("SELECT count(*) FROM step WHERE state = 'done'")
    return int(count)


def begun(at: CommandLine, homes: Home, *more: str) -> tuple[Started, str]:
    """The run under way in a process of its own, and its id."""
    program = at.start(*homes.words(), *more)
    until(lambda: bool(at.rows("SELECT 1 FROM step WHERE state = 'done' LIMIT 1")), "the run does not begin")
    [(run,)] = at.rows("SELECT id FROM run")
    return program, run


def whole(at: CommandLine, homes: Home) -> None:
    """The run has ended, every row once, with one iteration, and its song is that of an undisturbed run."""
    assert at.rows("SELECT state FROM run") == [("COMPLETED",)]
    assert at.rows("SELECT count(*) FROM step WHERE state = 'done' AND item = -1") == [(ROWS,)]
    assert at.rows("SELECT count(*), count(DISTINCT body) FROM event WHERE kind = 'STEP_DONE'") == [(ROWS, ROWS)]
    assert at.rows("SELECT count(*) FROM iteration WHERE run IS NOT NULL") == [(1,)]
    assert at.rows("SELECT count(*) FROM event WHERE kind = 'RUN_COMPLETED'") == [(1,)]
    assert at.rows("SELECT working FROM project") == homes.song


def left(at: CommandLine, homes: Home) -> str:
    """A run that kill -9 has left in the middle."""
    program, run = begun(at, homes)
    until(lambda: steps_done(at) > 20, "the run does not get so far")
    program.kill()
    assert ended(program).status == -signal.SIGKILL
    assert at.rows("SELECT state FROM run") == [("RUNNING",)]
    return run


@pytest.mark.semantics("11.1")
def test_two_commands_that_take_up_one_run_do_no_step_twice(homes: Home) -> None:
    at = homes.copy()
    run = left(at, homes)
    both = [at.start("runs", "resume", run, "--json") for _ in range(2)]
    said = sorted((ended(one) for one in both), key=lambda one: one.status)
    assert said[0].status == 0
    assert said[1].status in (HELD, BAD_INPUT)
    assert said[1].json["error"]["what"]
    whole(at, homes)


@pytest.mark.semantics("11.3")
def test_a_worker_takes_up_a_run_as_soon_as_its_program_is_killed(homes: Home) -> None:
    at = homes.copy()
    worker = at.start("worker", "--json")
    until(lambda: at.ask("worker", "status")["running"], "the worker does not start")
    program, run = begun(at, homes)
    program.kill()
    ended(program)
    until(lambda: at.rows("SELECT state FROM run") == [("COMPLETED",)], "nobody takes the run up")
    started = at.rows("SELECT body FROM event WHERE kind = 'RUN_STARTED' ORDER BY number")
    assert [json.loads(body).get("resumed", False) for (body,) in started] == [False, True]
    worker.terminate()
    assert ended(worker).json["runs"] == 1
    whole(at, homes)
    assert at.ask("worker", "status") == {"running": False, "workers": [], "queue": [], "left": []}
    assert at.refused(BAD_INPUT, "runs", "resume", run)["why"] == "it is COMPLETED"


def test_a_worker_and_a_command_that_want_the_same_run_carry_it_out_once(homes: Home) -> None:
    at = homes.copy()
    worker = at.start("worker")
    said = at.run(*homes.words(), "--queue")
    assert (said.status, said.json["done"]) == (0, ROWS)
    worker.terminate()
    assert ended(worker).status == 0
    assert at.rows("SELECT count(*) FROM event WHERE kind = 'RUN_STARTED'") == [(1,)]
    whole(at, homes)


@pytest.mark.semantics("11.2")
def test_a_program_that_was_stopped_past_its_lease_stores_nothing_more(homes: Home) -> None:
    at = homes.copy()
    program, run = begun(at, homes)
    # What half a minute of silence does.
    stopped_outside_of_a_write(at, program, "UPDATE project SET lease_until = 0")
    done = steps_done(at)
    assert done < ROWS
    assert at.run("runs", "resume", run).status == 0
    before = at.content()
    os.kill(program.pid, signal.SIGCONT)
    said = ended(program)
    assert said.status == HELD
    assert "taken over" in said.json["error"]["what"]
    assert "--follow" in said.json["error"]["try"]
    assert at.content() == before
    whole(at, homes)


@needs("libfaketime", available=FAKETIME is not None)
@pytest.mark.parametrize("jump", ["+1h", "-1h", "+10y"])
@pytest.mark.semantics("11.2")
def test_clocks_that_disagree_let_one_take_over_but_never_two_write(homes: Home, jump: str) -> None:
    at = homes.copy()
    program, run = begun(at, homes)
    stopped_outside_of_a_write(at, program)
    second = at.run("runs", "resume", run, "--json", LD_PRELOAD=str(FAKETIME), FAKETIME=jump)
    os.kill(program.pid, signal.SIGCONT)
    assert (second.status, ended(program).status) == (0, HELD)
    whole(at, homes)


def test_a_program_that_is_silent_for_a_moment_is_not_taken_over(homes: Home) -> None:
    at = homes.copy()
    program, run = begun(at, homes)
    stopped_outside_of_a_write(at, program)
    assert "being changed by another program" in at.refused(HELD, "runs", "resume", run)["what"]
    os.kill(program.pid, signal.SIGCONT)
    assert ended(program).status == 0
    whole(at, homes)


@pytest.mark.semantics("7.7", "11.4")
def test_a_run_is_paused_from_another_program_and_taken_up_from_a_third(homes: Home) -> None:
    at = homes.copy()
    program, run = begun(at, homes)
    stopped_outside_of_a_write(at, program)
    pausing = at.start("runs", "pause", run, "--json")
    until(lambda: bool(at.rows("SELECT 1 FROM event WHERE kind = 'PAUSE_REQUESTED'")), "nobody is asked to pause")
    # Its next look is due by then, long before its last row.
    time.sleep(0.5)
    os.kill(program.pid, signal.SIGCONT)
    rests = ended(pausing).json
    assert rests["state"] == "WAITING_USER"
    assert 0 < rests["done"] < ROWS
    said = ended(program)
    assert (said.status, said.json["state"]) == (UNFINISHED, "WAITING_USER")
    assert at.rows("SELECT count(*) FROM iteration WHERE run IS NOT NULL") == [(0,)]
    assert at.rows("SELECT lease_owner FROM project") == [(None,)]
    assert "holds the song" in at.refused(UNFINISHED, "restore", "1")["what"]
    assert at.ask("runs", "pause", run)["state"] == "WAITING_USER"
    assert at.ask("runs", "resume", run)["done"] == ROWS
    whole(at, homes)
    assert "COMPLETED" in at.refused(UNFINISHED, "runs", "pause", run)["why"]


@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGINT])
def test_a_worker_that_is_ended_leaves_its_run_to_the_next(homes: Home, by: signal.Signals) -> None:
    at = homes.copy()
    foreground = at.start(*homes.words(), "--queue")
    until(lambda: bool(at.database.exists() and at.rows("SELECT 1 FROM run")), "nothing is queued")
    foreground.kill()
    ended(foreground)
    # On a busy machine it has done some itself by then.
    before = steps_done(at)
    worker = at.start("worker", "--json")
    until(lambda: steps_done(at) > before + 5, "the worker does not begin")
    worker.send_signal(by)
    said = ended(worker)
    assert said.status == 0
    assert at.rows("SELECT state FROM run") == [("RUNNING",)]
    assert [one["state"] for one in at.ask("worker", "status")["left"]] == ["RUNNING"]
    assert at.ask("worker", "--once")["runs"] == 1
    whole(at, homes)


def test_a_run_is_followed_from_another_program_to_its_end(homes: Home) -> None:
    at = homes.copy()
    program, run = begun(at, homes)
    said = at.run("runs", "show", run, "--follow", "--json")
    assert (said.status, ended(program).status) == (0, 0)
    told = [json.loads(line) for line in said.stdout.splitlines()]
    assert [one["number"] for one in told] == list(range(1, len(told) + 1))
    assert (told[0]["kind"], told[-1]["kind"]) == ("RUN_CREATED", "RUN_COMPLETED")
    assert told == at.ask("runs", "show", run, "--events")["events"]
    plain = at.run("runs", "show", run, "--follow")
    assert len(plain.stdout.splitlines()) >= len(told)
