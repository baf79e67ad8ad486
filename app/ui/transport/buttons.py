"""The buttons of the transport: faces of the window's actions, painted as the bar needs them."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QAction, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.ui.kit.icons import icon, paint_icon
from app.ui.kit.theme import Theme
from app.ui.kit.widgets.buttons import FocusedToolButton
from app.ui.kit.widgets.focus_ring import paint_focus_ring

_PLAIN = QSize(26, 26)
_WIDE = QSize(40, 26)
_ICON = 16


class ActionButton(FocusedToolButton):
    """A button of an action, larger and with a border if `wide`: shows its check mark, text and why it is disabled, and
    triggers it. A click does not take the keyboard focus."""

    def __init__(self, action: QAction, name: str, parent: QWidget, *, wide: bool = False) -> None:
        super().__init__(parent)
        self._action = action
        self._lit: tuple[Theme, str] | None = None
        self.setIcon(icon(name))
        self.setIconSize(QSize(_ICON, _ICON))
        self.setFixedSize(_WIDE if wide else _PLAIN)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setProperty("role", "box" if wide else "toggle")
        self.setCheckable(action.isCheckable())
        action.changed.connect(self.renew)
        self.clicked.connect(partial(self._trigger))
        self.renew()

    def light(self, theme: Theme, name: str) -> None:
        """Show it lit with this icon, as Play while it plays."""
        self._lit = theme, name
        self.update()

    def dim(self, name: str) -> None:
        """Show it as an ordinary button with this icon again."""
        self._lit = None
        self.setIcon(icon(name, "t1"))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Paint a lit button with a green border on a soft fill."""
        if self._lit is None:
            super().paintEvent(event)
            return
        theme, name = self._lit
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(theme.color("ok"))
        painter.setBrush(theme.color("ok_soft"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        left, top = (self.width() - _ICON) / 2, (self.height() - _ICON) / 2
        paint_icon(painter, QRectF(left, top, _ICON, _ICON), name, theme.color("ok"))
        painter.end()
        paint_focus_ring(self)

    def renew(self) -> None:
        """Update it from its action."""
        self.setEnabled(self._action.isEnabled())
        self.setChecked(self._action.isChecked())
        self.setAccessibleName(self._action.text().replace("&&", "&"))
        self.setToolTip(self._action.toolTip())

    def _trigger(self) -> None:
        self._action.trigger()
        self.renew()
