"""The line in which chords are typed over a stretch of the lane."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QFocusEvent
from PySide6.QtWidgets import QWidget

from app.i18n import tr
from app.ui.kit.widgets.in_place import InPlaceLine
from app.ui.kit.widgets.labels import PlainLabel
from app.viewmodels.timeline.chord_edits import LONGEST_LINE, Typed

_MARGIN = 5


class ChordLine(InPlaceLine):
    """A line to type chords: Enter stores them; Tab stores them and goes on to the next span, Shift+Tab to the
    previous. `where` is the place in words, for the accessible name. `read` parses a text; `keep` is called with the
    result; `go_on` with 1 or -1 for the next or previous span. An error of parsing is shown below the line, over the
    widget `above`."""

    def __init__(
        self, parent: QWidget, above: QWidget, place: QRect, text: str, where: str, read: Callable[[str], Typed],
        keep: Callable[[Typed], None], go_on: Callable[[int], None],
    ) -> None:
        self._read, self._keep_read, self._go_on = read, keep, go_on
        self._first = text
        self._fault = PlainLabel(parent=above, tone="bad", size="small")
        self._fault.setProperty("card", "plain")
        self._fault.setMargin(_MARGIN)
        self._fault.hide()
        super().__init__(parent, place, text, tr("Chords, {place}", place=where), self._take, longest=LONGEST_LINE)
        self.setPlaceholderText("Am7 D7")
        self.setToolTip(tr("One chord, or several that share the stretch: Am7 D7. Empty takes the chord out."))
        self.textEdited.connect(lambda _: self._fault.hide())
        self.destroyed.connect(self._fault.deleteLater)
        self.selectAll()

    @property
    def fault(self) -> str:
        """The error shown below the line; empty for none."""
        return "" if self._fault.isHidden() else self._fault.text()

    def focusNextPrevChild(self, forward: bool) -> bool:  # noqa: N802
        """Tab and Shift+Tab store what was typed and go on to the neighbouring span; a text that cannot be parsed keeps
        the focus here."""
        if self._ended:
            return super().focusNextPrevChild(forward)
        if self._take(self.text()):
            self._end()
            self._go_on(1 if forward else -1)
        else:
            self._mark(wrong=True)
        return True

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """Store what was typed; a text that cannot be parsed is discarded."""
        self._fault.hide()
        super().focusOutEvent(event)

    def _take(self, text: str) -> bool:
        """Whether the text can be read. Leaving the line as it was changes nothing; Enter says that it is meant."""
        typed = self._read(text)
        if typed.fault:
            self._tell(typed.fault)
            return False
        if text != self._first or self.hasFocus():
            self._keep_read(typed)
        return True

    def _tell(self, fault: str) -> None:
        if not self.hasFocus():
            return
        label = self._fault
        label.setText(fault)
        label.adjustSize()
        above = label.parentWidget()
        place = self.mapTo(above, QPoint(0, self.height() + 2)) if above is not None else QPoint()
        most = (above.width() if above is not None else label.width()) - label.width() - 4
        label.move(max(0, min(place.x(), most)), place.y())
        label.show()
        label.raise_()
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, fault))
