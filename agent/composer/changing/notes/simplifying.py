"""Simplifying: fewer notes, with the strong beats and the shape of every line."""

from __future__ import annotations

from collections.abc import Sequence

from agent.composer.changing.hearing.grid import BEAT, EIGHTH, attacks
from agent.composer.changing.notes.pulse import slower, thinner_drums
from agent.composer.changing.notes.voices import Voice
from agent.composer.tones import Tone

_BEAT = 960


def simplified(tones: Sequence[Tone], voice: Voice, amount: float) -> list[Tone]:
    """The part with fewer notes, keeping strong beats and the shape of lines; `amount` runs from 0 to 1.5
    (simplest)."""
    if voice.rhythmic:
        return thinner_drums(tones, voice, 0.85 * amount)
    if voice.role in ("lead", "counter"):
        return _plain_line(tones, voice, amount)
    fewer = slower(tones, voice, 0.7 * amount)
    if voice.role not in ("chords", "pad") or amount < 0.5:
        return fewer
    return _fewer_voices(fewer, 3 if amount <= 1.5 else 2)


def _plain_line(tones: Sequence[Tone], voice: Voice, amount: float) -> list[Tone]:
    """A tune without its passing and neighbour notes off the beat; turning points and leaps stay."""
    line = sorted(tones)
    loose = [number for number in range(1, len(line) - 1) if _ornament(line, number, voice)]
    share = min(1.0, 0.8 * amount)
    gone = {number for count, number in enumerate(loose) if int((count + 1) * share) > int(count * share)}
    # of two in a row the first stays, so that no hole opens
    gone = {number for number in gone if number - 1 not in gone or number % 2}
    result: list[Tone] = []
    for number, tone in enumerate(line):
        if number not in gone:
            result.append(tone)
        elif result and result[-1].start < tone.start and tone.start - result[-1].end < _BEAT // 2:
            before = result[-1]
            result[-1] = Tone(before.start, before.pitch, max(before.length, tone.end - before.start), before.velocity)
    return result


def _ornament(line: Sequence[Tone], number: int, voice: Voice) -> bool:
    before, tone, after = line[number - 1], line[number], line[number + 1]
    weak = voice.grid.weight(tone.start) >= EIGHTH
    weak = weak or (voice.grid.weight(tone.start) == BEAT and tone.length <= _BEAT // 2)
    near = before.start < tone.start < after.start and tone.length < _BEAT
    passing = min(before.pitch, after.pitch) <= tone.pitch <= max(before.pitch, after.pitch)
    neighbour = before.pitch == after.pitch and abs(tone.pitch - before.pitch) <= 2
    return weak and near and (passing or neighbour)


def _fewer_voices(tones: Sequence[Tone], most: int) -> list[Tone]:
    """Chords of at most so many tones: doublings go first, then inner voices."""
    result: list[Tone] = []
    for group in attacks(tones):
        kept = sorted(group, key=lambda tone: tone.pitch)
        while len(kept) > most:
            classes = [tone.pitch % 12 for tone in kept]
            twice = [at for at in range(1, len(kept) - 1) if classes.count(classes[at]) > 1]
            kept.pop(twice[0] if twice else 1)
        result += kept
    return sorted(result)
