"""TOML files that a musician may edit."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from agent.errors import BandleaderError

LARGEST = 256 * 1024
"""Bytes of the largest file that is read; those that ship have less than 16,000."""


def read_toml(file: Path, family: type[BandleaderError]) -> dict[str, Any]:
    """The tables of a file; raises the error of that family, which names the file. Nothing else escapes."""
    text = _text(file, family)
    try:
        return tomllib.loads(text)
    except ValueError as error:
        raise family(f"{file} is not valid TOML", why=str(error), fix="mend the line that is named") from error
    except RecursionError as error:
        raise family(f"{file} is not valid TOML", why="lists lie too deep in each other") from error


def _text(file: Path, family: type[BandleaderError]) -> str:
    try:
        if file.exists() and not file.is_file():
            # opening a pipe would wait for its other end
            raise family(f"cannot read {file}", why="it is a folder or a device, not a file", fix="move it away")
        with file.open("rb") as source:
            content = source.read(LARGEST + 1)
    except OSError as error:
        raise family(f"cannot read {file}", why=error.strerror or str(error), fix="check the file") from error
    if len(content) > LARGEST:
        why = f"it has more than {LARGEST // 1024} KB"
        raise family(f"{file} is too large", why=why, fix="remove what is not used")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        why = f"byte {error.start + 1} is not UTF-8"
        raise family(f"{file} is not valid TOML", why=why, fix="save the file as UTF-8 text") from error
