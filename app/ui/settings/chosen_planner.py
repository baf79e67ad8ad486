"""Whether a planner is the chosen one: said so where it is, a button that chooses it where it is not."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.ui.kit.context import Kit
from app.ui.kit.widgets.buttons import MainButton
from app.ui.settings.parts import GAP, ResultLabel
from app.viewmodels.chat.choosing import Choosing, PlannerOption


class ChosenPlanner(QWidget):
    """Says that this planner is the chosen one, or shows the button `use` that chooses it. `fits` recognises this
    planner among the options; `words` describe it. Ends with `close_part`."""

    def __init__(
        self, kit: Kit, choosing: Choosing, use: MainButton, fits: Callable[[PlannerOption], bool],
        words: Callable[[PlannerOption], str],
    ) -> None:
        super().__init__()
        self._fits, self._words = fits, words
        self.use, self.chosen = use, ResultLabel(kit)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GAP)
        row.addWidget(self.use, 0, Qt.AlignmentFlag.AlignLeft)
        row.addWidget(self.chosen, 1)
        self._silence = choosing.chosen.watch(self._show)

    def close_part(self) -> None:
        """End the subscription."""
        self._silence()

    def _show(self, offer: PlannerOption) -> None:
        fits = self._fits(offer)
        self.use.setVisible(not fits)
        self.chosen.tell(self._words(offer) if fits else "")
