"""Blocks that mark what comes from songs, files and talks as data, with ends that no content can forge."""

from __future__ import annotations

import json
import unicodedata

_HIDDEN = ("Cc", "Cf", "Cs", "Co")
"""Categories of characters that a person cannot see and that can smuggle words."""


def data_block(name: str, content: str) -> str:
    """The content between `<data name="…">` and `</data>`; it cannot close the block or open another."""
    return f'<data name="{name}">\n{inert(content)}\n</data>'


def inert(text: str) -> str:
    """The text without hidden characters and without any tag: `<` is written `&lt;`."""
    return visible(text).replace("<", "&lt;")


def visible(text: str) -> str:
    """The text without characters that no one sees, but for line ends and tabs."""
    return "".join([char for char in text if char in "\n\t" or unicodedata.category(char) not in _HIDDEN])


def quoted(name: str) -> str:
    """A name as a JSON text on one line, so that it cannot look like another line of its block."""
    return json.dumps(visible(" ".join(name.split())), ensure_ascii=False)
