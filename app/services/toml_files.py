"""TOML files that a musician may edit."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from agent.errors import BandleaderError
from app.atomic_write import read_whole
from app.services.kept_tables import KeptTables

LARGEST = 256 * 1024
"""Largest file in bytes; those that ship have less than 16,000."""


_LONGEST_WHY = 300
_MOST_NESTED = 64
"""Largest depth of nested tables and lists."""
_MOST_PARTS = 32
"""Most parts of a dotted key: the parser's work grows with their square."""
_PART = r"""(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')"""
_LONG_KEY = re.compile(rf"(?<![\w-])(?>(?:{_PART}[ \t]*+\.[ \t]*+){{{_MOST_PARTS}}})")


def read_toml(file: Path, family: type[BandleaderError], kept: KeptTables | None = None) -> dict[str, Any]:
    """The tables of a file. Raises an error of class `family` that names the file, for unreadable, invalid, too large
    or too deeply nested files, and nothing else; takes at most a second. A text that is in `kept` is not parsed
    again."""
    text = _text(file, family)
    return _parsed(text, file, family) if kept is None else kept.of(text, lambda text: _parsed(text, file, family))


def _parsed(text: str, file: Path, family: type[BandleaderError]) -> dict[str, Any]:
    if long_key := _LONG_KEY.search(text):
        line = text.count("\n", 0, long_key.start()) + 1
        why = f"the key of line {line} has more than {_MOST_PARTS} parts"
        raise family(f"{file} is not valid TOML", why=why, fix="write a shorter key")
    try:
        tables = tomllib.loads(text)
    except ValueError as error:
        raise family(f"{file} is not valid TOML", why=clipped(str(error)), fix="mend the line that is named") from error
    except RecursionError as error:
        raise _too_deep(file, family) from error
    if _nested(tables) > _MOST_NESTED:
        raise _too_deep(file, family)
    return tables


def clipped(why: str) -> str:
    """A cause that quotes a file, cut to 300 characters."""
    return why if len(why) <= _LONGEST_WHY else f"{why[: _LONGEST_WHY - 1]}…"


def _too_deep(file: Path, family: type[BandleaderError]) -> BandleaderError:
    return family(f"{file} is not valid TOML", why="its lists or tables lie too deep in each other",
                  fix="compare it with those that ship")


def _nested(tables: dict[str, Any]) -> int:
    """How many tables and lists lie within each other; counted no further than what is allowed."""
    depth, level = 0, [*_inside(tables)]
    while level and depth <= _MOST_NESTED:
        depth += 1
        level = [inner for one in level for inner in _inside(one)]
    return depth


def _inside(value: dict[str, Any] | list[Any]) -> Iterator[dict[str, Any] | list[Any]]:
    return (inner for inner in (value.values() if isinstance(value, dict) else value) if isinstance(inner, dict | list))


def _text(file: Path, family: type[BandleaderError]) -> str:
    try:
        content = read_whole(file, LARGEST)
    except OSError as error:
        raise family(f"cannot read {file}", why=error.strerror or str(error), fix="check the file") from error
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        why = f"byte {error.start + 1} is not UTF-8"
        raise family(f"{file} is not valid TOML", why=why, fix="save the file as UTF-8 text") from error
