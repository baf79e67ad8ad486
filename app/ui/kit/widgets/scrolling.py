"""Scroll bars by name, for whoever does not see which area they move."""

from __future__ import annotations

from PySide6.QtWidgets import QAbstractScrollArea

from app.words import tr


def name_scroll_bars(area: QAbstractScrollArea) -> None:
    """Call the bars of an area after the area, whose accessible name is set by now."""
    what = area.accessibleName()
    area.horizontalScrollBar().setAccessibleName(tr("Scroll sideways: {what}", what=what))
    area.verticalScrollBar().setAccessibleName(tr("Scroll up and down: {what}", what=what))
