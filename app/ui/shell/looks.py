"""How the window looked when it was closed: theme, language, size and places of its parts."""

from __future__ import annotations

import binascii
from base64 import b64decode, b64encode
from dataclasses import dataclass, replace
from hashlib import sha256

from PySide6.QtCore import QByteArray

from app.languages import SYSTEM
from app.ui.kit.theme import CHOICES, Choice
from app.viewmodels.sizes import LEAST_ZOOM, MOST_ZOOM

_LONGEST = 5
_STILL = "still"


@dataclass(frozen=True)
class Looks:
    """How the window looked when it was closed, to be restored. `geometry` and `layout` are Qt's bytes by `to_text`,
    empty for none.

    `zoom` is in per cent; `motion` is "still" if animations are off, else empty; `tab` is the name of the view in front
    of the others in its dock, `sizes` are the chosen sizes of docks."""

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
        """The chosen theme; "system" for an unknown word."""
        return next((one for one in CHOICES if one == self.theme), "system")

    @property
    def percent(self) -> int:
        """The zoom of the whole interface in per cent; 100 if the stored one is not a number in the allowed range."""
        wanted = int(self.zoom) if self.zoom.isdecimal() and len(self.zoom) < _LONGEST else 100
        return wanted if LEAST_ZOOM <= wanted <= MOST_ZOOM else 100

    @property
    def still(self) -> bool:
        """Whether animations are off."""
        return self.motion == _STILL

    def living_by(self, theme: str, language: str, zoom: int, *, still: bool) -> Looks:
        """A copy with these preferences; geometry and layout stay. `still`: no animations."""
        return replace(self, theme=theme, language=language, zoom=str(zoom), motion=_STILL if still else "")


def to_text(state: QByteArray) -> str:
    """Qt's bytes as text with a checksum: Qt crashes when it restores docks from damaged bytes."""
    held = bytes(state.data())
    return f"{_seal(held)} {b64encode(held).decode('ascii')}"


def to_bytes(text: str) -> QByteArray:
    """The bytes of a text from `to_text`; empty for any other text."""
    seal, _, written = text.partition(" ")
    try:
        state = b64decode(written, validate=True)
    except (binascii.Error, ValueError):
        return QByteArray()
    return QByteArray(state) if _seal(state) == seal else QByteArray()


def _seal(state: bytes) -> str:
    return sha256(state).hexdigest()[:16]
