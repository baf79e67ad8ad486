"""The queue from the command line: requests that wait, plans approved by hash, a worker, and what is refused."""

from __future__ import annotations

import shutil
import sqlite3
import sys
import time
from contextlib import closing
from typing import Any

import pytest
from commandline import CommandLine, ended
from patience import PATIENCE

BAD_INPUT, NOT_APPROVED, UNFINISHED, MACHINE = 2, 4, 5, 6
LOFI = "a calm lofi beat in A minor"
TRACK = {"id": "pad", "tool": "create_track", "inputs": {"name": "Pad", "instrument": "pad_warm"}}
SOUND = {"id": "hear", "tool": "render", "inputs": {}, "on_error": "stop"}


@pytest.fixture
def at(command_line: CommandLine) -> CommandLine:
    command_line.ask("projects", "new", "One")
    return command_line


def asked(at: CommandLine, request: str = LOFI, *more: str) -> str:
    run: str = at.ask("plan", request, "--queue", "--seed", "7", *more)["run"]
    return run


def shown(at: CommandLine, run: str) -> Any:
    return at.ask("runs", "show", run, "--events")


def test_a_request_goes_through_the_queue_to_a_song(at: CommandLine) -> None:
    first, second = asked(at), asked(at, "make it faster")
    waiting = at.ask("runs")
    assert [(one["run"], one["waits_for"]) for one in waiting["queue"]] == [(first, "worker"), (second, first)]
    assert [run["id"] for run in waiting["runs"]] == [first, second]
    status = at.ask("worker", "status")
    assert (status["running"], status["workers"], len(status["queue"])) == (False, [], 2)
    assert shown(at, first)["state"] == "DRAFT"

    done = at.ask("worker", "--once")
    assert (done["planned"], done["runs"]) == (1, 0)
    plan = shown(at, first)
    assert (plan["state"], plan["approved"], plan["done"]) == ("PROPOSED", 0, 0)
    assert plan["plan"]["hash"] == plan["hash"]
    assert plan["plan"]["steps"]
    assert at.rows("SELECT count(*) FROM iteration") == [(1,)]
    assert plan["hash"] == at.ask("plan", LOFI, "--seed", "7")["hash"]

    queued = at.ask("runs", "approve", first, "--hash", plan["hash"], "--queue")
    assert (queued["state"], queued["done"]) == ("QUEUED", 0)
    done = at.ask("worker", "--once")
    assert (done["planned"], done["runs"], done["steps"]) == (1, 1, len(plan["plan"]["steps"]))
    whole = shown(at, first)
    assert (whole["state"], whole["iteration"] is not None) == ("COMPLETED", True)
    kinds = [event["kind"] for event in whole["events"]]
    assert kinds[:6] == [
        "RUN_CREATED", "AGENT_THINKING", "PLAN_GENERATED", "RUN_PROPOSED", "PLAN_APPROVED", "RUN_STARTED"
    ]
    assert kinds[-2:] == ["ITERATION_SAVED", "RUN_COMPLETED"]

    faster = shown(at, second)
    assert faster["plan"]["song_revision"] == at.rows("SELECT working FROM project")[0][0]
    said = at.ask("runs", "approve", second, "--hash", faster["hash"])
    assert said["state"] == "COMPLETED"
    assert at.ask("runs")["queue"] == []


def test_a_worker_that_runs_is_told_of_and_does_what_comes(at: CommandLine) -> None:
    worker = at.start("worker", "--json")
    try:
        run = asked(at)
        _proposed(at, run)
        status = at.ask("worker", "status")
        [one] = status["workers"]
        assert (status["running"], one["pid"], one["planned"]) == (True, worker.pid, 1)
        assert one["since"].endswith("Z")
        plan = shown(at, run)
        assert at.ask("runs", "approve", run, "--hash", plan["hash"])["state"] == "COMPLETED"
    finally:
        worker.terminate()
        said = ended(worker)
    assert said.status == 0
    assert said.json["planned"] == 1


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps an open file where it is")
def test_a_worker_whose_data_is_gone_says_so_and_ends(at: CommandLine) -> None:
    worker = at.start("worker", "--json")
    _proposed(at, asked(at))
    shutil.rmtree(at.home)
    said = ended(worker, 30)
    assert said.status == MACHINE
    assert said.json["error"]["what"].endswith("is gone")
    assert not list(at.home.rglob("*.db"))


def _proposed(at: CommandLine, run: str) -> None:
    """Wait until the worker has planned the request and told so."""
    patience = time.monotonic() + PATIENCE
    while not any(one["planned"] for one in at.ask("worker", "status")["workers"]):
        assert time.monotonic() < patience
        time.sleep(0.1)
    assert shown(at, run)["state"] == "PROPOSED"


def test_a_hash_that_is_stale_is_refused_and_the_fresh_one_shown(at: CommandLine) -> None:
    run = asked(at)
    at.ask("worker", "--once")
    old = shown(at, run)["hash"]
    assert "another plan" in at.refused(NOT_APPROVED, "runs", "approve", run, "--hash", "0" * 64)["what"]
    assert old in at.refused(NOT_APPROVED, "runs", "approve", run)["try"]
    at.carry_out([TRACK])
    error = at.refused(NOT_APPROVED, "runs", "approve", run, "--hash", old)
    fresh = shown(at, run)
    assert (fresh["state"], fresh["reason"]) == ("PROPOSED", "the song has changed")
    assert fresh["hash"] != old
    assert fresh["hash"][:16] in error["why"]
    assert at.ask("runs", "approve", run, "--hash", fresh["hash"])["state"] == "COMPLETED"


def test_what_waits_is_cancelled_once(at: CommandLine) -> None:
    draft, behind = asked(at), asked(at, "make it faster")
    at.ask("worker", "--once")
    for run, state in ((behind, "DRAFT"), (draft, "PROPOSED")):
        assert shown(at, run)["state"] == state
        assert at.ask("runs", "cancel", run)["state"] == "CANCELLED"
        assert "CANCELLED" in at.refused(UNFINISHED, "runs", "cancel", run)["why"]
    assert at.ask("worker", "--once")["planned"] == 0
    assert at.ask("worker", "status")["queue"] == []


def test_a_request_that_cannot_be_planned_says_why(at: CommandLine) -> None:
    run = asked(at, "zxqv blorp")
    behind = asked(at)
    assert at.ask("worker", "--once")["planned"] == 1
    view = shown(at, run)
    assert view["state"] == "FAILED"
    assert view["reason"]
    assert view["events"][-1]["kind"] == "RUN_FAILED"
    assert view["reason"] in at.run("runs", "show", run).stdout.replace("\n", " ")
    assert shown(at, behind)["state"] == "PROPOSED"
    assert "never had a plan" in at.refused(UNFINISHED, "runs", "retry", run)["why"]
    assert at.refused(BAD_INPUT, "runs", "resume", run)["why"] == "it is FAILED"


def test_a_second_approved_run_is_not_queued(at: CommandLine) -> None:
    run = asked(at)
    at.ask("worker", "--once")
    approved = shown(at, run)["hash"]
    at.ask("runs", "approve", run, "--hash", approved, "--queue")
    path, second = at.bound([TRACK])
    error = at.refused(UNFINISHED, "run", str(path), "--approve", second, "--queue")
    assert run in error["what"]
    assert "cancel" in error["try"]


def test_advance_approval_stays_as_strict_as_it_was(at: CommandLine) -> None:
    run = asked(at, LOFI, "--yes")
    at.ask("worker", "--once")
    at.ask("worker", "--once")
    assert shown(at, run)["state"] == "PROPOSED"
    assert at.run("run", "--yes", "x").status == BAD_INPUT
    assert at.run("runs", "approve", run, "--yes").status == BAD_INPUT


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (("runs", "pause", "rnothere"), BAD_INPUT), (("runs", "show", "rnothere", "--follow"), BAD_INPUT),
        (("runs", "approve", "rnothere", "--hash", "1"), BAD_INPUT), (("worker", "dance"), BAD_INPUT),
        (("plan", "--queue"), BAD_INPUT), (("plan", LOFI, "--queue", "--out", "x.json"), BAD_INPUT),
        (("plan", LOFI, "--queue", "--provider", "nobody"), BAD_INPUT), (("plan", "", "--queue"), BAD_INPUT),
        (("plan", "log in with sk-ant-api03-" + "Ab3" * 20, "--queue"), BAD_INPUT),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused_and_stores_nothing(
    at: CommandLine, words: tuple[str, ...], status: int
) -> None:
    at.refused(status, *words)
    assert at.rows("SELECT count(*) FROM run") == [(0,)]


def test_runs_that_have_ended_refuse_what_they_cannot_do(at: CommandLine) -> None:
    run = at.carry_out([TRACK])["run"]
    for words in (("pause",), ("cancel",), ("retry",)):
        assert "COMPLETED" in at.refused(UNFINISHED, "runs", *words, run)["why"]
    at.refused(UNFINISHED, "runs", "approve", run, "--hash", "1")


def test_a_row_that_is_not_there_cannot_be_left_out(command_line: CommandLine) -> None:
    at = CommandLine(command_line.home, {"BANDLEADER_SOUNDFONT": "/nonexistent.sf2"})
    at.ask("projects", "new", "One")
    half = at.carry_out([TRACK, SOUND], status=UNFINISHED)
    assert half["state"] == "PARTIAL"
    assert "no row 'nothing'" in at.refused(UNFINISHED, "runs", "skip", half["run"], "nothing")["what"]
    assert shown(at, half["run"])["state"] == "PARTIAL"
    assert "PARTIAL" in at.refused(UNFINISHED, "runs", "pause", half["run"])["why"]


def test_a_run_whose_song_is_lost_ends_with_one_clear_error(at: CommandLine) -> None:
    run = asked(at)
    at.ask("worker", "--once")
    approved = shown(at, run)["hash"]
    at.ask("runs", "approve", run, "--hash", approved, "--queue")
    with closing(sqlite3.connect(at.database)) as connection, connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute("DELETE FROM object WHERE kind = 'song'")
    error = at.refused(MACHINE, "runs", "resume", run)
    assert "damaged" in error["what"]
    assert "backup" in error["try"]
    assert at.rows("SELECT count(*) FROM step") == [(0,)]
