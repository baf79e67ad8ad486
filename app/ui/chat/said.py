"""What was said: requests on blue, also those that wait for their turn, and Bandleader's answers as Markdown."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QVBoxLayout

from app.i18n import tr
from app.ui.chat.clause_marks import UnderlinedWords
from app.ui.chat.details import Details
from app.ui.chat.long_words import LONG, LONGEST_ANSWER, LongWords, WholeText
from app.ui.chat.parts import (
    BUBBLE_SIDE,
    BUBBLE_TOP,
    CARD_SIDE,
    CHAT_TEXT,
    CHIP_BUTTON,
    GAP,
    NOTE_ICON,
    EntryFrame,
    IconLabel,
    Paragraph,
    attached_line,
    author_line,
    note_line,
    wrapped,
)
from app.ui.kit.context import Kit
from app.ui.kit.icons import icon
from app.ui.kit.links import ask_to_open
from app.ui.kit.markdown import LINK, code_blocks, link_number, to_html
from app.ui.kit.theme import font
from app.ui.kit.widgets.buttons import IconButton, PlainButton
from app.ui.kit.widgets.labels import ElidedLabel
from app.viewmodels.chat.clauses import accessible_clauses
from app.viewmodels.chat.entries import MessageEntry, Queued
from app.viewmodels.chat.links import link_words, linked
from app.viewmodels.texts.moments import clock_time

_CARET = "▋"
EDIT_BUTTON, EDIT_ICON = 20, 12
MOST_CODES = 9
"""Code blocks of one message that the menu lists."""


class WordsView(EntryFrame):
    """A message: a person's on blue, Bandleader's as Markdown, with a caret while it is streamed. `headed` shows the
    author above it."""

    again_wanted = Signal()
    put_wanted = Signal()
    """Emitted when the request is to be put back into the box."""
    link_wanted = Signal(object)
    """Emitted with a link of an answer that was clicked."""
    offer_wanted = Signal()
    """Emitted when the answer's button was pressed."""

    def __init__(self, kit: Kit, words: MessageEntry, headed: bool) -> None:
        yours = words.author == "you"
        when = clock_time(words.at)
        super().__init__(kit, f"{tr('You') if yours else 'Bandleader'}{f', {when}' if when else ''}", _all_of(words))
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
            bubble = _Bubble(self, words)
            self.label = bubble.label
            if words.note:
                bubble.inside.addLayout(note_line(kit, tr(words.note)))
            self.column.addWidget(bubble)
        else:
            self.label = Paragraph()
            self.label.setTextFormat(Qt.TextFormat.RichText)
            self.label.linkActivated.connect(self._follow)
            self.column.addWidget(self.label)
            self.whole = WholeText(lambda: self._words.text)
            self.column.addWidget(self.whole)
            self.details: Details | None = None
            self._more: Paragraph | None = None
            self.offer_button: PlainButton | None = None
            self._noted = ""
            self._show_offer()
            self._offer_details()
            kit.theme.changed.connect(self._write)
            self.label.setFont(font(CHAT_TEXT))
            self._write()

    def show_words(self, words: MessageEntry) -> None:
        """Update the widget to a longer state of the same message."""
        self._words = words
        self.copied = _all_of(words)
        self.setAccessibleDescription(words.text[:2000])
        self._show_offer()
        self._offer_details()
        self._write()

    def activate(self) -> None:
        """Put a person's request back into the box; for an answer carry out its offer, follow its first link, or show
        its details."""
        if self._words.author == "you":
            self.put_wanted.emit()
        elif self._words.offer is not None:
            self.offer_wanted.emit()
        elif self._words.links:
            self.link_wanted.emit(self._words.links[0])
        elif self.details is not None:
            self.details.button.toggle()

    def _follow(self, target: str) -> None:
        number = link_number(target, len(self._words.links))
        if number is None:
            ask_to_open(target, self)
        else:
            self.link_wanted.emit(self._words.links[number])

    def _show_offer(self) -> None:
        """The button as long as it can be pressed, then what came of it."""
        offer, note = self._words.offer, self._words.note
        if self.offer_button is not None:
            if self.offer_button.hasFocus():
                # Qt would look for another place for the focus, and scroll there
                self.setFocus()
            self.offer_button.hide()
            self.offer_button.deleteLater()
            self.offer_button = None
        if offer is not None:
            self.offer_button = PlainButton(offer.label)
            self.offer_button.clicked.connect(self.offer_wanted)
            self.column.addWidget(self.offer_button, 0, Qt.AlignmentFlag.AlignLeft)
        if note and note != self._noted:
            self._noted = note
            self.column.addLayout(note_line(self.kit, tr(note)))
            self.setAccessibleDescription(f"{self._words.text[:2000]}. {tr(note)}")

    def _offer_details(self) -> None:
        if self._words.details and self.details is None:
            self.details = Details(tr("Details"), tr("Show the details"), tr("Hide the details"), self._detailed)
            self.column.addWidget(self.details)

    def _detailed(self) -> Paragraph:
        self._more = more = Paragraph()
        more.setTextFormat(Qt.TextFormat.RichText)
        more.linkActivated.connect(lambda target: ask_to_open(target, self))
        more.setContentsMargins(CARD_SIDE, 0, 0, 2)
        self._write_more()
        return more

    def _write_more(self) -> None:
        if self._more is not None:
            self._more.setText(to_html(self._words.details[:LONGEST_ANSWER], self.kit.theme.tokens))

    def menu(self) -> QMenu:
        """The context menu: copy the message, its code or the whole answer; send or edit a request again."""
        menu = super().menu()
        if self._words.author == "you":
            menu.addSeparator()
            menu.addAction(icon("pencil-simple"), tr("Edit and send again"), self.put_wanted.emit)
            menu.addAction(icon("arrow-clockwise"), tr("Send again"), self.again_wanted.emit)
            return menu
        menu.addAction(icon("copy"), tr("Copy the whole answer"), self.answer_wanted.emit)
        for link in self._words.links:
            words = tr("Show {what}", what=link_words(link).replace("&", "&&"))
            menu.addAction(icon("arrow-right"), words, lambda link=link: self.link_wanted.emit(link))
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
        self._write_more()
        links = self._words.links
        html = to_html(linked(f"{shown} …" if cut else shown, links, LINK), tokens, len(links))
        if self._words.growing:
            caret = f'<span style="color: {tokens.agent}">{_CARET}</span>'
            at = html.rfind("</")
            html = html[:at] + caret + html[at:] if at >= 0 else html + caret
        self.label.setText(html)


def _all_of(words: MessageEntry) -> str:
    """What copying takes, also of what is folded."""
    return "\n\n".join(part for part in (words.text, words.details) if part)


class QueuedView(EntryFrame):
    """A request that waits for its turn, with buttons to edit it or take it back. `headed` shows the author above
    it."""

    edit_wanted = Signal()
    """Emitted when it is to be taken back and edited."""
    back_wanted = Signal()

    def __init__(self, kit: Kit, queued: Queued, headed: bool) -> None:
        when = clock_time(queued.at)
        note = tr(queued.note) if queued.note else tr("Waits for its turn")
        super().__init__(kit, tr("You, {when}. {note}", when=when, note=note), queued.text)
        if headed:
            self.column.addLayout(author_line(kit, True, when))
        bubble = _Bubble(self, queued)
        row = QHBoxLayout()
        row.setSpacing(GAP)
        row.addWidget(IconLabel(kit, "hourglass", "t3", NOTE_ICON))
        row.addWidget(ElidedLabel(note, tone="t2", size="small"), 1)
        bubble.inside.addLayout(row)
        row = QHBoxLayout()
        row.setSpacing(GAP)
        self.edit_button = PlainButton(
            tr("Edit"), tip=tr("Take the request back and write it anew"), name=tr("Edit this request")
        )
        self.back_button = PlainButton(
            tr("Take back"), tip=tr("Let it wait no more"), name=tr("Take this request back")
        )
        self.edit_button.clicked.connect(self.edit_wanted)
        self.back_button.clicked.connect(self.back_wanted)
        for button in (self.edit_button, self.back_button):
            button.setFixedHeight(CHIP_BUTTON)
            row.addWidget(button)
        row.addStretch()
        bubble.inside.addLayout(row)
        self.column.addWidget(bubble)

    def activate(self) -> None:
        """Emit `edit_wanted`."""
        self.edit_wanted.emit()


class _Bubble(QFrame):
    """A person's words on blue, and what they were bound to; the entry around it is described by both."""

    def __init__(self, entry: EntryFrame, said: MessageEntry | Queued) -> None:
        super().__init__()
        self.setProperty("card", "you")
        self.inside = QVBoxLayout(self)
        self.inside.setContentsMargins(BUBBLE_SIDE, BUBBLE_TOP, BUBBLE_SIDE, BUBBLE_TOP)
        long = LongWords(said.text) if len(said.text) > LONG else None
        clauses = said.clauses if isinstance(said, MessageEntry) else ()
        if long is not None:
            self.label = long.label
        else:
            self.label = UnderlinedWords(entry.kit, said.text, clauses) if clauses else wrapped(said.text)
        self.label.setFont(font(CHAT_TEXT))
        self.inside.addWidget(self.label if long is None else long)
        if said.attached:
            self.inside.addLayout(attached_line(entry.kit, said.attached))
        accessible = (said.text[:2000], ", ".join(said.attached), accessible_clauses(clauses))
        entry.setAccessibleDescription(". ".join(filter(None, accessible)))
