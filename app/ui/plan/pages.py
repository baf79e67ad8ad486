"""What the plan panel shows below its strips: that there is no plan, the table with its lines, or a draft."""

from __future__ import annotations

from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from app.i18n import tr
from app.ui.plan.draft import DraftTable
from app.ui.plan.footer import Footer
from app.ui.plan.look import Look
from app.ui.plan.top_bar import PlanTopBar
from app.ui.plan.view import PlanTableView
from app.ui.plan.widgets import PlanLabel, ProgressCells

EMPTY, TABLE, DRAFT = 0, 1, 2


class PlanPages(QStackedWidget):
    """The three pages of the plan panel: the table, a plan being written, and no plan. The widgets of the table's page
    are public."""

    def __init__(self, look: Look, view: PlanTableView, draft: DraftTable) -> None:
        super().__init__()
        self.view = view
        self.draft = draft
        self.top = PlanTopBar(look)
        self.details = PlanLabel(look, tone="t2", wrap=True)
        self.cells = ProgressCells(look)
        self.footer = Footer(look)
        self.limits = PlanLabel(look, tone="you", wrap=True)
        """Shows what alone the plan may change: "Only Bass, bars 9–12 may change"."""
        self.limits.setContentsMargins(12, 4, 12, 4)
        self.limits.hide()
        self.details.hide()
        self.details.setContentsMargins(12, 6, 12, 8)
        self.top.details.connect(self.details.setVisible)
        for page in (_empty(look), self._table(), draft):
            self.addWidget(page)

    def _table(self) -> QWidget:
        table = QWidget()
        column = QVBoxLayout(table)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (self.top, self.limits, self.details, self.cells):
            column.addWidget(widget)
        column.addWidget(self.view, 1)
        column.addWidget(self.footer)
        return table


def _empty(look: Look) -> QWidget:
    empty = QWidget()
    column = QVBoxLayout(empty)
    words = PlanLabel(look, tr("No plan yet. Write a request in the chat."), "t3")
    column.addStretch()
    column.addWidget(words)
    column.setAlignment(words, words.alignment().AlignHCenter)
    column.addStretch()
    return empty
