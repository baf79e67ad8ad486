"""SoundFonts of one's own: a song and its tracks sound from them, and where one is missing the bank plays."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.song.palette import Palette
from app.sound.own_fonts import OwnFonts
from app.sound.renderer import Renderer
from app.sound.sources import lacks_of
from tests.app.sound.conftest import Mixer
from tests.app.sound.songs import clip, pitch_hz, rms, song, track
from tests.support.soundfonts import tone_font


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BANDLEADER_HOME", str(tmp_path / "home"))
    folder = tmp_path / "home" / "soundfonts"
    folder.mkdir(parents=True)
    (folder / "tone.sf2").write_bytes(tone_font(1000.0, ((0, 7),)))
    (folder / "bank.sf2").write_bytes(tone_font(1500.0, ((0, 0),)))
    return folder


LOW = clip((48, 0, 3, 100))


def heard(mixed: Mixer, **fields: object) -> float:
    mix = mixed(song(track("piano_grand", LOW, soundfont=str(fields.pop("own", ""))), **fields))
    return pitch_hz(mix, 0.3, 1.2, 60, 2000)


@pytest.mark.usefixtures("folder")
def test_a_track_plays_from_its_own_file_whatever_number_its_sound_has(mixed: Mixer) -> None:
    assert heard(mixed, own="tone.sf2") == pytest.approx(1000, rel=0.01)
    assert heard(mixed) < 600


@pytest.mark.usefixtures("folder")
def test_a_song_plays_from_its_file_what_that_has_and_all_else_from_the_bank(mixed: Mixer) -> None:
    assert heard(mixed, soundfont="bank.sf2") == pytest.approx(1500, rel=0.01)
    assert heard(mixed, soundfont="tone.sf2") < 600
    assert heard(mixed, own="tone.sf2", soundfont="bank.sf2") == pytest.approx(1000, rel=0.01)


def test_a_missing_file_is_told_and_the_bank_plays_until_it_is_there(
    folder: Path, mixed: Mixer, palette: Palette
) -> None:
    piece = song(track("piano_grand", LOW, name="Piano", soundfont="gone.sf2"))
    said = [one for one in lacks_of(piece, palette) if "gone.sf2" in one]
    assert len(said) == 1
    assert "Piano plays from the bank" in said[0]
    assert str(folder) in said[0]
    assert heard(mixed, own="gone.sf2") < 600
    (folder / "gone.sf2").write_bytes(tone_font(1000.0))
    assert not [one for one in lacks_of(piece, palette) if "gone.sf2" in one]
    assert heard(mixed, own="gone.sf2") == pytest.approx(1000, rel=0.01)


@pytest.mark.usefixtures("folder")
def test_where_a_track_s_file_is_missing_the_song_s_plays_and_is_named(mixed: Mixer, palette: Palette) -> None:
    piece = song(track("piano_grand", LOW, name="Piano", soundfont="gone.sf2"), soundfont="bank.sf2")
    assert [one for one in lacks_of(piece, palette) if "Piano plays from bank.sf2" in one]
    assert heard(mixed, own="gone.sf2", soundfont="bank.sf2") == pytest.approx(1500, rel=0.01)


def test_a_broken_file_is_told_and_the_bank_plays(folder: Path, mixed: Mixer, palette: Palette) -> None:
    (folder / "bad.sf2").write_bytes(tone_font()[:3000])
    piece = song(track("piano_grand", LOW), soundfont="bad.sf2")
    said = [one for one in lacks_of(piece, palette) if "bad.sf2" in one]
    assert len(said) == 1
    assert "cannot be used" in said[0]
    assert "the song plays from the bank" in said[0]
    assert heard(mixed, soundfont="bad.sf2") < 600


@pytest.mark.usefixtures("folder")
def test_drums_that_a_file_lacks_are_the_bank_s(mixed: Mixer) -> None:
    drums = song(track("kit_standard", clip((36, 0, 1, 110), (38, 1, 1, 110)), soundfont="tone.sf2"))
    assert rms(mixed(drums), 0, 1) > -60


@pytest.mark.usefixtures("folder")
def test_other_files_are_other_sounds_in_the_cache(fresh: Renderer, palette: Palette) -> None:
    plain, own = track("piano_grand", LOW), track("piano_grand", LOW, soundfont="tone.sf2")
    keys = {fresh.place_track(song(one), one)[0].key for one in (plain, own)}
    assert len(keys) == 2
    assert OwnFonts().of(song(plain), plain, palette.instrument("piano_grand")) is None
