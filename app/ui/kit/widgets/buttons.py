"""Buttons by their role: main, plain, danger, flat, toggle, and the small one with only an icon."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QPushButton, QToolButton, QWidget

from app.ui.kit.icons import icon as icon_named
from app.ui.kit.key_text import key_text
from app.ui.kit.widgets.focus_ring import paint_focus_ring
from app.ui.kit.widgets.labels import plain_tip

BUTTON_HEIGHT = 26
ICON_BUTTON = 24
_BAR_ICON, _BUTTON_ICON = 16, 14
_ICON_TOKENS = {"main": "on_you", "danger": "bad", "toggle": "t2", "box": "t1", "plain": "t2"}


class RoleButton(QPushButton):
    """A button that the style sheet draws by its role, with an icon by its name; `tip` and `key` are its tooltip. Its
    text is its accessible name unless `name` is given."""

    role = "box"

    def __init__(
        self, text: str, parent: QWidget | None = None, *, icon: str = "", tip: str = "", key: str = "", name: str = ""
    ) -> None:
        super().__init__(text, parent)
        self.setProperty("role", self.role)
        self.setMinimumHeight(BUTTON_HEIGHT)
        self.setAutoDefault(False)
        self.setAccessibleName(name or text)
        self.setToolTip(tip_with_key(tip or name or text, key))
        if icon:
            self.setIcon(icon_named(icon, _ICON_TOKENS[self.role], _BUTTON_ICON))
            self.setIconSize(QSize(_BUTTON_ICON, _BUTTON_ICON))

    def say(self, text: str, tip: str = "") -> None:
        """Set text, which is the accessible name too, and the tooltip (empty: unchanged)."""
        self.setText(text)
        self.setAccessibleName(text)
        if tip:
            self.setToolTip(plain_tip(tip))


class MainButton(RoleButton):
    """The primary button; at most one in a view."""

    role = "main"


class PlainButton(RoleButton):
    """A secondary button, with a border."""

    role = "box"


class DangerButton(RoleButton):
    """A button that loses something for good."""

    role = "danger"


class FlatButton(RoleButton):
    """A button without a border."""

    role = "plain"


class ToggleButton(RoleButton):
    """A checkable button."""

    role = "toggle"

    def __init__(
        self, text: str, parent: QWidget | None = None, *, icon: str = "", tip: str = "", key: str = "", name: str = ""
    ) -> None:
        super().__init__(text, parent, icon=icon, tip=tip, key=key, name=name)
        self.setCheckable(True)


class FocusedToolButton(QToolButton):
    """A tool button that shows its focus ring, which Qt omits where a style sheet draws the button."""

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        super().paintEvent(event)
        paint_focus_ring(self)


class IconButton(FocusedToolButton):
    """A 24 × 24 button with only an icon of `size` pixels; `name` is its accessible name, `tip` and `key` its
    tooltip."""

    def __init__(
        self, icon: str, name: str, tip: str = "", key: str = "", parent: QWidget | None = None,
        *, checkable: bool = False, size: int = _BAR_ICON,
    ) -> None:
        super().__init__(parent)
        self.setAutoRaise(True)
        self.setProperty("role", "icon")
        self.setCheckable(checkable)
        self.setFixedSize(ICON_BUTTON, ICON_BUTTON)
        self.setIconSize(QSize(size, size))
        # Qt gives tool buttons no focus by Tab; everything here is reached by keyboard.
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.show_icon(icon, name, tip, key)

    def show_icon(self, icon: str, name: str, tip: str = "", key: str = "") -> None:
        """Set icon, accessible name and tooltip together."""
        self.setIcon(icon_named(icon, "t2", self.iconSize().width()))
        self.setAccessibleName(name)
        self.setToolTip(tip_with_key(tip or name, key))


def tip_with_key(tip: str, key: str) -> str:
    """The tooltip `tip` with the shortcut `key` in native text at its end; `tip` alone if `key` is empty."""
    return plain_tip(f"{tip} ({key_text(key)})" if key else tip)
