"""Names inside MIDI files: written as UTF-8, read as UTF-8 or, failing that, Latin-1."""

from __future__ import annotations

_LONGEST = 200


def to_meta(text: str) -> str:
    """Text for a mido meta message, which encodes as Latin-1: its bytes will be the text's UTF-8."""
    return text.encode("utf-8", "replace").decode("latin-1")


def from_meta(data: bytes) -> str:
    """Readable text of a meta event: control characters dropped, at most 200 characters."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    return "".join(char for char in text if char.isprintable()).strip()[:_LONGEST]
