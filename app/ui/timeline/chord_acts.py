"""What keys and menus do with the chords of the lane."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect
from PySide6.QtWidgets import QMenu

from agent.song.chord_symbols import NO_CHORD
from app.desktop.timeline.chord_edits import Typed, beside, kept, read_typed, removed, stated
from app.desktop.timeline.chords import ChordGhost, ChordSpan, at_tick, ghost_in_words, span_in_words, where_in_words
from app.ui.timeline.chord_line import ChordLine
from app.ui.timeline.measures import CHORD_HEIGHT
from app.ui.timeline.menu_making import add, new_menu
from app.words import tr

if TYPE_CHECKING:
    from app.ui.timeline.chord_lane import ChordLane

LEAST_LINE = 120
MOST_LINE = 320


class ChordActs:
    """Each method acts on the stretch that the keyboard is at, and does nothing without one."""

    def __init__(self, lane: ChordLane) -> None:
        self._lane = lane
        self._stage = lane.stage

    @property
    def now(self) -> ChordSpan | None:
        """The current stretch as it is now; None for none."""
        at = self._stage.chord
        return None if at is None else at_tick(self._lane.scene.spans, at)

    @property
    def ghost(self) -> ChordGhost | None:
        """What the plan would make of the start of the current stretch."""
        at = self._stage.chord
        return None if at is None else next((one for one in self._lane.scene.ghosts if one.start <= at < one.end), None)

    def take(self, at: int | None) -> None:
        """Let the keyboard be at the stretch that holds a tick, and show it."""
        stage = self._stage
        stage.chord = at
        now = self.now
        if now is not None:
            self._lane.reveal(now)
        stage.repaint()

    def go(self, by: int) -> None:
        """To the next or the previous stretch; the first is the one at the playhead."""
        found = beside(self._lane.scene.spans, self.now, by, self._stage.opened.playback.position())
        if found is not None:
            self.take(found.start)

    def go_to_end(self, *, last: bool) -> None:
        """To the first stretch, or to the last one that has a chord."""
        spans = self._lane.scene.spans
        known = [span for span in spans if span.symbol] or list(spans)
        if known:
            self.take(known[-1].start if last else spans[0].start)

    def write(self) -> ChordLine | None:
        """A line over the stretch, with its chord in it."""
        now, lane = self.now, self._lane
        if now is None:
            return None
        song, place = self._stage.song, lane.place_of(now)
        self._stage.refuse("")
        width = min(MOST_LINE, max(LEAST_LINE, place.width() + 2))
        left = max(0, min(place.x() - 1, lane.width() - width))
        return ChordLine(
            lane, lane.above, QRect(left, 0, width, CHORD_HEIGHT), now.symbol,
            where_in_words(song, now.start, now.end), lambda text: read_typed(text, song.key),
            lambda typed: self._keep(now, typed), lambda by: self._go_on(now, by),
        )

    def delete(self) -> None:
        """Take the chord out; one that is only heard cannot be."""
        now, stage = self.now, self._stage
        if now is None:
            return
        if now.heard:
            stage.refuse(tr("The song does not state this chord, it is heard in the notes. Write another, or N.C."))
        else:
            stage.commit(removed(stage.song, now))

    def keep_heard(self, *, every: bool) -> None:
        """State what is heard, here or in the whole song."""
        now = self.now
        spans = self._lane.scene.spans if every else () if now is None else (now,)
        self._stage.commit(kept(spans))

    def no_chord(self) -> None:
        """State that no chord sounds."""
        now = self.now
        if now is not None:
            self._stage.commit(stated(self._stage.song, now, (NO_CHORD,)))

    def menu(self) -> QMenu | None:
        """What can be done with the stretch; None without one."""
        now, lane = self.now, self._lane
        if now is None:
            return None
        menu, song = new_menu(lane), self._stage.song
        where = where_in_words(song, now.start, now.end)
        add(menu, tr("Write chords, {place}…", place=where), self.write, "pencil-simple", "↵")
        if now.heard:
            add(menu, tr("Keep this heard chord"), lambda: self.keep_heard(every=False), "check")
        if any(span.heard for span in lane.scene.spans):
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
        """The current stretch with what is proposed there, else how many chords there are."""
        now, song, ghost = self.now, self._stage.song, self.ghost
        if now is not None:
            return span_in_words(song, now) if ghost is None else ghost_in_words(song, ghost)
        if not any(span.symbol for span in self._lane.scene.spans):
            return tr("No chords yet. Enter writes one")
        return tr("Left and right go from chord to chord, Enter writes, Delete takes out")

    def _keep(self, span: ChordSpan, typed: Typed) -> None:
        stage = self._stage
        if not typed.symbols and span.heard:
            return
        stage.commit(stated(stage.song, span, typed.symbols))

    def _go_on(self, span: ChordSpan, by: int) -> None:
        """The line over the stretch behind or before one that was just written."""
        end = self._lane.scene.spans[-1].end if self._lane.scene.spans else 0
        at = span.end if by > 0 else span.start - 1
        if 0 <= at < end:
            self.take(at)
            self.write()
