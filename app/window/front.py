"""The first frame: the window as it was left, before anything that it is filled with is imported."""

from __future__ import annotations

import os
import sys
import time

from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QObject
from PySide6.QtGui import QFontMetrics, QGuiApplication
from PySide6.QtWidgets import QApplication

from agent.errors import BandleaderError
from agent.message import msg
from app.paths import Paths
from app.signals import StopSignals
from app.ui.kit.theme import Theme
from app.ui.shell.main_window import MainWindow
from app.window.errors import AGAIN, OK, WindowError, note, say
from app.window.first_looks import read_looks
from app.window.first_words import speak_to
from app.window.instance import Instance
from app.window.zoom import zoomed

_PATIENCE = 3.0
"""Seconds after which the window is filled even if no frame was painted, as when it is minimised."""
_WAIT_MS = 50


def live(paths: Paths, stop: StopSignals) -> int:
    """Show the window until it is closed; returns the exit status, or `AGAIN` if it is to be opened again."""
    left_out: list[BandleaderError] = []
    looks = read_looks(paths, left_out.append)
    with zoomed(looks.percent):
        app = _application()
    _tell_missing_fonts(app)
    windows: list[MainWindow] = []

    def come_forward() -> None:
        for window in windows:
            window.come_forward()

    # Until there is a loop, a signal is remembered for it.
    with stop.heard_by(lambda _: None, lambda: None):
        instance = Instance(paths.running, come_forward, os.environ)
        if not instance.claim():
            note("Bandleader is open already; its window was brought to the front")
            return OK
        try:
            speak_to(app, looks.language, paths.resources, left_out.append)
            theme = Theme(app, looks.choice, bare=True)
            theme.still = looks.still
            window = MainWindow(theme, looks)
            windows.append(window)
            show_first_frame(app, window)
            theme.finish()
            # The event loop, the database and all views are imported only now.
            from app.window.life import spend

            status = spend(paths, window, theme, instance, stop, left_out)
            if window.restarting and status == OK and not stop.received:
                status = AGAIN
            windows.clear()
            window.deleteLater()
            app.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
            return status
        finally:
            instance.release()


def show_first_frame(app: QApplication, window: MainWindow) -> None:
    """Show the window, and return when it was painted, or after a short time limit."""
    frame = _FirstFrame(window)
    window.show()
    until = time.monotonic() + _PATIENCE
    while not frame.shown and time.monotonic() < until:
        app.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, _WAIT_MS)


class _FirstFrame(QObject):
    """Notes that a window was painted."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.shown = False
        window.status.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """The status bar is the last part to be painted."""
        if event.type() is QEvent.Type.Paint and not self.shown:
            watched.removeEventFilter(self)
            self.shown = True
        return False


def _tell_missing_fonts(app: QApplication) -> None:
    """On stderr, as nothing can be read in the window then; screen readers can use it all the same."""
    if not QFontMetrics(app.font()).inFont("a"):
        say(WindowError(msg("this system has no fonts"), why=msg("no text in the window can be seen"),
                        fix=msg("install one (Debian, Ubuntu: apt install fonts-dejavu-core), then start again")))


def _application() -> QApplication:
    QGuiApplication.setApplicationDisplayName("Bandleader")
    QCoreApplication.setApplicationName("bandleader")
    app = QApplication.instance() or QApplication([*sys.argv[:1], "-style", "fusion"])
    assert isinstance(app, QApplication)
    app.setQuitOnLastWindowClosed(False)
    app.setDesktopFileName("bandleader")
    return app
