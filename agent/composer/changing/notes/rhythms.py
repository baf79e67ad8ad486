"""Rhythms: strokes at places of the bar, notes struck again at them, and rolls."""

from __future__ import annotations

from collections.abc import Sequence

from agent.composer.changing.hearing.grid import BEAT, EIGHTH, Grid
from agent.composer.changing.notes.kit_pieces import Places, pitches_of
from agent.composer.changing.stage import Span
from agent.composer.styles import Drum
from agent.composer.tones import SHORTEST, STEP, Tone
from agent.composer.writing.kit import PITCHES

_CLOSED = frozenset({42, 44})
_ROLL = STEP // 2
"""Ticks between the strokes of a roll."""
_SOFTEST = 0.6


def struck_at(places: Places, step: int, start: int, end: int, grid: Grid) -> list[int]:
    """The ticks, without swing, at which the pattern `places` strikes in the bar from `start` to `end`; `step` is the
    spacing in ticks of the pattern named "grid". `grid` gives the song's beats."""
    beats = list(grid.beats(start))
    match places:
        case "beats":
            return beats
        case "one":
            return [start]
        case "backbeats":
            return beats[1::2]
        case "offbeats":
            return [at for at in range(start, end, STEP) if grid.weight(at) == EIGHTH]
        case _:
            return list(range(start, end, step))


def strokes(
    pitch: int, level: int, length: int, places: Places, step: int, bars: Sequence[Span], grid: Grid
) -> list[Tone]:
    """One pitch struck by the pattern `places` in each bar, strong beats a little louder; `level` is the velocity,
    `length` the length of a stroke and `step` the spacing of the pattern named "grid", both in ticks. `grid` gives the
    song's beats and swing."""
    new: list[Tone] = []
    for start, end in bars:
        for number, at in enumerate(struck_at(places, step, start, end, grid)):
            accent = 1.0 if grid.weight(at) <= BEAT and number % 2 == 0 else 0.94 if number % 2 else 0.97
            new.append(Tone(grid.swung(at), pitch, length, max(1, min(127, round(level * accent)))))
    return new


def patterned(
    tones: Sequence[Tone], piece: Drum, places: Places, step: int, bars: Sequence[Span], grid: Grid
) -> list[Tone]:
    """A kit's notes with the strokes of one drum (`piece`) replaced by the pattern `places` ("offbeats", "grid", …) in
    these bars; `step` is the spacing in ticks of the pattern named "grid". `grid` gives the song's bars and swing.

    Closed hi-hats at the same moment as an open one are removed.
    """
    own = pitches_of((piece,)) if piece not in ("open", "hat") else frozenset({PITCHES[piece]})
    level = level_of([t for t in tones if t.pitch in own] or tones)
    kept = [tone for tone in tones if tone.pitch not in own]
    length = 2 * STEP if piece == "open" else STEP // 2
    new = strokes(PITCHES[piece], level, length, places, step, bars, grid)
    if piece == "open":
        opened = {tone.start for tone in new}
        kept = [t for t in kept if not (t.pitch in _CLOSED and any(abs(t.start - at) < STEP // 2 for at in opened))]
    return sorted([*kept, *new])


def level_of(tones: Sequence[Tone]) -> int:
    """The mean velocity of the tones; 88 without any."""
    return sum(tone.velocity for tone in tones) // len(tones) if tones else 88


def reattacked(tones: Sequence[Tone], places: Places, step: int, bars: Sequence[Span], grid: Grid) -> list[Tone]:
    """A part's notes struck anew in each bar by the pattern `places`: the notes sounding at each point, else those
    struck last.

    `step` is the spacing in ticks of the pattern named "grid". A bar in which the part plays nothing stays empty.
    """
    new: list[Tone] = []
    for start, end in bars:
        own = sorted(tone for tone in tones if start <= tone.start < end)
        ticks = [grid.swung(at) for at in struck_at(places, step, start, end, grid)] if own else []
        for at, following in zip(ticks, [*ticks[1:], end], strict=False):
            for tone in _heard_at(own, at):
                length = max(SHORTEST, min(following - at, max(step, STEP)))
                new.append(Tone(at, tone.pitch, length, tone.velocity))
    return sorted(new)


def _heard_at(own: Sequence[Tone], at: int) -> list[Tone]:
    sounding = [tone for tone in own if tone.start <= at < tone.end]
    if not sounding:
        before = [tone.start for tone in own if tone.start <= at]
        nearest = max(before) if before else own[0].start
        sounding = [tone for tone in own if tone.start == nearest]
    first = {tone.pitch: tone for tone in sounding}
    return [first[pitch] for pitch in sorted(first)]


def rolled_out(tones: Sequence[Tone], pitches: frozenset[int], bars: Sequence[Span], grid: Grid) -> list[Tone]:
    """The tones with a crescendo roll on the last beat of each of the `bars` in which a drum (`pitches`) plays, instead
    of its strokes in that bar."""
    kept, new = list(tones), list[Tone]()
    own = [tone for tone in tones if tone.pitch in pitches]
    for start, end in bars:
        inside = [tone for tone in own if start <= tone.start < end]
        if not inside:
            continue
        begin = grid.beats(start)[-1]
        loud = max(tone.velocity for tone in inside)
        pitch = min(tone.pitch for tone in inside)
        kept = [tone for tone in kept if tone.pitch not in pitches or not begin <= tone.start < end]
        ticks = list(range(begin, end, _ROLL))
        for number, at in enumerate(ticks):
            share = _SOFTEST + (1 - _SOFTEST) * number / max(1, len(ticks) - 1)
            new.append(Tone(at, pitch, _ROLL // 2, max(1, round(loud * share))))
    return sorted([*kept, *new])
