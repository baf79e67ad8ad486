"""How wide and how high docks are wished to be: as the person left them, else as the window's size suggests."""

from __future__ import annotations

import re

from app.ui.shell.dock_names import CHAT, HISTORY, PLAN

_ROOM = re.compile(r"(narrow-)?(chat|history|plan):([1-9][0-9]{1,4})/([1-9][0-9]{1,4})")
_NARROW = "narrow-"
_WIDE = 1900
_LOW = 800
_PLAN_SHARE = 0.503
"""Height of the plan's dock as a share of the window's height."""
_PLAN_LOW = 260


class DockSizes:
    """Widths of the docks at the sides and the height of the plan's dock, in pixels at 100 % zoom.

    A size that the person chose is kept also while the window has no room for it, and separately for narrow and wide
    windows. In a window smaller than the one it was chosen in it shrinks in proportion; in a larger one it stays."""

    def __init__(self) -> None:
        self._chosen: dict[str, tuple[int, int]] = {}

    def choose(self, name: str, size: int, width: int, height: int, *, narrow: bool) -> None:
        """Note that the person gave dock `name` this size (width; for the plan height) in a window of this width and
        height, which is arranged as a `narrow` one or not."""
        self._chosen[_key(name, narrow)] = size, _extent(name, width, height)

    def wanted(self, name: str, width: int, height: int, *, narrow: bool) -> int:
        """The size of dock `name` (width; for the plan height) in a window of this width and height, arranged as a
        `narrow` one or not: the chosen size, else the default."""
        chosen = self._chosen.get(_key(name, narrow))
        if chosen is not None:
            size, extent = chosen
            return round(size * min(1.0, _extent(name, width, height) / extent))
        wide = width >= _WIDE
        if name == CHAT:
            return 280 if narrow else 360 if wide else 336
        if name == HISTORY:
            return 320 if wide else 292
        return _PLAN_LOW if height < _LOW else round(height * _PLAN_SHARE)

    def to_text(self) -> str:
        """The chosen sizes as text that `restore` reads; empty for none."""
        return " ".join(f"{key}:{size}/{extent}" for key, (size, extent) in sorted(self._chosen.items()))

    def restore(self, text: str) -> None:
        """Replace the chosen sizes by those of a text from `to_text`; words that it does not know are skipped."""
        found = (_ROOM.fullmatch(word) for word in text.split())
        self._chosen = {f"{one[1] or ''}{one[2]}": (int(one[3]), int(one[4])) for one in found if one is not None}


def _key(name: str, narrow: bool) -> str:
    return f"{_NARROW if narrow else ''}{name}"


def _extent(name: str, width: int, height: int) -> int:
    return height if name == PLAN else width
