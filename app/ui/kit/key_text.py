"""Keys as a person reads them, as they are stored, and as Qt hears them: Return and Enter are one key."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from functools import lru_cache

from PySide6.QtGui import QKeySequence

_RETURN, _ENTER = "Return", "Enter"
_EITHER = re.compile(r"\b(?:Return|Enter)(?=,|$)")
_ON_MAC = sys.platform == "darwin"


def key_text(key: str) -> str:
    """A key as this system writes it ("Ctrl+Enter" for Return and Enter); a text that is no key is returned
    unchanged."""
    shown = _with(key, _RETURN if _ON_MAC else _ENTER)
    return shown.toString(QKeySequence.SequenceFormat.NativeText) or key


@lru_cache(maxsize=1024)
def stored_key(key: str) -> str:
    """A key in portable text, as it is stored; empty for a text that is no key."""
    return _with(key, _ENTER).toString()


def sequences(keys: Iterable[str]) -> list[QKeySequence]:
    """The shortcuts to register for these keys: each with Return and with Enter, first the one that `key_text`
    writes."""
    both = (_RETURN, _ENTER) if _ON_MAC else (_ENTER, _RETURN)
    return list(dict.fromkeys(_with(key, one) for key in keys for one in both))


def _with(key: str, wanted: str) -> QKeySequence:
    """A key with this one wherever there is Return or Enter."""
    return QKeySequence(_EITHER.sub(wanted, QKeySequence(key).toString()))
