"""What a request is bound to, as chips in the request box, and the button that attaches what is selected."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from agent.song.song import Song
from app.i18n import tr
from app.ui.chat.parts import MOST_CHIPS
from app.ui.kit.context import Kit
from app.ui.kit.shortcuts import keyed_tip
from app.ui.kit.widgets.buttons import FlatButton
from app.ui.kit.widgets.chip import Chip
from app.ui.kit.widgets.labels import PlainLabel
from app.viewmodels.chat.attaching import Attachment, RequestScope, attached, joined

_GAP = 4
_BUTTON = 22
_WIDEST = 150


class AttachRow(QWidget):
    """Chips for what a request is bound to, and the button that attaches the selection; hidden if there is neither.
    Signal `changed` is emitted when the scope has changed."""

    changed = Signal()

    def __init__(self, kit: Kit) -> None:
        super().__init__()
        self._kit = kit
        self.scope = RequestScope()
        self._offer = RequestScope()
        self._shown: tuple[object, ...] = ()
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(_GAP)
        self.chips: list[Chip] = []
        self._more = PlainLabel("", tone="t3", size="small")
        self._row.addWidget(self._more)
        self.button = FlatButton(tr("Attach"), icon="paperclip")
        self.button.setFixedHeight(_BUTTON)
        self.button.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.button.clicked.connect(self.attach)
        self._row.addWidget(self.button)
        self._row.addStretch()
        self.hide()

    def offer(self, selected: RequestScope, song: Song) -> None:
        """Offer to attach the selection, and update the chips from the song."""
        more = joined(self.scope, selected)
        self._offer = more if more != self.scope else RequestScope()
        here = attached(self.scope, song)
        names = ", ".join(one.words for one in attached(selected, song)) if not self._offer.whole else ""
        if (here, names) != self._shown:
            self._shown = (here, names)
            self._show(here, names)

    def attach(self) -> bool:
        """Attach the selection; returns whether there was one to attach."""
        if self._offer.whole:
            return False
        self.put(self._offer)
        return True

    def put(self, scope: RequestScope) -> None:
        """Bind the request to exactly this scope."""
        self.scope, self._offer = scope, RequestScope()
        self.changed.emit()

    def _show(self, here: tuple[Attachment, ...], names: str) -> None:
        for chip in self.chips:
            self._row.removeWidget(chip)
            chip.hide()
            chip.deleteLater()
        self.chips = []
        for at, one in enumerate(here[:MOST_CHIPS]):
            icon_name = "" if one.colour else "selection-all"
            chip = Chip(self._kit, one.words, icon_name=icon_name, swatch=one.colour, removable=True)
            chip.removed.connect(lambda rest=one.rest: self.put(rest))
            self._row.insertWidget(at, chip)
            self.chips.append(chip)
        left = len(here) - len(self.chips)
        self._more.setText(tr("and {count} more", count=left) if left > 0 else "")
        self._more.setVisible(left > 0)
        tip = tr("Only {what} may change, whatever is asked", what=names)
        self.button.setVisible(bool(names))
        metrics = self.button.fontMetrics()
        self.button.setText(metrics.elidedText(
            tr("Attach {what}", what=names).replace("&", "&&"), Qt.TextElideMode.ElideRight, _WIDEST
        ))
        self.button.setAccessibleName(tr("Attach {what}", what=names))
        keyed_tip(self.button, "plan.attach", tip)
        self.setVisible(bool(here or names))
