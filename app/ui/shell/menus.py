"""The menus of the window, in their order."""

from __future__ import annotations

from enum import StrEnum

from app.words import later, tr


class Menu(StrEnum):
    """The menus of the menu bar, by their English titles."""

    FILE = later("File")
    EDIT = later("Edit")
    VIEW = later("View")
    TRACK = later("Track")
    PLAN = later("Plan")
    TRANSPORT = later("Transport")
    WINDOW = later("Window")
    HELP = later("Help")


def title_of(menu: Menu) -> str:
    """The translated title of a menu."""
    return tr(menu.value)
