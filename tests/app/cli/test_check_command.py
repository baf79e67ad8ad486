"""`bandleader check`: songs of projects and MIDI files, sound and with planted faults."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import mido
import pytest
from commandline import CommandLine
from stages import copied, with_sample

REQUEST = "compose a pop piece at 100 bpm in D minor, 16 bars, with drums and bass"
Change = Callable[[mido.MidiFile], None]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[CommandLine, Path]:
    """A home with a composed piece, and its MIDI file."""
    command_line = CommandLine(tmp_path_factory.mktemp("made") / "home")
    document = command_line.ask("compose", REQUEST, "--seed", "4", "--yes")
    return command_line, Path(document["files"]["mid"])


def judged(command_line: CommandLine, *words: str, status: int = 5) -> Any:
    said = command_line.run("check", *words, "--json")
    assert said.status == status, said.stdout[-1500:] + said.stderr[-1500:]
    return said.json


def spoilt(path: Path, folder: Path, change: Change) -> str:
    song = mido.MidiFile(path)
    change(song)
    song.save(folder / "spoilt.mid")
    return str(folder / "spoilt.mid")


def named(song: mido.MidiFile, name: str) -> mido.MidiTrack:
    return next(track for track in song.tracks if name in track.name.lower())


def test_what_was_composed_passes_as_song_and_as_file(made: tuple[CommandLine, Path]) -> None:
    command_line, path = made
    song = judged(command_line, status=0)
    assert song["ok"] is True
    assert song["findings"] == []
    before = command_line.content()
    file = judged(command_line, str(path), status=0)
    assert file["file"] == str(path)
    assert file["findings"] == []
    assert command_line.content() == before
    for name in ("key", "tempo", "seconds"):
        assert file["figures"][name] == song["figures"][name]
    assert file["figures"]["whole"]["notes"] == song["figures"]["whole"]["notes"]


def raised(song: mido.MidiFile) -> None:
    for message in named(song, "bass"):
        if message.type in ("note_on", "note_off"):
            message.note += 1


def hushed(song: mido.MidiFile) -> None:
    bass = named(song, "bass")
    bass[:] = [message for message in bass if message.type not in ("note_on", "note_off")]


def at_volume_zero(song: mido.MidiFile) -> None:
    for message in named(song, "bass"):
        if message.type == "control_change" and message.control == 7:
            message.value = 0


def on_channel_one(song: mido.MidiFile) -> None:
    for track in song.tracks:
        for message in track:
            if not message.is_meta and message.type != "sysex" and message.channel == 9:
                message.channel = 0


def flattened(song: mido.MidiFile) -> None:
    for track in song.tracks:
        for message in track:
            if message.type == "note_on" and message.velocity:
                message.velocity = 100


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        (raised, "key"), (hushed, "silent track"), (at_volume_zero, "silent track"), (on_channel_one, "drum channel"),
        (flattened, "velocity"),
    ],
)
def test_a_fault_in_a_file_is_found(
    made: tuple[CommandLine, Path], tmp_path: Path, change: Change, rule: str
) -> None:
    command_line, path = made
    document = judged(command_line, spoilt(path, tmp_path, change))
    assert document["ok"] is False
    assert {finding["rule"] for finding in document["findings"]} == {rule}
    assert all(finding["where"] and finding["message"] for finding in document["findings"])


def test_words_that_bind_are_held_against_any_song(made: tuple[CommandLine, Path]) -> None:
    command_line, path = made
    assert judged(command_line, "--asked", REQUEST, status=0)["ok"]
    assert judged(command_line, str(path), "--asked", REQUEST, status=0)["ok"]
    found = judged(command_line, str(path), "--asked", "pop at 140 bpm in E minor without drums")["findings"]
    assert {finding["rule"] for finding in found} == {"asked"}
    assert [word for word in ("140 BPM", "E minor", "drums") if any(word in one["message"] for one in found)] == [
        "140 BPM", "E minor", "drums",
    ]


def test_a_run_that_ignored_its_tempo_is_told(made: tuple[CommandLine, Path], tmp_path: Path) -> None:
    command_line = with_sample(tmp_path / "home")
    command_line.carry_out(
        [{"id": "name", "tool": "update_track", "inputs": {"track_id": command_line.song().tracks[1].id, "pan": 0.1}}],
        asks=[{"asked": "90 BPM", "steps": ["name"], "measure": "tempo", "goal": "equals", "value": 90}],
    )
    found = judged(command_line)["findings"]
    assert [finding["message"] for finding in found if finding["rule"] == "asked"] == [
        "90 BPM was asked for; tempo is 112"
    ]
    command_line.carry_out([{"id": "tempo", "tool": "set_tempo", "inputs": {"bpm": 90}}], name="mended")
    said = command_line.run("check", "--json").json
    assert "asked" not in {finding["rule"] for finding in said["findings"]}


def test_what_cannot_be_checked_is_bad_input(made: tuple[CommandLine, Path], tmp_path: Path) -> None:
    command_line, path = made
    other = tmp_path / "other.mid"
    other.write_text("no music")
    assert "other.mid" in command_line.refused(2, "check", str(other))["what"]
    assert "gone.mid" in command_line.refused(2, "check", str(tmp_path / "gone.mid"))["what"]
    assert "not both" in command_line.refused(2, "check", str(path), "--project", "Sample")["what"]
    empty = copied(command_line, tmp_path / "home")
    empty.ask("projects", "new", "Empty")
    assert "empty song" in empty.refused(2, "check", "--project", "Empty")["what"]


def test_a_person_reads_where_and_why(made: tuple[CommandLine, Path], tmp_path: Path) -> None:
    command_line, path = made
    said = command_line.run("check", spoilt(path, tmp_path, raised))
    assert said.status == 5
    assert "✗ key (Bass, bar " in said.stdout
    assert "finding" in said.stdout.splitlines()[-1]
    assert "It passes every check." in command_line.run("check").stdout
