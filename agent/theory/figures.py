"""The figures by which a request is held against its result, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from types import MappingProxyType
from typing import get_args

from agent.song.ids import TrackId
from agent.song.palette import Family, Palette
from agent.song.song import Song
from agent.song.time import PPQ
from agent.theory import mixing, rhythm
from agent.theory.colours import brightness_of, energy_of, groove_of
from agent.theory.excerpts import excerpt, only, still
from agent.theory.harmony import bar_chords, chords_kept, root_agreement
from agent.theory.looping import loop_faults
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
from agent.theory.melody import melody_line, melody_track, mirrored, similarity
from agent.theory.sounding import family_tracks, kit_tracks, percussive_tracks, pitched, sounding, strokes

Figure = Callable[[Song, Song, Palette], float | str]
"""The first song is the one before the change, the second the one that is measured."""
_FAMILIES: tuple[str, ...] = get_args(Family)


def figure(
    name: str, before: Song, song: Song, palette: Palette, bars: tuple[int, int] | None = None,
    now: tuple[int, int] | None = None,
) -> float | str | None:
    """The measured value called `name` of `song`; None for an unknown name. `NAME:WHAT` measures only the tracks of a
    family, or one track by its id or name in either song; `called:NAME` counts the tracks of that name.

    Only `bars` (first and last of the song before, inclusive) are measured, None for all; `now` are the bars of `song`
    in which these lie, if elsewhere. Values that compare (melody_similarity, ...) look at `before` too.
    """
    kind, _, what = name.partition(":")
    measure = FIGURES.get(kind)
    if measure is None:
        return None
    if kind in _NAMED:
        named = song.tracks if kind == "called" else song.sections
        return float(sum(one.name == what for one in named))
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


def _fills(_: Song, song: Song, palette: Palette) -> float:
    bars = [song.bar_map.span(bar, bar) for bar in range(1, song.bars + 1)]
    return float(rhythm.fills(sounding(song, kit_tracks(song, palette)), bars))


def _with_kick(_: Song, song: Song, palette: Palette) -> float:
    """Share of the notes of basses that begin with a kick."""
    kicks = sorted(note.start for note in sounding(song, kit_tracks(song, palette)) if note.pitch in (35, 36))
    return rhythm.with_kick(sounding(song, family_tracks(song, palette, "bass")), kicks)


def _pitches(song: Song, palette: Palette) -> list[int]:
    return [note.pitch for note in pitched(song, percussive_tracks(song, palette))]


def _widest_leap(_: Song, song: Song, palette: Palette) -> float:
    """Semitones of the widest leap between the highest notes of one moment and the next."""
    notes = pitched(song, percussive_tracks(song, palette))
    line = [max(note.pitch for note in struck) for struck in strokes(notes)]
    return float(max((abs(after - before) for before, after in pairwise(line)), default=0))


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


def _on_chords(_: Song, song: Song, palette: Palette) -> float:
    """Share of the time in which accompanying parts sound tones of the stated chords, where these are stated."""
    tune = melody_track(song, palette)
    notes = [one for one in pitched(song, percussive_tracks(song, palette)) if one.track != tune]
    return chords_kept(song, notes)


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


def _same_notes(before: Song, song: Song, _: Palette) -> float:
    """Share of the notes of before that begin at the same place, with the same pitch, on the same track."""
    was, now = ({(t.id, c.start + n.start, n.pitch) for t, c in one.clips() if not t.mute for n in c.notes}
                for one in (before, song))
    return len(was & now) / len(was) if was else 1.0


def _same_rhythm(before: Song, song: Song, _: Palette) -> float:
    """Share of the moments at which a track of before begins a note, at which it still does."""
    was, now = ({(t.id, c.start + n.start) for t, c in one.clips() if not t.mute for n in c.notes}
                for one in (before, song))
    return len(was & now) / len(was) if was else 1.0


FIGURES: Mapping[str, Figure] = MappingProxyType(
    {
        "tempo": lambda _, song, __: song.bpm,
        "key": lambda _, song, __: str(song.key),
        "meter": lambda _, song, __: f"{song.meters[0].beats}/{song.meters[0].unit}",
        "name": lambda _, song, __: song.name,
        "bars": lambda _, song, __: float(song.bars),
        "seconds": lambda _, song, __: round(song.tempo_map.seconds(song.end), 3),
        "called": lambda _, song, __: float(len(song.tracks)),
        "sections_called": lambda _, song, __: float(len(song.sections)),
        "tracks": lambda _, song, __: float(len(song.tracks)),
        "notes": lambda _, song, __: float(song.note_count),
        "loop_faults": lambda _, song, __: loop_faults(song),
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
        "fills": _fills,
        "accent": lambda _, song, __: round(
            rhythm.accent(sounding(song), [song.bar_map.start_of(bar) for bar in range(1, song.bars + 1)]), 3
        ),
        "with_kick": _with_kick,
        "highest": lambda _, song, palette: float(max(_pitches(song, palette), default=0)),
        "lowest": lambda _, song, palette: float(min(_pitches(song, palette), default=0)),
        "widest_leap": _widest_leap,
        "mirrored": lambda before, song, palette: mirrored(
            *(melody_line(one, kits=percussive_tracks(one, palette)) for one in (before, song))
        ),
        "ghost_notes": lambda _, song, palette: float(
            rhythm.ghost_notes(sounding(song, kit_tracks(song, palette)))
        ),
        "pad_share": _pad_share,
        "register": lambda _, song, palette: mean_pitch(pitched(song, percussive_tracks(song, palette))),
        "loudest": lambda _, song, __: float(max((note.velocity for note in sounding(song)), default=0)),
        "velocity": lambda _, song, __: mean_velocity(sounding(song)),
        "swing": lambda _, song, __: rhythm.swing(sounding(song)),
        "groove": lambda _, song, __: groove_of(song),
        "brightness": lambda _, song, palette: brightness_of(song, palette),
        "energy": lambda _, song, __: energy_of(song),
        "looseness": lambda _, song, __: rhythm.looseness(sounding(song), song.bpm),
        "lateness": lambda _, song, __: rhythm.lateness(sounding(song), song.bpm),
        "off_quarters": lambda _, song, __: rhythm.off_grid(sounding(song), PPQ),
        "off_eighths": lambda _, song, __: rhythm.off_grid(sounding(song), PPQ // 2),
        "off_sixteenths": lambda _, song, __: rhythm.off_grid(sounding(song), PPQ // 4),
        "off_triplets": lambda _, song, __: rhythm.off_grid(sounding(song), PPQ // 3),
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
        "on_chords": _on_chords,
        "same_sounds": _same_sounds,
        "unchanged": _unchanged,
        "same_notes": _same_notes,
        "same_rhythm": _same_rhythm,
    }
)
"""All named figures: tempo in BPM, register in MIDI pitch, velocity 1-127, level in dB, shares and mixes 0-1."""

_NAMED = ("called", "sections_called")
"""Figures that count what has the name."""
_COUNTED = ("tracks", "notes")
STATED = (
    "seconds", "loudest", "with_kick", "pad_share", "wet_share", "melody_similarity", "root_agreement", "chord_change",
    "on_chords", "same_sounds", "unchanged", "highest", "lowest", "widest_leap", "mirrored", "same_notes",
    "same_rhythm",
)
"""Figures of which a value is asked, and not a part of what they were before: shares, pitches and intervals."""
