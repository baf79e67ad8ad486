"""Scroll bars by name, for whoever does not see which area they move."""

from __future__ import annotations

from PySide6.QtWidgets import QAbstractScrollArea

from app.i18n import tr


def name_scroll_bars(area: QAbstractScrollArea) -> None:
    """Give the scroll bars of an area accessible names that contain the area's own, which must be set before."""
    what = area.accessibleName()
    area.horizontalScrollBar().setAccessibleName(tr("Scroll sideways: {what}", what=what))
    area.verticalScrollBar().setAccessibleName(tr("Scroll up and down: {what}", what=what))
