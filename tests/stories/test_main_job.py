"""The main job: ten requests, each composed, run, rendered, exported and kept by one command."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import mido
import pretty_midi
import pytest
import soundfile
from commandline import CommandLine, Said
from listening import loudest_second, loudness, true_peak

from agent.song.song import Song


@dataclass(frozen=True)
class Wanted:
    """A request and the words in it that bind."""

    request: str
    bpm: float | None = None
    key: str | None = None
    bars: int | None = None
    drums: bool = True


REQUESTS = (
    Wanted("a calm lo-fi beat in A minor at 72 BPM, 8 bars", 72, "A minor", 8),
    Wanted("house at 124 BPM in F minor, 8 bars", 124, "F minor", 8),
    Wanted("dark techno, 130 BPM, 8 bars", 130, None, 8),
    Wanted("a jazz trio in Bb major, 12 bars", None, "Bb major", 12),
    Wanted("energetic synthwave in E minor, 8 bars", None, "E minor", 8),
    Wanted("an ambient piece in C# minor, 8 bars, no drums", None, "C# minor", 8, drums=False),
    Wanted("something cinematic and epic in D minor, 8 bars", None, "D minor", 8),
    Wanted("drum and bass in G minor at 174 BPM, 16 bars", 174, "G minor", 16),
    Wanted("a happy pop song in G major without drums, 8 bars", None, "G major", 8, drums=False),
    Wanted("a trap beat, 140 BPM", 140),
)


@dataclass(frozen=True)
class Composed:
    """What one request left behind."""

    wanted: Wanted
    said: Said = field(repr=False)
    command_line: CommandLine
    document: dict[str, Any] = field(repr=False)
    song: Song = field(repr=False)

    def file(self, kind: str) -> Path:
        """A file that the command named."""
        return Path(self.document["files"][kind])


@pytest.fixture(scope="module", params=REQUESTS, ids=[wanted.request for wanted in REQUESTS])
def composed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Composed:
    wanted: Wanted = request.param
    command_line = CommandLine(tmp_path_factory.mktemp("main_job"))
    said = command_line.run("compose", wanted.request, "--yes", "--json", "--seed", "11")
    assert said.status == 0, said.stdout[-1000:] + said.stderr[-1000:]
    return Composed(wanted, said, command_line, said.json, command_line.song())


def test_every_approved_row_is_done(composed: Composed) -> None:
    document = composed.document
    assert document["state"] == "COMPLETED"
    assert document["approved"] == document["done"] > 5
    assert document["failed"] == document["skipped"] == document["not_run"] == document["needs_review"] == 0
    assert len(document["actions_executed"]) == document["done"] == len(document["plan"]["steps"])
    assert [step["state"] for step in document["steps"]] == ["done"] * document["done"]
    assert not [mark for mark in document["plan"]["lint"] if mark["level"] == "error"]
    assert all(one["met"] for one in document["measured"]), document["measured"]


def test_progress_is_told_beside_the_document(composed: Composed) -> None:
    assert f"running {composed.document['approved']} approved rows" in composed.said.stderr
    assert "error" not in composed.said.stderr


def test_the_result_is_an_iteration(composed: Composed) -> None:
    history = composed.command_line.ask("history")
    newest = history["iterations"][0]
    assert history["project"] == composed.document["project"]
    assert history["head"] == newest["id"] == composed.document["iteration"]
    assert newest["source"] == "ai_iteration"
    assert newest["message"] == composed.wanted.request
    assert newest["run"] == composed.document["run"]
    assert newest["actions"] == composed.document["done"]


def test_words_that_bind_are_kept(composed: Composed) -> None:
    wanted, song = composed.wanted, composed.song
    assert wanted.bpm in (None, song.tempos[0].bpm)
    last = song.bar_map.start_of(song.bars - 2)
    assert all(change.at >= last and wanted.bpm is None for change in song.tempos[1:]), "only an ending slows down"
    assert wanted.key in (None, str(song.key))
    assert wanted.bars in (None, song.bars)
    midi = mido.MidiFile(composed.file("mid"))
    struck = {message.channel for track in midi.tracks for message in track if message.type == "note_on"}
    assert (9 in struck) == wanted.drums


def test_the_sound_file_is_sound(composed: Composed) -> None:
    info = soundfile.info(composed.file("wav"))
    assert (info.samplerate, info.subtype, info.channels) == (48000, "PCM_24", 2)
    assert loudness(composed.file("wav")) == pytest.approx(composed.song.loudness_target, abs=1.0)
    assert true_peak(composed.file("wav")) <= -1.0
    assert info.duration > composed.song.tempo_map.seconds(composed.song.end) - 0.01


def test_no_track_is_silent(composed: Composed, tmp_path: Path) -> None:
    folder = Path(composed.command_line.ask("export", "stems", "--out", str(tmp_path / "stems"))["path"])
    stems = sorted(folder.iterdir())
    assert len(stems) == len(composed.song.tracks)
    levels = {stem.name: round(loudest_second(stem), 1) for stem in stems}
    assert min(levels.values()) > -50, levels


def test_other_programs_read_the_midi_file(composed: Composed) -> None:
    song = composed.song
    midi = mido.MidiFile(composed.file("mid"))
    assert (midi.type, midi.ticks_per_beat) == (1, 960)
    names = [track.name for track in midi.tracks]
    assert names[1:] == [track.name for track in song.tracks]
    frame = {message.type: message for message in reversed(midi.tracks[0])}
    assert mido.tempo2bpm(frame["set_tempo"].tempo) == pytest.approx(song.tempos[0].bpm, abs=0.01)
    assert {"time_signature", "key_signature"} <= frame.keys()
    markers = [message.text for message in midi.tracks[0] if message.type == "marker"]
    assert markers == [section.name for section in song.sections]
    read = pretty_midi.PrettyMIDI(str(composed.file("mid")))
    assert sum(len(instrument.notes) for instrument in read.instruments) == song.note_count
    kits = {track.name for track in song.tracks if track.instrument.startswith("kit_")}
    assert {instrument.name for instrument in read.instruments if instrument.is_drum} == kits
