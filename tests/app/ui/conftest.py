"""A theme, a kit, and an event loop that forgives no leak, for tests of the window."""

from qt_fixtures import garbage, kit, qloop, theme

__all__ = ["garbage", "kit", "qloop", "theme"]
