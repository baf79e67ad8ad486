"""The list of keys, and what Bandleader is."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDialog, QHeaderView, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from app.ui.kit.widgets.buttons import PlainButton
from app.ui.kit.widgets.labels import PlainLabel
from app.ui.shell.actions import Action
from app.ui.shell.menus import Menu

_WIDTH, _HEIGHT = 480, 560
_MARGIN, _GAP = 16, 8
ELSEWHERE = (
    ("Enter in the request box", "Send"),
    ("Shift+Enter in the request box", "New line"),
    ("Arrows on the timeline", "Move the selection"),
    ("Ctrl+wheel on the timeline", "Zoom"),
    ("Space on ✓ in the plan", "Approve or reject the row"),
)
_ABOUT = (
    "You lead. Bandleader plays what you approved, all of it, and nothing else.",
    "Works offline, without a key. Nothing is sent anywhere unless you choose a model.",
    "Free software under the GPL, version 3 or later.",
)


class ShortcutsDialog(QDialog):
    """All keys by menu, from the table of actions."""

    def __init__(self, parent: QWidget, table: tuple[Action, ...]) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keyboard shortcuts")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(_WIDTH, _HEIGHT)
        self.tree = QTreeWidget()
        self.tree.setAccessibleName("Keyboard shortcuts")
        self.tree.setHeaderLabels(["Action", "Keys"])
        self.tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for menu in Menu:
            self._group(menu, [(_keys(one), one.text.rstrip("…")) for one in table if one.menu is menu and one.keys])
        self._group("Elsewhere", list(ELSEWHERE))
        column = QVBoxLayout(self)
        column.setContentsMargins(_MARGIN, _MARGIN, _MARGIN, _MARGIN)
        column.addWidget(self.tree)

    def _group(self, name: str, rows: list[tuple[str, str]]) -> None:
        top = QTreeWidgetItem(self.tree, [name, ""])
        for keys, text in rows:
            QTreeWidgetItem(top, [text, keys])
        top.setExpanded(True)


class AboutDialog(QDialog):
    """Name, version, promise."""

    def __init__(self, parent: QWidget, version: str) -> None:
        super().__init__(parent)
        self.setWindowTitle("About Bandleader")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        column = QVBoxLayout(self)
        column.setContentsMargins(_MARGIN, _MARGIN, _MARGIN, _MARGIN)
        column.setSpacing(_GAP)
        column.addWidget(PlainLabel("Bandleader", size="welcome"))
        column.addWidget(PlainLabel(f"Version {version}", tone="t3"))
        for line in _ABOUT:
            column.addWidget(PlainLabel(line))
        close = PlainButton("Close")
        close.clicked.connect(self.accept)
        column.addWidget(close, 0, Qt.AlignmentFlag.AlignRight)


def _keys(action: Action) -> str:
    native = QKeySequence.SequenceFormat.NativeText
    return ", ".join(QKeySequence(key).toString(native) for key in action.keys)
