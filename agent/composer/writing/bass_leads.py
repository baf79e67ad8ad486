"""Leads of a bass: the last notes over a chord, which step to the next root, and runs that fill the way to it."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct, structs

from agent.composer.dice import Dice
from agent.composer.tones import STEP, Tone
from agent.composer.writing.frame import ChordSpan, Frame, Player, Scene
from agent.theory.pitch import move

_LONGEST_RUN = 3
_SOFTER = 0.86
_CHROMATIC = 0.35
"""How often a note that leads upward is a semitone below its goal although the key has another."""


class RootChange(Struct, frozen=True):
    """Where a bass goes over from one chord to the next: the chord that ends, its root and the next root (MIDI)."""

    span: ChordSpan
    root: int
    target: int


def led(
    tones: list[Tone], changes: Iterable[RootChange], player: Player, scene: Scene, frame: Frame, dice: Dice
) -> list[Tone]:
    """The line with last notes before some chords that step to their roots, as often as the part leads; with the same
    dice the same change is always led alike. At the end of the scene it may run there over two beats."""
    result = list(tones)
    unit = unit_of(frame)
    for change in changes:
        own = dice.of(f"lead {change.root % 12} {change.target % 12}")
        if not (change.target - change.root) % 12 or not own.chance(player.style.leads):
            continue
        way = _way(change, frame) if change.span.end == scene.end and own.of("run").chance(player.style.leads) else ()
        if way and all(player.instrument.low <= pitch <= player.instrument.high for pitch in way):
            result = _with_run(result, change.span, way, unit, player.style.gate)
        else:
            result = _leading(result, change.span, _last_two(change, player, frame, own), unit, player.style.gate)
    return result


def unit_of(frame: Frame) -> int:
    """The length of a note that leads, in ticks: a quarter, or an eighth where beats are of three."""
    return 2 * STEP if frame.beats[-1] % 4 else 4 * STEP


def beside(goal: int, root: int, frame: Frame) -> int:
    """The key's neighbour of a goal on the side of the root (MIDI)."""
    return move(frame.key, goal, -1 if goal > root else 1)


def within(pitch: int, player: Player) -> int:
    """The pitch, or the nearest one that the instrument has."""
    return max(player.instrument.low, min(player.instrument.high, pitch))


def _last_two(change: RootChange, player: Player, frame: Frame, dice: Dice) -> tuple[int, int]:
    """The last note but one over a chord, if there is time for it, and the last."""
    root, target = change.root, change.target
    pitch = beside(target, root, frame)
    if target > root and dice.chance(_CHROMATIC):
        pitch = target - 1
    passing = move(frame.key, target, -2 if target > root else 2)
    between = passing if abs(passing - root) < abs(target - root) or passing == root else pitch
    return within(between, player), within(pitch, player)


def _way(change: RootChange, frame: Frame) -> tuple[int, ...]:
    """The notes of the key between two roots, in the order of the way; of a wide one the last, of a narrow one none."""
    side = -1 if change.target > change.root else 1
    low, high = sorted((change.root, change.target))
    steps = [move(frame.key, change.target, side * number) for number in range(_LONGEST_RUN, 0, -1)]
    way = tuple(pitch for pitch in steps if low < pitch < high)
    return way if len(way) > 1 else ()


def _with_run(tones: list[Tone], span: ChordSpan, way: tuple[int, ...], unit: int, gate: float) -> list[Tone]:
    """The line with a run on the last two beats of a chord: one of its pitches on each, of three the last two on the
    last beat. What is struck there keeps its rhythm, and what is held is struck anew; a chord of less than three beats,
    and a line that rests there, are left alone."""
    begin = span.end - 2 * unit
    before = max((tone for tone in tones if span.start <= tone.start < begin), default=None)
    if span.end - span.start < 3 * unit or before is None:
        return tones
    struck = [tone for tone in tones if begin <= tone.start < span.end]
    starts = [begin, span.end - unit, span.end - unit // 2][: len(way)]
    run: list[Tone] = []
    for at, pitch, end in zip(starts, way, [*starts[1:], span.end], strict=True):
        own = [tone for tone in struck if at <= tone.start < end]
        if not own and not any(tone.start < at < tone.end for tone in tones):
            return tones
        soft = max(1, int(before.velocity * _SOFTER))
        own = own or [Tone(at, pitch, max(60, int((end - at) * gate)), soft)]
        run += [structs.replace(tone, pitch=pitch) for tone in own]
    kept = [tone for tone in tones if tone.start < begin or tone.start >= span.end]
    joined = sorted([*kept, *run])
    return [_until(tone, after.start, gate) for tone, after in zip(joined, [*joined[1:], joined[-1]], strict=True)]


def _until(tone: Tone, end: int, gate: float) -> Tone:
    """The tone, ended before a tick over which it is held."""
    if not tone.start < end < tone.end:
        return tone
    return structs.replace(tone, length=max(60, int((end - tone.start) * gate)))


def _leading(
    tones: list[Tone], span: ChordSpan, pitches: tuple[int, int], unit: int, gate: float
) -> list[Tone]:
    """The line with the second of two pitches as the last note over a chord: what begins on its last beat, or else that
    beat of what is held. The first comes before it where that beat has two notes. A chord of less than two beats is
    left alone."""
    passing, pitch = pitches
    if span.end - span.start < 2 * unit:
        return tones
    at = max((n for n, tone in enumerate(tones) if span.start <= tone.start < span.end), default=None)
    if at is None or (tones[at].start == span.start and tones[at].end < span.end - unit):
        return tones
    last, begin = tones[at], span.end - unit
    if last.start >= begin:
        result = [*tones[:at], structs.replace(last, pitch=pitch), *tones[at + 1 :]]
        if at and begin <= tones[at - 1].start < last.start and tones[at - 1].start > span.start:
            result[at - 1] = structs.replace(tones[at - 1], pitch=passing)
        return result
    if last.end <= begin:
        return tones
    after = Tone(begin, pitch, int(unit * gate), max(1, int(last.velocity * _SOFTER)))
    return [*tones[:at], _until(last, begin, gate), after, *tones[at + 1 :]]
