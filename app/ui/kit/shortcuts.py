"""The keys that actions have now, for everything that tells of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from app.ui.kit.widgets.labels import plain_tip


class Shortcuts(QObject):
    """The application's: the first key of each action by its id, as this system writes it."""

    changed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._keys: dict[str, str] = {}

    def take(self, keys: Mapping[str, str]) -> None:
        """Have these from now on; whoever tells of one follows."""
        if keys != self._keys:
            self._keys = dict(keys)
            self.changed.emit()

    def key_of(self, action: str) -> str:
        """The key of an action; empty for one that has none."""
        return self._keys.get(action, "")


def shortcuts() -> Shortcuts:
    """The application's one."""
    app = QCoreApplication.instance()
    assert app is not None
    return app.findChild(Shortcuts, options=Qt.FindChildOption.FindDirectChildrenOnly) or Shortcuts(app)


def key_of(action: str) -> str:
    """The key that an action has now; empty for none."""
    return shortcuts().key_of(action)


def tip_with(action: str, text: str) -> str:
    """A tooltip that ends with the key that an action has now."""
    key = key_of(action)
    return plain_tip(f"{text} ({key})" if key else text)


def keyed_tip(widget: QWidget, action: str, text: str) -> None:
    """Give a widget such a tooltip, which follows when the person changes the key."""
    follow_keys(widget, lambda: widget.setToolTip(tip_with(action, text)))


def follow_keys(owner: QObject, show: Callable[[], object]) -> None:
    """Call `show` now and whenever keys change, as long as there is the owner; in place of what it had before."""
    found = owner.findChild(_Follower, options=Qt.FindChildOption.FindDirectChildrenOnly) or _Follower(owner)
    found.show = show
    show()


class _Follower(QObject):
    """Hangs on its owner, and is gone with it."""

    def __init__(self, owner: QObject) -> None:
        super().__init__(owner)
        self.show: Callable[[], object] = lambda: None
        shortcuts().changed.connect(self._renew)

    def _renew(self) -> None:
        self.show()
