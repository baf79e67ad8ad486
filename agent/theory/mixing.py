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
    """The tracks that have notes and are not muted."""
    return tuple(track for track in song.tracks if track.note_count and not track.mute)


def level(song: Song, palette: Palette) -> float:
    """Mean level of the audible tracks in dB: fader and gain effects."""
    return _mean(track.volume_db + total(track.effects, palette, "gain", "gain") for track in heard_tracks(song))


def pan(song: Song) -> float:
    """Mean pan of the audible tracks, -1 (left) to 1."""
    return _mean(track.pan for track in heard_tracks(song))


def reverb(song: Song, palette: Palette) -> float:
    """Mean mix of the audible tracks' reverbs (0 to 1), plus that of the master's."""
    return sum(_share_of(song, palette, name) for name in REVERBS)


def echo(song: Song, palette: Palette) -> float:
    """Mean mix of the audible tracks' delays (0 to 1), plus that of the master's."""
    return _share_of(song, palette, "delay")


def wetness(song: Song, palette: Palette) -> float:
    """The sum of `reverb` and `echo`."""
    return reverb(song, palette) + echo(song, palette)


def wet_share(song: Song) -> float:
    """Share of all tracks that have reverb or echo, 0-1."""
    wet = [any(fx.enabled and fx.name in (*REVERBS, "delay") for fx in track.effects) for track in song.tracks]
    return _mean(float(one) for one in wet)


def tone(song: Song, palette: Palette) -> float:
    """Octaves by which filters and equalisers brighten (above 0) or darken (below 0) the mix; 0 without any."""
    return _mean(_tone(track.effects, palette) for track in heard_tracks(song)) + _tone(song.master_effects, palette)


def width(song: Song, palette: Palette) -> float:
    """Mean distance of the tracks from the centre (0 to 1), plus the mix of their chorus effects."""
    tracks = heard_tracks(song)
    return _mean(abs(track.pan) for track in tracks) + _share_of(song, palette, "chorus")


def punch(song: Song, palette: Palette) -> float:
    """Compression as the sum of ratios / 4: mean of the tracks, plus the master's."""
    return _of(song, palette, "compressor", "ratio") / 4


def drive(song: Song, palette: Palette) -> float:
    """Distortion as the sum of drives in dB / 12: mean of the tracks, plus the master's."""
    return _of(song, palette, "distortion", "drive") / 12


def total(chain: Iterable[Effect], palette: Palette, name: str, param: str) -> float:
    """The sum of the parameter `param` over the switched-on effects called `name` in the chain."""
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
