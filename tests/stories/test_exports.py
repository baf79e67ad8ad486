"""Files out and in: every format, names that never overwrite, and MIDI that comes back the same."""

from __future__ import annotations

from pathlib import Path

import mido
import pytest
import soundfile
from commandline import CommandLine
from listening import loudness, true_peak
from stages import copied, notes_of, with_sample

from agent.song.song import Song

AUDIO = {
    "wav": ("WAV", "PCM_24"), "flac": ("FLAC", "PCM_24"), "ogg": ("OGG", "VORBIS"), "mp3": ("MP3", "MPEG_LAYER_III"),
}


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    return with_sample(tmp_path_factory.mktemp("exports") / "home", bpm=140)


@pytest.mark.parametrize("form", AUDIO)
def test_audio(stage: CommandLine, form: str) -> None:
    document = stage.ask("export", form)
    path = Path(document["path"])
    assert path.is_absolute()
    assert path.suffix == f".{form}"
    assert path.is_relative_to(stage.home / "exports")
    assert document["kept"] == stage.song().note_count
    info = soundfile.info(path)
    assert (info.format, info.subtype) == AUDIO[form]
    assert (info.samplerate, info.channels) == (48000, 2)
    assert info.duration > 64 * 60 / 140
    assert loudness(path) == pytest.approx(-14, abs=1)
    assert true_peak(path) <= (-1 if form in ("wav", "flac") else 0)


def test_stems(stage: CommandLine, tmp_path: Path) -> None:
    folder = Path(stage.ask("export", "stems", "--out", str(tmp_path / "parts"))["path"])
    stems = sorted(folder.iterdir())
    assert len(stems) == 4
    for name in ("Drums", "Bass", "Chords", "Lead"):
        assert len([stem for stem in stems if name in stem.name]) == 1
    assert len({soundfile.info(stem).frames for stem in stems}) == 1


def test_nothing_is_overwritten(stage: CommandLine) -> None:
    paths = [Path(stage.ask("export", "mid")["path"])]
    before = paths[0].read_bytes()
    paths[0].write_bytes(b"something of mine")
    paths += [Path(stage.ask("export", "mid")["path"]) for _ in range(2)]
    assert len(set(paths)) == 3
    assert paths[0].read_bytes() == b"something of mine"
    assert paths[1].read_bytes() == paths[2].read_bytes() == before


def test_a_place_of_ones_own(stage: CommandLine, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    in_folder = Path(stage.ask("export", "mid", "--out", str(folder))["path"])
    assert in_folder.parent == folder
    second = Path(stage.ask("export", "mid", "--out", str(folder))["path"])
    assert second.parent == folder
    assert second != in_folder
    named = Path(stage.ask("export", "mid", "--out", str(tmp_path / "new" / "mine.mid"))["path"])
    assert named == tmp_path / "new" / "mine.mid"
    assert named.read_bytes() == in_folder.read_bytes()
    ended = Path(stage.ask("export", "wav", "--out", str(tmp_path / "take.1"))["path"])
    assert ended == tmp_path / "take.1.wav"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "new", "take.1.wav"]


def test_only_its_own_bytes_are_replaced_unasked(stage: CommandLine, tmp_path: Path) -> None:
    mine, plan = tmp_path / "letter.txt", tmp_path / "a.plan.json"
    mine.write_text("dear reader")
    plan.write_text("{}")
    for out, words in ((mine, ("export", "mid")), (plan, ("plan", "faster"))):
        before = out.read_bytes()
        error = stage.refused(2, *words, "--out", str(out))
        assert str(out) in error["what"]
        assert "--replace" in error["try"]
        assert out.read_bytes() == before
        stage.ask(*words, "--out", str(out), "--replace")
        assert out.read_bytes() != before
        stage.ask(*words, "--out", str(out))


def test_composing_puts_all_files_into_one_folder(tmp_path: Path) -> None:
    command_line = CommandLine(tmp_path / "home")
    words = ("compose", "a techno loop, 4 bars", "--yes", "--out", str(tmp_path / "mine"))
    files = [command_line.ask(*words)["files"] for _ in range(2)]
    assert all(set(one) == {"mid", "wav", "plan"} for one in files)
    paths = [Path(path) for one in files for path in one.values()]
    assert len(set(paths)) == 6
    assert sorted(paths) == sorted((tmp_path / "mine").iterdir())
    assert [path.stem for path in map(Path, (files[0]["mid"], files[0]["wav"]))] == [Path(files[0]["mid"]).stem] * 2


def test_an_empty_song_has_nothing_to_export(tmp_path: Path) -> None:
    command_line = CommandLine(tmp_path / "home")
    command_line.ask("projects", "new", "Empty")
    for form in ("mid", "wav", "stems"):
        assert "empty" in command_line.refused(2, "export", form)["what"]
    assert not (command_line.home / "exports").exists()


@pytest.fixture(scope="module")
def carried_over(stage: CommandLine, tmp_path_factory: pytest.TempPathFactory) -> tuple[Song, CommandLine, Path]:
    """The song, and another home that its MIDI file was brought into."""
    path = tmp_path_factory.mktemp("midi") / "My song.mid"
    stage.ask("export", "mid", "--out", str(path))
    other = CommandLine(tmp_path_factory.mktemp("other") / "home")
    document = other.ask("import", str(path))
    assert set(document) == {"project", "iteration", "kept", "dropped", "chords", "agreed"}
    assert document["kept"] == stage.song().note_count
    assert document["dropped"] == []
    return stage.song(), other, path


def test_midi_comes_back_with_the_same_notes(carried_over: tuple[Song, CommandLine, Path]) -> None:
    song, other, path = carried_over
    back = other.song()
    assert [track.name for track in back.tracks] == [track.name for track in song.tracks]
    assert [track.instrument for track in back.tracks] == [track.instrument for track in song.tracks]
    for was, now in zip(song.tracks, back.tracks, strict=True):
        assert sorted(note[1:] for note in notes_of(song, was.id)) == sorted(
            note[1:] for note in notes_of(back, now.id)
        )
        assert now.volume_db == pytest.approx(was.volume_db, abs=0.5)
    assert back.key == song.key
    assert back.tempos[0].bpm == pytest.approx(140, abs=0.01)
    again = other.ask("export", "mid", "--out", str(path.with_name("again.mid")))["path"]
    first, second = (
        [message.dict() for track in mido.MidiFile(file).tracks for message in track if "note" in message.type]
        for file in (path, again)
    )
    assert first == second


def test_what_was_brought_in_is_a_version(carried_over: tuple[Song, CommandLine, Path]) -> None:
    _, other, path = carried_over
    [project] = other.ask("projects")["projects"]
    assert project["name"] == "My song"
    newest = other.ask("history")["iterations"][0]
    assert (newest["source"], newest["message"], newest["actions"]) == ("import", path.name, 0)
    assert newest["id"] == project["head"]


def test_bringing_in_never_replaces_a_song_unasked(
    carried_over: tuple[Song, CommandLine, Path], tmp_path: Path
) -> None:
    other, path = copied(carried_over[1], tmp_path / "home"), carried_over[2]
    second = other.ask("import", str(path))
    projects = other.ask("projects")["projects"]
    assert [project["name"] for project in projects] == ["My song", "My song 2"]
    assert second["project"] == projects[1]["id"]
    third = other.ask("import", str(path), "--project", "my song")
    assert third["project"] == projects[0]["id"]
    assert len(other.ask("history", "--project", "my song")["iterations"]) == 3


def test_a_song_that_was_brought_in_can_be_changed(
    carried_over: tuple[Song, CommandLine, Path], tmp_path: Path
) -> None:
    other = copied(carried_over[1], tmp_path / "home")
    document = other.ask("compose", "no drums, please", "--project", "My song", "--yes")
    assert document["state"] == "COMPLETED"
    assert "Drums" not in {track.name for track in other.song().tracks}


def test_a_lead_sheet_and_its_chords_are_written_beside_the_rest(stage: CommandLine, tmp_path: Path) -> None:
    sheet = stage.ask("export", "leadsheet", "--out", str(tmp_path / "sheet"))
    path = Path(sheet["path"])
    assert path.name == "sheet.html"
    text = path.read_text("utf-8")
    assert text.count("<svg") >= stage.song().bars // 4
    assert sheet["kept"] > 0
    chords = Path(stage.ask("export", "chordpro", "--out", str(tmp_path / "sheet"))["path"])
    assert chords.name == "sheet.chordpro"
    assert "{start_of_grid}" in chords.read_text("utf-8")
