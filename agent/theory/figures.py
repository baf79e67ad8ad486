"""The figures by which a request is held against its result, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import get_args

from agent.song.ids import TrackId
from agent.song.palette import Family, Palette
from agent.song.song import Song
from agent.theory import mixing, rhythm
from agent.theory.colours import brightness_of, energy_of, groove_of
from agent.theory.excerpts import excerpt, only, still
from agent.theory.harmony import bar_chords, root_agreement
from agent.theory.measures import (
    attacks_per_bar,
    mean_note_beats,
    mean_pitch,
    mean_velocity,
    onsets_per_bar,
    per_bar,
    percussion_hits,
    sustained_share,
)
from agent.theory.melody import melody_line, melody_track, similarity
from agent.theory.sounding import family_tracks, kit_tracks, percussive_tracks, pitched, sounding

Figure = Callable[[Song, Song, Palette], float | str]
"""The first song is the one before the change, the second the one that is measured."""
_FAMILIES: tuple[str, ...] = get_args(Family)


def figure(
    name: str, before: Song, song: Song, palette: Palette, bars: tuple[int, int] | None = None,
    now: tuple[int, int] | None = None,
) -> float | str | None:
    """The figure of `song`; None for an unknown name.

    `NAME:WHAT` looks only at the tracks of a family, or at one track by its id or name in either song. `bars`,
    inclusive, are the stretch that is measured, `now` the same stretch of `song` where it lies elsewhere. Figures
    that compare (melody_similarity, ...) look at `before` too.
    """
    kind, _, what = name.partition(":")
    measure = FIGURES.get(kind)
    if measure is None:
        return None
    before, song = (
        excerpt(one, *place) if place else still(one) for one, place in ((before, bars), (song, now or bars))
    )
    if what:
        meant = _meant(what, before, song, palette)
        if kind in _COUNTED:
            tracks = [track for track in song.tracks if track.id in meant]
            return float(len(tracks) if kind == "tracks" else sum(track.note_count for track in tracks))
        before, song = only(before, meant), only(song, meant)
    return measure(before, song, palette)


def _meant(what: str, before: Song, song: Song, palette: Palette) -> frozenset[TrackId]:
    if what in _FAMILIES:
        names = {one.name for one in palette.instruments if one.family == what}
        return frozenset(t.id for one in (before, song) for t in one.tracks if t.instrument in names)
    found = [t.id for one in (before, song) for t in one.tracks if what in (t.id, t.name)]
    return frozenset(found[:1])


def _pad_share(_: Song, song: Song, palette: Palette) -> float:
    return sustained_share(song, family_tracks(song, palette, "pad", "strings", "choir"))


def _melody_similarity(before: Song, song: Song, palette: Palette) -> float:
    """Against the track that sings now, or the one that sang before, whichever has more of the tune."""
    old, new = melody_track(before, palette), melody_track(song, palette)
    if old is None or new is None:
        return 0.0
    line = melody_line(before, {old})
    return max(similarity(line, melody_line(song, {track})) for track in (old, new))


def _chord_change(before: Song, song: Song, palette: Palette) -> float:
    was, now = (bar_chords(one, kit_tracks(one, palette)) for one in (before, song))
    pairs = [(a, b) for a, b in zip(was, now, strict=False) if a is not None or b is not None]
    return sum(a != b for a, b in pairs) / len(pairs) if pairs else 0.0


def _same_sounds(before: Song, song: Song, _: Palette) -> float:
    """Share of the tracks of before that still have their instrument, of those that are left."""
    now = {track.id: track.instrument for track in song.tracks}
    left = [track for track in before.tracks if track.id in now]
    return sum(now[track.id] == track.instrument for track in left) / len(left) if left else 1.0


def _unchanged(before: Song, song: Song, _: Palette) -> float:
    """Share of the tracks of before that are the same in everything."""
    now = {track.id: track for track in song.tracks}
    tracks = [track for track in before.tracks if not track.mute]
    return sum(now.get(track.id) == track for track in tracks) / len(tracks) if tracks else 1.0


FIGURES: Mapping[str, Figure] = MappingProxyType(
    {
        "tempo": lambda _, song, __: song.tempos[0].bpm,
        "key": lambda _, song, __: str(song.key),
        "meter": lambda _, song, __: f"{song.meters[0].beats}/{song.meters[0].unit}",
        "name": lambda _, song, __: song.name,
        "bars": lambda _, song, __: float(song.bars),
        "seconds": lambda _, song, __: round(song.tempo_map.seconds(song.end), 3),
        "tracks": lambda _, song, __: float(len(song.tracks)),
        "notes": lambda _, song, __: float(song.note_count),
        "loudness_target": lambda _, song, __: song.loudness_target,
        "onsets_per_bar": lambda _, song, __: onsets_per_bar(song),
        "attacks_per_bar": lambda _, song, __: attacks_per_bar(song),
        "mean_note_beats": lambda _, song, palette: mean_note_beats(song, percussive_tracks(song, palette)),
        "notes_per_attack": lambda _, song, palette: rhythm.notes_per_attack(
            pitched(song, percussive_tracks(song, palette))
        ),
        "percussion_hits": lambda _, song, palette: float(
            percussion_hits(song, percussive_tracks(song, palette))
        ),
        "backbeats_per_bar": lambda _, song, palette: per_bar(
            rhythm.backbeats(sounding(song, kit_tracks(song, palette))), song.bars
        ),
        "pad_share": _pad_share,
        "register": lambda _, song, palette: mean_pitch(pitched(song, percussive_tracks(song, palette))),
        "velocity": lambda _, song, __: mean_velocity(sounding(song)),
        "swing": lambda _, song, __: rhythm.swing(sounding(song)),
        "groove": lambda _, song, __: groove_of(song),
        "brightness": lambda _, song, palette: brightness_of(song, palette),
        "energy": lambda _, song, __: energy_of(song),
        "looseness": lambda _, song, __: rhythm.looseness(sounding(song), song.tempos[0].bpm),
        "level": lambda _, song, palette: round(mixing.level(song, palette), 3),
        "pan": lambda _, song, __: round(mixing.pan(song), 3),
        "reverb": lambda _, song, palette: mixing.reverb(song, palette),
        "echo": lambda _, song, palette: mixing.echo(song, palette),
        "wetness": lambda _, song, palette: mixing.wetness(song, palette),
        "wet_share": lambda _, song, __: mixing.wet_share(song),
        "tone": lambda _, song, palette: mixing.tone(song, palette),
        "width": lambda _, song, palette: mixing.width(song, palette),
        "punch": lambda _, song, palette: mixing.punch(song, palette),
        "drive": lambda _, song, palette: mixing.drive(song, palette),
        "melody_similarity": _melody_similarity,
        "root_agreement": lambda before, song, palette: root_agreement(
            before, song, kit_tracks(before, palette) | kit_tracks(song, palette)
        ),
        "chord_change": _chord_change,
        "same_sounds": _same_sounds,
        "unchanged": _unchanged,
    }
)
"""All named figures: tempo in BPM, register in MIDI pitch, velocity 1-127, level in dB, shares and mixes 0-1."""

_COUNTED = ("tracks", "notes")
SHARES = ("pad_share", "wet_share", "melody_similarity", "root_agreement", "chord_change", "same_sounds", "unchanged")
"""Figures that are shares themselves: what is asked of them is a value, not a part of what they were before."""
