"""The window's life after its first frame: filled when the application behind it is open, and ended cleanly."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import Context
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Any

import qasync
from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler
from PySide6.QtWidgets import QApplication

from agent.errors import BandleaderError
from agent.message import msg
from app.crash import reported, show_if_asked
from app.paths import Paths
from app.signals import StopSignals
from app.ui.kit.context import Kit
from app.ui.kit.tasks import Tasks
from app.ui.kit.theme import Theme
from app.ui.shell.main_window import MainWindow
from app.viewmodels.texts.troubles import ErrorReporter
from app.window.errors import OK, WindowError, say
from app.window.first_looks import write_looks
from app.window.garbage import Garbage
from app.window.idleness import Idleness, at_work
from app.window.instance import Instance

if TYPE_CHECKING:
    # The database is slow to import; it follows the first frame.
    from app.ui.shell.views import ViewFactories
    from app.viewmodels.desktop import Desktop


_POOR = "This plugin does not support"
"""Prefix of Qt's messages about displays that lack something, which are no errors."""
_SPOKEN = (QtMsgType.QtWarningMsg, QtMsgType.QtCriticalMsg, QtMsgType.QtFatalMsg)


class QtComplaint(Exception):
    """A warning or error that Qt has reported."""


@contextmanager
def _told_faults(
    loop: asyncio.AbstractEventLoop, troubles: ErrorReporter, environment: dict[str, str]
) -> Iterator[None]:
    """Context in which uncaught exceptions of slots, tasks and threads, and errors of Qt, are shown in the window."""

    def tell(fault: BaseException) -> None:
        if isinstance(fault, Exception):
            show_if_asked(fault, environment)
            troubles.tell(fault, "window")

    def of_slot(_kind: type[BaseException], fault: BaseException, _trace: TracebackType | None) -> None:
        _on_loop(loop, lambda: tell(fault))

    def of_loop(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        fault = context.get("exception")
        if isinstance(fault, Exception):
            tell(fault)

    def of_thread(arguments: threading.ExceptHookArgs) -> None:
        fault = arguments.exc_value
        if fault is not None:
            _on_loop(loop, lambda: tell(fault))

    def of_qt(kind: QtMsgType, _context: QMessageLogContext, message: str | None) -> None:
        if kind in _SPOKEN and not (message or "").startswith(_POOR):
            _whisper(message or "")
        if kind is QtMsgType.QtCriticalMsg:
            _on_loop(loop, lambda: tell(QtComplaint(message)))

    before = sys.excepthook, threading.excepthook, qInstallMessageHandler(of_qt)
    sys.excepthook, threading.excepthook = of_slot, of_thread
    loop.set_exception_handler(of_loop)
    try:
        yield
    finally:
        sys.excepthook, threading.excepthook = before[:2]
        qInstallMessageHandler(before[2])


def _on_loop(loop: asyncio.AbstractEventLoop, act: Callable[[], None]) -> None:
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(act)


def _whisper(message: str) -> None:
    with suppress(OSError, ValueError, AttributeError):
        sys.stderr.write(f"window: {message}\n")


_LATER = 0.01
"""Seconds after which a callback that came in the middle of a task is tried again."""


class EventLoop(qasync.QEventLoop):  # type: ignore[misc]  # the library is untyped
    """An asyncio event loop within Qt's that runs no callback in the middle of a task.

    A native dialog, a drag or a synthetic key handles Qt's events before it returns. Another task that continued then
    would be refused by asyncio, and never be woken again."""

    def call_later(
        self, delay: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.Handle:
        """Call back in `delay` seconds, or as soon after that as no task is in the middle of a step."""
        if asyncio.iscoroutinefunction(callback):
            raise TypeError("coroutines cannot be called later")

        def called() -> None:
            if asyncio.current_task(self) is None:
                callback(*args)
            else:
                self._add_callback(handle, _LATER)

        handle = asyncio.Handle(called, (), self, context)
        self._add_callback(handle, delay)
        return handle


def spend(
    paths: Paths, window: MainWindow, theme: Theme, instance: Instance, stop: StopSignals,
    left_out: Sequence[BandleaderError],
) -> int:
    """Fill the shown window and run it until it is closed; returns the exit status. `left_out` are errors of the first
    frame, which are shown in the window."""
    loop = EventLoop(QApplication.instance())
    asyncio.set_event_loop(loop)
    try:
        troubles = ErrorReporter(paths)
        kit = Kit(theme, Tasks(troubles), troubles)
        with short_turns(), _told_faults(loop, troubles, dict(os.environ)):
            status: int = loop.run_until_complete(_Life(paths, kit, window, instance, stop, left_out).run())
        return status
    finally:
        with suppress(RuntimeError):
            loop.close()
        asyncio.set_event_loop(None)


class _Life:
    """One window from its first frame to its end."""

    def __init__(
        self, paths: Paths, kit: Kit, window: MainWindow, instance: Instance, stop: StopSignals,
        left_out: Sequence[BandleaderError],
    ) -> None:
        self._paths = paths
        self._left_out = left_out
        self._kit = kit
        self._window = window
        self._instance = instance
        self._stop = stop
        self._ending = asyncio.Event()

    async def run(self) -> int:
        """The exit status."""
        window = self._window
        window.closing.connect(self._ending.set)
        with self._stop.heard_by(asyncio.get_running_loop().call_soon_threadsafe, self._ending.set):
            self._instance.listen()
            try:
                desktop, make = await self._opened()
            except Exception as error:
                return await self._refuse(error)
            return await self._until_closed(desktop, make)

    async def _opened(self) -> tuple[Desktop, ViewFactories]:
        opening = asyncio.ensure_future(asyncio.to_thread(_open, self._paths, self._kit.troubles))
        ending = asyncio.ensure_future(self._ending.wait())
        await asyncio.wait((opening, ending), return_when=asyncio.FIRST_COMPLETED)
        ending.cancel()
        if self._stop.received and not opening.done():
            # Nothing is there yet that could be lost, and the import of all views cannot be broken off.
            self._window.hide()
            self._instance.release()
            self._stop.end(OK)
        return await opening

    async def _until_closed(self, desktop: Desktop, make: ViewFactories) -> int:
        garbage: Garbage | None = None
        try:
            try:
                if not self._ending.is_set():
                    self._window.attach(desktop, self._kit, make)
                    await desktop.begin()
                    if desktop.unsent:
                        self._window.put_request(desktop.unsent)
                    garbage = Garbage(self._window, Idleness(self._window, partial(self._at_work, desktop)).idle)
                    # A crash must not cost the next start its language and size.
                    desktop.preferences.now.changed.listen(lambda _: write_looks(self._paths, self._window.looks()))
                    for left_out in (*self._left_out, *desktop.studio.styles_left_out):
                        self._kit.troubles.tell(left_out, "window")
                    self._kit.tasks.start(_warmed(desktop, garbage), "window")
            except Exception as error:
                return await self._refuse(error)
            await self._ending.wait()
            await self._keep_looks(desktop)
        finally:
            desktop.leave()
            self._window.detach()
            await self._kit.tasks.close()
            trouble = await _closed(desktop)
            if garbage is not None:
                garbage.end()
        return OK if trouble is None else say(trouble)

    def _at_work(self, desktop: Desktop) -> bool:
        return self._kit.tasks.running > 0 or at_work(desktop)

    async def _keep_looks(self, desktop: Desktop) -> None:
        """Theme, places and size for the next start. A disk that refuses costs only them."""
        looks = self._window.looks()
        if self._window.restarting:
            with suppress(BandleaderError):
                await desktop.keep_for_restart(self._window.unsent())
        self._window.hide()
        write_looks(self._paths, looks)
        with suppress(BandleaderError):
            await desktop.set("layout", looks.layout)
            await desktop.set("geometry", looks.geometry)

    async def _refuse(self, error: Exception) -> int:
        """Tell why the window cannot be used, and wait until that is read."""
        from app.window.refusal import RefusalDialog

        told = _in_words(error, self._paths)
        status = say(told)
        self._window.hide()
        if not self._ending.is_set():
            refusal = RefusalDialog(told)
            refusal.finished.connect(self._ending.set)
            refusal.open()
            await self._ending.wait()
            refusal.close()
            refusal.deleteLater()
        return status


def _open(paths: Paths, troubles: ErrorReporter) -> tuple[Desktop, ViewFactories]:
    """All that is slow to import or to open; in a thread, while the window is there already."""
    from app.bootstrap import open_desktop
    from app.window.views import view_factories

    return open_desktop(paths, troubles), view_factories()


async def _warmed(desktop: Desktop, garbage: Garbage) -> None:
    """What a model needs is loaded, and stays."""
    await desktop.studio.planners.preload()
    garbage.settle()


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
        return WindowError(
            msg("cannot use {filename}", filename=error.filename or paths.data), why=error.strerror or str(error),
            fix=msg("check the disk and the folder's permissions, or set BANDLEADER_HOME to another folder"),
        )
    return reported(error, paths.logs)


_TURN = 0.0002
"""Switch interval in seconds; Python's own is 5 ms. Painting releases the interpreter's lock, and takes it again, many
times a frame."""


@contextmanager
def short_turns() -> Iterator[None]:
    """Context with a short switch interval of Python's threads."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(_TURN)
    try:
        yield
    finally:
        sys.setswitchinterval(usual)
