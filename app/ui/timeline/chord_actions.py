"""What keys and menus do with the chords of the lane."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QMenu, QWidget

from agent.song.chord_symbols import NO_CHORD
from app.i18n import tr
from app.ui.timeline.chord_reading import ChordReading
from app.ui.timeline.commands import Reveal
from app.ui.timeline.menu_making import add, new_menu
from app.ui.timeline.stage import TimelineContext
from app.viewmodels.timeline.chord_edits import Typed, beside, kept, removed, stated
from app.viewmodels.timeline.chords import ChordGhost, LaneChord, at_tick, ghost_in_words, span_in_words, where_in_words


class ChordActions:
    """Actions of keys and menus on the chord span at the keyboard cursor; they do nothing without one."""

    def __init__(self, stage: TimelineContext, reading: ChordReading) -> None:
        self._stage = stage
        self._reading = reading

    @property
    def now(self) -> LaneChord | None:
        """The current chord span as the song has it now; None for none."""
        at = self._stage.chord
        return None if at is None else at_tick(self._spans, at)

    @property
    def ghost(self) -> ChordGhost | None:
        """The proposed chord at the start of the current span; None for none."""
        at = self._stage.chord
        ghosts = () if at is None else self._reading.scene.ghosts
        return next((one for one in ghosts if at is not None and one.start <= at < one.end), None)

    def take(self, at: int | None) -> None:
        """Make the span that contains tick `at` the current one and scroll to it; None: no span."""
        stage = self._stage
        stage.chord = at
        now = self.now
        if now is not None:
            stage.asked.emit(Reveal(now.start, now.end))
        stage.repaint()

    def go(self, by: int) -> None:
        """Go to the next (1) or previous (-1) span; without a current one, to that at the playhead."""
        found = beside(self._spans, self.now, by, self._stage.opened.playback.position())
        if found is not None:
            self.take(found.start)

    def go_to_end(self, *, last: bool) -> None:
        """Go to the first span, or with `last` to the last one that has a chord."""
        spans = self._spans
        known = [span for span in spans if span.symbol] or list(spans)
        if known:
            self.take(known[-1].start if last else spans[0].start)

    def delete(self) -> None:
        """Remove the current chord; for one that is only detected in the notes, show why it cannot be removed."""
        now, stage = self.now, self._stage
        if now is None:
            return
        if now.heard:
            stage.refuse(tr("The song does not state this chord, it is heard in the notes. Write another, or N.C."))
        else:
            stage.commit(removed(stage.song, now))

    def keep_heard(self, *, every: bool) -> None:
        """Write detected chords into the song: that of the current span, or with `every` all of them."""
        now = self.now
        spans = self._spans if every else () if now is None else (now,)
        self._stage.commit(kept(spans))

    def no_chord(self) -> None:
        """Write "no chord" (N.C.) over the current span."""
        now = self.now
        if now is not None:
            self._stage.commit(stated(self._stage.song, now, (NO_CHORD,)))

    def menu(self, write: Callable[[], object], parent: QWidget) -> QMenu | None:
        """The context menu of the current span; None without one. `write` opens the line to type chords."""
        now = self.now
        if now is None:
            return None
        menu, song = new_menu(parent), self._stage.song
        where = where_in_words(song, now.start, now.end)
        add(menu, tr("Write chords, {place}…", place=where), write, "pencil-simple", "↵")
        if now.heard:
            add(menu, tr("Keep this heard chord"), lambda: self.keep_heard(every=False), "check")
        if any(span.heard for span in self._spans):
            add(menu, tr("Keep all heard chords"), lambda: self.keep_heard(every=True), "checks")
        if now.symbol != NO_CHORD:
            add(menu, tr("No chord sounds here"), self.no_chord, "prohibit")
        if now.stated:
            add(menu, tr("Take out the chord"), self.delete, "trash", tr("Del"))
        menu.addSeparator()
        bars = song.bar_map
        first, last = bars.bar_at(now.start), bars.bar_at(now.end - 1)
        add(menu, tr("Choose its bars"), lambda: self._stage.opened.focus.bars.set((first, last)), "selection")
        return menu

    def words(self) -> str:
        """The current span and what is proposed for it in words, else how many chords there are."""
        now, song, ghost = self.now, self._stage.song, self.ghost
        if now is not None:
            return span_in_words(song, now) if ghost is None else ghost_in_words(song, ghost)
        if not any(span.symbol for span in self._spans):
            return tr("No chords yet. Enter writes one")
        return tr("Left and right go from chord to chord, Enter writes, Delete takes out")

    def keep(self, span: LaneChord, typed: Typed) -> None:
        """Write the typed chords over a span; an empty text removes its chord, unless that is only detected."""
        if typed.symbols or not span.heard:
            self._stage.commit(stated(self._stage.song, span, typed.symbols))

    def take_beside(self, span: LaneChord, by: int) -> bool:
        """Go to the span after (1) or before (-1) `span`; returns whether there is one."""
        end = self._spans[-1].end if self._spans else 0
        at = span.end if by > 0 else span.start - 1
        there = 0 <= at < end
        if there:
            self.take(at)
        return there

    @property
    def _spans(self) -> tuple[LaneChord, ...]:
        return self._reading.scene.spans
