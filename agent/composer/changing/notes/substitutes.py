"""Substitutes: which other chords could stand under the same tune, and which of them to take."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from agent.composer.dice import Dice
from agent.composer.tones import Tone
from agent.composer.writing.harmony import is_minor
from agent.song.chord import Chord, Quality
from agent.song.key import Key
from agent.theory.chords import diatonic
from agent.theory.pitch import in_scale

_TENSIONS: dict[str, frozenset[int]] = {
    "maj": frozenset({2, 9, 11}), "min": frozenset({2, 5, 10}), "7": frozenset({2, 9}), "dim": frozenset({2, 5, 8, 10}),
}
"""Semitones above the root that colour a chord of a kind without fighting it."""
_FUNCTIONS = ((0, 2, 5), (1, 3), (4, 6))
"""Degrees, from 0, that can stand for each other: tonic, subdominant, dominant."""
_MOVES = {5: 1.0, 2: 0.6, 11: 0.8, 1: 0.5, 10: 0.5, 9: 0.5, 8: 0.4, 7: 0.4}
"""How strongly a root leads to another so many semitones above."""
_LONG = 720
"""Ticks from which a note of the tune must fit its chord."""
_CHROMATIC_EVERY = 4


class ChordSlot(Struct, frozen=True):
    """A chord between two ticks, at most a bar long, with the melody over it (`tune`). `open`: the chord may be
    exchanged; `halves`: it may be split into two chords.

    `place` is its position in its phrase; equal positions get equal chords, so that repeated phrases stay alike.
    """

    start: int
    end: int
    chord: Chord
    tune: tuple[Tone, ...]
    open: bool
    halves: bool
    place: int


Chords = tuple[Chord, ...]
"""The content of a slot: one chord, or two of half its length."""


def substituted(slots: Sequence[ChordSlot], key: Key, share: float, colourful: bool, dice: Dice) -> list[Chords]:
    """The chord or chords for each slot, in order, with a `share` (0 to 1, at least one) of the open slots changed, the
    best fits first.

    `colourful` allows chords from outside the key, at most one in four.
    """
    wanted = round(share * sum(slot.open for slot in slots))
    ranked = sorted(
        (number for number, slot in enumerate(slots) if slot.open),
        key=lambda number: (-_best_score(slots, number, key, colourful), number),
    )
    chosen = frozenset(ranked[: max(1, wanted)])
    result: list[Chords] = []
    known: dict[tuple[int, Chord], Chords] = {}
    chromatic_at = -_CHROMATIC_EVERY
    for number, slot in enumerate(slots):
        if number not in chosen:
            result.append((slot.chord,))
            continue
        allowed = colourful and number - chromatic_at >= _CHROMATIC_EVERY
        before = result[-1][-1] if result else None
        options = _options(slots, number, key, allowed)
        memory = known.get((slot.place, slot.chord))
        scored = [
            (_score(option, slots, number, before, base) + 0.8 * (option == memory) + 0.3 * dice.share(), at)
            for at, (option, base) in enumerate(options)
        ]
        fitting = [one for one in scored if one[0] > 0]
        if not fitting:
            result.append((slot.chord,))
            continue
        taken = options[max(fitting, key=lambda one: (one[0], -one[1]))[1]][0]
        known.setdefault((slot.place, slot.chord), taken)
        if any(not in_scale(key, tone) for chord in taken for tone in chord.pitch_classes):
            chromatic_at = number
        result.append(taken)
    return result


def fits(chord: Chord, tune: Sequence[Tone], start: int, end: int) -> float | None:
    """How well a chord fits the melody `tune` between two ticks, about -1 (badly) to 1; None where a long note clashes
    with it."""
    total = good = 0.0
    kind = _kind(chord)
    for tone in tune:
        length = min(tone.end, end) - max(tone.start, start)
        if length <= 0:
            continue
        above = (tone.pitch - chord.root) % 12
        heavy = length >= _LONG or (tone.start - start < 120 and length >= 360)
        total += length
        if tone.pitch in chord:
            good += length
        elif above in _TENSIONS[kind]:
            good += 0.45 * length
        elif heavy:
            return None
        else:
            good -= 0.6 * length
    return good / total if total else 0.5


def _kind(chord: Chord) -> str:
    steps = chord.intervals
    if 6 in steps and 3 in steps:
        return "dim"
    if 3 in steps:
        return "min"
    return "7" if 10 in steps else "maj"


def _best_score(slots: Sequence[ChordSlot], number: int, key: Key, colourful: bool) -> float:
    before = slots[number - 1].chord if number else None
    options = _options(slots, number, key, colourful)
    return max((_score(option, slots, number, before, base) for option, base in options), default=-9.0)


def _options(slots: Sequence[ChordSlot], number: int, key: Key, colourful: bool) -> list[tuple[Chords, float]]:
    """Other chords for a slot, each with how natural it is there."""
    slot = slots[number]
    following = slots[number + 1].chord if number + 1 < len(slots) else None
    rich = len(slot.chord.intervals) > 3
    options: list[tuple[Chords, float]] = []
    for degree in range(7):
        own = diatonic(key, degree + 1, 4 if rich else 3)
        if own.root == slot.chord.root or (own.quality in ("dim", "aug", "m7b5") and not is_minor(key.mode)):
            continue
        same = any(degree in kin and _degree(slot.chord, key) in kin for kin in _FUNCTIONS)
        shared = len(set(own.pitch_classes) & set(slot.chord.pitch_classes))
        options.append(((own,), 0.5 * same + 0.2 * shared - 0.5 * (own.quality in ("dim", "aug", "m7b5"))))
    if following is not None and following.root != slot.chord.root and slot.halves:
        two = two_five(following)
        if colourful or all(in_scale(key, tone) for chord in two for tone in chord.pitch_classes):
            options.append((two, 0.65))
    if colourful:
        options += _chromatic(slot.chord, following, key)
    return [(chords, base) for chords, base in options if chords != (slot.chord,)]


def two_five(goal: Chord) -> Chords:
    """The two chords of a ii-V that leads to `goal`."""
    minor = _kind(goal) in ("min", "dim")
    return Chord((goal.root + 2) % 12, "m7b5" if minor else "min7"), Chord((goal.root + 7) % 12, "7")


def _chromatic(old: Chord, following: Chord | None, key: Key) -> list[tuple[Chords, float]]:
    """Secondary dominants, tritone substitutes, and chords borrowed from the parallel mode."""
    options: list[tuple[Chords, float]] = []
    if following is not None and following.root != old.root and _kind(following) != "dim":
        options.append(((Chord((following.root + 7) % 12, "7"),), 0.75))
        if old.root == (following.root + 7) % 12:
            options.append(((Chord((following.root + 1) % 12, "7"),), 0.45))
    tonic = key.pitch_class
    degree = (old.root - tonic) % 12
    borrowed: dict[int, tuple[tuple[int, Quality], ...]] = (
        {1: ((10, "maj"),), 2: ((5, "maj"),), 8: ((5, "maj"), (1, "maj")), 5: ((5, "maj"),), 3: ((8, "maj"),)}
        if is_minor(key.mode)
        else {5: ((5, "min"), (10, "maj")), 2: ((5, "min"),), 9: ((8, "maj"),), 7: ((10, "maj"),), 0: ((8, "maj"),)}
    )
    found = [Chord((tonic + step) % 12, quality) for step, quality in borrowed.get(degree, ())]
    options += [((chord,), 0.5) for chord in found if chord != old]
    return options


def _score(option: Chords, slots: Sequence[ChordSlot], number: int, before: Chord | None, base: float) -> float:
    """Above 0 for chords that carry the tune and lead on."""
    slot = slots[number]
    edges = edges_of(slot, len(option))
    carried = [fits(chord, slot.tune, *edge) for chord, edge in zip(option, edges, strict=True)]
    if any(one is None for one in carried):
        return -1.0
    fit = sum(one for one in carried if one is not None) / len(carried)
    following = slots[number + 1].chord if number + 1 < len(slots) else None
    leads = _leads(option[-1], following) + (_leads(before, option[0]) if before is not None else 0.0)
    stuck = before is not None and before.root == option[0].root
    return 1.8 * fit + base + 0.35 * leads - 0.8 * stuck - 0.5 * (following is not None and following == option[-1])


def edges_of(slot: ChordSlot, count: int) -> list[tuple[int, int]]:
    middle = (slot.start + slot.end) // 2
    return [(slot.start, slot.end)] if count == 1 else [(slot.start, middle), (middle, slot.end)]


def _leads(chord: Chord | None, following: Chord | None) -> float:
    """How strongly a chord moves on: by a fifth down most, then by step, then by thirds; 0 without a neighbour."""
    if chord is None or following is None:
        return 0.0
    return _MOVES.get((following.root - chord.root) % 12, 0.0)


def _degree(chord: Chord, key: Key) -> int:
    """The degree of a chord's root, from 0; -1 outside the key."""
    steps = [(diatonic(key, degree + 1).root - key.pitch_class) % 12 for degree in range(7)]
    step = (chord.root - key.pitch_class) % 12
    return steps.index(step) if step in steps else -1
