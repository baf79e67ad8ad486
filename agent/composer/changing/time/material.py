"""Material: bars of a song taken out of it and played another way, for stretches that are new."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

from agent.composer.changing.time.timeline import piece_of
from agent.composer.tones import SHORTEST, STEP, Tone
from agent.song.chord import Chord
from agent.song.song import Song
from agent.song.track import Automation, Track
from agent.theory.voicing import voice

KICK, CRASH = 36, 49
SNARES = (38, 40, 39, 37)
HATS = (42, 44, 46, 51, 53, 54, 69, 70, 82)
_TOMS = (50, 50, 47, 47, 45, 45, 43, 43)


def taken(track: Track, start: int, end: int) -> list[Tone]:
    """The notes of a track that belong to the stretch from `start` to `end`, as tones in ticks of the song, cut at its
    end."""
    tones = []
    for clip in track.clips:
        piece = piece_of(clip, start, end)
        if piece is not None:
            tones += [Tone(piece.start + n.start, n.pitch, n.duration, n.velocity) for n in piece.notes]
    return sorted(tones)


def moved(tones: Iterable[Tone], by: int) -> list[Tone]:
    """The tones moved by `by` ticks."""
    return [Tone(t.start + by, t.pitch, t.length, t.velocity) for t in tones]


def tiled(tones: Sequence[Tone], start: int, length: int, to: int, end: int) -> list[Tone]:
    """The tones within `length` ticks of `start`, repeated from `to` to `end` and cut there."""
    laid: list[Tone] = []
    for at in range(to, end, max(1, length)):
        for tone in tones:
            begin = tone.start - start + at
            if begin < end:
                laid.append(Tone(begin, tone.pitch, min(tone.length, end - begin), tone.velocity))
    return laid


def within(tones: Iterable[Tone], start: int, end: int) -> list[Tone]:
    """The tones that begin from `start` up to `end` (not included), cut there."""
    return [
        Tone(t.start, t.pitch, min(t.length, end - t.start), t.velocity)
        for t in tones
        if start <= t.start < end and min(t.end, end) - t.start >= min(SHORTEST, t.length)
    ]


def ramped(tones: Iterable[Tone], start: int, end: int, first: float, last: float) -> list[Tone]:
    """The tones with velocities multiplied by a factor that goes from `first` to `last` along the stretch."""
    rise = (last - first) / (end - start)
    return [
        Tone(t.start, t.pitch, t.length, _loud(t.velocity * (first + rise * (t.start - start)))) for t in tones
    ]


def mean_velocity(tones: Sequence[Tone], otherwise: int = 80) -> int:
    """The mean velocity of the tones; `otherwise` without any."""
    return sum(t.velocity for t in tones) // len(tones) if tones else otherwise


def mean_pitch(tones: Sequence[Tone], otherwise: int = 60) -> int:
    """The mean pitch of the tones; `otherwise` without any."""
    return sum(t.pitch for t in tones) // len(tones) if tones else otherwise


def snare_of(tones: Iterable[Tone]) -> int:
    """The snare pitch that the beat uses most; the usual one if it uses none."""
    counts = dict.fromkeys(SNARES, 0)
    for tone in tones:
        if tone.pitch in counts:
            counts[tone.pitch] += 1
    return max(SNARES, key=lambda pitch: (counts[pitch], -SNARES.index(pitch)))


def filled(beat: Sequence[Tone], usual: Sequence[Tone], begin: int, end: int) -> list[Tone]:
    """The beat with a fill from `begin` to `end`: snare, then descending toms, crescendo. `usual` is a sample of the
    groove for its level and its snare."""
    level, snare = mean_velocity([t for t in usual if t.pitch not in HATS] or usual), snare_of(usual)
    steps = max(1, (end - begin) // STEP)
    fill = [Tone(begin, KICK, STEP, _loud(level * 0.95))]
    for step in range(steps):
        if steps >= 6 and step in (1, 5):
            continue
        share = step / steps
        pitch = snare if share < 0.5 else _TOMS[int((share - 0.5) * 2 * len(_TOMS))]
        accent = 0.08 if step % 4 == 0 else 0.0
        fill.append(Tone(begin + step * STEP, pitch, STEP // 2, _loud(level * (0.72 + 0.3 * share + accent))))
    return [*(tone for tone in beat if tone.start < begin - SHORTEST), *fill]


def rolled(usual: Sequence[Tone], start: int, end: int) -> list[Tone]:
    """A crescendo snare roll in quarters, eighths, then sixteenths; `usual` is a sample of the groove for its level and
    its snare."""
    level, snare = mean_velocity([t for t in usual if t.pitch not in HATS] or usual), snare_of(usual)
    tones, at = [], start
    while at < end:
        share = (at - start) / (end - start)
        tones.append(Tone(at, snare, STEP // 2, _loud(level * (0.5 + 0.55 * share))))
        at += STEP * (4 if share < 0.5 else 2 if share < 0.75 else 1)
    return tones


def revoiced(tones: Sequence[Tone], chord: Chord, previous: tuple[int, ...] | None, top: bool = False) -> list[Tone]:
    """The tones of struck or broken chords moved to another chord, with their rhythm and voice leading from the pitches
    of `previous` (None: none). `top` voices the chord slightly higher.

    Low stays low and high stays high, so that an arpeggio keeps its shape.
    """
    if not tones:
        return []
    pitches = sorted({tone.pitch for tone in tones})
    size = max(2, min(5, len(pitches)))
    centre = pitches[len(pitches) // 2] + (3 if top else 0)
    shape = voice(chord, centre, previous, max(0, centre - 19), min(127, centre + 19), voices=size)
    place = {pitch: min(len(shape) - 1, number * len(shape) // len(pitches)) for number, pitch in enumerate(pitches)}
    made: dict[tuple[int, int], Tone] = {}
    for tone in tones:
        new = Tone(tone.start, shape[place[tone.pitch]], tone.length, tone.velocity)
        made.setdefault((new.start, new.pitch), new)
    return sorted(made.values())


def arpeggiated(held: Sequence[Tone], step: int) -> list[Tone]:
    """Held chords turned into single notes every `step` ticks, up and down."""
    tones: list[Tone] = []
    edges = sorted({tone.start for tone in held} | {tone.end for tone in held})
    for begin, end in itertools.pairwise(edges):
        chord = sorted((tone for tone in held if tone.start <= begin < tone.end), key=lambda tone: tone.pitch)
        order = [*chord, *chord[-2:0:-1]]
        for number, at in enumerate(range(begin, end, step) if order else ()):
            tone = order[number % len(order)]
            louder = 4 if number % len(order) == 0 else -(number % 3) * 2
            tones.append(Tone(at, tone.pitch, min(step, end - at), _loud(tone.velocity + louder)))
    return tones


def ending_start(song: Song, kits: Iterable[str]) -> int:
    """The tick where the song's ending begins: its last held chord, or its fade-out; the end of the last bar if it has
    none."""
    bars = song.bar_map
    end = int(bars.start_of(song.bars + 1))
    fades = [at for track in song.tracks if (at := fade_point(track, song, end)) is not None]
    if fades:
        return min(fades)
    drums = frozenset(kits)
    for count in (4, 3, 2, 1):
        if song.bars > count and _rings(song, drums, int(bars.start_of(song.bars + 1 - count)), end):
            return int(bars.start_of(song.bars + 1 - count))
    return end


def _rings(song: Song, drums: frozenset[str], start: int, end: int) -> bool:
    """Whether nothing begins in a stretch after its first moment, and something pitched is held through most of it."""
    held = False
    for track, clip in song.clips():
        for note in clip.notes:
            begin, stop = clip.start + note.start, clip.start + note.end
            if begin >= start + 2 * STEP and not (track.id in drums and note.velocity < 30):
                return False
            if begin >= start - STEP // 2 and track.id not in drums:
                held = held or 2 * (stop - begin) >= end - start
    return held


def fade_point(track: Track, song: Song, end: int) -> int | None:
    """The tick of the bar line where a track's final fade-out begins; None if it has none."""
    for lane in track.automation:
        first = fading_from(lane, end)
        if first is not None:
            return int(song.bar_map.start_of(song.bar_map.bar_at(min(lane.points[first].at, end - 1))))
    return None


def fading_from(lane: Automation, end: int) -> int | None:
    """The index of the point from which an automation lane falls until the end of the song; None if it does not."""
    points = lane.points
    if lane.target not in ("expression", "volume_db") or len(points) < 2 or points[-1].at < end - 8 * 3840:
        return None
    first = len(points) - 1
    while first and points[first - 1].value > points[first].value:
        first -= 1
    fall = points[first].value - points[-1].value
    return first if fall >= (40 if lane.target == "expression" else 12) else None


def _loud(velocity: float) -> int:
    return max(1, min(127, round(velocity)))
