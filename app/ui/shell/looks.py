"""How the window looked when it was closed: theme, language, size and places of its parts."""

from __future__ import annotations

import binascii
from base64 import b64decode, b64encode
from dataclasses import dataclass, replace
from hashlib import sha256

from PySide6.QtCore import QByteArray

from app.desktop.sizes import LEAST_ZOOM, MOST_ZOOM
from app.languages import SYSTEM
from app.ui.kit.theme import CHOICES, Choice

_LONGEST = 5
_STILL = "still"


@dataclass(frozen=True)
class Looks:
    """What the window is restored from; `geometry` and `layout` are Qt's bytes by `to_text`, empty for none.

    `zoom` is in per cent, `motion` is "still" where nothing is to move by itself; `tab` is the view that was before
    the others of its dock, `sizes` are those that docks were given.
    """

    theme: str = "system"
    geometry: str = ""
    layout: str = ""
    language: str = SYSTEM
    zoom: str = "100"
    motion: str = ""
    tab: str = ""
    sizes: str = ""

    @property
    def choice(self) -> Choice:
        """The theme; the system's for a word that is none."""
        return next((one for one in CHOICES if one == self.theme), "system")

    @property
    def percent(self) -> int:
        """The size of everything, in per cent; 100 for what is no size."""
        wanted = int(self.zoom) if self.zoom.isdecimal() and len(self.zoom) < _LONGEST else 100
        return wanted if LEAST_ZOOM <= wanted <= MOST_ZOOM else 100

    @property
    def still(self) -> bool:
        """Whether nothing is to move by itself."""
        return self.motion == _STILL

    def living_by(self, theme: str, language: str, zoom: int, *, still: bool) -> Looks:
        """The same places with other habits."""
        return replace(self, theme=theme, language=language, zoom=str(zoom), motion=_STILL if still else "")


def to_text(state: QByteArray) -> str:
    """Qt's bytes as text, with a seal: Qt ends the program when it restores docks from bytes that were changed."""
    held = bytes(state.data())
    return f"{_seal(held)} {b64encode(held).decode('ascii')}"


def to_bytes(text: str) -> QByteArray:
    """The bytes again; none for a text that `to_text` did not make."""
    seal, _, written = text.partition(" ")
    try:
        state = b64decode(written, validate=True)
    except (binascii.Error, ValueError):
        return QByteArray()
    return QByteArray(state) if _seal(state) == seal else QByteArray()


def _seal(state: bytes) -> str:
    return sha256(state).hexdigest()[:16]
