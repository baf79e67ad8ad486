"""The window's door: whether one can be shown at all, and from the bare command to an exit status."""

from __future__ import annotations

import gc
import os
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from agent.errors import BandleaderError
from agent.fixes import Fix, FixKind
from agent.message import msg
from app.paths import find_paths
from app.signals import StopSignals
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


_LOCAL = re.compile(r"(?:unix)?:(\d+)(?:\.\d+)?")
_SECONDS = 2.0


def refuse_without_display(environment: Mapping[str, str], platform: str) -> None:
    """Raise `WindowError` if Qt would find no display, as Qt would end the process then. `platform` is that of
    `sys`."""
    wanted = environment.get("QT_QPA_PLATFORM", "").split(":", 1)[0].split(";", 1)[0]
    if platform in ("darwin", "win32") or wanted not in ("", "xcb", "wayland"):
        return
    screen, compositor = environment.get("DISPLAY", ""), environment.get("WAYLAND_DISPLAY", "")
    if not screen and not compositor:
        raise WindowError(
            msg("there is no display to open the window on"), why=msg("DISPLAY and WAYLAND_DISPLAY are not set"),
            fix=FixKind.USE_COMMANDS(),
        )
    if compositor and wanted != "xcb" and _answers(_wayland_socket(compositor, environment)):
        return
    if not screen or wanted == "wayland" or not _screen_answers(screen):
        raise WindowError(msg("the display {screen} does not answer", screen=screen or compositor),
                          why=msg("no display server listens there"), fix=FixKind.USE_COMMANDS())
    _need_library()


def _need_library() -> None:
    import ctypes

    try:
        ctypes.CDLL("libxcb-cursor.so.0")
    except OSError:
        raise WindowError(msg("the window cannot be opened"), why=msg("the system library libxcb-cursor0 is missing"),
                          fix=FixKind.INSTALL_LIBRARY("libxcb-cursor0")) from None


def _wayland_socket(name: str, environment: Mapping[str, str]) -> str:
    return name if name.startswith("/") else str(Path(environment.get("XDG_RUNTIME_DIR", "/run")) / name)


def _screen_answers(screen: str) -> bool:
    local = _LOCAL.fullmatch(screen)
    if local is None:
        # A display of another machine: its protocol decides, and Qt waits for it as long as it must.
        return True
    path = f"/tmp/.X11-unix/X{local[1]}"  # noqa: S108 - the fixed place of X servers
    return _answers(path) or _answers(f"\0{path}")


def _answers(path: str) -> bool:
    # The first frame waits only for what this display needs.
    import socket

    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as door:
        door.settimeout(_SECONDS)
        try:
            door.connect(path)
        except OSError:
            return False
        return True
