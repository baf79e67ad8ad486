"""Troubles of the whole window: strips under the transport bar."""

from __future__ import annotations

from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from app.i18n import tr
from app.ui.kit.context import Kit
from app.ui.kit.subscriptions import Subscriptions
from app.ui.kit.widgets.notice import NoticeStrip, Offer
from app.ui.shell.results import ProgressStrip, ResultStrip
from app.viewmodels.texts.troubles import Place, Trouble

PLACES: frozenset[Place] = frozenset({"window", "timeline", "transport"})
"""Places whose troubles are shown here; chat, plan and history show their own."""
_MOST = 3


class NotificationBar(QWidget):
    """The notification area under the transport bar: the newest troubles, one line each, without duplicates, and
    results."""

    def __init__(self, kit: Kit) -> None:
        super().__init__()
        self.setAccessibleName(tr("Messages"))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(1)
        self.strips: list[NoticeStrip] = []
        self._result: ResultStrip | None = None
        self._running: list[ProgressStrip] = []
        self.subscriptions = Subscriptions()
        self.subscriptions.add(kit.troubles.told.listen(self._hear))
        self.hide()

    def report(self, words: str, offers: tuple[Offer, ...] = (), *, well: bool = True) -> None:
        """Show a result with a button per offer, in place of the result before; `well` is False for a failure."""
        self.take_report_away()
        result = ResultStrip(words, offers, well=well)
        result.dismissed.connect(self._read)
        self._result = result
        self._column.addWidget(result)
        self.show()

    def take_report_away(self) -> None:
        """Remove the result that is shown, if there is one."""
        if self._result is not None:
            self._result.dismiss()

    def track(self, strip: ProgressStrip) -> None:
        """Show the progress of long work until `untrack`."""
        self._column.addWidget(strip)
        self._running.append(strip)
        self.show()

    def untrack(self, strip: ProgressStrip) -> None:
        """Remove the progress of work that has ended."""
        self._running.remove(strip)
        strip.hide()
        strip.deleteLater()
        self._settle()

    def tell(self, trouble: Trouble, offers: tuple[Offer, ...] = ()) -> None:
        """Show a trouble with a button per offer; the oldest is removed when there are too many. One that is shown
        already is not repeated."""
        if any(strip.trouble == trouble for strip in self.strips):
            return
        while len(self.strips) >= _MOST:
            self.strips[0].dismiss()
        strip = NoticeStrip(trouble, self, offers=offers)
        strip.dismissed.connect(lambda: self._gone(strip))
        self.strips.append(strip)
        self._column.addWidget(strip)
        self.show()
        strip.announce()

    def clear(self) -> None:
        """Dismiss all troubles."""
        for strip in tuple(self.strips):
            strip.dismiss()

    def _hear(self, trouble: Trouble) -> None:
        if trouble.place in PLACES:
            self.tell(trouble)

    def _gone(self, strip: NoticeStrip) -> None:
        if strip in self.strips:
            self.strips.remove(strip)
        self._settle()

    def _read(self) -> None:
        self._result = None
        self._settle()

    def _settle(self) -> None:
        self.setVisible(bool(self.strips or self._running or self._result))
