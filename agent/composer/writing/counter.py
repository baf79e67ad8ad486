"""Counter-melodies: a second voice that holds while the tune moves and answers where it rests."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct

from agent.composer.dice import Dice
from agent.composer.tones import STEP, Tone
from agent.composer.writing.frame import Frame, Player, Scene
from agent.composer.writing.harmony import coloured
from agent.song.chord import Chord
from agent.theory.pitch import in_scale

_EIGHTH, _BEAT = 2 * STEP, 4 * STEP
_FREE = 5 * STEP
"""Ticks without a new note of the tune from which it is answered."""
_FIGURES = ((1, 1, 2), (2, 1, 1), (1, 1, 1, 1), (3, 1), (2, 2), (1, 2, 1), (4,))
"""Rhythms of an answer in eighths; they go on with long notes."""
_ECHO, _ECHOES = 4, 0.6
"""Notes of the tune that an answer takes up, and how often it does."""
_APART = 3
"""Semitones that the two voices keep between them."""
_REACH = 9


class _Slot(Struct, frozen=True):
    """When the second voice plays, whether it is part of an answer, and the semitones by which the tune moved where it
    takes up its figure (0: it does not)."""

    start: int
    length: int
    answers: bool
    moved: int = 0


def counter_line(player: Player, scene: Scene, frame: Frame, tune: Sequence[Tone], dice: Dice) -> list[Tone]:
    """A second voice to the melody `tune` of a scene; without a melody a slow line through the chords.

    It holds chord tones while the melody moves, answers in its rests, moves in contrary motion, and avoids minor
    ninths, unisons and parallel octaves with it.
    """
    heard = sorted(tone for tone in tune if tone.start < scene.end)
    tones: list[Tone] = []
    for slot in _slots(scene, frame, heard, dice):
        pitch = _pitch(slot, player, scene, frame, heard, tones)
        if pitch is None:
            continue
        level = 1.0 if slot.answers else 0.88
        length = max(60, int(slot.length * min(0.97, player.style.gate + 0.04)))
        tones.append(Tone(slot.start, pitch, length, max(1, int(player.velocity(scene.energy) * level))))
    return tones


def clashes(pitch: int, other: int) -> bool:
    """Whether two simultaneous pitches are a minor second or ninth apart, or the same."""
    return abs(pitch - other) % 12 == 1 or pitch == other


def _slots(scene: Scene, frame: Frame, tune: Sequence[Tone], dice: Dice) -> list[_Slot]:
    slots: list[_Slot] = []
    at = scene.start
    for start, end in _rests(scene, tune):
        if start > at:
            slots += _held(scene, frame, at, start, tune)
        slots += _answer(start, end, _echoed(tune, start), dice)
        at = end
    if at < scene.end:
        slots += _held(scene, frame, at, scene.end, tune)
    return slots


def _rests(scene: Scene, tune: Sequence[Tone]) -> list[tuple[int, int]]:
    """Stretches in which no note of the tune begins, from an eighth after the last one on."""
    if not tune:
        return []
    begins = [tone.start for tone in tune]
    found = []
    for begin, following in zip(begins, [*begins[1:], scene.end], strict=True):
        start = -(-(begin + _EIGHTH - scene.start) // _EIGHTH) * _EIGHTH + scene.start
        if following - start >= _FREE - _EIGHTH:
            found.append((start, following))
    return found


def _echoed(tune: Sequence[Tone], rest: int) -> tuple[tuple[int, int], ...]:
    """The last notes of the tune before a rest: to each the ticks until the next, and the semitones that come before
    it."""
    line = [tone for tone in tune if tone.start < rest][-_ECHO - 1 :]
    if len(line) <= _ECHO // 2 or any(b.start - a.start > 2 * _BEAT for a, b in pairwise(line)):
        return ()
    after = [b.start - a.start for a, b in pairwise(line)]
    moves = [0, *(b.pitch - a.pitch for a, b in pairwise(line))]
    return tuple(zip((-(-one // _EIGHTH) * _EIGHTH for one in after), moves, strict=False))


def _answer(start: int, end: int, echo: Sequence[tuple[int, int]], dice: Dice) -> list[_Slot]:
    """An answer in a rest: the end of the tune again at another height, or a figure of its own."""
    if echo and dice.chance(_ECHOES):
        figure, moves = [length for length, _ in echo], [moved for _, moved in echo]
    else:
        figure, moves = [step * _EIGHTH for step in dice.pick(_FIGURES)], []
    slots: list[_Slot] = []
    at = start
    while at < end:
        length = min(figure.pop(0) if figure else 4 * _BEAT, end - at)
        if length < _EIGHTH and slots:
            break
        slots.append(_Slot(at, length, answers=True, moved=moves.pop(0) if moves else 0))
        at += length
    return slots


def _held(scene: Scene, frame: Frame, start: int, end: int, tune: Sequence[Tone]) -> list[_Slot]:
    """Long notes under the moving tune, one to a chord, for at most a bar; short gaps stay silent. Under a solo, which
    has many notes, each comes where the soloist begins none, and none where there is no such place."""
    taken = {tone.start for tone in tune} if scene.sings else set()
    slots: list[_Slot] = []
    at = start
    while at < end:
        bar_end = scene.start + ((at - scene.start) // frame.bar + 1) * frame.bar
        stop = min(end, bar_end, scene.chord_at(at).end)
        if stop - at >= _BEAT:
            free = (late for late in range(at, stop - _BEAT + 1, _EIGHTH) if late not in taken)
            begin = next(free, stop)
            slots += [_Slot(begin, stop - begin, answers=False)] if begin < stop else []
        at = max(stop, at + 1)
    return slots


def _pitch(
    slot: _Slot, player: Player, scene: Scene, frame: Frame, tune: Sequence[Tone], line: Sequence[Tone]
) -> int | None:
    chord = scene.chord_at(slot.start).chord
    end = slot.start + slot.length
    over = [tone for tone in tune if tone.start < end and tone.end > slot.start]
    before = line[-1].pitch if line else player.style.centre
    moved = _direction(tune, line[-1].start, slot.start) if line else 0
    fits = [
        pitch
        for pitch in range(player.low, player.high + 1)
        if _belongs(pitch, chord, frame, slot) and not any(clashes(pitch, tone.pitch) for tone in over)
        and not any(abs(pitch - tone.pitch) < _APART for tone in over)
        and not (line and _parallel(pitch, line[-1], over, tune))
    ]
    near = [pitch for pitch in fits if abs(pitch - before) <= _REACH] or fits
    if not near:
        return None
    return min(near, key=lambda pitch: (_cost(pitch, before, moved, chord, player, slot), pitch))


def _belongs(pitch: int, chord: Chord, frame: Frame, slot: _Slot) -> bool:
    """Long notes are of the chord; short ones may be of the key."""
    passes = slot.length <= _EIGHTH and in_scale(frame.key, pitch) and coloured(pitch, chord, frame.key) == pitch
    return pitch in chord or passes


def _cost(pitch: int, before: int, moved: int, chord: Chord, player: Player, slot: _Slot) -> float:
    step = pitch - before
    if slot.moved:
        return 0.1 * abs(pitch - player.style.centre) + 1.5 * abs(step - slot.moved) + 0.3 * abs(step)
    cost = 0.25 * abs(pitch - player.style.centre) + (0.0 if 1 <= abs(step) <= 2 else 0.6 * abs(step))
    if step == 0:
        cost += 3.0 if slot.answers else 1.0
    elif moved and step * moved > 0:
        cost += 2.0
    # the third, and the seventh where there is one, say most about a chord
    if slot.length >= _BEAT and pitch % 12 not in chord.pitch_classes[1:4:2]:
        cost += 1.5
    return cost


def _direction(tune: Sequence[Tone], since: int, at: int) -> int:
    """Where the tune goes from one tick to another: up 1, down -1, or it stays."""
    then, now = (next((tone.pitch for tone in reversed(tune) if tone.start <= when), 0) for when in (since, at))
    return (now > then) - (now < then) if then else 0


def _parallel(pitch: int, last: Tone, over: Sequence[Tone], tune: Sequence[Tone]) -> bool:
    """Whether both voices would move from one octave or fifth into another."""
    if not over or pitch == last.pitch:
        return False
    under = [tone for tone in tune if tone.start < last.end and tone.end > last.start]
    now = over[0].pitch
    return any(
        tone.pitch != now and (tone.pitch - last.pitch) % 12 == (now - pitch) % 12 and (now - pitch) % 12 in (0, 7)
        for tone in under
    )
