"""Changing a song: every task of the request is done on the sketch, and the difference becomes rows."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from typing import Any

from msgspec import structs

from agent.composer.changing.changed import Changed
from agent.composer.changing.deeds.adding import add
from agent.composer.changing.deeds.beats import beat
from agent.composer.changing.deeds.colouring import colour
from agent.composer.changing.deeds.doubling import double
from agent.composer.changing.deeds.forming import cut, new_section
from agent.composer.changing.deeds.keys import rekey, transpose
from agent.composer.changing.deeds.lengthening import resize
from agent.composer.changing.deeds.metering import remeter
from agent.composer.changing.deeds.mixing import mix
from agent.composer.changing.deeds.pacing import retempo
from agent.composer.changing.deeds.reharmonising import reharmonise
from agent.composer.changing.deeds.removing import remove, solo
from agent.composer.changing.deeds.repeating import repeat
from agent.composer.changing.deeds.replacing import replace
from agent.composer.changing.deeds.reshaping import reshape
from agent.composer.changing.deeds.restyling import restyle
from agent.composer.changing.scopes import assumed, spans_of
from agent.composer.changing.sketch import Blocked, Sketch
from agent.composer.changing.stage import Stage, tracks_of
from agent.composer.changing.telling.proposal import Proposal
from agent.composer.changing.time.moved_bars import MovedBars
from agent.composer.dice import Dice
from agent.composer.rows import Rows
from agent.composer.styles import Style, StyleBook
from agent.composer.understanding.intent import Intent
from agent.composer.understanding.tasks import (
    Add,
    Beat,
    Colour,
    Cut,
    Double,
    Mix,
    NewSection,
    Reharmonise,
    Rekey,
    Remeter,
    Remove,
    Rename,
    Repeat,
    Replace,
    Reshape,
    Resize,
    Restyle,
    Retempo,
    Solo,
    Task,
    Transpose,
)
from agent.plan.planning import Brief
from agent.song.errors import SongError
from agent.song.ids import TrackId
from agent.song.palette import Palette
from agent.song.song import Song

DoDeed = Callable[[Stage, Any], None]
"""Does one kind of deed on a stage; raises `Blocked` where the song does not allow it."""


def kept_tracks(intent: Intent, song: Song, palette: Palette) -> tuple[TrackId, ...]:
    """Tracks that the request wants untouched."""
    return tuple(dict.fromkeys(t for wish in intent.kept for t in tracks_of(wish, song, palette)))


class Change:
    """One request's work on a song; `changed` is complete once `write` has ended."""

    def __init__(
        self, brief: Brief, intent: Intent, styles: StyleBook, style: Style | None, dice: Dice,
        stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        self._brief = brief
        self._intent = intent
        self._styles = styles
        self._style = style
        self._dice = dice
        self._stopped = stopped
        self.changed = Changed({}, {})

    def write(self, rows: Rows) -> Iterator[None]:
        """Do all tasks, then write the rows; yields after each task and row, so that the caller can go between."""
        sketch = Sketch(self._brief.song, self._brief.palette, rows.guard, self._stopped)
        blocked: dict[int, str] = {}
        for number, task in _in_order(self._intent.tasks):
            sketch.task = number
            saved = sketch.saved()
            try:
                self._do(sketch, number, task)
            except (Blocked, SongError) as reason:
                # a song has limits, as of tracks, that a task may meet
                blocked[number] = reason.what
                sketch.go_back(saved)
            yield
        proposal = Proposal(sketch, rows)
        yield from proposal.write()
        self.changed = Changed(
            proposal.serving, blocked,
            MovedBars(sketch.before, sketch.song, tuple(sketch.moves)) if sketch.moves else None,
            self._assumed(sketch, blocked),
        )

    def _assumed(self, sketch: Sketch, blocked: Container[int]) -> tuple[str, ...]:
        scopes = [task.scope for number, task in enumerate(self._intent.tasks) if number not in blocked]
        said = [words for scope in scopes for words in assumed(scope, sketch.before, sketch.palette)]
        return tuple(dict.fromkeys(said))

    def _do(self, sketch: Sketch, number: int, task: Task) -> None:
        condition = task.condition
        if condition is not None:
            present = bool(tracks_of(condition.wish, sketch.before, sketch.palette))
            if present != condition.present:
                raise Blocked(f"there is {'a' if present else 'no'} {condition.wish.label}")
        # places are those of the song as the person sees it, wherever other tasks have moved them
        new = isinstance(task.deed, NewSection)
        spans = spans_of(task.scope, sketch.before, sketch.palette, new=new)
        spans = tuple(sketch.placed(*span) for span in spans)
        spans = tuple(span for span in spans if span[0] < span[1])
        if task.scope.whole:
            spans = spans_of(task.scope, sketch.song, sketch.palette)
        if not spans:
            raise Blocked("that part of the song is gone")
        stage = Stage(
            sketch, self._intent, self._styles, self._style, spans, task.scope.whole, task.amount,
            self._dice.of(f"task {number}"),
        )
        _DEEDS[type(task.deed)][1](stage, task.deed)


def rename(stage: Stage, deed: Rename) -> None:
    """Give the song its name."""
    if not deed.name:
        raise Blocked("that is no name")
    stage.sketch.rename(deed.name, "you named it")


_DEEDS: dict[type, tuple[int, DoDeed]] = {
    Rename: (0, rename),
    Remeter: (1, remeter),
    Remove: (2, remove),
    Solo: (2, solo),
    Restyle: (3, restyle),
    Replace: (4, replace),
    Rekey: (5, rekey),
    Transpose: (6, transpose),
    Reharmonise: (7, reharmonise),
    Add: (8, add),
    Double: (9, double),
    Colour: (10, colour),
    Beat: (11, beat),
    Reshape: (12, reshape),
    Retempo: (13, retempo),
    Mix: (14, mix),
    Repeat: (15, repeat),
    Cut: (16, cut),
    NewSection: (17, new_section),
    Resize: (18, resize),
}
"""How each kind of deed is done, and in which order: what decides the frame first, what moves bars last."""


def _in_order(tasks: tuple[Task, ...]) -> list[tuple[int, Task]]:
    return sorted(enumerate(tasks), key=lambda numbered: _DEEDS[type(numbered[1].deed)][0])


def milder(intent: Intent, intensity: float) -> Intent:
    """The intent with every task as far as an intensity of more than 0 says; at 1 it is the same."""
    if intensity == 1:
        return intent
    tasks = tuple(structs.replace(task, amount=task.amount * intensity) for task in intent.tasks)
    return structs.replace(intent, tasks=tasks)
