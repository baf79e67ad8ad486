"""The colour of a song in figures: how bright it sounds, how much energy it has, how it grooves."""

from __future__ import annotations

from collections.abc import Sequence
from math import log2
from typing import TypeAlias

from agent.song.palette import Palette
from agent.song.song import Song
from agent.song.track import Track
from agent.theory.rhythm import groove
from agent.theory.sounding import Sounding, kit_tracks, sounding

Spans: TypeAlias = Sequence[tuple[int, int]] | None
_OPEN = 18_000.0
"""Cutoff in Hz from which a lowpass takes nothing away."""
_USUAL = 4_000.0
"""Cutoff of a lowpass that states none."""
_PER_OCTAVE = 2.0
_PER_DB = 0.3
_CYMBALS = frozenset({42, 44, 46, 49, 51, 52, 53, 55, 57, 59, 54, 69, 70, 82})
_HISS = 6.0


def brightness_of(song: Song, palette: Palette, spans: Spans = None) -> float:
    """Mean height in semitones (MIDI pitch), weighted by loudness and length, with the tone of effects.

    A lowpass counts two semitones down for each octave it takes away, high shelves 0.3 a dB; cymbals add up to six by
    their share of all strokes of the drums. 0 for a song without notes. With `spans`, (start, end) in ticks, only notes
    that begin in them count.
    """
    kits = kit_tracks(song, palette)
    tones = {track.id: _tone(track) for track in song.tracks}
    weight = height = cymbals = strokes = 0.0
    for note in _notes(song, spans):
        loud = note.velocity / 127
        if note.track in kits:
            strokes += loud
            cymbals += loud * (note.pitch in _CYMBALS)
        else:
            mass = loud * loud * note.beats
            weight += mass
            height += mass * (note.pitch + tones[note.track])
    hiss = _HISS * cymbals / strokes if strokes else 0.0
    return height / weight + hiss if weight else hiss


def energy_of(song: Song, spans: Spans = None) -> float:
    """Loud attacks a second: every note counts (velocity / 127)², over the seconds of the song; 0 without notes. With
    `spans`, in ticks, only notes that begin in them count."""
    clock = song.tempo_map.seconds
    seconds = sum(clock(end) - clock(start) for start, end in (spans if spans is not None else ((0, song.end),)))
    return sum((note.velocity / 127) ** 2 for note in _notes(song, spans)) / seconds if seconds > 0 else 0.0


def groove_of(song: Song, spans: Spans = None) -> float:
    """Groove: how far off the beat the notes lie, their swing, and their accents; 0 is a march, 2 is strong. With
    `spans`, in ticks, only notes that begin in them count."""
    return groove(_notes(song, spans))


def _notes(song: Song, spans: Spans) -> tuple[Sounding, ...]:
    notes = sounding(song)
    if spans is None:
        return notes
    return tuple(note for note in notes if any(start <= note.start < end for start, end in spans))


def _tone(track: Track) -> float:
    """Semitones that effects add or take."""
    total = 0.0
    for effect in track.effects:
        params = dict(effect.params)
        if not effect.enabled:
            continue
        if effect.name == "lowpass":
            cutoff = float(params.get("cutoff", _USUAL))
            total -= _PER_OCTAVE * max(0.0, log2(_OPEN / max(20.0, cutoff)))
        elif effect.name == "eq":
            total += _PER_DB * float(params.get("high_gain", 0.0))
    return total
