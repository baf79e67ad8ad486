"""The grid: how strong the place of a note in its bar is, in any meter and any feel."""

from __future__ import annotations

from collections.abc import Sequence

from agent.composer.changing.hearing.feel_heard import STRAIGHT, Feel
from agent.composer.tones import STEP, Tone
from agent.composer.writing.meters import accents, groups
from agent.song.song import Song
from agent.theory.sounding import TOGETHER

ONE, STRONG, BEAT, EIGHTH, SIXTEENTH = range(5)
"""Metric weights, from the first beat of the bar to what lies between eighths."""
_OFF = 70
"""Ticks from every sixteenth beyond which a note is on none, such as a triplet."""


class Grid:
    """Metric positions in a song's bars, all in ticks of the song; the delay of a swing feel does not change a note's
    position."""

    def __init__(self, song: Song, feel: Feel = STRAIGHT) -> None:
        self._bars = song.bar_map
        self.feel = feel

    def bar(self, at: int) -> tuple[int, int]:
        """(start, end) of the bar that holds a tick."""
        number = self._bars.bar_at(at)
        start, end = self._bars.span(number, number)
        return int(start), int(end)

    def beats(self, at: int) -> tuple[int, ...]:
        """Starts of the beats, in ticks, of the bar that holds a tick."""
        meter = self._bars.meter_at(at)
        start, _ = self.bar(at)
        lengths = groups(meter.beats, meter.unit)
        return tuple(start + sum(lengths[:number]) * STEP for number in range(len(lengths)))

    def accents(self, at: int) -> tuple[int, ...]:
        """Starts of the strong beats, in ticks, of the bar that holds a tick."""
        meter = self._bars.meter_at(at)
        start, _ = self.bar(at)
        return tuple(start + step * STEP for step in accents(groups(meter.beats, meter.unit)))

    def straight(self, at: int) -> int:
        """The tick at which a note would begin without swing; the same tick where it is not a delayed note."""
        grid, delay = self.feel.grid, self.feel.delay
        if not delay:
            return at
        start, _ = self.bar(at)
        return at - delay if grid + delay // 2 <= (at - start) % (2 * grid) <= grid + delay + _OFF else at

    def swung(self, at: int) -> int:
        """The tick at which a note begins with swing: delayed if it is the second of a pair, else the same tick."""
        grid = self.feel.grid
        start, _ = self.bar(at)
        return at + self.feel.delay if (at - start) % (2 * grid) == grid else at

    def place(self, at: int) -> int | None:
        """The straight tick of the nearest sixteenth; None for a tick that is too far from any."""
        start, _ = self.bar(at)
        straight = self.straight(at)
        step = start + round((straight - start) / STEP) * STEP
        return step if abs(straight - step) <= _OFF else None

    def weight(self, at: int) -> int:
        """The metric weight of a tick: `ONE`, `STRONG`, `BEAT`, `EIGHTH` or `SIXTEENTH`, the strongest lowest; swung
        notes weigh as if straight."""
        step = self.place(at)
        if step is None:
            return SIXTEENTH
        start, end = self.bar(at)
        if step in (start, end):
            return ONE
        if step in self.accents(at):
            return STRONG
        beats = self.beats(at)
        if step in beats:
            return BEAT
        beat = max(begin for begin in beats if begin <= step)
        return EIGHTH if (step - beat) % (2 * STEP) == 0 else SIXTEENTH


def attacks(tones: Sequence[Tone]) -> list[list[Tone]]:
    """The tones in order of time, grouped into those that are struck together (chords)."""
    groups_: list[list[Tone]] = []
    for tone in sorted(tones):
        if groups_ and tone.start - groups_[-1][0].start < TOGETHER:
            groups_[-1].append(tone)
        else:
            groups_.append([tone])
    return groups_
