"""Touch: how hands and breath begin and end notes: chords strummed and rolled, notes of a line bound or set apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from types import MappingProxyType

from msgspec import structs

from agent.composer.styles import Role
from agent.composer.tones import SHORTEST, STEP, Tone
from agent.composer.writing.frame import Frame, Player, Scene
from agent.song.palette import Family

_CHORD = 3
"""Notes struck at once from which on they are a chord that is strummed."""
_WIDEST_MS, _WIDEST = 32.0, 56
"""The longest strum in milliseconds and in ticks: a longer one is heard as notes one after the other."""
_JOINED = 90
"""Ticks between two notes of a line up to which the first leads to the second."""
_APART = 40
"""Ticks that a note ends before the same pitch begins again."""
_UPSTROKE, _LAST_STRING = 0.88, 0.92
"""How much softer an upward stroke is than a downward one, and the last string of a stroke than its first."""


@dataclass(frozen=True)
class _Touch:
    """How a family of instruments is played: milliseconds from string to string of a chord, and milliseconds for
    which a note of a line sounds on into the next; below 0 it ends that long before. Those who blow or sing
    take a breath of so many milliseconds."""

    strum_ms: float = 0.0
    bound_ms: float = 0.0
    breath_ms: float = 0.0


_TOUCH: Mapping[Family, _Touch] = MappingProxyType({
    "guitar": _Touch(strum_ms=7.0), "pluck": _Touch(strum_ms=8.0), "strings": _Touch(bound_ms=18.0),
    "choir": _Touch(bound_ms=20.0, breath_ms=240.0), "woodwind": _Touch(bound_ms=6.0, breath_ms=200.0),
    "brass": _Touch(bound_ms=-14.0, breath_ms=220.0),
})
_LUNGS_MS = 6000.0
"""How long one breath lasts."""
_LINES: tuple[Role, ...] = ("lead", "counter")
"""Roles of one voice, which cannot breathe in turns as a section does."""


def touched(tones: Sequence[Tone], player: Player, scene: Scene, frame: Frame) -> list[Tone]:
    """The tones of a scene as the hands or the breath of its instrument play them. None begins before the scene,
    none moves by as much as a sixteenth, and a line stays a line."""
    touch = _TOUCH.get(player.instrument.family)
    if touch is None:
        return list(tones)
    if touch.strum_ms:
        return _strummed(tones, touch.strum_ms, scene, frame)
    line = _bound(tones, frame.ticks_of(touch.bound_ms))
    if touch.breath_ms and player.style.role in _LINES:
        return _breathing(line, frame.ticks_of(_LUNGS_MS), frame.ticks_of(touch.breath_ms))
    return line


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


def _bound(tones: Sequence[Tone], bound: int) -> list[Tone]:
    """Single notes that lead to one another joined or set apart; chords are left as they are."""
    ordered = sorted(tones)
    result: list[Tone] = []
    for tone, following in pairwise([*ordered, None]):
        assert tone is not None
        alone = not result or result[-1].start < tone.start
        leads = following is not None and tone.start < following.start and abs(following.start - tone.end) <= _JOINED
        if following is None or not (alone and leads):
            result.append(tone)
            continue
        end = following.start - _APART if following.pitch == tone.pitch else following.start + bound
        result.append(structs.replace(tone, length=max(SHORTEST, end - tone.start)))
    return result


def _breathing(line: Sequence[Tone], lungs: int, rest: int) -> list[Tone]:
    """A line in which a note ends earlier by a `rest` where the next would outlast the breath of `lungs` ticks; notes
    that are hardly longer than a rest stay as they are."""
    result = list(line)
    since = line[0].start if line else 0
    for at, (tone, following) in enumerate(pairwise(line)):
        if following.start - tone.end >= rest:
            since = following.start
        elif following.end - since > lungs and tone.length > 2 * rest:
            result[at] = structs.replace(tone, length=max(SHORTEST, following.start - rest - tone.start))
            since = following.start
    return result
