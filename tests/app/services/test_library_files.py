"""The tables of instruments and effects are complete, and a broken one is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.paths import find_paths
from app.services.library_files import LibraryFileError, read_palette

GOOD = 'instruments = [{ name = "pad_warm", family = "pad", label = "Warm pad", program = 89 }]'
LAYERED = GOOD.replace(
    "}]",
    '}, { name = "pad_wide", family = "pad", label = "Wide", program = 89, layers = [{ instrument = "pad_warm" }] }]',
)
EFFECT = '[[effects]]\nname = "gain"\nlabel = "Gain"\nabout = ""\n'


def test_all_general_midi_programs_and_the_kits_are_there() -> None:
    palette = read_palette(find_paths().resources)
    melodic = [instrument for instrument in palette.instruments if not instrument.is_kit and not instrument.layers]
    assert sorted(instrument.program for instrument in melodic) == list(range(128))
    kits = {instrument.name for instrument in palette.instruments if instrument.is_kit}
    assert {"kit_standard", "kit_tr808", "kit_jazz", "kit_orchestra"} <= kits
    assert palette.instrument("pad_warm").program == 89
    assert all(instrument.tags and instrument.low < instrument.high for instrument in palette.instruments)
    assert len(palette.effects) == 12


@pytest.mark.parametrize(
    ("instruments", "effects", "named"),
    [
        (GOOD.replace("89", "189"), EFFECT, "pad_warm"),
        (GOOD.replace('"pad",', '"pillow",'), EFFECT, "family"),
        (GOOD.replace("program", "programme"), EFFECT, "programme"),
        (GOOD.replace("program = 89", "program = 89, low = 90, high = 10"), EFFECT, "low 90"),
        (GOOD.replace("}]", "}, { name = 3 }]"), EFFECT, "3"),
        ("instruments = [", EFFECT, "TOML"),
        ("things = []", EFFECT, "things"),
        (GOOD.replace("}]", "}, " + GOOD[15:]), EFFECT, "2 times"),
        (LAYERED.replace('instrument = "pad_warm"', 'instrument = "pad_cold"'), EFFECT, "pad_cold"),
        (LAYERED.replace('instrument = "pad_warm"', 'instrument = "pad_wide"'), EFFECT, "pad_wide"),
        (LAYERED.replace("}] }]", '}], effects = [{ effect = "gane" }] }]'), EFFECT, "gane"),
        (LAYERED.replace("}] }]", '}], effects = [{ effect = "gain", params = { gain = 9 } }] }]'), EFFECT, "gain = 9"),
        (LAYERED.replace('"pad_warm" }]', '"pad_warm", cents = 400 }]'), EFFECT, "cents"),
        (GOOD, EFFECT + 'params = [{ name = "gain", unit = "dB", low = 0, high = 1, default = 2 }]', "default"),
    ],
)
def test_a_broken_table_is_named_with_its_row(tmp_path: Path, instruments: str, effects: str, named: str) -> None:
    for folder, text in (("instruments", instruments), ("effects", effects)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "table.toml").write_text(text)
    with pytest.raises(LibraryFileError) as caught:
        read_palette(tmp_path)
    assert named in f"{caught.value.what} {caught.value.why}"
    assert str(tmp_path) in caught.value.what


def test_missing_tables_are_named(tmp_path: Path) -> None:
    with pytest.raises(LibraryFileError, match="instruments"):
        read_palette(tmp_path)
