"""Blocks that mark what comes from songs, files and talks as data, with ends that no content can forge."""

from __future__ import annotations

import json
import unicodedata

_HIDDEN = ("Cc", "Cf", "Cs", "Co")
"""Categories of characters that a person cannot see and that can smuggle words."""


def data_block(name: str, content: str) -> str:
    """The content between `<data name="…">` and `</data>`; it can neither close the block nor open another."""
    return f'<data name="{name}">\n{inert(content)}\n</data>'


def inert(text: str) -> str:
    """The text without invisible characters and without tags: `<` becomes `&lt;`."""
    return visible(text).replace("<", "&lt;")


def visible(text: str) -> str:
    """The text without invisible characters, except line ends and tabs."""
    return "".join([char for char in text if char in "\n\t" or unicodedata.category(char) not in _HIDDEN])


def quoted(name: str) -> str:
    """A name as a JSON string on one line, so that it cannot be mistaken for another line of its block."""
    return json.dumps(visible(" ".join(name.split())), ensure_ascii=False)
