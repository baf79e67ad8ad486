"""Figured parts: roots, long notes, chords, broken chords and pulses on the chords of a song."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from agent.composer.changing.hearing.feel_heard import Feel
from agent.composer.changing.hearing.grid import BEAT, ONE, Grid
from agent.composer.changing.hearing.listening import SongAnalysis
from agent.composer.changing.notes.rhythms import struck_at
from agent.composer.changing.parts.room import clear_of
from agent.composer.changing.stage import Span, Stage
from agent.composer.tones import SHORTEST, Tone
from agent.composer.understanding.part_phrase import PartPhrase
from agent.song.chord import Chord
from agent.song.palette import Instrument
from agent.song.time import PPQ

_BASS_TOP = 36
"""An instrument that reaches down to here holds roots as a bass does."""
_CENTRES = {"roots": 38, "pulse": 45, "line": 67, "chords": 60, "arpeggio": 67}
_UPPER_ROOTS = 52
_EDGE = 5
_GAP = 4
"""Semitones between a part and the one that it lies above or below."""
_SHORT = PPQ // 2
_ARPEGGIO = 0.5
_MOST_TONES = 4
_WEAK, _WEAKEST = 0.92, 0.86
_ROLL = PPQ // 8
"""Ticks between the strokes of a roll."""
_SOFTEST = 0.4
"""How loud a roll begins, as a share of how it ends."""


class FiguredPart(Struct, frozen=True):
    """What is needed to write a part: its phrase (what it plays and how), its instrument (`sound`), and its usual
    velocity (`level`).

    `beside` are the tones of the part that it has to lie above or below.
    """

    phrase: PartPhrase
    sound: Instrument
    level: int
    beside: tuple[Tone, ...] = ()


def figured(stage: Stage, line: FiguredPart, tune: Sequence[Tone]) -> list[Tone]:
    """The tones of the part `line` for the stage's spans, kept clear of the long notes of `tune`; empty where no chords
    are heard."""
    heard = stage.heard()
    grid = Grid(stage.song, Feel(heard.frame.swing, heard.frame.swing_ticks))
    tones: list[Tone] = []
    last: list[int] = []
    for number, (start, end) in enumerate(_struck(stage, line.phrase, heard, grid)):
        chord = next((span.chord for span in heard.chords if span.start <= start < span.end), None)
        if chord is None:
            continue
        pitches = _pitches(line, chord, number, last, (start, end))
        last = pitches or last
        weight = grid.weight(start)
        level = round(line.level * (1.0 if weight <= BEAT else _WEAK if number % 2 else _WEAKEST))
        level = min(127, level + 4) if weight == ONE else level
        length = _length(line, start, end)
        tones += [Tone(grid.swung(start), pitch, length, max(1, level)) for pitch in pitches]
    low = line.phrase.plays in ("roots", "pulse")
    return sorted(tones) if low else clear_of(sorted(tones), tune, heard)


def rhythm_of(stage: Stage, phrase: PartPhrase, pitch: int, level: int) -> list[Tone]:
    """The strokes of an unpitched part, in the rhythm that `phrase` says, in the stage's spans, on `pitch` at velocity
    `level`, in every bar in which anything sounds."""
    heard = stage.heard()
    grid = Grid(stage.song, Feel(heard.frame.swing, heard.frame.swing_ticks))
    sounding = {
        stage.song.bar_map.bar_at(clip.start + note.start)
        for track in stage.song.tracks for clip in track.clips for note in clip.notes
    }
    tones = []
    for number, (start, _) in enumerate(_in_bars(stage, phrase, grid)):
        if stage.song.bar_map.bar_at(start) in sounding:
            strength = 1.0 if grid.weight(start) <= BEAT and number % 2 == 0 else _WEAK
            tones.append(Tone(grid.swung(start), pitch, PPQ // 8, max(1, min(127, round(level * strength)))))
    return tones


def rolled(stage: Stage, line: FiguredPart, pitch: int | None) -> list[Tone]:
    """A crescendo roll of the part `line` through each span of the stage, on `pitch`; None for the root of the chord
    that follows."""
    heard, tones = stage.heard(), list[Tone]()
    for start, end in stage.spans:
        chord = next((one.chord for one in heard.chords if one.start <= end < one.end), None)
        root = chord.lowest if chord is not None else heard.key.pitch_class
        low, high, centre = _compass(line, (start, end))
        struck = pitch if pitch is not None else _nearest([root], centre, low, high)
        count = max(1, (end - start) // _ROLL)
        for number in range(count):
            share = _SOFTEST + (1 - _SOFTEST) * number / count
            tones.append(Tone(start + number * _ROLL, struck, _ROLL * 3 // 4, max(1, round(line.level * share))))
    return tones


def _struck(stage: Stage, phrase: PartPhrase, heard: SongAnalysis, grid: Grid) -> list[Span]:
    """From where to where each stroke may last."""
    if phrase.timed or phrase.plays in ("arpeggio", "pulse"):
        return _in_bars(stage, phrase, grid)
    if phrase.held is False and phrase.plays == "chords":
        return _in_bars(stage, PartPhrase(strokes="beats"), grid)
    spans: list[Span] = []
    was: Chord | None = None
    for start, end in stage.spans:
        for one in heard.chords_in(start, end):
            if was == one.chord and spans and spans[-1][1] == one.start and phrase.plays != "line":
                spans[-1] = (spans[-1][0], one.end)
            else:
                spans.append((one.start, one.end))
            was = one.chord
    return spans


def _in_bars(stage: Stage, phrase: PartPhrase, grid: Grid) -> list[Span]:
    bars = stage.song.bar_map
    found: list[Span] = []
    for first, last in stage.spans:
        starts: list[int] = []
        for bar in range(bars.bar_at(first), bars.bar_at(last - 1) + 1):
            start, end = (int(tick) for tick in bars.span(bar, bar))
            starts += [at for at in _places(phrase, start, end, grid) if first <= at < last]
        found += zip(starts, [*starts[1:], last], strict=True)
    return found


def _places(phrase: PartPhrase, start: int, end: int, grid: Grid) -> list[int]:
    if phrase.beats:
        beats = grid.beats(start)
        return [beats[number - 1] for number in phrase.beats if number <= len(beats)]
    if phrase.strokes:
        return struck_at(phrase.strokes, PPQ, start, end, grid)
    return list(range(start, end, max(SHORTEST, round((phrase.step or _ARPEGGIO) * PPQ))))


def _length(line: FiguredPart, start: int, end: int) -> int:
    """Held tones last until the next stroke; others that are struck at places of the bar are shorter."""
    room = end - start
    if line.phrase.held is False:
        return max(SHORTEST, min(room, _SHORT) * 3 // 4)
    if line.phrase.held or not line.phrase.timed:
        return room
    if line.phrase.strokes == "offbeats":
        return min(room, _SHORT)
    return max(SHORTEST, min(room, 2 * PPQ))


def _pitches(line: FiguredPart, chord: Chord, number: int, last: Sequence[int], span: Span) -> list[int]:
    low, high, centre = _compass(line, span)
    plays = line.phrase.plays
    if plays in ("roots", "pulse"):
        return [_nearest([chord.lowest], centre, low, high)]
    if plays == "line":
        near = min(max(last[0], centre - 7), centre + 7) if last else centre
        return [_nearest(chord.pitch_classes[:3], near, low, high)]
    if plays == "chords":
        return sorted({_nearest([one], centre, low, high) for one in chord.pitch_classes[:_MOST_TONES]})
    row = sorted(
        pitch for pitch in range(max(low, centre - 9), min(high, centre + 10) + 1) if pitch in chord
    ) or [_nearest(chord.pitch_classes, centre, low, high)]
    turn = [*row, *row[-2:0:-1]]
    return [turn[number % len(turn)]]


def _compass(line: FiguredPart, span: Span) -> tuple[int, int, int]:
    """Lowest and highest pitch, and the one around which the part plays."""
    phrase, sound = line.phrase, line.sound
    low, high = sound.low, sound.high
    centre = _CENTRES.get(phrase.plays, 60)
    if phrase.plays in ("roots", "pulse") and sound.low > _BASS_TOP:
        centre = _UPPER_ROOTS
    centre += 12 * phrase.register
    beside = [tone.pitch for tone in line.beside if tone.start < span[1] and tone.end > span[0]]
    if beside and phrase.above is not None and max(beside) + _GAP + 12 <= sound.high:
        low = max(low, max(beside) + 1)
        centre = max(centre, max(beside) + _GAP)
    if beside and phrase.below is not None and min(beside) - _GAP - 12 >= sound.low:
        high = min(high, min(beside) - 1)
        centre = min(centre, min(beside) - _GAP)
    edge = min(_EDGE, (high - low) // 2)
    return low, high, max(low + edge, min(high - edge, centre))


def _nearest(classes: Sequence[int], centre: int, low: int, high: int) -> int:
    """The pitch of one of the classes nearest to the centre that the instrument has."""
    options = [pitch for pitch in range(low, high + 1) if pitch % 12 in classes]
    return min(options, key=lambda pitch: (abs(pitch - centre), pitch), default=max(low, min(high, centre)))
