"""SIGINT, SIGTERM and SIGHUP, taken in one place for the whole life of the process: a thread that waits for them.

No signal handler raises. Python would raise its exception wherever the main thread happens to be, also inside the C
code of a library that expects none.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from select import select
from types import FrameType

Act = Callable[[], object]
Post = Callable[[Act], object]
"""Has a function called soon on the thread of an event loop, as `loop.call_soon_threadsafe` does."""

INTERRUPTED = 130
"""The exit status of a command that was told to end."""
_NUMBERS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
_LOOK = 0.05
_SAME = 0.3
"""Seconds within which signals are one: some programs send one to the process and again to its group."""
_LAST = 3
"""The signal that ends the process whatever it does."""


class _Patience:
    """Time since it was made, in seconds of the clock and of the processors; on a busy machine the latter are fewer."""

    def __init__(self) -> None:
        self._passed, self._worked = time.monotonic(), time.process_time()

    def over(self, *, worked: float, passed: float) -> bool:
        """Whether the process has worked so long, or so much time has passed."""
        return time.process_time() - self._worked >= worked or time.monotonic() - self._passed >= passed


class StopSignals:
    """What the process does when it is told to end.

    While nobody listens there is nothing to bring to an end, and the first signal ends the process at once. Whoever
    listens (`heard_by`) is asked; a second signal, or time, is an order; a third one, or more time, ends the process.
    That is safe at any moment: what is stored is stored in transactions, and files are written whole.
    """

    def __init__(self, status: int = INTERRUPTED) -> None:
        self._status = status
        self._lock = threading.RLock()
        self._listener: tuple[Post, tuple[Act, ...]] | None = None
        self._told = 0
        """How much of the listener was called."""
        self._heard = False
        self._count = 0
        self._last = 0.0
        self._patience = _Patience()
        self._reading = self._writing = -1

    @property
    def received(self) -> bool:
        """Whether one has come."""
        return self._count > 0

    @property
    def taken(self) -> bool:
        """Whether the process's signals come here, so that the process is this program's own."""
        return self._reading >= 0

    def take(self) -> None:
        """Take signals from now on; on the main thread. What was ignored when the process began stays ignored."""
        self._reading, self._writing = os.pipe()
        os.set_blocking(self._writing, False)
        signal.set_wakeup_fd(self._writing, warn_on_full_buffer=False)
        for number in _NUMBERS:
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, self._handle)
        # What is registered first is called last: then the interpreter ends, and would let them end the process.
        atexit.register(_ignore)
        threading.Thread(target=self._watch, name="signals", daemon=True).start()

    @contextmanager
    def heard_by(self, post: Post, ask: Act, order: Act | None = None) -> Iterator[None]:
        """Within, the first signal has `ask` called through `post`, a second one or time `order`.

        If one came before, `ask` is called now. An inner listener stands in for an outer one. A process that was
        asked is given time for its end also after that.
        """
        outer = self._listener
        with self._lock:
            self._listener, self._told = (post, (ask, order or _nothing)), 0
            self._act()
        try:
            yield
        finally:
            with self._lock:
                if not self.received:
                    self._listener = outer

    def end(self, status: int) -> int:
        """Say that all is done: from now on a signal ends the process with this status, at once if one has come.

        Threads that work on something nobody waits for any more do not keep the process then.
        """
        with suppress(OSError, ValueError, AttributeError):
            sys.stdout.flush()
            sys.stderr.flush()
            self._status = status
        with self._lock:
            self._listener = None
            self._act()
        return status

    def _handle(self, number: int, _frame: FrameType | None) -> None:
        # The interpreter has written the number into the pipe already; not on Windows, where the event loop takes its
        # place.
        if sys.platform == "win32":
            os.write(self._writing, bytes((number,)))

    def _watch(self) -> None:
        while True:
            ready, _, _ = select([self._reading], [], [], _LOOK if self.received else None)
            with self._lock:
                if ready:
                    os.read(self._reading, 64)
                    self._note()
                self._act()

    def _note(self) -> None:
        now = time.monotonic()
        if not self.received:
            self._patience = _Patience()
        elif now - self._last < _SAME:
            return
        self._count, self._last = self._count + 1, now

    def _act(self) -> None:
        """Do what is due by now."""
        if not self.received:
            return
        if self._listener is None or self._count >= _LAST or self._overdue():
            os._exit(self._status)
        post, acts = self._listener
        due = 2 if self._count > 1 or self._patience.over(worked=1.5, passed=3.0) else 1
        for act in acts[self._told : due]:
            with suppress(RuntimeError):  # the loop has ended
                post(lambda act=act: self._hear(act))  # type: ignore[misc]
        self._told = due

    def _overdue(self) -> bool:
        """Whether the end has had its time. Who does not even hear that it is wanted has nothing under way to end."""
        if self._heard:
            return self._patience.over(worked=4.0, passed=6.0)
        return self._patience.over(worked=1.4, passed=4.0)

    def _hear(self, act: Act) -> None:
        self._heard = True
        act()


def _nothing() -> None:
    """What a listener does on an order if it has no more to do than it was asked for."""


def _ignore() -> None:
    for number in _NUMBERS:
        signal.signal(number, signal.SIG_IGN)


@contextmanager
def held_back() -> Iterator[None]:
    """Within, a process that this thread begins never hears SIGINT, SIGTERM and SIGHUP.

    A terminal sends them to all processes of a program; those that work for another are ended by it.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _NUMBERS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
