"""Whether a window can be shown at all: Qt ends the process where it cannot."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from agent.fixes import FixKind
from agent.message import msg
from app.window.errors import WindowError

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
