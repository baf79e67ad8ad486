"""The window's door: from the bare command to an exit status."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable

from agent.errors import BandleaderError
from agent.fixes import Fix
from app.paths import find_paths
from app.signals import StopSignals
from app.window.display import refuse_without_display
from app.window.errors import AGAIN, WindowError, say


def open_window(stop: StopSignals | None = None, typed: Callable[[Fix | None], str] = str) -> int:
    """Show the window until it is closed or a signal comes; returns the exit status and raises nothing. Without `stop`
    the caller handles signals; `typed` words at the terminal what to do where no window can be shown."""
    # What start-up makes stays until the end; looking through it on the way would only hold the first frame up.
    gc.disable()
    try:
        refuse_without_display(os.environ, sys.platform)
        # Qt is imported only when there is something to show it on.
        from app.window.front import live

        status = live(find_paths(), stop or StopSignals())
    except WindowError as error:
        return say(error, typed(error.fix))
    except BandleaderError as error:
        return say(error)
    finally:
        # Python would look through all that was made once more before it ends, which takes a second or two.
        gc.freeze()
        gc.enable()
    if status == AGAIN:
        _begin_again()
    return status


def _begin_again() -> None:
    """This process from its start; language and size of everything are taken only there."""
    bundled = getattr(sys, "frozen", False)
    os.execv(sys.executable, [sys.executable] if bundled else [sys.executable, *sys.orig_argv[1:]])  # noqa: S606
