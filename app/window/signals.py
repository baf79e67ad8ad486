"""Ctrl-C and SIGTERM, from the first moment on: they close the window as a click on its cross does."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # The first frame does not wait for the event loop's library.
    import asyncio

_NUMBERS = (signal.SIGINT, signal.SIGTERM)


class Signals:
    """Remembers what comes before anyone hears it; use it as a context."""

    def __init__(self) -> None:
        self._before: dict[signal.Signals, object] = {}
        self._came = False

    def __enter__(self) -> Signals:
        self._before = {number: signal.signal(number, self._note) for number in _NUMBERS}
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)  # type: ignore[arg-type]

    @contextmanager
    def heard_by(self, loop: asyncio.AbstractEventLoop, act: Callable[[], None]) -> Iterator[None]:
        """Within, signals call `act` on the loop; at once if one came before."""
        if self._came:
            act()
        try:
            for number in _NUMBERS:
                loop.add_signal_handler(number, act)
        except NotImplementedError:
            for number in _NUMBERS:
                signal.signal(number, lambda *_: loop.call_soon_threadsafe(act))
        try:
            yield
        finally:
            for number in _NUMBERS:
                with suppress(NotImplementedError):
                    loop.remove_signal_handler(number)
                # Until the process has ended, a second one must not cut the work off.
                signal.signal(number, self._note)

    def _note(self, _number: int, _frame: FrameType | None) -> None:
        self._came = True
