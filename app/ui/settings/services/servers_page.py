"""The page of servers of tools: looked at before anything is stored, approved tool by tool, asked anew on a change."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt

from app.desktop.figures import counted
from app.desktop.moments import clock_time
from app.desktop.server_list import STATE_WORDS, ServerList, ServerRow, ServerState
from app.desktop.tool_texts import ToolSeen, differences_words
from app.studio.server_drafts import Draft
from app.studio.servers import Looked
from app.ui.kit.context import Kit
from app.ui.kit.widgets.buttons import DangerButton, FlatButton, MainButton, PlainButton
from app.ui.kit.widgets.labels import PlainLabel
from app.ui.settings.parts import paragraph
from app.ui.settings.services.row_table import Row, RowTable
from app.ui.settings.services.server_form import ServerForm
from app.ui.settings.services.service_page import Panel, ServicePage, show_in
from app.ui.settings.services.tool_reader import ToolReader

_ABOUT = (
    "Servers bring tools of others into your plans, by the Model Context Protocol. A program runs on your machine; to "
    "a server at an address, text of your steps goes. Nothing of them is called but by rows that you approve."
)
_EMPTY = "No servers yet. Add one, read what its tools say, then approve it."
_SIGNS: dict[ServerState, tuple[str, str]] = {
    "approved": ("check-circle", "t2"), "answers": ("check-circle-fill", "ok"), "changed": ("warning-fill", "warn"),
    "unreachable": ("x-circle-fill", "bad"), "damaged": ("x-circle-fill", "bad"),
}


class ServersPage(ServicePage):
    """The list, then either the tools of the chosen server, the form of a new one, or what a new one offers."""

    def __init__(self, kit: Kit, servers: ServerList) -> None:
        super().__init__(kit, "Tool servers", _ABOUT)
        self._servers = servers
        self._seen: tuple[Draft, Looked] | None = None
        self._mode = "list"
        self.table = RowTable(kit, "Tool servers", ("Name", "Way", "Tools", "State"), (150, 100, 60, 170),
                              wide=0, sign_at=3)
        self._empty = self.add_table(self.table, _EMPTY)
        self.add = PlainButton("Add a server…", icon="plus", tip="A program of this computer, or a server elsewhere")
        self.test = PlainButton("Test", icon="plugs-connected", name="Test the chosen server",
                                tip="Start or reach it and compare its tools with what you approved; none is called")
        self.forget = DangerButton("Forget", name="Forget the chosen server",
                                   tip="Remove it with its tools and secrets; plans can no longer use it")
        self.row(self.add, self.test, self.forget, stretch=-1)
        self.column.addWidget(self.working)
        self.form = ServerForm(kit)
        self.column.addWidget(self.form)
        self._make_reader(kit)
        self.column.addStretch()
        self.working.held = (self.table, self.add, self.test, self.forget, self.form, self.approve, self.back)
        self._connect()
        self._turn("list")

    def _make_reader(self, kit: Kit) -> None:
        self.panel = Panel()
        self.title = PlainLabel("", size="card")
        self.title.setWordWrap(True)
        self.address = paragraph("", "t2")
        self.reader = ToolReader(kit)
        self.approve = MainButton("Approve", icon="check")
        self.back = FlatButton("Do not add it", tip="Nothing is stored")
        for widget in (self.title, self.address, self.reader):
            self.panel.column.addWidget(widget)
        self.panel.row(self.approve, self.back, stretch=-1)
        self.column.addWidget(self.panel)

    def _connect(self) -> None:
        self.add.clicked.connect(self._begin)
        self.test.clicked.connect(self._test)
        self.forget.clicked.connect(self._forget)
        self.form.wanted.connect(self._look)
        self.form.left.connect(self._leave)
        self.approve.clicked.connect(self._approve)
        self.back.clicked.connect(self._leave)
        self.table.chosen.connect(self._chosen)
        self.working.settled.connect(self._renew)
        self.subscriptions.add(self._servers.rows.watch(self._show))

    def look(self) -> None:
        """Show what is stored; nobody is connected to."""

        async def read() -> None:
            self.tell_missing(await self._servers.missing())
            await self._servers.refresh()

        self.working.quietly(read, lambda _: None)

    def wipe(self) -> None:
        """Leave no secret behind; a server that is being looked at for the first time is left."""
        if self._mode == "form":
            self.working.stop()
        self._leave()

    # --- the list

    def _show(self, rows: Sequence[ServerRow]) -> None:
        show_in(self.table, self._empty, [_row(row) for row in rows])
        self._renew()

    def _chosen(self, name: str) -> None:
        self._renew()
        if self._mode == "list":
            self._tell_server(name)

    def _tell_server(self, name: str) -> None:
        row = self._row(name)
        self.panel.setVisible(row is not None and row.state != "damaged")
        if row is None:
            return
        found = self._servers.to_approve(name)
        when = clock_time(row.approved)
        self.title.setText(f"{name}: {row.note}" if found else f"{name}, approved {when}".removesuffix(" approved "))
        self.address.setText(row.address)
        self.approve.say(f"Approve {counted(len(found.tools), 'tool')} as they are now" if found else "Approve",
                         "Plans may use them as they are now; until then the changed ones are not called")
        self.approve.setVisible(found is not None)
        self.back.hide()
        self.kit.tasks.start(self._read(name), "window")

    async def _read(self, name: str) -> None:
        tools = await self._servers.tools(name)
        if self._mode == "list" and self.table.id == name:
            self.reader.show_tools(tools)

    def _test(self) -> None:
        name = self.table.id

        def done(looked: Looked) -> None:
            said = differences_words(looked.differences)
            if said:
                self.working.said.tell(f"{name} answers, but {said}. Read what changed, then approve it anew.", "warn")
                self.reader.table.setFocus(Qt.FocusReason.OtherFocusReason)
            else:
                offers = f"{name} answers with {counted(len(looked.tools), 'tool')}"
                self.working.said.tell(f"{offers}, as you approved.")
            self._tell_server(name)

        self.work(f"Asking {name} for its tools", lambda: self._servers.test(name), done)

    def _forget(self) -> None:
        name = self.table.id
        self.work(f"Forgetting {name}", lambda: self._servers.forget(name),
                  lambda _: self.working.said.tell(f"{name} is forgotten, with its tools and secrets.", "t3"))

    # --- a new one

    def _begin(self) -> None:
        self.working.said.clear()
        self.form.wipe()
        self._turn("form")
        self.form.name.setFocus(Qt.FocusReason.OtherFocusReason)

    def _look(self) -> None:
        make = self.form.written()

        async def read() -> tuple[Draft, Looked, tuple[ToolSeen, ...]]:
            draft = await asyncio.to_thread(make)
            return draft, *await self._servers.look(draft)

        self.work("Starting it and reading its tools", read, lambda seen: self._offer(*seen))

    def _offer(self, draft: Draft, looked: Looked, tools: Sequence[ToolSeen]) -> None:
        self._seen = draft, looked
        count = counted(len(tools), "tool")
        self.title.setText(f"{draft.name} offers {count}. Nothing is stored yet.")
        hidden = sum(tool.hidden for tool in tools)
        warn = f" {counted(hidden, 'tool')} with hidden characters!" if hidden else ""
        self.address.setText(f"Read what they say of themselves: it is also read by the model that plans.{warn}")
        self.approve.say(f"Approve {count}", "Plans may use them; each row still needs your approval")
        self.reader.show_tools(tools)
        self._turn("offer")
        self.approve.show()
        self.back.show()
        self.reader.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def _approve(self) -> None:
        if self._seen is not None:
            draft, looked = self._seen
            self._store(draft.name, lambda: self._servers.add(draft, looked), len(looked.tools))
        elif found := self._servers.to_approve(self.table.id):
            name = self.table.id
            self._store(name, lambda: self._servers.approve(name, found), len(found.tools))

    def _store(self, name: str, work: Callable[[], object], count: int) -> None:
        async def store() -> None:
            await work()  # type: ignore[misc]

        def done(_: None) -> None:
            self._leave()
            self.table.choose(name)
            self.working.said.tell(
                f"Approved: plans may use {counted(count, 'tool')} of {name}, each row after your approval."
            )
            self.table.setFocus(Qt.FocusReason.OtherFocusReason)

        self.work("Keeping your approval", store, done)

    def _leave(self) -> None:
        self._seen = None
        self.form.wipe()
        self._turn("list")

    def _turn(self, mode: str) -> None:
        """To the chosen server (list), to the form, or to what a new one offers (offer)."""
        self._mode = mode
        self.form.setVisible(mode == "form")
        self.panel.setVisible(mode == "offer")
        if mode == "list":
            self._tell_server(self.table.id)
        self._renew()

    def _renew(self) -> None:
        row, free = self._row(self.table.id), not self.working.busy
        self.test.setEnabled(free and row is not None and row.state != "damaged" and self._mode == "list")
        self.forget.setEnabled(free and row is not None and self._mode == "list")
        self.add.setEnabled(free and self._mode == "list")

    def _row(self, name: str) -> ServerRow | None:
        return next((row for row in self._servers.rows.value if row.name == name), None)


def _row(row: ServerRow) -> Row:
    sign, tone = _SIGNS[row.state]
    tools = str(row.tools) if row.way else ""
    tip = f"{row.address}\n{row.note}".strip()
    return Row(row.name, (row.name, row.way, tools, STATE_WORDS[row.state]), sign, tone, tip)
