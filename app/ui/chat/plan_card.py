"""The card of a plan, and of what became of it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout

from app.i18n import tr, trn
from app.ui.chat.clause_marks import ClauseList
from app.ui.chat.parts import CARD_SIDE, GAP, EntryFrame, Fold, IconLabel, small_button, wrapped
from app.ui.kit.context import Kit
from app.ui.kit.widgets.buttons import PlainButton
from app.viewmodels.chat.clauses import clause_words, outcome_words
from app.viewmodels.chat.entries import PlanCard


class PlanCardView(EntryFrame):
    """A plan in the conversation: its title and size, after its run the result."""

    plan_wanted = Signal(object)
    iteration_wanted = Signal(str)
    reopen_wanted = Signal(str)
    """Emitted with the hash of a plan that was put aside and is to be reviewed again."""

    def __init__(self, kit: Kit, card: PlanCard) -> None:
        super().__init__(kit, tr("Plan {title}", title=card.title), card.title)
        self._card = card
        frame = QFrame()
        frame.setProperty("card", "plain")
        inside = QVBoxLayout(frame)
        inside.setContentsMargins(CARD_SIDE, CARD_SIDE - 2, CARD_SIDE, CARD_SIDE - 2)
        inside.setSpacing(GAP)
        head = QHBoxLayout()
        head.setSpacing(CARD_SIDE)
        head.addWidget(IconLabel(kit, "list-checks", "agent", 16), 0, Qt.AlignmentFlag.AlignTop)
        head.addWidget(wrapped(card.title, size="strong"), 1)
        inside.addLayout(head)
        below = QHBoxLayout()
        below.setSpacing(CARD_SIDE)
        self.about = wrapped("", tone="t3", size="small")
        below.addWidget(self.about, 1)
        self.button = _reopen(card) if card.aside else PlainButton(
            tr("Show plan"), tip=tr("Show this plan in the table"), name=tr("Show plan {title}", title=card.title)
        )
        self.button.clicked.connect(self.activate)
        below.addWidget(self.button)
        inside.addLayout(below)
        left_out = () if card.clauses else card.ignored
        for title, lines in ((tr("What I understood"), card.understood), (tr("What I left out"), left_out)):
            if lines:
                inside.addWidget(Fold(title, lines))
        if card.clauses:
            inside.addWidget(ClauseList(kit, card.clauses))
            told = [line.clause for line in card.clauses]
            accessible = ". ".join(f"{outcome_words(one)}: {clause_words(one)}" for one in told)
            self.setAccessibleDescription(f"{card.title}. {accessible}")
        self.column.addWidget(frame)
        self._chips: QHBoxLayout | None = None
        self.tell("")

    def activate(self) -> None:
        """Show the plan or its run; one that was put aside is reviewed again."""
        if self._card.aside:
            self.reopen_wanted.emit(self._card.hash)
        elif self.button.isVisibleTo(self):
            self.plan_wanted.emit(self._card.run)

    def tell(self, approved: str, iteration: str = "") -> None:
        """Set how many steps are approved (in words, while it is under review) and the name of the iteration that its
        run made."""
        card = self._card
        tracks = [trn("{count} track", "{count} tracks", card.tracks)] if card.tracks else []
        state = tr("discarded") if card.discarded else tr("put aside") if card.aside else approved
        said = (trn("{count} step", "{count} steps", card.steps), state, *tracks)
        self.about.setText(" · ".join(filter(None, said)))
        self.button.setVisible(card.run is not None or card.aside or bool(approved))
        if card.run is not None:
            self._add_chips(iteration)

    def _add_chips(self, iteration: str) -> None:
        if self._chips is not None:
            while (item := self._chips.takeAt(0)) is not None:
                widget = item.widget()
                if widget is not None:
                    widget.deleteLater()
        else:
            self._chips = QHBoxLayout()
            self._chips.setSpacing(GAP)
            self.column.addLayout(self._chips)
        mark, token = ("check", "ok") if self._card.whole else ("warning", "warn")
        done = PlainButton(self._card.outcome, tip=tr("Show this run in the plan"))
        done.clicked.connect(lambda: self.plan_wanted.emit(self._card.run))
        self._chips.addWidget(small_button(done, mark, token))
        if iteration and self._card.iteration is not None:
            made = PlainButton(iteration, tip=tr("Show this iteration in the history"))
            made.clicked.connect(lambda: self.iteration_wanted.emit(self._card.iteration))
            self._chips.addWidget(small_button(made, "clock-counter-clockwise", "t2"))
        self._chips.addStretch()


def _reopen(card: PlanCard) -> PlainButton:
    return PlainButton(
        tr("Reopen"), tip=tr("Review this plan again; nothing runs before you approve it"),
        name=tr("Reopen plan {title}", title=card.title),
    )
