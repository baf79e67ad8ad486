"""One plan over five services in one run: song, library, files, sound, and a server of tools that others wrote.

Each row goes to the service that owns its tool, and results flow from one to the next.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import mido
import pytest
import soundfile
from commandline import CommandLine

Row = dict[str, Any]
CLOCK = f"{sys.executable} -m mcp_server_time --local-timezone UTC"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    at = CommandLine(tmp_path_factory.mktemp("mixed") / "home")
    made = at.ask("compose", "a short calm piano piece in C, 8 bars", "--yes", "--seed", "3")
    grooves = at.home.parent / "shelf" / "grooves"
    grooves.mkdir(parents=True)
    shutil.copy(made["files"]["mid"], grooves / "calm one.mid")
    shutil.copy(made["files"]["mid"], grooves / "calm two.mid")
    (grooves / "calm broken.mid").write_bytes(b"MThd nothing")
    (at.home.parent / "out").mkdir()
    at.ask("services", "add", "clock", "--command", CLOCK, "--yes")
    at.ask("folders", "allow", str(at.home.parent / "out"), "--write")
    at.ask("library", "add", str(grooves.parent))
    return at


def rows(out: Path) -> list[Row]:
    """A plan that needs all five."""
    return [
        {"id": "now", "tool": "clock__get_current_time", "inputs": {"timezone": "Europe/Paris"}},
        {"id": "found", "tool": "query_library", "inputs": {"kind": "midi", "tags": ["grooves"]}},
        {"id": "bring", "tool": "import_midi", "for_each": "{{found.items}}", "on_error": {"failures": 1},
         "inputs": {"path": "{{item.path}}", "start_time": 32}},
        {"id": "tempo", "tool": "set_tempo", "inputs": {"bpm": 90}},
        {"id": "ears", "tool": "analyse_audio"},
        {"id": "never", "tool": "set_tempo", "inputs": {"bpm": 50}, "when": {"left": "{{found.items}}", "op": "empty"}},
        {"id": "said", "tool": "write_text", "inputs": {
            "path": str(out / "notes.txt"), "text": "at {{now.datetime}}: {{ears.loudness}} LUFS"}},
        {"id": "mid", "tool": "export_midi", "inputs": {"path": str(out / "song.mid")}},
        {"id": "flac", "tool": "export_audio", "inputs": {"format": "flac"}},
        {"id": "back", "tool": "read_text", "inputs": {"path": "{{said.path}}"}},
    ]


def test_one_plan_over_five_services_runs_in_one_run(home: CommandLine) -> None:
    out = home.home.parent / "out"
    said = home.carry_out(rows(out))
    states = {one["id"]: one["state"] for one in said["steps"]}
    assert states == {**dict.fromkeys(states, "done"), "never": "skipped"}
    results = {one["id"]: one["result"] for one in said["actions_executed"]}
    notes = (out / "notes.txt").read_text()
    assert re.fullmatch(r"at \d{4}-\d\d-\d\dT[\d:]{8}[+]0[12]:00: -\d+\.\d+ LUFS", notes)
    assert results["back"]["text"] == notes
    assert results["now"]["datetime"] in notes
    assert len(results["bring"]["items"]) == 2
    assert mido.MidiFile(out / "song.mid").length > 40
    assert soundfile.info(results["flac"]["path"]).duration > 40
    song = home.song()
    assert song.tempos[0].bpm == 90
    assert len(song.tracks) == 3 * len(said["musical_context"]["tracks"])


def test_a_server_that_dies_fails_its_rows_and_nothing_else(home: CommandLine) -> None:
    gone = home.home.parent / "clock.py"
    gone.write_text("import runpy\nrunpy.run_module('mcp_server_time', run_name='__main__')\n")
    home.ask("services", "add", "mortal", "--command", f"{sys.executable} {gone}", "--yes")
    plan, approved = home.bound([
        {"id": "now", "tool": "mortal__get_current_time", "inputs": {"timezone": "UTC"}, "on_error": "continue"},
        {"id": "needs", "tool": "write_text", "inputs": {"path": "never.txt", "text": "{{now.datetime}}"}},
        {"id": "free", "tool": "set_tempo", "inputs": {"bpm": 77}},
    ])
    gone.write_text("raise SystemExit(3)\n")
    said = home.run("run", str(plan), "--approve", approved, "--json")
    assert said.status == 5
    states = {one["id"]: one["state"] for one in said.json["steps"]}
    assert states == {"now": "failed", "needs": "not_run", "free": "done"}
    assert said.json["state"] == "PARTIAL"
    assert "mortal" in json.dumps(said.json["steps"][0])


def test_yes_never_covers_rows_that_leave_the_song(home: CommandLine) -> None:
    plan, approved = home.bound([{"id": "now", "tool": "clock__get_current_time", "inputs": {"timezone": "UTC"}}])
    assert home.refused(4, "run", str(plan))["code"] == 4
    assert home.refused(4, "run", str(plan), "--approve", approved[:-1] + "x")["code"] == 4


def test_facts_alone_end_with_a_report(home: CommandLine) -> None:
    said = home.carry_out([
        {"id": "zones", "tool": "query_library", "inputs": {"kind": "midi"}},
        {"id": "now", "tool": "clock__get_current_time", "title": "The time", "inputs": {"timezone": "UTC"}},
    ])
    assert said["state"] == "COMPLETED"
    assert said["iteration"] is None
    titles = [section["title"] for section in said["report"]["sections"]]
    assert titles[-1] == "The time"
    assert len(titles) == 2
