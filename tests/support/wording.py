"""Everything that a person can read in a window, and what of it did not go through a translation.

In the pseudo language every translated text stands in brackets; letters outside of them were not translated, unless
they are the person's own data, one of a few names and units, or a key.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from html import unescape

import msgspec
from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QAbstractTableModel, QModelIndex, Qt
from PySide6.QtGui import QAction, QPainter
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDockWidget,
    QFileDialog,
    QGroupBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QTabBar,
    QWidget,
)

NAMES = (
    "Bandleader", "Anthropic", "OpenAI-compatible", "OpenAI", "Ollama", "llama.cpp", "LM Studio", "OpenRouter", "MIDI",
    "JSON", "SSH", "WinRM", "Inter", "phosphor", "Phosphor",
)
"""Names that are the same in every language."""
UNITS = ("BPM", "dB", "Hz", "kHz", "ms", "LUFS", "CPU", "GB", "MB", "kB", "bit")
KEYS = ("Ctrl", "Shift", "Alt", "Meta", "Space", "Home", "End", "Esc", "Del", "Return", "Enter", "Tab", "PgUp",
        "PgDown",
        "Left", "Right", "Up", "Down", "Backspace", "Ins")
_LETTERS = re.compile(r"[^\W\d_]{2,}")
EXAMPLES = ("NAME", "clock", "booth", "uvx mcp-server-time")
"""What a field might hold, in a field that takes names."""
_PLACE = re.compile(r"\w+://\S+|(?<!\w)~?/[\w./…-]+")
"""An address or a path, which a long one is shown without its middle."""
_CODE = re.compile(r"[A-G](#|b|♯|♭)?(m|maj|min|dim|aug|sus|add)?\d*(/\w+)?|F\d{1,2}")
_OPEN, _CLOSE = "⟦", "⟧"
_MOST_ROWS = 60
_LONG = 40
_BEGUN = 12
_ROLES = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole)
_PREFIX = "app.ui."


@dataclass(frozen=True)
class Found:
    """A text that can be read, the module of the view that shows it, and what it is there."""

    text: str
    room: str
    what: str


def texts_of(value: object) -> set[str]:
    """All texts in plain data, of at least two letters."""
    built = msgspec.to_builtins(value, enc_hook=str)
    found: set[str] = set()
    left = [built]
    while left:
        one = left.pop()
        if isinstance(one, str):
            found.add(one)
        elif isinstance(one, dict):
            left += [*one.keys(), *one.values()]
        elif isinstance(one, list | tuple | set | frozenset):
            left += one
    return {one for one in found if _LETTERS.search(one)}


def untranslated(text: str, data: Collection[str]) -> str:
    """The first letters in a text that nobody translated; empty for none."""
    said = _outside(text)
    bare = " ".join(said.split()).removesuffix("…")
    if not _LETTERS.search(said) or bare in EXAMPLES or _is_data(bare, data):
        return ""
    said = _before_cut_data(bare, data)
    for one in (*sorted(data, key=len, reverse=True), *NAMES, *UNITS, *KEYS):
        if one in said:
            said = re.sub(rf"(?<![^\W\d_]){re.escape(one)}(?![^\W\d_])", " ", said)
    said = _PLACE.sub(" ", said)
    left = [word for word in re.findall(r"[^\s,;:·()→–-]+", said) if not _CODE.fullmatch(word)]
    rest = _LETTERS.search(" ".join(left))
    return rest[0] if rest else ""


def _is_data(bare: str, data: Collection[str]) -> bool:
    """Whether a text is the person's own, cut at its end; a long one may be a part of it."""
    for one in data:
        line = " ".join(one.split())
        if line.startswith(bare) or (len(bare) >= _LONG and bare in line):
            return True
    return False


def _before_cut_data(bare: str, data: Collection[str]) -> str:
    """A text without the person's own words at its end, which were cut there."""
    kept = bare
    for one in data:
        line = " ".join(one.split())
        at = bare.find(line[:_BEGUN]) if len(line) >= _BEGUN else -1
        if 0 <= at < len(kept) and line.startswith(bare[at:]):
            kept = bare[:at]
    return kept


def _outside(text: str) -> str:
    """What stands in no brackets; a text that was cut has only one of a pair."""
    first = next((letter for letter in text if letter in _OPEN + _CLOSE), "")
    depth, kept = int(first == _CLOSE), []
    for letter in text:
        if letter == _OPEN:
            depth += 1
        elif letter == _CLOSE:
            depth = max(0, depth - 1)
        elif not depth:
            kept.append(letter)
    return "".join(kept)


def shown_in(top: QWidget) -> Iterator[Found]:
    """Every text of a window or dialog, also of parts that are hidden now."""
    for widget in (top, *top.findChildren(QWidget)):
        if isinstance(widget, QFileDialog) or _within_file_dialog(widget) or _inside_of_qt(widget):
            continue
        room = _room(widget)
        for what, text in _texts(widget):
            if text:
                yield Found(text, room, f"{what} of {type(widget).__name__}")
    for action in top.findChildren(QAction):
        owner = action.parent()
        if isinstance(owner, QWidget) and (isinstance(owner, QFileDialog) or _within_file_dialog(owner)):
            continue
        room = _room(owner) if isinstance(owner, QWidget) else ""
        if room:
            for what, text in (("action", action.text()), ("tooltip of an action", action.toolTip())):
                yield Found(text, room, what)


def _texts(widget: QWidget) -> Iterator[tuple[str, str]]:
    yield "accessible name", widget.accessibleName()
    yield "description", widget.accessibleDescription()
    yield "tooltip", _plain(widget.toolTip())
    if widget.isWindow() or isinstance(widget, QDockWidget):
        yield "title", widget.windowTitle()
    match widget:
        case QMenu() | QGroupBox():
            yield "title", widget.title()
        case QLabel() | QAbstractButton():
            yield "text", _plain(widget.text())
        case QLineEdit() | QPlainTextEdit():
            yield "placeholder", widget.placeholderText()
        case QTabBar():
            for at in range(widget.count()):
                yield "tab", widget.tabText(at)
                yield "tooltip of a tab", widget.tabToolTip(at)
        case QComboBox():
            for at in range(widget.count()):
                yield "choice", widget.itemText(at)
        case QAbstractSpinBox():
            yield "special value", widget.specialValueText()
            for name in ("prefix", "suffix"):
                yield name, str(widget.property(name) or "")
        case QHeaderView():
            pass
        case QAbstractItemView():
            model = widget.model()
            if model is not None:
                yield from _cells(model, QModelIndex())
        case _:
            pass


def _cells(model: QAbstractItemModel, parent: QModelIndex) -> Iterator[tuple[str, str]]:
    # Lists keep their own columns and children private.
    columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount(parent)
    flat = isinstance(model, QAbstractListModel | QAbstractTableModel)
    for column in range(columns):
        yield "heading", _word(model.headerData(column, Qt.Orientation.Horizontal))
    for row in range(min(model.rowCount(parent), _MOST_ROWS)):
        for column in range(columns):
            index = model.index(row, column, parent)
            for role in _ROLES:
                yield f"cell ({role.name})", _plain(_word(model.data(index, role)))
        first = model.index(row, 0, parent)
        if not flat and model.hasChildren(first):
            yield from _cells(model, first)


def _plain(text: str) -> str:
    """A text without its marks, if it has any."""
    if "<" not in text:
        return text
    text = re.sub(r"<style>.*?</style>", " ", text, flags=re.DOTALL)
    # a line under words parts none of them
    return unescape(re.sub(r"<[^>]+>", " ", re.sub(r"</?span[^>]*>", "", text)))


def _word(value: object) -> str:
    return value if isinstance(value, str) else ""


def _inside_of_qt(widget: QWidget) -> bool:
    """Buttons that Qt keeps for itself, with words of its own catalogue."""
    alone = type(widget).__module__.startswith("PySide6") and isinstance(widget, QAbstractButton)
    return alone and isinstance(widget.parentWidget(), QTabBar | QDockWidget)


def _within_file_dialog(widget: QWidget) -> bool:
    parent = widget.parentWidget()
    while parent is not None:
        if isinstance(parent, QFileDialog):
            return True
        parent = parent.parentWidget()
    return False


def _room(widget: QWidget) -> str:
    """The module of ours that shows a widget: its own, or that of the nearest part around it."""
    one: QWidget | None = widget
    kit = ""
    while one is not None:
        module = type(one).__module__
        if module.startswith("app.ui.kit"):
            kit = module
        elif module.startswith((_PREFIX, "app.window")):
            return module
        one = one.parentWidget()
    return kit


@contextmanager
def painted() -> Iterator[list[Found]]:
    """Within, every text that our own code paints is noted."""
    noted: list[Found] = []
    seen: set[tuple[str, str]] = set()
    before = QPainter.drawText

    def note(self: QPainter, *arguments: object) -> object:
        frame = sys._getframe(1)
        module = frame.f_globals.get("__name__", "")
        while module.startswith("app.ui.kit") and frame.f_back is not None:
            frame = frame.f_back
            module = frame.f_globals.get("__name__", "")
        for one in arguments:
            if isinstance(one, str) and (one, module) not in seen:
                seen.add((one, module))
                noted.append(Found(one, module, "painted"))
        return before(self, *arguments)

    QPainter.drawText = note  # type: ignore[method-assign,assignment]
    try:
        yield noted
    finally:
        QPainter.drawText = before  # type: ignore[method-assign]


def windows() -> list[QWidget]:
    """What stands on the screen now, popups too."""
    return [one for one in QApplication.topLevelWidgets() if one.isVisible()]
