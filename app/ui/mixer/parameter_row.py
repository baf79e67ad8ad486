"""One parameter of an effect: its name, a slider, and its value, which can be typed."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QSlider, QWidget

from agent.song.palette import Parameter
from app.i18n import tr
from app.ui.kit.icons import pixmap, tokens_now
from app.ui.kit.widgets.labels import ElidedLabel, plain_tip
from app.viewmodels.edits.effect_values import (
    held_value,
    is_outside,
    parameter_label,
    place_of,
    read_value,
    value_at,
    value_in_words,
)
from app.viewmodels.edits.mixing import FINE
from app.viewmodels.texts.palette_words import said

STEPS = 1000
_Key = Qt.Key
_BY_KEY = {_Key.Key_Left: -1, _Key.Key_Down: -1, _Key.Key_Right: 1, _Key.Key_Up: 1}
_BY_PAGE = {_Key.Key_PageDown: -1, _Key.Key_PageUp: 1}
_STEP, _PAGE = 10, 100


class TurnSlider(QSlider):
    """A slider for a parameter; a drag is relative to its current position. Shift moves finely; a double click or
    Backspace asks for the default, Esc cancels a drag.

    Signals: `turned` carries a position (0 to 1), `released` marks the end of a drag, `keyed` a value set by a key."""

    turned = Signal(float)
    released = Signal()
    keyed = Signal()
    default_wanted = Signal()
    given_up = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setRange(0, STEPS)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(60, 20)
        self._from: tuple[float, float] | None = None
        self._place = 0.0
        self._moved = False

    def show_place(self, place: float) -> None:
        """Set the position (0 to 1) without emitting a signal."""
        self._place = place
        self.setValue(round(place * STEPS))

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Begin a drag."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._from, self._moved = (event.position().x(), self._place), False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Move by as much as the pointer moved."""
        if self._from is None:
            return
        x, place = self._from
        fine = bool(event.modifiers() & (Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier))
        way = (event.position().x() - x) / max(1, self.width() - 8) * (FINE if fine else 1.0)
        if way or self._moved:
            self._moved = True
            self._turn(place + way)

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:  # noqa: N802
        """End the drag."""
        moved, self._from = self._from is not None and self._moved, None
        if moved:
            self.released.emit()

    def mouseDoubleClickEvent(self, _event: QMouseEvent) -> None:  # noqa: N802
        """Ask for the default."""
        self._from = None
        self.default_wanted.emit()

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        """Leave the wheel to the panel, which scrolls."""
        event.ignore()

    def event(self, event: QEvent) -> bool:
        """Claim the slider's keys before the window's shortcuts."""
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._takes(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Arrow keys move by a hundredth of the range, with Shift by a thousandth, Page keys by a tenth."""
        key = _Key(event.key())
        if not self._takes(event):
            event.ignore()
        elif key == _Key.Key_Escape:
            self._from = None
            self.given_up.emit()
        elif key == _Key.Key_Backspace:
            self.default_wanted.emit()
        else:
            step = _BY_PAGE[key] * _PAGE if key in _BY_PAGE else _BY_KEY[key] * _STEP
            fine = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self._turn(self._place + step / STEPS * (0.1 if fine else 1.0))
            self.keyed.emit()

    def _takes(self, event: QKeyEvent) -> bool:
        keys = event.modifiers() & ~(Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier)
        key = event.key()
        if key == _Key.Key_Escape:
            return self._from is not None
        return keys == Qt.KeyboardModifier.NoModifier and (
            key in _BY_KEY or key in _BY_PAGE or key == _Key.Key_Backspace
        )

    def _turn(self, place: float) -> None:
        self.show_place(min(1.0, max(0.0, place)))
        self.turned.emit(self._place)


_LABEL, _FIELD, _MARK = 92, 74, 14
_MOST = 24


class ValueField(QLineEdit):
    """A field with a value; signal `typed` carries the text on Enter or when the focus leaves, Esc restores the
    value."""

    typed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown = ""
        self.setMaxLength(_MOST)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setFixedWidth(_FIELD)
        self.editingFinished.connect(self._finished)

    def show_value(self, text: str) -> None:
        """Set the value, unless the person is typing another."""
        self._shown = text
        if not (self.hasFocus() and self.isModified()):
            self.setText(text)

    def event(self, event: QEvent) -> bool:
        """Claim Esc before the window's shortcuts while something is typed."""
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and (
            event.key() == Qt.Key.Key_Escape and self.isModified()
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Esc restores the old value."""
        if event.key() == Qt.Key.Key_Escape and self.isModified():
            self.setText(self._shown)
            self.selectAll()
            return
        super().keyPressEvent(event)

    def _finished(self) -> None:
        if self.isModified():
            text = self.text()
            self.setText(self._shown)
            self.typed.emit(text)


class ParameterRow(QWidget):
    """Name, slider and value field of a parameter. Signals: `turned` carries values during a drag, `kept` its end,
    `keyed` follows a value set by a key."""

    turned = Signal(str, float)
    kept = Signal()
    keyed = Signal()
    given_up = Signal()

    def __init__(self, effect: str, parameter: Parameter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.parameter = parameter
        label = parameter_label(parameter.name)
        self._name = tr("{parameter} of {effect}", parameter=label, effect=effect)
        self.label = ElidedLabel(label, self, tone="t2")
        self.label.setFixedWidth(_LABEL)
        self.mark = QLabel(self)
        self.mark.setFixedSize(_MARK, _MARK)
        self.slider = TurnSlider(self)
        self.slider.setAccessibleName(self._name)
        self.field = ValueField(self)
        self.field.setAccessibleName(tr("{parameter} of {effect}, value", parameter=label, effect=effect))
        about = f"{said(parameter.about)}\n" if parameter.about else ""
        reach = tr("{low} to {high}", low=value_in_words(parameter, parameter.low),
                   high=value_in_words(parameter, parameter.high))
        start = tr("Double click: {value}", value=value_in_words(parameter, parameter.default))
        self._tip = plain_tip(f"{about}{reach}\n{start}")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 1, 0, 1)
        row.setSpacing(6)
        for part in (self.label, self.mark, self.slider, self.field):
            row.addWidget(part, 1 if part is self.slider else 0)
        self.slider.turned.connect(lambda place: self._tell(value_at(parameter, place)))
        self.slider.released.connect(self.kept)
        self.slider.keyed.connect(self.keyed)
        self.slider.given_up.connect(self.given_up)
        self.slider.default_wanted.connect(lambda: self._set(parameter.default))
        self.field.typed.connect(self._read)

    def show_value(self, value: float, *, automated: bool) -> None:
        """Set the value; one out of range is shown at the nearer end and marked. `automated`: an automation lane
        controls it."""
        parameter = self.parameter
        place = place_of(parameter, held_value(parameter, value))
        # The slider keeps its own place while it turns: values are rounded for people, places are not.
        if value_at(parameter, self.slider.value() / self.slider.maximum()) != value:
            self.slider.show_place(place)
        words = value_in_words(parameter, value)
        self.field.show_value(words)
        outside = is_outside(parameter, value)
        tip = self._tip
        if outside:
            tip = plain_tip(tr("{value} is outside of its range and sounds as {held}", value=words,
                               held=value_in_words(parameter, held_value(parameter, value))))
        if automated:
            tip = plain_tip(tr("Automation sets this value while the song plays"))
        for part in (self.slider, self.field, self.label):
            part.setToolTip(tip)
        described = [words] + [tr("automated")] * automated + [tr("out of range")] * outside
        self.slider.setAccessibleDescription(", ".join(described))
        self._show_mark("chart-line" if automated else "warning" if outside else "", "you" if automated else "warn")

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(280, 24)

    def _show_mark(self, name: str, token: str) -> None:
        if not name:
            self.mark.clear()
            return
        color = getattr(tokens_now(), token)
        self.mark.setPixmap(pixmap(name, color, _MARK, self.devicePixelRatioF()))

    def _tell(self, value: float) -> None:
        self.turned.emit(self.parameter.name, value)

    def _set(self, value: float) -> None:
        self.slider.show_place(place_of(self.parameter, value))
        self._tell(value)
        self.kept.emit()

    def _read(self, text: str) -> None:
        value = read_value(self.parameter, text)
        if value is not None:
            self._set(value)
