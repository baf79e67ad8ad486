"""What plans call the tools of a server: its name before theirs, in letters that every model takes."""

from __future__ import annotations

import hashlib
import re

_UNSAFE = re.compile(r"[^A-Za-z0-9_-]")
_LONGEST = 64
_DIGEST = 8


def offered_name(server: str, tool: str) -> str:
    """The name of a tool in plans: `SERVER__TOOL`; if characters or length are not allowed, a digest of the tool's own
    name keeps it unique."""
    name = f"{server}__{tool}"
    safe = _UNSAFE.sub("_", name)
    if safe == name and len(name) <= _LONGEST:
        return name
    digest = hashlib.sha256(tool.encode()).hexdigest()[:_DIGEST]
    return f"{safe[: _LONGEST - _DIGEST - 1]}_{digest}"
