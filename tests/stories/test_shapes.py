"""Every JSON document field by field, every exit status, and what the help promises."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from commandline import CommandLine
from stages import copied, with_sample

from app.cli.main import run

REQUEST = "more ambient and in D minor, keep the bass"
NUMBER = (int, float)
WORDS = [str]


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    """A song for tests that only read."""
    return with_sample(tmp_path_factory.mktemp("shapes") / "home")


@pytest.fixture(scope="module")
def composed(stage: CommandLine, tmp_path_factory: pytest.TempPathFactory) -> tuple[CommandLine, dict[str, Any]]:
    """A second home, and the document of a change that was composed in it."""
    command_line = copied(stage, tmp_path_factory.mktemp("composed") / "home")
    document = command_line.ask("compose", REQUEST, "--project", "Sample", "--yes", "--lock", "bars:15-16", CI="true")
    return command_line, document


def fits(value: Any, shape: Any, where: str = "document") -> None:
    """Fail unless a document has exactly these fields of these types.

    A list of one shape stands for any number of such; a field that ends in "?" may be missing; a tuple of
    types for any of them; None for null; a function tells itself.
    """
    if isinstance(shape, dict):
        assert isinstance(value, dict), where
        names = {name.removesuffix("?") for name in shape}
        needed = {name for name in shape if not name.endswith("?")}
        assert needed <= set(value) <= names, f"{where}: {sorted(set(value) ^ names)}"
        for name, inner in shape.items():
            if name.removesuffix("?") in value:
                fits(value[name.removesuffix("?")], inner, f"{where}.{name}")
    elif isinstance(shape, list):
        assert isinstance(value, list), where
        for number, one in enumerate(value):
            fits(one, shape[0], f"{where}[{number}]")
    elif isinstance(shape, tuple):
        assert any(value is None if kind is None else type(value) is kind for kind in shape), f"{where}: {value!r}"
    elif isinstance(shape, type):
        assert type(value) is shape, f"{where}: {value!r}"
    else:
        assert shape(value), f"{where}: {value!r}"


def at(value: Any) -> bool:
    """A moment, ISO 8601 in UTC."""
    return isinstance(value, str) and value.endswith("Z") and datetime.fromisoformat(value).utcoffset() is not None


def sha256(value: Any) -> bool:
    """A hash."""
    return isinstance(value, str) and re.fullmatch("[0-9a-f]{64}", value) is not None


def file(value: Any) -> bool:
    """An absolute path of something that is there."""
    return isinstance(value, str) and Path(value).is_absolute() and Path(value).exists()


STEP = {
    "id": str, "tool": str, "inputs?": dict, "title?": str, "group?": str, "why?": str, "by?": str, "goal?": str,
    "max_edits?": int, "for_each?": str, "when?": dict, "on_error?": (str, dict), "retry?": int, "timeout?": NUMBER,
    "after?": WORDS, "accept_partial?": bool,
}
PLAN = {
    "steps": [STEP], "project": str, "song_revision": sha256, "seed": int, "locks": [dict], "request": str,
    "fence": (None, dict), "provider": str, "analysis": str, "musical_reasoning": str, "understood": WORDS,
    "ignored": WORDS, "normalised": WORDS,
    "asks": [{"asked": str, "steps": WORDS, "measure": str, "goal": str, "value": (str, int, float, None),
              "bars": (list, None), "now_bars": (list, None)}],
    "hash": sha256, "lint": [{"step": str, "rule": str, "message": str, "fix": str, "level": str}],
    "estimate": {"tokens": int, "cost": float}, "used": {"tokens": int, "cost": float},
    "planning": str, "clauses": list, "version": int, "pins": dict, "amended": dict,
}
FIGURE = (str, int, float, None)
CONTEXT = {
    "key": str, "tempo": float, "sections": [{"name": str, "first_bar": int, "last_bar": int}],
    "tracks": [{"id": str, "name": str, "instrument": str, "clips": int, "notes": int}],
}
RUN = {
    "run": str, "project": str, "iteration": (str, None), "state": str, "request": str, "approved": int, "done": int,
    "skipped": int, "failed": int, "not_run": int, "needs_review": int, "answer": str, "musical_context": CONTEXT,
    "actions_executed": [{"id": str, "tool": str, "result": dict}],
    "steps": [{"id": str, "tool": str, "state": str, "reason?": str, "error?": str,
               "items?": [{"item": int, "state": str, "result": (dict, None), "reason": str}]}],
    "locks": [{"target": str, "before": sha256, "after": sha256, "equal": bool}],
    "fence": (None, dict),
    "measured": [{"asked": str, "steps": WORDS, "before": FIGURE, "after": FIGURE, "met": bool, "measure": str}],
    "usage": {"tokens": int, "cost": float}, "reason": str, "report": (dict, None),
}
REPORT = {"sections": [{
    "step": str, "title": str, "text": str, "columns": [{"name": str, "unit": str}], "rows": [list],
    "bars": (dict, None), "left_out": int,
}]}
HISTORY = {
    "project": str, "head": str, "damaged": WORDS,
    "iterations": [{
        "id": str, "parent": (str, None), "source": str, "author": str, "message": str, "label": str, "actions": int,
        "run": (str, None), "created": at, "number": int,
    }],
}
DIFF = {
    "a": str, "b": str, "song": dict,
    "tracks": [{"track": str, "id": str, "change": str, "notes_added": int, "notes_removed": int,
                "notes_moved": int, "fields": dict}],
}


def test_plan(stage: CommandLine) -> None:
    plan = stage.ask("plan", REQUEST, "--lock", "bars:15-16", CI="1")
    fits(plan, PLAN)
    assert {"lock": "bars", "first": 15, "last": 16} in plan["locks"]
    assert plan["understood"]
    by_hand = stage.plan_file([{"id": "a", "tool": "get_song"}])
    fits(stage.ask("plan", "--file", str(by_hand)), PLAN)


def test_compose_run_and_show(composed: tuple[CommandLine, dict[str, Any]]) -> None:
    command_line, document = composed
    fits(document, {**RUN, "plan": PLAN, "files": {"mid": file, "wav": file, "plan": file}})
    assert document["measured"]
    assert document["locks"]
    shown = command_line.ask("runs", "show", document["run"])
    fits(shown, RUN)
    assert shown == {name: value for name, value in document.items() if name not in ("plan", "files")}
    fits(command_line.ask("runs"), {"project": str, "queue": [dict], "runs": [{
        "id": str, "project": str, "state": str, "request": str, "iteration": (str, None), "created": at,
        "updated": at,
    }]})
    events = command_line.ask("runs", "show", document["run"], "--events")["events"]
    for event in events:
        fits({name: event[name] for name in ("number", "kind", "at")}, {"number": int, "kind": str, "at": at})


def test_a_fan_out_lists_its_items(stage: CommandLine, tmp_path: Path) -> None:
    command_line = copied(stage, tmp_path / "home")
    document = command_line.carry_out([
        {"id": "found", "tool": "find_tracks", "inputs": {}},
        {"id": "softer", "tool": "update_track", "for_each": "{{found.items}}",
         "inputs": {"track_id": "{{item.track_id}}", "volume_db": -12}},
        {"id": "none", "tool": "find_tracks", "inputs": {"family": "choir"}},
        {"id": "nobody", "tool": "delete_track", "for_each": "{{none.items}}",
         "inputs": {"track_id": "{{item.track_id}}"}},
    ], name="fan")
    fits(document, RUN)
    steps = {step["id"]: step for step in document["steps"]}
    assert [(one["item"], one["state"]) for one in steps["softer"]["items"]] == [(n, "done") for n in range(4)]
    assert steps["nobody"]["state"] == "done"
    assert steps["nobody"]["reason"] == "0 items"
    assert document["done"] == 4
    assert {track.volume_db for track in command_line.song().tracks} == {-12}


def test_a_run_that_changes_no_song_has_a_report(composed: tuple[CommandLine, dict[str, Any]]) -> None:
    document = composed[0].carry_out([
        {"id": "found", "tool": "find_tracks", "inputs": {}}, {"id": "sounds", "tool": "list_instruments"},
    ], name="facts")
    fits(document, RUN)
    fits(document["report"], REPORT)
    assert {one["step"] for one in document["report"]["sections"]} == {"found", "sounds"}
    assert all(len(row) == len(one["columns"]) for one in document["report"]["sections"] for row in one["rows"])


def test_history_diff_restore(composed: tuple[CommandLine, dict[str, Any]], tmp_path: Path) -> None:
    command_line = copied(composed[0], tmp_path / "home")
    history = command_line.ask("history")
    fits(history, HISTORY)
    assert [one["number"] for one in history["iterations"]] == [3, 2, 1]
    a, b = history["iterations"][1]["id"], history["iterations"][0]["id"]
    fits(command_line.ask("diff", a, b), DIFF)
    assert {track["change"] for track in command_line.ask("diff", a, b)["tracks"]} <= {"added", "removed", "changed"}
    fits(command_line.ask("restore", a), {"iteration": str, "restored": str})


def test_projects(stage: CommandLine, tmp_path: Path) -> None:
    shape = {"id": str, "name": str, "created": at, "head": str}
    fits(stage.ask("projects"), {"projects": [shape]})
    made = CommandLine(tmp_path / "home").ask("projects", "new", "Ein neues Stück")
    fits(made, {"project": str, "name": str})
    assert made["name"] == "Ein neues Stück"


def test_lists(stage: CommandLine) -> None:
    instruments = stage.ask("list", "instruments")
    layer = {"instrument": str, "transpose": int, "cents": float, "gain_db": float, "pan": float, "late_ms": float}
    fits(instruments, {"instruments": [{
        "name": str, "family": str, "label": str, "program": int, "bank": int, "low": int, "high": int, "tags": WORDS,
        "samples": (dict, None), "layers": [layer], "effects": [{"effect": str, "params": dict}],
        "swell": (bool, None), "dark": [[int]], "drums": [[int]], "kettledrums": (list, None),
    }]})
    families = {
        "drums", "percussion", "bass", "guitar", "keys", "piano", "organ", "strings", "brass", "woodwind", "choir",
        "pad", "lead", "pluck", "arp", "fx",
    }
    assert {one["family"] for one in instruments["instruments"]} <= families
    parameter = {"name": str, "unit": str, "low": NUMBER, "high": NUMBER, "default": NUMBER, "about": str}
    fits(stage.ask("list", "effects"), {"effects": [{"name": str, "label": str, "about": str, "params": [parameter]}]})
    styles = stage.ask("list", "styles")["styles"]
    assert len(styles) >= 6
    tools = stage.ask("list", "tools")["tools"]
    assert {"create_track", "render", "restore", "query_library"} <= {tool["name"] for tool in tools}
    for tool in tools:
        assert {"name", "service", "about", "inputs", "result"} <= set(tool)
        assert tool["inputs"]["type"] == "object"


def test_doctor(stage: CommandLine, tmp_path: Path) -> None:
    for command_line in (stage, CommandLine(tmp_path / "home")):
        health = command_line.ask("doctor")
        fits(health, {"ok": bool, "checks": [{"name": str, "ok": bool, "detail": str, "fix": str}]})
        names = {check["name"] for check in health["checks"]}
        assert {"python", "synth", "soundfont", "sound device", "keyring", "database"} <= names
        assert all(check["fix"] for check in health["checks"] if not check["ok"])


def test_import_and_export(stage: CommandLine, tmp_path: Path) -> None:
    exported = stage.ask("export", "mid", "--out", str(tmp_path / "a.mid"))
    fits(exported, {"project": str, "path": file, "kept": int, "dropped": WORDS, "remarks": WORDS})
    imported = CommandLine(tmp_path / "home").ask("import", str(tmp_path / "a.mid"))
    fits(imported, {"project": str, "iteration": str, "kept": int, "dropped": WORDS, "chords": int, "agreed": float})


PORTRAIT = {
    "bars": int, "notes": int, "onsets_per_bar": float, "percussion_hits": int, "mean_note_beats": float, "low": int,
    "high": int, "mean_pitch": float, "mean_velocity": float, "key_fit": float,
}
FLAW = {"rule": str, "where": str, "message": str, "bar?": int}
CHECK = {
    "ok": bool, "findings": [FLAW], "remarks": [FLAW],
    "figures": {
        "key": str, "found_key": {"key": str, "confidence": float}, "tempo": float, "seconds": float, "whole": PORTRAIT,
        "sections": [{"id": str, "name": str, "first_bar": int, "last_bar": int, "tracks": WORDS,
                      "portrait": PORTRAIT}],
        "tracks": [{"id": str, "name": str, "instrument": str, "percussive": bool, "portrait": PORTRAIT}],
    },
}


def test_check(stage: CommandLine, tmp_path: Path) -> None:
    said = stage.run("check", "--json")
    fits(said.json, {**CHECK, "project": str})
    assert said.status == (0 if said.json["ok"] else 5)
    path = stage.ask("export", "mid", "--out", str(tmp_path / "a.mid"))["path"]
    fits(stage.run("check", path, "--json").json, {**CHECK, "file": file})


MISUSE = (
    (("dance",), "dance"),
    (("plan",), "request"),
    (("plan", "faster", "--seed", "x"), "seed"),
    (("plan", "faster", "--seed", "-1"), "seed"),
    (("plan", "faster", "--seed", str(2**63)), "seed"),
    (("plan", "faster", "--lock", "Nobody"), "Nobody"),
    (("plan", "faster", "--lock", "bars:9-1"), "bars:9-1"),
    (("plan", "faster", "--model", "large"), "model"),
    (("export", "dawproject"), "dawproject"),
    (("export", "musicxml"), "musicxml"),
    (("list", "chords"), "chords"),
    (("projects", "new"), "name"),
    (("projects", "old"), "old"),
    (("history", "--project", "Nobody"), "Nobody"),
    (("diff", "1"), "B"),
    (("runs", "dance", "r1"), "dance"),
    (("check", "no.mid"), "no.mid"),
    (("keys", "set", "anthropic"), "no key was given"),
    (("keys", "show", "anthropic"), "keys"),
    (("keys", "set", "nobody"), "no provider"),
    (("machines", "dance"), "dance"),
    (("machines", "test", "nobody"), "nobody"),
    (("mcp",), "mcp"),
    (("serve",), "serve"),
)


@pytest.mark.parametrize(("words", "named"), MISUSE, ids=[" ".join(words) for words, _ in MISUSE])
def test_misuse_is_one_error_that_names_it(stage: CommandLine, words: tuple[str, ...], named: str) -> None:
    error = stage.refused(2, *words)
    assert named in error["what"] + error["why"]
    assert all("\n" not in part for part in error.values() if isinstance(part, str))


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("plan", "faster", "--provider", "anthropic"), "anthropic"),
        (("plan", "faster", "--provider", "anthropic", "--model", "m"), "key"),
        (("compose", "faster", "--provider", "openai", "--yes"), "openai"),
        (("compose", "faster", "--provider", "http://localhost:1", "--yes"), "localhost"),
        (("compose", "faster", "--provider", "http://localhost:1", "--model", "m", "--yes"), "reached"),
    ],
)
def test_a_model_that_cannot_be_asked_is_another_status(
    stage: CommandLine, words: tuple[str, ...], named: str
) -> None:
    assert named in stage.refused(3, *words)["what"]


def test_without_a_project_it_is_said(tmp_path: Path) -> None:
    command_line = CommandLine(tmp_path / "home")
    for words in (("history",), ("runs",), ("export", "wav")):
        assert "no project" in command_line.refused(2, *words)["what"]


def test_the_first_plan_of_a_home_makes_its_project_and_an_unclear_one_none(tmp_path: Path) -> None:
    command_line = CommandLine(tmp_path / "home")
    command_line.refused(2, "plan", "florb the grobnix")
    assert command_line.ask("projects")["projects"] == []
    plan = command_line.ask("plan", "a slow drone in D minor, 8 bars", "--out", str(tmp_path / "plan.json"))
    run = command_line.ask("run", str(tmp_path / "plan.json"), "--approve", plan["hash"])
    assert (run["state"], run["project"]) == ("COMPLETED", plan["project"])
    assert [one["id"] for one in command_line.ask("projects")["projects"]] == [plan["project"]]


def test_a_machine_that_refuses_is_another_status(stage: CommandLine, tmp_path: Path) -> None:
    wall = tmp_path / "wall"
    wall.write_text("a file")
    stage.refused(6, "export", "mid", "--out", str(wall / "song.mid"))
    said = stage.run("compose", "a techno loop", "--yes", "--out", str(wall / "deep"), "--json")
    assert said.status == 6


def test_help_holds_what_is_there_and_no_more(stage: CommandLine, capsys: pytest.CaptureFixture[str]) -> None:
    said = stage.run("--help")
    assert said.status == 0
    listed = set(re.findall(r"^    (\w+) ", said.stdout, re.MULTILINE))
    there = {
        "doctor", "projects", "list", "plan", "run", "compose", "runs", "history", "restore", "diff", "import",
        "export", "check", "ask", "chords", "keys", "folders", "library", "machines", "services", "worker",
    }
    assert listed == there
    assert [run([name, "--help"]) for name in sorted(there)] == [0] * len(there)
    everything = said.stdout + capsys.readouterr().out
    assert "--approve HASH" in everything
    later = r"\b(serve|dawproject|musicxml)\b"
    assert not re.findall(later, everything)


@pytest.mark.parametrize(
    "words",
    [("doctor",), ("projects",), ("history",), ("runs",), ("list", "instruments"), ("list", "effects"),
     ("list", "tools"), ("list", "styles"), ("plan", "faster"), ("diff", "1", "2"), ("runs", "show", "RUN", "--events"),
     ("export", "mid")],
)
def test_words_for_a_person_have_no_noise(composed: tuple[CommandLine, dict[str, Any]], words: tuple[str, ...]) -> None:
    command_line, document = composed
    words = tuple(document["run"] if word == "RUN" else word for word in words)
    said = command_line.run(*words)
    assert said.status == 0
    assert said.stdout.strip()
    assert said.stderr == ""
    assert not re.search(r"\x1b|\[/?[a-z]+ ?[a-z]*\]|Traceback|Warning|None\b|object at 0x", said.stdout)
    lines = said.stdout.splitlines()
    assert all(len(line) <= 120 for line in lines) or words[0] in ("export", "doctor")
