"""Values of the mixer and of effects: turned, written, read, and put into the song."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stages import palette

from agent.song.apply import apply_all
from agent.song.edits import UpdateTrack
from agent.song.ids import MASTER, EffectId, TrackId
from agent.song.locks import TrackLock
from agent.song.palette import Parameter
from agent.song.song import Song
from agent.song.time import Ticks
from agent.song.track import Automation, Effect, Point, Track
from app.i18n import speaking
from app.languages import pseudo
from app.viewmodels.edits.choices import effect_choices, found, instrument_choices
from app.viewmodels.edits.clip_edits import HIGHEST, LOWEST, HandEdit
from app.viewmodels.edits.effect_chain import added, chain_of, moved, previewed, removed, switched, turned
from app.viewmodels.edits.effect_presets import factory_presets
from app.viewmodels.edits.effect_values import (
    held_value,
    is_outside,
    parameter_label,
    place_of,
    read_value,
    value_at,
    value_in_words,
)
from app.viewmodels.edits.mixing import (
    fader_share,
    fader_volume,
    held_pan,
    pan_in_words,
    read_pan,
    read_volume,
    with_instrument,
    with_loudness,
    with_mix,
)
from app.viewmodels.edits.strip_facts import strip_in_words, strips_of

T1 = TrackId("t1")
PARAMETERS = [parameter for kind in palette().effects for parameter in kind.params]
CHAIN = (
    Effect(EffectId("e1"), "eq"), Effect(EffectId("e2"), "reverb", (("mix", 0.4), ("room_size", 3.0))),
    Effect(EffectId("e3"), "mystery box", (("knob", 2.0),)),
)
SONG = Song(tracks=(
    Track(TrackId("t1"), "Pad", "pad_warm", effects=CHAIN, volume_db=-9.0,
          automation=(Automation("e2.damping", (Point(Ticks(0), 0.3),)), Automation("pan", (Point(Ticks(0), 0.0),)))),
    Track(TrackId("t2"), "Odd", "nonsense", pan=-0.3, mute=True),
))


def applied(song: Song, hand: HandEdit) -> Song:
    return apply_all(song, hand.edits)


@given(st.floats(LOWEST, HIGHEST))
def test_a_fader_stands_where_its_level_is(volume: float) -> None:
    assert fader_volume(fader_share(volume)) == pytest.approx(volume, abs=1e-6)


@given(st.floats(-200, 200), st.floats(-200, 200))
def test_louder_is_never_lower_and_what_is_out_of_reach_stands_at_the_end(one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert 0 <= fader_share(low) <= fader_share(high) <= 1


@pytest.mark.parametrize(("text", "volume"), [
    ("-6", -6.0), ("\N{MINUS SIGN}6,5 dB", -6.5), ("+2.25", 2.2), ("900", HIGHEST), ("-900", LOWEST), ("loud", None),
    ("", None), ("-", None),
])
def test_typed_levels(text: str, volume: float | None) -> None:
    assert read_volume(text) == volume


@pytest.mark.parametrize(("text", "pan"), [
    ("L 30", -0.3), ("r100", 1.0), ("-12", -0.12), ("C", 0.0), ("0", 0.0), ("L -30", -0.3), ("left", None),
    ("999", 1.0),
])
def test_typed_pans(text: str, pan: float | None) -> None:
    assert read_pan(text) == pan


@given(st.floats(-1, 1))
def test_a_pan_reads_as_it_is_written(pan: float) -> None:
    assert read_pan(pan_in_words(held_pan(pan))) == held_pan(pan)


@pytest.mark.parametrize("parameter", PARAMETERS, ids=lambda one: f"{one.name}-{one.unit}-{one.low:g}-{one.high:g}")
def test_a_parameter_turns_from_end_to_end_and_reads_as_it_is_written(parameter: Parameter) -> None:
    values = [value_at(parameter, step / 50) for step in range(51)]
    assert values == sorted(values)
    assert (values[0], values[-1]) == (parameter.low, parameter.high)
    for value in (*values, parameter.default):
        assert read_value(parameter, value_in_words(parameter, value)) == pytest.approx(value, rel=0.006, abs=0.006)
        assert value_at(parameter, place_of(parameter, value)) == pytest.approx(value, rel=0.006, abs=0.006)


def test_every_parameter_has_a_name_that_can_be_translated() -> None:
    with speaking(pseudo()):
        assert [one.name for one in PARAMETERS if "⟦" not in parameter_label(one.name)] == []
    assert parameter_label("room_size") == "Room size"
    assert parameter_label("odd_new_knob") == "Odd new knob"


def test_units_that_a_person_types() -> None:
    cutoff, time, attack, mix = (
        next(one for one in PARAMETERS if one.name == name) for name in ("cutoff", "time", "attack", "mix")
    )
    assert read_value(cutoff, "1.2 kHz") == read_value(cutoff, "1200") == read_value(cutoff, "1,2k") == 1200
    assert read_value(time, "250 ms") == 0.25
    assert read_value(attack, "0.02 s") == 20
    assert read_value(mix, "32") == read_value(mix, "32%") == 0.32
    assert read_value(mix, "nothing") is None
    assert value_in_words(cutoff, 1234.5) == "1.23 kHz"
    assert value_in_words(mix, 0.32) == "32%"
    threshold = next(one for one in PARAMETERS if one.unit == "dB")
    assert [value_in_words(threshold, value) for value in (-6.04, -0.04)] == ["−6.0 dB", "0.0 dB"]


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -1e30, 1e30])
def test_values_from_a_hostile_file_stand_somewhere(value: float) -> None:
    for parameter in PARAMETERS:
        assert 0 <= place_of(parameter, held_value(parameter, value)) <= 1
        assert parameter.low <= held_value(parameter, value) <= parameter.high
        assert is_outside(parameter, value)
        assert value_in_words(parameter, value)


def test_mixing_becomes_one_edit_each_or_none() -> None:
    song = applied(SONG, with_mix(SONG, T1, -6.04, 0.333))
    assert (song.tracks[0].volume_db, song.tracks[0].pan) == (-6.0, 0.33)
    assert len(with_mix(SONG, T1, -6.0, 0.5).edits) == 1
    assert with_mix(SONG, T1, -9.0, None).edits == ()
    assert with_mix(SONG, TrackId("gone"), 0.0, 0.0).edits == ()
    assert with_mix(SONG, T1, None, 0.5).edits == (UpdateTrack(track_id=T1, pan=0.5),)
    assert applied(SONG, with_instrument(SONG, T1, "piano_grand")).tracks[0].instrument == "piano_grand"
    assert with_instrument(SONG, T1, "pad_warm").edits == ()
    assert applied(SONG, with_loudness(SONG, -900)).loudness_target == -40.0
    assert with_loudness(SONG, -14.0).edits == ()


def test_strips_of_an_odd_song() -> None:
    pad, odd = strips_of(SONG, palette(), {T1}, (TrackLock(TrackId("t2")),))
    assert (pad.instrument, pad.solo, pad.locked, pad.moves_pan, pad.moves_volume) == (
        "Warm pad", True, False, True, False
    )
    assert (odd.instrument, odd.family, odd.locked) == ("nonsense", "", True)
    assert strip_in_words(odd, odd.volume_db, odd.pan) == (
        "Odd, nonsense, volume 0.0 dB, pan L 30, muted, locked against steps"
    )


def test_a_chain_is_changed_link_by_link() -> None:
    chain = chain_of(SONG, T1, palette())
    assert [link.label for link in chain] == ["Equaliser", "Reverb", "mystery box"]
    assert chain[1].automated == {"damping"}
    assert chain[2].strange == (("knob", 2.0),)
    assert [one.id for one in applied(SONG, moved(chain, chain[0], 2)).tracks[0].effects] == ["e2", "e3", "e1"]
    assert moved(chain, chain[0], 0).edits == ()
    assert moved(chain, chain[2], 99).edits == ()
    assert not applied(SONG, switched(chain[2])).tracks[0].effects[2].enabled
    assert len(applied(SONG, removed(chain[2])).tracks[0].effects) == 2
    hand, made = added(SONG, MASTER, palette().effect("limiter"))
    assert [one.id for one in applied(SONG, hand).master_effects] == [made]
    assert chain_of(applied(SONG, hand), MASTER, palette())[0].label == "Limiter"
    assert chain_of(SONG, TrackId("gone"), palette()) == ()


def test_turning_sets_only_what_differs_and_heals_what_was_out_of_range() -> None:
    reverb, mystery = chain_of(SONG, T1, palette())[1:]
    assert dict(applied(SONG, turned(reverb, {"mix": 0.1234})).tracks[0].effects[1].params)["mix"] == 0.12
    assert turned(reverb, {"mix": 0.4, "width": 1.0}).edits == ()
    assert dict(applied(SONG, turned(reverb, {"room_size": 3.0})).tracks[0].effects[1].params)["room_size"] == 1.0
    assert turned(mystery, {"knob": 3.0}).edits == ()


def test_a_preview_changes_only_the_effect_that_is_turned() -> None:
    heard = previewed(SONG, {EffectId("e2"): {"mix": 0.9}})
    assert dict(heard.tracks[0].effects[1].params) == {"mix": 0.9, "room_size": 3.0}
    assert heard.tracks[1] is SONG.tracks[1]
    assert previewed(SONG, {EffectId("gone"): {"mix": 0.9}}) is SONG
    assert previewed(SONG, {}) is SONG


def test_presets_fit_the_effects_that_there_are() -> None:
    kinds = {kind.name: {one.name: one for one in kind.params} for kind in palette().effects}
    for preset in factory_presets():
        for name, value in preset.values.items():
            assert not is_outside(kinds[preset.effect][name], value), preset


def test_choices_are_found_by_their_words() -> None:
    assert [one.key for one in found(effect_choices(palette()), "space ECHO")] == ["delay"]
    assert {one.group for one in effect_choices(palette())} == {"Space", "Modulation", "Dynamics", "Tone"}
    assert len(effect_choices(palette())) == len(palette().effects)
    assert "piano_grand" in [one.key for one in found(instrument_choices(palette()), "grand piano")]
    assert found(effect_choices(palette()), "zzz") == ()
