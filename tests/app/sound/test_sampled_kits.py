"""Sampled kits: what they play, what stands in for them, and how a stroke's colour follows its strength."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from msgspec import structs

from agent.song.ids import EffectId
from agent.song.palette import Instrument, Palette
from agent.song.song import Song
from agent.song.track import Effect
from app.sound import soundfont as banks
from app.sound.effects import EffectChain
from app.sound.errors import SoundError
from app.sound.fluid import Bank, Planar
from app.sound.part import GRID, SAMPLE_RATE, EventKind, SynthPart
from app.sound.sampled_kits import SampledKits
from app.sound.soundfont import PACKAGES, SoundFont, find_samples
from app.sound.sources import bank_remark, lacks_of, terms_of
from app.sound.synthesis import synthesise
from tests.app.sound.songs import clip, song, track
from tests.benchmarks.sound_figures import centroid, offset

KITS = ("kit_black_pearl", "kit_red_zeppelin")
KICK, SNARE, HAT = 36, 38, 42
Strike = Callable[[Instrument, int, int], Planar]


def needs(*files: str) -> pytest.MarkDecorator:
    """Skips where a bank is absent, and names what would have to be installed."""
    lacking = dict.fromkeys(PACKAGES[file] for file in files if find_samples(file) is None)
    return pytest.mark.skipif(bool(lacking), reason=f"not installed: {' '.join(lacking)} (`make setup`)")


@pytest.fixture(scope="module")
def bank(soundfont: SoundFont) -> Iterator[Bank]:
    loaded = Bank(soundfont.path)
    yield loaded
    loaded.close()


@pytest.fixture(scope="module")
def strike(bank: Bank) -> Strike:
    kits = SampledKits()

    def struck(instrument: Instrument, key: int, velocity: int) -> Planar:
        events = ((0, EventKind.NOTE_ON, key, velocity), (100, EventKind.NOTE_OFF, key, 0))
        part = SynthPart(instrument.bank, instrument.program, events, kits.of(instrument), dark=instrument.dark)
        return synthesise(bank, part, SAMPLE_RATE // 2 // GRID, lambda: False)

    return struck


def drums(name: str) -> Song:
    return song(track(name, clip((KICK, 0, 1, 100))))


@needs("Black_Pearl_4_LV2.sf2", "Red_Zeppelin_4_LV2.sf2")
@pytest.mark.parametrize("name", KITS)
def test_harder_strokes_are_brighter_on_kick_snare_and_hat(strike: Strike, palette: Palette, name: str) -> None:
    kit = palette.instrument(name)
    for drum in (KICK, SNARE, HAT):
        assert centroid(strike(kit, drum, 120)) > 1.1 * centroid(strike(kit, drum, 40)), drum


@needs("MuseScore_General_Lite.sf3")
def test_brushes_of_the_bank_are_brighter_when_struck_harder(strike: Strike, palette: Palette) -> None:
    for drum in (KICK, SNARE, HAT):
        kit = palette.instrument("kit_brush")
        assert centroid(strike(kit, drum, 120)) > 1.1 * centroid(strike(kit, drum, 40)), drum


@needs("MuseScore_General_Lite.sf3")
@pytest.mark.parametrize("drum", [KICK, SNARE, 43, 48, 53])
def test_an_orchestra_s_drums_are_brighter_when_struck_harder(strike: Strike, palette: Palette, drum: int) -> None:
    kit = palette.instrument("kit_orchestra")
    assert centroid(strike(kit, drum, 120)) > 1.1 * centroid(strike(kit, drum, 40))


@needs("MuseScore_General_Lite.sf3")
def test_a_dark_drum_is_as_loud_as_it_was(strike: Strike, palette: Palette) -> None:
    kit = palette.instrument("kit_orchestra")
    plain = structs.replace(kit, dark=())
    dark, open_ = (float(np.abs(strike(one, KICK, 100)).max()) for one in (kit, plain))
    assert dark == pytest.approx(open_, rel=0.02)


@needs("Black_Pearl_4_LV2.sf2", "Red_Zeppelin_4_LV2.sf2")
@pytest.mark.parametrize("name", KITS)
def test_every_drum_is_heard_the_kit_s_own_or_the_bank_s(strike: Strike, palette: Palette, name: str) -> None:
    kit, standard = palette.instrument(name), palette.instrument("kit_standard")
    assert kit.samples is not None
    own = {drum for drum, *_ in kit.samples.keys}
    for drum in range(35, 82):
        # So soft that nothing is rounded, which each kit is by its own hard strokes.
        heard, general = strike(kit, drum, 30), strike(standard, drum, 30)
        assert heard.shape[1], drum
        assert (heard.tobytes() == general.tobytes()) == (drum not in own), drum


@needs("Black_Pearl_4_LV2.sf2")
def test_toms_fall_in_pitch_from_high_to_low(strike: Strike, palette: Palette) -> None:
    kit = palette.instrument("kit_black_pearl")
    sounds = [strike(kit, drum, 100).tobytes() for drum in (50, 48, 47, 45, 43, 41)]
    assert len(set(sounds)) == len(sounds)
    assert kit.samples is not None
    tuned = {drum: (key, semitones) for drum, key, semitones in kit.samples.keys}
    assert [tuned[drum] for drum in (50, 48, 47, 45)] == sorted((tuned[d] for d in (50, 48, 47, 45)), reverse=True)


def test_a_kit_that_is_not_installed_is_played_by_the_bank_s_own_and_said(
    bank: Bank, palette: Palette, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(banks, "_folders", lambda: iter(()))
    kit, standard = palette.instrument(KITS[0]), palette.instrument("kit_standard")
    assert SampledKits().of(kit) is None
    assert (kit.bank, kit.program) == (standard.bank, standard.program)
    said = lacks_of(drums(KITS[0]), palette)
    assert any("Black Pearl kit is not installed" in one and "avldrums.lv2-soundfont" in one for one in said)
    assert not terms_of(drums(KITS[0]), palette)


def test_a_damaged_kit_is_an_error_that_names_it(
    tmp_path: Path, palette: Palette, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "Black_Pearl_4_LV2.sf2").write_bytes(b"nothing of the kind")
    monkeypatch.setattr(banks, "_folders", lambda: iter((tmp_path,)))
    with pytest.raises(SoundError, match="Black_Pearl"):
        SampledKits().of(palette.instrument(KITS[0]))


def test_what_a_kit_s_licence_asks_is_told_of_songs_that_play_it(
    tmp_path: Path, palette: Palette, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "Black_Pearl_4_LV2.sf2").write_bytes(b"RIFF\x04\x00\x00\x00sfbk")
    monkeypatch.setattr(banks, "_folders", lambda: iter((tmp_path,)))
    [said] = terms_of(drums("kit_black_pearl"), palette)
    assert "CC BY-SA 3.0" in said
    assert "Glen MacArthur" in said
    assert not terms_of(drums("kit_standard"), palette)


def test_the_bank_of_last_resort_is_told(monkeypatch: pytest.MonkeyPatch, palette: Palette, tmp_path: Path) -> None:
    monkeypatch.delenv(banks.VARIABLE, raising=False)
    monkeypatch.setattr(banks, "_folders", lambda: iter((tmp_path,)))
    assert "TimGM6mb" in bank_remark()
    assert "make setup" in lacks_of(drums("kit_standard"), palette)[0]
    (tmp_path / "MuseScore_General_Lite.sf3").write_bytes(b"RIFF\x04\x00\x00\x00sfbk")
    assert not bank_remark()
    assert not lacks_of(drums("kit_standard"), palette)


def test_no_instrument_swings_round_another_level_than_zero(strike: Strike, palette: Palette) -> None:
    swung = {}
    for one in palette.instruments:
        sound = strike(one, KICK if one.is_kit else (one.low + one.high) // 2, 100)
        if offset(sound) > 0.001:
            swung[one.name] = round(offset(sound), 4)
    assert swung == {}


@pytest.mark.parametrize("name", ["compressor", "distortion"])
def test_what_bends_a_lopsided_sound_leaves_it_round_zero(palette: Palette, name: str) -> None:
    dry = np.zeros((2, 4 * SAMPLE_RATE), np.float32)
    dry[:, :: SAMPLE_RATE // 50] = 1.0
    dry -= dry.mean()
    wet = EffectChain((Effect(EffectId("e1"), name),), palette).process(dry)
    assert offset(wet[:, SAMPLE_RATE:]) < 0.0005
