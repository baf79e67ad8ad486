"""A window that keeps what it shows while it is changed underneath."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QWidget


def hold(window: QWidget) -> None:
    """Nothing of a window is painted from here on."""
    window.setUpdatesEnabled(False)


def release(window: QWidget) -> None:
    """Paint the window as it is now, soon, and what changes from here on."""
    window.setUpdatesEnabled(True)
    # Qt drops the request to paint that waited when painting stopped, yet takes it for sent ever after.
    QCoreApplication.postEvent(window, QEvent(QEvent.Type.UpdateRequest))
