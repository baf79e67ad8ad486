"""SoundFonts of one's own at the command line: set for the song and a track, told, taken back, refused, missing."""

from __future__ import annotations

from pathlib import Path

import pytest
from commandline import CommandLine
from stages import with_sample

from tests.support.soundfonts import tone_font


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    return with_sample(tmp_path_factory.mktemp("fonts") / "home", bpm=140)


def test_a_file_is_kept_set_told_compared_and_taken_back(stage: CommandLine, tmp_path: Path) -> None:
    mine = tmp_path / "mine.sf2"
    mine.write_bytes(tone_font())
    track = stage.ask("soundfont")["tracks"][0]
    done = stage.ask("soundfont", "set", str(mine), "--track", track["name"])
    assert done["tracks"][0]["soundfont"] == "mine.sf2"
    assert (done["soundfont"], done["remarks"]) == ("", [])
    mine.unlink()
    assert stage.ask("soundfont")["remarks"] == [], "a copy was kept"
    versions = stage.ask("history")["iterations"]
    changed = stage.ask("diff", versions[1]["id"], versions[0]["id"])
    assert "mine.sf2" in str(changed["tracks"])
    stage.ask("soundfont", "clear", "--track", track["id"])
    assert stage.ask("soundfont")["tracks"][0]["soundfont"] == ""
    stage.ask("restore", versions[0]["id"])
    assert stage.ask("soundfont")["tracks"][0]["soundfont"] == "mine.sf2"


def test_a_file_is_asked_for_in_words(stage: CommandLine, tmp_path: Path) -> None:
    mine = tmp_path / "spoken.sf2"
    mine.write_bytes(tone_font())
    refused = stage.refused(2, "plan", "use spoken.sf2 for the whole song")
    assert "no spoken.sf2 is among your SoundFonts" in str(refused)
    folder = next(word for word in str(refused).split() if word.rstrip(",").endswith("soundfonts")).rstrip(",")
    Path(folder).mkdir(parents=True, exist_ok=True)
    (Path(folder) / mine.name).write_bytes(mine.read_bytes())
    done = stage.ask("compose", "use spoken.sf2 for the whole song", "--yes")
    assert {step["tool"] for step in done["plan"]["steps"]} == {"set_sound_font"}
    assert (stage.ask("soundfont")["soundfont"], stage.ask("soundfont")["remarks"]) == ("spoken.sf2", [])
    stage.ask("soundfont", "clear")


def test_a_file_that_is_gone_is_named_with_what_to_do(stage: CommandLine, tmp_path: Path) -> None:
    mine = tmp_path / "gone.sf2"
    mine.write_bytes(tone_font())
    stage.ask("soundfont", "set", str(mine))
    kept = next(Path(stage.home).rglob("gone.sf2"))
    kept.unlink()
    (said,) = [one for one in stage.ask("soundfont")["remarks"] if "gone.sf2" in one]
    assert "the song plays from the bank" in said
    assert str(kept.parent) in said
    exported = stage.ask("export", "wav", "--out", str(tmp_path / "song.wav"))
    assert any("gone.sf2" in one for one in exported["remarks"])
    stage.ask("soundfont", "clear")
    assert stage.ask("soundfont")["soundfont"] == ""


@pytest.mark.parametrize(("content", "name", "said"), [
    (b"", "empty.sf2", "not RIFF"), (tone_font()[:2000], "cut.sf2", "ends before"),
    (tone_font(), "mine.wav", "does not end in"), (None, "nowhere.sf2", "No such file"),
])
def test_what_is_no_soundfont_is_refused_and_not_kept(
    stage: CommandLine, tmp_path: Path, content: bytes | None, name: str, said: str
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    before = len(stage.ask("history")["iterations"])
    refused = stage.refused(2, "soundfont", "set", str(path))
    assert said in str(refused)
    assert len(stage.ask("history")["iterations"]) == before
    assert not list(Path(stage.home).rglob(name))


def test_another_file_of_a_name_that_is_taken_is_refused(stage: CommandLine, tmp_path: Path) -> None:
    for hertz, ok in ((900.0, True), (900.0, True), (800.0, False)):
        path = tmp_path / str(hertz) / "taken.sf2"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(tone_font(hertz))
        if ok:
            stage.ask("soundfont", "set", str(path))
        else:
            assert "another SoundFont" in str(stage.refused(2, "soundfont", "set", str(path)))
    stage.ask("soundfont", "clear")
