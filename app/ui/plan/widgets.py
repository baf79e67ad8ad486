"""Small widgets of the plan panel: labels of plain text, signs, buttons, strips that say or ask, cells of progress."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QKeyEvent, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QPushButton, QSizePolicy, QWidget

from app.i18n import tr
from app.ui.plan.columns import lines_tip
from app.ui.plan.drawings import Look
from app.viewmodels.plan.row_states import RowMark
from app.viewmodels.texts.troubles import Trouble

STRIP_HEIGHT = 34
CELLS_HEIGHT = 14
_CELL = 6
_GAP = 2
_ICON = 16
_SIGN = 14


class PlanLabel(QLabel):
    """A plain text label in the colour of the token `tone`; with `wrap` on as many lines as it needs."""

    def __init__(
        self, look: Look, text: str = "", tone: str = "t1", *, bold: bool = False, wrap: bool = False
    ) -> None:
        super().__init__(text)
        self._look = look
        self._tone = tone
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(wrap)
        if bold:
            self.setFont(look.font(bold=True))
        look.theme.changed.connect(self._tint)
        self._tint()

    def colour(self, tone: str) -> None:
        """Set the colour to that of another token."""
        self._tone = tone
        self._tint()

    def _tint(self) -> None:
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.WindowText, self._look.color(self._tone))
        self.setPalette(palette)


class CutPlanLabel(PlanLabel):
    """A `PlanLabel` of one line that is elided where it does not fit."""

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802, ARG002 - Qt's name
        area = self.contentsRect()
        shown = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, area.width())
        with QPainter(self) as painter:
            painter.setPen(self.palette().color(QPalette.ColorRole.WindowText))
            painter.drawText(area, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)


class SignLabel(QWidget):
    """A small icon that is no button."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._sign = ("circle-dashed", "t3")
        self.setFixedSize(_SIGN, _SIGN)

    def show_sign(self, name: str, token: str) -> None:
        """Show an icon in the colour of a token."""
        self._sign = (name, token)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802, ARG002 - Qt's name
        with QPainter(self) as painter:
            self._look.paint_icon(painter, self.rect(), *self._sign)


def button(
    text: str, act: Callable[[], object], *, role: str = "", icon: QIcon | None = None, tip: str = "", name: str = ""
) -> QPushButton:
    """A push button that calls `act`; `role` is its style in the theme, `tip` its tooltip, `name` the accessible name
    in place of the text."""
    made = QPushButton(text)
    if role:
        made.setProperty("role", role)
    made.setAutoDefault(False)
    made.setAccessibleName(name or text)
    if icon is not None:
        made.setIcon(icon)
        made.setIconSize(QSize(_ICON, _ICON))
    if tip:
        made.setToolTip(lines_tip([tip]))
    made.clicked.connect(lambda _=False: act())
    return made


class AnswerStrip(QWidget):
    """A line above the table with a sentence and buttons for answers. Signal `answered` is sent if an answer that had
    the focus closes it, as the focus needs another place."""

    answered = Signal()

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._tone = "warn_soft"
        self._text = PlanLabel(look)
        self._text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._line = QHBoxLayout(self)
        self._line.setContentsMargins(12, 0, 8, 0)
        self._line.addWidget(self._text, 1)
        self.answers: list[QPushButton] = []
        self.setFixedHeight(STRIP_HEIGHT)
        self.hide()

    def tell(
        self, text: str, answers: Sequence[tuple[str, Callable[[], object]]] = (), *, bad: bool = False,
        stays: bool = False,
    ) -> None:
        """Show a sentence and its answers (text and function), without any a button that closes it. `bad` shows it as
        an error. Each answer closes the strip unless it `stays` until another sentence."""
        for old in self.answers:
            self._line.removeWidget(old)
            old.hide()
            old.deleteLater()
        self._tone = "bad_soft" if bad else "warn_soft"
        self._text.setText(text)
        self._text.setToolTip(lines_tip([text]))
        self.setAccessibleName(text)
        self.answers = [
            button(words, act if stays else self._closing(act)) for words, act in answers or ((tr("Close"), self.hide),)
        ]
        for one in self.answers:
            self._line.addWidget(one)
        self.show()
        self.update()

    def tell_trouble(self, trouble: Trouble) -> None:
        """Show an error: what went wrong, why, and what to do."""
        text = ". ".join(part[:1].upper() + part[1:] for part in (trouble.what, trouble.why, trouble.fix) if part)
        self.tell(text, bad=True)

    @property
    def text(self) -> str:
        """The sentence shown; empty while the strip is closed."""
        return "" if self.isHidden() else self._text.text()

    def _closing(self, act: Callable[[], object]) -> Callable[[], None]:
        def answered() -> None:
            if any(one.hasFocus() for one in self.answers):
                self.answered.emit()
            self.hide()
            act()

        return answered

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802, ARG002 - Qt's name
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), self._look.color(self._tone))


_CELL_COLOURS = {
    RowMark.DONE: "ok", RowMark.RUNNING: "agent", RowMark.RETRY: "warn", RowMark.FAILED: "bad", RowMark.REVIEW: "bad",
    RowMark.READY: "agent",
    RowMark.SKIPPED: "line3", RowMark.NOT_RUN: "line2", RowMark.ROLLED_BACK: "line3",
}


class ProgressCells(QWidget):
    """One small cell for each row of a run, in the order of the plan, in the colour of its state."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._marks: tuple[RowMark, ...] = ()
        self.setFixedHeight(CELLS_HEIGHT)
        self.setAccessibleName(tr("Progress of the run"))

    def show_marks(self, marks: tuple[RowMark, ...]) -> None:
        """Show these states, one for each row."""
        if marks != self._marks:
            self._marks = marks
            done = sum(mark is RowMark.DONE for mark in marks)
            self.setAccessibleDescription(tr("{done} of {count} steps done", done=done, count=len(marks)))
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802, ARG002 - Qt's name
        """Paint failed cells with a cross, those being retried dashed."""
        if not self._marks:
            return
        gap = _GAP if len(self._marks) * (_GAP + 2) < self.width() else 0
        room, top = self.width() - 20, (self.height() - _CELL) // 2
        with QPainter(self) as painter:
            for place, mark in enumerate(self._marks):
                left = 10 + room * place // len(self._marks)
                right = 10 + room * (place + 1) // len(self._marks) - gap
                self._cell(painter, QRect(left, top, max(1, right - left), _CELL), mark)

    def _cell(self, painter: QPainter, area: QRect, mark: RowMark) -> None:
        color = self._look.color(_CELL_COLOURS.get(mark, "hover"))
        if mark is RowMark.RETRY:
            pen = QPen(color, 1)
            pen.setDashPattern([3, 2])
            painter.setPen(pen)
            painter.drawRect(area.adjusted(0, 0, -1, -1))
            return
        painter.fillRect(area, color)
        if mark.bad and area.width() > _CELL:
            cross = QRect(area.center().x() - 2, area.y() + 1, 4, 4)
            painter.setPen(QPen(self._look.color("canvas"), 1))
            painter.drawLine(cross.topLeft(), cross.bottomRight())
            painter.drawLine(cross.topRight(), cross.bottomLeft())


_LONGEST = 500
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class AskLine(QWidget):
    """A text line that asks a question. Enter confirms the text, Esc cancels. Signal `closed` is sent when it is
    closed, so that the table gets the focus."""

    closed = Signal()

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._then: Callable[[str], None] = lambda _: None
        self._question = PlanLabel(look)
        self.field = _Field()
        self.field.setMaxLength(_LONGEST)
        self.field.returnPressed.connect(self.take)
        self.button = button(tr("Reject"), self.take, role="main")
        self._cancel = button(tr("Cancel"), self.cancel, role="plain", tip=tr("Leave it as it is (Esc)"))
        line = QHBoxLayout(self)
        line.setContentsMargins(12, 0, 8, 0)
        line.setSpacing(8)
        line.addWidget(self._question)
        line.addWidget(self.field, 1)
        line.addWidget(self.button)
        line.addWidget(self._cancel)
        self.setFixedHeight(STRIP_HEIGHT)
        self.hide()

    def ask(self, question: str, hint: str, verb: str, then: Callable[[str], None]) -> None:
        """Show `question` and ask for a text, which may be empty; `hint` is the placeholder, `verb` the text of the
        button. `then` is called with the text."""
        self._then = then
        self._question.setText(question)
        self.field.setPlaceholderText(hint)
        self.field.setAccessibleName(f"{question}: {hint}")
        self.field.setText("")
        self.button.setText(verb)
        self.button.setAccessibleName(f"{verb}: {question}")
        self.setAccessibleName(question)
        self.show()
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def take(self) -> None:
        """Confirm the text and close."""
        if not self.isHidden():
            self.cancel()
            self._then(" ".join(self.field.text().split()))

    def cancel(self) -> None:
        """Close without calling back."""
        self.hide()
        self.closed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Esc cancels; the window gets no keys from the field."""
        if event.key() == Qt.Key.Key_Escape:
            self.cancel()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802, ARG002 - Qt's name
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), self._look.color("you_soft"))


class _Field(QLineEdit):
    """Enter, with whatever else is held, takes what is written here, and approves nothing."""

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and event.key() in _ENTER:
            event.accept()
            return True
        return super().event(event)
