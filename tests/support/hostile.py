"""Names that others may give to what is shown, and what a window may never make of them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

from PySide6.QtCore import QAbstractItemModel, QEvent, QModelIndex, QPoint, QPointF
from PySide6.QtGui import QAction, QHelpEvent, QMouseEvent, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractScrollArea,
    QApplication,
    QLabel,
    QMenu,
    QTextEdit,
    QToolTip,
    QWidget,
)

TAG = "<img src=file:///etc/passwd>"
NAMES = (
    TAG,
    f"{'x' * 10_000}{TAG}",
    "\u202eשלום עולם\u202c مرحبا " + TAG,
    f"one\ntwo\r\n\tthree\u2028four\x00{TAG}",
    "&amp; &File <b>bold</b> {count} %s %1",
    "",
)
_PATIENCE = 2.0


class Heart:
    """Beats on the event loop; `longest` is the most that the loop's thread has worked between two beats, in seconds.

    Work, not time: what else the machine does is not the window's fault.
    """

    def __init__(self) -> None:
        self.longest = 0.0

    async def beat(self) -> None:
        """Until it is cancelled."""
        before = time.thread_time()
        while True:
            await asyncio.sleep(0.01)
            now = time.thread_time()
            self.longest = max(self.longest, now - before)
            before = now


@asynccontextmanager
async def no_hang() -> AsyncIterator[Heart]:
    """Fails where the window did not answer for longer than two seconds of its own work."""
    heart = Heart()
    task = asyncio.ensure_future(heart.beat())
    try:
        yield heart
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    assert heart.longest < _PATIENCE, f"the window did not answer for {heart.longest:.1f} s"


def rendered(window: QWidget) -> list[str]:
    """Where a window has taken, or would take, somebody's name for markup."""
    found: list[str] = []
    for top in {window, *QApplication.topLevelWidgets()}:
        for widget in (top, *top.findChildren(QWidget)):
            found += [f"{_called(widget)}: {fault}" for fault in _faults(widget)]
        found += [f"action {one.text()[:40]!r}: tooltip" for one in top.findChildren(QAction) if marked(one.toolTip())]
    return found


def tips(area: QWidget, step: int = 24) -> list[str]:
    """The tooltips that a painted area shows under the pointer, on a grid of places."""
    viewport = area.viewport() if isinstance(area, QAbstractScrollArea) else area
    found: list[str] = []
    for y in range(2, viewport.height(), step):
        for x in range(2, viewport.width(), step * 4):
            at = QPoint(x, y)
            place, none = viewport.mapToGlobal(at), Qt.MouseButton.NoButton
            QApplication.sendEvent(viewport, QMouseEvent(
                QEvent.Type.MouseMove, QPointF(at), QPointF(place), none, none, Qt.KeyboardModifier.NoModifier
            ))
            QApplication.sendEvent(viewport, QHelpEvent(QEvent.Type.ToolTip, at, place))
            found += [one for one in (QToolTip.text(), area.toolTip(), viewport.toolTip()) if one and one not in found]
    QToolTip.hideText()
    return found


def _faults(widget: QWidget) -> Iterator[str]:
    if marked(widget.toolTip()):
        yield f"tooltip {widget.toolTip()[:60]!r}"
    if isinstance(widget, QLabel):
        kind = widget.textFormat()
        if kind != Qt.TextFormat.PlainText and marked(widget.text()):
            yield f"label {widget.text()[:60]!r}"
        if kind == Qt.TextFormat.RichText and "<img" in widget.text().lower():
            yield f"picture {widget.text()[:60]!r}"
    if isinstance(widget, QTextEdit) and "<img" in widget.toHtml().lower():
        yield "picture in a text"
    if isinstance(widget, QMenu):
        for action in widget.actions():
            if marked(action.toolTip()):
                yield f"menu {action.text()[:40]!r}"
    if isinstance(widget, QAbstractItemView) and widget.model() is not None:
        yield from _of_model(widget.model())


def _of_model(model: QAbstractItemModel, parent: QModelIndex | None = None, deep: int = 0) -> Iterator[str]:
    parent = parent or QModelIndex()
    for row in range(min(60, model.rowCount(parent))):
        # Qt hides how many columns a list has; one that is not there gives no index.
        for column in range(12):
            index = model.index(row, column, parent)
            if not index.isValid():
                break
            tip = index.data(Qt.ItemDataRole.ToolTipRole)
            if isinstance(tip, str) and marked(tip):
                yield f"tooltip of a row {tip[:60]!r}"
        first = model.index(row, 0, parent)
        if deep < 2 and first.isValid():
            yield from _of_model(model, first, deep + 1)


def marked(text: str) -> bool:
    """Whether Qt would make a picture or bold letters of it."""
    return Qt.mightBeRichText(text) and ("<img" in text.lower() or "<b>bold" in text.lower())


def _called(widget: QWidget) -> str:
    return f"{type(widget).__name__} {widget.objectName() or widget.accessibleName()[:30]!r}"
