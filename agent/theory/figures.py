"""The figures by which a request is held against its result, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from agent.song.palette import Palette
from agent.song.song import Song
from agent.theory.harmony import root_agreement
from agent.theory.measures import mean_note_beats, onsets_per_bar, percussion_hits, sustained_share
from agent.theory.melody import melody_line, melody_track, similarity
from agent.theory.sounding import family_tracks, kit_tracks, percussive_tracks, sounding

Figure = Callable[[Song, Song, Palette], float | str]
"""The first song is the one before the change, the second the one that is measured."""


def figure(name: str, before: Song, song: Song, palette: Palette) -> float | str | None:
    """The figure of `song`; `tracks:FAMILY` counts tracks, `notes:FAMILY` notes; None for an unknown name.

    Figures that compare (melody_similarity, root_agreement) look at `before` too.
    """
    kind, _, family = name.partition(":")
    if family and kind in ("tracks", "notes"):
        found = [
            track
            for track in song.tracks
            if any(one.name == track.instrument and one.family == family for one in palette.instruments)
        ]
        return float(len(found) if kind == "tracks" else sum(track.note_count for track in found))
    measure = FIGURES.get(name)
    return None if measure is None else measure(before, song, palette)


def _pad_share(_: Song, song: Song, palette: Palette) -> float:
    return sustained_share(song, family_tracks(song, palette, "pad", "strings", "choir"))


def _register(_: Song, song: Song, palette: Palette) -> float:
    kits = kit_tracks(song, palette)
    pitches = [note.pitch for note in sounding(song) if note.track not in kits]
    return sum(pitches) / len(pitches) if pitches else 0.0


def _velocity(_: Song, song: Song, __: Palette) -> float:
    velocities = [note.velocity for note in sounding(song)]
    return sum(velocities) / len(velocities) if velocities else 0.0


def _wet_share(_: Song, song: Song, __: Palette) -> float:
    wet = [track for track in song.tracks if any(fx.name in ("reverb", "delay") for fx in track.effects)]
    return len(wet) / len(song.tracks) if song.tracks else 0.0


def _melody_similarity(before: Song, song: Song, palette: Palette) -> float:
    old, new = melody_track(before, palette), melody_track(song, palette)
    if old is None or new is None:
        return 0.0
    return similarity(melody_line(before, {old}), melody_line(song, {new}))


FIGURES: Mapping[str, Figure] = MappingProxyType(
    {
        "tempo": lambda _, song, __: song.tempos[0].bpm,
        "key": lambda _, song, __: str(song.key),
        "meter": lambda _, song, __: f"{song.meters[0].beats}/{song.meters[0].unit}",
        "bars": lambda _, song, __: float(song.bars),
        "tracks": lambda _, song, __: float(len(song.tracks)),
        "loudness_target": lambda _, song, __: song.loudness_target,
        "onsets_per_bar": lambda _, song, __: onsets_per_bar(song),
        "mean_note_beats": lambda _, song, palette: mean_note_beats(song, kit_tracks(song, palette)),
        "percussion_hits": lambda _, song, palette: float(
            percussion_hits(song, percussive_tracks(song, palette))
        ),
        "pad_share": _pad_share,
        "register": _register,
        "velocity": _velocity,
        "wet_share": _wet_share,
        "melody_similarity": _melody_similarity,
        "root_agreement": lambda before, song, palette: root_agreement(
            before, song, kit_tracks(before, palette) | kit_tracks(song, palette)
        ),
    }
)
"""All named figures: tempo in BPM, register in MIDI pitch, velocity 1-127, shares 0-1."""

SHARES = ("pad_share", "wet_share", "melody_similarity", "root_agreement")
"""Figures that are shares themselves: what is asked of them is a value, not a part of what they were before."""
