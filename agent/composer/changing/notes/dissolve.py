"""Dissolving: notes held and thinned until a song floats, while its melody and chords stay its own."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from agent.composer.changing.hearing.listening import top_line
from agent.composer.tones import Tone
from agent.composer.writing.bass import nearest
from agent.composer.writing.frame import ChordSpan
from agent.song.ids import TrackId
from agent.theory.melody import similarity
from agent.theory.sounding import Sounding
from agent.theory.voicing import voice

SOFTER = 0.72
_HALF_BAR = 1920
_LONGEST_TIE = 4 * 3840
_LONGEST_HOLD = 2 * 3840
_RATIOS = (0.8, 0.62, 0.45)
_ALIKE = 0.6


def slow_bass(tones: Sequence[Tone], chords: Sequence[ChordSpan]) -> list[Tone]:
    """One long bass note per chord under which the part played; equal neighbours are tied. Empty if it played
    nothing."""
    held: list[Tone] = []
    for span in chords:
        inside = [tone for tone in tones if _plays_in(tone, span)]
        if not inside:
            continue
        centre = sum(tone.pitch for tone in inside) // len(inside)
        pitch = nearest(span.chord.lowest, centre, max(0, centre - 6), min(127, centre + 6))
        velocity = _soft(inside) + _breath(span.start // _HALF_BAR)
        if held and held[-1].pitch == pitch and held[-1].end == span.start and held[-1].length < _LONGEST_TIE:
            held[-1] = Tone(held[-1].start, pitch, span.end - held[-1].start, held[-1].velocity)
        else:
            held.append(Tone(span.start, pitch, span.end - span.start, velocity))
    return held


def slow_chords(
    tones: Sequence[Tone], chords: Sequence[ChordSpan], low: int, high: int, voices: int
) -> list[Tone]:
    """The part's chords as held notes of at most `voices` voices between `low` and `high`; common tones are tied. Empty
    if it played nothing."""
    spans = [span for span in chords if any(_plays_in(tone, span) for tone in tones)]
    if not spans:
        return []
    centre = sum(tone.pitch for tone in tones) // len(tones)
    velocity = _soft(tones)
    return held_chords(spans, max(low + 6, min(high - 6, centre)), low, high, voices, velocity)


def held_chords(
    spans: Sequence[ChordSpan], centre: int, low: int, high: int, voices: int, velocity: int
) -> list[Tone]:
    """The chords of `spans` as held tones of this velocity, with smooth voice leading around pitch `centre`, between
    `low` and `high`, in at most `voices` voices; common tones are tied for at most four bars of 4/4."""
    low, high = min(low, 115), max(high, min(low, 115) + 12)
    led: list[tuple[ChordSpan, tuple[int, ...]]] = []
    previous: tuple[int, ...] | None = None
    for span in spans:
        previous = voice(span.chord, centre, previous, low, high, voices=voices, rooted=True)
        led.append((span, previous))
    tones: list[Tone] = []
    began: dict[int, int] = {}
    for number, (span, pitches) in enumerate(led):
        following = led[number + 1] if number + 1 < len(led) else None
        for order, pitch in enumerate(pitches):
            start = began.pop(pitch, span.start)
            stays = following is not None and following[0].start == span.end and pitch in following[1]
            if stays and span.end - start < _LONGEST_TIE:
                began[pitch] = start
            else:
                level = max(1, velocity - 2 * order + _breath(start // _HALF_BAR))
                tones += _in_pieces(Tone(start, pitch, span.end - start, level))
    return tones


def slow_melody(tones: Sequence[Tone], chords: Sequence[ChordSpan], end: int, level: int) -> list[Tone]:
    """The top line with fewer notes, each held until the next or until `end`, but not into one of the `chords` that it
    does not belong to.

    `level` 0 keeps about four fifths of the notes, each further level fewer, as long as the line stays recognisable.
    """
    line = top_line(tones)
    kept = line
    for ratio in _RATIOS[: level + 1]:
        thinner = max((_heads(line, ratio), _bars_out(line, ratio)), key=lambda one: _alike(line, one))
        if len(thinner) < len(kept) and _alike(line, thinner) >= _ALIKE:
            kept = thinner
    return [
        _held(tone, kept[number + 1].start if number + 1 < len(kept) else end, number, chords)
        for number, tone in enumerate(kept)
    ]


def _held(tone: Tone, following: int, number: int, chords: Sequence[ChordSpan]) -> Tone:
    """A melody note held to the next one, or until a chord comes that it does not belong to."""
    until = min(following, tone.start + _LONGEST_HOLD)
    for span in chords:
        if tone.end <= span.start < until and tone.pitch not in span.chord:
            until = span.start
            break
    length = max(min(tone.length, following - tone.start), until - tone.start, 60)
    swell = (tone.pitch % 12) // 3 + (number * 3) % 5 - 3
    return Tone(tone.start, tone.pitch, length, max(1, int(tone.velocity * 0.78) + swell))


def _plays_in(tone: Tone, span: ChordSpan) -> bool:
    """Whether a tone begins in a chord or sounds through at least a quarter of it."""
    shared = min(tone.end, span.end) - max(tone.start, span.start)
    return span.start <= tone.start < span.end or 4 * shared >= span.end - span.start


def _breath(number: int) -> int:
    """A slow rise and fall over successive chords, in steps of velocity."""
    return (0, 2, 5, 3, -1, -4, -2)[number % 7]


def _soft(tones: Sequence[Tone]) -> int:
    return max(1, int(SOFTER * sum(tone.velocity for tone in tones) / len(tones)))


def _in_pieces(tone: Tone) -> list[Tone]:
    """A very long note as notes of at most eight bars of 4/4, so that it keeps sounding."""
    longest = 2 * _LONGEST_TIE
    count = -(-tone.length // longest)
    edges = [tone.start + tone.length * i // count for i in range(count + 1)]
    return [Tone(a, tone.pitch, b - a, tone.velocity) for a, b in itertools.pairwise(edges)]


def _heads(line: list[Tone], ratio: float) -> list[Tone]:
    """The first notes of each two bars: phrases keep their beginning and end in silence."""
    phrases: dict[int, list[Tone]] = {}
    for tone in line:
        phrases.setdefault(tone.start // 7680, []).append(tone)
    return [tone for phrase in phrases.values() for tone in phrase[: max(1, round(len(phrase) * ratio))]]


def _bars_out(line: list[Tone], ratio: float) -> list[Tone]:
    """Whole bars are left out, evenly spread."""
    bars = sorted({tone.start // 3840 for tone in line})
    kept = {bar for number, bar in enumerate(bars) if int((number + 1) * ratio) > int(number * ratio)}
    return [tone for tone in line if tone.start // 3840 in kept]


def _alike(before: Sequence[Tone], after: Sequence[Tone]) -> float:
    return similarity(_sounding(before), _sounding(after)) if after else 0.0


def _sounding(tones: Sequence[Tone]) -> list[Sounding]:
    return [Sounding(TrackId(""), tone.pitch, tone.start, tone.end, tone.velocity) for tone in tones]
