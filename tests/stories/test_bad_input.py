"""Bad input of every kind: one clear error, the right exit status, nothing lost and nothing changed."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from commandline import CommandLine
from sample_plan import sample_steps
from studio_parts import a_registry

from agent.plan.document import read_plan
from agent.plan.plan_hash import hash_before
from agent.song.ids import ProjectId
from app.cli.main import run
from app.storage import projects
from app.storage.database import Database

INPUT, NOT_APPROVED, MACHINE = 2, 4, 6


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    """A project with the sample song, and two with one name."""
    line = CommandLine(tmp_path_factory.mktemp("bad") / "home")
    line.ask("projects", "new", "Two")
    line.ask("projects", "new", "One")
    line.carry_out(sample_steps())
    twins = Database.open(line.database, line.home / "backups")
    for name in ("ptwin1", "ptwin2"):
        twins.write_now(lambda transaction, it=name: projects.create(transaction, ProjectId(it), "Twin"))
    twins.close()
    return line


@pytest.fixture
def own(home: CommandLine, tmp_path: Path) -> CommandLine:
    """A copy that a test may break."""
    shutil.copytree(home.home, tmp_path / "own")
    return CommandLine(tmp_path / "own")


def refused(line: CommandLine, status: int, *words: str, says: str = "") -> dict[str, Any]:
    """The one error of a command that must leave everything as it was."""
    before = line.content(), files(line.home)
    error = line.refused(status, *words)
    assert error["what"]
    assert error["why"] or error["try"]
    assert says in f"{error['what']} {error['why']} {error['try']}"
    assert (line.content(), files(line.home)) == before
    return error


def files(folder: Path) -> dict[str, int]:
    """Songs, exports and plans that lie in the home, with their sizes; not what the program keeps for itself."""
    own = ("cache", "logs", "running", "backups", "bandleader.db", "bandleader.db-wal", "bandleader.db-shm")
    return {
        str(path.relative_to(folder)): path.stat().st_size
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.relative_to(folder).parts[0] not in own
    }


WORDS: dict[str, tuple[int, tuple[str, ...], str]] = {
    "unknown project": (INPUT, ("history", "--project", "Nobody"), "Nobody"),
    "ambiguous project": (INPUT, ("history", "--project", "Twin"), "ptwin1"),
    "project name taken": (INPUT, ("projects", "new", "One"), "One 2"),
    "project name empty": (INPUT, ("projects", "new", "  "), "name"),
    "project name long": (INPUT, ("projects", "new", "x" * 5000), "too long"),
    "project name no text": (INPUT, ("projects", "new", "\udcff"), "UTF-8"),
    "project without a song": (INPUT, ("export", "mid", "--project", "Two"), "empty"),
    "unknown iteration": (INPUT, ("restore", "inothing"), "inothing"),
    "unknown iteration to compare": (INPUT, ("diff", "1", "99"), "99"),
    "unknown run": (INPUT, ("runs", "show", "rnothing"), "rnothing"),
    "unknown run to resume": (INPUT, ("runs", "resume", "rnothing"), "rnothing"),
    "unknown run to cancel": (INPUT, ("runs", "cancel", "rnothing"), "rnothing"),
    "unknown run to retry": (INPUT, ("runs", "retry", "rnothing"), "rnothing"),
    "unknown run to skip in": (INPUT, ("runs", "skip", "rnothing", "s1"), "rnothing"),
    "unknown run to roll back": (INPUT, ("runs", "rollback", "rnothing"), "rnothing"),
    "no plan file": (INPUT, ("plan", "--file", "/nonexistent.json"), "/nonexistent.json"),
    "no plan file to run": (INPUT, ("run", "/nonexistent.json", "--approve", "x"), "/nonexistent.json"),
    "plan is an endless device": (INPUT, ("plan", "--file", "/dev/zero"), "not a file"),
    "plan and request": (INPUT, ("plan", "calm", "--file", "x"), "--file"),
    "neither plan nor request": (INPUT, ("plan",), "--file"),
    "empty request": (INPUT, ("compose", "", "--yes"), "empty"),
    "blank request": (INPUT, ("compose", " \t\n ", "--yes"), "empty"),
    "gibberish": (INPUT, ("plan", "qwxz vbnm ghjk"), "unclear"),
    "emoji": (INPUT, ("plan", "🎹🎸🥁"), "unclear"),
    "request too long": (INPUT, ("compose", "a" * 20_001, "--yes"), "20,001"),
    "request no text": (INPUT, ("compose", "calm \udcff\udcfe", "--yes"), "UTF-8"),
    "seed no number": (INPUT, ("plan", "calm lofi", "--seed", "abc"), "--seed"),
    "seed negative": (INPUT, ("compose", "calm lofi", "--yes", "--seed=-1"), "-1"),
    "seed too large": (INPUT, ("compose", "calm lofi", "--yes", "--seed", str(2**63)), str(2**63)),
    "intensity over 100": (INPUT, ("plan", "calm lofi", "--intensity", "101"), "--intensity"),
    "intensity no number": (INPUT, ("compose", "calm lofi", "--yes", "--intensity", "much"), "--intensity"),
    "intensity of nothing": (INPUT, ("plan", "darker", "--project", "One", "--intensity", "0"), "0 %"),
    "lock on nothing": (INPUT, ("plan", "darker", "--project", "One", "--lock", "Tuba"), "Drums"),
    "lock on bars backwards": (INPUT, ("plan", "darker", "--project", "One", "--lock", "bars:9-1"), "bars:9-1"),
    "lock on no bars": (INPUT, ("plan", "darker", "--project", "One", "--lock", "bars:x"), "bars:9-16"),
    "unknown provider": (INPUT, ("plan", "calm", "--provider", "nobody"), "anthropic"),
    "unknown format": (INPUT, ("export", "exe", "--project", "One"), "flac"),
    "unknown command": (INPUT, ("frobnicate",), "frobnicate"),
    "later command": (INPUT, ("serve",), "later"),
    "unknown option": (INPUT, ("history", "--jsn"), "--jsn"),
    "shortened option": (INPUT, ("history", "--proj", "One"), "--proj"),
    "option without value": (INPUT, ("history", "--project"), "--project"),
    "word missing": (INPUT, ("diff", "1"), "B"),
    "only --json": (INPUT, (), "COMMAND"),
    "no such MIDI file": (INPUT, ("import", "/nonexistent.mid"), "nonexistent.mid"),
    "folder is a file": (MACHINE, ("export", "wav", "--project", "One", "--out", "/dev/null/x"), "/dev/null"),
    "folder forbids": (MACHINE, ("export", "wav", "--project", "One", "--out", "/proc/x.wav"), "/proc"),
    "folder of compose": (MACHINE, ("compose", "calm lofi", "--yes", "--out", "/dev/null/x"), "/dev/null/x"),
    "MIDI to a forbidden place": (MACHINE, ("export", "mid", "--project", "One", "--out", "/proc/x.mid"), "/proc"),
}


@pytest.mark.parametrize("case", WORDS)
def test_words_that_do_not_fit(home: CommandLine, case: str) -> None:
    status, words, says = WORDS[case]
    refused(home, status, *words, says=says)


def row(step: str, tool: str, **inputs: Any) -> dict[str, Any]:
    return {"id": step, "tool": tool, "inputs": inputs}


TRACK = row("s1", "create_track", name="Pad", instrument="pad_warm")
PLANS: dict[str, tuple[list[dict[str, Any]], str]] = {
    "unknown tool": ([TRACK, row("s2", "format_disk")], "format_disk"),
    "tool of another world": ([row("s1", "__import__", name="os")], "__import__"),
    "input missing": ([row("s1", "create_track", name="Pad")], "instrument"),
    "input unknown": ([row("s1", "set_tempo", bpm=90, swing=3)], "swing"),
    "input of the wrong kind": ([row("s1", "set_tempo", bpm="fast")], "bpm"),
    "value out of range": ([row("s1", "set_tempo", bpm=100_000)], "bpm"),
    "unknown instrument": ([row("s1", "create_track", name="Pad", instrument="kazoo_of_doom")], "kazoo_of_doom"),
    "dangling reference": ([TRACK, row("s2", "delete_track", track_id="{{s9.track_id}}")], "s9"),
    "reference to a missing field": ([TRACK, row("s2", "delete_track", track_id="{{s1.nonsense}}")], "nonsense"),
    "forward reference": ([row("s1", "delete_track", track_id="{{s2.track_id}}"), {**TRACK, "id": "s2"}], "s2"),
    "cycle": (
        [{**row("s1", "set_tempo", bpm=90), "after": ["s2"]}, {**row("s2", "set_tempo", bpm=91), "after": ["s1"]}],
        "s1",
    ),
    "reference to itself": ([row("s1", "delete_track", track_id="{{s1.track_id}}")], "s1"),
    "no such track": ([row("s1", "delete_track", track_id="tnothing")], "tnothing"),
    "row id twice": ([TRACK, TRACK], "s1"),
    "row id that is no id": ([{**TRACK, "id": "S 1!"}], "id"),
    "literal password": ([row("s1", "create_track", name="Pad", instrument="pad_warm", password="hunter2")], "pass"),
    "literal API key": (
        [row("s1", "create_track", name="sk-ant-api03-" + "Ab3" * 30, instrument="pad_warm")], "s1",
    ),
    "no rows": ([], "no rows"),
    "row that is no object": ([7], "not a plan"),  # type: ignore[list-item]
}
UNREADABLE = ("row id that is no id", "row that is no object")


@pytest.mark.parametrize("case", PLANS)
def test_plans_that_must_not_run(home: CommandLine, case: str) -> None:
    steps, says = PLANS[case]
    path = home.plan_file(steps)
    try:
        error = refused(home, INPUT, "plan", "--file", str(path), "--project", "One")
        assert says in json.dumps(error)
        assert "hunter2" not in json.dumps(error)
        assert "sk-ant" not in json.dumps(error)
        [project] = [one for one in home.ask("projects")["projects"] if one["name"] == "One"]
        [(working,)] = home.rows("SELECT working FROM project WHERE name = 'One'")
        bound = home.plan_file(steps, project=project["id"], song_revision=working)
        refused(home, INPUT if case in UNREADABLE else NOT_APPROVED, "run", str(bound), "--approve", "0" * 64)
    finally:
        path.unlink()


def nested(depth: int) -> bytes:
    deep = b"[" * depth + b"]" * depth
    return b'{"steps": [{"id": "s1", "tool": "set_tempo", "inputs": {"bpm": ' + deep + b"}}]}"


FILES: dict[str, bytes] = {
    "empty": b"",
    "no JSON": b"make it calm",
    "cut off": b'{"steps": [{"id": "s1", "tool": "set_tempo", "inpu',
    "another document": b'{"song": 1}',
    "a list": b"[]",
    "binary": bytes(range(256)) * 20,
    "not UTF-8": b'{"steps": [{"id": "s1", "tool": "\xff\xfe"}]}',
    "nested deeply": nested(400),
    "nested without end": nested(200_000),
    "a number without end": b'{"steps": [], "seed": ' + b"9" * 10_000 + b"}",
    "too many rows": json.dumps({"steps": [row(f"s{n}", "set_tempo", bpm=90) for n in range(2_001)]}).encode(),
}


@pytest.mark.parametrize("case", FILES)
def test_files_that_are_no_plan(home: CommandLine, tmp_path: Path, case: str) -> None:
    path = tmp_path / "plan.json"
    path.write_bytes(FILES[case])
    for words in (("plan", "--file", str(path), "--project", "One"), ("run", str(path), "--approve", "0" * 64)):
        refused(home, INPUT, *words)


def test_a_huge_file_a_folder_and_a_pipe_are_no_plan(home: CommandLine, tmp_path: Path) -> None:
    huge, pipe = tmp_path / "huge.json", tmp_path / "pipe.json"
    huge.touch()
    os.truncate(huge, 70 * 2**20)
    os.mkfifo(pipe)
    for path in (huge, pipe, tmp_path):
        refused(home, INPUT, "plan", "--file", str(path), says=str(path))


MIDI: dict[str, bytes] = {
    "empty": b"",
    "text": b"this is no music",
    "header only": b"MThd\x00\x00\x00\x06\x00\x01\x00\x01\x03\xc0",
    "header cut": b"MThd\x00\x00",
    "track cut": b"MThd\x00\x00\x00\x06\x00\x01\x00\x01\x03\xc0MTrk\x00\x00\x01\x00\x00\x90\x3c",
    "track claims 4 GiB": b"MThd\x00\x00\x00\x06\x00\x01\x00\x01\x03\xc0MTrk\xff\xff\xff\xff\x00\x90\x3c\x40",
    "no time": b"MThd\x00\x00\x00\x06\x00\x01\x00\x01\x00\x00MTrk\x00\x00\x00\x04\x00\xff\x2f\x00",
    "no notes": b"MThd\x00\x00\x00\x06\x00\x01\x00\x01\x03\xc0MTrk\x00\x00\x00\x04\x00\xff\x2f\x00",
    "noise": bytes((n * 73 + n // 7) % 256 for n in range(3_000)),
}


@pytest.mark.parametrize("case", MIDI)
def test_midi_that_cannot_be_read(home: CommandLine, tmp_path: Path, case: str) -> None:
    path = tmp_path / "tune.mid"
    path.write_bytes(MIDI[case])
    refused(home, INPUT, "import", str(path), says="tune.mid")


def test_a_folder_is_no_midi_file(home: CommandLine, tmp_path: Path) -> None:
    refused(home, INPUT, "import", str(tmp_path), says="not a file")


def test_no_words_show_the_way(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([]) == INPUT
    said = capsys.readouterr()
    assert said.out == ""
    assert "compose" in said.err


def test_without_json_the_error_is_only_on_stderr(home: CommandLine) -> None:
    said = home.run("history", "--project", "Nobody")
    assert said.status == INPUT
    assert said.stdout == ""
    assert [line.split(":")[0] for line in said.stderr.splitlines()] == ["error", "why", "try"]


def test_the_longest_request_is_planned(home: CommandLine) -> None:
    words = ("recompose this song as lofi, calmer and in A minor. " * 500)[:20_000]
    before = home.content()
    said = home.run("plan", words, "--seed", "1", "--json")
    assert said.status == 0, said.stderr
    assert len(said.json["steps"]) > 5
    assert home.content() == before


def test_a_track_name_that_two_have_is_no_lock(own: CommandLine) -> None:
    own.carry_out([TRACK, {**TRACK, "id": "s2"}], project="")
    error = refused(own, INPUT, "plan", "darker", "--lock", "Pad")
    listed = [name for (name,) in own.rows("SELECT result FROM step WHERE tool = 'create_track'") if "Pad" not in name]
    ids = [json.loads(one)["track_id"] for one in listed][-2:]
    assert all(one in json.dumps(error) for one in ids)


def test_unknown_steps_of_a_run(home: CommandLine) -> None:
    [(run,)] = home.rows("SELECT id FROM run")
    assert refused(home, 5, "runs", "skip", run, "s99")["what"]
    assert "COMPLETED" in json.dumps(refused(home, 5, "runs", "retry", run))
    assert "COMPLETED" in json.dumps(refused(home, INPUT, "runs", "resume", run))


@pytest.mark.parametrize("place", ["/dev/null/home", "/proc/home"])
def test_a_home_that_cannot_be_written(place: str) -> None:
    said = CommandLine(Path(place)).run("projects", "--json")
    assert said.status == MACHINE
    assert place in said.json["error"]["what"]
    assert "BANDLEADER_HOME" in said.json["error"]["try"]


def zeroed_page(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[8192:12288] = bytes(4096)
    file.write_bytes(data)


def text(file: Path) -> None:
    file.write_text("a letter, not a database\n" * 500)


def cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:20_000])


def newer(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()


@pytest.mark.parametrize("damage", [zeroed_page, text, cut, newer])
def test_a_database_that_is_damaged_or_newer_is_left_alone(own: CommandLine, damage: Any) -> None:
    damage(own.database)
    before = own.database.read_bytes()
    for words in (("history",), ("compose", "calm lofi", "--yes"), ("projects", "new", "Three")):
        error = own.refused(MACHINE, *words)
        assert str(own.database) in error["what"]
        assert error["try"]
    doctor = own.run("doctor", "--json")
    assert doctor.status == MACHINE
    [found] = [check for check in doctor.json["checks"] if check["name"] == "database"]
    assert not found["ok"]
    assert found["fix"]
    assert own.database.read_bytes() == before


def test_a_full_disk_for_the_database_loses_nothing(own: CommandLine) -> None:
    path, approved = own.bound(sample_steps(90), project="")
    before = own.content()
    full = own.database.stat().st_size + 40_000
    said = own.job("run", str(path), "--approve", approved, "--json", largest_file=full)
    assert said.status in (5, MACHINE), said.stderr
    assert "Traceback" not in said.stderr
    after = own.content()
    assert set(after["iteration"]) >= set(before["iteration"])
    assert after["object"] >= before["object"] or set(after["object"]) >= set(before["object"])
    with closing(sqlite3.connect(own.database)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        runs = connection.execute("SELECT id, state FROM run ORDER BY created").fetchall()
    run, state = runs[-1]
    if state == "RUNNING":
        assert own.run("runs", "resume", run, "--json").json["state"] == "COMPLETED"
    else:
        assert own.run("run", str(path), "--approve", approved, "--json").status == 0


@pytest.mark.parametrize("form", ["mid", "wav"])
def test_a_full_disk_while_exporting_leaves_the_older_export_whole(own: CommandLine, form: str) -> None:
    count, beats = (8_000, 1_000) if form == "mid" else (8, 1)
    notes = [{"n": 40 + n % 40, "s": n / 8, "d": 0.1, "v": 50 + n % 70} for n in range(count)]
    clip = row("s2", "create_midi_clip", track_id="{{s1.track_id}}", start_time=0, duration=beats, notes=notes)
    own.carry_out([TRACK, clip])
    path = own.home / f"song.{form}"
    own.ask("export", form, "--project", "One", "--out", str(path))
    before = path.read_bytes()
    said = own.job(
        "export", form, "--project", "One", "--out", str(path), "--json",
        largest_file=len(before) // 2,
    )
    assert said.status == MACHINE, said.stderr
    assert str(path) in said.json["error"]["what"]
    assert said.json["error"]["try"]
    assert path.read_bytes() == before
    assert [one for one in files(own.home) if "part" in one or one.startswith(".")] == []


SOUNDFONTS = {"missing": None, "text": b"not a SoundFont" * 9, "cut off": b"RIFF\x00\x01\x00\x00sfbkLIST\x00\x00"}


@pytest.mark.parametrize("case", SOUNDFONTS)
def test_a_soundfont_that_is_missing_or_broken(own: CommandLine, tmp_path: Path, case: str) -> None:
    bank, content = tmp_path / "bank.sf2", SOUNDFONTS[case]
    if content is not None:
        bank.write_bytes(content)
    line = CommandLine(own.home, {"BANDLEADER_SOUNDFONT": str(bank)})
    refused(line, MACHINE, "export", "wav", "--project", "One", says="bank.sf2")
    doctor = line.run("doctor", "--json")
    assert doctor.status == MACHINE
    [found] = [check for check in doctor.json["checks"] if check["name"] == "soundfont"]
    assert not found["ok"]
    assert found["fix"]


def test_a_composed_song_is_kept_when_it_cannot_be_made_to_sound(own: CommandLine) -> None:
    said = own.run("compose", "calm lofi", "--yes", "--json", BANDLEADER_SOUNDFONT="/nonexistent.sf2")
    assert said.status == MACHINE
    assert "/nonexistent.sf2" in said.json["error"]["what"]
    [(run, state)] = own.rows("SELECT id, state FROM run WHERE request = 'calm lofi'")
    assert state == "COMPLETED"
    assert run in said.stderr
    assert own.ask("history")["iterations"][0]["run"] == run


def test_without_libfluidsynth_all_but_sound_works(own: CommandLine, tmp_path: Path) -> None:
    """The library is looked for by name: a start-up hook in which no name is found stands for its absence."""
    (tmp_path / "hook").mkdir()
    (tmp_path / "hook" / "sitecustomize.py").write_text(
        "import ctypes.util\nctypes.util.find_library = lambda name: None\n"
    )
    slow = CommandLine(own.home, {"PYTHONPATH": str(tmp_path / "hook")})
    error = refused(slow, MACHINE, "export", "wav", "--project", "One")
    assert "FluidSynth" in error["what"]
    assert "fluidsynth" in error["try"]
    doctor = slow.run("doctor", "--json")
    assert doctor.status == MACHINE
    [found] = [check for check in doctor.json["checks"] if check["name"] == "synth"]
    assert not found["ok"]
    assert "fluidsynth" in found["fix"]
    assert slow.ask("export", "mid", "--project", "One")["kept"] > 0


def test_what_a_plan_file_says_of_its_own_cost_holds_no_song(own: CommandLine) -> None:
    for used in ({"tokens": -5, "cost": -1e300}, {"tokens": 2**63}):
        own.ask("restore", "1")
        path, approved = own.bound([{"id": "s1", "tool": "set_tempo", "inputs": {"bpm": 91}}])
        path.write_text(json.dumps({**json.loads(path.read_text(encoding="utf-8")), "used": used}), encoding="utf-8")
        ran = own.ask("run", str(path), "--approve", approved)
        assert (ran["state"], ran["usage"]["tokens"]) == ("COMPLETED", 0)


def test_the_hash_of_an_earlier_version_approves_nothing_and_names_the_one_that_does(own: CommandLine) -> None:
    path, approved = own.bound([{"id": "s1", "tool": "set_tempo", "inputs": {"bpm": 93}}])
    document = json.loads(path.read_text(encoding="utf-8"))
    plan = read_plan(path.read_bytes(), "plan")
    tools = {"set_tempo": a_registry().tools["set_tempo"]}
    path.write_text(json.dumps({**document, "version": 1, "hash": hash_before(plan, tools)}), encoding="utf-8")
    error = own.refused(NOT_APPROVED, "run", str(path), "--approve", hash_before(plan, tools))
    assert "an earlier version of Bandleader" in error["what"]
    assert approved in error["try"]
    assert own.ask("run", str(path), "--approve", approved)["state"] == "COMPLETED"
