"""Thickening: octaves, second voices and chord tones, within the range and without anything that rubs."""

from __future__ import annotations

from collections.abc import Sequence

from agent.composer.changing.hearing.around import rubs
from agent.composer.changing.hearing.grid import BEAT, attacks
from agent.composer.changing.notes.pulse import driving_drums
from agent.composer.changing.notes.voices import Voice
from agent.composer.tones import STEP, Tone
from agent.theory.pitch import in_scale

_CLAP = 39
_SNARES = frozenset({38, 40})
_LOWEST = 48


def doubled(tones: Sequence[Tone], voice: Voice, step: int, level: float) -> list[Tone]:
    """The tones, and a copy of each `step` semitones away where that is in range and clashes with nothing; `level` is
    the copy's share of the velocity."""
    result = list(tones)
    for tone in tones:
        other = tone.pitch + step
        sounding = [one.pitch for one in tones if one.start < tone.end and one.end > tone.start]
        free = voice.fits(other) and other not in sounding and not rubs(other, sounding)
        if free and not voice.around.rubs(other, tone.start, tone.end):
            result.append(Tone(tone.start, other, tone.length, max(1, int(level * tone.velocity))))
    return sorted(result)


def thickened(tones: Sequence[Tone], voice: Voice, amount: float) -> list[Tone]:
    """The part made fuller by its role: octaves, second voices, chord tones or more strokes; `amount` (0 to 1.5) is the
    share of notes that get one."""
    if voice.role == "drums":
        return _layered(tones, voice, amount)
    if voice.role == "percussion":
        return driving_drums(tones, voice, amount)
    if voice.role == "bass":
        strong = [tone for tone in tones if voice.grid.weight(tone.start) <= BEAT]
        return _with(tones, _shared(strong, amount), voice, (12, -12), 0.72)
    if voice.role in ("lead", "counter"):
        return _second_voice(tones, voice, amount)
    return _fuller(tones, voice, amount)


def _shared(tones: Sequence[Tone], amount: float) -> list[Tone]:
    """Evenly spread ones, as many as `amount` says."""
    share = min(1.0, amount)
    return [tone for number, tone in enumerate(tones) if int((number + 1) * share) > int(number * share)]


def _with(
    tones: Sequence[Tone], chosen: Sequence[Tone], voice: Voice, steps: Sequence[int], level: float
) -> list[Tone]:
    """The tones with a first step that fits for each chosen one."""
    result = list(tones)
    for tone in chosen:
        for step in steps:
            more = [one for one in doubled([tone], voice, step, level) if one.pitch != tone.pitch]
            if more and not any(voice.around.rubs(one.pitch, one.start, one.end) for one in more):
                result += more
                break
    return sorted(result)


def _second_voice(tones: Sequence[Tone], voice: Voice, amount: float) -> list[Tone]:
    """A third or sixth below where the chord or key has one; the octave below where neither fits."""
    result = list(tones)
    longer = [tone for tone in tones if tone.length >= STEP]
    for tone in _shared(longer or list(tones), amount):
        chord = voice.chord_at(tone.start)
        near = [tone.pitch - step for step in (3, 4, 8, 9, 5, 7)]
        own = [pitch for pitch in near if chord is not None and pitch in chord]
        keyed = [pitch for pitch in near[:4] if in_scale(voice.key, pitch)]
        for pitch in [*own, *keyed, tone.pitch - 12]:
            sounding = [one.pitch for one in result if one.start < tone.end and one.end > tone.start]
            clear = voice.fits(pitch) and pitch >= _LOWEST and pitch not in sounding and not rubs(pitch, sounding)
            if clear and not voice.around.rubs(pitch, tone.start, tone.end):
                result.append(Tone(tone.start, pitch, tone.length, max(1, int(0.74 * tone.velocity))))
                break
    return sorted(result)


def _fuller(tones: Sequence[Tone], voice: Voice, amount: float) -> list[Tone]:
    """Chords with one or two tones more above or below; broken chords with a second voice on the beats."""
    result: list[Tone] = []
    struck = attacks(tones)
    singles = sum(len(group) == 1 for group in struck) > len(struck) // 2
    for group in struck:
        result += group
        if singles and voice.grid.weight(group[0].start) > BEAT and amount < 1.2:
            continue
        for _ in range(1 if amount < 1.0 or singles else 2):
            added = _one_more(group, [*result, *tones], voice)
            if added is not None:
                result.append(added)
                group = [*group, added]
    return sorted(result)


def _one_more(group: Sequence[Tone], result: Sequence[Tone], voice: Voice) -> Tone | None:
    chord = voice.chord_at(group[0].start + 60)
    top, bottom = max(group, key=lambda tone: tone.pitch), min(group, key=lambda tone: tone.pitch)
    length = min(tone.length for tone in group)
    above = range(top.pitch + 3, top.pitch + 13)
    below = range(bottom.pitch - 3, bottom.pitch - 13, -1)
    sounding = {one.pitch for one in result if one.start < top.start + length and one.end > top.start}
    for pitch in [*above, *below]:
        if chord is None or pitch not in chord or not voice.fits(pitch) or not _LOWEST <= pitch <= 88:
            continue
        if pitch in sounding or rubs(pitch, sounding) or voice.around.rubs(pitch, top.start, top.start + length):
            continue
        lowest = voice.around.lowest(top.start, top.start + length)
        if pitch > bottom.pitch or (lowest is not None and pitch > lowest + 4):
            return Tone(top.start, pitch, length, max(1, int(0.8 * top.velocity)))
    return None


def _layered(tones: Sequence[Tone], voice: Voice, amount: float) -> list[Tone]:
    """A clap under the backbeat, and time kept throughout."""
    places = {tone.start for tone in tones if tone.pitch == _CLAP}
    snares = [t for t in tones if t.pitch in _SNARES and voice.grid.weight(t.start) <= BEAT and t.start not in places]
    claps = [
        Tone(tone.start, _CLAP, tone.length, max(1, int(0.7 * tone.velocity))) for tone in _shared(snares, amount)
    ]
    return driving_drums([*tones, *claps], voice, min(0.45, 0.3 + 0.15 * amount))
