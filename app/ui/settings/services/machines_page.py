"""The page of studio machines: the inventory, the key by which each is known, and trying one."""

from __future__ import annotations

from PySide6.QtCore import Qt

from app.i18n import lazy, tr, trn
from app.studio.integrations.machines import HostKey, Inventory, Machine
from app.ui.kit.context import Kit
from app.ui.kit.widgets.buttons import DangerButton, FlatButton, MainButton, PlainButton
from app.ui.kit.widgets.labels import PlainLabel
from app.ui.settings.parts import paragraph
from app.ui.settings.services.machine_form import MachineForm
from app.ui.settings.services.row_table import Row, RowTable
from app.ui.settings.services.service_page import Panel, ServicePage, show_in
from app.viewmodels.integrations.machine_list import SYSTEM_WORDS, WAY_WORDS, MachineList, key_words, pin_words

_ABOUT = (
    lazy("Machines of your studio that plans may ask for free disk space, memory, running audio programs and the "
          "sizes of sample folders. They are only asked, never changed, and only by rows that you approve. Passwords "
          "are kept by the system's keyring alone.")
)
_EMPTY = lazy("No machines yet. Add one, then compare its fingerprint and pin it.")
_COMPARE = lazy("Compare it with what the machine itself says: ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub")


class MachinesPage(ServicePage):
    """The list of machines, and below it the details of the chosen one, its form, or the host key that it presents."""

    advice = "check its address and port, and that it is on"

    def __init__(self, kit: Kit, machines: MachineList) -> None:
        super().__init__(kit, tr("Machines"), tr(_ABOUT))
        self._machines = machines
        self._key: HostKey | None = None
        self._mode = "list"
        headings = (tr("Name"), tr("System"), tr("Way"), tr("Tags"), tr("Known by"))
        self.table = RowTable(kit, tr("Machines"), headings, (130, 70, 64, 130, 110), wide=3, sign_at=4)
        self._empty = self.add_table(self.table, tr(_EMPTY))
        self.add = PlainButton(tr("Add a machine…"), icon="plus", tip=tr("Its name, address and user"))
        self.edit = PlainButton(tr("Edit…"), icon="pencil-simple", name=tr("Edit the chosen machine"),
                                tip=tr("Change how it is reached, or its password"))
        self.key = PlainButton(tr("Fingerprint…"), icon="fingerprint", name=tr("Fingerprint of the chosen machine"),
                               tip=tr("Show the key that it has now, to be compared and pinned; nobody logs in"))
        self.test = PlainButton(tr("Test"), icon="plugs-connected", name=tr("Test the chosen machine"),
                                tip=tr("Log in and ask how much of its disk is free"))
        self.forget = DangerButton(tr("Forget"), name=tr("Forget the chosen machine"),
                                   tip=tr("Remove it, and its password"))
        self.row(self.add, self.edit, self.key, self.test, self.forget, stretch=-1)
        self.column.addWidget(self.working)
        self.form = MachineForm()
        self.column.addWidget(self.form)
        self._make_panels()
        self.column.addStretch()
        self.working.held = (
            self.table, self.add, self.edit, self.key, self.test, self.forget, self.form, self.pin, self.leave
        )
        self._connect()
        self._turn("list")

    def _make_panels(self) -> None:
        self.facts = paragraph("", "t2")
        self.column.addWidget(self.facts)
        self.keys = Panel()
        self.keys_title = PlainLabel("", size="card")
        self.shown, compare = paragraph("", ""), paragraph(tr(_COMPARE), "t3")
        self.pin = MainButton(tr("Pin this key"), icon="check",
                              tip=tr("From now on, only who has this key is this machine"))
        self.leave = FlatButton(tr("Close"), tip=tr("Pin nothing"))
        for widget in (self.keys_title, self.shown, compare):
            self.keys.column.addWidget(widget)
        self.keys.row(self.pin, self.leave, stretch=-1)
        self.column.addWidget(self.keys)

    def _connect(self) -> None:
        self.add.clicked.connect(lambda: self._fill(None))
        self.edit.clicked.connect(lambda: self._fill(self._machine))
        self.key.clicked.connect(self._ask_key)
        self.test.clicked.connect(self._test)
        self.forget.clicked.connect(self._forget)
        self.pin.clicked.connect(self._pin)
        self.leave.clicked.connect(self._leave)
        self.form.wanted.connect(self._keep)
        self.form.left.connect(self._leave)
        self.table.chosen.connect(lambda _: self._chosen())
        self.working.settled.connect(self._renew)
        self.subscriptions.add(self._machines.rows.watch(self._show))

    def look(self) -> None:
        """Read and show the stored machines, without connecting to any."""

        async def read() -> None:
            self.tell_missing(await self._machines.missing())
            await self._machines.refresh()

        self.working.quietly(read, lambda _: None)

    def wipe(self) -> None:
        """Empty the password field."""
        self.form.wipe()

    @property
    def _machine(self) -> Machine | None:
        return self._machines.find(self.table.id)

    def _show(self, inventory: Inventory) -> None:
        rows = [*map(_row, inventory.machines), *map(_damaged_row, inventory.damaged)]
        show_in(self.table, self._empty, sorted(rows, key=lambda row: row.id.casefold()))
        self._renew()

    def _chosen(self) -> None:
        if self._mode == "key":
            self._turn("list")
        self._renew()

    def _fill(self, machine: Machine | None) -> None:
        self.working.said.clear()
        self.form.show_machine(machine)
        self._turn("form")
        field = self.form.name if machine is None else self.form.address
        field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _keep(self) -> None:
        machine, password, known = self.form.machine(), self.form.password.text(), self.form.known
        keep = self._machines.change if known else self._machines.add

        def done(kept: Machine) -> None:
            self._leave()
            self.table.choose(kept.name)
            pinned = bool(kept.host_key) or kept.way == "winrm"
            said = tr("{name} is kept. Test it to see whether it answers.", name=kept.name)
            unpinned = tr("{name} is kept. Now show its fingerprint, compare it and pin it.", name=kept.name)
            self.working.said.tell(said if pinned else unpinned)
            (self.test if pinned else self.key).setFocus(Qt.FocusReason.OtherFocusReason)

        self.work(tr("Keeping the machine"), lambda: keep(machine, password), done)

    def _ask_key(self) -> None:
        name = self.table.id

        def done(shown: HostKey) -> None:
            self._key = shown
            self.keys_title.setText(tr("The key of {name}", name=name))
            self.shown.setText(key_words(shown))
            self.shown.setProperty("tone", "warn" if shown.pinned and not shown.known else "")
            self.shown.style().polish(self.shown)
            self.pin.setVisible(not shown.known)
            self.pin.say(tr("Pin this key instead") if shown.pinned else tr("Pin this key"))
            self._turn("key")
            (self.leave if shown.known else self.pin).setFocus(Qt.FocusReason.OtherFocusReason)

        self.work(tr("Asking {name} for its key", name=name), lambda: self._machines.key(name), done)

    def _pin(self) -> None:
        name, key = self.table.id, self._key
        if key is None:
            return

        def done(_: None) -> None:
            self._leave()
            self.working.said.tell(tr("{name} is known by this key from now on.", name=name))
            self.test.setFocus(Qt.FocusReason.OtherFocusReason)

        self.work(tr("Pinning the key"), lambda: self._machines.pin(name, key), done)

    def _test(self) -> None:
        name = self.table.id
        self.work(tr("Asking {name} for its free disk space", name=name), lambda: self._machines.test(name),
                  self.working.said.tell)

    def _forget(self) -> None:
        name = self.table.id
        self.work(tr("Forgetting {name}", name=name), lambda: self._machines.forget(name),
                  lambda _: self.working.said.tell(tr("{name} and its password are forgotten.", name=name), "t3"))

    def _leave(self) -> None:
        self._key = None
        self.form.wipe()
        self._turn("list")

    def _turn(self, mode: str) -> None:
        """To the chosen machine (list), to the form, or to the key that it shows (key)."""
        self._mode = mode
        self.form.setVisible(mode == "form")
        self.keys.setVisible(mode == "key")
        self._renew()

    def _renew(self) -> None:
        machine = self._machine
        damaged = self._machines.rows.value.damaged.get(self.table.id, "")
        free = not self.working.busy and self._mode != "form"
        for button in (self.edit, self.test):
            button.setEnabled(free and machine is not None)
        self.forget.setEnabled(free and (machine is not None or bool(damaged)))
        self.key.setEnabled(free and machine is not None and machine.way == "ssh")
        self.add.setEnabled(free)
        facts = damaged if machine is None else _facts(machine)
        self.facts.setVisible(bool(facts) and self._mode != "form")
        self.facts.setText(facts)


def _row(one: Machine) -> Row:
    words = pin_words(one)
    known = one.way == "winrm" or bool(one.host_key)
    sign, tone = ("lock-simple", "t2") if known else ("warning-fill", "warn")
    cells = (one.name, tr(SYSTEM_WORDS[one.system]), tr(WAY_WORDS[one.way]), ", ".join(one.tags), words)
    return Row(one.name, cells, sign, tone, tr("{name}: {user} at {address}:{port}", name=one.name, user=one.user,
                                               address=one.address, port=one.port))


def _damaged_row(name: str) -> Row:
    return Row(name, (name, "", "", "", tr("Cannot be read")), "warning-fill", "bad", name)


def _facts(one: Machine) -> str:
    lines = [tr("{name} is reached as {user} at {address}, port {port}, by {way}.", name=one.name, user=one.user,
                address=one.address, port=one.port, way=tr(WAY_WORDS[one.way]))]
    if one.details.key_file:
        lines.append(tr("Key file: {key_file}", key_file=one.details.key_file))
    if one.details.ca_file:
        lines.append(tr("Certificate: {ca_file}", ca_file=one.details.ca_file))
    folders = one.details.folders
    if folders:
        some = trn("{count:,} sample folder", "{count:,} sample folders", len(folders))
        lines.append(f"{some}: {', '.join(folders)}")
    return "\n".join(lines)
