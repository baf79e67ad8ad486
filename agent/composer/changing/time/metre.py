"""Bars laid into another meter: which beat goes where, for tunes, for accompaniment and for drums."""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from itertools import pairwise

from msgspec import Struct

from agent.composer.tones import SHORTEST, STEP, Tone
from agent.composer.writing.meters import groups

_DOTTED = 6
_LAID: dict[tuple[int, int], tuple[tuple[int, ...], ...]] = {
    (4, 3): ((0, 1), (2,), (3,)),
    (4, 5): ((0,), (1,), (), (2,), (3,)),
    (4, 6): ((0,), (), (1,), (2,), (), (3,)),
    (4, 7): ((0,), (), (1,), (), (2,), (3,), ()),
    (4, 2): ((0, 1), (2, 3)),
    (3, 2): ((0, 1), (2,)),
    (3, 4): ((0,), (1,), (2,), ()),
    (5, 4): ((0,), (1, 2), (3,), (4,)),
    (5, 3): ((0,), (1, 2), (3, 4)),
    (3, 5): ((0,), (), (1,), (2,), ()),
}
"""For bars of so many beats: which beats of the old bar each beat of the new one takes; an empty one goes on."""
_DRUMS: dict[tuple[int, int], tuple[int, ...]] = {
    (4, 3): (0, 1, 3), (4, 5): (0, 1, 3, 2, 3), (4, 6): (0, 1, 3, 2, 1, 3), (4, 7): (0, 1, 2, 3, 0, 1, 3),
    (4, 2): (0, 1), (3, 4): (0, 1, 0, 2), (3, 2): (0, 1), (3, 5): (0, 1, 2, 0, 2), (5, 4): (0, 1, 3, 4),
    (5, 3): (0, 1, 2), (2, 4): (0, 1, 0, 1), (2, 3): (0, 1, 1), (3, 6): (0, 1, 2, 0, 1, 2), (6, 3): (0, 1, 2),
}
"""Which beat of the old bar drums play on each beat of the new one: the first is the first, the ends keep the snare."""
Edge = tuple[float, float]
_IN_SIX = {0: 0, 1: 1, 2: 2, 3: 4, 4: 4, 5: 5}


class Laying(Struct, frozen=True):
    """How a bar of `old` sixteenths is mapped to a bar of `new` sixteenths.

    `edges` are pairs (old, new) of ticks in the bar between which a melody is mapped linearly; `plain` the same for
    accompaniment, which is never compressed. `drums` are (old step, length, new step, length) of each new beat.
    `doubled` are (old start, old end, new start) of beats that the accompaniment repeats.
    """

    old: int
    new: int
    edges: tuple[Edge, ...]
    plain: tuple[Edge, ...]
    drums: tuple[tuple[int, int, int, int], ...]
    doubled: tuple[tuple[int, int, int], ...]

    def place(self, at: float, *, plain: bool = False) -> float:
        """The tick in the new bar for a tick in the old bar; `plain` for accompaniment."""
        edges = self.plain if plain else self.edges
        index = max(0, min(len(edges) - 2, bisect_right([edge[0] for edge in edges], at) - 1))
        (low, new_low), (high, new_high) = edges[index], edges[index + 1]
        return new_low + (at - low) * (new_high - new_low) / (high - low)


@lru_cache(maxsize=64)
def laying(old: tuple[int, int], new: tuple[int, int]) -> Laying:
    """The mapping of bars from the meter `old` to the meter `new`, each (beats, unit)."""
    source, target = groups(*old), groups(*new)
    drums, whole = _beats_for_drums(source, target), (float(sum(source) * STEP), float(sum(target) * STEP))
    if whole[0] == whole[1]:
        edges = ((0.0, 0.0), whole)
        return Laying(sum(source), sum(target), edges, edges, drums, ())
    taken = _taken(source, target)
    tuned: list[Edge] = []
    plain: list[Edge] = []
    doubled: list[tuple[int, int, int]] = []
    at, number = 0, 0
    while number < len(target):
        size, following = target[number], number + 1
        while following < len(target) and not taken[following]:
            size += target[following]
            following += 1
        beats = taken[number]
        begin, length = sum(source[: beats[0]]), sum(source[beat] for beat in beats)
        tuned.append(_edge(begin, at))
        plain.append(_edge(begin, at))
        if length > size:
            plain.append(_edge(begin + size, at + size))
        if len(beats) == 2 and size == _DOTTED < length:
            # the first of two beats keeps its length, so that a dotted beat swings long and short
            tuned.append(_edge(begin + source[beats[0]], at + source[beats[0]]))
        if len(beats) == 1 and size > length:
            doubled.append((begin * STEP, (begin + length) * STEP, (at + target[number]) * STEP))
        at, number = at + size, following
    return Laying(sum(source), sum(target), (*tuned, whole), (*plain, whole), drums, tuple(doubled))


def _edge(old: int, new: int) -> Edge:
    return float(old * STEP), float(new * STEP)


def _taken(source: tuple[int, ...], target: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Which old beats each new beat takes, in order; the first beat is never empty."""
    n, m = len(source), len(target)
    known = _LAID.get((n, m))
    if m == 3 and n == 4 and target[-1] > target[0]:
        return ((0,), (1,), (2, 3))
    if n == 3 and m == 4 and source[-1] > source[0]:
        return ((0,), (1,), (2,), ())
    if known is not None:
        return known
    if n >= m:
        return tuple(tuple(range(j * n // m, (j + 1) * n // m)) for j in range(m))
    starts = {-(-i * m // n): i for i in range(n)}
    return tuple((starts[j],) if j in starts else () for j in range(m))


def _beats_for_drums(source: tuple[int, ...], target: tuple[int, ...]) -> tuple[tuple[int, int, int, int], ...]:
    n, m = len(source), len(target)
    beats: tuple[int, ...] = _DRUMS.get((n, m)) or tuple(j % n if m > n else j * n // m for j in range(m))
    if m == 3 and n == 4 and target[-1] > target[0]:
        beats = (0, 1, 2)
    if (n, m) == (4, 2) and target == (_DOTTED, _DOTTED):
        beats = (0, 1)
    made = []
    for j, beat in enumerate(beats):
        begin = sum(source[:beat])
        # a long last beat also takes the beginning of the beat behind the one it takes
        reach = target[j] if source[beat] < target[j] and target != (_DOTTED,) * m else source[beat]
        made.append((begin, min(reach, sum(source) - begin), sum(target[:j]), target[j]))
    return tuple(made)


def tune(tones: list[Tone], start: int, lay: Laying, to: int, *, plain: bool = False) -> list[Tone]:
    """The notes of a melody that begin in the bar at tick `start`, mapped by `lay` to the new bar at tick `to`; notes
    that get too fast are dropped. With `plain` nothing is compressed, as for accompaniment."""
    kept: list[Tone] = []
    for tone in sorted(tones):
        begin, end = _on_grid(lay, tone.start - start, plain), lay.place(tone.end - start, plain=plain)
        inside = tone.end - start <= lay.old * STEP
        length = round(end) - begin if inside else tone.length
        laid = Tone(to + begin, tone.pitch, max(STEP // 2, length), tone.velocity)
        quick = kept and kept[-1].start != laid.start and laid.start - kept[-1].start < STEP - 2 * SHORTEST
        if not quick and (not kept or laid.start >= kept[-1].start):
            kept.append(laid)
    return kept


def accompanied(tones: list[Tone], start: int, lay: Laying, to: int) -> list[Tone]:
    """Chord and bass notes of the bar at tick `start`, mapped by `lay` to the new bar at tick `to`: those of a dropped
    beat are removed, those of a repeated beat played twice."""
    gone = [low for (low, new), (_, end) in pairwise(lay.plain) if new == end]
    ends = [high for (_, new), (high, end) in pairwise(lay.plain) if new == end]
    away = list(zip(gone, ends, strict=True))
    kept = [t for t in tones if not any(low - SHORTEST <= t.start - start < high - SHORTEST for low, high in away)]
    laid = tune(kept, start, lay, to, plain=True)
    for low, high, again in lay.doubled:
        inside = [t for t in tones if low - SHORTEST <= t.start - start < high - SHORTEST and t.length <= high - low]
        size = high - low
        laid = [t for t in laid if not again <= t.start - to < again + size // 2 or t.length > size]
        laid += [Tone(to + again + t.start - start - low, t.pitch, t.length, max(1, t.velocity - 6)) for t in inside]
    return sorted(laid)


def drummed(tones: list[Tone], start: int, lay: Laying, to: int) -> list[Tone]:
    """The drums of the bar at tick `start`, mapped by `lay` to the beats of the new bar at tick `to`; on dotted beats
    the hats play all three eighths."""
    hits: dict[tuple[int, int], Tone] = {}
    for begin, length, at, size in lay.drums:
        for tone in tones:
            offset = tone.start - start - begin * STEP
            step = round(offset / STEP)
            if not 0 <= step < length:
                continue
            late = offset - step * STEP
            place = _IN_SIX.get(step, step) if length == 4 and size == _DOTTED else step
            if length == _DOTTED and size == 4:
                place = {0: 0, 1: 1, 2: 2, 3: 2}.get(step, -1)
            if 0 <= place < size:
                new = Tone(max(to, to + (at + place) * STEP + late), tone.pitch, tone.length, tone.velocity)
                hits.setdefault((at + place, tone.pitch), new)
        if length == 4 and size == _DOTTED:
            _fill_threes(hits, at, to)
    return sorted(hits.values())


def _fill_threes(hits: dict[tuple[int, int], Tone], at: int, to: int) -> None:
    """Hats on the first and second eighth of a dotted beat also play the third."""
    for pitch in (42, 44, 51):
        if (at, pitch) in hits and (at + 2, pitch) in hits and (at + 4, pitch) not in hits:
            one = hits[at + 2, pitch]
            hits[at + 4, pitch] = Tone(to + (at + 4) * STEP, pitch, one.length, max(1, one.velocity - 4))


def _on_grid(lay: Laying, at: int, plain: bool) -> int:
    """A tick of the old bar in the new one, on the sixteenths where it lay on them, as early or late as it was."""
    step = round(at / STEP)
    late = at - step * STEP
    exact = lay.place(max(0, step * STEP), plain=plain)
    grid = STEP if abs(late) < STEP // 4 else SHORTEST
    return max(0, min(lay.new * STEP - SHORTEST, round(exact / grid) * grid + (late if grid == STEP else 0)))
