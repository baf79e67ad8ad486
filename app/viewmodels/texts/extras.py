"""Libraries that an installation may be without, looked for without importing them."""

from __future__ import annotations

from importlib.util import find_spec

from app.i18n import lazy, tr, trn
from app.viewmodels.texts.fixes import Told

_EXTRAS = {
    "mcp": (("mcp",), lazy("servers of tools cannot be used here")),
    "machines": (("asyncssh", "pypsrp"), lazy("studio machines cannot be used here")),
}


def missing_extra(extra: str) -> Told | None:
    """The missing libraries for `mcp` or `machines`, with advice; None if nothing is missing. Reads the disk."""
    libraries, what = _EXTRAS[extra]
    gone = [name for name in libraries if not _there(name)]
    if not gone:
        return None
    return Told(
        tr(what),
        why=trn("the library {names} is not installed", "the libraries {names} are not installed", len(gone),
                names=", ".join(gone)),
        fix=tr("install them: {command}, then start Bandleader again", command=f"pip install 'bandleader[{extra}]'"),
    )


def _there(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except (ImportError, ValueError):
        return False
