"""Touch: how hands and breath begin and end notes: chords strummed and rolled, notes of a line bound or set apart,
the short ones more than the long."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby, pairwise
from types import MappingProxyType

from msgspec import Struct, structs

from agent.composer.tones import SHORTEST, STEP, Tone
from agent.composer.writing.frame import Frame, Player, Scene
from agent.song.palette import Family, Instrument

_CHORD = 3
"""Notes struck at once from which on they are a chord that is strummed."""
_WIDEST_MS, _ROLL_MS, _WIDEST = 32.0, 60.0, 56
"""The longest strum and the longest roll in milliseconds, and both in ticks: what is longer is heard as notes one after
the other."""
_LASTING = 5 * STEP
"""Ticks that a chord lasts at least which a hand rolls."""
_JOINED = 90
"""Ticks between two notes of a line up to which the first leads to the second."""
_APART = 40
"""Ticks that a note ends before the same pitch begins again."""
_UPSTROKE, _LAST_STRING = 0.88, 0.92
"""How much softer an upward stroke is than a downward one, and the last string of a stroke than its first."""


class _Touch(Struct, frozen=True):
    """How a family of instruments is played: milliseconds from string to string of a chord, and milliseconds for
    which a note of a line sounds on into the next; below 0 it ends that long before. A `short` note that leaps or comes
    again sounds that share of its time. Those who blow or sing take a breath of so many milliseconds."""

    strum_ms: float = 0.0
    bound_ms: float = 0.0
    short: float = 1.0
    breath_ms: float = 0.0


_TOUCH: Mapping[Family, _Touch] = MappingProxyType({
    "guitar": _Touch(strum_ms=7.0), "pluck": _Touch(strum_ms=8.0), "strings": _Touch(bound_ms=18.0, short=0.82),
    "choir": _Touch(bound_ms=20.0, short=0.92, breath_ms=240.0), "organ": _Touch(bound_ms=4.0, short=0.85),
    "woodwind": _Touch(bound_ms=6.0, short=0.78, breath_ms=200.0),
    "brass": _Touch(bound_ms=-14.0, short=0.7, breath_ms=220.0),
})
_PLUCKED = _Touch(strum_ms=11.0)
_QUICK_MS = 330.0
"""Up to this time to the next note one is short."""
_SLUR = 2
"""Semitones up to which a line goes on by step, in one bow or breath."""
_LUNGS_MS = 6000.0
"""How long one breath lasts."""
_ROOM, _WORTH = 0.6, 0.5
"""The share of a note that a breath may take, and of the lungs that must be used before one looks for a place."""


def touched(tones: Sequence[Tone], player: Player, scene: Scene, frame: Frame) -> list[Tone]:
    """The tones articulated as hands or breath would on the instrument: strummed, rolled, slurred or detached.

    None begins before the scene or moves by as much as a sixteenth; a monophonic line stays monophonic.
    """
    touch = _touch_of(player.instrument)
    if touch is None:
        return _rolled(tones, player.style.roll_ms, scene, frame) if player.style.roll_ms else list(tones)
    if touch.strum_ms:
        return _strummed(tones, touch.strum_ms, scene, frame)
    line = _bound(tones, touch, frame)
    # a section breathes in turns, and a bag or bellows without a pause
    if touch.breath_ms and _is_line(line) and player.instrument.swell is not False:
        return _breathing(line, frame.ticks_of(_LUNGS_MS), frame.ticks_of(touch.breath_ms), scene.end)
    return line


def _touch_of(instrument: Instrument) -> _Touch | None:
    if instrument.family == "strings" and "plucked" in instrument.tags:
        return None if "ensemble" in instrument.tags else _PLUCKED
    return _TOUCH.get(instrument.family)


def _is_line(tones: Sequence[Tone]) -> bool:
    return len({tone.start for tone in tones}) == len(tones)


def _rolled(tones: Sequence[Tone], step_ms: float, scene: Scene, frame: Frame) -> list[Tone]:
    """Chords that last from their lowest note upwards, each note a little after the one before; others at once."""
    widest = min(_WIDEST, frame.ticks_of(_ROLL_MS))
    result: list[Tone] = []
    for start, group in groupby(sorted(tones), key=lambda tone: tone.start):
        struck = list(group)
        if len(struck) < _CHORD or min(tone.length for tone in struck) < _LASTING:
            result += struck
            continue
        step = min(frame.ticks_of(step_ms), widest // (len(struck) - 1))
        begin = max(scene.start, start - step * (len(struck) - 1) // 2)
        result += [
            structs.replace(tone, start=begin + number * step, length=max(SHORTEST, tone.end - begin - number * step))
            for number, tone in enumerate(struck)
        ]
    return result


def _strummed(tones: Sequence[Tone], step_ms: float, scene: Scene, frame: Frame) -> list[Tone]:
    """Chords string by string: downwards on the beats, upwards and softer between them."""
    widest = min(_WIDEST, frame.ticks_of(_WIDEST_MS))
    result: list[Tone] = []
    for start, group in groupby(sorted(tones), key=lambda tone: tone.start):
        struck = list(group)
        if len(struck) < _CHORD:
            result += struck
            continue
        up = not _on_beat(start - scene.start, frame)
        step = min(frame.ticks_of(step_ms), widest // (len(struck) - 1))
        # the middle of the stroke is on time
        begin = max(scene.start, start - step * (len(struck) - 1) // 2)
        for string, tone in enumerate(reversed(struck) if up else struck):
            at = begin + string * step
            softer = (_UPSTROKE if up else 1.0) * (1 - (1 - _LAST_STRING) * string / (len(struck) - 1))
            length = max(SHORTEST, tone.end - at)
            result.append(Tone(at, tone.pitch, length, max(1, round(tone.velocity * softer))))
    return result


def _on_beat(at: int, frame: Frame) -> bool:
    """Whether a tick of a scene lies nearer to a beat than to the half of one."""
    within = at % frame.bar
    return any(abs(within - beat) < STEP // 2 + STEP // 4 for beat in (*frame.beat_ticks, frame.bar))


def _bound(tones: Sequence[Tone], touch: _Touch, frame: Frame) -> list[Tone]:
    """Single notes that lead to one another joined or set apart; chords are left as they are."""
    bound, quick = frame.ticks_of(touch.bound_ms), frame.ticks_of(_QUICK_MS)
    ordered = sorted(tones)
    result: list[Tone] = []
    for tone, following in pairwise([*ordered, None]):
        assert tone is not None
        alone = not result or result[-1].start < tone.start
        leads = following is not None and tone.start < following.start and abs(following.start - tone.end) <= _JOINED
        if following is None or not (alone and leads):
            result.append(tone)
            continue
        room, apart = following.start - tone.start, abs(following.pitch - tone.pitch)
        if room <= quick and not 0 < apart <= _SLUR:
            length = min(round(room * touch.short), room - _APART if apart == 0 else room + bound)
        else:
            length = room - _APART if apart == 0 else room + bound
        result.append(structs.replace(tone, length=max(SHORTEST, length)))
    return result


def _breathing(line: Sequence[Tone], lungs: int, rest: int, end: int) -> list[Tone]:
    """A line in which a note ends earlier by a `rest` before a breath of `lungs` ticks is used up, and its last one
    before the scene `end`s. The breath is taken after the longest note that comes late enough; a note keeps two fifths
    of its time."""
    result = list(line)
    first = 0
    for at, tone in enumerate(line):
        begin, following = line[first].start, line[at + 1] if at + 1 < len(line) else None
        if following is not None and following.start - tone.end >= rest:
            first = at + 1
        elif following is not None and following.end - begin > lungs:
            late = [n for n in range(first, at + 1) if line[n].end - begin > _WORTH * lungs] or [at]
            place = max(late, key=lambda number: (line[number].length, number))
            result[place] = _shortened(line[place], line[place + 1].start, rest)
            first = place + 1
        elif following is None:
            result[at] = _shortened(tone, min(tone.end, end), rest) if tone.end > end - rest else tone
    return result


def _shortened(tone: Tone, until: int, rest: int) -> Tone:
    """A note that ends a rest before a tick, or as much as it can spare."""
    room = until - tone.start
    return structs.replace(tone, length=max(SHORTEST, room - min(rest, int(room * _ROOM))))
