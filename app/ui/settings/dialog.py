"""The settings: a list of pages on the left, the page on the right."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TypeAlias

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QListWidgetItem,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.i18n import tr
from app.paths import find_paths
from app.studio.models import KINDS, LOCAL
from app.ui.kit.context import Kit
from app.ui.kit.icons import icon
from app.ui.kit.widgets.buttons import PlainButton
from app.ui.kit.widgets.row_list import RowList
from app.ui.settings.entries import FOLDERS, LIBRARY, MACHINES, SERVERS, SPENDING, WINDOW, page_names
from app.ui.settings.other_pages import ComposerPage, SpendingPage, WindowPage
from app.ui.settings.provider_page import ProviderPage
from app.ui.settings.services.folders_page import FoldersPage
from app.ui.settings.services.library_page import LibraryPage
from app.ui.settings.services.machines_page import MachinesPage
from app.ui.settings.services.servers_page import ServersPage
from app.viewmodels.chat.choosing import Choosing
from app.viewmodels.preferences import PreferenceStore
from app.viewmodels.services import Services

SettingsPage: TypeAlias = (
    ComposerPage | ProviderPage | SpendingPage | ServersPage | MachinesPage | FoldersPage | LibraryPage | WindowPage
)
_WIDTH, _HEIGHT = 860, 740
_AROUND = 80
"""Pixels that a small screen needs for the window's frame and bars."""
_LIST = 180
_MARGIN = 10
_ICON = 14


class SettingsDialog(QDialog):
    """The settings; open it with `open_page`. It is not modal and closes with Esc; changes hold without confirmation.
    Without `services` and `preferences` there are only the pages of planners."""

    restart_wanted = Signal()

    def __init__(
        self, parent: QWidget | None, kit: Kit, choosing: Choosing, services: Services | None = None,
        preferences: PreferenceStore | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("settings")
        self.setWindowTitle(tr("Settings"))
        self.setWindowModality(Qt.WindowModality.NonModal)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        room = self.screen().availableGeometry()
        self.resize(min(_WIDTH, room.width() - _AROUND), min(_HEIGHT, room.height() - _AROUND))
        self.list = RowList(tr("Pages of the settings"))
        self.list.setFixedWidth(_LIST)
        makers = _makers(kit, choosing, services, preferences, self.restart_wanted.emit)
        self.names = tuple(makers)
        for words, sign in ((words, sign) for name, words, sign in page_names() if name in makers):
            self.list.addItem(QListWidgetItem(icon(sign, "t2", _ICON), words))
        self.pages = _Pages({name: self._placed(name, make) for name, make in makers.items()})
        self._stack = QStackedWidget()
        for _ in self.names:
            self._stack.addWidget(_scrolling())
        close = PlainButton(tr("Close"), key="Esc")
        close.clicked.connect(self.accept)
        self._lay_out(close)
        self.list.currentRowChanged.connect(self._turn)
        self.finished.connect(self._leave)

    def open_page(self, name: str = "") -> None:
        """Show a page by its name: `local`, a provider's kind, `spending`, or that of a service; the first for an
        unknown name."""
        self.list.setCurrentRow(self.names.index(name) if name in self.names else 0)
        if self.isVisible():
            self.activateWindow()
        else:
            self.open()

    def _placed(self, name: str, make: Callable[[], SettingsPage]) -> Callable[[], SettingsPage]:
        """Makes a page in its place."""

        def made() -> SettingsPage:
            page = make()
            place = self._stack.widget(self.names.index(name))
            assert isinstance(place, QScrollArea)
            place.setWidget(page)
            return page

        return made

    def _lay_out(self, close: PlainButton) -> None:
        end = QHBoxLayout()
        end.setContentsMargins(_MARGIN, 0, _MARGIN, _MARGIN)
        end.addStretch()
        end.addWidget(close)
        right = QVBoxLayout()
        right.setSpacing(_MARGIN)
        right.addWidget(self._stack, 1)
        right.addLayout(end)
        left = QWidget()
        left.setProperty("surface", "canvas")
        left.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        beside = QVBoxLayout(left)
        beside.setContentsMargins(_MARGIN - 4, _MARGIN, _MARGIN - 4, _MARGIN)
        beside.addWidget(self.list)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(left)
        row.addLayout(right, 1)

    def _turn(self, row: int) -> None:
        for page in self.pages.values():
            if isinstance(page, ProviderPage):
                page.key.wipe()
            elif isinstance(page, ServersPage | MachinesPage):
                page.wipe()
        page = self.pages[self.names[row]]
        self._stack.setCurrentIndex(row)
        page.look()

    def _leave(self) -> None:
        for page in self.pages.values():
            page.close_page()

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 - Qt's name
        """Close the pages, also when the dialog's window closes it."""
        self._leave()
        super().closeEvent(event)


class _Pages(dict[str, SettingsPage]):
    """Pages by name, each made when it is first asked for: all at once would hold the window up."""

    def __init__(self, makers: Mapping[str, Callable[[], SettingsPage]]) -> None:
        super().__init__()
        self._makers = makers

    def __missing__(self, name: str) -> SettingsPage:
        self[name] = made = self._makers[name]()
        return made


def _makers(
    kit: Kit, choosing: Choosing, services: Services | None, preferences: PreferenceStore | None,
    restart: Callable[[], None]
) -> dict[str, Callable[[], SettingsPage]]:
    makers: dict[str, Callable[[], SettingsPage]] = {LOCAL: lambda: ComposerPage(kit, choosing)}
    for kind in KINDS:
        makers[kind] = partial(ProviderPage, kit, choosing, kind)
    makers[SPENDING] = lambda: SpendingPage(kit, choosing)
    if services is not None:
        makers[SERVERS] = lambda: ServersPage(kit, services.servers)
        makers[MACHINES] = lambda: MachinesPage(kit, services.machines)
        makers[FOLDERS] = lambda: FoldersPage(kit, services)
        makers[LIBRARY] = lambda: LibraryPage(kit, services.library)
    if preferences is not None:
        makers[WINDOW] = lambda: WindowPage(kit, preferences, find_paths().resources, restart)
    return makers


def _scrolling() -> QScrollArea:
    made = QScrollArea()
    made.setWidgetResizable(True)
    made.setFrameShape(QFrame.Shape.NoFrame)
    made.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    made.viewport().setProperty("surface", "panel")
    return made
