"""Looks for words that must stand in no file, as a key that was given."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import zstandard


def holders(folder: Path, canary: str) -> list[Path]:
    """The files below a folder that hold the words, also packed in a database."""
    return [file for file in folder.rglob("*") if file.is_file() and canary.encode() in _content(file)]


def _content(file: Path) -> bytes:
    content = file.read_bytes()
    if not content.startswith(b"SQLite format 3"):
        return content
    with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as database:
        packed = database.execute("SELECT bytes FROM object").fetchall()
    return content + b"".join(zstandard.ZstdDecompressor().decompress(one, max_output_size=2**26) for (one,) in packed)
