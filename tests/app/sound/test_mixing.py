"""Faders, effects, tails, loudness and stems."""

from __future__ import annotations

import numpy as np
import pytest

from agent.song.ids import TrackId
from agent.song.palette import EffectKind, Palette
from app.sound.analysis import analyse_rendering
from app.sound.effect_recipes import RECIPES
from app.sound.effects import EffectChain
from app.sound.errors import SoundInputError
from app.sound.fader import Fader
from app.sound.limiter import master
from app.sound.meter import integrated_loudness, true_peak
from app.sound.renderer import Renderer
from tests.app.sound.conftest import Mixer
from tests.app.sound.songs import clip, effect, lane, rms, song, track

CHORD = ((60, 0.0, 4.0, 90), (64, 0.0, 4.0, 90), (67, 0.0, 4.0, 90))
EFFECTS = sorted(RECIPES)


def noise(seconds: float = 1.0, level: float = 0.2) -> np.ndarray:
    shape = (2, int(seconds * 48_000))
    return (np.random.default_rng(1).standard_normal(shape) * level).astype(np.float32)


def test_volume_is_in_decibels(mixed: Mixer) -> None:
    full = mixed(song(track("organ_drawbar", clip(*CHORD))))
    lower = mixed(song(track("organ_drawbar", clip(*CHORD), volume_db=-12)))
    assert rms(full) - rms(lower) == pytest.approx(12, abs=0.01)


def test_pan_keeps_power_and_empties_a_side(mixed: Mixer) -> None:
    right = mixed(song(track("organ_drawbar", clip(*CHORD), pan=1.0)))
    middle = mixed(song(track("organ_drawbar", clip(*CHORD))))
    assert rms(right[:, :1]) < -120
    assert rms(right[:, 1:]) - rms(middle[:, 1:]) == pytest.approx(3.01, abs=0.05)
    for pan in np.linspace(-1, 1, 9):
        assert float((Fader(0.0, float(pan)).gains(0, 64) ** 2).sum()) == pytest.approx(2, abs=1e-5)


def test_volume_and_pan_lanes_move_smoothly(mixed: Mixer) -> None:
    moving = track(
        "organ_drawbar", clip(*CHORD), automation=(lane("volume_db", (0, 0), (4, -40)), lane("pan", (0, -1), (4, 1)))
    )
    sound = mixed(song(moving))
    assert rms(sound, 0.1, 0.3) > rms(sound, 1.7, 1.9) + 25
    assert rms(sound[:, :1], 0.1, 0.3) > rms(sound[:, 1:], 0.1, 0.3) + 10
    gains = Fader.of(song(moving), moving).gains(1000, 90_000)
    assert np.abs(np.diff(gains)).max() < 0.001


def test_a_fader_in_blocks_equals_the_whole() -> None:
    moving = track("organ_drawbar", automation=(lane("volume_db", (0, 0), (1, -30), (3, 3), hold=True),))
    fader = Fader.of(song(moving), moving)
    blocks = [fader.gains(start, 1024) for start in range(0, 96 * 1024, 1024)]
    assert np.array_equal(np.concatenate(blocks, axis=1), fader.gains(0, 96 * 1024))


def test_every_effect_of_the_palette_can_be_played(palette: Palette) -> None:
    assert sorted(kind.name for kind in palette.effects) == EFFECTS
    for kind in palette.effects:
        assert {parameter.name for parameter in kind.params} == set(RECIPES[kind.name].knobs)


def carry_on() -> None:
    """Nobody cancels."""


def processed(palette: Palette, name: str, **params: float) -> np.ndarray:
    return EffectChain((effect(name, **params),), palette).process(noise())


def strong(kind: EffectKind) -> dict[str, float]:
    """A setting at which every parameter matters."""
    raised = {"feedback": 0.5, "low_gain": 9.0, "mid_gain": 9.0, "high_gain": 9.0, "depth": 0.6, "threshold": -30.0}
    raised |= {"ceiling": -18.0, "room_size": 0.6, "time": 0.1, "seconds": 0.6}
    return {p.name: raised.get(p.name, p.default) for p in kind.params}


@pytest.mark.parametrize("name", EFFECTS)
def test_every_effect_and_every_parameter_changes_the_sound(palette: Palette, name: str) -> None:
    kind = palette.effect(name)
    base = strong(kind)
    if name == "gain":
        base["gain"] = 3.0
    before = processed(palette, name, **base)
    assert not np.allclose(before, noise(), atol=1e-3)
    for parameter in kind.params:
        for edge in (parameter.low, parameter.high):
            after = processed(palette, name, **(base | {parameter.name: edge}))
            assert np.isfinite(after).all(), (parameter.name, edge)
        other = parameter.low if base[parameter.name] != parameter.low else parameter.high
        changed = processed(palette, name, **(base | {parameter.name: other}))
        assert not np.allclose(before, changed, atol=1e-4), parameter.name


def test_filters_and_eq_do_what_they_say(palette: Palette) -> None:
    seconds = np.arange(48_000) / 48_000
    low, high = (np.stack([np.sin(2 * np.pi * f * seconds)] * 2).astype(np.float32) * 0.1 for f in (100, 5000))

    def change(sound: np.ndarray, name: str, **params: float) -> float:
        after = EffectChain((effect(name, **params),), palette).process(sound)
        return rms(after.T, 0.5) - rms(sound.T, 0.5)

    assert change(low, "highpass", cutoff=1000) < -35
    assert change(high, "highpass", cutoff=1000) > -1
    assert change(high, "lowpass", cutoff=1000) < -24
    assert change(low, "eq", low_gain=-12.0, low_freq=400.0) == pytest.approx(-12, abs=1)
    assert change(high, "eq", mid_gain=6.0, mid_freq=5000.0) == pytest.approx(6, abs=0.3)
    assert change(low, "gain", gain=-6.0) == pytest.approx(-6, abs=0.1)


def test_limiter_holds_its_ceiling_and_leaves_quiet_sound_alone(palette: Palette) -> None:
    loud = EffectChain((effect("limiter", ceiling=-6.0),), palette).process(noise(level=1.0))
    assert np.abs(loud).max() <= 10 ** (-6 / 20) + 1e-4
    quiet = noise(level=0.01)
    assert np.allclose(EffectChain((effect("limiter"),), palette).process(quiet), quiet, atol=1e-4)


def test_disabled_effects_do_nothing_and_unknown_ones_are_named(palette: Palette) -> None:
    off = effect("distortion")
    off = type(off)(off.id, off.name, off.params, enabled=False)
    assert np.array_equal(EffectChain((off,), palette).process(noise()), noise())
    with pytest.raises(SoundInputError, match="flangr"):
        EffectChain((effect("flangr"),), palette)
    with pytest.raises(SoundInputError, match="sparkle"):
        EffectChain((effect("reverb", sparkle=1.0),), palette)


def test_a_larger_block_does_not_end_an_echo(palette: Palette) -> None:
    chain = EffectChain((effect("delay", time=1.0, mix=1.0),), palette)
    chain.process(noise(0.01))
    assert rms(chain.process(np.zeros((2, 96_000), np.float32)).T, 0.99, 1.0) > -30


@pytest.mark.parametrize("name", EFFECTS)
def test_blocks_and_whole_sound_the_same(palette: Palette, name: str) -> None:
    whole = EffectChain((effect(name),), palette).process(noise())
    chain = EffectChain((effect(name),), palette)
    blocks = [chain.process(noise()[:, start : start + 1024]) for start in range(0, 48_000, 1024)]
    assert np.array_equal(np.concatenate(blocks, axis=1), whole)


def test_effect_parameters_can_be_automated(mixed: Mixer) -> None:
    plain = track("lead_saw", clip(*CHORD), effects=(effect("lowpass", cutoff=20000.0),))
    swept = track(
        "lead_saw",
        clip(*CHORD),
        effects=(effect("lowpass", cutoff=20000.0),),
        automation=(lane("e1.cutoff", (2, 100), hold=True),),
    )
    bright, dark = mixed(song(plain)), mixed(song(swept))
    assert np.array_equal(bright[:46_000], dark[:46_000])
    assert rms(dark, 1.2, 1.9) < rms(bright, 1.2, 1.9) - 10


def test_tails_of_effects_are_not_cut(mixed: Mixer) -> None:
    hit = clip((60, 0, 0.25, 110), length=1)
    dry = mixed(song(track("percussion_woodblock", hit)))
    echo = effect("delay", time=1.5, feedback=0.5, mix=0.5)
    wet = mixed(song(track("percussion_woodblock", hit, effects=(echo,))))
    assert len(dry) < 48_000
    assert 6 * 48_000 < len(wet) <= 11 * 48_000
    assert rms(wet, 3.0, 3.1) > -60


def test_release_is_not_cut_at_the_end_of_the_song(renderer: Renderer) -> None:
    rendering = renderer.render(song(track("pad_warm", clip((60, 0, 4, 100)))))
    assert rendering.duration > 2.2
    assert rms(rendering.mix, rendering.duration - 0.05) < rms(rendering.mix, 0.5, 1.5) - 40


def test_muted_tracks_are_silent(renderer: Renderer) -> None:
    heard = track("organ_drawbar", clip(*CHORD))
    muted = track("lead_saw", clip(*CHORD, name="c2"), name="t2", mute=True)
    alone, both = renderer.render(song(heard)), renderer.render(song(heard, muted), stems=True)
    assert np.array_equal(alone.mix, both.mix)
    assert not both.stems[TrackId("t2")].any()


@pytest.mark.parametrize("target", [-14.0, -23.0, -9.0])
def test_loudness_and_true_peak_are_met(renderer: Renderer, target: float) -> None:
    beat = clip(*((pitch, beat / 2, 0.5, 120) for beat in range(8) for pitch in (36, 42)), name="c2")
    music = song(
        track("piano_grand", clip(*CHORD)), track("kit_power", beat, name="t2"), loudness_target=target
    )
    rendering = renderer.render(music)
    loudness, peak = integrated_loudness(rendering.mix.T), true_peak(rendering.mix.T)
    assert loudness == pytest.approx(target, abs=1)
    assert peak is not None
    assert peak <= -1
    assert (rendering.loudness, rendering.true_peak) == (pytest.approx(loudness, abs=0.1), pytest.approx(peak, abs=0.1))
    assert rendering.remark == ""


def test_a_mix_that_cannot_reach_its_target_says_why() -> None:
    clicks = np.zeros((2, 4 * 48_000), np.float32)
    clicks[:, ::24_000] = 0.9
    mastered = master(clicks, -6.0, carry_on)
    assert mastered.true_peak is not None
    assert mastered.true_peak <= -1
    assert "LUFS" in mastered.remark


@pytest.mark.parametrize("seconds", [0.0, 0.001, 0.1, 1.0])
def test_silence_and_very_short_sound_are_mastered(seconds: float) -> None:
    silent = master(np.zeros((2, int(seconds * 48_000)), np.float32), -14.0, carry_on)
    assert (silent.loudness, silent.gain_db) == (None, 0.0)
    short = master(noise(max(seconds, 0.001)), -14.0, carry_on)
    assert short.true_peak is not None
    assert short.true_peak <= -1


def test_an_empty_song_renders_to_nothing(renderer: Renderer) -> None:
    rendering = renderer.render(song())
    assert (len(rendering.mix), rendering.loudness) == (0, None)
    assert len(renderer.render(song(track("pad_warm", clip()))).mix) == 2 * 48_000


def test_stems_add_up_to_the_mix(renderer: Renderer) -> None:
    music = song(
        track("piano_grand", clip(*CHORD), pan=-0.5, effects=(effect("reverb"),)),
        track("bass_finger", clip((36, 0, 4, 90), name="c2"), name="t2", volume_db=-3),
        loudness_target=-23.0,
    )
    rendering = renderer.render(music, stems=True)
    assert not rendering.limited
    total = np.sum(list(rendering.stems.values()), axis=0)
    assert np.abs(total - rendering.mix).max() < 1e-5


def test_master_effects_shape_the_mix(renderer: Renderer) -> None:
    plain = song(track("lead_saw", clip(*CHORD)))
    dark = song(track("lead_saw", clip(*CHORD)), master_effects=(effect("lowpass", cutoff=300.0),))
    bright_hz, dark_hz = (
        analyse_rendering(music, renderer.render(music)).mix.centroid_hz for music in (plain, dark)
    )
    assert bright_hz is not None
    assert dark_hz is not None
    assert dark_hz < bright_hz / 2


def test_report_names_silent_tracks_and_measures_clips(renderer: Renderer) -> None:
    music = song(
        track("organ_drawbar", clip(*CHORD)),
        track("organ_drawbar", clip(*CHORD, name="c2"), name="t2", volume_db=-80),
        track("organ_drawbar", clip(*CHORD, name="c3"), name="t3", mute=True),
        track("organ_drawbar", clip(name="c4"), name="t4"),
    )
    report = analyse_rendering(music, renderer.render(music))
    assert [line.silent for line in report.tracks] == [False, True, False, True]
    heard = report.tracks[0].clips[0].rms_db
    assert heard is not None
    assert heard > -30
    assert report.mix.loudness == pytest.approx(-14, abs=1)


def test_report_finds_the_longest_silence_and_the_bands(renderer: Renderer) -> None:
    music = song(track("organ_drawbar", clip((36, 0, 1, 100), (36, 7, 1, 100), length=8)))
    report = analyse_rendering(music, renderer.render(music)).mix
    assert 2.5 < report.longest_silence < 3.1
    shares = {band.name: band.share_db for band in report.bands}
    bass, air = shares["bass"], shares["air"]
    assert bass is not None
    assert air is None or bass > air + 20
