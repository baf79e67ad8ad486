"""What keys and menus do with the chords of the lane, and the line in which chords are typed."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QFocusEvent
from PySide6.QtWidgets import QMenu, QWidget

from agent.song.chord_symbols import NO_CHORD
from app.i18n import tr
from app.ui.kit.widgets.in_place import InPlaceLine
from app.ui.kit.widgets.labels import PlainLabel
from app.ui.timeline.chord_reading import ChordReading
from app.ui.timeline.commands import Reveal
from app.ui.timeline.menu_making import add, new_menu
from app.ui.timeline.stage import TimelineContext
from app.viewmodels.timeline.chord_edits import LONGEST_LINE, Typed, beside, kept, removed, stated
from app.viewmodels.timeline.chords import ChordGhost, LaneChord, at_tick, ghost_in_words, span_in_words, where_in_words

_MARGIN = 5


class ChordLine(InPlaceLine):
    """A line to type chords: Enter stores them; Tab stores them and goes on to the next span, Shift+Tab to the
    previous. `where` is the place in words, for the accessible name. `read` parses a text; `keep` is called with the
    result; `go_on` with 1 or -1 for the next or previous span. An error of parsing is shown below the line, over the
    widget `above`."""

    def __init__(
        self, parent: QWidget, above: QWidget, place: QRect, text: str, where: str, read: Callable[[str], Typed],
        keep: Callable[[Typed], None], go_on: Callable[[int], None],
    ) -> None:
        self._read, self._keep_read, self._go_on = read, keep, go_on
        self._first = text
        self._fault = PlainLabel(parent=above, tone="bad", size="small")
        self._fault.setProperty("card", "plain")
        self._fault.setMargin(_MARGIN)
        self._fault.hide()
        super().__init__(parent, place, text, tr("Chords, {place}", place=where), self._take, longest=LONGEST_LINE)
        self.setPlaceholderText("Am7 D7")
        self.setToolTip(tr("One chord, or several that share the stretch: Am7 D7. Empty takes the chord out."))
        self.textEdited.connect(lambda _: self._fault.hide())
        self.destroyed.connect(self._fault.deleteLater)
        self.selectAll()

    @property
    def fault(self) -> str:
        """The error shown below the line; empty for none."""
        return "" if self._fault.isHidden() else self._fault.text()

    def focusNextPrevChild(self, forward: bool) -> bool:  # noqa: N802
        """Tab and Shift+Tab store what was typed and go on to the neighbouring span; a text that cannot be parsed keeps
        the focus here."""
        if self._ended:
            return super().focusNextPrevChild(forward)
        if self._take(self.text()):
            self._end()
            self._go_on(1 if forward else -1)
        else:
            self._mark(wrong=True)
        return True

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """Store what was typed; a text that cannot be parsed is discarded."""
        self._fault.hide()
        super().focusOutEvent(event)

    def _take(self, text: str) -> bool:
        """Whether the text can be read. Leaving the line as it was changes nothing; Enter says that it is meant."""
        typed = self._read(text)
        if typed.fault:
            self._tell(typed.fault)
            return False
        if text != self._first or self.hasFocus():
            self._keep_read(typed)
        return True

    def _tell(self, fault: str) -> None:
        if not self.hasFocus():
            return
        label = self._fault
        label.setText(fault)
        label.adjustSize()
        above = label.parentWidget()
        place = self.mapTo(above, QPoint(0, self.height() + 2)) if above is not None else QPoint()
        most = (above.width() if above is not None else label.width()) - label.width() - 4
        label.move(max(0, min(place.x(), most)), place.y())
        label.show()
        label.raise_()
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, fault))


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
