"""What entries of the conversation are made of: icons, lines of text, folds, and the frame that takes focus."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFont, QGuiApplication, QKeyEvent, QKeySequence, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QMenu, QSizePolicy, QVBoxLayout, QWidget

from app.i18n import tr
from app.ui.chat.words import breakable
from app.ui.kit.context import Kit
from app.ui.kit.icons import icon
from app.ui.kit.style import draw_focus
from app.ui.kit.theme import font
from app.ui.kit.widgets.buttons import FocusedToolButton, PlainButton
from app.ui.kit.widgets.chip import Chip
from app.ui.kit.widgets.labels import PlainLabel

GAP = 6
ICON = 14
NOTE_ICON = 12
WORK_HEIGHT = 20
FOLD_HEIGHT = 20
CARD_SIDE = 10
BUBBLE_SIDE = 10
BUBBLE_TOP = 7
AUTHOR_TEXT = 11
CHAT_TEXT = 12.5
CHIP_BUTTON = 22
MOST_CHIPS = 3
"""Chips shown in one line; further ones are counted."""
_WIDTHS = 8
WIDEST_LINE = 600
"""Pixels at which lines of text stop growing: about 72 characters."""


class IconLabel(QLabel):
    """An icon of `size` pixels in the colour of `token`; follows the theme."""

    def __init__(self, kit: Kit, name: str, token: str, size: int = ICON) -> None:
        super().__init__()
        self._kit, self._size = kit, size
        self.setFixedSize(size, size)
        self.show_icon(name, token)
        kit.theme.changed.connect(self._renew)

    def show_icon(self, name: str, token: str) -> None:
        """Set icon and colour token."""
        self._icon = icon(name, token, self._size)
        self._renew()

    def _renew(self) -> None:
        self.setPixmap(self._icon.pixmap(QSize(self._size, self._size), self.devicePixelRatioF()))


class Paragraph(PlainLabel):
    """Wrapped text that never widens its parent and takes only the height that it needs; `tone` and `size` are its
    colour and font size in the theme."""

    def __init__(self, text: str = "", *, tone: str = "", size: str = "") -> None:
        self._heights: dict[int, int] = {}
        super().__init__(text, tone=tone, size=size)
        _settle(self)

    def setText(self, text: str) -> None:  # noqa: N802 - Qt's name
        """Set the text and forget the cached heights."""
        self._heights.clear()
        super().setText(text)

    def setFont(self, font: QFont | str | Sequence[str]) -> None:  # noqa: N802 - Qt's name
        """Set the font and forget the cached heights."""
        self._heights.clear()
        super().setFont(font)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Forget the cached heights."""
        self._heights.clear()
        super().changeEvent(event)

    def heightForWidth(self, width: int) -> int:  # noqa: N802 - Qt's name
        """The height in pixels, cached by width: Qt asks every entry again whenever one of them changes."""
        if width not in self._heights:
            if len(self._heights) > _WIDTHS:
                self._heights.clear()
            self._heights[width] = super().heightForWidth(width)
        return self._heights[width]

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """The size of one line: the real height follows from the width."""
        return QSize(1, self.fontMetrics().height())

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """As `minimumSizeHint`."""
        return self.minimumSizeHint()


def wrapped(text: str, tone: str = "", size: str = "") -> Paragraph:
    """A paragraph of plain text in which overlong words may break; `tone` and `size` are its colour and font size in
    the theme."""
    return Paragraph(breakable(text), tone=tone, size=size)


def _settle(label: QLabel) -> None:
    """Let text be selected, never widen the conversation, and leave the context menu to the entry."""
    label.setWordWrap(True)
    label.setTextInteractionFlags(
        Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.LinksAccessibleByMouse
    )
    label.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    label.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
    label.setMaximumWidth(WIDEST_LINE)
    policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
    policy.setHeightForWidth(True)
    label.setSizePolicy(policy)


class Fold(QWidget):
    """A line with a caret that shows and hides lines of text."""

    def __init__(self, title: str, lines: tuple[str, ...]) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        self.button = FocusedToolButton()
        self.button.setText(f"{title} ({len(lines)})")
        self.button.setCheckable(True)
        self.button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.button.setIcon(icon("caret-right", "t3", ICON))
        self.button.setIconSize(QSize(10, 10))
        self.button.setFixedHeight(FOLD_HEIGHT)
        self.button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.button.setAccessibleName(tr("Show {title}", title=f"{title[0].lower()}{title[1:]}"))
        self.button.setToolTip(tr("Show or hide"))
        self.button.toggled.connect(self._turn)
        column.addWidget(self.button)
        self.body = wrapped("\n".join(f"· {line}" for line in lines), tone="t2", size="small")
        self.body.setContentsMargins(ICON, 0, 0, 2)
        self.body.hide()
        column.addWidget(self.body)

    def _turn(self, shown: bool) -> None:
        self.body.setVisible(shown)
        self.button.setIcon(icon("caret-down" if shown else "caret-right", "t3", ICON))


class EntryFrame(QFrame):
    """The frame of one entry. `copied` is the text that Ctrl+C copies; Enter calls `activate`."""

    moved = Signal(int)
    """Emitted by arrow keys with the number of entries to move by."""
    answer_wanted = Signal()
    """Emitted when the whole answer that this entry belongs to is to be copied."""

    def __init__(self, kit: Kit, name: str, copied: str) -> None:
        super().__init__()
        self.kit = kit
        self.copied = copied
        self.marked = False
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setAccessibleName(name)
        self.setAccessibleDescription(copied[:2000])
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(2, 4, 2, 4)
        self.column.setSpacing(GAP)

    def activate(self) -> None:
        """Carry out the first action of the entry; nothing unless a subclass overrides it."""

    def copy(self) -> None:
        """Copy the selected text, or the whole entry, to the clipboard."""
        chosen = next((label.selectedText() for label in self.findChildren(QLabel) if label.hasSelectedText()), "")
        QGuiApplication.clipboard().setText(chosen.replace("\u2029", "\n").replace("\u200b", "") or self.copied)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Arrow keys move between entries, Enter activates the entry, Ctrl+C copies it."""
        key = event.key()
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_Home: -10**6, Qt.Key.Key_End: 10**6}
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif key in steps:
            self.moved.emit(steps[Qt.Key(key)])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers():
            self.activate()
        else:
            super().keyPressEvent(event)

    def mark(self, marked: bool) -> None:
        """Show or remove the ring around an entry that was searched for."""
        if marked != self.marked:
            self.marked = marked
            self.update()

    def menu(self) -> QMenu:
        """The entry's context menu."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(icon("copy"), tr("Copy message"), QKeySequence.StandardKey.Copy, self.copy)
        return menu

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802 - Qt's name
        """Open the context menu."""
        self.menu().popup(event.globalPos())

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Paint the focus ring, also around a marked entry."""
        super().paintEvent(event)
        if self.hasFocus() or self.marked:
            painter = QPainter(self)
            draw_focus(painter, QRectF(self.rect()), self.kit.theme.tokens)
            painter.end()


def attached_line(kit: Kit, attached: Sequence[str]) -> QHBoxLayout:
    """Chips for what a request was bound to."""
    row = QHBoxLayout()
    row.setContentsMargins(0, 2, 0, 0)
    row.setSpacing(GAP - 2)
    for words in attached[:MOST_CHIPS]:
        row.addWidget(Chip(kit, words, icon_name="paperclip"))
    if len(attached) > MOST_CHIPS:
        row.addWidget(PlainLabel(tr("and {count} more", count=len(attached) - MOST_CHIPS), tone="t3", size="small"))
    row.addStretch()
    return row


def author_line(kit: Kit, yours: bool, when: str) -> QHBoxLayout:
    """Icon and name of the author, and the time on the right; `yours`: the author is the person."""
    row = QHBoxLayout()
    row.setContentsMargins(0, 4, 0, 0)
    row.setSpacing(GAP)
    row.addWidget(IconLabel(kit, "user" if yours else "baton", "you" if yours else "agent"))
    name = PlainLabel(tr("You") if yours else "Bandleader", tone="t2")
    name.setFont(font(AUTHOR_TEXT, 600))
    row.addWidget(name)
    row.addStretch()
    row.addWidget(PlainLabel(when, tone="t3", size="small"))
    return row


def note_line(kit: Kit, note: str) -> QHBoxLayout:
    """A small line with a check mark: what became of a request."""
    row = QHBoxLayout()
    row.setContentsMargins(0, 2, 0, 0)
    row.setSpacing(GAP - 2)
    row.addWidget(IconLabel(kit, "check", "ok", NOTE_ICON))
    row.addWidget(PlainLabel(note, tone="t3", size="small"), 1)
    return row


def work_line(kit: Kit, what: str, result: str) -> QWidget:
    """A line with a check mark: what was done while planning, and its result on the right."""
    line = QWidget()
    line.setMinimumHeight(WORK_HEIGHT)
    row = QHBoxLayout(line)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(GAP)
    row.addWidget(IconLabel(kit, "check", "ok"))
    row.addWidget(wrapped(what, tone="t2"), 1)
    row.addWidget(PlainLabel(result, tone="t3", size="small"))
    return line


def small_button(button: PlainButton, name: str, token: str) -> PlainButton:
    """The button, made as low as a chip, with an icon in the colour of `token`."""
    button.setFixedHeight(CHIP_BUTTON)
    button.setIcon(icon(name, token, NOTE_ICON))
    return button
