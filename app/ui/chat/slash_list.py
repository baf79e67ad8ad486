"""The commands that fit what is written, over the request box, and what each does once it is chosen."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QPlainTextEdit, QWidget

from agent.song.locks import Lock, TrackLock
from app.i18n import tr
from app.ui.kit.context import Kit
from app.viewmodels.chat.entries import MessageEntry, now
from app.viewmodels.chat.slash import Slash, SlashCommand, fitting, help_text
from app.viewmodels.chat.telling import plain
from app.viewmodels.edits.locking import bars_lock, clip_locks, lock_lines, lock_said
from app.viewmodels.open_project import OpenProject


class SlashDoing:
    """Carries out slash commands. `planner` opens the menu of planners, `find` searches the conversation for a text,
    `attach` attaches the selection and returns whether there was one. `act` triggers an action of the window by its id
    and returns whether it was enabled."""

    def __init__(
        self, opened: OpenProject, kit: Kit, *, planner: Callable[[], None], find: Callable[[str], None],
        attach: Callable[[], bool], act: Callable[[str], bool],
    ) -> None:
        self._opened, self._kit = opened, kit
        self._planner, self._find, self._attach = planner, find, attach
        self._act = act

    def do(self, command: SlashCommand) -> None:
        """Carry out a command; if it is not possible now, an entry in the conversation says so."""
        slash = command.slash
        match slash.deed:
            case "action":
                if not self._act(slash.value):
                    self._say(tr("/{name} is not possible now.", name=slash.name))
            case "attach":
                if not self._attach():
                    self._say(tr("Nothing is selected. Select clips, a track or bars first."))
            case "lock" | "unlock":
                self._kit.tasks.start(self._lock(command.rest, lock=slash.deed == "lock"), "chat")
            case "planner":
                self._planner()
            case "find":
                self._find(command.rest)
            case "help":
                self._say(help_text())

    def act_by_id(self, action: str) -> None:
        """Trigger an action of the window; if it is disabled, an entry in the conversation says so."""
        if not self._act(action):
            self._say(tr("That is not possible now."))

    async def _lock(self, part: str, *, lock: bool) -> None:
        opened = self._opened
        wanted = (lock_said(part, opened.workspace.song),) if part else self._selected()
        if not wanted:
            self._say(tr("Nothing is selected. Select clips, a track or bars first."))
            return
        held = opened.locks.value
        kept = (*held, *wanted) if lock else tuple(one for one in held if one not in wanted)
        await opened.lock(kept)
        names = ", ".join(line.words for line in lock_lines(wanted, opened.workspace.song))
        self._say(tr("Locked: {what}.", what=plain(names)) if lock else tr("Not locked: {what}.", what=plain(names)))

    def _selected(self) -> Sequence[Lock]:
        focus, song = self._opened.focus, self._opened.workspace.song
        found = (*clip_locks(focus.clips.value, song), *bars_lock(focus.bars.value))
        track = focus.track.value
        return found or (() if track is None else (TrackLock(track),))

    def _say(self, words: str) -> None:
        self._opened.conversation.add(MessageEntry("bandleader", words, now()))


_ROW = 24
_MOST = 8
_EDGE = 2


class SlashList(QListWidget):
    """The slash commands that match the text; the text field keeps the keyboard. Hidden if none matches. Signal `taken`
    carries the command, and whether to send it at once."""

    taken = Signal(object, bool)

    def __init__(self, text: QPlainTextEdit, kit: Kit, parent: QWidget) -> None:
        super().__init__(parent)
        self._text, self._kit = text, kit
        self._found: tuple[Slash, ...] = ()
        self._dropped = ""
        self.setObjectName("commands")
        self.setAccessibleName(tr("Commands"))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setUniformItemSizes(True)
        self.hide()
        text.textChanged.connect(self.look)
        text.installEventFilter(self)
        self.itemClicked.connect(lambda item: self._take(self.row(item), send=True))
        self.currentRowChanged.connect(self._tell)

    def look(self) -> None:
        """Show the commands that match the text now."""
        # Only a short first line can be the beginning of a command; a long request is not looked at.
        document = self._text.document()
        begun = document.firstBlock().text() if document.blockCount() == 1 and document.characterCount() < 40 else ""
        found = fitting(begun) if begun != self._dropped else ()
        self._dropped = "" if begun != self._dropped else self._dropped
        if found != self._found:
            self._found = found
            self.clear()
            for one in found:
                item = QListWidgetItem(f"/{one.name}{f' {one.takes}' if one.takes else ''}  –  {one.about}")
                item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{one.name}: {one.about}")
                item.setToolTip(one.about)
                item.setSizeHint(QSize(0, _ROW))
                self.addItem(item)
            self.setCurrentRow(0)
        self.setVisible(bool(found))
        self.place()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Paint a border, which separates the list from the messages behind it."""
        super().paintEvent(event)
        painter = QPainter(self.viewport())
        painter.setPen(self._kit.theme.color("line3"))
        painter.drawRect(self.viewport().rect().adjusted(0, 0, -1, -1))
        painter.end()

    def place(self) -> None:
        """Move above the request box."""
        if not self.isVisible():
            return
        box = self._text.parentWidget() or self._text
        high = _ROW * min(len(self._found), _MOST) + 2 * _EDGE
        over = self.parentWidget()
        if over is None:
            return
        at = box.mapTo(over, box.rect().topLeft())
        self.setGeometry(at.x(), max(0, at.y() - high - _EDGE), box.width(), min(high, max(_ROW, at.y() - _EDGE)))
        self.raise_()

    def eventFilter(self, watched: object, event: QEvent) -> bool:  # noqa: N802, ARG002 - Qt's name
        """Handle keys of the text field that choose here while the list is shown."""
        if self.isVisible() and isinstance(event, QKeyEvent):
            kind = event.type()
            if kind is QEvent.Type.ShortcutOverride and event.key() == Qt.Key.Key_Escape:
                # Else the window would take it for the way back to the timeline.
                event.accept()
                return True
            if kind is QEvent.Type.KeyPress:
                return self._pressed(event)
        return False

    def _pressed(self, event: QKeyEvent) -> bool:
        key = event.key()
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return False
        if key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            step = 1 if key == Qt.Key.Key_Down else -1
            self.setCurrentRow((self.currentRow() + step) % self.count())
        elif key == Qt.Key.Key_Escape:
            self._dropped = self._text.toPlainText()
            self.look()
        elif key == Qt.Key.Key_Tab:
            self._take(self.currentRow(), send=False)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._take(self.currentRow(), send=True)
        else:
            return False
        return True

    def _take(self, row: int, *, send: bool) -> None:
        slash = self._found[row]
        self.taken.emit(slash, send and not slash.needs)

    def _tell(self, row: int) -> None:
        told = self._found[row] if 0 <= row < len(self._found) else None
        self._text.setAccessibleDescription("" if told is None else f"/{told.name}: {told.about}")
