"""The main window: places the parts, and follows which project is open. It has no logic of its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDragLeaveEvent, QDropEvent, QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QMainWindow, QStackedWidget, QVBoxLayout, QWidget

from app.ui.kit.theme import Theme
from app.ui.kit.widgets.still import Still
from app.ui.shell.dock_names import CHAT, EVENTS, HISTORY, MIXER, PIANOROLL, PLAN
from app.ui.shell.docks import Docks
from app.ui.shell.looks import Looks, to_bytes, to_text
from app.ui.shell.sight import in_sight, is_behind
from app.ui.shell.status_line import StatusLine
from app.ui.shell.top_bar import TopBar
from app.words import tr

if TYPE_CHECKING:
    # Everything of the song and its database is slow to import; the window is shown before it.
    from app.desktop.desktop import Desktop
    from app.ui.kit.context import Kit
    from app.ui.kit.tasks import Coalesced
    from app.ui.shell.action_set import ActionSet
    from app.ui.shell.attached import Attached
    from app.ui.shell.views import ViewFactories
    from app.ui.shell.workbench import Workbench

FIRST_SIZE = QSize(1600, 1000)
LEAST_SIZE = QSize(1024, 640)
_FRAME = QSize(8, 40)
_BAR_HEIGHT = 47
_SETTLE_MS = 0


class MainWindow(QMainWindow):
    """Shown empty at once; `attach` fills it when the application behind it is there.

    `closing` is emitted when the person closes the window; whoever owns it detaches it then.
    """

    closing = Signal()

    actions_: ActionSet
    """From `attach` on."""

    def __init__(self, theme: Theme, looks: Looks) -> None:
        super().__init__()
        self._theme = theme
        self.first_looks = self._looks = looks
        self._attached: Attached | None = None
        self.setObjectName("window")
        self.setWindowTitle("Bandleader")
        self.setMinimumSize(LEAST_SIZE.boundedTo(self.screen().availableSize() - _FRAME))
        self.setAcceptDrops(True)
        self.restarting = False
        """Whether it was closed to be opened again at once."""
        self._soon: Coalesced | None = None
        self.top = TopBar()
        self._bars = QVBoxLayout()
        self._bar = _empty_bar()
        self.pages = QStackedWidget()
        self.pages.setProperty("surface", "panel")
        self.pages.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setMenuWidget(self._head())
        self.setCentralWidget(self.pages)
        self.status = StatusLine()
        self.setStatusBar(self.status)
        # Title bar and frame are not known before the window is shown.
        self.resize(FIRST_SIZE.boundedTo(self.screen().availableSize() - _FRAME))
        self.docks = Docks(self, self._ask)
        if looks.geometry:
            self.restoreGeometry(to_bytes(looks.geometry))
            self.come_into_sight()
            self.docks.arrange()
        self.docks.restore(looks.layout, looks.tab, looks.sizes)

    def attach(self, desktop: Desktop, kit: Kit, make: ViewFactories) -> None:
        """Show what the desktop opens, from now on; once."""
        from app.ui.kit.tasks import Coalesced
        from app.ui.shell.action_set import ActionSet
        from app.ui.shell.attached import Attached

        self.actions_ = ActionSet(self)
        self.actions_.fill(self.top.menus)
        self.top.complete(kit, self.actions_["window.find"])
        self._soon = Coalesced(_SETTLE_MS, self._refresh, self, kit.turns)
        self._attached = Attached(self, kit, desktop, make, self._ask)
        self._refresh()

    def detach(self) -> None:
        """Close all views."""
        if self._soon is not None:
            self._soon.drop()
        attached, self._attached = self._attached, None
        if attached is not None:
            attached.close()
            self.actions_.commands = None
        self.status.close_view()

    def looks(self) -> Looks:
        """What to restore next time."""
        placed = replace(self._looks, theme=self._theme.choice)
        # A hidden window has its ordinary size, also where it was maximized; what was kept when it was closed counts.
        if self.isVisible():
            layout = self.docks.layout_now() or self._looks.layout
            placed = replace(placed, geometry=to_text(self.saveGeometry()), layout=layout, tab=self.docks.tab,
                             sizes=self.docks.sizes_now())
        if self._attached is None:
            return placed
        habits = self._attached.habits.value
        return placed.living_by(habits.theme, habits.language, habits.zoom, still=habits.calm)

    def restart(self) -> None:
        """Close, and open again with the same project."""
        self.restarting = True
        self.close()

    def unsent(self) -> str:
        """The request that is written in the chat but not sent."""
        return "" if self._attached is None else self._attached.unsent()

    def put_request(self, request: str) -> None:
        """Write a request into the chat without sending it."""
        if self._attached is not None:
            self._attached.put_request(request)

    def come_forward(self) -> None:
        """Be the window that the person sees."""
        if self.isMinimized():
            self.showNormal()
        self.show()
        self.raise_()
        self.activateWindow()

    def come_into_sight(self) -> None:
        """Stand on a screen that is there."""
        screens = QGuiApplication.screens()
        places = [screen.availableGeometry() for screen in screens if screen is not None]
        wanted = in_sight(self.geometry(), places)
        if wanted != self.geometry() and not self.isFullScreen():
            self.setGeometry(wanted)

    def put_bar(self, bar: QWidget) -> None:
        """Another transport bar."""
        before, self._bar = self._bar, Still(bar)
        self._bars.replaceWidget(before, self._bar)
        before.hide()
        before.deleteLater()

    def put_strips(self, strips: QWidget) -> None:
        """Messages under the transport bar."""
        self._bars.addWidget(strips)

    def placing(self, bench: Workbench) -> Iterator[None]:
        """Put views into the docks, one at a time, and then the name of the project that is open."""
        from app.ui.shell.dock_tabs import DockPage

        parts = bench.parts()
        for name in (CHAT, HISTORY):
            self.docks.fill(name, parts[name].widget)
            yield
        yield from self.docks.filling_tabs(PLAN, (
            DockPage(PLAN, tr("Plan"), parts[PLAN].widget, parts[PLAN].bar),
            DockPage(PIANOROLL, tr("Piano roll"), parts[PIANOROLL].widget, parts[PIANOROLL].bar),
            DockPage(MIXER, tr("Mixer"), parts[MIXER].widget, parts[MIXER].bar),
            DockPage(EVENTS, tr("Events"), parts[EVENTS].widget),
        ))
        yield
        opened = bench.opened
        self.show_name(opened.workspace.name, draft=opened.workspace.draft)

    def show_name(self, name: str, *, draft: bool) -> None:
        """The song's name in the title and the chat; an untouched draft has none."""
        self.setWindowTitle("Bandleader" if draft else f"{name} — Bandleader")
        self.top.show_name("Bandleader" if draft else name)
        self.docks.tell(CHAT, "" if draft else name)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Other places in a narrow window."""
        super().resizeEvent(event)
        self.docks.arrange()

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802
        """Closing is the owner's work; the window is out of sight at once."""
        event.ignore()
        self._looks = self.looks()
        self.hide()
        self.closing.emit()

    def focusNextPrevChild(self, forward: bool) -> bool:  # noqa: N802 - Qt's
        """Tab passes by what lies in a dock behind another one: Qt only moves that out of the window."""
        passed = {self.focusWidget()}
        while super().focusNextPrevChild(forward):
            now = self.focusWidget()
            if now is None or now in passed or not is_behind(now):
                return True
            passed.add(now)
        return False

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        """A window that comes forward may have a new enabled state of its actions."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.ActivationChange:
            if self._attached is not None and self.isActiveWindow():
                self._attached.notices.seen()
            self._ask()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802
        """Offer to open one MIDI file."""
        path = None if self._attached is None else self._attached.offered(event.mimeData())
        if path is not None:
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:  # noqa: N802, ARG002
        """Take the offer back."""
        if self._attached is not None:
            self._attached.outline.hide()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802
        """Open the file."""
        path: Path | None = None if self._attached is None else self._attached.dropped(event.mimeData())
        if path is not None:
            event.acceptProposedAction()

    def _head(self) -> QWidget:
        """Menus, transport bar and messages, one below the other."""
        head = QWidget()
        column = QVBoxLayout(head)
        column.setContentsMargins(0, 0, 0, 1)
        column.setSpacing(0)
        column.addWidget(self.top)
        column.addLayout(self._bars)
        self._bars.addWidget(self._bar)
        return head

    def _ask(self) -> None:
        if self._soon is not None and self._attached is not None:
            self._soon.ask()

    def _refresh(self) -> None:
        if self._attached is not None:
            self._attached.refresh()


def _empty_bar() -> QWidget:
    empty = QWidget()
    empty.setProperty("surface", "bar")
    empty.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    empty.setFixedHeight(_BAR_HEIGHT)
    return empty
