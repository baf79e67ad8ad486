"""The keys that actions have now, for everything that tells of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from app.ui.kit.widgets.labels import plain_tip


class Shortcuts(QObject):
    """The first key of each action by the action's id, in native text. Signal `changed` is emitted when they change."""

    changed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._keys: dict[str, str] = {}

    def take(self, keys: Mapping[str, str]) -> None:
        """Replace all keys."""
        if keys != self._keys:
            self._keys = dict(keys)
            self.changed.emit()

    def key_of(self, action: str) -> str:
        """The key of an action; empty for one that has none."""
        return self._keys.get(action, "")


def shortcuts() -> Shortcuts:
    """The one instance of the application, made on first use."""
    app = QCoreApplication.instance()
    assert app is not None
    return app.findChild(Shortcuts, options=Qt.FindChildOption.FindDirectChildrenOnly) or Shortcuts(app)


def key_of(action: str) -> str:
    """The current key of an action in native text; empty for none."""
    return shortcuts().key_of(action)


def tip_with(action: str, text: str) -> str:
    """A tooltip that ends with the current key of an action, if it has one."""
    key = key_of(action)
    return plain_tip(f"{text} ({key})" if key else text)


def keyed_tip(widget: QWidget, action: str, text: str) -> None:
    """Set a widget's tooltip to `text` with the key of an action; it follows when the person changes the key."""
    follow_keys(widget, lambda: widget.setToolTip(tip_with(action, text)))


def follow_keys(owner: QObject, show: Callable[[], object]) -> None:
    """Call `show` now and whenever keys change, for as long as `owner` exists; replaces an earlier `show` of the same
    owner."""
    found = owner.findChild(_Follower, options=Qt.FindChildOption.FindDirectChildrenOnly) or _Follower(owner)
    found.show(show)


class _Follower(QObject):
    """Hangs on its owner, and is gone with it."""

    def __init__(self, owner: QObject) -> None:
        super().__init__(owner)
        self._show: Callable[[], object] = lambda: None
        shortcuts().changed.connect(self._renew)

    def show(self, show: Callable[[], object]) -> None:
        """Call `show` now and whenever keys change."""
        self._show = show
        show()

    def _renew(self) -> None:
        self._show()
