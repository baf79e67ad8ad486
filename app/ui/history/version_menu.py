"""Chosen iterations: what is known of them, the buttons under the history, and the menu of a row."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QSize, Qt, SignalInstance
from PySide6.QtGui import QGuiApplication, QIcon, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QMenu, QVBoxLayout, QWidget

from app.i18n import tr, trn
from app.storage.records import Iteration
from app.ui.history.letters import Letter
from app.ui.history.rows import HistoryRow, author_words, spent_on
from app.ui.kit.context import Kit
from app.ui.kit.shortcuts import keyed_tip
from app.ui.kit.widgets.buttons import PlainButton
from app.ui.kit.widgets.labels import ElidedLabel, PlainLabel
from app.viewmodels.history.version_filter import author_of
from app.viewmodels.history.version_reasons import Reasons
from app.viewmodels.texts.moments import clock_time

_MARGIN, _BETWEEN = 12, 4
_LONGEST = 160


class VersionDetails(QWidget):
    """Details of one or two selected iterations; two have the letters A and B."""

    def __init__(self, kit: Kit) -> None:
        super().__init__()
        self._blocks = tuple(_Block(kit, letter) for letter in "AB")
        column = QVBoxLayout(self)
        column.setContentsMargins(_MARGIN, 8, _MARGIN, 8)
        column.setSpacing(10)
        for block in self._blocks:
            column.addWidget(block)
        self.show_versions((), {}, "")

    def show_versions(self, versions: tuple[Iteration, ...], numbers: dict[str, int], head: str) -> None:
        """Show one or two iterations, nothing for more or none; `numbers` are those of all iterations by id, `head` is
        the id of the current one."""
        two = len(versions) == len(self._blocks)
        for at, block in enumerate(self._blocks):
            if at < len(versions) <= len(self._blocks):
                block.show_version(versions[at], numbers, current=versions[at].id == head, lettered=two)
            else:
                block.hide()
        self.setVisible(0 < len(versions) <= len(self._blocks))


class _Block(QWidget):
    def __init__(self, kit: Kit, letter: str) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(_BETWEEN)
        head = QHBoxLayout()
        self._letter = Letter(kit, letter)
        self._title = ElidedLabel("", size="strong")
        head.addWidget(self._letter)
        head.addWidget(self._title, 1)
        column.addLayout(head)
        self._who = ElidedLabel("", tone="t3")
        self._words = ElidedLabel("", tone="t2")
        column.addWidget(self._who)
        column.addWidget(self._words)
        grid = QGridLayout()
        grid.setSpacing(2)
        grid.setColumnStretch(0, 1)
        self._facts = [(PlainLabel(tone="t2"), PlainLabel()) for _ in range(3)]
        for at, pair in enumerate(self._facts):
            for column_at, label in enumerate(pair):
                grid.addWidget(label, at, column_at)
        column.addLayout(grid)

    def show_version(self, one: Iteration, numbers: dict[str, int], *, current: bool, lettered: bool) -> None:
        name = tr("Iteration {number}, current", number=one.number) if current \
            else tr("Iteration {number}", number=one.number)
        self._letter.setVisible(lettered)
        self._title.setText(name)
        self._who.setText(f"{author_words(author_of(one))}, {clock_time(one.created)}")
        asked = " ".join((one.message if one.source == "ai_iteration" else one.label)[:_LONGEST].split())
        self._words.setText(f"“{asked}”" if asked else "")
        self._words.setVisible(bool(asked))
        parent = numbers.get(one.parent or "")
        count = trn("{count} change", "{count} changes", one.actions, count=f"{one.actions:,}")
        if one.source == "ai_iteration":
            count = trn("{count} step", "{count} steps", one.actions, count=f"{one.actions:,}")
        facts = ((tr("Size"), count if one.actions else ""), (tr("Cost"), spent_on(one)),
                 (tr("Made from"), "" if parent is None else str(parent)))
        for (what, value), (said, words) in zip(self._facts, facts, strict=True):
            what.setText(said)
            value.setText(words)
            what.setVisible(bool(words))
            value.setVisible(bool(words))
        self.setAccessibleName(", ".join(filter(None, (name, self._who.text(), asked, count, spent_on(one)))))
        self.show()


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
