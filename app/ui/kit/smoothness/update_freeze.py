"""A window that keeps what it shows while it is changed underneath."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QWidget


def freeze_updates(window: QWidget) -> None:
    """Stop painting a window until `thaw_updates`; it keeps what it shows."""
    window.setUpdatesEnabled(False)


def thaw_updates(window: QWidget) -> None:
    """Repaint a window soon, and paint its changes again from now on."""
    window.setUpdatesEnabled(True)
    # Qt drops the request to paint that waited when painting stopped, yet takes it for sent ever after.
    QCoreApplication.postEvent(window, QEvent(QEvent.Type.UpdateRequest))
