"""What the bench measures on a song, by name: each figure with the smallest change that counts as one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import log2, nan
from statistics import fmean, pstdev
from types import MappingProxyType
from typing import get_args

from msgspec import Struct
from msgspec.structs import replace

from agent.song.palette import Family, Palette
from agent.song.song import Song
from agent.song.time import PPQ
from agent.song.track import Effect, Track
from agent.theory.measures import attacks_per_bar, histogram, mean_note_beats, onsets_per_bar, sustained_share
from agent.theory.sounding import Sounding, family_tracks, kit_tracks, percussive_tracks, pitched, sounding

Measure = Callable[[Song, Palette], float]
_OPEN = 20_000.0
"""Hertz of a filter that takes nothing away."""
_SNARES = frozenset({37, 38, 39, 40})


class Figure(Struct, frozen=True):
    """`least` is the smallest change that counts: a share of before when `relative`, else a difference."""

    measure: Measure
    least: float
    relative: bool = True


def measured(name: str, song: Song, palette: Palette) -> float:
    """The figure of a song, or with `name:PART` of its tracks of that family or name; nan without such tracks."""
    kind, _, part = name.partition(":")
    if part:
        song = with_tracks(song, palette, part)
        if not song.tracks and kind not in ("tracks", "notes"):
            return nan
    return FIGURES[kind].measure(song, palette)


def with_tracks(song: Song, palette: Palette, part: str) -> Song:
    """The song with only its tracks of one family, or of one name."""
    if part in get_args(Family):
        names = {one.name for one in palette.instruments if one.family == part}
        kept = tuple(track for track in song.tracks if track.instrument in names)
    else:
        kept = tuple(track for track in song.tracks if track.name.casefold() == part.casefold())
    return replace(song, tracks=kept)


def moved(name: str, before: float, after: float) -> float:
    """How many smallest changes a figure went up (or, below 0, down)."""
    figure = FIGURES[name.partition(":")[0]]
    least = figure.least * abs(before) if figure.relative and before else figure.least
    return (after - before) / least


def brightness(song: Song, palette: Palette) -> float:
    """Pitch in octaves, strength, open filters and a major third added up: what makes music sound light.

    An octave, 32 steps of velocity and two octaves of filter weigh alike; the third weighs half of that.
    """
    colour = 0.5 * major_lean(song, palette)
    return _register(song, palette) / 12 + _velocity(song, palette) / 32 + _tone(song, palette) / 2 + colour


def energy(song: Song, palette: Palette) -> float:
    """Strokes a second, each weighed by the square of its velocity over 100."""
    seconds = _seconds(song, palette)
    return sum((note.velocity / 100) ** 2 for note in sounding(song)) / seconds if seconds else 0.0


def valence(song: Song, palette: Palette) -> float:
    """How cheerful: major or minor third, then tempo, height and strength."""
    pace = log2(song.tempos[0].bpm / 100)
    return (
        major_lean(song, palette) + pace + _register(song, palette) / 24 + _velocity(song, palette) / 64
        + _tone(song, palette) / 4
    )


def major_lean(song: Song, palette: Palette) -> float:
    """1 where only the major third of the key sounds, -1 where only the minor one does."""
    weights = histogram(pitched(song, kit_tracks(song, palette)))
    tonic = song.key.pitch_class
    major, minor = weights[(tonic + 4) % 12], weights[(tonic + 3) % 12]
    return (major - minor) / (major + minor) if major + minor else 0.0


def groove(song: Song, _: Palette) -> float:
    """Depth of the places in the beat that are played, delayed offbeats, and accents, added up.

    The beat is 0 deep, its half 1, a quarter or a third of it 2.
    """
    notes = sounding(song)
    if not notes:
        return 0.0
    depth = fmean(_depth(note.start) for note in notes)
    return depth + 4 * swing(notes) + pstdev([note.velocity for note in notes]) / 40


def swing(notes: tuple[Sounding, ...]) -> float:
    """Mean delay of the offbeat eighths or sixteenths, in beats, whichever is larger; 0 when straight."""
    delays = []
    for grid in (PPQ, PPQ // 2):
        late = [note.start % grid - grid // 2 for note in notes if abs(note.start % grid - grid // 2) <= grid // 5]
        delays.append(fmean(late) / PPQ if late else 0.0)
    return max(0.0, *delays)


def looseness(song: Song, _: Palette) -> float:
    """Mean distance, in milliseconds, of the onsets from the nearest sixteenth or triplet."""
    notes = sounding(song)
    off = [min(_distance(note.start, PPQ // 4), _distance(note.start, PPQ // 6)) for note in notes]
    return fmean(off) * 60_000 / (song.tempos[0].bpm * PPQ) if off else 0.0


def notes_per_attack(song: Song, palette: Palette) -> float:
    """Pitched notes for each moment at which any begins."""
    notes = pitched(song, kit_tracks(song, palette))
    return len(notes) / len({note.start // 60 for note in notes}) if notes else 0.0


def _distance(at: int, grid: int) -> int:
    return min(at % grid, -at % grid)


def _depth(at: int) -> int:
    """How deep in the beat a moment lies, to the nearest 1/24 of a beat."""
    place = round(at % PPQ * 24 / PPQ) % 24
    return 0 if place in (23, 0, 1) else 1 if place in (11, 12, 13) else 2


def _register(song: Song, palette: Palette) -> float:
    notes = pitched(song, kit_tracks(song, palette))
    weight = sum(note.beats for note in notes)
    return sum(note.pitch * note.beats for note in notes) / weight if weight else 0.0


def _velocity(song: Song, _: Palette) -> float:
    notes = sounding(song)
    return fmean(note.velocity for note in notes) if notes else 0.0


def _seconds(song: Song, _: Palette) -> float:
    return song.tempo_map.seconds(song.end)


def _hits(song: Song, palette: Palette) -> float:
    return len(sounding(song, percussive_tracks(song, palette))) / song.bars if song.bars else 0.0


def _backbeats(song: Song, palette: Palette) -> float:
    """Strong strokes of snare or clap for each bar."""
    strokes = [note for note in sounding(song, kit_tracks(song, palette)) if note.pitch in _SNARES]
    return len([note for note in strokes if note.velocity >= 60]) / song.bars if song.bars else 0.0


def _pad_share(song: Song, palette: Palette) -> float:
    return sustained_share(song, family_tracks(song, palette, "pad", "strings", "choir", "organ"))


def _params(track: Track, *names: str) -> Iterator[tuple[Effect, dict[str, float]]]:
    return ((fx, dict(fx.params)) for fx in track.effects if fx.enabled and fx.name in names)


def _mix_of(*names: str) -> Measure:
    """Mean over the tracks of how much of these effects they have."""

    def measure(song: Song, _: Palette) -> float:
        mixes = [max((p.get("mix", 0.3) for _, p in _params(track, *names)), default=0.0) for track in song.tracks]
        return fmean(mixes) if mixes else 0.0

    return measure


def _wet_share(song: Song, _: Palette) -> float:
    wet = [any(True for _ in _params(track, "reverb", "delay")) for track in song.tracks]
    return sum(wet) / len(wet) if wet else 0.0


def _tone(song: Song, _: Palette) -> float:
    """Octaves that filters take off the top, and gain on the highs with 12 dB as one octave; tracks and mix."""
    tones = [_tone_of(track.effects) for track in song.tracks if track.note_count]
    return (fmean(tones) if tones else 0.0) + _tone_of(song.master_effects)


def _tone_of(effects: tuple[Effect, ...]) -> float:
    total = 0.0
    for effect in effects:
        params = dict(effect.params)
        if effect.enabled and effect.name == "lowpass":
            total += log2(min(_OPEN, params.get("cutoff", 8_000.0)) / _OPEN)
        elif effect.enabled and effect.name == "eq":
            total += params.get("high_gain", 0.0) / 12
        elif effect.enabled and effect.name == "highpass":
            total += log2(max(20.0, params.get("cutoff", 80.0)) / 20.0) / 8
    return total


def _level(song: Song, _: Palette) -> float:
    gains = [
        track.volume_db + sum(p.get("gain", 0.0) for _, p in _params(track, "gain")) for track in song.tracks
    ]
    return fmean(gains) if gains else nan


def _width(song: Song, _: Palette) -> float:
    """Mean distance from the middle, with what chorus and wide reverbs add."""
    wide = _mix_of("chorus")
    return (fmean(abs(track.pan) for track in song.tracks) if song.tracks else 0.0) + wide(song, _)


def _punch(song: Song, _: Palette) -> float:
    """Effects that press or drive, of the tracks and the mix: one point each, weighed by their strength."""
    chains = [track.effects for track in song.tracks] + [song.master_effects]
    pressed = 0.0
    for effect in (effect for chain in chains for effect in chain if effect.enabled):
        params = dict(effect.params)
        pressed += (effect.name == "compressor") * params.get("ratio", 4.0) / 4
        pressed += (effect.name == "distortion") * params.get("drive", 12.0) / 12
    return pressed


FIGURES: Mapping[str, Figure] = MappingProxyType(
    {
        "tempo": Figure(lambda song, _: song.tempos[0].bpm, 0.02),
        "seconds": Figure(_seconds, 0.02),
        "bars": Figure(lambda song, _: float(song.bars), 1.0, relative=False),
        "tracks": Figure(lambda song, _: float(sum(1 for track in song.tracks if track.note_count)), 1.0, False),
        "notes": Figure(lambda song, _: float(song.note_count), 0.02),
        "onsets_per_bar": Figure(lambda song, _: onsets_per_bar(song), 0.05),
        "attacks_per_bar": Figure(lambda song, _: attacks_per_bar(song), 0.05),
        "hits_per_bar": Figure(_hits, 0.05),
        "backbeats_per_bar": Figure(_backbeats, 0.1),
        "mean_note_beats": Figure(lambda song, palette: mean_note_beats(song, kit_tracks(song, palette)), 0.05),
        "register": Figure(_register, 0.5, relative=False),
        "velocity": Figure(_velocity, 0.02),
        "pad_share": Figure(_pad_share, 0.05, relative=False),
        "wet": Figure(_mix_of("reverb", "delay"), 0.02, relative=False),
        "wet_share": Figure(_wet_share, 0.05, relative=False),
        "reverb": Figure(_mix_of("reverb"), 0.03, relative=False),
        "echo": Figure(_mix_of("delay"), 0.03, relative=False),
        "tone": Figure(_tone, 0.1, relative=False),
        "level": Figure(_level, 0.5, relative=False),
        "pan": Figure(lambda song, _: fmean(track.pan for track in song.tracks), 0.1, relative=False),
        "width": Figure(_width, 0.03, relative=False),
        "punch": Figure(_punch, 0.1, relative=False),
        "notes_per_attack": Figure(notes_per_attack, 0.05),
        "looseness": Figure(looseness, 1.0, relative=False),
        "groove": Figure(groove, 0.03, relative=False),
        "energy": Figure(energy, 0.05),
        "brightness": Figure(brightness, 0.1, relative=False),
        "valence": Figure(valence, 0.1, relative=False),
    }
)
"""All figures: tempo in BPM, level in dB, register in MIDI pitch, shares and mixes 0-1."""
