"""Endings: a ritardando into the last chord, or a fade."""

from __future__ import annotations

from collections.abc import Sequence

from agent.composer.parts import PlannedAutomation
from agent.composer.styles import Ending
from agent.composer.tones import STEP
from agent.composer.writing.frame import Frame, Scene

_FULL, _GONE = 127.0, 12.0


def slowing(ending: Ending, last: Scene, frame: Frame) -> tuple[tuple[int, float], ...]:
    """The (tick, BPM) changes of a ritardando over the last two bars of the scene `last`, ever slower, as `ending`
    says; empty if the piece keeps its tempo."""
    if not ending.slow or last.bars < 3:
        return ()
    frame = frame.within(last)
    beats = frame.beats
    middle = sum(beats[: (len(beats) + 1) // 2]) * STEP
    start = last.end - 2 * frame.bar
    places = (start, start + middle, last.end - frame.bar) if middle < frame.bar else (start, last.end - frame.bar)
    steps = len(places)
    return tuple(
        (at, round(frame.bpm * (1 - ending.slow * (number + 1) / steps), 1)) for number, at in enumerate(places)
    )


def turned_tempi(scenes: Sequence[Scene], frame: Frame) -> tuple[tuple[int, float], ...]:
    """The (tick, BPM) changes at stages with a tempo of their own; a gradual change has one every two bars."""
    found: list[tuple[int, float]] = []
    now = frame.bpm
    for scene in scenes:
        turn = scene.turn
        if turn is None:
            continue
        if turn.bpm != now and scene.start:
            found.append((scene.start, turn.bpm))
        now = turn.ends_at
        steps = scene.bars // 2
        for step in range(1, steps if turn.ends_at != turn.bpm else 0):
            bpm = turn.bpm + (turn.ends_at - turn.bpm) * step / (steps - 1)
            found.append((scene.start + 2 * step * scene.bar, round(bpm, 1)))
    return tuple(found)


def ramped(ramp: tuple[float, float], starts: Sequence[int]) -> tuple[tuple[int, float], ...]:
    """The (tick, BPM) changes, from the second bar on, of a tempo that moves evenly from the first value of `ramp` to
    the second; `starts` are the ticks of the bars."""
    low, high = ramp
    last = len(starts) - 1
    return tuple((start, round(low + (high - low) * at / last, 1)) for at, start in enumerate(starts) if at)


def fade(ending: Ending, last: Scene) -> PlannedAutomation | None:
    """The expression automation for a fade-out over the last bars; None if the piece does not fade, or is a loop."""
    bars = min(ending.fade, last.bars) if last.closing else 0
    if not bars:
        return None
    begin = last.end - bars * last.bar
    middle = last.end - max(last.bar, bars * last.bar // 3)
    return PlannedAutomation("expression", ((begin, _FULL), (max(begin + STEP, middle), 64.0), (last.end, _GONE)))
