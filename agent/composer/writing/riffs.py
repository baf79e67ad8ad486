"""Riffs: what the free notes of a bass pattern are, chosen once for a theme, so that every bar of it is the same."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from agent.composer.dice import Dice
from agent.composer.writing.steps import marks
from agent.song.chord import Chord
from agent.song.key import Key
from agent.theory.pitch import in_scale

FREE = "x"
_PLAIN = ".-"
_OCTAVE = 7
"""Scale steps of an octave."""
_FIRM = {"R": 0, "2": 1, "3": 2, "4": 3, "5": 4, "6": 5, "7": 6, "8": _OCTAVE}
"""Scale steps above the root of the marks with a pitch of their own."""
_NOTES = {-3: 1.0, -2: 0.4, -1: 1.4, 0: 0.9, 1: 0.4, 2: 1.0, 3: 0.8, 4: 1.3, 5: 0.7, 6: 1.2, 7: 0.8}
"""How often a riff takes a step of the scale above its root."""
_MOVES = {0: 0.35, 1: 3.0, 2: 1.2, 3: 0.4, 7: 0.4}
_WIDE = 0.12
"""How often it moves by so many steps, and by more."""
_CHOICES: dict[int, tuple[int, ...]] = {1: (2, 1), 2: (3, 4), 3: (5, 6), 4: (7, 6, 8), 5: (9, 8)}
"""Semitones that a step of the scale may have, the usual ones first."""


class Riff(Struct, frozen=True):
    """A rhythm as a step string, with scale steps above the root for each free mark; None for a rest or a mark that
    names its note itself."""

    rhythm: str
    steps: tuple[int | None, ...]


def riff_of(pattern: str, bar: int, dice: Dice) -> Riff:
    """The pattern with its free notes chosen: they move by step and lead to the next note.

    A bar (of `bar` sixteenths) that begins with the rhythm of the first bar has the same notes as long as the rhythm
    agrees.
    """
    text = marks(pattern)
    places = [at for at, mark in enumerate(text) if mark not in _PLAIN]
    steps: list[int | None] = [None] * len(text)
    before = 0
    for number, at in enumerate(places):
        mark = text[at]
        row = at // bar * bar
        if mark in _FIRM:
            before = _FIRM[mark]
            steps[at] = before
        elif mark == FREE and row and text[row : at + 1] == text[: at + 1 - row]:
            steps[at] = steps[at - row]
            before = steps[at] or 0
        elif mark == FREE:
            after = text[places[(number + 1) % len(places)]]
            before = _chosen(before, _FIRM.get(after), dice)
            steps[at] = before
    return Riff(text, _settled(text, places, steps))


def semitones(step: int, chord: Chord, key: Key) -> int:
    """The semitones of a scale step above the root of a chord: a tone of the chord, otherwise of the key.

    Over a slash bass only chord tones are taken. A plain triad gets a sixth where the key has a major seventh.
    """
    octave, place = divmod(step, _OCTAVE)
    if not place:
        return 12 * octave
    own = {(tone - chord.lowest) % 12 for tone in chord.pitch_classes}
    options = _CHOICES.get(place, (10, 11))
    found = next((one for one in options if one in own), None)
    if found is None and chord.lowest != chord.root:
        found = min(own - {0}, key=lambda one: (abs(one - options[0]), one), default=0)
    if found is None:
        found = next((one for one in options if in_scale(key, chord.lowest + one)), options[0])
        found = 9 if found == 11 else found
    return 12 * octave + found


def _chosen(before: int, after: int | None, dice: Dice) -> int:
    """A step of the scale after another and before a third."""
    weights = [
        weight * _move(step - before) * (1.0 if after is None else _move(step - after) + _WIDE)
        for step, weight in _NOTES.items()
    ]
    place = dice.share() * sum(weights)
    for step, weight in zip(_NOTES, weights, strict=True):
        place -= weight
        if place < 0:
            return step
    return 0


def _move(steps: int) -> float:
    return _MOVES.get(abs(steps), _WIDE)


def _settled(text: str, places: Sequence[int], steps: list[int | None]) -> tuple[int | None, ...]:
    """The steps, with a run of written fifths, sixths and sevenths below the root that leads up to it from there."""
    low = {"5", "6", "7"}
    for number in range(len(places)):
        run = places[number:]
        length = next((n for n, place in enumerate(run) if text[place] not in low), len(run))
        chain = [steps[place] or 0 for place in run[:length]]
        rises = bool(chain) and chain == sorted(chain) and chain[-1] >= _FIRM["6"]
        arrives = length < len(run) and text[run[length]] == "R"
        above = number > 0 and (steps[places[number - 1]] or 0) > _FIRM["3"]
        if rises and arrives and not above:
            for place in run[:length]:
                steps[place] = (steps[place] or 0) - _OCTAVE
    return tuple(steps)
