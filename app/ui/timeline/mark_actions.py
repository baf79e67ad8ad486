"""What keys and menus do with the marks of the ruler: sections, tempos and time signatures."""

from __future__ import annotations

from msgspec import structs

from agent.song.time import Ticks
from app.desktop.edits.frame_edits import find_section
from app.desktop.timeline.marks import (
    Marker,
    deleted_mark,
    find_mark,
    mark_in_words,
    marks_of,
    moved_mark,
    place_beside,
    refusal,
)
from app.ui.timeline.commands import AskMeter, AskSectionName, AskTempo, RevealTick
from app.ui.timeline.stage import TimelineContext
from app.words import tr


class MarkActions:
    """Each method acts on the mark that the keyboard is at, and does nothing without one."""

    def __init__(self, stage: TimelineContext) -> None:
        self.stage = stage

    @property
    def now(self) -> Marker | None:
        """The current mark as the song has it; None for none."""
        return find_mark(self.stage.song, self.stage.mark)

    def take(self, mark: Marker | None) -> None:
        """Let the keyboard be at a mark, and show it."""
        stage = self.stage
        stage.mark = mark
        if mark is not None:
            stage.ask(RevealTick(mark.at))
        stage.repaint()

    def go(self, by: int) -> None:
        """To the next or the previous mark; the first is the one nearest to the playhead."""
        marks, now = marks_of(self.stage.song), self.now
        if not marks:
            return
        if now in marks:
            self.take(marks[max(0, min(len(marks) - 1, marks.index(now) + by))])
        else:
            at = self.stage.opened.playback.position()
            self.take(min(marks, key=lambda mark: abs(mark.at - at)))

    def go_to_end(self, *, last: bool) -> None:
        """To the first or the last mark."""
        marks = marks_of(self.stage.song)
        if marks:
            self.take(marks[-1 if last else 0])

    def move(self, steps: int) -> None:
        """Move the mark by beats or bars; where it may not go, say why."""
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
        """Take the mark out."""
        now = self.now
        if now is not None:
            self.stage.commit(deleted_mark(self.stage.song, now))
            self.stage.mark = None

    def change(self) -> None:
        """Ask for another name, tempo or meter."""
        now = self.now
        if now is None:
            return
        if now.section is not None:
            self.stage.ask(AskSectionName(now.section))
        elif now.kind == "tempo":
            self.stage.ask(AskTempo(now.at))
        else:
            self.stage.ask(AskMeter(now))

    def choose_section(self, mark: Marker) -> None:
        """Choose the bars of a section."""
        section, bars = find_section(self.stage.song, mark.section), self.stage.song.bar_map
        if section is not None:
            self.stage.opened.focus.bars.set((bars.bar_at(section.start), bars.bar_at(section.end - 1)))

    def change_at(self, mark: Marker) -> None:
        """The same as `change` for another mark."""
        self.stage.mark = mark
        self.change()

    def words(self) -> str:
        """The current mark, else how many there are."""
        now, song = self.now, self.stage.song
        if now is not None:
            return mark_in_words(song, now)
        marks = marks_of(song)
        if not marks:
            return tr("No sections, and no changes of tempo or time signature. The menu key adds one")
        return tr("Left and right go through sections, tempo and time signature; with Ctrl they move one")

    def place(self) -> Ticks:
        """Where a menu asked for by keyboard belongs: at the current mark, else at the playhead."""
        now = self.now
        return self.stage.opened.playback.position() if now is None else now.at
