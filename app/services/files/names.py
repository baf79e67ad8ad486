"""Names of files: what may be shown of them, and what a new one may be called."""

from __future__ import annotations

import re
import unicodedata

from agent.message import msg
from app.services.files.errors import FileError

_LONGEST_SHOWN = 120
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_JOINERS = "\u200c\u200d"
"""Invisible characters that Persian and emoji need."""
_FORBIDDEN = '<>:"/\\|?*'
_DEVICES = re.compile(r"(con|prn|aux|nul|(com|lpt)[0-9¹²³])(\..*)?", re.IGNORECASE)
"""Names that Windows keeps for devices, whatever their ending."""
MAX_NAME_BYTES = 255


def hidden(text: str) -> bool:
    """Whether the text contains invisible characters: controls, direction marks, tags, undecodable bytes."""
    return any(unicodedata.category(sign) in _HIDDEN and sign not in _JOINERS for sign in text)


def shown(text: str) -> str:
    """The text on one line with hidden characters replaced, shortened in the middle; for display, not for opening."""
    plain = "".join(sign if not hidden(sign) else "�" for sign in text)
    if len(plain) <= _LONGEST_SHOWN:
        return plain
    half = _LONGEST_SHOWN // 2
    return f"{plain[:half]}…{plain[-half:]}"


def check_name(name: str) -> None:
    """Raise `FileError` for a name that no new file may have, on any system."""
    why = ""
    if not name.strip():
        why = "it is empty"
    elif len(name.encode("utf-8", "surrogateescape")) > MAX_NAME_BYTES:
        why = f"it is longer than {MAX_NAME_BYTES} bytes"
    elif found := [sign for sign in name if sign in _FORBIDDEN]:
        why = f"{found[0]} cannot be in a file name on every system"
    elif name[-1] in ". " or name[0] == " ":
        why = "it begins or ends with a space, or ends with a dot"
    elif _DEVICES.fullmatch(name):
        why = "Windows keeps it for a device"
    if why:
        raise FileError(
            msg("no file can be called {name!r}", name=shown(name)), why=why, fix=msg("choose a plain name"),
        )
