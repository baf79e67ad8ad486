"""Ornaments: notes beside the key that lead into a tune's notes: neighbours, enclosures, passing and blue notes."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from agent.composer.dice import Dice
from agent.composer.tones import STEP, Tone
from agent.composer.writing.frame import Frame, Scene
from agent.composer.writing.harmony import is_minor
from agent.theory.pitch import in_scale, move

_EIGHTH, _BEAT = 2 * STEP, 4 * STEP
_REACH = 4
"""Semitones from which a chromatic neighbour is reached."""
_ENCLOSED = 0.35
"""Share of the neighbours before which the tone above is touched too."""
_BLUE_MAJOR, _BLUE_MINOR = {4: 3, 11: 10}, {7: 6}
"""Degrees that are bent, in semitones above the tonic, and to what."""


def ornamented(
    tones: Sequence[Tone], start: int, scene: Scene, frame: Frame, dice: Dice, top: int
) -> list[Tone]:
    """The line of a unit (two bars from tick `start`) with chromatic and blue notes, as often as its style has them.

    Each of them resolves by a semitone or tone, and none is higher than `top`. The same dice ornament the same place
    alike.
    """
    line = list(tones)
    manners = frame.tune
    for at in range(len(line) - 1, -1, -1):
        here = dice.of(str(line[at].start - start))
        chance, other = here.share(), here.share()
        if at + 1 >= len(line) or at == 0 or line[at].pitch >= top:
            continue
        if chance < (manners.chromatic or 0.0):
            line = _chromatic(line, at, scene, frame, top if other < _ENCLOSED else -1)
        elif other < manners.blue:
            line = _blue(line, at, scene, frame)
    return line


def _chromatic(line: list[Tone], at: int, scene: Scene, frame: Frame, top: int) -> list[Tone]:
    """The line with the note at a place made a chromatic neighbour of the next, or followed by a passing note."""
    before, here, after = line[at - 1], line[at], line[at + 1]
    if after.start - here.end >= _BEAT or not in_scale(frame.key, after.pitch) or not in_scale(frame.key, here.pitch):
        return line
    between = after.pitch - here.pitch
    if abs(between) == 2 and here.length >= _EIGHTH + STEP and not in_scale(frame.key, here.pitch + between // 2):
        passing_from = after.start - _EIGHTH if here.length > _EIGHTH + STEP else after.start - STEP
        if passing_from - here.start >= STEP:
            held = structs.replace(here, length=max(STEP // 2, min(here.length, passing_from - here.start)))
            length = max(STEP // 2, int((after.start - passing_from) * 0.95))
            return [*line[:at], held, Tone(passing_from, here.pitch + between // 2, length, here.velocity),
                    *line[at + 1 :]]
    neighbour = after.pitch - 1
    weak = not frame.strong((here.start - scene.start) % scene.bar) and here.length <= _EIGHTH
    reached = _reached(line, at, neighbour)
    if not (weak and reached) or in_scale(frame.key, neighbour):
        return line
    result = [*line[:at], structs.replace(here, pitch=neighbour), *line[at + 1 :]]
    above = move(frame.key, after.pitch, 1)
    if at >= 2 and max(above, before.pitch) < top and before.length <= _EIGHTH and _reached(line, at - 1, above):
        result[at - 1] = structs.replace(before, pitch=above)
    return result


def _reached(line: Sequence[Tone], at: int, pitch: int) -> bool:
    """Whether the line comes to a pitch at a place as a voice does: near, and not on from a leap."""
    come = pitch - line[at - 1].pitch
    leapt = line[at - 1].pitch - line[at - 2].pitch if at >= 2 else 0
    return 0 < abs(come) <= (_REACH if abs(leapt) <= _REACH or leapt * come < 0 else 2)


def _blue(line: list[Tone], at: int, scene: Scene, frame: Frame) -> list[Tone]:
    """The line with the note at a place bent, where it goes on by step and nobody holds the plain note against it."""
    here, after = line[at], line[at + 1]
    bends = _BLUE_MINOR if is_minor(frame.key.mode) else _BLUE_MAJOR
    bent = bends.get((here.pitch - frame.key.pitch_class) % 12)
    if bent is None or here.length > _BEAT or frame.strong((here.start - scene.start) % scene.bar):
        return line
    pitch = here.pitch - 1
    if not 1 <= abs(after.pitch - pitch) <= 2:
        return line
    return [*line[:at], structs.replace(here, pitch=pitch), *line[at + 1 :]]
