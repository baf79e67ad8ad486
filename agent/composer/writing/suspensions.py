"""Suspensions: chords that hang on their fourth, held over from the chord before, until their third comes."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from msgspec import structs
from msgspec.structs import replace

from agent.composer.dice import Dice
from agent.composer.writing.frame import ChordSpan, Frame, Scene
from agent.composer.writing.harmony import chord_lengths
from agent.song.chord import Quality
from agent.song.key import Key
from agent.theory.pitch import in_scale

_HANGING: Mapping[Quality, Quality] = {"maj": "sus4", "7": "7sus4"}
_FOURTH = 5


def with_suspensions(scenes: tuple[Scene, ...], share: float, frame: Frame, dice: Dice) -> tuple[Scene, ...]:
    """The scenes with a `share` (0 to 1) of the suitable chords suspended: in their first half the fourth replaces the
    third.

    A major chord of a bar or more is suitable if the chord before has its fourth; the first of a scene and the last of
    the piece are not. The same chord change is always treated alike.
    """
    if not share:
        return scenes
    return tuple(replace(one, chords=_suspended(one, share, frame.within(one), dice)) for one in scenes)


def _suspended(scene: Scene, share: float, frame: Frame, dice: Dice) -> tuple[ChordSpan, ...]:
    result = list(scene.chords[:1])
    for before, here in pairwise(scene.chords):
        last = scene.closing and here.end == scene.end
        change = dice.of(f"{before.chord.root - frame.key.pitch_class} {here.chord.root - frame.key.pitch_class}")
        if last or not _may_hang(before, here, scene, frame.key) or not change.chance(share):
            result.append(here)
            continue
        bars = (here.end - here.start) // scene.bar
        cut = here.start + (bars // 2 * scene.bar or chord_lengths(0.5, scene.bar, frame.beats)[0])
        hanging = structs.replace(here.chord, quality=_HANGING[here.chord.quality])
        result += [replace(here, end=cut, chord=hanging), replace(here, start=cut)]
    return tuple(result)


def _may_hang(before: ChordSpan, here: ChordSpan, scene: Scene, key: Key) -> bool:
    fourth = (here.chord.root + _FOURTH) % 12
    plain = here.chord.quality in _HANGING and here.chord.bass is None and not here.chord.altered
    free = plain and not here.symbol and not here.silent and here.end - here.start >= scene.bar
    return free and fourth in before.chord.pitch_classes and in_scale(key, fourth)
