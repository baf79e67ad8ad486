"""The menus of the window, in their order."""

from __future__ import annotations

from enum import StrEnum

from app.words import later, tr


class Menu(StrEnum):
    """A title in the menu bar."""

    FILE = later("File")
    EDIT = later("Edit")
    VIEW = later("View")
    TRACK = later("Track")
    PLAN = later("Plan")
    TRANSPORT = later("Transport")
    WINDOW = later("Window")
    HELP = later("Help")


def title_of(menu: Menu) -> str:
    """The title as the person reads it."""
    return tr(menu.value)
