"""What else stands in a conversation: lines of work, questions with their choices, and problems."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QVBoxLayout

from app.i18n import tr
from app.ui.chat.parts import CARD_SIDE, GAP, EntryFrame, IconLabel, author_line, small_button, work_line, wrapped
from app.ui.kit.context import Kit
from app.ui.kit.widgets.buttons import PlainButton
from app.ui.kit.widgets.notice import sentence
from app.viewmodels.chat.entries import Asked, ProblemEntry, WorkEntry

_SHORT = 17
"""Characters of a choice up to which two fit side by side in the narrowest chat."""


class WorkView(EntryFrame):
    """A line about something that was done while planning. `headed` shows the author above it, with the time `when`."""

    def __init__(self, kit: Kit, work: WorkEntry, headed: bool, when: str) -> None:
        super().__init__(kit, f"{work.what}: {work.result}" if work.result else work.what, work.what)
        self.column.setSpacing(0)
        self.column.setContentsMargins(2, 0, 2, 0)
        if headed:
            self.column.addLayout(author_line(kit, False, when))
        self.column.addWidget(work_line(kit, work.what, work.result))


class AskedView(EntryFrame):
    """A question with its choices as buttons, until one was chosen. `headed` shows the author above it, with the time
    `when`."""

    chosen = Signal(object)

    def __init__(self, kit: Kit, asked: Asked, headed: bool, when: str) -> None:
        super().__init__(kit, tr("Question: {text}", text=asked.question.text), asked.question.text)
        if headed:
            self.column.addLayout(author_line(kit, False, when))
        self.column.addWidget(wrapped(asked.question.text))
        self.buttons: list[PlainButton] = []
        choices = QGridLayout()
        choices.setSpacing(GAP)
        self.column.addLayout(choices)
        across = 2 if all(len(choice.label) <= _SHORT for choice in asked.question.choices) else 1
        for at, choice in enumerate(asked.question.choices):
            button = PlainButton(choice.label, tip=choice.request)
            button.setEnabled(not asked.answered)
            if choice.label == asked.answered:
                small_button(button, "check", "ok")
            button.clicked.connect(lambda _=False, choice=choice: self.chosen.emit(choice))
            self.buttons.append(button)
            choices.addWidget(button, at // across, at % across)

    def activate(self) -> None:
        """Give the first choice the keyboard."""
        if self.buttons:
            self.buttons[0].setFocus(Qt.FocusReason.TabFocusReason)


class ProblemView(EntryFrame):
    """An error: what happened, why and what to do, with a button that sends the request again."""

    send_again = Signal(str)
    offline_wanted = Signal(str)

    def __init__(self, kit: Kit, problem: ProblemEntry) -> None:
        trouble = problem.trouble
        parts = [sentence(trouble.what)]
        more = ((tr("Why"), trouble.why), (tr("What to do"), trouble.fix))
        parts += [f"{title}: {sentence(words)}" for title, words in more if words]
        super().__init__(kit, tr("Problem: {what}", what=" ".join(parts)), "\n".join(parts))
        frame = QFrame()
        frame.setProperty("card", "bad")
        inside = QVBoxLayout(frame)
        inside.setContentsMargins(CARD_SIDE, CARD_SIDE - 2, CARD_SIDE, CARD_SIDE - 2)
        inside.setSpacing(4)
        head = QHBoxLayout()
        head.setSpacing(GAP)
        head.addWidget(IconLabel(kit, "x-circle-fill", "bad"), 0, Qt.AlignmentFlag.AlignTop)
        head.addWidget(wrapped(parts[0], size="card"), 1)
        inside.addLayout(head)
        for part in parts[1:]:
            inside.addWidget(wrapped(part, tone="t2"))
        self.button: PlainButton | None = None
        if problem.request:
            self.button = PlainButton(
                tr("Send again"), icon="arrow-clockwise", tip=tr("Send again: {request}", request=problem.request[:200])
            )
            self.button.clicked.connect(self.activate)
            self._request = problem.request
            row = QHBoxLayout()
            row.addWidget(self.button)
            if problem.offline:
                row.addWidget(self._offline(problem.request))
            row.addStretch()
            inside.addLayout(row)
        self.column.addWidget(frame)

    def _offline(self, request: str) -> PlainButton:
        made = PlainButton(
            tr("Use the built-in composer"), icon="wifi-slash",
            tip=tr("Plan this without a model, and later requests too"),
        )
        made.clicked.connect(lambda: self.offline_wanted.emit(request))
        return made

    def activate(self) -> None:
        """Send the request again."""
        if self.button is not None:
            self.send_again.emit(self._request)
