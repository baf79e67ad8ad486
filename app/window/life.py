"""The window's life: shown at once, filled when the application behind it is open, ended without a trace left."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import qasync
from PySide6.QtCore import QCoreApplication, QEvent, QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from agent.errors import BandleaderError
from app.crash import reported
from app.desktop.troubles import Troubles
from app.paths import Paths
from app.ui.kit.context import Kit
from app.ui.kit.tasks import Tasks
from app.ui.kit.theme import Theme
from app.ui.shell.main_window import MainWindow
from app.window.errors import OK, WindowError, say
from app.window.faults import told_faults
from app.window.first_looks import read_looks, write_looks
from app.window.garbage import Garbage
from app.window.instance import Instance

if TYPE_CHECKING:
    # The database is slow to import; it follows the first frame.
    from app.desktop.desktop import Desktop
    from app.ui.shell.views import ViewFactories

_FIRST_FRAME = 3.0
"""Seconds after which the rest is opened even if no frame was shown, as for a window that is minimized."""


def live(paths: Paths) -> int:
    """Show the window of an installation until it is closed; returns the exit status."""
    app = _application()
    windows: list[MainWindow] = []

    def come_forward() -> None:
        for window in windows:
            window.come_forward()

    instance = Instance(paths.data, come_forward)
    if not instance.claim():
        return OK
    loop = qasync.QEventLoop(app)
    asyncio.set_event_loop(loop)
    try:
        looks = read_looks(paths)
        troubles = Troubles(paths)
        kit = Kit(Theme(app, looks.choice), Tasks(troubles), troubles)
        garbage = Garbage(app)
        with told_faults(loop, troubles, dict(os.environ)):
            window = MainWindow(kit, looks)
            windows.append(window)
            status: int = loop.run_until_complete(_Life(paths, kit, window).run())
            windows.clear()
            window.deleteLater()
            app.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        garbage.end()
        return status
    finally:
        instance.release()
        with suppress(RuntimeError):
            loop.close()
        asyncio.set_event_loop(None)


class _Life:
    """One window from its first frame to its end."""

    def __init__(self, paths: Paths, kit: Kit, window: MainWindow) -> None:
        self._paths = paths
        self._kit = kit
        self._window = window
        self._ending = asyncio.Event()

    async def run(self) -> int:
        """The exit status."""
        window = self._window
        window.closing.connect(self._ending.set)
        with _signals(self._ending):
            frame = _FirstFrame(window)
            window.show()
            with suppress(TimeoutError):
                await asyncio.wait_for(frame.shown.wait(), _FIRST_FRAME)
            try:
                desktop, make = await asyncio.to_thread(_open, self._paths, self._kit.troubles)
            except Exception as error:
                return await self._refuse(error)
            return await self._until_closed(desktop, make)

    async def _until_closed(self, desktop: Desktop, make: ViewFactories) -> int:
        try:
            try:
                if not self._ending.is_set():
                    self._window.attach(desktop, make)
                    await desktop.begin()
            except Exception as error:
                return await self._refuse(error)
            await self._ending.wait()
            await self._keep_looks(desktop)
        finally:
            self._window.detach()
            await self._kit.tasks.close()
            trouble = await _closed(desktop)
        return OK if trouble is None else say(trouble)

    async def _keep_looks(self, desktop: Desktop) -> None:
        """Theme, places and size for the next start. A disk that refuses costs only them."""
        looks = self._window.looks()
        self._window.hide()
        write_looks(self._paths, looks)
        with suppress(BandleaderError):
            await desktop.set("layout", looks.layout)
            await desktop.set("geometry", looks.geometry)

    async def _refuse(self, error: Exception) -> int:
        """Tell why the window cannot be used, and wait until that is read."""
        from app.window.refusal import Refusal

        told = _in_words(error, self._paths)
        status = say(told)
        self._window.hide()
        if not self._ending.is_set():
            refusal = Refusal(told)
            refusal.finished.connect(self._ending.set)
            refusal.open()
            await self._ending.wait()
            refusal.close()
            refusal.deleteLater()
        return status


class _FirstFrame(QObject):
    """Tells when a window was painted."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.shown = asyncio.Event()
        window.status.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """The status bar is the last part to be painted."""
        if event.type() is QEvent.Type.Paint and not self.shown.is_set():
            watched.removeEventFilter(self)
            self.shown.set()
        return False


def _application() -> QApplication:
    QGuiApplication.setApplicationDisplayName("Bandleader")
    QCoreApplication.setApplicationName("bandleader")
    app = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(app, QApplication)
    app.setQuitOnLastWindowClosed(False)
    app.setDesktopFileName("bandleader")
    return app


def _open(paths: Paths, troubles: Troubles) -> tuple[Desktop, ViewFactories]:
    """All that is slow to import or to open; in a thread, while the window is there already."""
    from app.bootstrap import open_desktop
    from app.window.views import view_factories

    return open_desktop(paths, troubles), view_factories()


async def _closed(desktop: Desktop) -> BandleaderError | None:
    try:
        await desktop.close()
    except BandleaderError as error:
        return error
    return None


def _in_words(error: Exception, paths: Paths) -> BandleaderError:
    if isinstance(error, BandleaderError):
        return error
    if isinstance(error, OSError):
        return WindowError(f"cannot use {error.filename or paths.data}", why=error.strerror or str(error),
                           fix="check the disk and the folder's permissions, or set BANDLEADER_HOME to another folder")
    return reported(error, paths.logs)


@contextmanager
def _signals(ending: asyncio.Event) -> Iterator[None]:
    """Ctrl-C and SIGTERM close the window as a click on its cross does."""
    loop, numbers = asyncio.get_running_loop(), (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.getsignal(number) for number in numbers}
    try:
        for number in numbers:
            loop.add_signal_handler(number, ending.set)
    except NotImplementedError:
        for number in numbers:
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(ending.set))
    try:
        yield
    finally:
        for number, handler in before.items():
            with suppress(NotImplementedError):
                loop.remove_signal_handler(number)
            signal.signal(number, handler)
