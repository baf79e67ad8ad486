"""Nothing changes without an approval of exactly what runs, on exactly the song it was given for."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from commandline import CommandLine, ended
from stages import copied, with_sample

REQUEST = "make it more ambient"
Plan = dict[str, Any]


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    """A song that no test of this module may change."""
    return with_sample(tmp_path_factory.mktemp("approval") / "home")


@pytest.fixture(scope="module")
def plan(stage: CommandLine) -> Plan:
    shown: Plan = stage.ask("plan", REQUEST, "--seed", "3")
    return shown


@pytest.fixture
def unchanged(stage: CommandLine) -> Iterator[CommandLine]:
    """The stage, whose database must hold the same rows at the end, and which no file may have left."""
    before = stage.content()
    assert before["iteration"]
    yield stage
    after = stage.content()
    # Which plan files may be replaced is noted when they are written.
    assert {**after, "written_file": []} == {**before, "written_file": []}
    assert not (stage.home / "exports").exists()


def written(path: Path, plan: Plan) -> str:
    """The file with the plan in it."""
    path.write_text(json.dumps(plan), encoding="utf-8")
    return str(path)


def test_planning_leaves_everything_equal(unchanged: CommandLine, tmp_path: Path) -> None:
    unchanged.ask("plan", REQUEST, "--lock", "Lead")
    unchanged.ask("plan", "faster and in D minor", "--out", str(tmp_path / "plan.json"))
    assert json.loads((tmp_path / "plan.json").read_text())["steps"]


def test_a_run_without_an_approval_is_refused(unchanged: CommandLine, plan: Plan, tmp_path: Path) -> None:
    error = unchanged.refused(4, "run", written(tmp_path / "plan.json", plan))
    assert plan["hash"] in error["try"]


def test_another_hash_is_refused(unchanged: CommandLine, plan: Plan, tmp_path: Path) -> None:
    other = plan["hash"][:-1] + ("0" if plan["hash"][-1] != "0" else "1")
    error = unchanged.refused(4, "run", written(tmp_path / "plan.json", plan), "--approve", other)
    assert "another plan" in error["what"]


def without_a_row(plan: Plan) -> Plan:
    return {**plan, "steps": plan["steps"][:-1]}


def without_the_row_that_others_need(plan: Plan) -> Plan:
    [made] = [step for step in plan["steps"] if step["title"] == "Track Deep pad"]
    return {**plan, "steps": [step for step in plan["steps"] if step is not made]}


def without_rows(plan: Plan) -> Plan:
    return {**plan, "steps": []}


def another_order(plan: Plan) -> Plan:
    return {**plan, "steps": [plan["steps"][1], plan["steps"][0], *plan["steps"][2:]]}


def another_input(plan: Plan) -> Plan:
    [tempo] = [step for step in plan["steps"] if step["tool"] == "set_tempo"]
    changed = {**tempo, "inputs": {**tempo["inputs"], "bpm": tempo["inputs"]["bpm"] + 1}}
    return {**plan, "steps": [changed if step is tempo else step for step in plan["steps"]]}


def another_way_to_fail(plan: Plan) -> Plan:
    return {**plan, "steps": [{**step, "on_error": "continue"} for step in plan["steps"]]}


def without_its_seed(plan: Plan) -> Plan:
    return {**plan, "seed": 0}


def with_a_lock(plan: Plan) -> Plan:
    return {**plan, "locks": [{"lock": "bars", "first": 900, "last": 901}]}


def with_the_new_hash_in_the_file(plan: Plan) -> Plan:
    return {**another_input(plan), "hash": "0" * 64}


@pytest.mark.parametrize(
    "change",
    [without_a_row, without_the_row_that_others_need, without_rows, another_order, another_input,
     another_way_to_fail, without_its_seed, with_a_lock, with_the_new_hash_in_the_file],
)
@pytest.mark.semantics("1.3")
def test_a_changed_plan_is_refused(
    unchanged: CommandLine, plan: Plan, tmp_path: Path, change: Callable[[Plan], Plan]
) -> None:
    path = written(tmp_path / "plan.json", change(plan))
    error = unchanged.refused(4, "run", path, "--approve", plan["hash"])
    assert error["what"] == "this approval is for another plan"


def test_another_project_is_refused(unchanged: CommandLine, plan: Plan, tmp_path: Path) -> None:
    path = written(tmp_path / "plan.json", {**plan, "project": "pzzzzzzzzzzzz"})
    unchanged.refused(2, "run", path, "--approve", plan["hash"])


def test_composing_with_nobody_there_only_shows_the_plan(unchanged: CommandLine) -> None:
    for words in (("compose", "a calm lo-fi beat"), ("compose", REQUEST, "--project", "Sample")):
        said = unchanged.run(*words, "--json")
        assert said.status == 4
        assert said.json["steps"]
        assert said.json["hash"]
        assert "--yes" in said.stderr
        said = unchanged.run(*words)
        assert said.status == 4
        assert "hash " in said.stdout
        assert "--yes" in said.stderr


UNCLEAR = "florb the grobnix"


@pytest.mark.parametrize("words", [
    ("compose", UNCLEAR, "--project", "Sample", "--yes"), ("plan", UNCLEAR, "--yes"), ("plan", UNCLEAR),
])
def test_an_unclear_request_ends_with_its_question(unchanged: CommandLine, words: tuple[str, ...]) -> None:
    """Nobody takes one of its choices for the person."""
    error = unchanged.refused(2, *words)
    assert error["what"].endswith("How should this song change?")
    assert "florb" in error["what"]
    assert "nothing has changed" in error["why"]
    assert "say one of" in error["try"]


@pytest.mark.skipif(sys.platform == "win32", reason="has no such terminals")
def test_yes_answers_no_question_at_a_terminal(unchanged: CommandLine) -> None:
    said = at_a_terminal(unchanged, "1", "compose", UNCLEAR, "--project", "Sample", "--yes")
    assert said.status == 2
    assert "How should this song change?" in said.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="has no such terminals")
@pytest.mark.parametrize(("answer", "status"), [("1", 0), ("9", 2), ("²", 2), ("1" * 5000, 2), ("", 2)])
def test_a_person_picks_a_choice(unchanged: CommandLine, answer: str, status: int) -> None:
    said = at_a_terminal(unchanged, answer, "plan", UNCLEAR)
    assert said.status == status, said.stderr
    assert "Traceback" not in said.stderr


def test_an_unclear_request_makes_no_project(tmp_path: Path) -> None:
    command_line = CommandLine(tmp_path / "home")
    command_line.refused(2, "compose", UNCLEAR, "--yes")
    assert command_line.ask("projects") == {"projects": []}


def test_composing_with_nobody_there_makes_no_project(tmp_path: Path) -> None:
    command_line = CommandLine(tmp_path / "home")
    assert command_line.run("compose", "a calm lo-fi beat", "--json").status == 4
    assert command_line.ask("projects") == {"projects": []}
    content = command_line.content()
    assert not [name for name in ("project", "run", "message", "iteration", "object") if content[name]]


@pytest.mark.skipif(sys.platform == "win32", reason="has no such terminals")
def test_a_person_who_says_no_changes_nothing(unchanged: CommandLine) -> None:
    said = at_a_terminal(unchanged, "n", "compose", REQUEST, "--project", "Sample")
    assert said.status == 4
    assert "Run these" in said.stderr
    assert "error: the plan was not approved" in said.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="has no such terminals")
def test_a_person_who_says_yes_gets_the_song(stage: CommandLine, tmp_path: Path) -> None:
    command_line = copied(stage, tmp_path / "home")
    said = at_a_terminal(command_line, "y", "compose", "faster", "--project", "Sample")
    assert said.status == 0, said.stderr
    [(approval,)] = command_line.rows("SELECT approval FROM run WHERE request = 'faster'")
    assert json.loads(approval)["by"] == "person"
    assert command_line.song().tempos[0].bpm > 112


def at_a_terminal(command_line: CommandLine, answer: str, *words: str) -> Any:
    """Run a command whose input is a terminal, at which a person types an answer."""
    ours, theirs = os.openpty()
    try:
        os.write(ours, f"{answer}\n".encode())
        return ended(command_line.start(*words, stdin=theirs))
    finally:
        os.close(theirs)
        os.close(ours)


def test_other_titles_are_the_same_plan(stage: CommandLine, plan: Plan, tmp_path: Path) -> None:
    command_line = copied(stage, tmp_path / "home")
    titled = [{**step, "title": "Anything", "why": "", "group": "One"} for step in plan["steps"]]
    path = written(tmp_path / "plan.json", {**plan, "steps": titled, "analysis": "other", "lint": []})
    assert command_line.ask("run", path, "--approve", plan["hash"])["state"] == "COMPLETED"


@pytest.mark.semantics("1.3")
def test_an_approval_serves_one_run_on_one_song(stage: CommandLine, plan: Plan, tmp_path: Path) -> None:
    command_line = copied(stage, tmp_path / "home")
    path = written(tmp_path / "plan.json", plan)
    assert command_line.ask("run", path, "--approve", plan["hash"])["state"] == "COMPLETED"
    before = command_line.content()
    error = command_line.refused(4, "run", path, "--approve", plan["hash"])
    assert "the song has changed" in error["what"]
    rebound = written(tmp_path / "plan.json", {**plan, "song_revision": command_line.rows(
        "SELECT working FROM project")[0][0]})
    command_line.refused(4, "run", rebound, "--approve", plan["hash"])
    assert command_line.content() == before


def test_the_approval_is_kept(stage: CommandLine, plan: Plan, tmp_path: Path) -> None:
    command_line = copied(stage, tmp_path / "home")
    command_line.ask("run", written(tmp_path / "plan.json", plan), "--approve", plan["hash"])
    command_line.ask("compose", "faster", "--project", "Sample", "--yes")
    kept = command_line.rows("SELECT approval FROM run WHERE request != '' ORDER BY created")
    assert [json.loads(approval)["by"] for (approval,) in kept] == ["person", "in advance by --yes"]
    assert json.loads(kept[0][0])["hash"] == plan["hash"]
