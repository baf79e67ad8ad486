"""Files hold what was rendered; a disk that refuses leaves the old file whole."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
import soundfile

from app.services.exporting import SOUND_FILES
from app.sound.audio_files import FORMATS, write_audio, write_stems
from app.sound.errors import SoundError, SoundInputError
from app.sound.renderer import Frames

ROOT = Path(__file__).parents[3]


def tone(seconds: float = 1.0) -> Frames:
    times = np.arange(int(seconds * 48_000)) / 48_000
    return np.stack([np.sin(2 * np.pi * f * times) * 0.5 for f in (440, 660)], axis=1).astype(np.float32)


@pytest.mark.parametrize("ending", FORMATS)
def test_every_format_can_be_read_back(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"song.{ending}"
    write_audio(path, tone())
    sound, rate = soundfile.read(path, dtype="float32")
    assert rate == 48_000
    assert abs(len(sound) - 48_000) < 3000
    spectrum = np.abs(np.fft.rfft(sound[:40_000, 0]))
    assert abs(int(spectrum.argmax()) * 48_000 / 40_000 - 440) < 2
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("ending", ["wav", "flac"])
def test_lossless_formats_have_24_bits(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"song.{ending}"
    write_audio(path, tone())
    sound, _ = soundfile.read(path, dtype="float32")
    assert soundfile.info(path).subtype == "PCM_24"
    assert np.abs(sound - tone()).max() < 2e-7


def test_wav_bytes_repeat(tmp_path: Path) -> None:
    for name in ("a.wav", "b.wav"):
        write_audio(tmp_path / name, tone())
    assert (tmp_path / "a.wav").read_bytes() == (tmp_path / "b.wav").read_bytes()


def test_a_minute_of_ogg_and_an_empty_song_are_written(tmp_path: Path) -> None:
    write_audio(tmp_path / "long.ogg", tone(60))
    assert soundfile.info(tmp_path / "long.ogg").duration == pytest.approx(60, abs=0.1)
    write_audio(tmp_path / "empty.wav", tone(0))
    assert soundfile.info(tmp_path / "empty.wav").frames == 0


def test_stems_are_numbered_and_named_as_a_folder_or_an_archive(tmp_path: Path) -> None:
    stems = [("Warm pad", tone()), ("Bass / sub", tone()), ("", tone())]
    files = write_stems(tmp_path / "stems", stems)
    assert [file.name for file in files] == ["01 Warm pad.wav", "02 Bass _ sub.wav", "03 track.wav"]
    assert all(soundfile.info(file).frames == 48_000 for file in files)
    assert write_stems(tmp_path / "stems.zip", stems) == [tmp_path / "stems.zip"]
    with zipfile.ZipFile(tmp_path / "stems.zip") as archive:
        assert archive.namelist() == [file.name for file in files]
        assert archive.read(files[0].name) == files[0].read_bytes()


def test_a_track_name_of_wide_signs_makes_a_file_name_that_disks_take(tmp_path: Path) -> None:
    [file] = write_stems(tmp_path / "stems", [("𠀀" * 100, tone())])
    assert file.is_file()


def test_unknown_endings_name_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(SoundInputError) as caught:
        write_audio(tmp_path / "song.aiff", tone())
    assert "wav" in caught.value.advice


@pytest.mark.parametrize("folder", ["missing", "file"])
def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path, folder: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SoundError) as caught:
        write_audio(tmp_path / folder / "song.wav", tone())
    assert folder in caught.value.what
    assert caught.value.why
    with pytest.raises(SoundError):
        write_stems(tmp_path / "file" / "stems", [("a", tone())])


@pytest.mark.skipif(sys.platform == "win32", reason="a limit on the size of files stands for a full disk")
def test_a_full_disk_leaves_the_old_file_whole(tmp_path: Path) -> None:
    """A process whose files may not grow over 50 kB meets the same error as on a full disk."""
    code = f"""
import resource, numpy as np
from pathlib import Path
from app.services.exporting import SOUND_FILES
from app.sound.audio_files import FORMATS, write_audio, write_stems
from app.sound.dry_cache import DryCache
from app.sound.errors import SoundError
resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))
root, sound = Path({str(tmp_path)!r}), np.random.default_rng(1).uniform(-1, 1, (480_000, 2)).astype('f4')
for name in [f'song.{{ending}}' for ending in FORMATS] + ['stems.zip']:
    (root / name).write_text('old')
    try:
        write_stems(root / name, [('a', sound)]) if name == 'stems.zip' else write_audio(root / name, sound)
    except SoundError as error:
        assert name in error.what and 'large' in error.why, (error.what, error.why)
    else:
        raise SystemExit(name + ': no error')
    assert (root / name).read_text() == 'old', name
try:
    DryCache(root / 'cache').write('ab', np.ascontiguousarray(sound.T))
except SoundError as error:
    assert 'cache' in error.what
else:
    raise SystemExit('cache: no error')
assert not [path for path in root.rglob('*.part')], list(root.rglob('*'))
"""
    result = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
    assert result.stderr == ""


def test_what_a_person_is_told_of_sound_files_is_so(tmp_path: Path) -> None:
    write_audio(tmp_path / "a.wav", np.zeros((480, 2), np.float32))
    info = soundfile.info(tmp_path / "a.wav")
    assert (info.samplerate, info.subtype, info.channels) == (48_000, "PCM_24", 2)
    assert "stereo at 48 kHz with 24 bits" in SOUND_FILES
