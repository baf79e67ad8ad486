"""What can be done with chosen iterations: the buttons under the history, and the menu of a row."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QSize, Qt, SignalInstance
from PySide6.QtGui import QGuiApplication, QIcon, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QWidget

from app.i18n import tr
from app.ui.history.rows import HistoryRow
from app.ui.kit.shortcuts import keyed_tip
from app.ui.kit.widgets.buttons import PlainButton
from app.viewmodels.history.version_reasons import Reasons

_HEIGHT = 43
_SIDE, _GAP = 8, 6
_ROOM_FOR_ICONS = 285


class VersionFooter(QWidget):
    """The buttons to compare, restore and branch; 43 px high."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("surface", "bar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(_HEIGHT)
        row = QHBoxLayout(self)
        row.setContentsMargins(_SIDE, 0, _SIDE, 0)
        row.setSpacing(_GAP)
        self.compare = PlainButton(tr("Compare"), icon="git-diff")
        self.restore = PlainButton(tr("Restore"), icon="clock-counter-clockwise")
        self.branch = PlainButton(tr("Branch"), icon="git-branch")
        self._icons = {button: button.icon() for button in (self.compare, self.restore, self.branch)}
        for button in self._icons:
            row.addWidget(button)
        row.addStretch()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Leave out the icons if there is little room."""
        super().resizeEvent(event)
        for button, icon in self._icons.items():
            button.setIcon(icon if self.width() >= _ROOM_FOR_ICONS else QIcon())

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """No minimum width, as icons are left out before the panel grows."""
        return QSize(0, _HEIGHT)

    def show_reasons(self, why: Reasons) -> None:
        """Enable the buttons, or show in their tooltips why they are disabled."""
        for button, action, reason, tip in (
            (self.compare, "history.compare", why.compare, why.compare_tip),
            (self.restore, "history.restore", why.restore, why.restore_tip),
            (self.branch, "history.branch", why.branch, why.branch_tip),
        ):
            button.setEnabled(not reason)
            keyed_tip(button, "" if reason else action, reason or tip)
        self.branch.setText(tr("Switch") if why.at_end else tr("Branch"))
        self.branch.setAccessibleName(self.branch.text())


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
