"""The ruler's menu: sections, tempo and time signature at a bar, and the chosen bars."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QInputDialog, QMenu, QWidget

from agent.song.song import Section
from agent.song.time import Ticks
from app.i18n import tr
from app.ui.kit.key_text import key_text
from app.ui.timeline.commands import AskSectionName, ZoomSelection
from app.ui.timeline.menu_making import add, keys_of, new_menu
from app.ui.timeline.stage import TimelineContext
from app.viewmodels.edits.frame_edits import (
    FASTEST,
    SLOWEST,
    UNITS,
    deleted_section,
    new_section,
    section_at,
    tempo_at,
    with_meter,
    with_tempo,
    without_meter,
    without_tempo,
)
from app.viewmodels.edits.locking import all_held, bars_lock

METERS = ((2, 4), (3, 4), (4, 4), (5, 4), (6, 4), (7, 4), (3, 8), (5, 8), (6, 8), (7, 8), (9, 8), (12, 8))


class FrameMenus:
    """Makes context menus of the ruler; each deletes itself when it is closed."""

    def __init__(self, stage: TimelineContext, parent: QWidget) -> None:
        self._stage = stage
        self._parent = parent

    def at(self, at: float, bar: int, *, in_sections: bool) -> QMenu:
        """The menu for tick `at` in bar number `bar`; `in_sections` if the row of sections was pressed."""
        menu = new_menu(self._parent)
        self.fill(menu, at, bar, in_sections=in_sections)
        fill_bars(menu, self._stage, self._parent)
        return menu

    def fill(self, menu: QMenu, at: float, bar: int, *, in_sections: bool) -> None:
        """Add the entries for tick `at` in bar number `bar` to a menu; `in_sections` if the row of sections was
        pressed."""
        stage = self._stage
        section = section_at(stage.song, at) if in_sections else None
        if section is not None:
            self._section(menu, section)
            menu.addSeparator()
        bars = stage.opened.focus.bars.value
        if bars is not None:
            add(menu, tr("New section, bars {first}–{last}", first=bars[0], last=bars[1]),
                lambda: self._new_section(bars), "plus")
        else:
            add(menu, tr("New section, {count} bars from bar {bar}", count=8, bar=bar),
                lambda: self._new_section((bar, bar + 7)), "plus")
        menu.addSeparator()
        self._tempo(menu, bar)
        self._meter(menu, bar)
        menu.addSeparator()
        add(menu, tr("Choose bar {bar}", bar=bar), lambda: stage.opened.focus.bars.set((bar, bar)), "selection")

    def _section(self, menu: QMenu, section: Section) -> None:
        stage = self._stage
        bars = stage.song.bar_map
        add(menu, tr("Rename section {name}", name=section.name), lambda: stage.asked.emit(AskSectionName(section.id)),
            "pencil-simple")
        add(menu, tr("Loop section"), lambda: stage.opened.playback.set_loop((section.start, section.end), True),
            "repeat")
        add(menu, tr("Choose its bars"), lambda: stage.opened.focus.bars.set(
            (bars.bar_at(section.start), bars.bar_at(section.end - 1))
        ), "selection")
        add(menu, tr("Delete section"), lambda: stage.commit(deleted_section(stage.song, section.id)), "trash")

    def _new_section(self, bars: tuple[int, int]) -> None:
        hand, made = new_section(self._stage.song, bars, tr("Section"))
        self._stage.commit(hand, lambda: self._stage.asked.emit(AskSectionName(made)))

    def _tempo(self, menu: QMenu, bar: int) -> None:
        """The tempo of a bar: set it from there on, or take a change out that begins within the bar."""
        stage, song = self._stage, self._stage.song
        start, end = song.bar_map.span(bar, bar)
        here = [change.at for change in song.tempos if start <= change.at < end]
        at = here[-1] if here else start
        words = tr("Change tempo at bar {bar}…", bar=bar) if here else tr("Set tempo from bar {bar}…", bar=bar)
        add(menu, words, lambda: self.ask_tempo(at), "gauge")
        if here and at > 0:
            add(menu, tr("Take out tempo change"), lambda: stage.commit(without_tempo(stage.song, at)), "eraser")

    def _meter(self, menu: QMenu, bar: int) -> None:
        stage, song = self._stage, self._stage.song
        start = song.bar_map.start_of(bar)
        now = song.bar_map.meter_at(start)
        self._fill_meters(menu.addMenu(tr("Time signature from bar {bar}", bar=bar)), start)
        if start > 0 and now.at == start:
            add(menu, tr("Take out time signature"), lambda: stage.commit(without_meter(stage.song, start)), "eraser")

    def meters(self, at: Ticks) -> QMenu:
        """A menu of the time signatures that are possible from a tick on."""
        menu = new_menu(self._parent)
        self._fill_meters(menu, at)
        return menu

    def _fill_meters(self, menu: QMenu, at: Ticks) -> None:
        now = self._stage.song.bar_map.meter_at(at)
        for beats, unit in METERS:
            one = add(menu, f"{beats}/{unit}", self._set_meter(at, beats, unit))
            one.setCheckable(True)
            one.setChecked((now.beats, now.unit) == (beats, unit))

    def _set_meter(self, at: Ticks, beats: int, unit: int) -> Callable[[], None]:
        chosen = next(one for one in UNITS if one == unit)
        return lambda: self._stage.commit(with_meter(self._stage.song, at, beats, chosen))

    def ask_tempo(self, at: Ticks) -> QInputDialog:
        """Open a dialog that asks for the tempo from a tick on."""
        stage = self._stage
        dialog = QInputDialog(self._parent)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setInputMode(QInputDialog.InputMode.DoubleInput)
        dialog.setWindowTitle(tr("Tempo"))
        dialog.setLabelText(tr("Tempo from bar {bar} on, in BPM", bar=stage.song.bar_map.bar_at(at)))
        dialog.setOkButtonText(tr("Set tempo"))
        dialog.setCancelButtonText(tr("Cancel"))
        dialog.setDoubleDecimals(2)
        dialog.setDoubleRange(SLOWEST, FASTEST)
        dialog.setDoubleValue(tempo_at(stage.song, at).bpm)
        dialog.doubleValueSelected.connect(lambda bpm: stage.commit(with_tempo(stage.song, at, bpm)))
        dialog.open()
        return dialog


def fill_bars(menu: QMenu, stage: TimelineContext, parent: QWidget) -> None:
    """Add the entries for the chosen bars; none if no bars are chosen."""
    bars = stage.opened.focus.bars.value
    if bars is None:
        return
    wanted = bars_lock(bars)
    held = all_held(stage.opened.locks.value, wanted)
    first, last = bars
    add(menu, tr("Loop bars {first}–{last}", first=first, last=last),
        lambda: stage.opened.playback.set_loop(stage.song.bar_map.span(first, last), True), "repeat")
    add(menu, tr("Unlock bars {first}–{last}", first=first, last=last) if held
        else tr("Lock bars {first}–{last}", first=first, last=last),
        lambda: stage.toggle_locks(wanted), "lock-simple-open" if held else "lock-simple")
    add(menu, tr("Zoom to selection"), lambda: stage.asked.emit(ZoomSelection()), "magnifying-glass-plus",
        keys_of(parent, "view.zoom_selection"))
    add(menu, tr("Choose no bars"), lambda: stage.opened.focus.bars.set(None), "x", key_text("Esc"))
