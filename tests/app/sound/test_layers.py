"""Instruments that are made of several sounds: what plays together, and what shapes it."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from agent.song.palette import Instrument, Palette, SoundLayer
from app.exchange.midi_in import import_midi
from app.exchange.midi_out import midi_bytes
from app.sound.layers import layers_of, played_by
from app.sound.part import EventKind, SynthPart
from app.sound.renderer import Renderer
from app.sound.soundfont import SoundFont
from tests.app.sound.conftest import Mixer
from tests.app.sound.songs import cents, clip, pitch_hz, rms, song, track
from tests.benchmarks.sound_figures import centroid

A4 = (69, 0.0, 4.0, 100)
STANDS_FOR = {
    "lead_supersaw": "lead_saw", "bass_pure_sub": "bass_sub", "bass_808": "bass_sub", "keys_lo_fi": "keys_tine",
    "choir_bed": "choir_aahs",
}


def layered(palette: Palette) -> list[Instrument]:
    return [instrument for instrument in palette.instruments if instrument.layers]


def test_each_layered_instrument_is_about_as_loud_as_the_plain_one(mixed: Mixer, palette: Palette) -> None:
    assert {one.name for one in layered(palette)} == set(STANDS_FOR)
    for name, plain in STANDS_FOR.items():
        low = palette.instrument(name).family == "bass"
        notes = clip((33, 0.0, 3.0, 90)) if low else clip((57, 0.0, 3.0, 90), (64, 0.0, 3.0, 90))
        ours, theirs = rms(mixed(song(track(name, notes))), 0, 1.5), rms(mixed(song(track(plain, notes))), 0, 1.5)
        assert abs(ours - theirs) < 3, name


def test_a_supersaw_is_in_tune_wider_than_one_saw_and_beats(mixed: Mixer) -> None:
    wide, plain = mixed(song(track("lead_supersaw", clip(A4)))), mixed(song(track("lead_saw", clip(A4))))
    assert abs(cents(pitch_hz(wide, 0.3, 1.9, 400, 480), 440)) < 20

    def width(sound: np.ndarray) -> float:
        return float(np.std(sound[:, 0] - sound[:, 1]) / np.std(sound[:, 0] + sound[:, 1]))

    assert width(wide) > 2 * width(plain)


def test_an_808_is_darker_than_a_synth_bass_and_a_pure_sub_darker_still(mixed: Mixer) -> None:
    low = clip((33, 0.0, 3.0, 90))
    deep, eight, plain = (
        centroid(mixed(song(track(name, low))).T) for name in ("bass_pure_sub", "bass_808", "bass_sub")
    )
    assert deep < eight < plain / 2


def test_a_layer_s_notes_are_moved_and_its_controllers_stay(palette: Palette) -> None:
    high = Instrument("x", "lead", "X", 81, layers=(SoundLayer("lead_saw", transpose=12, late_ms=4),))
    layer = layers_of(high, palette)[0]
    events = (
        (0, EventKind.CONTROL, 11, 90), (0, EventKind.NOTE_ON, 60, 100), (0, EventKind.NOTE_ON, 124, 90), (
            9, EventKind.NOTE_OFF, 60, 0
        ),
    )
    moved = played_by(SynthPart(0, 81, events), layer)
    assert moved.program == palette.instrument("lead_saw").program
    assert moved.events == (
        (3, EventKind.CONTROL, 11, 90), (3, EventKind.NOTE_ON, 72, 100), (3, EventKind.NOTE_ON, 124, 90), (
            12, EventKind.NOTE_OFF, 72, 0
        ),
    )


def test_an_octave_layer_sounds_an_octave_higher(soundfont: SoundFont, palette: Palette, tmp_path: Path) -> None:
    octave = Instrument("octave", "lead", "Octave", 80, layers=(SoundLayer("lead_square", transpose=12, cents=40),))
    mine = Palette((*palette.instruments, octave), palette.effects)
    with Renderer(tmp_path, soundfont, mine, workers=1) as own:
        sound = own.mix_down(song(track("octave", clip(A4)))).mix.T
    assert abs(cents(pitch_hz(sound, 0.3, 1.9, 800, 980), 880) - 40) < 15


def test_a_midi_file_has_its_program_and_reads_back_as_the_plain_sound(palette: Palette, tmp_path: Path) -> None:
    path = tmp_path / "saw.mid"
    path.write_bytes(midi_bytes(song(track("lead_supersaw", clip(A4))), palette).data)
    assert import_midi(path, palette).song.tracks[0].instrument == "lead_saw"
