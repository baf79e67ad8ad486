"""The page of servers of tools: looked at before anything is stored, approved tool by tool, asked anew on a change."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPlainTextEdit, QVBoxLayout, QWidget

from app.i18n import lazy, tr, trn
from app.studio.integrations.server_drafts import ServerDraft
from app.studio.integrations.servers import Looked
from app.ui.kit.context import Kit
from app.ui.kit.theme import mono
from app.ui.kit.widgets.buttons import DangerButton, FlatButton, MainButton, PlainButton
from app.ui.kit.widgets.labels import PlainLabel
from app.ui.settings.parts import GAP, paragraph
from app.ui.settings.services.row_table import Row, RowTable
from app.ui.settings.services.server_form import ServerForm
from app.ui.settings.services.service_page import Panel, ServicePage, show_in
from app.viewmodels.integrations.server_list import STATE_WORDS, ServerList, ServerRow, ServerState
from app.viewmodels.texts.moments import clock_time
from app.viewmodels.texts.tool_texts import ToolSeen, differences_words

_HEIGHT = 230
_STATES = {
    "": ("", "circle-dashed", "t3"), "changed": (lazy("Changed"), "warning-fill", "warn"),
    "new": (lazy("New"), "plus", "agent"), "gone": (lazy("Gone"), "minus-circle", "warn"),
}


class ToolReader(QWidget):
    """Lists a server's tools and shows the description of the chosen one as plain text."""

    def __init__(self, kit: Kit) -> None:
        super().__init__()
        self._tools: dict[str, ToolSeen] = {}
        self.table = RowTable(kit, tr("Tools of the server"),
                              (tr("Tool, as plans call it"), tr("Since your approval"), tr("Hidden")),
                              (260, 140, 150), sign_at=1, lines=4)
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setUndoRedoEnabled(False)
        self.text.setFont(mono(12))
        self.text.setTabChangesFocus(True)
        self.text.setAccessibleName(tr("What the tool says of itself"))
        self.text.setFixedHeight(_HEIGHT)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GAP)
        column.addWidget(self.table)
        column.addWidget(self.text)
        self.table.chosen.connect(self._show)

    def show_tools(self, tools: Sequence[ToolSeen]) -> None:
        """Show these tools, the first of them chosen."""
        self._tools = {str(at): tool for at, tool in enumerate(tools)}
        rows = []
        for at, tool in self._tools.items():
            words, sign, tone = _STATES[tool.state]
            hidden = tr("Hidden characters") if tool.hidden else ""
            rows.append(Row(at, (tool.name, words and tr(words), hidden), sign if words else "", tone))
        self.table.show_rows(rows, "0")

    def _show(self, at: str) -> None:
        tool = self._tools.get(at)
        self.text.setPlainText("" if tool is None else tool.text)


_ABOUT = (
    lazy("Servers bring tools of others into your plans, by the Model Context Protocol. A program runs on your "
          "machine; to a server at an address, text of your steps goes. Nothing of them is called but by rows that "
          "you approve.")
)
_EMPTY = lazy("No servers yet. Add one, read what its tools say, then approve it.")
_SIGNS: dict[ServerState, tuple[str, str]] = {
    "approved": ("check-circle", "t2"), "answers": ("check-circle-fill", "ok"), "changed": ("warning-fill", "warn"),
    "unreachable": ("x-circle-fill", "bad"), "damaged": ("x-circle-fill", "bad"),
}


class ServersPage(ServicePage):
    """The list of tool servers, and below it the tools of the chosen one, the form of a new one, or the tools that a
    new one offers for approval."""

    def __init__(self, kit: Kit, servers: ServerList) -> None:
        super().__init__(kit, tr("Tool servers"), tr(_ABOUT))
        self._servers = servers
        self._seen: tuple[ServerDraft, Looked] | None = None
        self._mode = "list"
        self.table = RowTable(kit, tr("Tool servers"), (tr("Name"), tr("Way"), tr("Tools"), tr("State")),
                              (150, 100, 60, 170),
                              wide=0, sign_at=3)
        self._empty = self.add_table(self.table, tr(_EMPTY))
        self.add = PlainButton(tr("Add a server…"), icon="plus",
                               tip=tr("A program of this computer, or a server elsewhere"))
        self.test = PlainButton(tr("Test"), icon="plugs-connected", name=tr("Test the chosen server"),
                                tip=tr("Start or reach it and compare its tools with what you approved; none is "
                                       "called"))
        self.forget = DangerButton(tr("Forget"), name=tr("Forget the chosen server"),
                                   tip=tr("Remove it with its tools and secrets; plans can no longer use it"))
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
        self.approve = MainButton(tr("Approve"), icon="check")
        self.back = FlatButton(tr("Do not add it"), tip=tr("Nothing is stored"))
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
        """Read and show the stored servers, without connecting to any."""

        async def read() -> None:
            self.tell_missing(await self._servers.missing())
            await self._servers.refresh()

        self.working.quietly(read, lambda _: None)

    def wipe(self) -> None:
        """Empty the form; a first connection under way is cancelled."""
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
        approved = tr("{name}, approved {when}", name=name, when=when) if when else name
        self.title.setText(f"{name}: {row.note}" if found else approved)
        self.address.setText(row.address)
        some = 0 if found is None else len(found.tools)
        words = trn("Approve {count:,} tool as it is now", "Approve {count:,} tools as they are now", some)
        self.approve.say(words if some else tr("Approve"),
                         tr("Plans may use them as they are now; until then the changed ones are not called"))
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
                self.working.said.tell(tr("{name} answers, but {said}. Read what changed, then approve it anew.",
                                          name=name, said=said), "warn")
                self.reader.table.setFocus(Qt.FocusReason.OtherFocusReason)
            else:
                self.working.said.tell(trn(
                    "{name} answers with {count:,} tool, as you approved.",
                    "{name} answers with {count:,} tools, as you approved.", len(looked.tools), name=name,
                ))
            self._tell_server(name)

        self.work(tr("Asking {name} for its tools", name=name), lambda: self._servers.test(name), done)

    def _forget(self) -> None:
        name = self.table.id
        self.work(tr("Forgetting {name}", name=name), lambda: self._servers.forget(name),
                  lambda _: self.working.said.tell(tr("{name} is forgotten, with its tools and secrets.", name=name),
                                                   "t3"))

    # --- a new one

    def _begin(self) -> None:
        self.working.said.clear()
        self.form.wipe()
        self._turn("form")
        self.form.name.setFocus(Qt.FocusReason.OtherFocusReason)

    def _look(self) -> None:
        make = self.form.written()

        async def read() -> tuple[ServerDraft, Looked, tuple[ToolSeen, ...]]:
            draft = await asyncio.to_thread(make)
            return draft, *await self._servers.look(draft)

        self.work(tr("Starting it and reading its tools"), read, lambda seen: self._offer(*seen))

    def _offer(self, draft: ServerDraft, looked: Looked, tools: Sequence[ToolSeen]) -> None:
        self._seen = draft, looked
        count = trn("{count:,} tool", "{count:,} tools", len(tools))
        self.title.setText(tr("{name} offers {count}. Nothing is stored yet.", name=draft.name, count=count))
        hidden = sum(tool.hidden for tool in tools)
        warn = trn("{count:,} tool with hidden characters!", "{count:,} tools with hidden characters!", hidden)
        read = tr("Read what they say of themselves: it is also read by the model that plans.")
        self.address.setText(f"{read} {warn}" if hidden else read)
        self.approve.say(tr("Approve {count}", count=count),
                         tr("Plans may use them; each row still needs your approval"))
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
                tr("Approved: plans may use {count} of {name}, each row after your approval.",
                   count=trn("{count:,} tool", "{count:,} tools", count), name=name)
            )
            self.table.setFocus(Qt.FocusReason.OtherFocusReason)

        self.work(tr("Keeping your approval"), store, done)

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
    return Row(row.name, (row.name, row.way, tools, tr(STATE_WORDS[row.state])), sign, tone, tip)
