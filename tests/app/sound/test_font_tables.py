"""SoundFonts of strangers: what is broken or made to harm is an error that says what, before it is opened."""

from __future__ import annotations

import os
import struct
from contextlib import suppress
from pathlib import Path

import pytest

from app.sound.errors import SoundError
from app.sound.font_tables import presets_of
from app.sound.soundfont import PACKAGES, find_samples, find_soundfont
from tests.support.soundfonts import tone_font

GOOD = tone_font(presets=((0, 0), (0, 33), (128, 0)))


def written(folder: Path, content: bytes) -> Path:
    path = folder / "font.sf2"
    path.write_bytes(content)
    return path


def test_the_sounds_of_a_font_are_read(tmp_path: Path) -> None:
    assert presets_of(written(tmp_path, GOOD)) == ((0, 0), (0, 33), (128, 0))


def test_banks_that_people_have_are_whole() -> None:
    assert len(presets_of(find_soundfont().path)) >= 128
    for name in PACKAGES:
        found = find_samples(name)
        assert found is None or presets_of(found.path)


def test_every_cut_and_every_flipped_byte_is_an_error_or_a_font(tmp_path: Path) -> None:
    tables = GOOD.index(b"pdta")
    for place in (*range(0, 60, 3), *range(tables - 8, len(GOOD), 7)):
        for content in (GOOD[:place], GOOD[:place] + bytes([GOOD[place] ^ 0xFF]) + GOOD[place + 1 :]):
            with suppress(SoundError):
                assert presets_of(written(tmp_path, content))


@pytest.mark.parametrize(("table", "at", "value", "said"), [
    (b"shdr", 24, 0x7FFFFFFF, "outside of the file"), (b"pgen", 2, 0x00070029, "instrument that is not there"),
    (b"ibag", 4, 0x0000FFFF, "points at what is not there"),
])
def test_what_points_out_of_the_file_is_refused(
    tmp_path: Path, table: bytes, at: int, value: int, said: str
) -> None:
    place = GOOD.index(table, GOOD.index(b"pdta")) + 8 + (at if table != b"pgen" else 0)
    path = written(tmp_path, GOOD[:place] + struct.pack("<I", value) + GOOD[place + 4 :])
    with pytest.raises(SoundError, match="cannot be used") as caught:
        presets_of(path)
    assert said in caught.value.why


def test_what_is_no_file_or_too_large_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SoundError, match="cannot be used"):
        presets_of(tmp_path)
    pipe = tmp_path / "pipe.sf2"
    os.mkfifo(pipe)
    with pytest.raises(SoundError, match="cannot be used"):
        presets_of(pipe)
    monkeypatch.setattr("app.sound.font_tables.MOST_BYTES", 100)
    with pytest.raises(SoundError) as caught:
        presets_of(written(tmp_path, GOOD))
    assert "at most" in caught.value.why
