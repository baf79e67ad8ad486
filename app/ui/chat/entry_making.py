"""Which widget shows an entry: lines of work, questions, problems, refinements; and what it asks of its list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QVBoxLayout

from app.i18n import lazy, tr, trn
from app.ui.chat.parts import (
    CARD_SIDE,
    GAP,
    NOTE_ICON,
    EntryFrame,
    IconLabel,
    author_line,
    small_button,
    work_line,
    wrapped,
)
from app.ui.chat.plan_card import PlanCardView
from app.ui.chat.report_view import ReportView
from app.ui.chat.said import QueuedView, WordsView
from app.ui.kit.context import Kit
from app.ui.kit.widgets.buttons import PlainButton
from app.ui.kit.widgets.labels import PlainLabel
from app.ui.kit.widgets.notice import sentence
from app.viewmodels.chat.entries import (
    Asked,
    Entry,
    MessageEntry,
    PlanCard,
    ProblemEntry,
    Queued,
    ReportEntry,
    WorkEntry,
)
from app.viewmodels.chat.refined import Fate, Refined, RefinedRow
from app.viewmodels.chat.telling import numbers_said
from app.viewmodels.texts.moments import clock_time

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


class Asks(Protocol):
    """Signals that entries emit through their list."""

    plan_wanted: SignalInstance
    reopen_wanted: SignalInstance
    iteration_wanted: SignalInstance
    chosen: SignalInstance
    send_again: SignalInstance
    put_wanted: SignalInstance
    offline_wanted: SignalInstance
    edit_wanted: SignalInstance
    back_wanted: SignalInstance
    link_wanted: SignalInstance
    offer_wanted: SignalInstance


def make_view(asks: Asks, entries: Sequence[Entry], index: int, kit: Kit) -> EntryFrame:
    """The widget of the entry at `index`, connected to the signals of `asks`."""
    entry = entries[index]
    headed = index == 0 or is_yours(entries[index - 1]) or is_yours(entry)
    match entry:
        case MessageEntry():
            words = _words(asks, entry, headed, kit)
            words.offer_wanted.connect(lambda: asks.offer_wanted.emit(index))
            return words
        case WorkEntry():
            return WorkView(kit, entry, headed, _when(entries, index))
        case PlanCard():
            card = PlanCardView(kit, entry)
            card.plan_wanted.connect(asks.plan_wanted)
            card.reopen_wanted.connect(asks.reopen_wanted)
            card.iteration_wanted.connect(asks.iteration_wanted)
            return card
        case Refined():
            refined = RefinedView(kit, entry)
            refined.back_wanted.connect(asks.reopen_wanted)
            return refined
        case Asked():
            asked = AskedView(kit, entry, headed, _when(entries, index))
            asked.chosen.connect(lambda choice: asks.chosen.emit(index, choice))
            return asked
        case Queued():
            queued = QueuedView(kit, entry, headed)
            queued.edit_wanted.connect(lambda: asks.edit_wanted.emit(index))
            queued.back_wanted.connect(lambda: asks.back_wanted.emit(index))
            return queued
        case ReportEntry():
            return ReportView(kit, entry)
        case ProblemEntry():
            problem = ProblemView(kit, entry)
            problem.send_again.connect(lambda words: asks.send_again.emit(words, entry.scope))
            problem.offline_wanted.connect(lambda words: asks.offline_wanted.emit(words, entry.scope))
            return problem


def is_yours(entry: Entry) -> bool:
    """Whether an entry is a person's request."""
    return isinstance(entry, Queued) or (isinstance(entry, MessageEntry) and entry.author == "you")


def _words(asks: Asks, words: MessageEntry, headed: bool, kit: Kit) -> WordsView:
    made = WordsView(kit, words, headed)
    made.again_wanted.connect(lambda: asks.send_again.emit(words.text, words.scope))
    made.put_wanted.connect(lambda: asks.put_wanted.emit(words))
    made.link_wanted.connect(asks.link_wanted)
    return made


def _when(entries: Sequence[Entry], index: int) -> str:
    """The time of what was said last before an entry that has none."""
    for entry in reversed(entries[:index]):
        if isinstance(entry, MessageEntry):
            return clock_time(entry.at)
    return ""
