"""What keys and menus do with the marks of the ruler: sections, tempos and time signatures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from agent.song.time import Ticks
from app.desktop.timeline.marks import (
    Mark,
    deleted_mark,
    find_mark,
    mark_in_words,
    marks_of,
    moved_mark,
    place_beside,
    refusal,
)
from app.words import tr

if TYPE_CHECKING:
    from app.ui.timeline.area import TimelineArea


class MarkActs:
    """Each method acts on the mark that the keyboard is at, and does nothing without one."""

    def __init__(self, view: TimelineArea) -> None:
        self._view = view
        self._stage = view.stage

    @property
    def now(self) -> Mark | None:
        """The current mark as the song has it; None for none."""
        return find_mark(self._stage.song, self._stage.mark)

    def take(self, mark: Mark | None) -> None:
        """Let the keyboard be at a mark, and show it."""
        stage = self._stage
        stage.mark = mark
        if mark is not None and not 0 <= stage.axis.x(mark.at) <= self._view.viewport().width() - 1:
            self._view.sight.reveal_x(mark.at)
        stage.repaint()

    def go(self, by: int) -> None:
        """To the next or the previous mark; the first is the one nearest to the playhead."""
        marks, now = marks_of(self._stage.song), self.now
        if not marks:
            return
        if now in marks:
            self.take(marks[max(0, min(len(marks) - 1, marks.index(now) + by))])
        else:
            at = self._stage.opened.playback.position()
            self.take(min(marks, key=lambda mark: abs(mark.at - at)))

    def go_to_end(self, *, last: bool) -> None:
        """To the first or the last mark."""
        marks = marks_of(self._stage.song)
        if marks:
            self.take(marks[-1 if last else 0])

    def move(self, steps: int) -> None:
        """Move the mark by beats or bars; where it may not go, say why."""
        stage, now = self._stage, self.now
        if now is None:
            return
        to = place_beside(stage.song, now, steps, stage.axis.per_beat)
        reason = refusal(stage.song, now, to)
        stage.refuse(reason)
        hand = moved_mark(stage.song, now, to)
        if hand.edits:
            stage.mark = structs.replace(now, at=to)
            stage.commit(hand)

    def delete(self) -> None:
        """Take the mark out."""
        now = self.now
        if now is not None:
            self._stage.commit(deleted_mark(self._stage.song, now))
            self._stage.mark = None

    def change(self) -> None:
        """Ask for another name, tempo or meter."""
        now = self.now
        if now is None:
            return
        if now.section is not None:
            self._view.acts.rename_section(now.section)
        elif now.kind == "tempo":
            self._view.frames.ask_tempo(now.at)
        else:
            self._view.frames.meters(now.at).popup(self._view.ruler.below(now))

    def words(self) -> str:
        """The current mark, else how many there are."""
        now, song = self.now, self._stage.song
        if now is not None:
            return mark_in_words(song, now)
        marks = marks_of(song)
        if not marks:
            return tr("No sections, and no changes of tempo or time signature. The menu key adds one")
        return tr("Left and right go through sections, tempo and time signature; with Ctrl they move one")

    def place(self) -> Ticks:
        """Where a menu asked for by keyboard belongs: at the current mark, else at the playhead."""
        now = self.now
        return self._stage.opened.playback.position() if now is None else now.at
