"""Icons by name: the Phosphor font, our own drawings for what it lacks, and painted marks."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final, cast

from PySide6.QtCore import QByteArray, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QIcon, QIconEngine, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QApplication

from app.paths import find_paths
from app.ui.kit.theme import Theme
from app.ui.kit.tokens import DARK, Tokens

INSTRUMENT_ICONS: Final = {
    "drums": "dots-nine", "percussion": "circles-four", "bass": "guitar", "guitar": "guitar",
    "keys": "piano-keys", "piano": "piano-keys", "organ": "piano-keys", "strings": "music-notes",
    "brass": "megaphone", "woodwind": "wind", "choir": "users-three", "pad": "wave-sine",
    "lead": "wave-square", "pluck": "wave-triangle", "arp": "wave-square", "fx": "sparkle",
}
"""Icon of each family of instruments."""
SONG_ICON: Final = "music-notes"

_FONT = "phosphor-1.3.0.ttf"
_CHARACTERS = "phosphor-charmap-1.3.0.json"
_BOX = 256.0
_IDLE = "t2"
_DISABLED = 0.45
_Paint = Callable[[QPainter, QColor], None]


def icon(name: str, token: str = "t2", size: int = 16) -> QIcon:  # noqa: S107 - a token is a colour
    """An icon in a token's colour that follows the theme whenever it is painted. Idle `t2` becomes `t1` under the
    pointer.

    `size` is its actual size in logical pixels. Raises `KeyError` for a name that neither font nor drawings have."""
    _drawing(name)
    return QIcon(_Engine(name, token, size))


@lru_cache(maxsize=2048)
def _kept(name: str, color: int, size: int, ratio: float) -> QPixmap:
    pixels = max(1, round(size * ratio))
    made = QPixmap(pixels, pixels)
    made.fill(Qt.GlobalColor.transparent)
    painter = QPainter(made)
    paint_icon(painter, QRectF(0, 0, pixels, pixels), name, QColor.fromRgba(color))
    painter.end()
    made.setDevicePixelRatio(ratio)
    return made


def pixmap(name: str, color: str | QColor, size: int, ratio: float = 1.0) -> QPixmap:
    """The icon as a square of `size` logical pixels at a device pixel ratio; results are cached. Raises `KeyError` for
    an unknown name."""
    return _kept(name, QColor(color).rgba(), size, ratio)


def paint_icon(painter: QPainter, rect: QRectF, name: str, color: QColor) -> None:
    """Paint an icon into a square. Raises `KeyError` for an unknown name."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(rect.topLeft())
    painter.scale(rect.width() / _BOX, rect.height() / _BOX)
    _drawing(name)(painter, color)
    painter.restore()


def paint_running_ring(painter: QPainter, rect: QRectF, color: QColor, turn: float) -> None:
    """Paint a busy indicator: three quarters of a ring, 2 px wide, rotated by `turn` (0 to 1 of a full turn); not
    rotated if animations are off."""
    theme = _theme()
    turn = 0.0 if theme is not None and theme.still else turn
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(color, 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    painter.drawArc(rect.adjusted(2, 2, -2, -2), round((90 - turn * 360) * 16), -270 * 16)
    painter.restore()


def tokens_now() -> Tokens:
    """The colours of the application's theme; the dark ones before there is a theme."""
    theme = _theme()
    return DARK if theme is None else theme.tokens


def _theme() -> Theme | None:
    app = QApplication.instance()
    return None if app is None else app.findChild(Theme)


class _Engine(QIconEngine):
    """Paints with the tokens of the moment, so icons need no renewal when the theme changes."""

    def __init__(self, name: str, token: str, size: int) -> None:
        super().__init__()
        self._name, self._token, self._size = name, token, size

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        side = min(rect.width(), rect.height())
        square = QRectF(rect.x() + (rect.width() - side) / 2, rect.y() + (rect.height() - side) / 2, side, side)
        painter.save()
        if mode == QIcon.Mode.Disabled:
            painter.setOpacity(_DISABLED)
        paint_icon(painter, square, self._name, self._color(mode, state))
        painter.restore()

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        made = QPixmap(size)
        made.fill(Qt.GlobalColor.transparent)
        painter = QPainter(made)
        self.paint(painter, QRect(0, 0, size.width(), size.height()), mode, state)
        painter.end()
        return made

    def actualSize(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QSize:  # noqa: N802, ARG002
        return size.boundedTo(QSize(self._size, self._size))

    def clone(self) -> QIconEngine:
        return _Engine(self._name, self._token, self._size)

    def _color(self, mode: QIcon.Mode, state: QIcon.State) -> QColor:
        tokens = tokens_now()
        if mode == QIcon.Mode.Disabled:
            # Whatever it stands on is no longer filled then.
            return QColor(tokens.t1)
        if self._token == _IDLE and state == QIcon.State.On:
            return QColor(tokens.you)
        if self._token == _IDLE and mode == QIcon.Mode.Active:
            return QColor(tokens.t1)
        return QColor(cast("str", getattr(tokens, self._token)))


def _drawing(name: str) -> _Paint:
    painted = _PAINTED.get(name)
    if painted is not None:
        return painted
    letter = _letters().get(name)
    if letter is not None:
        return lambda painter, color: _paint_letter(painter, color, letter)
    drawn = _svg(name)
    return lambda painter, color: _paint_svg(painter, color, drawn)


@lru_cache(maxsize=1)
def _letters() -> dict[str, str]:
    """Names and characters of the font that qtawesome carries; read when the first icon is drawn."""
    folder = _font_folder()
    codes: dict[str, str] = json.loads((folder / _CHARACTERS).read_bytes())
    QFontDatabase.addApplicationFontFromData(QByteArray((folder / _FONT).read_bytes()))
    return {name: chr(int(code, 16)) for name, code in codes.items()}


def _font_folder() -> Path:
    # Importing qtawesome would check and load its other thirteen fonts, 200 ms before the first window.
    spec = find_spec("qtawesome")
    if spec is None or spec.origin is None:
        raise FileNotFoundError("qtawesome")
    return Path(spec.origin).parent / "fonts"


def _paint_letter(painter: QPainter, color: QColor, letter: str) -> None:
    font = QFont("Phosphor")
    font.setPixelSize(round(_BOX))
    painter.setFont(font)
    painter.setPen(color)
    painter.drawText(QRectF(0, 0, _BOX, _BOX), Qt.AlignmentFlag.AlignCenter, letter)


@lru_cache(maxsize=64)
def _svg(name: str) -> bytes:
    for one in (name, name.removesuffix("-fill"), name.removesuffix("-bold")):
        file = find_paths().resources / "icons" / f"{one}.svg"
        if file.is_file():
            return file.read_bytes()
    raise KeyError(f"no icon {name}")


def _paint_svg(painter: QPainter, color: QColor, drawn: bytes) -> None:
    from PySide6.QtSvg import QSvgRenderer

    renderer = QSvgRenderer(QByteArray(drawn.replace(b"currentColor", color.name().encode())))
    renderer.render(painter, QRectF(0, 0, _BOX, _BOX))


def _baton(painter: QPainter, color: QColor) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(color, 20, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    painter.drawLine(QPointF(84, 172), QPointF(226, 30))
    painter.setPen(QPen(color, 22))
    painter.drawEllipse(QPointF(62, 194), 40, 40)


def _ring(painter: QPainter, color: QColor) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(color, 32, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    painter.drawArc(QRectF(32, 32, 192, 192), 90 * 16, -270 * 16)


_PAINTED: Final[dict[str, _Paint]] = {"baton": _baton, "ring": _ring}
