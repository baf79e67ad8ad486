"""Measuring: asks of a task whose figures are taken where the task worked, on the parts that it meant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

from msgspec import Struct

from agent.composer.changing.scopes import spans_of
from agent.composer.changing.sketch import Blocked
from agent.composer.changing.stage import tracks_of
from agent.composer.changing.time.moved_bars import MovedBars
from agent.composer.guard import Guard
from agent.composer.understanding.tasks import Task
from agent.composer.understanding.wishes import Wish
from agent.plan.plan import Ask, Step, StepId
from agent.song.palette import Family, Palette
from agent.song.song import Song
from agent.song.track import Track
from agent.theory.figures import figure

Goal = Literal["lower", "higher", "at_most", "at_least", "equals", "same"]
_FAMILIES: tuple[str, ...] = get_args(Family)
_SPANS, _PARTS = 3, 4
"""Stretches and parts that are measured one by one; of more the ask is told without figures."""


class Served(Struct, frozen=True):
    """A task with the `rows` that serve it, for writing its asks (claims that can be measured); `steps` are all rows of
    the plan, `song` is the song before, `guard` its locks.

    `moved` tells where bars lie afterwards, None if none moved. With `remade` the meter changed, so that bars cannot be
    compared.
    """

    task: Task
    rows: tuple[StepId, ...]
    steps: Sequence[Step]
    song: Song
    palette: Palette
    guard: Guard
    moved: MovedBars | None
    remade: bool

    @property
    def words(self) -> str:
        """The words of the request that asked for the task; else the operation's name."""
        return self.task.words or type(self.task.operation).__name__.lower()

    def by(self, *tools: str) -> tuple[StepId, ...]:
        """Ids of the task's rows that use one of these tools."""
        return tuple(step.id for step in self.steps if step.id in self.rows and step.tool in tools)

    def figure(self, measure: str, bars: tuple[int, int] | None = None) -> float:
        """The value of a measure in the song before, in these bars (None: all); 0.0 if it is not a number."""
        value = figure(measure, self.song, self.song, self.palette, bars)
        return value if isinstance(value, float) else 0.0

    def plain(self, words: str = "") -> list[Ask]:
        """A single ask without a measure."""
        return [Ask(words or self.words, self.rows)]

    def ask(
        self, measure: str, goal: Goal, value: float | str | None = None, *, words: str = "",
        rows: tuple[StepId, ...] | None = None, sounding: bool = True,
    ) -> list[Ask]:
        """Asks that `measure` meets `goal` ("higher", …) against `value`, None for the value before: one ask for the
        whole song, or one for each span of the scope. `words` ("": the task's) say what was asked, `rows` (None: the
        task's) fulfil it.

        With `sounding` spans without notes before the change are left out, as there is nothing to compare.
        """
        rows = self.rows if rows is None else rows
        words = words or self.words
        if self.task.scope.whole:
            return [Ask(words, rows, measure, goal, value)]
        _, colon, what = measure.partition(":")
        places = [] if self.remade else self.places()
        heard = [bars for bars in places if not sounding or self.figure(f"notes{colon}{what}", bars)]
        now = {bars: self.moved.of(bars) if self.moved is not None else bars for bars in heard}
        if not heard or len(heard) > _SPANS or None in now.values():
            return self.plain(words)
        return [
            Ask(
                words if len(heard) == 1 else f"{words} (bars {bars[0]}-{bars[1]})", rows, measure, goal, value, bars,
                None if there == bars else there,
            )
            for bars, there in now.items()
        ]

    def of_parts(
        self, wish: Wish | None, measure: str, goal: Goal, *, words: str = ""
    ) -> list[Ask]:
        """Asks that `measure` meets `goal` for each part that a wish means, for all together if it is None; without a
        measure if there are none or too many. `words` say what was asked ("": the task's words)."""
        if wish is None:
            return self.ask(measure, goal, words=words)
        tracks = self.parts(wish)
        if not tracks or len(tracks) > _PARTS:
            return self.plain(words)
        asks: list[Ask] = []
        for track in tracks:
            said = words or self.words
            said = said if len(tracks) == 1 else f"{said} ({track.name})"
            asks += self.ask(f"{measure}:{self.named(track)}", goal, words=said)
        return asks

    def parts(self, wish: Wish) -> list[Track]:
        """The unlocked, unmuted tracks with notes that a wish means."""
        meant = tracks_of(wish, self.song, self.palette)
        tracks = [self.song.track(track) for track in meant if track not in self.guard.tracks]
        return [track for track in tracks if track.note_count and not track.mute]

    def named(self, track: Track) -> str:
        """The name by which a measure refers to a track: its id if the name is ambiguous."""
        alike = [one for one in self.song.tracks if one.name == track.name]
        return track.id if len(alike) > 1 or track.name in _FAMILIES else track.name

    def places(self) -> list[tuple[int, int]]:
        """First and last bar of each span of the task; empty if the song lacks the place."""
        bars = self.song.bar_map
        try:
            spans = spans_of(self.task.scope, self.song, self.palette)
        except Blocked:
            return []
        return [(bars.bar_at(start), bars.bar_at(end - 1)) for start, end in spans]
