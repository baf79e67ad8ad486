"""What assistive programs are told about a painted view."""

from __future__ import annotations

from PySide6.QtGui import QAccessible, QAccessibleEvent
from PySide6.QtWidgets import QWidget


def describe(view: QWidget, words: str) -> bool:
    """Set a view's accessible description and notify screen readers if it has changed; returns whether it has."""
    changed = words != view.accessibleDescription()
    if changed:
        view.setAccessibleDescription(words)
        QAccessible.updateAccessibility(QAccessibleEvent(view, QAccessible.Event.DescriptionChanged))
    return changed
