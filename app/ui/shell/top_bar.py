"""The line at the top: mark, menus, the song's name in the middle, and the search for commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QMenuBar, QToolButton, QWidget

from app.i18n import tr
from app.ui.kit.widgets.labels import ElidedLabel, PlainLabel
from app.ui.shell.menus import Menu, title_of

if TYPE_CHECKING:
    # The first frame waits for nothing that is not in it.
    from app.ui.kit.context import Kit

TOP_HEIGHT = 26
_MARK = 16
_SIDE = 8


class TitleBar(QWidget):
    """26 px high, with menus, the song's name and the search button. The name is centred in the window as long as the
    menus leave room there."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("surface", "bar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(TOP_HEIGHT)
        self._mark = PlainLabel(parent=self)
        self._bar = QMenuBar(self)
        self._bar.setNativeMenuBar(False)
        self.menus = {menu: self._menu(menu) for menu in Menu}
        self.name = ElidedLabel("Bandleader", self, size="strong")
        self.name.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.search = QToolButton(self)
        self.search.setText(tr("Find a command"))
        self.search.setAccessibleName(tr("Find a command"))
        self.search.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        # What has the keyboard may vanish, and the keyboard must not fall to this, where Space would open it.
        self.search.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._row = row = QHBoxLayout(self)
        row.setContentsMargins(_SIDE, 0, _SIDE, 0)
        row.setSpacing(_SIDE // 2)
        row.addWidget(self._mark)
        row.addWidget(self._bar)
        row.addStretch()
        row.addWidget(self.search)

    def complete(self, kit: Kit, find: QAction) -> None:
        """Add icons and the shortcut of `find`, which are made after the window is shown."""
        from app.ui.kit.widgets.key_hint import KeyHint

        hint = KeyHint(kit, find.shortcut().toString(), self)
        self._row.addWidget(hint)

        def follow() -> None:
            hint.say(find.shortcut().toString())
            self.search.setToolTip(find.toolTip())

        follow()
        find.changed.connect(follow)
        self.search.clicked.connect(find.trigger)
        self._renew()
        kit.theme.changed.connect(self._renew)

    def show_name(self, name: str) -> None:
        """Show the song's name."""
        self.name.setText(name)
        self._place()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Centre the name again."""
        super().resizeEvent(event)
        self._place()

    def _menu(self, menu: Menu) -> QMenu:
        made = QMenu(title_of(menu), self._bar)
        made.setObjectName(f"menu {menu.value}")
        self._bar.addMenu(made)
        return made

    def _renew(self) -> None:
        from app.ui.kit.icons import icon

        self._mark.setPixmap(icon("baton", "agent", _MARK).pixmap(QSize(_MARK, _MARK), self.devicePixelRatioF()))
        self.search.setIcon(icon("magnifying-glass"))
        self.search.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)

    def _place(self) -> None:
        left, right = self._bar.geometry().right() + _SIDE, self.search.x() - _SIDE
        wide = min(self.name.sizeHint().width(), max(0, right - left))
        at = min(max((self.width() - wide) // 2, left), max(left, right - wide))
        self.name.setGeometry(at, 0, wide, self.height())
