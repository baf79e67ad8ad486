"""The menus of the window, in their order."""

from __future__ import annotations

from enum import StrEnum

from app.i18n import lazy, tr


class Menu(StrEnum):
    """The menus of the menu bar, by their English titles."""

    FILE = lazy("File")
    EDIT = lazy("Edit")
    VIEW = lazy("View")
    TRACK = lazy("Track")
    PLAN = lazy("Plan")
    TRANSPORT = lazy("Transport")
    WINDOW = lazy("Window")
    HELP = lazy("Help")


def title_of(menu: Menu) -> str:
    """The translated title of a menu."""
    return tr(menu.value)
