"""Whether a value that a server is to be given is a secret: in doubt it is."""

from __future__ import annotations

import re

from agent.plan.secret_texts import holds_secret

_NAMES = re.compile(r"KEY|TOKEN|SECRET|PASS|PWD|AUTH|CREDENTIAL|COOKIE|SESSION|SIGNATURE|PRIVATE|DSN", re.IGNORECASE)
_LONG = re.compile(r"[A-Za-z0-9+/=_-]{20,}")
_PATH = re.compile(r"(~|\.{0,2})?/[^:@]*|[A-Za-z]:\\.*")


def looks_secret(name: str, value: str) -> bool:
    """Whether a variable holds a secret, by its name, or by its value: like a known key, or a long word with digits and
    letters."""
    if not value:
        return False
    if _NAMES.search(name) or holds_secret(value):
        return True
    if _PATH.fullmatch(value):
        return False
    words: list[str] = _LONG.findall(value)
    return any(re.search(r"\d", word) and re.search(r"[A-Za-z]", word) for word in words)
