"""What the rows of the lists here share: their data for a model, their background, and the focus ring."""

from __future__ import annotations

from typing import Any, Protocol

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QStyle

from app.ui.kit.style import draw_focus
from app.ui.kit.tokens import Tokens, mix
from app.ui.kit.widgets.labels import plain_tip

ROW_ROLE = Qt.ItemDataRole.UserRole
Index = QModelIndex | QPersistentModelIndex
_HOVER = 0.04


class VersionRow(Protocol):
    """A row with its texts."""

    @property
    def title(self) -> str: ...
    @property
    def accessible_text(self) -> str: ...


def row_data(row: VersionRow, role: int, tip: str) -> Any:
    """The data of a row for a model's role, `tip` as tooltip; None for an unknown role."""
    match role:
        case Qt.ItemDataRole.DisplayRole:
            return row.title
        case Qt.ItemDataRole.AccessibleTextRole:
            return row.accessible_text
        case Qt.ItemDataRole.ToolTipRole:
            return plain_tip(tip)
        case _ if role == ROW_ROLE:
            return row
    return None


def paint_ground(
    painter: QPainter, area: QRect, state: QStyle.StateFlag, tokens: Tokens, surface: str, *, hovers: bool = True
) -> None:
    """Paint the background of a selected or hovered row over the colour `surface`."""
    if state & QStyle.StateFlag.State_Selected:
        painter.fillRect(area, QColor(tokens.you_soft if state & QStyle.StateFlag.State_Active else tokens.hover))
    elif hovers and state & QStyle.StateFlag.State_MouseOver:
        painter.fillRect(area, QColor(mix(tokens.t1, surface, _HOVER)))


def paint_ring(painter: QPainter, area: QRect, state: QStyle.StateFlag, tokens: Tokens) -> None:
    """Paint the focus ring of a row if it has the keyboard."""
    if state & QStyle.StateFlag.State_HasFocus and state & QStyle.StateFlag.State_KeyboardFocusChange:
        draw_focus(painter, QRectF(area), tokens)
