"""A number beside a row that says whether its values are still those that were written.

It finds damage of a disk or of memory; it protects against nobody who may write the database.
"""

from __future__ import annotations

import zlib
from typing import TypeAlias

Value: TypeAlias = str | int | None
_BETWEEN = "\x1f"


def checksum(*values: Value) -> int:
    """CRC-32 of the values in their order."""
    text = _BETWEEN.join(["\x00" if value is None else str(value) for value in values])
    return zlib.crc32(text.encode("utf-8", "surrogatepass"))


def is_sound(stored: Value, *values: Value) -> bool:
    """Whether `stored` is the checksum of the values; True if it is None, for rows from before checksums."""
    return stored is None or stored == checksum(*values)
