"""The form of a new server of tools: a program of this computer, or an address."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox

from agent.errors import BandleaderError
from app.i18n import lazy, tr
from app.studio.integrations.server_drafts import ServerDraft
from app.ui.kit.context import Kit
from app.ui.kit.widgets.buttons import FlatButton, MainButton, PlainButton
from app.ui.settings.parts import paragraph
from app.ui.settings.services.row_table import Row, RowTable
from app.ui.settings.services.service_page import Panel, PathField, line_edit, secret_edit
from app.viewmodels.integrations.server_list import address_draft, argv_words, program_draft, variable_words

_PROGRAM, _ADDRESS = 0, 1
_WARNINGS = (
    lazy("This program runs on your machine as you do: it can do all that you can. Add only what you trust."),
    lazy("What a step hands to its tools goes to that server, wherever it is. Add only what you trust."),
)


class ServerForm(Panel):
    """A form for a new MCP server. Signal `wanted` asks to connect to it for inspection. Secrets stay in the fields
    until `wipe`."""

    wanted = Signal()
    left = Signal()

    def __init__(self, kit: Kit) -> None:
        super().__init__()
        self._variables: dict[str, str | None] = {}
        self.name = line_edit(tr("Name of the server"), "clock", 31,
                              tr("Small letters, digits and -; tools begin with it"))
        self.way = QComboBox()
        self.way.addItems([tr("A program on this computer"), tr("A server at an address")])
        self.way.setAccessibleName(tr("What the server is"))
        self.way.setToolTip(tr("A program that Bandleader starts, or a server that is already there"))
        self.command = line_edit(tr("Command"), "uvx mcp-server-time", 4000, tr("The program and what it is given"))
        self.words = paragraph("", "t3")
        self.folder = PathField(tr("Folder to start in"), tr("Any"))
        self.variable = line_edit(tr("Name of a variable"), "NAME", 100)
        self.value = secret_edit(tr("Value of the variable"), tr("Empty: taken from the environment at each start"),
                                 tr("Never shown; what looks like a secret is kept by the system's keyring"))
        self.give = PlainButton(tr("Add variable"), tip=tr("Hand this variable to the program"))
        self.given = RowTable(kit, tr("Variables of the server"), (tr("Variable"), tr("How it is given")), (160, 200),
                              wide=1, lines=3)
        self.take = FlatButton(tr("Remove variable"), tip=tr("Do not hand the chosen variable to the program"))
        self.url = line_edit(tr("Address"), "https://host/mcp", 1000, tr("https, or http within your own network"))
        self.token = secret_edit(tr("Token"), tr("None"),
                                 tr("Sent to this address alone; kept by the keyring, never shown again"))
        self.warning = paragraph("", "warn")
        self.look = MainButton(tr("Look at its tools"), icon="magnifying-glass",
                               tip=tr("Start or ask it and read what it offers; nothing is stored yet"))
        self.leave = FlatButton(tr("Cancel"), tip=tr("Add no server"))
        self._lay_out()
        self._connect()
        self.wipe()

    def _lay_out(self) -> None:
        self.field(tr("Name"), self.name)
        self.field(tr("It is"), self.way)
        self._program = (
            self.field(tr("Command"), self.command), self.field(tr("It is started as"), self.words),
            self.field(tr("Folder"), self.folder),
            self.field(tr("Variables"), self.variable, self.value, self.give, stretch=1),
        )
        self._list = (self.field("", self.given), self.field("", self.take, stretch=-2))
        self._address = (self.field(tr("Address"), self.url), self.field(tr("Token"), self.token))
        self.column.addWidget(self.warning)
        self.row(self.look, self.leave, stretch=-1)

    def _connect(self) -> None:
        self.way.currentIndexChanged.connect(lambda _: self._turn())
        self.command.textChanged.connect(lambda _: self._split())
        self.give.clicked.connect(self._give)
        self.take.clicked.connect(self._take)
        self.look.clicked.connect(self.wanted)
        self.leave.clicked.connect(self.left)
        for field in (self.variable, self.value):
            field.returnPressed.connect(self._give)
        for field in (self.name, self.command, self.url, self.token):
            field.returnPressed.connect(self.wanted)

    def written(self) -> Callable[[], ServerDraft]:
        """A function that makes the draft from the fields as they are now; it reads the disk and raises `BadServer` or
        `StudioError`."""
        name = self.name.text()
        if self.way.currentIndex() == _PROGRAM:
            return partial(program_draft, name, self.command.text(), self.folder.path, dict(self._variables))
        return partial(address_draft, name, self.url.text(), self.token.text())

    def wipe(self) -> None:
        """Empty all fields, so that no secret stays."""
        self._variables = {}
        for field in (self.name, self.command, self.folder.edit, self.variable, self.value, self.url, self.token):
            field.setText("")
        self.way.setCurrentIndex(_PROGRAM)
        self._show_variables()
        self._turn()
        self._split()

    def _turn(self) -> None:
        program = self.way.currentIndex() == _PROGRAM
        for widget in self._program:
            widget.setVisible(program)
        for widget in self._list:
            widget.setVisible(program and bool(self._variables))
        for widget in self._address:
            widget.setVisible(not program)
        self.warning.setText(tr(_WARNINGS[self.way.currentIndex()]))

    def _split(self) -> None:
        if not self.command.text().strip():
            self.words.setText(tr("One word a line, as they will be; no shell reads them."))
            return
        try:
            self.words.setText(argv_words(self.command.text()))
        except BandleaderError as error:
            self.words.setText(f"{error.what}: {error.why}" if error.why else error.what)

    def _give(self) -> None:
        name = self.variable.text().strip()
        if name:
            self._variables[name] = self.value.text() or None
            self.variable.setText("")
            self.value.setText("")
            self._show_variables()
            self._turn()
            self.variable.setFocus()

    def _take(self) -> None:
        self._variables.pop(self.given.id, None)
        self._show_variables()
        self._turn()

    def _show_variables(self) -> None:
        rows = [Row(name, (name, variable_words(name, value))) for name, value in self._variables.items()]
        self.given.show_rows(rows)
