"""The tools of a server to be read before they are approved: a list, and all that the chosen one says."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QPlainTextEdit, QVBoxLayout, QWidget

from app.i18n import lazy, tr
from app.ui.kit.context import Kit
from app.ui.kit.theme import mono
from app.ui.settings.parts import GAP
from app.ui.settings.services.row_table import Row, RowTable
from app.viewmodels.texts.tool_texts import ToolSeen

_HEIGHT = 230
_STATES = {
    "": ("", "circle-dashed", "t3"), "changed": (lazy("Changed"), "warning-fill", "warn"),
    "new": (lazy("New"), "plus", "agent"), "gone": (lazy("Gone"), "minus-circle", "warn"),
}


class ToolReader(QWidget):
    """Lists a server's tools and shows the description of the chosen one as plain text."""

    def __init__(self, kit: Kit) -> None:
        super().__init__()
        self._tools: dict[str, ToolSeen] = {}
        self.table = RowTable(kit, tr("Tools of the server"),
                              (tr("Tool, as plans call it"), tr("Since your approval"), tr("Hidden")),
                              (260, 140, 150), sign_at=1, lines=4)
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setUndoRedoEnabled(False)
        self.text.setFont(mono(12))
        self.text.setTabChangesFocus(True)
        self.text.setAccessibleName(tr("What the tool says of itself"))
        self.text.setFixedHeight(_HEIGHT)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GAP)
        column.addWidget(self.table)
        column.addWidget(self.text)
        self.table.chosen.connect(self._show)

    def show_tools(self, tools: Sequence[ToolSeen]) -> None:
        """Show these tools, the first of them chosen."""
        self._tools = {str(at): tool for at, tool in enumerate(tools)}
        rows = []
        for at, tool in self._tools.items():
            words, sign, tone = _STATES[tool.state]
            hidden = tr("Hidden characters") if tool.hidden else ""
            rows.append(Row(at, (tool.name, words and tr(words), hidden), sign if words else "", tone))
        self.table.show_rows(rows, "0")

    def _show(self, at: str) -> None:
        tool = self._tools.get(at)
        self.text.setPlainText("" if tool is None else tool.text)
