"""Errors of the history, shown above its list."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.i18n import tr, trn
from app.ui.kit.widgets.notice import NoticeStrip
from app.viewmodels.texts.troubles import Trouble

_MOST_NAMED = 3


class HistoryNotices(QVBoxLayout):
    """Strips above the history: one for damaged iterations, one for the newest trouble."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__()
        self._owner = parent
        self._strips: dict[str, NoticeStrip] = {}

    def tell_damaged(self, damaged: tuple[str, ...]) -> None:
        """Name the first of the iterations that cannot be read; does nothing for none."""
        if not damaged:
            return
        named = "; ".join(damaged[:_MOST_NAMED])
        more = len(damaged) - _MOST_NAMED
        if more > 0:
            named += "; " + trn("and {count} more", "and {count} more", more)
        self._tell("damaged", Trouble(
            "history", tr("some iterations are damaged"), named,
            tr("restore another iteration; these stay as they are"),
        ))

    def tell(self, trouble: Trouble) -> None:
        """Show a trouble of the history; one of another place is ignored."""
        if trouble.place == "history":
            self._tell("trouble", trouble)

    def _tell(self, kind: str, trouble: Trouble) -> None:
        before = self._strips.pop(kind, None)
        if before is not None:
            self.removeWidget(before)
            before.deleteLater()
        strip = NoticeStrip(trouble, self._owner, tone="warn" if kind == "damaged" else "bad", card=True)
        strip.dismissed.connect(lambda: self._strips.pop(kind, None))
        self._strips[kind] = strip
        self.addWidget(strip)
        strip.announce()
