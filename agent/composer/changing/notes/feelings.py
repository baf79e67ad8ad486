"""Feelings: what makes a phrase sigh or lift, and the colour tones of sad and happy chords."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from agent.composer.changing.hearing.around import rubs
from agent.composer.changing.hearing.grid import attacks
from agent.composer.changing.notes.voices import Voice
from agent.composer.tones import Tone
from agent.song.chord import Chord
from agent.theory.pitch import in_scale, move

_BEAT = 960
_SAD = {"min": (14, 10), "maj": (11, 14), "dim": (10,)}
_HAPPY = {"min": (10, 14), "maj": (14, 9), "dim": (10,)}
"""Tones added to triads, in semitones above the root, by preference."""


def phrase_ends(tones: Sequence[Tone], voice: Voice, feeling: float) -> list[Tone]:
    """The line with altered phrase endings: a sigh (a step down into the last note) for sad, a rise after it for happy.

    `feeling` runs from -1.5 (sad) to 1.5 (happy); its size, up to 1, is the share of phrases that change.
    """
    line = sorted(tones)
    usual = sum(tone.length for tone in line) / max(1, len(line))
    ends = [
        number for number, (tone, after) in enumerate(pairwise([*line, None]))
        if tone is not None and tone.length >= _BEAT and _closes(tone, after, usual)
    ]
    share = min(1.0, abs(feeling))
    chosen = {end for count, end in enumerate(ends) if int((count + 1) * share) > int(count * share)}
    result: list[Tone] = []
    for number, tone in enumerate(line):
        result += (_sigh(tone, voice) if feeling < 0 else _lift(tone, voice)) if number in chosen else [tone]
    return result


def _closes(tone: Tone, after: Tone | None, usual: float) -> bool:
    """Whether a tone ends a phrase: a rest follows, or it lasts much longer than tones usually do."""
    return after is None or after.start - tone.end >= _BEAT // 4 or tone.length >= 1.7 * usual


def _sigh(tone: Tone, voice: Voice) -> list[Tone]:
    """A step from above, leaning on the beat, falls into the note."""
    if not in_scale(voice.key, tone.pitch):
        return [tone]
    above = move(voice.key, tone.pitch, 1)
    lean = min(_BEAT // 2, tone.length // 3)
    if not voice.fits(above) or voice.around.rubs(above, tone.start, tone.start + lean):
        return [tone]
    return [
        Tone(tone.start, above, lean, tone.velocity),
        Tone(tone.start + lean, tone.pitch, tone.length - lean, max(1, int(0.86 * tone.velocity))),
    ]


def _lift(tone: Tone, voice: Voice) -> list[Tone]:
    """The note, and at its end the next chord tone above."""
    chord = voice.chord_at(tone.end - 1)
    above = next((p for p in range(tone.pitch + 3, tone.pitch + 8) if chord is not None and p in chord), None)
    tail = min(_BEAT // 2, tone.length // 3)
    begin = tone.end - tail
    if above is None or not voice.fits(above) or voice.around.rubs(above, begin, tone.end):
        return [tone]
    return [Tone(tone.start, tone.pitch, tone.length - tail, tone.velocity), Tone(begin, above, tail, tone.velocity)]


def coloured_chords(tones: Sequence[Tone], voice: Voice, feeling: float) -> list[Tone]:
    """The part with a seventh, sixth or ninth of the key added to chords of three or more notes. The size of `feeling`
    (-1.5 sad to 1.5 happy), up to 1, is the share of chords."""
    share = min(1.0, abs(feeling))
    spans = [span.start for span in voice.heard.chords]
    result: list[Tone] = []
    for group in attacks(tones):
        result += group
        number = sum(start <= group[0].start + 60 for start in spans)
        chosen = int(number * share) > int((number - 1) * share)
        chord = voice.chord_at(group[0].start + 60)
        if chord is not None and chosen and len(group) >= 3 and len(chord.intervals) == 3:
            added = _colour(group, chord, voice, sad=feeling < 0)
            result += [added] if added is not None else []
    return result


def _colour(group: Sequence[Tone], chord: Chord, voice: Voice, *, sad: bool) -> Tone | None:
    table = _SAD if sad else _HAPPY
    kind = "min" if 3 in chord.intervals and 7 in chord.intervals else "dim" if 6 in chord.intervals else "maj"
    pitches = [tone.pitch for tone in group]
    model = max(group, key=lambda tone: tone.pitch)
    length = min(tone.length for tone in group)
    for interval in table[kind]:
        colour = (chord.root + interval) % 12
        if not in_scale(voice.key, colour) or any(pitch % 12 == colour for pitch in pitches):
            continue
        near = [pitch for pitch in range(max(pitches) - 9, max(pitches) + 8) if pitch % 12 == colour]
        for pitch in sorted(near, key=lambda one: (abs(one - max(pitches)), one)):
            clear = pitch > min(pitches) + 2 and pitch >= 55 and voice.fits(pitch) and not rubs(pitch, pitches)
            if clear and not voice.around.rubs(pitch, model.start, model.start + length):
                return Tone(model.start, pitch, length, max(1, int(0.86 * model.velocity)))
    return None
