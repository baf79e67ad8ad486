"""What keys and menus do with the marks of the ruler: sections, tempos and time signatures."""

from __future__ import annotations

from msgspec import structs

from agent.song.time import Ticks
from app.i18n import tr
from app.ui.timeline.commands import AskMeter, AskSectionName, AskTempo, RevealTick
from app.ui.timeline.stage import TimelineContext
from app.viewmodels.edits.frame_edits import find_section
from app.viewmodels.timeline.marks import (
    Marker,
    deleted_mark,
    find_mark,
    mark_in_words,
    marks_of,
    moved_mark,
    place_beside,
    refusal,
)


class MarkActions:
    """Actions of keys and menus on the ruler's mark (section, tempo or meter) at the keyboard cursor; they do nothing
    without one."""

    def __init__(self, stage: TimelineContext) -> None:
        self.stage = stage

    @property
    def now(self) -> Marker | None:
        """The current mark as the song has it now; None for none."""
        return find_mark(self.stage.song, self.stage.mark)

    def take(self, mark: Marker | None) -> None:
        """Make a mark the current one and scroll to it; None: no mark."""
        stage = self.stage
        stage.mark = mark
        if mark is not None:
            stage.asked.emit(RevealTick(mark.at))
        stage.repaint()

    def go(self, by: int) -> None:
        """Go to the next (1) or previous (-1) mark; without a current one, to the mark nearest to the playhead."""
        marks, now = marks_of(self.stage.song), self.now
        if not marks:
            return
        if now in marks:
            self.take(marks[max(0, min(len(marks) - 1, marks.index(now) + by))])
        else:
            at = self.stage.opened.playback.position()
            self.take(min(marks, key=lambda mark: abs(mark.at - at)))

    def go_to_end(self, *, last: bool) -> None:
        """Go to the first mark, or with `last` to the last."""
        marks = marks_of(self.stage.song)
        if marks:
            self.take(marks[-1 if last else 0])

    def move(self, steps: int) -> None:
        """Move the current mark by so many beats or bars (negative: earlier); if it may not be there, show why."""
        stage, now = self.stage, self.now
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
        """Remove the current mark from the song."""
        now = self.now
        if now is not None:
            self.stage.commit(deleted_mark(self.stage.song, now))
            self.stage.mark = None

    def change(self) -> None:
        """Ask for another name (section), tempo or time signature of the current mark."""
        now = self.now
        if now is None:
            return
        if now.section is not None:
            self.stage.asked.emit(AskSectionName(now.section))
        elif now.kind == "tempo":
            self.stage.asked.emit(AskTempo(now.at))
        else:
            self.stage.asked.emit(AskMeter(now))

    def choose_section(self, mark: Marker) -> None:
        """Choose the bars of a section mark; does nothing for other marks."""
        section, bars = find_section(self.stage.song, mark.section), self.stage.song.bar_map
        if section is not None:
            self.stage.opened.focus.bars.set((bars.bar_at(section.start), bars.bar_at(section.end - 1)))

    def change_at(self, mark: Marker) -> None:
        """Make this mark the current one and ask for its new name, tempo or time signature."""
        self.stage.mark = mark
        self.change()

    def words(self) -> str:
        """The current mark in words, else how many marks there are."""
        now, song = self.now, self.stage.song
        if now is not None:
            return mark_in_words(song, now)
        marks = marks_of(song)
        if not marks:
            return tr("No sections, and no changes of tempo or time signature. The menu key adds one")
        return tr("Left and right go through sections, tempo and time signature; with Ctrl they move one")

    def place(self) -> Ticks:
        """The tick for a context menu opened by keyboard: that of the current mark, else the playhead."""
        now = self.now
        return self.stage.opened.playback.position() if now is None else now.at
