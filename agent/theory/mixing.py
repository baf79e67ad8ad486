"""What the mix of a song measures like: level, place, space, tone, width, punch, drive; muted tracks do not count."""

from __future__ import annotations

from collections.abc import Iterable
from math import log2
from statistics import fmean

from agent.song.palette import Palette
from agent.song.song import Song
from agent.song.track import Effect, Track

REVERBS = ("reverb", "room")
"""The effects that put a sound into a room; each has a `mix`."""

_OPEN, _DEEP = 20_000.0, 20.0
"""Hertz at which a lowpass and a highpass take nothing away."""
_OCTAVE_OF_GAIN = 12.0
"""Decibels on the highs that weigh as much as an octave of filter."""


def heard_tracks(song: Song) -> tuple[Track, ...]:
    """The tracks that play something and are not muted."""
    return tuple(track for track in song.tracks if track.note_count and not track.mute)


def level(song: Song, palette: Palette) -> float:
    """Mean fader of the tracks in dB, with the gains in their chains."""
    return _mean(track.volume_db + total(track.effects, palette, "gain", "gain") for track in heard_tracks(song))


def pan(song: Song) -> float:
    """Mean place of the tracks, -1 (left) to 1."""
    return _mean(track.pan for track in heard_tracks(song))


def reverb(song: Song, palette: Palette) -> float:
    """Mean reverb of the tracks (its mix, 0-1), and that of the whole mix."""
    return sum(_share_of(song, palette, name) for name in REVERBS)


def echo(song: Song, palette: Palette) -> float:
    """Mean echo of the tracks (its mix, 0-1), and that of the whole mix."""
    return _share_of(song, palette, "delay")


def wetness(song: Song, palette: Palette) -> float:
    """Reverb and echo together."""
    return reverb(song, palette) + echo(song, palette)


def wet_share(song: Song) -> float:
    """Share of all tracks that have reverb or echo, 0-1."""
    wet = [any(fx.enabled and fx.name in (*REVERBS, "delay") for fx in track.effects) for track in song.tracks]
    return _mean(float(one) for one in wet)


def tone(song: Song, palette: Palette) -> float:
    """Octaves that filters and equalisers add on top or take off: 0 untouched, negative darker."""
    return _mean(_tone(track.effects, palette) for track in heard_tracks(song)) + _tone(song.master_effects, palette)


def width(song: Song, palette: Palette) -> float:
    """Mean distance of the tracks from the middle, with what chorus spreads."""
    tracks = heard_tracks(song)
    return _mean(abs(track.pan) for track in tracks) + _share_of(song, palette, "chorus")


def punch(song: Song, palette: Palette) -> float:
    """Compression, each compressor by its ratio over 4: mean of the tracks, and that of the whole mix."""
    return _of(song, palette, "compressor", "ratio") / 4


def drive(song: Song, palette: Palette) -> float:
    """Distortion, each by its drive over 12 dB: mean of the tracks, and that of the whole mix."""
    return _of(song, palette, "distortion", "drive") / 12


def total(chain: Iterable[Effect], palette: Palette, name: str, param: str) -> float:
    """A parameter added up over the effects of that name that are switched on."""
    return sum(value_of(effect, param, palette) for effect in chain if effect.enabled and effect.name == name)


def value_of(effect: Effect, param: str, palette: Palette) -> float:
    """A parameter of an effect, its default where it is not set; 0 for one that does not exist."""
    set_to = dict(effect.params)
    if param in set_to:
        return set_to[param]
    kinds = (kind for kind in palette.effects if kind.name == effect.name)
    return next((one.default for kind in kinds for one in kind.params if one.name == param), 0.0)


def _share_of(song: Song, palette: Palette, name: str) -> float:
    return _of(song, palette, name, "mix")


def _of(song: Song, palette: Palette, name: str, param: str) -> float:
    tracks = _mean(total(track.effects, palette, name, param) for track in heard_tracks(song))
    return tracks + total(song.master_effects, palette, name, param)


def _tone(chain: Iterable[Effect], palette: Palette) -> float:
    octaves = 0.0
    for effect in chain:
        if not effect.enabled:
            continue
        if effect.name == "lowpass":
            octaves += log2(min(_OPEN, max(_DEEP, value_of(effect, "cutoff", palette))) / _OPEN)
        elif effect.name == "highpass":
            octaves += log2(max(_DEEP, value_of(effect, "cutoff", palette)) / _DEEP) / 8
        elif effect.name == "eq":
            lows = value_of(effect, "low_gain", palette)
            octaves += (value_of(effect, "high_gain", palette) - lows / 2) / _OCTAVE_OF_GAIN
    return octaves


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return fmean(found) if found else 0.0
