"""Second voices to a line: thirds, sixths and octaves within the key, and what they do over the chords."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import structs

from agent.composer.tones import Tone
from agent.song.chord import Chord
from agent.song.key import Key
from agent.theory.pitch import in_scale, move

ChordAt = Callable[[int], Chord | None]
_LONG = 720
"""Ticks of a note from which its second voice has to agree with the chord."""
_OCTAVE = 7


def harmony(tones: Sequence[Tone], steps: int, key: Key, chord_at: ChordAt) -> list[Tone]:
    """A second voice: each tone moved by `steps` scale steps (negative: down); octaves are exact.

    Where a long chord tone would get a partner outside the chord, the nearest chord tone is taken that is neither the
    tone itself nor next to it.
    """
    octaves, rest = divmod(abs(steps), _OCTAVE)
    sign = 1 if steps > 0 else -1
    found = []
    for tone in tones:
        base = tone.pitch + sign * 12 * octaves
        pitch = _apart(base, sign * rest, key) if rest else base
        chord = chord_at(tone.start) if rest and tone.length >= _LONG else None
        if chord is not None and tone.pitch in chord and pitch not in chord:
            near = [p for p in range(pitch - 2, pitch + 3) if p in chord and abs(p - tone.pitch) >= 3]
            pitch = min(near, key=lambda p: (abs(p - pitch), -sign * p), default=pitch)
        found.append(structs.replace(tone, pitch=pitch))
    return [tone for tone in found if 0 <= tone.pitch <= 127]


def on_chords(tones: Sequence[Tone], chord_at: ChordAt, key: Key, clashes: Callable[[Tone], bool]) -> list[Tone]:
    """The tones with clashing ones moved to the nearest chord tone that does not clash, or dropped if there is none.

    A tone clashes if it is in neither chord nor key, if it is long and not in the chord, or if `clashes` says so.
    """
    found: list[Tone] = []
    for tone in tones:
        chord = chord_at(tone.start)
        wrong = clashes(tone) or (chord is not None and tone.pitch not in chord and not in_scale(key, tone.pitch))
        if chord is not None and tone.length >= _LONG and tone.pitch not in chord:
            wrong = True
        if wrong and chord is not None:
            options = [structs.replace(tone, pitch=tone.pitch + by) for by in (-1, 1, -2, 2, -3, 3, -4, 4)]
            sound = [one for one in options if one.pitch in chord and not clashes(one)]
            found += sound[:1]
        elif not wrong:
            found.append(tone)
    return found


def _apart(pitch: int, steps: int, key: Key) -> int:
    """A pitch some steps of the scale away; one outside of the key takes its accidental along."""
    moved = move(key, pitch, steps)
    return moved if in_scale(key, pitch) else moved + pitch - move(key, pitch, 0)
