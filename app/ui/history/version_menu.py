"""The menu of a row of the history: all that can be done with it, also without a mouse."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import Qt, SignalInstance
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu, QWidget

from app.i18n import tr
from app.ui.history.rows import HistoryRow
from app.viewmodels.history.version_reasons import Reasons


class VersionDeeds(Protocol):
    """The actions that the menu calls."""

    plan_wanted: SignalInstance

    def name_current(self) -> None: ...
    def turn_group(self, row: HistoryRow) -> None: ...
    def compare_selected(self) -> None: ...
    def restore_selected(self) -> None: ...
    def branch_selected(self) -> None: ...


def version_menu(deeds: VersionDeeds, parent: QWidget, row: HistoryRow, why: Reasons, *, two: bool) -> QMenu:
    """The context menu of a row; `why` says why actions are disabled, `two` whether two rows are selected."""
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    if row.group is not None:
        fold = tr("Fold these changes") if row.open else tr("Show these changes")
        menu.addAction(fold, lambda: deeds.turn_group(row))
    elif row.kind != "iteration" or row.run is not None:
        menu.addAction(tr("Show plan"), lambda: deeds.plan_wanted.emit(row.run))
    if row.kind == "iteration":
        menu.addAction(tr("Name…"), deeds.name_current)
    compare = tr("Compare") if two else tr("Compare with current")
    menu.addAction(compare, deeds.compare_selected).setEnabled(not why.compare)
    menu.addAction(tr("Restore"), deeds.restore_selected).setEnabled(not why.restore)
    branch = tr("Switch to this branch") if why.at_end else tr("New branch here")
    menu.addAction(branch, deeds.branch_selected).setEnabled(not why.branch)
    menu.addAction(tr("Copy words"), lambda: QGuiApplication.clipboard().setText(_copied(row)))
    return menu


def _copied(row: HistoryRow) -> str:
    one = row.iteration
    if one is None or row.group is not None or one.source != "ai_iteration":
        return row.title
    return one.message or row.title
