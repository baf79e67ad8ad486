"""The menus of the window, in their order."""

from __future__ import annotations

from enum import StrEnum


class Menu(StrEnum):
    """A title in the menu bar."""

    FILE = "File"
    EDIT = "Edit"
    VIEW = "View"
    TRACK = "Track"
    PLAN = "Plan"
    TRANSPORT = "Transport"
    WINDOW = "Window"
    HELP = "Help"
