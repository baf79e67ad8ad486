"""What is painted over each other on a canvas, and painting much at once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Generic, TypeVar

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter

L = TypeVar("L")


class Layer(ABC, Generic[L]):
    """Paints one kind of thing in a part of a surface, with colours and fonts of a theme (`L`)."""

    @property
    def unfinished(self) -> bool:
        """Whether the last painting ran out of time, so that another frame is needed."""
        return False

    @abstractmethod
    def paint(self, painter: QPainter, window: QRect, look: L) -> None:
        """Paint what overlaps the rectangle `window` of the surface."""


def paint_layers(painter: QPainter, window: QRect, layers: Sequence[Layer[L]], look: L) -> bool:
    """Paint the layers over each other, the first lowest; returns whether all of them were finished."""
    for layer in layers:
        layer.paint(painter, window, look)
    return not any(layer.unfinished for layer in layers)


def fill_all(painter: QPainter, places: list[QRect] | list[QRectF], color: QColor) -> None:
    """Fill many rectangles with one colour in one call."""
    if places:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        painter.drawRects(places)
