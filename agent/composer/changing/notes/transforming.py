"""Transforming: a line slower, faster, upside down or backwards; chords broken, struck and strummed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import structs

from agent.composer.changing.hearing.grid import EIGHTH, Grid, attacks
from agent.composer.changing.time.material import arpeggiated
from agent.composer.tones import SHORTEST, Tone
from agent.composer.writing.frame import ChordSpan
from agent.song.key import Key
from agent.theory.pitch import degree_of, degree_pitch, nearest_in_scale

Breaking = Literal["arpeggio", "broken", "block", "strum"]
_STRING = 18
"""Ticks from one string of a strummed chord to the next."""
_ALBERTI = (0, 2, 1, 2)
_BLOCK = 4
"""Notes of a struck chord, at most."""


def stretched(tones: Sequence[Tone], factor: float, start: int, end: int) -> list[Tone]:
    """The line with all times from `start` multiplied by `factor`: above 1 as much of it as fits before `end`, below 1
    repeated until `end`."""
    length = max(1, round((end - start) * factor))
    found = []
    for begin in range(start, end, length) if factor < 1 else (start,):
        for tone in tones:
            at = begin + round((tone.start - start) * factor)
            if at + SHORTEST <= end:
                lasting = max(SHORTEST, round(tone.length * factor))
                found.append(Tone(at, tone.pitch, min(lasting, end - at), tone.velocity))
    return sorted(found)


def inverted(tones: Sequence[Tone], key: Key) -> list[Tone]:
    """The line mirrored around its first note in scale steps of the key."""
    if not tones:
        return []
    axis = _step(key, min(tones).pitch)
    found = []
    for tone in tones:
        inside = nearest_in_scale(key, tone.pitch)
        octaves, degree = divmod(2 * axis - _step(key, inside), 7)
        pitch = degree_pitch(key, degree + 1, -1) + 12 * octaves - (tone.pitch - inside)
        found.append(structs.replace(tone, pitch=pitch))
    return [tone for tone in found if 0 <= tone.pitch <= 127]


def backwards(tones: Sequence[Tone], start: int, end: int) -> list[Tone]:
    """The line in reverse between two ticks; the velocities keep their order in time."""
    mirrored = sorted(structs.replace(t, start=max(start, start + end - t.end)) for t in tones)
    loudness = [tone.velocity for tone in sorted(tones)]
    return [structs.replace(tone, velocity=v) for tone, v in zip(mirrored, loudness, strict=True)]


def broken(tones: Sequence[Tone], how: Breaking, step: int) -> list[Tone]:
    """Chords turned into single notes every `step` ticks: up and down (`how` "arpeggio") or from the outside in
    ("broken"); single notes stay."""
    found: list[Tone] = []
    for group in _held(attacks(tones), step):
        start = group[0].start
        stop = start + round((max(tone.end for tone in group) - start) / step) * step
        if len(group) < 2 or stop - start < 2 * step:
            found += group
            continue
        held = [Tone(start, tone.pitch, stop - start, tone.velocity) for tone in group]
        found += arpeggiated(held, step) if how == "arpeggio" else _alberti(held, step)
    return sorted(found)


def _held(struck: Sequence[list[Tone]], step: int) -> list[list[Tone]]:
    """Chords struck again and again as one that is held; none sounds into the next."""
    found: list[list[Tone]] = []
    for group in struck:
        last = found[-1] if found else []
        same = [tone.pitch for tone in last] == [tone.pitch for tone in group]
        if len(group) > 1 and same and group[0].start - max(tone.end for tone in last) < step:
            found[-1] = [Tone(t.start, t.pitch, group[0].end - t.start, t.velocity) for t in last]
            continue
        found[-1:] = [[Tone(t.start, t.pitch, min(t.length, group[0].start - t.start), t.velocity) for t in last]]
        found = [one for one in found if one]
        found.append(group)
    return found


def block(tones: Sequence[Tone], chords: Sequence[ChordSpan], grid: Grid) -> list[Tone]:
    """Single notes gathered into block chords, one for each chord and bar."""
    groups: dict[int, list[Tone]] = {}
    for tone in sorted(tones):
        start, _ = grid.bar(tone.start)
        begun = next((span.start for span in chords if span.start <= tone.start < span.end), start)
        groups.setdefault(max(start, begun), []).append(tone)
    found = []
    starts = sorted(groups)
    for at, following in zip(starts, [*starts[1:], max((t.end for t in tones), default=0)], strict=True):
        _, bar_end = grid.bar(at)
        own = groups[at]
        pitches = sorted({tone.pitch for tone in own})
        classes = list({pitch % 12: pitch for pitch in reversed(pitches)}.values())
        level = round(sum(tone.velocity for tone in own) / len(own))
        until = max(own[0].start + SHORTEST, min(following, bar_end))
        found += [Tone(own[0].start, p, until - own[0].start, level) for p in sorted(classes)[:_BLOCK]]
    return sorted(found)


def strummed(tones: Sequence[Tone], grid: Grid) -> list[Tone]:
    """Chords of three or more notes with their notes one after another: upwards in pitch on the beat, downwards and
    softer off it."""
    found: list[Tone] = []
    for group in attacks(tones):
        up = grid.weight(group[0].start) >= EIGHTH
        strings = sorted(group, key=lambda tone: tone.pitch, reverse=up)
        at = min(tone.start for tone in group)
        for number, tone in enumerate(strings if len(group) > 2 else ()):
            late = at + number * _STRING
            softer = 0.9 if up else 1.0
            velocity = max(1, round(tone.velocity * softer) - number)
            found.append(Tone(late, tone.pitch, max(SHORTEST, tone.end - late), velocity))
        found += group if len(group) <= 2 else []
    return sorted(found)


def _alberti(held: Sequence[Tone], step: int) -> list[Tone]:
    chord = sorted(held, key=lambda tone: tone.pitch)
    start, end = chord[0].start, chord[0].end
    found = []
    for number, at in enumerate(range(start, end, step)):
        tone = chord[min(_ALBERTI[number % 4], len(chord) - 1)]
        length = min(step, end - at)
        if length >= min(SHORTEST, step):
            found.append(Tone(at, tone.pitch, length, max(1, tone.velocity - (4 if number % 4 else 0))))
    return found


def _step(key: Key, pitch: int) -> int:
    """The number of a pitch among all pitches of the key, from the lowest octave up."""
    inside = nearest_in_scale(key, pitch)
    degree = degree_of(key, inside) or 1
    return 7 * ((inside - degree_pitch(key, degree, -1)) // 12) + degree - 1


