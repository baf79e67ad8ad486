"""Faults that nobody caught: told in the window, with a local report, and the window lives on."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import Any

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler

from app.crash import show_if_asked
from app.viewmodels.texts.troubles import ErrorReporter

_POOR = "This plugin does not support"
"""Prefix of Qt's messages about displays that lack something, which are no errors."""
_SPOKEN = (QtMsgType.QtWarningMsg, QtMsgType.QtCriticalMsg, QtMsgType.QtFatalMsg)


class QtComplaint(Exception):
    """A warning or error that Qt has reported."""


@contextmanager
def told_faults(
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
