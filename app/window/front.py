"""The first frame: the window as it was left, before anything that it is filled with is imported."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QLibraryInfo, QLocale, QObject, QTranslator
from PySide6.QtGui import QFontMetrics, QGuiApplication
from PySide6.QtWidgets import QApplication

from agent.errors import BandleaderError
from agent.message import msg
from app.i18n import ENGLISH, speak
from app.languages import PLAIN, PSEUDO, SYSTEM, LanguageError, language
from app.paths import Paths
from app.signals import StopSignals
from app.ui.kit.theme import Theme
from app.ui.shell.main_window import MainWindow
from app.window.errors import AGAIN, OK, WindowError, note, say
from app.window.first_looks import read_looks
from app.window.instance import Instance

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
            _speak_to(app, looks.language, paths.resources, left_out.append)
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


def _speak_to(
    app: QApplication, choice: str, resources: Path, tell: Callable[[BandleaderError], object]
) -> None:
    """Set the language of the application, as chosen in the settings (`choice`), and of Qt's own dialogs, as far as Qt
    is translated. English if the catalogue cannot be used, which is reported to `tell`."""
    if choice == PLAIN:
        return
    try:
        found = language(choice, resources, QLocale.system().uiLanguages() if choice == SYSTEM else ())
    except LanguageError as error:
        tell(error)
        return
    speak(found)
    if found is ENGLISH or choice == PSEUDO:
        return
    translator = QTranslator(app)
    place = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    if translator.load(QLocale.system() if choice == SYSTEM else QLocale(choice), "qtbase", "_", place):
        app.installTranslator(translator)


_FACTOR = "QT_SCALE_FACTOR"
_WHOLE = 100


@contextmanager
def zoomed(percent: int) -> Iterator[None]:
    """Context in which the QApplication must be made to draw everything at this percentage; a factor set in the
    environment takes precedence. The variable is removed afterwards, so that child processes do not inherit it."""
    if percent == _WHOLE or _FACTOR in os.environ:
        yield
        return
    os.environ[_FACTOR] = f"{percent / _WHOLE:g}"
    try:
        yield
    finally:
        del os.environ[_FACTOR]
