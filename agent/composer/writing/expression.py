"""Expression: how loud a track is while its notes sound: risers, waves, swells of held notes, and a fade at the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from statistics import fmean
from types import MappingProxyType

from agent.composer.parts import PlannedAutomation, PlannedClip
from agent.composer.styles import RHYTHMIC, Ending, Role
from agent.composer.tones import STEP
from agent.composer.understanding.note_rules import NoteRules
from agent.composer.writing.endings import fade
from agent.composer.writing.frame import Frame, Player, Scene
from agent.composer.writing.transitions import rise_start
from agent.song.palette import Family, Instrument
from agent.song.time import PPQ

Point = tuple[int, float]
"""(tick of the song, expression from 0 to 127)."""
_EBB, _FLOOD = 38.0, 124.0
"""Expression where what swells and falls is softest and loudest."""
_HELD: frozenset[Family] = frozenset({"strings", "brass", "choir", "woodwind", "pad"})
"""Families whose players shape a note while it sounds."""
_VIBRATO: Mapping[Family, float] = MappingProxyType(
    {"strings": 44.0, "choir": 40.0, "woodwind": 36.0, "brass": 24.0, "lead": 36.0}
)
"""Modulation, 0-127, at the end of a long note, by family."""
_LINES: tuple[Role, ...] = ("lead", "counter")
_HALF, _SLOWEST_MS = 1.7 * PPQ, 800.0
"""Ticks and milliseconds that a note lasts at least into which vibrato comes."""
_BREATH, _PEAK, _REST = 98.0, 122.0, 102.0
"""Expression at the beginning, in the middle and at the end of a phrase of held notes."""
_LONG, _BOUND, _PAIRS = 1.5, 0.65, 8
"""Beats that the notes of a part last in the mean from which on it is held; the share of the time from note to note
that they sound from which on they are bound, where so many lead to another within a beat."""
_PHRASE = 4
"""Bars of a phrase."""


def lanes(
    player: Player, scenes: Sequence[Scene], passages: Sequence[PlannedClip], frame: Frame, ending: Ending,
    rules: NoteRules | None,
) -> tuple[PlannedAutomation, ...]:
    """The automation of a player's track with the clips `passages`: at most one lane of expression (swells, a fade as
    `ending` says, or waves if the `rules` ask for them), and one of vibrato for a singing instrument."""
    points, why = _moving(player, scenes, passages, rules)
    closing = fade(ending, scenes[-1])
    if closing is not None:
        points = [point for point in points if point[0] < closing.points[0][0]] + list(closing.points)
        why = why or "fades out"
    swells = (PlannedAutomation("expression", tuple(points), why),) if points else ()
    trembles = _trembling(player, passages, frame)
    return (*swells, PlannedAutomation("modulation", trembles, "vibrato grows on long notes")) if trembles else swells


def _trembling(player: Player, passages: Sequence[PlannedClip], frame: Frame) -> tuple[Point, ...]:
    """Vibrato that comes into the long notes of a line after their first third, and is gone when they end."""
    instrument = player.instrument
    depth = _VIBRATO.get(instrument.family)
    if depth is None or player.style.role not in _LINES or instrument.swell is False or "plucked" in instrument.tags:
        return ()
    least = max(_HALF, frame.ticks_of(_SLOWEST_MS))
    points: list[Point] = []
    for tone in (tone for passage in passages for tone in passage.tones if tone.length >= least):
        points += [(tone.start + tone.length // 3, 0.0), (tone.end - STEP, depth), (tone.end - 1, 0.0)]
    return tuple(points)


def _moving(
    player: Player, scenes: Sequence[Scene], passages: Sequence[PlannedClip], rules: NoteRules | None
) -> tuple[list[Point], str]:
    """How the expression moves before the end, and why; nothing where it stays."""
    if player.style.builds:
        return _risen(scenes), "swells towards the peak"
    if rules is not None and rules.waves and player.style.role not in RHYTHMIC:
        return _waves(scenes), "swells and falls"
    if _can_swell(player.instrument) and (_is_held(passages) or _is_bound(passages)):
        return _phrased(scenes, passages), "swells with its phrases"
    return [], ""


def _can_swell(instrument: Instrument) -> bool:
    if instrument.swell is not None:
        return instrument.swell
    return instrument.family in _HELD and "plucked" not in instrument.tags


def _is_held(passages: Sequence[PlannedClip]) -> bool:
    lengths = [tone.length for passage in passages for tone in passage.tones]
    return bool(lengths) and fmean(lengths) >= _LONG * PPQ


def _is_bound(passages: Sequence[PlannedClip]) -> bool:
    """Whether the part sounds nearly all of the time from note to note, rests between its phrases apart."""
    pairs: list[tuple[int, int]] = []
    for passage in passages:
        ends = {tone.start: tone.end for tone in sorted(passage.tones, key=lambda tone: tone.end)}
        pairs += [
            (min(end, after) - start, after - start) for (start, end), (after, _) in pairwise(sorted(ends.items()))
            if after - end < PPQ
        ]
    return len(pairs) >= _PAIRS and sum(one for one, _ in pairs) > _BOUND * sum(whole for _, whole in pairs)


def _phrased(scenes: Sequence[Scene], passages: Sequence[PlannedClip]) -> list[Point]:
    """Expression that rises to the middle of every phrase in which something sounds, and falls."""
    points: list[Point] = []
    for scene in scenes:
        length = min(_PHRASE, scene.bars) * scene.bar
        for start in range(scene.start, scene.end, length):
            end = min(start + length, scene.end)
            if any(passage.start < end and passage.end > start for passage in passages):
                points += [(start, _BREATH), ((start + end) // 2, _PEAK), (end - STEP, _REST)]
    return points


def _risen(scenes: Sequence[Scene]) -> list[Point]:
    """The riser's expression: from soft to full in each scene that builds."""
    points: list[Point] = []
    for scene in scenes:
        if scene.builds:
            points += [(rise_start(scene), 30.0), (scene.end - STEP, 127.0)]
    return points


def _waves(scenes: Sequence[Scene]) -> list[Point]:
    """Expression that swells and falls again and again, every eight bars, in a short piece every four or two."""
    start, end, bar = scenes[0].start, scenes[-1].end, scenes[0].bar
    bars = (end - start) // bar
    length = next((many for many in (8, 4, 2) if bars >= 3 * many), 2) * bar
    points: list[Point] = []
    for at in range(start, end - length // 2, length):
        points += [(at, _EBB), (at + length // 2, _FLOOD)]
    return [*points, (end - STEP, _EBB)]
