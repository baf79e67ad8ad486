"""Names that are made from what a person said."""

from __future__ import annotations

_LONGEST = 40
_SMALL = frozenset(("a", "an", "and", "at", "but", "for", "in", "of", "on", "or", "the", "to", "with"))
"""Words with which no name ends."""


def project_name(request: str) -> str:
    """The first words of a request, as the name of a project."""
    words = " ".join(request.split())
    if len(words) <= _LONGEST:
        return words
    head = words[: _LONGEST + 1].rsplit(" ", 1)[0].rstrip(",.;:")
    phrase, _, rest = head.rpartition(",")
    if phrase and len(rest.split()) < 2:
        return phrase
    while head.rpartition(" ")[2].casefold() in _SMALL:
        head = head.rpartition(" ")[0]
    return head
