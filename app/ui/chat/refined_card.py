"""The card of a refinement: what words changed in the plan, and the way back."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout

from app.i18n import lazy, tr, trn
from app.ui.chat.parts import CARD_SIDE, GAP, NOTE_ICON, EntryFrame, IconLabel, wrapped
from app.ui.kit.context import Kit
from app.ui.kit.widgets.buttons import PlainButton
from app.ui.kit.widgets.labels import PlainLabel
from app.viewmodels.chat.refined import Fate, Refined, RefinedRow
from app.viewmodels.chat.telling import numbers_said

_MOST = 8
_SIGNS: dict[Fate, tuple[str, str, str]] = {
    "dropped": ("minus", "bad", lazy("dropped")), "changed": ("pencil-simple", "agent", lazy("changed")),
    "new": ("plus", "ok", lazy("new")),
}


class RefinedView(EntryFrame):
    """What a refinement has changed: rows that differ from the draft before, each with its sign and colour."""

    back_wanted = Signal(str)
    """Emitted with the hash of the draft before, which is to be reviewed again."""

    def __init__(self, kit: Kit, told: Refined) -> None:
        title = tr("Plan, draft {before} to draft {after}", before=told.draft - 1, after=told.draft)
        accessible = [f"{tr(_SIGNS[row.fate][2])}: {row.number} {row.title}" for row in told.rows]
        super().__init__(kit, title, "\n".join((title, *accessible, _rest(told))))
        self._told = told
        frame = QFrame()
        frame.setProperty("card", "plain")
        inside = QVBoxLayout(frame)
        inside.setContentsMargins(CARD_SIDE, CARD_SIDE - 2, CARD_SIDE, CARD_SIDE - 2)
        inside.setSpacing(GAP - 2)
        inside.addWidget(wrapped(title, size="strong"))
        for row in told.rows[:_MOST]:
            inside.addWidget(_line(kit, row))
        left = len(told.rows) - _MOST
        if left > 0:
            more = trn("and {count} more row", "and {count} more rows", left)
            inside.addWidget(wrapped(more, tone="t3", size="small"))
        if _rest(told):
            inside.addWidget(wrapped(_rest(told), tone="t3", size="small"))
        self.button: PlainButton | None = None
        if told.before:
            self.button = PlainButton(
                tr("Undo this refinement"), tip=tr("Review the draft before again; this one is put aside")
            )
            self.button.clicked.connect(self.activate)
            inside.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)
        self.column.addWidget(frame)

    def activate(self) -> None:
        """Emit `back_wanted`, if there is a draft before."""
        if self._told.before:
            self.back_wanted.emit(self._told.before)


def _line(kit: Kit, row: RefinedRow) -> QFrame:
    icon, token, fate = _SIGNS[row.fate]
    line = QFrame()
    line.setProperty("card", token)
    inside = QHBoxLayout(line)
    inside.setContentsMargins(GAP, 3, GAP, 3)
    inside.setSpacing(GAP)
    inside.addWidget(IconLabel(kit, icon, token, NOTE_ICON), 0, Qt.AlignmentFlag.AlignTop)
    inside.addWidget(PlainLabel(str(row.number), tone="t3", size="small"), 0, Qt.AlignmentFlag.AlignTop)
    said = QVBoxLayout()
    said.setSpacing(0)
    said.addWidget(wrapped(row.title))
    if row.what:
        said.addWidget(wrapped(row.what, tone="t3", size="small"))
    inside.addLayout(said, 1)
    inside.addWidget(PlainLabel(tr(fate), tone=token, size="small"), 0, Qt.AlignmentFlag.AlignTop)
    return line


def _rest(told: Refined) -> str:
    """ "8 others unchanged. Your changes in row 6 are kept." """
    said = [trn("{count} other unchanged.", "{count} others unchanged.", told.unchanged)] if told.unchanged else []
    if told.edited:
        said.append(trn("Your changes in row {numbers} are kept.", "Your changes in rows {numbers} are kept.",
                        len(told.edited), numbers=numbers_said(told.edited)))
    return " ".join(said)
