"""The form of a studio machine, new or known. Its password goes to the keyring and is never shown again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QPlainTextEdit, QSpinBox

from app.i18n import tr
from app.studio.integrations.machines import Machine, MachineDetails, System, Way, default_port
from app.ui.kit.widgets.buttons import FlatButton, MainButton
from app.ui.kit.widgets.labels import PlainLabel
from app.ui.settings.services.service_page import Panel, PathField, line_edit, secret_edit
from app.viewmodels.integrations.machine_list import SYSTEM_WORDS, WAY_WORDS, split_words

_SYSTEMS: Final[tuple[System, ...]] = ("linux", "macos", "windows")
_WAYS: Final[tuple[Way, ...]] = ("ssh", "winrm")
_PORT_WIDTH, _COMBO_WIDTH, _FOLDERS_HEIGHT = 84, 120, 48


class MachineForm(Panel):
    """A form for a machine. Signal `wanted` asks to store it."""

    wanted = Signal()
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._before: Machine | None = None
        self.title = PlainLabel("", size="card")
        self.name = line_edit(tr("Name of the machine"), "booth", 63,
                              tr("Letters, digits and . _ -; plans know it by this"))
        self.address = line_edit(tr("Address"), tr("192.168.1.20 or booth.local"), 254,
                                 tr("A host's name or its IP address"))
        self.port = QSpinBox()
        self.port.setRange(1, 65535)
        self.port.setAccessibleName(tr("Port"))
        self.port.setToolTip(tr("22 for SSH, 5986 for WinRM, unless it was changed there"))
        self.port.setFixedWidth(_PORT_WIDTH)
        self.user = line_edit(tr("User"), tr("Who logs in there"), 104)
        self.way = _choice(tr("Way to the machine"), map(tr, WAY_WORDS.values()),
                           tr("SSH, or Windows' own WinRM within TLS"))
        self.system = _choice(tr("System of the machine"), map(tr, SYSTEM_WORDS.values()),
                              tr("Decides which commands it is asked by"))
        self.auth = _choice(tr("How to log in by WinRM"), (tr("Windows' own way"), tr("Name and password")),
                            tr("Windows' own way tells the machine no password"))
        self.tags = line_edit(tr("Tags"), tr("mixing, win10"), 400, tr("With commas; plans find machines by them"))
        self.folders = QPlainTextEdit()
        self.folders.setAccessibleName(tr("Sample folders on the machine"))
        self.folders.setPlaceholderText(tr("/srv/samples, one a line; only their sizes are asked for"))
        self.folders.setToolTip(tr("Whole paths on that machine, one a line"))
        self.folders.setTabChangesFocus(True)
        self.folders.setFixedHeight(_FOLDERS_HEIGHT)
        self.key_file = PathField(tr("Private key file"), tr("None: log in by password"), folder=False)
        self.ca_file = PathField(tr("Certificate file of the machine"), tr("None: the system's own"), folder=False)
        self.password = secret_edit(tr("Password"), "", tr("Kept by the system's keyring alone, and never shown again"))
        self.keep = MainButton(tr("Add machine"), icon="check")
        self.leave = FlatButton(tr("Cancel"), tip=tr("Change nothing"))
        self._lay_out()
        self.way.currentIndexChanged.connect(lambda _: self._turn())
        self.keep.clicked.connect(self.wanted)
        self.leave.clicked.connect(self.left)
        for field in (self.name, self.address, self.user, self.tags, self.password):
            field.returnPressed.connect(self.wanted)
        self.show_machine(None)

    def _lay_out(self) -> None:
        self.column.addWidget(self.title)
        self.field(tr("Name"), self.name)
        self.field(tr("Address"), self.address, PlainLabel(tr("Port"), tone="t2"), self.port)
        self.field(tr("Way"), self.way, PlainLabel(tr("System"), tone="t2"), self.system, stretch=-2)
        self.field(tr("User"), self.user)
        self._winrm = (self.field(tr("Logs in"), self.auth, stretch=-2), self.field(tr("Certificate"), self.ca_file))
        self._ssh = self.field(tr("Key file"), self.key_file)
        self.field(tr("Password"), self.password)
        self.field(tr("Tags"), self.tags)
        self.field(tr("Sample folders"), self.folders)
        self.row(self.keep, self.leave, stretch=-1)

    def show_machine(self, machine: Machine | None) -> None:
        """Fill the form with a machine, or for a new one with None. The password field is always empty."""
        self._before = machine
        one = machine or Machine("", "", default_port("ssh"), "")
        self.title.setText(tr("Change {name}", name=one.name) if machine else tr("A new machine"))
        self.name.setText(one.name)
        self.name.setEnabled(machine is None)
        self.address.setText(one.address)
        self.user.setText(one.user)
        self.way.setCurrentIndex(_WAYS.index(one.way))
        self.system.setCurrentIndex(_SYSTEMS.index(one.system))
        self.auth.setCurrentIndex(0 if one.details.auth == "negotiate" else 1)
        self.port.setValue(one.port)
        self.tags.setText(", ".join(one.tags))
        self.folders.setPlainText("\n".join(one.details.folders))
        self.key_file.edit.setText(one.details.key_file)
        self.ca_file.edit.setText(one.details.ca_file)
        self.password.setText("")
        new = tr("Of the user, or of the key file if that has one")
        hint = tr("Empty: the one that is kept stays") if machine else new
        self.password.setPlaceholderText(hint)
        self.keep.say(tr("Keep changes") if machine else tr("Add machine"),
                      tr("The password goes to the system's keyring"))
        self._turn()

    def machine(self) -> Machine:
        """The machine as it stands in the fields; not validated."""
        way = _WAYS[self.way.currentIndex()]
        ssh = way == "ssh"
        folders = tuple(line.strip() for line in self.folders.toPlainText().splitlines() if line.strip())
        details = MachineDetails(
            self.key_file.path if ssh else "", "" if ssh else self.ca_file.path,
            "negotiate" if self.auth.currentIndex() == 0 else "basic", folders,
        )
        return Machine(
            self.name.text().strip(), self.address.text().strip(), self.port.value(), self.user.text().strip(), way,
            _SYSTEMS[self.system.currentIndex()], split_words(self.tags.text()), details=details,
        )

    @property
    def known(self) -> bool:
        """Whether the form edits a stored machine."""
        return self._before is not None

    def wipe(self) -> None:
        """Empty the password field."""
        self.password.setText("")

    def _turn(self) -> None:
        way = _WAYS[self.way.currentIndex()]
        for widget in self._winrm:
            widget.setVisible(way == "winrm")
        self._ssh.setVisible(way == "ssh")
        other: Way = "winrm" if way == "ssh" else "ssh"
        if self.port.value() == default_port(other):
            self.port.setValue(default_port(way))
        if way == "winrm":
            self.system.setCurrentIndex(_SYSTEMS.index("windows"))


def _choice(name: str, words: Iterable[str], tip: str) -> QComboBox:
    made = QComboBox()
    made.addItems(list(words))
    made.setAccessibleName(name)
    made.setToolTip(tip)
    made.setMinimumWidth(_COMBO_WIDTH)
    return made
