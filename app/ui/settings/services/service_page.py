"""What the pages of services share: a table with its buttons, what is missing, and one thing at a time that is waited
for."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLineEdit, QSizePolicy, QVBoxLayout, QWidget

from agent.errors import BandleaderError
from app.desktop.texts.fixes import Told, for_window
from app.ui.kit.context import Kit
from app.ui.kit.subscriptions import Subscriptions
from app.ui.kit.widgets.buttons import PlainButton
from app.ui.kit.widgets.labels import PlainLabel
from app.ui.settings.parts import GAP, Page, ResultLabel, paragraph
from app.ui.settings.services.row_table import Row, RowTable
from app.ui.settings.working import Working
from app.words import tr

T = TypeVar("T")


class ServicePage(Page):
    """A page over a list. Rooms override `look`; `close_page` ends all that it waits for and listens to.

    `advice` is what to do about an error that gives none.
    """

    advice = ""

    def __init__(self, kit: Kit, title: str, about: str) -> None:
        super().__init__(title, about)
        self.kit = kit
        self.subscriptions = Subscriptions()
        self.working = Working(kit)
        self.missing = ResultLabel(kit)
        self.column.addWidget(self.missing)

    def look(self) -> None:
        """Show what is so now; called whenever the person turns to this page."""

    def wipe(self) -> None:
        """Leave no secret in any field; called when the person turns to another page."""

    def close_page(self) -> None:
        """Leave no secret behind, wait for nothing and listen to nothing."""
        self.wipe()
        self.working.close_part()
        self.subscriptions.close()

    def work(
        self, words: str, work: Callable[[], Awaitable[T]], done: Callable[[T], None],
        failed: Callable[[BandleaderError], None] = lambda _: None,
    ) -> None:
        """Wait for work; what goes wrong is told in the words of the window."""

        def tell(error: BandleaderError) -> bool:
            self.working.said.tell_error(for_window(error, self.advice))
            failed(error)
            return True

        self.working.start(words, work, done, tell)

    def tell_missing(self, missing: Told | None) -> None:
        """Say what must be installed first."""
        if missing is None:
            self.missing.clear()
        else:
            self.missing.tell_error(missing)

    def add_table(self, table: RowTable, empty: str) -> PlainLabel:
        """A table, and words in its place while it has no rows."""
        label = paragraph(empty, "t3")
        self.column.addWidget(table)
        self.column.addWidget(label)
        return label


def show_in(table: RowTable, empty: PlainLabel, rows: list[Row], wanted: str = "") -> None:
    """Show rows, or the words that stand for none."""
    table.setVisible(bool(rows))
    empty.setVisible(not rows)
    table.show_rows(rows, wanted)


class Panel(QWidget):
    """A part of a page that can be shown and hidden, with rows of widgets."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, GAP, 0, 0)
        self.column.setSpacing(GAP)

    def row(self, *widgets: QWidget, stretch: int = 0) -> QWidget:
        """Widgets side by side that can be hidden together; the one at `stretch` takes the room, with -1 none."""
        held = QWidget()
        line = QHBoxLayout(held)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(GAP)
        for at, widget in enumerate(widgets):
            line.addWidget(widget, 1 if at == stretch else 0)
        if stretch < 0:
            line.addStretch()
        self.column.addWidget(held)
        return held

    def field(self, words: str, *widgets: QWidget, stretch: int = 0) -> QWidget:
        """A name before a row of widgets."""
        label = PlainLabel(words, tone="t2")
        label.setFixedWidth(_LABEL)
        label.setMinimumHeight(_LABEL_HEIGHT)
        made = self.row(label, *widgets, stretch=stretch + 1)
        layout = made.layout()
        if layout is not None:
            layout.setAlignment(label, Qt.AlignmentFlag.AlignTop)
        return made


_LABEL, _LABEL_HEIGHT = 124, 24
_RESTLESS = ("/proc", "/sys", "/dev")


def line_edit(name: str, hint: str = "", most: int = 1000, tip: str = "") -> QLineEdit:
    """A field of one line with its accessible name."""
    made = QLineEdit()
    made.setAccessibleName(name)
    made.setPlaceholderText(hint)
    made.setMaxLength(most)
    made.setToolTip(tip or name)
    return made


def secret_edit(name: str, hint: str, tip: str) -> QLineEdit:
    """A field whose content is never shown."""
    made = line_edit(name, hint, 4096, tip)
    made.setEchoMode(QLineEdit.EchoMode.Password)
    made.setInputMethodHints(made.inputMethodHints() | Qt.InputMethodHint.ImhSensitiveData)
    return made


class PathField(QWidget):
    """A path that is typed or chosen from a dialog, which leaves the window usable."""

    def __init__(self, name: str, hint: str, *, folder: bool = True) -> None:
        super().__init__()
        self._name, self._folder = name, folder
        self.edit = line_edit(name, hint, 4096)
        self.choose = PlainButton(tr("Choose…"), tip=tr("Choose: {name}", name=name),
                                  name=tr("Choose {name}", name=name))
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(GAP)
        line.addWidget(self.edit, 1)
        line.addWidget(self.choose)
        self.setFocusProxy(self.edit)
        self.choose.clicked.connect(self._ask)

    @property
    def path(self) -> str:
        """What is written."""
        return self.edit.text().strip()

    def _ask(self) -> None:
        # Qt's dialog never comes to rest where files come and go all the time.
        start = "" if self.path.startswith(_RESTLESS) else self.path
        dialog = QFileDialog(self, self._name, start)
        dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if self._folder:
            dialog.setFileMode(QFileDialog.FileMode.Directory)
            dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        else:
            dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(self.edit.setText)
        dialog.open()
