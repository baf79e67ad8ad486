"""Errors as the window tells them: in the words of the error family, where they happened."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from agent.errors import BandleaderError
from app.crash import reported
from app.paths import Paths
from app.studio.observable import Observable
from app.viewmodels.texts.fixes import for_window

Place = Literal["chat", "plan", "timeline", "transport", "history", "window"]


class Trouble(Struct, frozen=True):
    """An error to show; `place` is the part of the window that shows it."""

    place: Place
    what: str
    why: str = ""
    fix: str = ""


def trouble_of(error: BandleaderError, place: Place) -> Trouble:
    """An error as `Trouble`, with translated texts."""
    told = for_window(error)
    return Trouble(place, told.what, told.why, told.advice)


class ErrorReporter:
    """Turns exceptions into troubles to show; a bug also leaves a local crash report."""

    def __init__(self, paths: Paths) -> None:
        self._logs = paths.logs
        self.told: Observable[Trouble] = Observable()

    def tell(self, error: BaseException, place: Place) -> None:
        """Show an error at a place of the window."""
        if isinstance(error, OSError) and not isinstance(error, BandleaderError):
            self.told.emit(Trouble(place, f"cannot use {error.filename or 'a file'}", error.strerror or str(error)))
            return
        if not isinstance(error, BandleaderError):
            error = reported(error, self._logs) if isinstance(error, Exception) else BandleaderError(repr(error))
        self.told.emit(trouble_of(error, place))

    def guarded(self, act: Callable[[], None], place: Place) -> None:
        """Call `act`; an exception is shown instead of raised."""
        try:
            act()
        except Exception as error:
            self.tell(error, place)
