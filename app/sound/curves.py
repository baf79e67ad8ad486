"""Automation lanes as curves over seconds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from agent.song.song import Song
from agent.song.track import Automation, Track

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class AutomationCurve:
    """Values over the seconds of a song.

    A linear lane holds its first value before its first point. A hold lane has its resting value there,
    as a MIDI controller does. After the last point both keep the last value.
    """

    times: Floats
    values: Floats
    hold: bool
    resting: float

    def at(self, seconds: Floats) -> Floats:
        """The value at each time; at a jump, the value after it."""
        if not self.hold:
            return np.interp(seconds, self.times, self.values)
        index = np.searchsorted(self.times, seconds, side="right") - 1
        return np.where(index < 0, self.resting, self.values[np.maximum(index, 0)])


def curve_of(song: Song, lane: Automation, resting: float) -> AutomationCurve | None:
    """The curve of a lane on the song's tempo map; None for a lane without points. `resting` is the value before the
    first point of a hold lane."""
    if not lane.points:
        return None
    ticks = [float(point.at) for point in lane.points]
    values = [point.value for point in lane.points]
    hold = lane.curve == "hold"
    if not hold:
        # A line in musical time bends where the tempo changes.
        bends = [change.at for change in song.tempos if ticks[0] < change.at < ticks[-1]]
        values += [float(value) for value in np.interp(bends, ticks, values)]
        ticks += [float(bend) for bend in bends]
        order = sorted(range(len(ticks)), key=ticks.__getitem__)
        ticks, values = [ticks[i] for i in order], [values[i] for i in order]
    times = [song.tempo_map.seconds(int(tick)) for tick in ticks]
    return AutomationCurve(np.array(times), np.array(values), hold, resting)


def curve_for(song: Song, track: Track, target: str, resting: float) -> AutomationCurve | None:
    """The curve of the track's lane for `target`; None if there is none with points. `resting` is the value before the
    first point of a hold lane."""
    for lane in track.automation:
        if lane.target == target:
            return curve_of(song, lane, resting)
    return None
