"""How a piece is played: fills, ghost notes, articulation, breath, strums, rolls, swells and phrases."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from statistics import fmean, median

from msgspec import Struct

from agent.song.palette import Instrument, Palette
from agent.song.song import Song
from agent.song.time import PPQ
from agent.song.track import Track

STEP = PPQ // 4
_BOWED, _BLOWN = ("strings", "choir"), ("woodwind", "brass", "choir")
_STRUMMED = ("guitar", "pluck")
_STRUCK = ("piano", "keys")
_KIT = frozenset({35, 36, 37, 38, 39, 40, 42, 44, 46, 51})
_TOGETHER = 60
"""Ticks in which notes begin that are one chord."""
_LEADS = 100
"""Ticks between two notes of a line up to which one leads to the other."""
_ALONE = 0.8
"""Share of its onsets from which on a track is a line of one voice."""
_GHOST = 0.62
"""Share of a kit's usual accent below which a stroke is a ghost note."""
_QUICK_MS, _SLUR = 330.0, 2
"""Up to this time to the next note one is short, and up to so many semitones a line goes on by step."""
_REST_MS, _LASTING, _RISE = 120.0, PPQ * 9 // 8, 60.0
_PHRASE = 4
_HELD, _BOUND = 1.5 * PPQ, 0.65
"""The mean length of notes that are held, and the share of the time that bound ones sound, rests of phrases apart."""


class Row(Struct, frozen=True, order=True):
    """A note in song time."""

    start: int
    pitch: int
    length: int
    velocity: int

    @property
    def end(self) -> int:
        """First tick after it."""
        return self.start + self.length


class Playing(Struct, frozen=True):
    """The figures of one piece; None where it has nothing that could show one.

    `fills`: section changes that the kit leads into, of those that it could. `ghosts`: ghost strokes in a bar of the
    kit. `bound`: share of the notes of bowed and sung lines that reach into the next, without short ones that leap.
    `slurred`, `apart`, `long`: how much of the time to the next note a note of a bowed, sung or blown line sounds: a
    short one that goes on by step, a short one that leaps or comes again, one of a beat and more. `breath`: the longest
    stretch of a blown or sung line without one, in seconds. `strum`, `roll`: milliseconds from the first note of a
    chord to its last, guitars and plucked ones, and keys where they last. `arch`: by how much the middle of four bars
    is louder than their edges, in steps of velocity. `backbeat`: milliseconds by which the snare comes after the
    kick's place. `swelling`: tracks that swell, of those that should.
    """

    fills: tuple[int, int] = (0, 0)
    ghosts: float | None = None
    bound: float | None = None
    slurred: float | None = None
    apart: float | None = None
    long: float | None = None
    breath: float | None = None
    strum: float | None = None
    roll: float | None = None
    arch: float | None = None
    backbeat: float | None = None
    swelling: tuple[int, int] = (0, 0)


def playing(song: Song, palette: Palette) -> Playing:
    """The figures of a song."""
    parts = [(palette.instrument(track.instrument), track, rows_of(track)) for track in song.tracks if track.note_count]
    ms = 60_000 / (song.bpm * PPQ)
    quick = int(_QUICK_MS / ms)
    kits = [rows for kit, _, rows in parts if kit.is_kit and len({r.pitch for r in rows} & _KIT) > 1]
    lines = [(one, rows) for one, _, rows in parts if one.family not in ("drums", "percussion") and is_line(rows)]
    sustained = [rows for one, rows in lines if one.family in (*_BOWED, *_BLOWN) and not _plucked(one)]
    return Playing(
        fills=_added([filled(song, rows) for rows in kits[:1]]),
        ghosts=_mean(_ghosts(song, rows) for rows in kits[:1]),
        bound=_mean(bound(rows, quick) for one, rows in lines if one.family in _BOWED and not _plucked(one)),
        slurred=_mean(sounding(rows, 0, quick, stepping=True) for rows in sustained),
        apart=_mean(sounding(rows, 0, quick, stepping=False) for rows in sustained),
        long=_mean(sounding(rows, PPQ * 7 // 8, 2 * PPQ + 1) for rows in sustained),
        breath=max((breath(rows, ms) for one, rows in lines if one.family in _BLOWN and swells(one)), default=None),
        strum=_mean(spread(rows, ms) for one, _, rows in parts if one.family in _STRUMMED),
        roll=_mean(spread(rows, ms, _LASTING) for one, _, rows in parts if one.family in _STRUCK),
        arch=_mean(arch(song, rows) for _, rows in lines),
        backbeat=_mean(_backbeat(song, rows, ms) for rows in kits[:1]),
        swelling=_added([swelling(one, track, rows) for one, track, rows in parts]),
    )


def rows_of(track: Track) -> list[Row]:
    """The notes of a track in order of time."""
    return sorted(
        Row(clip.start + n.start, n.pitch, n.duration, n.velocity) for clip in track.clips for n in clip.notes
    )


def is_line(rows: Sequence[Row]) -> bool:
    """Whether a track is one voice."""
    starts = [row.start for row in rows]
    alone = sum(after - before > _TOGETHER for before, after in pairwise(starts))
    return len(rows) > 8 and alone >= _ALONE * (len(rows) - 1)


def filled(song: Song, rows: Sequence[Row]) -> tuple[int, int]:
    """How many section changes the kit leads into by other strokes than it has there in the bar, and how many it
    could."""
    done = could = 0
    for section, following in pairwise(song.sections):
        meter = song.bar_map.span(song.bar_map.bar_at(section.start), song.bar_map.bar_at(section.start))
        bar = int(meter[1] - meter[0])
        end, half = int(section.end), bar // 2
        if section.duration < 2 * bar or not _strikes(rows, end - 2 * bar, end - bar):
            continue
        if not _strikes(rows, int(following.start), int(following.start) + bar):
            continue
        could += 1
        usual = _places(rows, end - 2 * bar + bar - half, half)
        last = _places(rows, end - half, half)
        done += len(last ^ usual) >= 2
    return done, could


def _strikes(rows: Sequence[Row], start: int, end: int) -> bool:
    return any(start <= row.start < end for row in rows)


def _places(rows: Sequence[Row], start: int, length: int) -> set[tuple[int, int]]:
    within = ((row.pitch, row.start - start) for row in rows)
    return {(pitch, round(at / STEP)) for pitch, at in within if -60 <= at < length - 60}


def _ghosts(song: Song, rows: Sequence[Row]) -> float | None:
    """Soft strokes of kick and snare in a bar."""
    if not rows:
        return None
    usual = sorted(row.velocity for row in rows)[len(rows) * 9 // 10]
    found = sum(row.velocity < _GHOST * usual and row.pitch in (35, 36, 37, 38, 39, 40) for row in rows)
    return found / len({song.bar_map.bar_at(row.start) for row in rows})


def _backbeat(song: Song, rows: Sequence[Row], ms: float) -> float | None:
    late = [_off(row.start, song) * ms for row in rows if row.pitch in (37, 38, 39, 40) and _near(row.start, song)]
    early = [_off(row.start, song) * ms for row in rows if row.pitch in (35, 36) and _near(row.start, song)]
    return median(late) - median(early) if len(late) > 8 and len(early) > 8 else None


def _off(at: int, song: Song) -> int:
    return (at + PPQ // 2) % PPQ - PPQ // 2


def _near(at: int, song: Song) -> bool:
    return abs(_off(at, song)) < 80


def bound(rows: Sequence[Row], quick: int) -> float | None:
    """Share of the notes that lead to another pitch which reach into it; short ones that leap do not count."""
    pairs = [
        before.end - after.start for before, after in pairwise(rows)
        if before.pitch != after.pitch and abs(after.start - before.end) <= _LEADS
        and (after.start - before.start > quick or abs(after.pitch - before.pitch) <= _SLUR)
    ]
    return sum(over > 0 for over in pairs) / len(pairs) if pairs else None


def sounding(rows: Sequence[Row], least: int, most: int, *, stepping: bool | None = None) -> float | None:
    """The sounding share of the notes that are followed after so many ticks, of all or of those that step or leap."""
    shares = [
        min(1.0, before.length / (after.start - before.start)) for before, after in pairwise(rows)
        if least < after.start - before.start < most
        and stepping in (None, 0 < abs(after.pitch - before.pitch) <= _SLUR)
    ]
    return fmean(shares) if len(shares) > 3 else None


def breath(rows: Sequence[Row], ms: float) -> float:
    """The longest stretch without a rest, in seconds."""
    longest, since = 0, rows[0].start
    for before, after in pairwise(rows):
        longest = max(longest, before.end - since)
        if (after.start - before.end) * ms >= _REST_MS:
            since = after.start
    return max(longest, rows[-1].end - since) * ms / 1000


def spread(rows: Sequence[Row], ms: float, least: int = 0) -> float | None:
    """Milliseconds from first to last note of a chord of three and more that lasts so many ticks; the median."""
    chords: list[list[Row]] = []
    for row in rows:
        if chords and row.start - chords[-1][0].start <= 2 * _TOGETHER:
            chords[-1].append(row)
        else:
            chords.append([row])
    full = [chord for chord in chords if len(chord) > 2 and min(row.length for row in chord) >= least]
    return median((chord[-1].start - chord[0].start) * ms for chord in full) if len(full) > 3 else None


def arch(song: Song, rows: Sequence[Row]) -> float | None:
    """How much louder the middle of each four bars is than their edges."""
    middle, edges = [], []
    for section in song.sections:
        first = song.bar_map.bar_at(section.start)
        begin, end = song.bar_map.span(first, first)
        phrase = int(end - begin) * _PHRASE
        for row in rows:
            if section.start <= row.start < section.end and section.duration >= phrase:
                place = (row.start - section.start) % phrase / phrase
                (middle if 0.25 <= place < 0.75 else edges).append(row.velocity)
    return fmean(middle) - fmean(edges) if len(middle) > 15 and len(edges) > 15 else None


def swells(one: Instrument) -> bool:
    """Whether who plays it can lean into a held note: bows, breath, bellows, pedals, and pads that stand for them."""
    return one.swell if one.swell is not None else one.family in (*_BLOWN, "strings", "pad") and not _plucked(one)


def sounds_on(rows: Sequence[Row]) -> bool:
    """Whether notes are held, or bound so that they sound nearly all of the time from one to the next."""
    ends = {row.start: row.end for row in sorted(rows, key=lambda row: row.end)}
    pairs = [
        (min(end, after) - start, after - start) for (start, end), (after, _) in pairwise(sorted(ends.items()))
        if after - end < PPQ
    ]
    held = bool(rows) and fmean(row.length for row in rows) >= _HELD
    return held or (len(pairs) > 7 and sum(one for one, _ in pairs) > _BOUND * sum(whole for _, whole in pairs))


def swelling(one: Instrument, track: Track, rows: Sequence[Row]) -> tuple[int, int]:
    """(1, 1) where the expression of a track rises and falls, or only rises, (0, 1) where it should and does not."""
    if not swells(one) or not sounds_on(rows):
        return 0, 0
    values = [p.value for lane in track.automation if lane.target == "expression" for p in lane.points]
    peaks = sum(a < b > c for a, b, c in zip(values, values[1:], values[2:], strict=False))
    return int(peaks > 0 or max(values, default=0.0) - min(values, default=0.0) > _RISE), 1


def _plucked(one: Instrument) -> bool:
    return "plucked" in one.tags


def _mean(values: Iterable[float | None]) -> float | None:
    found = [value for value in values if value is not None]
    return fmean(found) if found else None


def _added(pairs: Sequence[tuple[int, int]]) -> tuple[int, int]:
    return sum(a for a, _ in pairs), sum(b for _, b in pairs)
