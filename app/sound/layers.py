"""What a layered instrument adds to its track: the sounds that play together, and the effects that belong to them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from agent.message import msg
from agent.song.errors import SongError
from agent.song.ids import EffectId
from agent.song.palette import Instrument, Palette, SoundLayer
from agent.song.track import Effect, Track
from app.sound.errors import SoundInputError
from app.sound.fader import Fader
from app.sound.fluid import Planar
from app.sound.part import GRID, SAMPLE_RATE, EventKind, PartLayer, SynthPart

_NOTES = (EventKind.NOTE_ON, EventKind.NOTE_OFF)
_HIGHEST = 127


def instrument_of(track: Track, palette: Palette) -> Instrument:
    """The instrument of a track. Raises `SoundInputError` for an unknown one."""
    try:
        return palette.instrument(track.instrument)
    except SongError as error:
        raise SoundInputError(
            msg("track {track!r}: {what}", track=track.name, what=error.said.what), fix=error.fix,
        ) from error


def layers_of(instrument: Instrument, palette: Palette) -> tuple[PartLayer, ...]:
    """The layers of an instrument for the synthesizer; none for one that is a preset of the bank."""
    return tuple(_layer(layer, palette.instrument(layer.instrument)) for layer in instrument.layers)


def effects_of(track: Track, palette: Palette) -> tuple[Effect, ...]:
    """All effects of a track: those of its instrument, which belong to its layers, then the track's own. Raises
    `SoundInputError` for an unknown instrument."""
    instrument = instrument_of(track, palette)
    own = tuple(
        Effect(EffectId(f"{instrument.name} {number}"), use.effect, tuple(sorted(use.params.items())))
        for number, use in enumerate(() if track.soundfont else instrument.effects)
    )
    return (*own, *track.effects)


def played_by(part: SynthPart, layer: PartLayer) -> SynthPart:
    """The part as one of its layers plays it; keys that are transposed out of range move by octaves."""
    events = tuple(
        (step + layer.late, kind, _key(number + layer.transpose) if kind in _NOTES else number, value)
        for step, kind, number, value in part.events
    )
    return SynthPart(layer.bank, layer.program, events)


def together(sounds: Sequence[tuple[PartLayer, Planar]]) -> Planar:
    """The mix of all layers with their gain and pan, as long as the longest."""
    mix = np.zeros((2, max(sound.shape[1] for _, sound in sounds)), np.float32)
    for layer, sound in sounds:
        mix[:, : sound.shape[1]] += sound * Fader(layer.gain_db, layer.pan).gains(0, 1)
    return mix


def _layer(layer: SoundLayer, sound: Instrument) -> PartLayer:
    late = round(layer.late_ms / 1000 * SAMPLE_RATE / GRID)
    return PartLayer(sound.bank, sound.program, layer.transpose, layer.cents, late, layer.gain_db, layer.pan)


def _key(key: int) -> int:
    if key < 0:
        return key % 12
    return key if key <= _HIGHEST else _HIGHEST - (_HIGHEST - key) % 12
