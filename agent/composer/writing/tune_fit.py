"""Tune fit: the pitches of a few notes that go where an idea wants to go, over the chords, so that they can be sung."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct

from agent.composer.tones import STEP
from agent.composer.writing.frame import Frame, Player, Scene
from agent.composer.writing.harmony import coloured, singable
from agent.composer.writing.tune_rhythm import RhythmNote
from agent.song.chord import Chord
from agent.song.key import Key
from agent.theory.pitch import in_scale

_EIGHTH, _BEAT = 2 * STEP, 4 * STEP
_KEPT = 5
"""Lines that are pursued at once."""
_NEAR = 6
"""Semitones around its target in which a note is looked for."""
_LEAP = 5
"""Semitones from which a leap must turn back."""
_MOVES = (0.3, 0.0, 0.0, 0.4, 0.6, 1.2, 5.0, 1.8, 3.0, 3.5, 7.0, 7.0, 4.0)
"""What a move of so many semitones costs; a wider one costs what it measures."""
_FIRM, _LOOSE = 1.0, 0.5
"""What a semitone off its target costs a note that returns, and one that is new."""
_OTHER = 3.0
"""What any other pitch costs a note that returns."""
_OFTEN, _STUCK = 0.35, 2.4
"""The share of a line's notes from which on one more of a pitch costs, and what each costs."""
_HOLLOW = {0: 1.0, 7: 0.6}
"""What an octave and a fifth above the bass cost where a tone of the chord is due: thirds and sixths sound sweeter."""
_FOREIGN, _RUBS, _OPEN = 2.6, 7.0, 4.0
"""What a tone beside a chord costs where one of it is due, one that rubs against it, and an end that is not meant."""


class SoughtNote(Struct, frozen=True):
    """A melody note whose pitch is sought near `target` (MIDI); a `firm` one repeats an earlier note and changes only
    if it must.

    `start` is its tick, `beat` its place in the rhythm of its two bars; `again` are the ticks where it will return.
    `end_` is "home" or "open" if it ends a phrase.
    """

    start: int
    beat: RhythmNote
    target: int
    firm: bool = False
    end_: str = ""
    again: tuple[int, ...] = ()


class _Asked(NamedTuple):
    """All that the pitches of a slot follow from; `heard` are its chords, and whether it must fit each."""

    target: int
    length: int
    firm: bool
    end_: str
    heard: tuple[tuple[Chord, bool], ...]
    low: int
    high: int
    key: Key
    strict: bool


class _Path(NamedTuple):
    cost: float
    pitches: tuple[int, ...]
    leapt: int


def fitted(
    slots: Sequence[SoughtNote], before: Sequence[int], player: Player, scene: Scene, frame: Frame
) -> list[int]:
    """A MIDI pitch for each of the notes `slots`: the line nearest to the targets that fits the chords and is singable,
    after the pitches `before`."""
    paths = [_begun(before)]
    for slot in slots:
        places = _places(slot, player, scene, frame)
        best: dict[tuple[int, int], tuple[float, _Path]] = {}
        for path in paths:
            for key, cost in _longer(path, places):
                if key not in best or cost < best[key][0]:
                    best[key] = cost, path
        made = [_Path(cost, (*path.pitches, pitch), leapt) for (pitch, leapt), (cost, path) in best.items()]
        paths = sorted(made, key=lambda path: (path.cost, path.pitches))[:_KEPT]
    return list(paths[0].pitches[len(paths[0].pitches) - len(slots) :])


def _begun(before: Sequence[int]) -> _Path:
    leap = before[-1] - before[-2] if len(before) > 1 else 0
    return _Path(0.0, tuple(before[-2:]), (leap > 0) - (leap < 0) if abs(leap) >= _LEAP else 0)


def chord_under(scene: Scene, start: int, length: int) -> Chord:
    """The chord that a note (of `length` ticks, from tick `start`) is heard over: the one at its middle, also for a
    note held over a bar line."""
    return scene.chord_at(max(scene.start, start + length // 2)).chord


def must_fit(start: int, length: int, scene: Scene, frame: Frame) -> bool:
    """Whether a note (of `length` ticks, from tick `start`) has to be a chord tone: on a strong beat, long, or held
    over a bar line."""
    within = (start - scene.start) % scene.bar
    return frame.strong(within) or length > _BEAT or within + length >= scene.bar + _EIGHTH


def _places(slot: SoughtNote, player: Player, scene: Scene, frame: Frame) -> tuple[tuple[int, float], ...]:
    """The pitches that a note may have, with what each costs by itself."""
    length = slot.beat.length
    heard = tuple(
        (chord_under(scene, at, length), must_fit(at, length, scene, frame)) for at in (slot.start, *slot.again)
    )
    asked = _Asked(
        max(player.low, min(player.high, slot.target)), length, slot.firm, slot.end_, heard, player.low, player.high,
        frame.key, not frame.tune.chromatic,
    )
    return _found(asked)


@lru_cache(maxsize=8192)
def _found(asked: _Asked) -> tuple[tuple[int, float], ...]:
    # what comes back asks the same again
    chord, target, key = asked.heard[0][0], asked.target, asked.key
    found = []
    for pitch in range(max(asked.low, target - _NEAR), min(asked.high, target + _NEAR) + 1):
        inside = pitch in chord
        if not in_scale(key, pitch) and not (inside and (not asked.strict or singable(pitch, chord, key))):
            continue
        off = abs(pitch - target)
        cost = (_FIRM * off + _OTHER * (off > 0)) if asked.firm else _LOOSE * off
        # what comes back comes back as it was, even where it sounds hollow
        costs = [
            _harmony(pitch, asked.length, under, key, due=due) + _hollow(pitch, under) * (due and not asked.firm)
            for under, due in asked.heard
        ]
        # what comes back should fit wherever it does
        cost += (costs[0] + max(costs)) / 2
        found.append((pitch, cost + _ending(pitch, asked.end_, chord, key)))
    return tuple(found) or ((target, 0.0),)


def _harmony(pitch: int, length: int, chord: Chord, key: Key, *, due: bool) -> float:
    """What a pitch costs over its chord."""
    if pitch in chord:
        return 0.0 if in_scale(key, pitch) else 0.8
    rubs = pitch - 1 in chord or coloured(pitch, chord, key) != pitch
    if due:
        return _RUBS if rubs else _FOREIGN + (length > _BEAT)
    if length >= 3 * STEP:
        return _RUBS / 2 if rubs else 0.6
    return 0.8 if rubs else 0.2


def _hollow(pitch: int, chord: Chord) -> float:
    """What a tone of a chord costs that only doubles its bass, or is the fifth above it."""
    return _HOLLOW.get((pitch - chord.lowest) % 12, 0.0) if pitch in chord else 0.0


def _ending(pitch: int, end_: str, chord: Chord, key: Key) -> float:
    """What it costs to end a phrase there: home is the tonic or a root, an open end another tone of the chord."""
    if not end_:
        return 0.0
    rests = pitch % 12 in (key.pitch_class, chord.root)
    outside = _OPEN * (pitch not in chord)
    return outside + (0.0 if rests == (end_ == "home") else _OPEN)


def _longer(path: _Path, places: Sequence[tuple[int, float]]) -> Iterator[tuple[tuple[int, int], float]]:
    """For each pitch that may come next, it and which way that leaps, up 1, down -1 or not at all, and what the path
    costs with it."""
    last = path.pitches[-1] if path.pitches else None
    again = path.pitches[-2:] == (last, last)
    many = _OFTEN * (len(path.pitches) + 1)
    for pitch, cost in places:
        if last is None:
            yield (pitch, 0), path.cost + cost
            continue
        move = pitch - last
        size = abs(move)
        cost += _MOVES[size] if size < len(_MOVES) else float(size)
        if size > 2 and move * path.leapt > 0:
            cost += 5.0
        if again and not move:
            cost += 3.0
        said = path.pitches.count(pitch)
        if said > 1 and said + 1 > many:
            cost += _STUCK * (said - 1)
        yield (pitch, 0 if size < _LEAP else 1 if move > 0 else -1), path.cost + cost
