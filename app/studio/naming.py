"""Names that are made from what a person said."""

from __future__ import annotations

_LONGEST = 60
_LEAST = 20
"""Characters below which a first phrase says too little of a long request."""
_ENDS = ",.;:!?"
_SMALL = frozenset(("a", "an", "and", "at", "but", "by", "for", "from", "in", "into", "like", "of", "on", "or", "that",
                    "the", "then", "to", "which", "with", "without"))
"""Words that begin a phrase, and that no name may end with."""


def project_name(request: str) -> str:
    """A project name from a request: the request, or the first phrases of a long one."""
    words = " ".join(request.split())
    if len(words) <= _LONGEST:
        return words
    head = words[: _LONGEST + 1].rsplit(" ", 1)[0]
    after = words[len(head):].split(" ", 2)[1:2]
    if head[-1] in _ENDS or (after and after[0].casefold() in _SMALL):
        return _trimmed(head)
    # The last phrase goes on behind the end: the name ends before it.
    ended = max(head.rfind(sign) for sign in _ENDS)
    parts = head.split(" ")
    begins = [len(" ".join(parts[:at])) for at in range(1, len(parts)) if parts[at].casefold() in _SMALL]
    end = max((at for at in (ended, *begins) if at >= _LEAST), default=len(head))
    return _trimmed(head[:end])


def in_brief(words: str, most: int) -> str:
    """The text on one line of at most `most` characters, cut after a word with “…”."""
    line = " ".join(words.split())
    if len(line) <= most:
        return line
    head, between, _ = line[:most].rpartition(" ")
    kept = head if between and len(head) > most // 2 else line[:most - 1]
    return f"{kept.rstrip(_ENDS)}…"


def _trimmed(words: str) -> str:
    """Without signs and small words at the end."""
    while True:
        shorter = words.rstrip(_ENDS + " ")
        if shorter.rpartition(" ")[2].casefold() in _SMALL and " " in shorter:
            shorter = shorter.rpartition(" ")[0]
        if shorter == words or not shorter:
            return shorter or words
        words = shorter
