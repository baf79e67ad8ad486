"""A theme, a kit, and an event loop that forgives no leak, for tests of the window."""

from qt_fixtures import garbage, kit, qloop, qtbot, theme

__all__ = ["garbage", "kit", "qloop", "qtbot", "theme"]
