"""The words of a request, for choosing what a model needs to be told."""

from __future__ import annotations

import re

_WORD = re.compile(r"[a-z]++(?:_[a-z]++)*+")


def words_of(text: str) -> frozenset[str]:
    """The lower-case words of a text, plurals also without their s."""
    found = _WORD.findall(text.lower())
    return frozenset((*found, *(word[:-1] for word in found if len(word) > 3 and word.endswith("s"))))
