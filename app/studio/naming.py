"""Names that are made from what a person said."""

from __future__ import annotations

_LONGEST = 40


def project_name(request: str) -> str:
    """The first words of a request, as the name of a project."""
    words = " ".join(request.split())
    if len(words) <= _LONGEST:
        return words
    return words[: _LONGEST + 1].rsplit(" ", 1)[0].rstrip(",.;:")
