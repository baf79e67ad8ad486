"""Each kind of entry as a small widget."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QVBoxLayout

from app.desktop.conversation import Asked, PlanCard, Problem, Queued, Words, Work
from app.desktop.moments import clock_time
from app.ui.chat.long_words import LONG, LONGEST_ANSWER, LongWords, WholeText
from app.ui.chat.parts import (
    BUBBLE_SIDE,
    BUBBLE_TOP,
    CARD_SIDE,
    CHAT_TEXT,
    GAP,
    EntryFrame,
    Fold,
    Mark,
    Paragraph,
    attached_line,
    author_line,
    note_line,
    work_line,
    wrapped,
)
from app.ui.kit.context import Kit
from app.ui.kit.icons import icon
from app.ui.kit.links import ask_to_open
from app.ui.kit.markdown import code_blocks, to_html
from app.ui.kit.theme import font
from app.ui.kit.widgets.buttons import IconButton, PlainButton
from app.ui.kit.widgets.labels import ElidedLabel
from app.ui.kit.widgets.notice import sentence
from app.words import tr, trn

_CARET = "▋"
EDIT_BUTTON, EDIT_ICON = 20, 12
MOST_CODES = 9
"""Pieces of code of one message that the menu names."""
CHIP_BUTTON = 22


class WordsView(EntryFrame):
    """Something said: a person's on blue, Bandleader's as Markdown with a caret while it grows."""

    again_wanted = Signal()
    put_wanted = Signal()
    """The request goes back into the box, to be written anew."""

    def __init__(self, kit: Kit, words: Words, headed: bool) -> None:
        yours = words.author == "you"
        when = clock_time(words.at)
        super().__init__(kit, f"{tr('You') if yours else 'Bandleader'}{f', {when}' if when else ''}", words.text)
        self._words = words
        self._written: object = None
        if headed:
            head = author_line(kit, yours, when)
            self.column.addLayout(head)
            if yours:
                self.edit_button = IconButton(
                    "pencil-simple", tr("Edit this request"), tr("Write this request anew; what was said stays"),
                    size=EDIT_ICON,
                )
                self.edit_button.setFixedSize(EDIT_BUTTON, EDIT_BUTTON)
                self.edit_button.clicked.connect(self.put_wanted)
                head.addWidget(self.edit_button)
        if yours:
            bubble = QFrame()
            bubble.setProperty("card", "you")
            inside = QVBoxLayout(bubble)
            inside.setContentsMargins(BUBBLE_SIDE, BUBBLE_TOP, BUBBLE_SIDE, BUBBLE_TOP)
            long = LongWords(words.text) if len(words.text) > LONG else None
            self.label = wrapped(words.text) if long is None else long.label
            inside.addWidget(self.label if long is None else long)
            if words.attached:
                inside.addLayout(attached_line(kit, words.attached))
                self.setAccessibleDescription(f"{words.text[:2000]}. {', '.join(words.attached)}")
            if words.note:
                inside.addLayout(note_line(kit, tr(words.note)))
            self.column.addWidget(bubble)
        else:
            self.label = Paragraph()
            self.label.setTextFormat(Qt.TextFormat.RichText)
            self.label.linkActivated.connect(lambda target: ask_to_open(target, self))
            self.column.addWidget(self.label)
            self.whole = WholeText(lambda: self._words.text)
            self.column.addWidget(self.whole)
            kit.theme.changed.connect(self._write)
            self._write()

        self.label.setFont(font(CHAT_TEXT))

    def show_words(self, words: Words) -> None:
        """The same message with more words."""
        self._words = words
        self.copied = words.text
        self.setAccessibleDescription(words.text[:2000])
        self._write()

    def activate(self) -> None:
        """Write a person's request anew."""
        if self._words.author == "you":
            self.put_wanted.emit()

    def menu(self) -> QMenu:
        """Copy it, its code or the whole answer; a request is sent again or written anew."""
        menu = super().menu()
        if self._words.author == "you":
            menu.addSeparator()
            menu.addAction(icon("pencil-simple"), tr("Edit and send again"), self.put_wanted.emit)
            menu.addAction(icon("arrow-clockwise"), tr("Send again"), self.again_wanted.emit)
            return menu
        menu.addAction(icon("copy"), tr("Copy the whole answer"), self.answer_wanted.emit)
        for at, code in enumerate(code_blocks(self._words.text)[:MOST_CODES], 1):
            words = tr("Copy code") if at == 1 else tr("Copy code {number}", number=at)
            menu.addAction(icon("copy"), words, lambda code=code: QGuiApplication.clipboard().setText(code))
        return menu

    def _write(self) -> None:
        tokens = self.kit.theme.tokens
        shown = self._words.text[:LONGEST_ANSWER]
        cut = len(self._words.text) > LONGEST_ANSWER
        self.whole.tell(len(self._words.text) if cut else 0)
        if (shown, cut, self._words.growing, tokens) == self._written:
            return
        self._written = (shown, cut, self._words.growing, tokens)
        html = to_html(f"{shown} …" if cut else shown, tokens)
        if self._words.growing:
            caret = f'<span style="color: {tokens.agent}">{_CARET}</span>'
            at = html.rfind("</")
            html = html[:at] + caret + html[at:] if at >= 0 else html + caret
        self.label.setText(html)


class QueuedView(EntryFrame):
    """A request that waits for its turn, with two ways to change one's mind."""

    edit_wanted = Signal(str, str)
    """The run of the request, and its words."""
    back_wanted = Signal(str)

    def __init__(self, kit: Kit, queued: Queued, headed: bool) -> None:
        when = clock_time(queued.at)
        note = tr(queued.note) if queued.note else tr("Waits for its turn")
        super().__init__(kit, tr("You, {when}. {note}", when=when, note=note), queued.text)
        self._queued = queued
        if headed:
            self.column.addLayout(author_line(kit, True, when))
        bubble = QFrame()
        bubble.setProperty("card", "you")
        inside = QVBoxLayout(bubble)
        inside.setContentsMargins(BUBBLE_SIDE, BUBBLE_TOP, BUBBLE_SIDE, BUBBLE_TOP)
        label = wrapped(queued.text)
        label.setFont(font(CHAT_TEXT))
        inside.addWidget(label)
        row = QHBoxLayout()
        row.setSpacing(GAP)
        row.addWidget(Mark(kit, "hourglass", "t3", 12))
        row.addWidget(ElidedLabel(note, tone="t2", size="small"), 1)
        self.edit_button = PlainButton(
            tr("Edit"), tip=tr("Take the request back and write it anew"), name=tr("Edit this request")
        )
        self.back_button = PlainButton(
            tr("Take back"), tip=tr("Let it wait no more"), name=tr("Take this request back")
        )
        self.edit_button.clicked.connect(lambda: self.edit_wanted.emit(queued.run, queued.text))
        self.back_button.clicked.connect(lambda: self.back_wanted.emit(queued.run))
        for button in (self.edit_button, self.back_button):
            button.setFixedHeight(CHIP_BUTTON)
            row.addWidget(button)
        inside.addLayout(row)
        self.column.addWidget(bubble)

    def activate(self) -> None:
        """Write it anew."""
        self.edit_wanted.emit(self._queued.run, self._queued.text)


class WorkView(EntryFrame):
    """A line of work that was done while planning."""

    def __init__(self, kit: Kit, work: Work, headed: bool, when: str) -> None:
        super().__init__(kit, f"{work.what}: {work.result}" if work.result else work.what, work.what)
        self.column.setSpacing(0)
        self.column.setContentsMargins(2, 0, 2, 0)
        if headed:
            self.column.addLayout(author_line(kit, False, when))
        self.column.addWidget(work_line(kit, work.what, work.result))


class PlanView(EntryFrame):
    """A plan: what it is called and how large it is; after its run what became of it."""

    plan_wanted = Signal(object)
    iteration_wanted = Signal(str)

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
        head.addWidget(Mark(kit, "list-checks", "agent", 16))
        said = QVBoxLayout()
        said.setSpacing(1)
        said.addWidget(ElidedLabel(card.title, size="strong"))
        self.about = ElidedLabel("", tone="t3", size="small")
        said.addWidget(self.about)
        head.addLayout(said, 1)
        self.button = PlainButton(
            tr("Show plan"), tip=tr("Show this plan in the table"), name=tr("Show plan {title}", title=card.title)
        )
        self.button.clicked.connect(self.activate)
        head.addWidget(self.button)
        inside.addLayout(head)
        for title, lines in ((tr("What I understood"), card.understood), (tr("What I left out"), card.ignored)):
            if lines:
                inside.addWidget(Fold(title, lines))
        self.column.addWidget(frame)
        self._chips: QHBoxLayout | None = None
        self.tell("")

    def activate(self) -> None:
        """Show the plan, or the run that came of it."""
        if self.button.isVisibleTo(self):
            self.plan_wanted.emit(self._card.run)

    def tell(self, approved: str, iteration: str = "") -> None:
        """How many steps are approved while it is under review, and the name of the iteration after its run."""
        card = self._card
        tracks = [trn("{count} track", "{count} tracks", card.tracks)] if card.tracks else []
        state = [tr("discarded")] if card.discarded else [approved] if approved else []
        self.about.setText(" · ".join([trn("{count} step", "{count} steps", card.steps), *state, *tracks]))
        self.button.setVisible(card.run is not None or bool(approved))
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
        self._chips.addWidget(_small(done, mark, token))
        if iteration and self._card.iteration is not None:
            made = PlainButton(iteration, tip=tr("Show this iteration in the history"))
            made.clicked.connect(lambda: self.iteration_wanted.emit(self._card.iteration))
            self._chips.addWidget(_small(made, "clock-counter-clockwise", "t2"))
        self._chips.addStretch()


class AskedView(EntryFrame):
    """A question with its choices, until one was taken."""

    chosen = Signal(object)

    def __init__(self, kit: Kit, asked: Asked, headed: bool, when: str) -> None:
        super().__init__(kit, tr("Question: {text}", text=asked.question.text), asked.question.text)
        if headed:
            self.column.addLayout(author_line(kit, False, when))
        self.column.addWidget(wrapped(asked.question.text))
        self.buttons = []
        for choice in asked.question.choices:
            button = PlainButton(choice.label, tip=choice.request)
            button.setEnabled(not asked.answered)
            if choice.label == asked.answered:
                _small(button, "check", "ok")
            button.clicked.connect(lambda _=False, choice=choice: self.chosen.emit(choice))
            self.buttons.append(button)
            self.column.addWidget(button)

    def activate(self) -> None:
        """Go to the first choice."""
        if self.buttons:
            self.buttons[0].setFocus(Qt.FocusReason.TabFocusReason)


class ProblemView(EntryFrame):
    """What happened, why, what to do; and the request to send again."""

    send_again = Signal(str)
    offline_wanted = Signal(str)

    def __init__(self, kit: Kit, problem: Problem) -> None:
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
        head.addWidget(Mark(kit, "x-circle-fill", "bad"), 0, Qt.AlignmentFlag.AlignTop)
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


def _small(button: PlainButton, name: str, token: str) -> PlainButton:
    """A button as low as a chip, with its own icon colour."""
    button.setFixedHeight(CHIP_BUTTON)
    button.setIcon(icon(name, token, 12))
    return button

