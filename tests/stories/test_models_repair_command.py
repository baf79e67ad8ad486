"""A row that failed is mended at the command line: a model proposes, the person approves by `runs amend`."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

from commandline import CommandLine
from model_server import Fails, ModelServer, Text, model_server

KEY = "sk-canary-70c2be94d1a85f36"
ROW = {"id": "out", "tool": "export_audio", "inputs": {"format": "wav"}}
MID = {"format": "mid"}
BY = ("--provider", "anthropic", "--model", "model-one")


def failed(home: Path, server: ModelServer) -> tuple[CommandLine, str]:
    """A run whose only row failed, for there is no SoundFont."""
    line = CommandLine(home, {
        "ANTHROPIC_BASE_URL": server.url("anthropic"), "ANTHROPIC_API_KEY": KEY,
        "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring", "BANDLEADER_SOUNDFONT": "/nonexistent.sf2",
    })
    line.ask("projects", "new", "Song")
    line.carry_out([
        {"id": "t", "tool": "create_track", "inputs": {"name": "Pad", "instrument": "pad_warm"}},
        {"id": "c", "tool": "create_midi_clip", "inputs": {
            "track_id": "{{t.track_id}}", "start_time": 0, "duration": 4, "notes": [{"n": 60, "s": 0, "d": 4, "v": 80}],
        }},
    ])
    return line, line.carry_out([ROW], status=5, name="out")["run"]


def usage_free(content: dict[str, list[Any]]) -> dict[str, list[Any]]:
    return {name: rows for name, rows in content.items() if name != "usage_entry"}


def test_a_repair_is_printed_and_runs_only_by_amend(tmp_path: Path) -> None:
    with model_server([Text(json.dumps(MID)), Text(f"```json\n{json.dumps(MID)}\n```")]) as server:
        line, run = failed(tmp_path / "home", server)
        before = usage_free(line.content())
        proposed = line.ask("runs", "repair", run, "out", *BY)
        assert (proposed["was"], proposed["inputs"]) == ({"format": "wav"}, MID)
        assert proposed["usage"]["tokens"] == 46
        human = line.run("runs", "repair", run, "out", *BY)
        assert "nothing was run" in human.stdout
        assert usage_free(line.content()) == before, "a proposal changes nothing"
        command = shlex.split(proposed["run_with"])
        assert command[:3] == ["bandleader", "runs", "amend"]
        mended = line.ask(*command[1:])
    assert len(server.requests) == 2
    assert (mended["state"], mended["done"]) == ("COMPLETED", 1)
    assert Path(mended["actions_executed"][0]["result"]["path"]).suffix == ".mid"
    events = [event["kind"] for event in line.ask("runs", "show", run, "--events")["events"]]
    assert events.count("ROW_APPROVED") == 1
    assert line.refused(5, "runs", "amend", run, "out", "--inputs", json.dumps(MID))["why"]


def test_inputs_come_from_a_file_too_and_what_does_not_fit_is_refused(tmp_path: Path) -> None:
    with model_server([]) as server:
        line, run = failed(tmp_path / "home", server)
        before = line.content()
        wrong = tmp_path / "wrong.json"
        wrong.write_text("[1]")
        for given in ("{", '{"format": "mid", "more": 1}', str(wrong), str(tmp_path), "nothing.json"):
            line.refused(2, "runs", "amend", run, "out", "--inputs", given)
        line.refused(2, "runs", "amend", run, "nope", "--inputs", json.dumps(MID))
        assert line.content() == before
        good = tmp_path / "inputs.json"
        good.write_text(json.dumps(MID))
        assert line.ask("runs", "amend", run, "out", "--inputs", str(good))["state"] == "COMPLETED"


def test_without_an_answer_nothing_is_proposed(tmp_path: Path) -> None:
    with model_server(Fails(400, "no")) as server:
        line, run = failed(tmp_path / "home", server)
        assert "composer" in line.refused(2, "runs", "repair", run, "out")["what"]
        line.refused(3, "runs", "repair", run, "out", *BY)
        line.refused(2, "runs", "repair", run, "nope", *BY)
        assert len(server.requests) == 1
        done = line.carry_out([{"id": "a", "tool": "set_tempo", "inputs": {"bpm": 99}}], name="done")
        assert "has not failed" in line.refused(2, "runs", "repair", done["run"], "a", *BY)["what"]
    assert len(server.requests) == 1
