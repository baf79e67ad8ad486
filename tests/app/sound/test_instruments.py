"""What the synthesizer plays is what the clip and its lanes say."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from agent.song.palette import Palette
from agent.song.time import TempoChange
from tests.app.sound.conftest import Mixer
from tests.app.sound.songs import cents, clip, lane, pitch_hz, rms, song, ticks, track

A4 = (69, 0.0, 4.0, 100)


@pytest.mark.parametrize("instrument", ["lead_square", "woodwind_flute", "organ_drawbar"])
def test_a4_sounds_at_440_hz(mixed: Mixer, instrument: str) -> None:
    sound = mixed(song(track(instrument, clip(A4))))
    assert abs(cents(pitch_hz(sound, 0.3, 1.9, 380, 500), 440)) < 20


def test_louder_velocity_is_louder(mixed: Mixer) -> None:
    levels = [rms(mixed(song(track("piano_grand", clip((60, 0, 2, v)))))) for v in (20, 60, 100, 127)]
    assert all(louder > softer + 2 for softer, louder in itertools.pairwise(levels))


def test_notes_begin_and_end_where_they_stand(mixed: Mixer) -> None:
    sound = mixed(song(track("organ_drawbar", clip((60, 2, 1, 100), length=8))))
    assert rms(sound, 0, 0.99) < -90
    assert rms(sound, 1.05, 1.45) > -40
    assert rms(sound, 3.0, 4.0) < -60


def test_tempo_changes_move_notes(mixed: Mixer) -> None:
    tempos = (TempoChange(ticks(0), 120.0), TempoChange(ticks(2), 60.0))
    sound = mixed(song(track("organ_drawbar", clip((60, 3, 1, 100))), tempos=tempos))
    assert rms(sound, 0, 1.98) < -90
    assert rms(sound, 2.1, 2.9) > -40


def test_clip_start_offsets_its_notes(mixed: Mixer) -> None:
    here = mixed(song(track("piano_grand", clip((60, 0, 1, 100)))))
    later = mixed(song(track("piano_grand", clip((60, 0, 1, 100), start=4))))
    assert np.array_equal(here[:48_000], later[96_000 : 96_000 + 48_000])


def test_pedal_lets_notes_ring_until_it_lifts(mixed: Mixer) -> None:
    plain = track("piano_grand", clip((60, 0, 0.5, 100)))
    held = track("piano_grand", clip((60, 0, 0.5, 100)), automation=(lane("pedal", (0, 127), (3, 0), hold=True),))
    dry, ringing = mixed(song(plain)), mixed(song(held))
    assert rms(ringing, 1.0, 1.4) > rms(dry, 1.0, 1.4) + 12
    assert rms(ringing, 2.3, 2.5) < rms(ringing, 1.0, 1.4) - 12


def test_pedal_set_before_the_clip_holds_inside_it(mixed: Mixer) -> None:
    later = clip((60, 0, 0.5, 100), start=4)
    held = track("piano_grand", later, automation=(lane("pedal", (1, 127), (7, 0), hold=True),))
    assert rms(mixed(song(held)), 3.0, 3.4) > rms(mixed(song(track("piano_grand", later))), 3.0, 3.4) + 12


@pytest.mark.parametrize(("semitones", "hertz"), [(2, 493.88), (-12, 220.0), (12, 880.0)])
def test_bend_moves_pitch_by_semitones(mixed: Mixer, semitones: float, hertz: float) -> None:
    bent = track("lead_square", clip(A4), automation=(lane("bend", (0, semitones)),))
    assert abs(cents(pitch_hz(mixed(song(bent)), 0.3, 1.9, hertz * 0.8, hertz * 1.2), hertz)) < 12


def test_expression_fades_within_a_note(mixed: Mixer) -> None:
    faded = track("organ_drawbar", clip(A4), automation=(lane("expression", (0, 127), (4, 10)),))
    sound = mixed(song(faded))
    assert rms(sound, 0.1, 0.4) > rms(sound, 1.6, 1.9) + 20


def test_modulation_changes_the_sound(mixed: Mixer) -> None:
    plain = mixed(song(track("strings_violin", clip(A4))))
    moved = mixed(song(track("strings_violin", clip(A4), automation=(lane("modulation", (0, 127)),))))
    assert not np.array_equal(plain[:48_000], moved[:48_000])


def test_lanes_of_another_moment_leave_a_clip_alone(mixed: Mixer) -> None:
    quiet_later = lane("expression", (0, 127), (40, 127), (40, 0), hold=True)
    plain = mixed(song(track("organ_drawbar", clip(A4))))
    assert np.array_equal(plain, mixed(song(track("organ_drawbar", clip(A4), automation=(quiet_later,)))))


def test_kits_play_drums_and_differ(mixed: Mixer) -> None:
    beat = clip((36, 0, 0.5, 110), (38, 1, 0.5, 110), (42, 2, 0.5, 110))
    standard, electronic = mixed(song(track("kit_standard", beat))), mixed(song(track("kit_electronic", beat)))
    assert rms(standard, 0, 0.2) > -45
    assert rms(standard, 0.5, 0.7) > -45
    assert not np.array_equal(standard[:24_000], electronic[:24_000])


def test_key_that_is_struck_again_sounds_again(mixed: Mixer) -> None:
    sound = mixed(song(track("organ_drawbar", clip((60, 0, 3, 100), (60, 1, 2, 100)))))
    assert rms(sound, 1.0, 1.4) > -40


def test_key_without_a_sample_is_played_from_its_neighbour(mixed: Mixer) -> None:
    """The bank that pretty_midi carries has no alto saxophone at E4."""
    sound = mixed(song(track("woodwind_alto_sax", clip((64, 0, 4, 100)))))
    assert rms(sound, 0.2, 1.8) > -45
    assert abs(cents(pitch_hz(sound, 0.3, 1.9, 290, 370), 329.63)) < 15


def test_every_instrument_is_heard(mixed: Mixer, palette: Palette) -> None:
    silent = []
    for instrument in palette.instruments:
        pitches = (36, 38, 42) if instrument.is_kit else (instrument.low, (instrument.low + instrument.high) // 2)
        sound = mixed(song(track(instrument.name, clip(*((pitch, 0.0, 1.0, 100) for pitch in pitches)))))
        if rms(sound, 0, 1) < -60:
            silent.append(instrument.name)
    assert silent == []
