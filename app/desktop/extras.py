"""Libraries that an installation may be without, looked for without importing them."""

from __future__ import annotations

from importlib.util import find_spec

from app.desktop.fix_words import Told

_EXTRAS = {"mcp": (("mcp",), "servers of tools"), "machines": (("asyncssh", "pypsrp"), "studio machines")}


def missing_extra(extra: str) -> Told | None:
    """What is missing for `mcp` or `machines`, with the fix; None if nothing is. Waits for the disk."""
    libraries, what = _EXTRAS[extra]
    gone = [name for name in libraries if not _there(name)]
    if not gone:
        return None
    are = "library {} is" if len(gone) == 1 else "libraries {} are"
    return Told(
        f"{what} cannot be used here", why=f"the {are.format(' and '.join(gone))} not installed",
        fix=f"install them: pip install 'bandleader[{extra}]', then start Bandleader again",
    )


def _there(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except (ImportError, ValueError):
        return False
