"""Troubles of the whole window: strips under the transport bar."""

from __future__ import annotations

from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from app.desktop.texts.troubles import Place, Trouble
from app.ui.kit.context import Kit
from app.ui.kit.subscriptions import Subscriptions
from app.ui.kit.widgets.notice import NoticeStrip, Offer
from app.ui.shell.results import ProgressStrip, ResultStrip
from app.words import tr

PLACES: frozenset[Place] = frozenset({"window", "timeline", "transport"})
"""Of these the shell tells; chat, plan and history tell their own."""
_MOST = 3


class Strips(QWidget):
    """The newest troubles, one line each; the same one is told once."""

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
        self._subscriptions = Subscriptions()
        self._subscriptions.add(kit.troubles.told.listen(self._hear))
        self.hide()

    def report(self, words: str, offers: tuple[Offer, ...] = (), *, well: bool = True) -> None:
        """What came of something, in place of the report before."""
        self.take_report_away()
        result = ResultStrip(words, offers, well=well)
        result.dismissed.connect(self._read)
        self._result = result
        self._column.addWidget(result)
        self.show()

    def take_report_away(self) -> None:
        """What it tells of is not what the person looks at now."""
        if self._result is not None:
            self._result.dismiss()

    def track(self, strip: ProgressStrip) -> None:
        """Long work, for as long as the strip is not deleted."""
        self._column.addWidget(strip)
        self._running.append(strip)
        self.show()

    def untrack(self, strip: ProgressStrip) -> None:
        """The work is over."""
        self._running.remove(strip)
        strip.hide()
        strip.deleteLater()
        self._settle()

    def tell(self, trouble: Trouble, offers: tuple[Offer, ...] = ()) -> None:
        """Show one; older ones make room."""
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
        """Take all away."""
        for strip in tuple(self.strips):
            strip.dismiss()

    def close_view(self) -> None:
        """Hear no more."""
        self._subscriptions.close()

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
