"""The chords of a piece: a progression of the style, laid over the bars of each section."""

from __future__ import annotations

import re

from agent.composer.dice import Dice
from agent.composer.styles import Progressions, Style
from agent.composer.writing.frame import ChordSpan
from agent.song.key import Key, Mode
from agent.theory.chords import Chord, diatonic, progression, roman
from agent.theory.pitch import in_scale, intervals

_DEGREE = re.compile(r"(?:VII|VI|IV|V|III|II|I)", re.IGNORECASE)
_AS_WRITTEN = ("5", "sus2", "sus4", "6", "9", "11", "13")
"""Endings of chords without a third and of coloured ones, which every mode keeps where it has all their tones."""
_LEADS = {7: 0, 5: 1, 10: 2, 11: 3, 2: 4}
"""Semitones above the tonic, and how well a chord there leads to it; fewer is better."""
_DEGREES = {"I": 1, "II": 2, "III": 3, "IV": 4, "V": 5, "VI": 6, "VII": 7}


def is_minor(mode: Mode) -> bool:
    """Whether the mode has a minor third."""
    return intervals(mode)[2] == 3


def themes(style: Style, key: Key, dice: Dice) -> dict[str, tuple[Chord, ...]]:
    """The progressions of theme a and theme b, different ones where the style has two."""
    texts = list(_texts(style.progressions, key.mode))
    first = dice.pick(texts)
    others = [text for text in texts if text != first] or [first]
    second = dice.pick(others)
    return {"a": chords_of(first, key), "b": chords_of(second, key)}


def chords_of(text: str, key: Key) -> tuple[Chord, ...]:
    """A progression in a key; in a mode beside major and minor each degree takes the mode's own triad.

    Open chords, sixths, ninths and richer ones are taken as written where all their tones belong to the mode.
    """
    if key.mode in ("major", "minor"):
        return progression(text, key)
    return tuple(_own(word, key) for word in re.split(r"[\s,|]+", text.strip()) if _DEGREE.search(word))


def lay(chords: tuple[Chord, ...], start: int, end: int, length: int, close_on: Chord | None) -> tuple[ChordSpan, ...]:
    """The chords in turn, `length` ticks each, from `start` to `end`; `close_on` sounds in the last of them."""
    spans: list[ChordSpan] = []
    at, count = start, 0
    while at < end:
        stop = min(end, at + length)
        spans.append(ChordSpan(at, stop, chords[count % len(chords)]))
        at, count = stop, count + 1
    if close_on is not None and spans:
        spans[-1] = ChordSpan(spans[-1].start, end, close_on)
    return tuple(spans)


def leading_home(
    spans: tuple[ChordSpan, ...], chords: tuple[Chord, ...], home: Chord, bar: int
) -> tuple[ChordSpan, ...]:
    """The spans before the last chord; where they end at home already, a chord of the theme leads there again.

    Of the theme's chords the fifth leads best, then the fourth, the seventh, any other.
    """
    last = spans[-1]
    ways = [chord for chord in chords if chord.root != home.root]
    if last.chord.root != home.root or not ways:
        return spans
    best = min(ways, key=lambda chord: _LEADS.get((chord.root - home.root) % 12, len(_LEADS)))
    turn = max(last.start, last.end - bar)
    before = (ChordSpan(last.start, turn, last.chord),) if turn > last.start else ()
    return (*spans[:-1], *before, ChordSpan(turn, last.end, best))


def _texts(progressions: Progressions, mode: Mode) -> tuple[str, ...]:
    own: dict[str, tuple[str, ...]] = {
        "dorian": progressions.dorian, "phrygian": progressions.phrygian,
        "lydian": progressions.lydian, "mixolydian": progressions.mixolydian,
    }
    return own.get(mode) or (progressions.minor if is_minor(mode) else progressions.major)


def _own(word: str, key: Key) -> Chord:
    found = _DEGREE.search(word)
    assert found is not None
    if word.endswith(_AS_WRITTEN):
        chord = roman(word, key)
        if all(in_scale(key, tone) for tone in chord.pitch_classes):
            return chord
    degree = _DEGREES[found[0].upper()]
    chord = diatonic(key, degree)
    # a diminished or augmented triad in a loop sounds like a mistake: its third below keeps two of its notes
    return diatonic(key, degree + 5) if chord.quality in ("dim", "aug") else chord
