"""How the window looked when it was closed: theme, size and places of its parts."""

from __future__ import annotations

import binascii
from base64 import b64decode, b64encode
from dataclasses import dataclass

from PySide6.QtCore import QByteArray

from app.ui.kit.theme import CHOICES, Choice


@dataclass(frozen=True)
class Looks:
    """What the window is restored from; `geometry` and `layout` are Qt's bytes in base64, empty for none."""

    theme: str = "system"
    geometry: str = ""
    layout: str = ""

    @property
    def choice(self) -> Choice:
        """The theme; the system's for a word that is none."""
        return next((one for one in CHOICES if one == self.theme), "system")


def to_text(state: QByteArray) -> str:
    """Qt's bytes as text."""
    return b64encode(state.data()).decode("ascii")


def to_bytes(text: str) -> QByteArray:
    """The bytes again; text that is not ours gives none."""
    try:
        return QByteArray(b64decode(text, validate=True))
    except (binascii.Error, ValueError):
        return QByteArray()
