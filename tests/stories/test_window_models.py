"""Every model of the window stands Qt's own tester while somebody works with the window."""

from __future__ import annotations

from pathlib import Path
from typing import cast

from model_testers import all_tested, models_of_the_window
from people import Person, at_window
from PySide6.QtCore import QItemSelectionModel
from PySide6.QtWidgets import QAbstractItemView
from qt_fixtures import Loop, garbage, qloop, theme
from studio_parts import PAD, a_song, small_rows, the_palette

from agent.session.run_report import ReportColumn, ReportSection, RunReport
from app.ui.chat.report_model import ReportModel
from app.ui.history.panel import HistoryPanel
from app.ui.kit.theme import Theme
from app.ui.mixer.choice_popup import ChoiceModel
from app.ui.plan.pages import DraftModel
from app.ui.settings.dialog import SettingsDialog
from app.ui.settings.entries import PAGES, SERVICE_PAGES
from app.viewmodels.chat.report_tables import report_tables
from app.viewmodels.edits.choices import instrument_choices

__all__ = ["garbage", "qloop", "theme"]


async def works(person: Person) -> None:
    """A plan is written, decided on, run, followed and taken back; two versions are compared; settings are read."""
    room, opened = person.room, person.room.opened
    await opened.workspace.replace(a_song(), "edit", "begin")
    await room.still()
    for part in ("pianoroll", "mixer", "events", "plan"):
        person.action(f"window.{part}")
        await room.still()
    opened.focus.track.set(PAD)
    await room.still()
    await person.ask("more ambient")
    person.action("plan.none")
    await room.until(lambda: not opened.reviewing.pending.value)
    await room.still()
    person.action("plan.all")
    await room.until(lambda: not opened.reviewing.pending.value)
    await room.still()
    person.approve()
    await room.until(lambda: opened.running.live.value and not opened.running.busy)
    person.action("window.events")
    await room.still()
    person.action("edit.undo")
    await room.still()
    await compares(person)
    for page in (*PAGES, *SERVICE_PAGES):
        person.window._attached._views.settings(page)  # type: ignore[union-attr]
        await room.still()
    for dialog in person.window.findChildren(SettingsDialog):
        dialog.close()
    await room.still()
    for view in person.window.findChildren(QAbstractItemView):
        view.selectAll()


async def compares(person: Person) -> None:
    """The newest and the oldest iteration."""
    panel = cast("HistoryPanel", person.find(HistoryPanel))
    panel.list.selectionModel().clear()
    for row in (0, panel.model.rowCount() - 1):
        panel.list.selectionModel().select(panel.model.index(row), QItemSelectionModel.SelectionFlag.Select)
    panel.compare_selected()
    await person.room.still()
    panel.close_comparison()
    await person.room.still()


def by_hand() -> None:
    """Models that only a service of the world outside fills, and the rows that a model writes one by one."""
    rows = small_rows()
    draft = DraftModel(the_palette())
    for count in (1, 3, 2):
        draft.show(rows[:count])
    choices = ChoiceModel(instrument_choices(the_palette()))
    for words in ("pad", "nothing at all", ""):
        choices.search(words)
    section = ReportSection("s", "Disks", columns=(ReportColumn("name"), ReportColumn("free", "bytes")),
                      rows=tuple((f"disk {number}", number * 1_000_000) for number in range(40)))
    for table in report_tables(RunReport((section,))):
        ReportModel(table).show_all()


def test_every_model_stands_qts_tester(theme: Theme, tmp_path: Path, qloop: Loop) -> None:
    with all_tested() as tested:
        by_hand()
        qloop.run(at_window(theme, tmp_path / "home", works))
    shown = {kind for kind, rows in tested.rows.items() if rows}
    left = sorted(f"{kind.__module__}.{kind.__name__}" for kind in models_of_the_window() - shown)
    assert not left, f"no row of these was ever shown in this story: {left}"
