"""The style that a song is nearest to, for what is added to it without naming one."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from msgspec import Struct

from agent.composer.changing.hearing.feel_heard import feel_of
from agent.composer.styles import Style, StyleBook
from agent.composer.tones import STEP
from agent.song.palette import Palette
from agent.song.song import Song
from agent.song.time import PPQ
from agent.theory.sounding import percussive_tracks, sounding

_WEIGHTS = {"tempo": 2.0, "meter": 2.0, "feel": 2.5, "sounds": 3.0, "families": 1.5, "beat": 1.5}
_SWUNG = 0.2
"""Share of its grid from which a style or song swings."""


class _Traits(Struct, frozen=True):
    """What a song is like, in the terms of styles."""

    bpm: float
    meter: tuple[int, int]
    swing: float
    grid: int
    instruments: frozenset[str]
    families: frozenset[str]
    hits: float
    """Drum hits for each bar."""


def nearest_style(song: Song, palette: Palette, styles: StyleBook) -> Style:
    """The style that fits a song best by tempo, meter, swing, instruments and density of drums.

    On a tie the first in the book; the book must not be empty.
    """
    traits = _traits(song, palette)
    families = {instrument.name: instrument.family for instrument in palette.instruments}
    return max(styles.styles, key=lambda style: _likeness(traits, style, families))


def _traits(song: Song, palette: Palette) -> _Traits:
    known = {instrument.name: instrument.family for instrument in palette.instruments}
    playing = [track for track in song.tracks if track.note_count and not track.mute]
    feel = feel_of(song)
    meter = song.meters[0]
    hits = len(sounding(song, percussive_tracks(song, palette)))
    return _Traits(
        song.bpm, (meter.beats, meter.unit), feel.swing, feel.grid,
        frozenset(track.instrument for track in playing),
        frozenset(known[track.instrument] for track in playing if track.instrument in known),
        hits / song.bars if song.bars else 0.0,
    )


def _likeness(song: _Traits, style: Style, families: Mapping[str, str]) -> float:
    own = {name for part in style.parts for name in part.instruments}
    kinds = {families[name] for name in own if name in families}
    parts = {
        "tempo": _tempo(song.bpm, style),
        "meter": 1.0 if song.meter == style.meter else 0.6 if song.meter in style.meters else 0.0,
        "feel": _feel(song, style),
        "sounds": _share(song.instruments, own),
        "families": _share(song.families, kinds),
        "beat": _beat(song, style),
    }
    return sum(_WEIGHTS[name] * value for name, value in parts.items())


def _tempo(bpm: float, style: Style) -> float:
    low, high = style.tempo
    away = max(low - bpm, bpm - high, 0.0)
    return max(0.0, 1 - away / 40)


def _feel(song: _Traits, style: Style) -> float:
    swung = style.swing >= _SWUNG
    if (song.swing >= _SWUNG) != swung:
        return 0.0
    return 1.0 if not swung or song.grid == round(style.swing_beats * PPQ) else 0.3


def _share(played: Collection[str], own: Collection[str]) -> float:
    return len(set(played) & set(own)) / len(played) if played else 0.0


def _beat(song: _Traits, style: Style) -> float:
    if not style.grooves:
        return 0.0 if song.hits else 0.5
    if not song.hits:
        return 0.5
    size = max(1, round(style.meter[0] * 4 * PPQ / style.meter[1] / STEP))
    usual = [
        sum(mark not in ".-| " for text in groove.lines.values() for mark in text)
        * size / max(1, max(sum(mark not in "| " for mark in text) for text in groove.lines.values()))
        for groove in style.grooves
        if not groove.name and groove.lines
    ]
    away = min((abs(hits - song.hits) for hits in usual), default=20.0)
    return max(0.0, 1 - away / 20)
