"""Hearing the plan: all of it, one row, edits that wait, a stretch again and again, or the song instead."""

from __future__ import annotations

from collections.abc import Sequence

from agent.song.time import Ticks
from app.desktop.listen.compared_span import span_to_compare
from app.desktop.listen.focus import Side
from app.desktop.open_project import OpenProject
from app.desktop.plan.row_previews import start_of
from app.desktop.plan.rows import PlanTable
from app.ui.kit.context import Kit
from app.ui.kit.tasks import Work


class Listening:
    """Plays what the plan's buttons ask to hear."""

    def __init__(self, opened: OpenProject, kit: Kit) -> None:
        self._opened = opened
        self._kit = kit

    def hear(self) -> None:
        """Play the song as the plan, or edits that wait, would make it; stop if that is what is heard."""
        playing = self._opened.playback.state.value.playing
        if playing and self._opened.focus.side.value == self._side():
            self._start(self._opened.playback.stop())
        else:
            self._play()

    def loop(self, steps: Sequence[str]) -> None:
        """Repeat the chosen bars, else what these rows change; or nothing any more."""
        opened = self._opened
        playback, focus = opened.playback, opened.focus
        if playback.state.value.looping:
            playback.set_loop(playback.state.value.loop, False)
            return
        span = span_to_compare(opened.workspace.song, opened.reviewing.proposal.value, steps, focus.bars.value)
        playback.set_loop(span, span is not None)
        if span is not None and not span[0] <= playback.position() < span[1]:
            playback.seek(span[0])

    def hear_row(self, table: PlanTable, step: str) -> None:
        """Play from where a row writes."""
        row = next((row for row in table.rows if row.id == step), None)
        if row is not None and row.facts.start is not None:
            self._opened.playback.seek(Ticks(row.facts.start))
            self._play()

    def hear_edits(self, step: str) -> None:
        """Play from where the edits that wait in a row begin."""
        live = self._opened.running.live.value
        waiting = None if live is None else live.pending_edits.get(step)
        if waiting is not None:
            start = start_of(waiting.ghost.row(step))
            if start is not None:
                self._opened.playback.seek(Ticks(start))
            self._play()

    def toggle_side(self) -> None:
        """A or B; where there is nothing to compare with, only the song."""
        self._opened.listening.toggle()

    def _play(self) -> None:
        self._opened.focus.side.set(self._side())
        self._start(self._opened.playback.play())

    def _side(self) -> Side:
        """Where what is to be heard stands: after a run it is in the song."""
        other = self._opened.listening.other.value
        return "plan" if other is not None and other.kind == "plan" else self._opened.focus.side.value

    def _start(self, work: Work) -> None:
        self._kit.tasks.start(work, "plan")
