"""Note names, scales and degrees; pitches are MIDI numbers, where 60 is C4."""

from __future__ import annotations

import re
from functools import lru_cache

from agent.message import msg
from agent.song.key import Key, Mode
from agent.theory.errors import TheoryError

_INTERVALS: dict[Mode, tuple[int, ...]] = {
    "major": (0, 2, 4, 5, 7, 9, 11),
    "minor": (0, 2, 3, 5, 7, 8, 10),
    "dorian": (0, 2, 3, 5, 7, 9, 10),
    "phrygian": (0, 1, 3, 5, 7, 8, 10),
    "lydian": (0, 2, 4, 6, 7, 9, 11),
    "mixolydian": (0, 2, 4, 5, 7, 9, 10),
    "locrian": (0, 1, 3, 5, 6, 8, 10),
    "harmonic_minor": (0, 2, 3, 5, 7, 8, 11),
    "melodic_minor": (0, 2, 3, 5, 7, 9, 11),
}
_STEPS_TO_MAJOR: dict[Mode, int] = {
    "major": 0, "minor": 3, "dorian": 10, "phrygian": 8, "lydian": 7, "mixolydian": 5, "locrian": 1,
    "harmonic_minor": 3, "melodic_minor": 3,
}
_CHORD_STEPS = (0, 1, 1, 2, 2, 3, 4, 4, 4, 5, 6, 6)
"""Steps of letters from a root to the tone of its chord, by semitones: a third, a fifth, a seventh."""
_LETTERS = {"C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11}
_SHARPS = ("C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B")
_FLATS = ("C", "Db", "D", "Eb", "E", "F", "Gb", "G", "Ab", "A", "Bb", "B")
_MAJOR_TONICS = ("C", "Db", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B")
_MINOR_TONICS = ("C", "C#", "D", "Eb", "E", "F", "F#", "G", "G#", "A", "Bb", "B")
_FLAT_SIGNATURES = frozenset({5, 10, 3, 8, 1})
_NAME = re.compile(r"([A-Ga-g])(##|bb|[#b]?)(-?\d+)?")


def intervals(mode: Mode) -> tuple[int, ...]:
    """Semitones of the seven degrees above the tonic."""
    return _INTERVALS[mode]


def pitch_class(name: str) -> int:
    """0-11 of a note name (C, f#, Bb, E##); C is 0. `TheoryError` for anything else."""
    found = _NAME.fullmatch(name.strip())
    if found is None or found[3]:
        raise TheoryError(
            msg("{name!r} is not a note name", name=name), fix=msg("write a letter A-G with # or b, as in Bb"),
        )
    return (_LETTERS[found[1].upper()] + _shift(found[2])) % 12


def pitch(name: str) -> int:
    """MIDI number of a name with its octave: C4 is 60, A4 is 69. `TheoryError` outside 0-127."""
    found = _NAME.fullmatch(name.strip())
    if found is None or not found[3]:
        raise TheoryError(
            msg("{name!r} is not a pitch", name=name), fix=msg("write a note and its octave, as in C4 or F#3"),
        )
    number = _LETTERS[found[1].upper()] + _shift(found[2]) + 12 * (int(found[3]) + 1)
    if not 0 <= number <= 127:
        raise TheoryError(msg("{name!r} is outside the MIDI range", name=name), fix=msg("pitches run from C-1 to G9"))
    return number


def _shift(accidental: str) -> int:
    return accidental.count("#") - accidental.count("b")


def class_name(pc: int, key: Key | None = None) -> str:
    """Name of a pitch class, spelled with the sharps or flats of `key` (without a key: sharps)."""
    flats = key is not None and (signature_class(key) in _FLAT_SIGNATURES or "b" in key.tonic)
    return (_FLATS if flats else _SHARPS)[pc % 12]


def tone_name(root: str, above: int) -> str:
    """Name of the chord tone `above` semitones (1-11) above a root: 4 above A is C#; "" if it would need two
    accidentals."""
    letters = "CDEFGAB"
    letter = letters[(letters.index(root[0]) + _CHORD_STEPS[above]) % len(letters)]
    sign = (pitch_class(root) + above - _LETTERS[letter] + 6) % 12 - 6
    return letter + ("", "#", "b")[sign] if abs(sign) <= 1 else ""


def pitch_name(number: int, key: Key | None = None) -> str:
    """Name of a MIDI pitch with its octave, spelled in `key` (None: with sharps): 60 is C4."""
    return f"{class_name(number, key)}{number // 12 - 1}"


def usual_tonic(pc: int, mode: Mode) -> str:
    """The tonic name with the fewest accidentals for a pitch class, as musicians write keys in that mode."""
    minor_like = _INTERVALS[mode][2] == 3
    return (_MINOR_TONICS if minor_like else _MAJOR_TONICS)[pc % 12]


def signature_class(key: Key) -> int:
    """Tonic (0-11) of the major key with the same signature; harmonic and melodic minor count as minor."""
    return (key.pitch_class + _STEPS_TO_MAJOR[key.mode]) % 12


def scale(key: Key) -> tuple[int, ...]:
    """The seven pitch classes of the key, from its tonic up."""
    return tuple((key.pitch_class + step) % 12 for step in _INTERVALS[key.mode])


def in_scale(key: Key, number: int) -> bool:
    """Whether a pitch (or pitch class) belongs to the key."""
    return (number - key.pitch_class) % 12 in _INTERVALS[key.mode]


def same_notes(one: Key, other: Key) -> bool:
    """Whether two keys have the same pitch classes, as a major key and its relative minor do."""
    return all(in_scale(one, pitch) == in_scale(other, pitch) for pitch in range(12))


def nearest_in_scale(key: Key, number: int) -> int:
    """The pitch of the key nearest to `number`; the lower of two equally near. Stays within 0-127."""
    for distance in range(3):
        for candidate in (number - distance, number + distance):
            if 0 <= candidate <= 127 and in_scale(key, candidate):
                return candidate
    raise TheoryError(
        msg("no pitch of {key} near {number}", key=key, number=number), fix=msg("use a pitch from 0 to 127"),
    )


def scale_pitches(key: Key, low: int, high: int) -> tuple[int, ...]:
    """All pitches of the key in `low`-`high`, inclusive and ascending."""
    return tuple(number for number in range(low, high + 1) if in_scale(key, number))


def degree_pitch(key: Key, degree: int, octave: int = 4) -> int:
    """Pitch of a degree: 1 is the tonic in `octave` (C4 is 60), 8 the tonic above, 0 the seventh below."""
    octaves, index = divmod(degree - 1, 7)
    return key.pitch_class + 12 * (octave + 1 + octaves) + _INTERVALS[key.mode][index]


def degree_of(key: Key, number: int) -> int | None:
    """Degree 1-7 of a pitch, None outside the key."""
    step = (number - key.pitch_class) % 12
    steps = _INTERVALS[key.mode]
    return steps.index(step) + 1 if step in steps else None


def move(key: Key, number: int, steps: int) -> int:
    """A pitch moved by scale steps; a pitch outside the key starts from its nearest neighbour in it."""
    return _moved(key, number, steps)


@lru_cache(maxsize=4096)
def _moved(key: Key, number: int, steps: int) -> int:
    start = nearest_in_scale(key, number)
    degree = degree_of(key, start)
    assert degree is not None
    return degree_pitch(key, degree + steps, 0) + (start - degree_pitch(key, degree, 0))


def fold(number: int, low: int, high: int) -> int:
    """A pitch brought into `low`-`high` by octaves; clamped where the range is too narrow for its class."""
    while number < low:
        number += 12
    while number > high:
        number -= 12
    return max(low, number)
