"""Plan, approve, run with a language model behind the real command line: for each provider, over real HTTP."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from commandline import CommandLine
from model_commands import KEY, MODEL, by, given
from model_plans import many_rows, pad_rows, pieces, row, written
from model_server import FORMS, Asked, Calls, Fails, Form, Text, Tokens, model_server


def names(command_line: CommandLine) -> list[str]:
    return [track.name for track in command_line.song().tracks]


@pytest.mark.parametrize("form", FORMS)
def test_plan_approve_run(form: Form, tmp_path: Path) -> None:
    answer = Text(written(pad_rows()), tokens=Tokens(4000, 100))
    with model_server([Calls(("list_instruments", {"family": "pad"})), answer]) as server:
        command_line = CommandLine(tmp_path / "home", given(server, form))
        command_line.ask("projects", "new", "Pads")
        before = command_line.content()
        path = tmp_path / "plan.json"
        plan = command_line.ask("plan", "a warm pad", *by(form), "--out", str(path))
        after = command_line.content()
        assert {name for name in after if after[name] != before.get(name)} == {"usage_entry", "written_file"}
        assert [step["tool"] for step in plan["steps"]] == ["create_track", "create_midi_clip"]
        assert plan["provider"] == f"{form}/{MODEL}"
        assert plan["used"]["tokens"] == 4100 + 12 + 34
        run = command_line.ask("run", str(path), "--approve", plan["hash"])
    assert len(server.requests) == 2, "exact rows are run without a model"
    assert {asked.key for asked in server.requests} == {KEY}
    assert {asked.model for asked in server.requests} == {MODEL}
    assert (run["state"], run["approved"], run["done"]) == ("COMPLETED", 2, 2)
    assert names(command_line) == ["Pad"]
    assert run["usage"]["tokens"] == 0, "what a file says of its planning counts for nothing"
    [history] = [one for one in command_line.ask("history")["iterations"] if one["source"] == "ai_iteration"]
    assert history["run"] == run["run"]


@pytest.mark.parametrize(("form", "count"), [("anthropic", 60), ("openai", 14), ("openai-chat", 60)])
def test_a_plan_that_is_cut_three_times_is_composed_whole(form: Form, count: int, tmp_path: Path) -> None:
    rows = many_rows(count)
    *cut, last = pieces(written(rows), 4)
    script = [*(Text(piece, "length") for piece in cut), Text(last)]
    with model_server(script, size=97) as server:
        command_line = CommandLine(tmp_path / "home", given(server, form))
        out = tmp_path / "out"
        made = command_line.ask("compose", "a long pad piece", *by(form), "--yes", "--out", str(out))
    assert len(server.requests) == 4
    assert (made["state"], made["done"]) == ("COMPLETED", count)
    [track] = command_line.song().tracks
    expected = [[(note["n"], note["v"]) for note in one["inputs"]["notes"]] for one in rows[1:]]
    assert [[(note.pitch, note.velocity) for note in clip.notes] for clip in track.clips] == expected
    assert {path.suffix for path in out.iterdir()} == {".mid", ".wav", ".json"}


def test_a_server_without_a_key_is_named_by_its_url(tmp_path: Path) -> None:
    with model_server(Text(f"```json\n{written(pad_rows())}\n```")) as server:
        command_line = CommandLine(tmp_path / "home", given(server, "openai", key=""))
        made = command_line.ask("compose", "a warm pad", *by(server.url("openai-chat")), "--yes")
    assert made["state"] == "COMPLETED"
    assert {asked.key for asked in server.requests} <= {"", "none", "no-key"}
    assert server.requests[0].path.endswith("/chat/completions")


def test_a_row_that_is_left_to_the_model_waits_for_an_approval_of_its_edits(tmp_path: Path) -> None:
    wish = [
        *pad_rows(),
        {**row("s3", "work_on", tools=["update_track"], tracks=["{{s1.track_id}}"]), "by": "model",
         "goal": "make the pad softer", "max_edits": 2},
    ]

    def script(asked: Asked) -> Any:
        if "update_track" not in asked.tools:
            return Text(written(wish))
        if asked.results:
            return Text("It is softer now.")
        track = command_line.song().tracks[0].id
        return Calls(("update_track", {"track_id": track, "volume_db": -20}), ("delete_track", {"track_id": track}))

    with model_server(script) as server:
        command_line = CommandLine(tmp_path / "home", given(server, "openai-chat"))
        command_line.ask("projects", "new", "Pads")
        path = tmp_path / "plan.json"
        plan = command_line.ask("plan", "a warm pad, and leave its volume to the model", *by("openai-chat"),
                                "--out", str(path))  # fmt: skip
        refused = command_line.run("compose", "a warm pad", *by("openai-chat"), "--yes", "--json")
        assert refused.status == 4
        said = command_line.run("run", str(path), "--approve", plan["hash"], *by("openai-chat"), "--json")
        assert said.status == 5
        run = said.json
        [waits] = [step for step in run["steps"] if step["state"] == "needs_review"]
        assert [call["tool"] for call in waits["waiting"]] == ["update_track"]
        assert command_line.song().tracks[0].volume_db != -20
        done = command_line.ask("runs", "approve", run["run"], "s3")
    assert (done["state"], done["done"]) == ("COMPLETED", 3)
    assert command_line.song().tracks[0].volume_db == -20
    assert run["usage"]["tokens"] > 0, "the work counts; what a file says of its planning does not"


def test_what_keeps_a_model_from_planning_is_one_clear_error(tmp_path: Path) -> None:
    wrong = Fails(401, "invalid key", "authentication_error", "invalid_api_key", echo=True)
    with model_server(wrong) as server:
        command_line = CommandLine(tmp_path / "home", given(server, "anthropic"))
        command_line.ask("projects", "new", "Pads")
        before = command_line.content()
        error = command_line.refused(3, "plan", "a warm pad", *by("anthropic"))
        assert KEY[:12] not in json.dumps(error)
        without = CommandLine(command_line.home, given(server, "anthropic", key=""))
        assert "keys set anthropic" in without.refused(3, "plan", "a warm pad", *by("anthropic"))["try"]
        assert "model" in command_line.refused(3, "plan", "a warm pad", "--provider", "anthropic")["what"]
    assert len(server.requests) == 1
    assert command_line.content() == before


def test_a_plan_with_a_row_that_cannot_run_is_shown_and_written_all_the_same(tmp_path: Path) -> None:
    bad = [*pad_rows(), row("s3", "update_track", track_id="tnothing", volume_db=-9)]
    with model_server(lambda _: Text(written(bad))) as server:
        command_line = CommandLine(tmp_path / "home", given(server, "anthropic"))
        command_line.ask("projects", "new", "Pads")
        path = tmp_path / "plan.json"
        said = command_line.run("plan", "a warm pad", *by("anthropic"), "--out", str(path), "--json")
        human = command_line.run("plan", "a warm pad", *by("anthropic"))
    assert said.status == human.status == 2
    [finding] = [one for one in said.json["lint"] if one["level"] == "error"]
    assert finding["step"] == "s3"
    assert [step["id"] for step in said.json["steps"]] == ["s1", "s2", "s3"]
    assert json.loads(path.read_text())["steps"] == said.json["steps"]
    for told in (said.stderr, human.stderr):
        assert "error: there is no track 'tnothing'" in told
    assert "there is no track 'tnothing'" in human.stdout
    assert command_line.run("run", str(path), "--approve", said.json["hash"] or "0" * 64).status in (2, 4)
    assert names(command_line) == []
