"""Tune fit: the pitches of a few notes that go where an idea wants to go, over the chords, so that they can be sung."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent.composer.tones import STEP
from agent.composer.writing.frame import Frame, Player, Scene
from agent.composer.writing.harmony import coloured, singable
from agent.composer.writing.tune_rhythm import Beat
from agent.song.chord import Chord
from agent.theory.pitch import in_scale

_EIGHTH, _BEAT = 2 * STEP, 4 * STEP
_KEPT = 5
"""Lines that are pursued at once."""
_NEAR = 6
"""Semitones around its target in which a note is looked for."""
_LEAP = 5
"""Semitones from which a leap must turn back."""
_MOVES = (0.6, 0.0, 0.0, 0.4, 0.6, 1.2, 5.0, 1.8, 3.0, 3.5, 7.0, 7.0, 4.0)
"""What a move of so many semitones costs; a wider one costs what it measures."""
_FIRM, _LOOSE = 1.0, 0.5
"""What a semitone off its target costs a note that returns, and one that is new."""
_OTHER = 4.0
"""What any other pitch costs a note that returns."""
_FOREIGN, _RUBS, _OPEN = 2.6, 7.0, 4.0
"""What a tone beside a chord costs where one of it is due, one that rubs against it, and an end that is not meant."""


@dataclass(frozen=True)
class Slot:
    """A note that is looked for near its `target`; a `firm` one comes back and changes only where it must.

    `start` is its place in the song, `again` are those at which it comes back; `end_` says how a phrase ends with it:
    at "home", "open", or not at all.
    """

    start: int
    beat: Beat
    target: int
    firm: bool = False
    end_: str = ""
    again: tuple[int, ...] = ()


@dataclass(frozen=True)
class _Path:
    cost: float
    pitches: tuple[int, ...]
    leapt: int


def fitted(
    slots: Sequence[Slot], before: Sequence[int], player: Player, scene: Scene, frame: Frame
) -> list[int]:
    """A pitch for each slot: the line that strays least from its targets, fits the chords and moves as a voice does.

    It goes on after the pitches `before`.
    """
    paths = [_begun(before)]
    for slot in slots:
        places = _places(slot, player, scene, frame)
        best: dict[tuple[int, int], _Path] = {}
        for path in paths:
            for pitch, cost in places:
                made = _longer(path, pitch, cost)
                key = (pitch, made.leapt)
                if key not in best or made.cost < best[key].cost:
                    best[key] = made
        paths = sorted(best.values(), key=lambda path: (path.cost, path.pitches))[:_KEPT]
    return list(paths[0].pitches[len(paths[0].pitches) - len(slots) :])


def _begun(before: Sequence[int]) -> _Path:
    leap = before[-1] - before[-2] if len(before) > 1 else 0
    return _Path(0.0, tuple(before[-2:]), (leap > 0) - (leap < 0) if abs(leap) >= _LEAP else 0)


def chord_under(scene: Scene, start: int, length: int) -> Chord:
    """The chord that a note is heard over: the one in its middle, which a note held over a bar line belongs to."""
    return scene.chord_at(max(scene.start, start + length // 2)).chord


def must_fit(start: int, length: int, scene: Scene, frame: Frame) -> bool:
    """Whether a note is heard as one of its chord: on a strong beat, when long, or held over a bar line."""
    within = (start - scene.start) % scene.bar
    return frame.strong(within) or length > _BEAT or within + length >= scene.bar + _EIGHTH


def _places(slot: Slot, player: Player, scene: Scene, frame: Frame) -> list[tuple[int, float]]:
    """The pitches that a note may have, with what each costs by itself."""
    chord = chord_under(scene, slot.start, slot.beat.length)
    length = slot.beat.length
    places = (slot.start, *slot.again)
    heard = [(chord_under(scene, at, length), must_fit(at, length, scene, frame)) for at in places]
    strict = not frame.tune.chromatic
    target = max(player.low, min(player.high, slot.target))
    found = []
    for pitch in range(max(player.low, target - _NEAR), min(player.high, target + _NEAR) + 1):
        inside = pitch in chord
        if not in_scale(frame.key, pitch) and not (inside and (not strict or singable(pitch, chord, frame.key))):
            continue
        off = abs(pitch - target)
        cost = (_FIRM * off + _OTHER * (off > 0)) if slot.firm else _LOOSE * off
        costs = [_harmony(pitch, slot, under, frame, due=due) for under, due in heard]
        # what comes back should fit wherever it does
        cost += (costs[0] + max(costs)) / 2
        found.append((pitch, cost + _ending(pitch, slot, chord, frame)))
    return found or [(target, 0.0)]


def _harmony(pitch: int, slot: Slot, chord: Chord, frame: Frame, *, due: bool) -> float:
    """What a pitch costs over its chord."""
    if pitch in chord:
        return 0.0 if in_scale(frame.key, pitch) else 0.8
    rubs = pitch - 1 in chord or coloured(pitch, chord, frame.key) != pitch
    if due:
        return _RUBS if rubs else _FOREIGN + (slot.beat.length > _BEAT)
    if slot.beat.length >= 3 * STEP:
        return _RUBS / 2 if rubs else 0.6
    return 0.8 if rubs else 0.2


def _ending(pitch: int, slot: Slot, chord: Chord, frame: Frame) -> float:
    """What it costs to end a phrase there: home is the tonic or a root, an open end another tone of the chord."""
    if not slot.end_:
        return 0.0
    rests = pitch % 12 in (frame.key.pitch_class, chord.root)
    outside = _OPEN * (pitch not in chord)
    return outside + (0.0 if rests == (slot.end_ == "home") else _OPEN)


def _longer(path: _Path, pitch: int, cost: float) -> _Path:
    """The path with one more note."""
    if not path.pitches:
        return _Path(path.cost + cost, (pitch,), 0)
    move = pitch - path.pitches[-1]
    size = abs(move)
    cost += _MOVES[size] if size < len(_MOVES) else float(size)
    if path.leapt and move * path.leapt > 0 and size > 2:
        cost += 5.0
    if len(path.pitches) > 1 and move == 0 and path.pitches[-2] == pitch:
        cost += 3.0
    leapt = (1 if move > 0 else -1) if size >= _LEAP else 0
    return _Path(path.cost + cost, (*path.pitches, pitch), leapt)
