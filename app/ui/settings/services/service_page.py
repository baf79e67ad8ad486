"""What the pages of services share: a table with its buttons, what is missing, and one thing at a time that is waited
for."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLineEdit, QSizePolicy, QVBoxLayout, QWidget

from agent.errors import BandleaderError
from app.i18n import tr
from app.ui.kit.context import Kit
from app.ui.kit.subscriptions import Subscriptions
from app.ui.kit.widgets.buttons import PlainButton
from app.ui.kit.widgets.labels import PlainLabel
from app.ui.settings.parts import GAP, Page, ResultLabel, paragraph
from app.ui.settings.services.row_table import Row, RowTable
from app.ui.settings.working import Working
from app.viewmodels.texts.fixes import Told, for_window

T = TypeVar("T")


class ServicePage(Page):
    """A page about a list of things. Subclasses override `look`; `close_page` ends work and subscriptions. `advice` is
    shown for errors that say not what to do."""

    advice = ""

    def __init__(self, kit: Kit, title: str, about: str) -> None:
        super().__init__(title, about)
        self.kit = kit
        self.subscriptions = Subscriptions()
        self.working = Working(kit)
        self.missing = ResultLabel(kit)
        self.column.addWidget(self.missing)

    def look(self) -> None:
        """Read and show the current state; called whenever the page is turned to."""

    def wipe(self) -> None:
        """Empty all fields with secrets; called when another page is turned to."""

    def close_page(self) -> None:
        """Empty fields with secrets, end work under way and subscriptions."""
        self.wipe()
        self.working.close_part()
        self.subscriptions.close()

    def work(
        self, words: str, work: Callable[[], Awaitable[T]], done: Callable[[T], None],
        failed: Callable[[BandleaderError], None] = lambda _: None,
    ) -> None:
        """Run work with the message `words`, then call `done` with its result. An error is shown on the page, and
        `failed` is called with it."""

        def tell(error: BandleaderError) -> bool:
            self.working.said.tell_error(for_window(error, self.advice))
            failed(error)
            return True

        self.working.start(words, work, done, tell)

    def tell_missing(self, missing: Told | None) -> None:
        """Show which program or library must be installed first; None hides the message."""
        if missing is None:
            self.missing.clear()
        else:
            self.missing.tell_error(missing)

    def add_table(self, table: RowTable, empty: str) -> PlainLabel:
        """Add a table, and the text `empty` for its place while it has no rows; returns the text's label."""
        label = paragraph(empty, "t3")
        self.column.addWidget(table)
        self.column.addWidget(label)
        return label


def show_in(table: RowTable, empty: PlainLabel, rows: list[Row], wanted: str = "") -> None:
    """Show rows in the table, with the row of id `wanted` chosen; if there are none, show the label `empty` instead."""
    table.setVisible(bool(rows))
    empty.setVisible(not rows)
    table.show_rows(rows, wanted)


class Panel(QWidget):
    """A part of a page that can be shown and hidden."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, GAP, 0, 0)
        self.column.setSpacing(GAP)

    def row(self, *widgets: QWidget, stretch: int = 0) -> QWidget:
        """Add widgets side by side that can be hidden together; the one at index `stretch` takes the free width, with
        -1 none does."""
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
        """Add a label before a row of widgets; `stretch` as for `row`."""
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
    """A line edit with accessible name, placeholder `hint` and at most `most` characters; without a `tip` the name is
    its tooltip."""
    made = QLineEdit()
    made.setAccessibleName(name)
    made.setPlaceholderText(hint)
    made.setMaxLength(most)
    made.setToolTip(tip or name)
    return made


def secret_edit(name: str, hint: str, tip: str) -> QLineEdit:
    """A password field for a secret, with accessible name, placeholder `hint` and tooltip `tip`."""
    made = line_edit(name, hint, 4096, tip)
    made.setEchoMode(QLineEdit.EchoMode.Password)
    made.setInputMethodHints(made.inputMethodHints() | Qt.InputMethodHint.ImhSensitiveData)
    return made


class PathField(QWidget):
    """A path that is typed or chosen in a dialog that is not modal: of a folder, or if `folder` is False of a file.
    `hint` is the placeholder."""

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
        """The typed path, without spaces around it; empty for none."""
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
