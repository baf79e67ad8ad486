"""The effects of the chosen track, or of the master: their chain, and the settings of one."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QListView, QVBoxLayout, QWidget

from agent.song.ids import EffectId
from app.i18n import tr
from app.ui.kit.subscriptions import Subscriptions
from app.ui.kit.tasks import Coalesced
from app.ui.kit.theme import Theme
from app.ui.kit.widgets.buttons import IconButton, PlainButton
from app.ui.kit.widgets.labels import ElidedLabel, PlainLabel
from app.ui.mixer.board import Board
from app.ui.mixer.chain_model import ChainModel
from app.ui.mixer.choice_popup import ChoicePopup
from app.ui.mixer.effect_panel import EffectPanel
from app.viewmodels.edits.choices import effect_choices
from app.viewmodels.edits.effect_chain import added, chain_of, moved, owner_label, removed, switched

_Key = Qt.Key
_ENTER = (_Key.Key_Return, _Key.Key_Enter)
_DELETE = (_Key.Key_Delete, _Key.Key_Backspace)
_STEPS = {_Key.Key_Up: -1, _Key.Key_Down: 1}


class ChainList(QListView):
    """The list of effects: Enter toggles the current effect, Alt with up and down moves it, Del removes it; effects can
    be dragged.

    Signal `move_wanted` carries a row and its new index, counted without that row."""

    move_wanted = Signal(int, int)
    remove_wanted = Signal(int)

    def __init__(self, model: ChainModel, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._chain = model
        self._pressed: tuple[int, int] | None = None
        self._gap: int | None = None
        self.setModel(model)
        self.setAccessibleName(tr("Effects"))
        self.setUniformItemSizes(True)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)

    @property
    def gap(self) -> int | None:
        """The row above which a dragged effect would go; None while nothing is dragged."""
        return self._gap

    def event(self, event: QEvent) -> bool:
        """Claim the list's keys before the window's shortcuts."""
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._takes(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Handle the keys named at the class."""
        row = self.currentIndex().row()
        if not self._takes(event) or (row < 0 and self._gap is None):
            super().keyPressEvent(event)
        elif event.key() == _Key.Key_Escape:
            self._end()
        elif event.key() in _ENTER:
            self._chain.switch_wanted.emit(row)
        elif event.key() in _DELETE:
            self.remove_wanted.emit(row)
        else:
            self._move(row, row + _STEPS[_Key(event.key())])

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Select the effect under the pointer; a drag of it may begin."""
        super().mousePressEvent(event)
        row = self.indexAt(event.position().toPoint()).row()
        if row >= 0 and event.button() == Qt.MouseButton.LeftButton:
            self._pressed = row, round(event.position().y())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Show where the dragged effect would go."""
        y = round(event.position().y())
        if self._pressed is None or not event.buttons() & Qt.MouseButton.LeftButton:
            return
        if self._gap is None and abs(y - self._pressed[1]) < QApplication.startDragDistance():
            return
        self._gap = self._gap_at(y)
        self.viewport().update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Move the dragged effect; without a drag handle the click."""
        pressed, gap = self._pressed, self._gap
        self._end()
        if pressed is not None and gap is not None:
            self._move(pressed[0], gap - 1 if gap > pressed[0] else gap)
        else:
            super().mouseReleaseEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Paint the rows, and a line where a dragged effect would go."""
        super().paintEvent(event)
        if self._gap is not None:
            painter = QPainter(self.viewport())
            painter.fillRect(0, self._line(self._gap), self.viewport().width(), 2, self._theme.color("you"))
            painter.end()

    def _takes(self, event: QKeyEvent) -> bool:
        keys = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if event.key() == _Key.Key_Escape:
            return self._gap is not None
        if event.key() in _STEPS:
            return keys == Qt.KeyboardModifier.AltModifier
        return keys == Qt.KeyboardModifier.NoModifier and event.key() in (*_ENTER, *_DELETE)

    def _move(self, row: int, to: int) -> None:
        if 0 <= to < self._chain.rowCount() and to != row:
            self.move_wanted.emit(row, to)

    def _row_place(self, row: int) -> QRect:
        return self.visualRect(self._chain.index(row))

    def _gap_at(self, y: int) -> int:
        return sum(self._row_place(row).center().y() < y for row in range(self._chain.rowCount()))

    def _line(self, gap: int) -> int:
        if gap < self._chain.rowCount():
            return max(0, self._row_place(gap).top() - 1)
        return self._row_place(gap - 1).bottom() - 1

    def _end(self) -> None:
        self._pressed = self._gap = None
        self.viewport().update()


_CHAIN = 196
_SHOWN = 80


class Inspector(QWidget):
    """The effects of the board's subject; follows it and the song."""

    def __init__(self, board: Board, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._board = board
        self._wanted: EffectId | None = None
        self.setAccessibleName(tr("Effects"))
        self.title = ElidedLabel("", self, size="strong")
        self.add = PlainButton(tr("Add effect"), self, icon="plus-circle")
        self.remove = IconButton("trash", tr("Remove effect"), parent=self, size=14)
        self.up = IconButton("arrow-up", tr("Move effect up"), parent=self, size=14)
        self.down = IconButton("arrow-down", tr("Move effect down"), parent=self, size=14)
        self.nothing = PlainLabel(tr("No effects yet."), self, tone="t3")
        self.model = ChainModel(self)
        self.chain = ChainList(self.model, board.kit.theme, self)
        self.panel = EffectPanel(board, self)
        self.add.clicked.connect(self._ask_effect)
        self.remove.clicked.connect(lambda: self._remove(self._row))
        self.up.clicked.connect(lambda: self._move(self._row, self._row - 1))
        self.down.clicked.connect(lambda: self._move(self._row, self._row + 1))
        self.model.switch_wanted.connect(lambda row: board.commit(switched(self.model.links[row])))
        self.chain.move_wanted.connect(self._move)
        self.chain.remove_wanted.connect(self._remove)
        self.chain.selectionModel().currentChanged.connect(lambda *_: self._show_current())
        self._lay_out()
        self._follow = Coalesced(0, self.refresh, self, board.kit.turns)
        self._subscriptions = Subscriptions()
        self._subscriptions.add(board.subject.changed.listen(lambda _: self._other_subject()))
        self._subscriptions.add(board.opened.workspace.changed.listen(lambda _: self._follow.ask()))
        self.refresh()

    def refresh(self) -> None:
        """Update the chain from the song."""
        board, subject = self._board, self._board.subject.value
        held, row = self._current, self._row
        owner = owner_label(board.song, subject)[:_SHOWN]
        self.title.setText(tr("Effects of {owner}", owner=owner) if owner else tr("Effects"))
        self.add.setEnabled(bool(owner))
        self.add.setAccessibleName(tr("Add effect to {owner}", owner=owner) if owner else tr("Add effect"))
        self.chain.setAccessibleName(self.title.text())
        self.model.show_links(chain_of(board.song, subject, board.palette))
        count = self.model.rowCount()
        self.nothing.setVisible(not count)
        wanted = self.model.row_of(self._wanted)
        if wanted is None:
            wanted = self.model.row_of(held)
        else:
            self._wanted = None
        if wanted is None:
            wanted = min(max(row, 0), count - 1)
        self.chain.setCurrentIndex(self.model.index(wanted))
        self._show_current()

    def close_view(self) -> None:
        """Store changed parameters and end all subscriptions."""
        self._follow.drop()
        self._subscriptions.close()
        self.panel.turning.close_view()

    def add_effect(self, name: str) -> None:
        """Append an effect by its name to the chain, and select it once it is there."""
        board, subject = self._board, self._board.subject.value
        if subject is not None:
            hand, self._wanted = added(board.song, subject, board.palette.effect(name))
            board.commit(hand)

    def made_choices(self) -> ChoicePopup:
        """A pop-up list of all effects; it deletes itself."""
        popup = ChoicePopup(tr("Add effect"), effect_choices(self._board.palette), "", self)
        popup.chosen.connect(self.add_effect)
        return popup

    @property
    def _row(self) -> int:
        return self.chain.currentIndex().row()

    @property
    def _current(self) -> EffectId | None:
        row = self._row
        return self.model.links[row].effect.id if 0 <= row < len(self.model.links) else None

    def _other_subject(self) -> None:
        self.panel.turning.keep()
        self._follow.ask()

    def _show_current(self) -> None:
        row, count = self._row, self.model.rowCount()
        self.panel.show_link(self.model.links[row] if 0 <= row < count else None)
        name = self.model.links[row].label[:_SHOWN] if 0 <= row < count else tr("effect")
        self.remove.show_icon("trash", tr("Remove {effect}", effect=name), key="Del")
        self.up.show_icon("arrow-up", tr("Move {effect} up", effect=name), key="Alt+Up")
        self.down.show_icon("arrow-down", tr("Move {effect} down", effect=name), key="Alt+Down")
        self.remove.setEnabled(0 <= row < count)
        self.up.setEnabled(0 < row < count)
        self.down.setEnabled(0 <= row < count - 1)

    def _ask_effect(self) -> None:
        self.made_choices().open_at(self.add.mapToGlobal(self.add.rect().bottomLeft()))

    def _move(self, row: int, to: int) -> None:
        if 0 <= row < len(self.model.links):
            self._board.commit(moved(self.model.links, self.model.links[row], to))

    def _remove(self, row: int) -> None:
        if 0 <= row < len(self.model.links):
            self.panel.turning.cancel()
            self._board.commit(removed(self.model.links[row]))

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.setSpacing(2)
        buttons.addWidget(self.add, 1)
        for button in (self.up, self.down, self.remove):
            buttons.addWidget(button)
        left = QVBoxLayout()
        left.setContentsMargins(10, 8, 0, 8)
        left.setSpacing(6)
        left.addWidget(self.title)
        left.addWidget(self.nothing)
        left.addWidget(self.chain, 1)
        left.addLayout(buttons)
        column = QWidget(self)
        column.setLayout(left)
        column.setFixedWidth(_CHAIN)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(column)
        row.addWidget(self.panel, 1)
