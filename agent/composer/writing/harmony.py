"""The chords of a piece: a progression of the style, laid over the bars of each section."""

from __future__ import annotations

import re
from itertools import pairwise

from msgspec import structs

from agent.composer.dice import Dice
from agent.composer.styles import Progressions, Style
from agent.composer.tones import STEP
from agent.composer.writing.exchanges import exchanged
from agent.composer.writing.frame import ChordSpan
from agent.composer.writing.meters import accents
from agent.song.chord import Chord
from agent.song.key import Key, Mode
from agent.theory.chords import diatonic, progression, roman
from agent.theory.pitch import in_scale, intervals

_DEGREE = re.compile(r"(?:VII|VI|IV|V|III|II|I)", re.IGNORECASE)
_AS_WRITTEN = ("5", "sus2", "sus4", "6", "7", "9", "11", "13")
"""Endings of chords without a third and of coloured ones, which every mode keeps where it has all their tones."""
_AT_HOME = 2
"""Fewest tones of a key by which a chord is at home in it."""
_DEGREES = {"I": 1, "II": 2, "III": 3, "IV": 4, "V": 5, "VI": 6, "VII": 7}


def is_minor(mode: Mode) -> bool:
    """Whether the mode has a minor third."""
    return intervals(mode)[2] == 3


def themes(style: Style, key: Key, dice: Dice, *, plain: bool = False) -> dict[str, tuple[Chord, ...]]:
    """The progressions of the themes a, b and c, different ones if the style has enough; one for all if it has a round
    of its own.

    That of c, used for bridges, begins on another chord if possible. Some have a chord substituted as the style does,
    unless `plain`.
    """
    texts = list(_texts(style.progressions, key.mode))
    first = dice.pick(texts)
    if style.round is not None:
        return dict.fromkeys(("a", "b", "c"), chords_of(first, key))
    second = dice.pick([text for text in texts if text != first] or [first])
    others = [text for text in texts if text not in (first, second)]
    away = [text for text in others if text.split()[0] not in (first.split()[0], second.split()[0])]
    third = dice.pick(away or others or [second])
    texts_of = {"a": first, "b": second, "c": third}
    for name, text in texts_of.items() if not plain else ():
        # so that a chorus stands out from its verse, only one of the two leaves the key
        if name != "b" or texts_of["a"] == first:
            texts_of[name] = exchanged(text, key, style.exchanges, dice.of(name))
    return {name: chords_of(text, key) for name, text in texts_of.items()}


def with_fixed_chords(style: Style) -> Style:
    """The style with one chord a bar and no substitutions or inversions, for chords that must stay as given."""
    plain = structs.replace(style.transitions, turnaround=False)
    return structs.replace(style, chord_bars=1.0, transitions=plain, inversions=False)


def last_chords(style: Style, key: Key, dice: Dice) -> tuple[Chord, ...]:
    """The chords before the final one as the style's ending has them; empty if it has none."""
    texts = style.ending.minor if is_minor(key.mode) else style.ending.major
    return chords_of(dice.pick(texts), key) if texts else ()


def chords_of(text: str, key: Key) -> tuple[Chord, ...]:
    """The chords of a progression in a key; in modes other than major and minor each degree is the mode's own triad.

    Suspended, sixth, ninth and richer chords are taken as written if all their tones belong to the mode.
    """
    if key.mode in ("major", "minor"):
        return progression(text, key)
    return tuple(_own(word, key) for word in re.split(r"[\s,|]+", text.strip()) if _DEGREE.search(word))


def lay(chords: tuple[Chord, ...], start: int, end: int, lengths: tuple[int, ...]) -> tuple[ChordSpan, ...]:
    """The chords in rotation from `start` to `end`, with the lengths (ticks) of `lengths` in rotation."""
    spans: list[ChordSpan] = []
    at, count = start, 0
    while at < end:
        stop = min(end, at + lengths[count % len(lengths)])
        spans.append(ChordSpan(at, stop, chords[count % len(chords)]))
        at, count = stop, count + 1
    return tuple(spans)


def chord_lengths(chord_bars: float, bar: int, beats: tuple[int, ...]) -> tuple[int, ...]:
    """The lengths in ticks of successive chords: whole bars, or for `chord_bars` below 1 parts of a bar that begin on
    beats, strong ones first."""
    if chord_bars >= 1:
        return (int(bar * chord_bars),)
    wanted = min(len(beats), max(1, round(1 / chord_bars)))
    starts = [sum(beats[:at]) for at in range(len(beats))]
    strong = accents(beats)
    cuts = [0]
    for number in range(1, wanted):
        ideal = sum(beats) * number / wanted
        free = [at for at in starts if at > cuts[-1]]
        if free:
            cuts.append(min(free, key=lambda at: (abs(at - ideal) - (1.5 if at in strong else 0), at)))
    return tuple((b - a) * STEP for a, b in pairwise((*cuts, sum(beats))))


def coloured(pitch: int, chord: Chord, key: Key) -> int:
    """The pitch adapted to a chord: if the chord raises or lowers its scale degree, it is raised or lowered too.

    Major thirds outside the key are raised degrees (B over G7 in C minor), other tones outside it lowered ones.
    """
    if pitch in chord:
        return pitch
    for tone in chord.pitch_classes:
        if not in_scale(key, tone):
            shift = 1 if (tone - chord.root) % 12 in (4, 8) else -1
            if (pitch + shift) % 12 == tone:
                return pitch + shift
    return pitch


def singable(pitch: int, chord: Chord, key: Key) -> bool:
    """Whether a melody may use this pitch of a chord: a scale tone, the leading note in minor, or any tone of a chord
    that has hardly any scale tones."""
    leading = is_minor(key.mode) and (pitch - key.pitch_class) % 12 == 11
    if pitch not in chord:
        return False
    return in_scale(key, pitch) or leading or sum(in_scale(key, tone) for tone in chord.pitch_classes) < _AT_HOME


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
