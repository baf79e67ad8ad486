"""Names of files that every system takes."""

from __future__ import annotations

import re

_RESERVED = re.compile(r"con|prn|aux|nul|(com|lpt)[0-9¹²³]", re.IGNORECASE)
"""Names that Windows keeps for devices, whatever their ending."""


def file_name(text: str) -> str:
    """The text as a file name on every system, at most 60 characters and 200 bytes."""
    plain = re.sub(r"[^\w\-# ]+", "", re.sub(r"[/\\:]", "-", text)).strip()[:60]
    plain = plain.encode("utf-8", "ignore")[:200].decode("utf-8", "ignore").strip()
    return f"{plain} song" if _RESERVED.fullmatch(plain) else plain or "song"
