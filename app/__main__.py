"""The program's entry: without arguments the window, with arguments the command line."""

from __future__ import annotations

import gc
import os
import sys

from app.signals import INTERRUPTED, StopSignals


def main() -> int:
    """Run the command that the arguments name, or open the window; returns the exit status."""
    words = sys.argv[1:]
    _open_streams()
    # The window's end is its own, whoever asked for it.
    stop = StopSignals(INTERRUPTED if words else 0)
    stop.take()
    # All else is imported only now, when a signal ends the process in order.
    import multiprocessing

    multiprocessing.freeze_support()
    if words:
        # What start-up makes stays until the end; whoever opens the studio has garbage collected again.
        gc.disable()
        from app.cli.main import run

        return stop.end(run(words, stop))
    from app.cli.fixes import typed
    from app.window.entry import open_window

    return stop.end(open_window(stop, typed))


def _open_streams() -> None:
    """Give a closed input, output or error stream an empty one, so that no other file takes its number."""
    free = os.open(os.devnull, os.O_RDWR)
    while free <= 2:
        free = os.open(os.devnull, os.O_RDWR)
    os.close(free)
    if sys.stdout is None:
        sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    if sys.stderr is None:
        sys.stderr = os.fdopen(2, "w", encoding="utf-8", closefd=False)


if __name__ == "__main__":
    sys.exit(main())
