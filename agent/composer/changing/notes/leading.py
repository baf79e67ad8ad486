"""Leading: how each part goes to other chords with its rhythm unchanged."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from msgspec import Struct

from agent.composer.changing.hearing.around import Around
from agent.composer.changing.hearing.grid import attacks
from agent.composer.changing.notes.substitutes import fits
from agent.composer.changing.notes.voices import Voice
from agent.composer.tones import SHORTEST, Tone
from agent.song.chord import Chord
from agent.theory.errors import TheoryError
from agent.theory.voicing import voice as voiced

RELEASE = 120
"""Ticks by which a note may sound into the next chord without being split."""
EARLY = 60
"""Ticks by which a note may be early for the chord that it belongs to."""


class ChordChange(Struct, frozen=True):
    """The chord `old` replaced by `new` between two ticks."""

    start: int
    end: int
    old: Chord
    new: Chord


def led(tones: Sequence[Tone], voice: Voice, turns: Sequence[ChordChange], tune: Around) -> list[Tone]:
    """The part moved to the new chords of `turns` with its rhythm: bass notes keep their degree, chords are voiced
    smoothly, single notes go to the nearest chord tone.

    A note held across a change is struck again if its pitch changes. `tune` holds the unchanged tracks to avoid clashes
    with.
    """
    pieces = [piece for tone in tones for piece in cut(tone, turns)]
    by_turn: dict[ChordChange | None, list[Tone]] = defaultdict(list)
    for piece in pieces:
        by_turn[turn_at(piece.start, turns)].append(piece)
    result = list(by_turn.pop(None, []))
    previous: tuple[int, ...] | None = None
    for turn, inside in sorted(by_turn.items(), key=lambda pair: pair[0].start if pair[0] else 0):
        assert turn is not None
        if voice.role == "bass":
            result += _line(inside, turn, voice)
        elif voice.role == "counter":
            result += _second(inside, turn, voice, tune)
        else:
            moved, previous = _harmony(inside, turn, voice, tune, previous)
            result += moved
    return joined(result, tones)


def turn_at(at: int, turns: Sequence[ChordChange]) -> ChordChange | None:
    """The chord change of `turns` that a note beginning at a tick belongs to, None outside of all; a note up to 60
    ticks early belongs to the coming chord."""
    return next((turn for turn in turns if turn.start - EARLY <= at < turn.end - EARLY), None)


def cut(tone: Tone, turns: Sequence[ChordChange]) -> list[Tone]:
    """The tone split where one of the changed chords `turns` begins or ends within it; edges within 120 ticks of its
    own ends do not split it."""
    edges = sorted({edge for turn in turns for edge in (turn.start, turn.end)})
    inner = [edge for edge in edges if tone.start + RELEASE < edge < tone.end - RELEASE]
    starts = [tone.start, *inner]
    return [
        Tone(start, tone.pitch, end - start, tone.velocity)
        for start, end in zip(starts, [*inner, tone.end], strict=True)
        if end - start >= SHORTEST
    ]


def _line(inside: Sequence[Tone], turn: ChordChange, voice: Voice) -> list[Tone]:
    """A bass on the new chord, which goes on moving wherever it moved before."""
    made: list[Tone] = []
    row = sorted(inside)
    for at, tone in enumerate(row):
        low = _low(tone, turn, voice)
        stuck = at > 0 and tone.pitch != row[at - 1].pitch and low.pitch == made[-1].pitch
        around = range(tone.pitch - 7, tone.pitch + 8) if stuck else ()
        other = [pitch for pitch in around if pitch in turn.new and pitch != low.pitch and voice.fits(pitch)]
        steps = [one - tone.pitch for one in other]
        pitch = tone.pitch + min(steps, key=lambda step: (abs(step), step)) if steps else low.pitch
        made.append(Tone(low.start, pitch, low.length, low.velocity))
    return made


def _low(tone: Tone, turn: ChordChange, voice: Voice) -> Tone:
    """Root for root, third for third; anything else goes to the nearest tone of the new chord."""
    step = (tone.pitch - turn.old.root) % 12
    steps = turn.new.intervals
    if step == 0:
        wanted = turn.new.lowest
    elif step in (3, 4) and len(steps) > 1:
        wanted = (turn.new.root + steps[1]) % 12
    elif step in (6, 7, 8) and len(steps) > 2:
        wanted = (turn.new.root + steps[2]) % 12
    else:
        options = [pitch for pitch in range(tone.pitch - 6, tone.pitch + 7) if pitch in turn.new and voice.fits(pitch)]
        near = min(options, key=lambda pitch: (abs(pitch - tone.pitch), pitch)) if options else tone.pitch
        return Tone(tone.start, near, tone.length, tone.velocity)
    options = [pitch for pitch in range(tone.pitch - 12, tone.pitch + 13) if pitch % 12 == wanted and voice.fits(pitch)]
    pitch = min(options, key=lambda one: (abs(one - tone.pitch), one)) if options else tone.pitch
    return Tone(tone.start, pitch, tone.length, tone.velocity)


def _second(inside: Sequence[Tone], turn: ChordChange, voice: Voice, tune: Around) -> list[Tone]:
    """A second voice keeps what the new chord can carry; the rest steps to a tone of it."""
    result = []
    for tone in inside:
        carried = fits(turn.new, [tone], tone.start, tone.end)
        options = [
            pitch for pitch in range(tone.pitch - 4, tone.pitch + 5)
            if pitch in turn.new and voice.fits(pitch) and not tune.rubs(pitch, tone.start, tone.end)
        ]
        if (carried is None or carried < 0) and options:
            pitch = min(options, key=lambda one: (abs(one - tone.pitch), one))
            tone = Tone(tone.start, pitch, tone.length, tone.velocity)
        result.append(tone)
    return result


def _harmony(
    inside: Sequence[Tone], turn: ChordChange, voice: Voice, tune: Around, previous: tuple[int, ...] | None
) -> tuple[list[Tone], tuple[int, ...] | None]:
    """Chords and broken chords on the new chord; the last voicing is returned for the next."""
    result: list[Tone] = []
    singles: dict[int, int] = {}
    for group in attacks(inside):
        pitches = sorted({tone.pitch for tone in group})
        goal = _voicing(pitches, turn, voice, previous) if len(pitches) > 1 else None
        if goal is not None:
            previous = goal
            mapped = dict(zip(pitches, goal, strict=True))
        else:
            for pitch in pitches:
                singles.setdefault(pitch, _nearest(pitch, turn.new, voice, singles))
            mapped = {pitch: singles[pitch] for pitch in pitches}
        taken: set[int] = set()
        for tone in sorted(group):
            pitch = mapped[tone.pitch]
            if pitch in taken or tune.rubs(pitch, tone.start, tone.end):
                pitch = _clear(pitch, tone, turn.new, voice, tune, taken)
            taken.add(pitch)
            result.append(Tone(tone.start, pitch, tone.length, tone.velocity))
    return result, previous


def _voicing(
    pitches: Sequence[int], turn: ChordChange, voice: Voice, previous: tuple[int, ...] | None
) -> tuple[int, ...] | None:
    """As many pitches of the new chord near the old ones; bare fifths stay bare. None where that has no room."""
    bare = 7 in turn.new.intervals and all((pitch - turn.old.root) % 12 in (0, 7) for pitch in pitches)
    chord = Chord(turn.new.root, "5") if bare else Chord(turn.new.root, turn.new.quality, None, turn.new.altered)
    low, high = max(voice.low, pitches[0] - 5), min(voice.high, pitches[-1] + 5)
    led_from = previous if previous is not None and len(previous) == len(pitches) else tuple(pitches)
    try:
        goal = voiced(chord, round(sum(pitches) / len(pitches)), led_from, low, high, voices=len(pitches))
    except TheoryError:
        return None
    return goal if len(goal) == len(pitches) else None


def _nearest(pitch: int, chord: Chord, voice: Voice, singles: dict[int, int]) -> int:
    """The nearest chord tone that no other pitch has gone to yet."""
    options = [one for one in range(pitch - 7, pitch + 8) if one in chord and voice.fits(one)]
    free = [one for one in options if one not in singles.values()] or options
    return min(free, key=lambda one: (abs(one - pitch), one)) if free else pitch


def _clear(pitch: int, tone: Tone, chord: Chord, voice: Voice, tune: Around, taken: set[int]) -> int:
    """Another chord tone nearby that nothing rubs against; the pitch itself where there is none."""
    options = [
        one for one in range(pitch - 9, pitch + 10)
        if one in chord and voice.fits(one) and one not in taken and not tune.rubs(one, tone.start, tone.end)
    ]
    return min(options, key=lambda one: (abs(one - pitch), one)) if options else pitch


def joined(tones: Sequence[Tone], before: Sequence[Tone]) -> list[Tone]:
    """The tones with neighbours of one pitch joined again, unless the second was already an attack in `before`."""
    struck = {tone.start for tone in before}
    result: list[Tone] = []
    for tone in sorted(tones):
        at = next((i for i, one in enumerate(result) if one.pitch == tone.pitch and one.end == tone.start), None)
        if at is not None and tone.start not in struck:
            whole = result[at]
            result[at] = Tone(whole.start, whole.pitch, whole.length + tone.length, whole.velocity)
        else:
            result.append(tone)
    return sorted(result)
