"""The frame of the main window: where its parts stand, before and after there is anything to show in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QAction, QGuiApplication, QResizeEvent
from PySide6.QtWidgets import (
    QDockWidget,
    QHBoxLayout,
    QMainWindow,
    QMenu,
    QMenuBar,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.i18n import tr
from app.ui.kit.widgets.labels import ElidedLabel, PlainLabel
from app.ui.kit.widgets.still import Still
from app.ui.shell.dock_names import CHAT, EVENTS, HISTORY, MIXER, PIANOROLL, PLAN
from app.ui.shell.docks import Docks
from app.ui.shell.looks import Looks, to_bytes
from app.ui.shell.menus import Menu, title_of
from app.ui.shell.status_line import StatusLine

if TYPE_CHECKING:
    # Everything of the song and its database is slow to import; the window is shown before it.
    from app.ui.kit.context import Kit
    from app.ui.shell.workbench import Workbench


TOP_HEIGHT = 26
_MARK = 16
_SIDE = 8


class TitleBar(QWidget):
    """26 px high, with menus, the song's name and the search button. The name is centred in the window as long as the
    menus leave room there."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("surface", "bar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(TOP_HEIGHT)
        self._mark = PlainLabel(parent=self)
        self._bar = QMenuBar(self)
        self._bar.setNativeMenuBar(False)
        self.menus = {menu: self._menu(menu) for menu in Menu}
        self.name = ElidedLabel("Bandleader", self, size="strong")
        self.name.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.search = QToolButton(self)
        self.search.setText(tr("Find a command"))
        self.search.setAccessibleName(tr("Find a command"))
        self.search.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        # What has the keyboard may vanish, and the keyboard must not fall to this, where Space would open it.
        self.search.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._row = row = QHBoxLayout(self)
        row.setContentsMargins(_SIDE, 0, _SIDE, 0)
        row.setSpacing(_SIDE // 2)
        row.addWidget(self._mark)
        row.addWidget(self._bar)
        row.addStretch()
        row.addWidget(self.search)

    def complete(self, kit: Kit, find: QAction) -> None:
        """Add icons and the shortcut of `find`, which are made after the window is shown."""
        from app.ui.kit.widgets.key_hint import KeyHint

        hint = KeyHint(kit, find.shortcut().toString(), self)
        self._row.addWidget(hint)

        def follow() -> None:
            hint.say(find.shortcut().toString())
            self.search.setToolTip(find.toolTip())

        follow()
        find.changed.connect(follow)
        self.search.clicked.connect(find.trigger)
        self._renew()
        kit.theme.changed.connect(self._renew)

    def show_name(self, name: str) -> None:
        """Show the song's name."""
        self.name.setText(name)
        self._place()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Centre the name again."""
        super().resizeEvent(event)
        self._place()

    def _menu(self, menu: Menu) -> QMenu:
        made = QMenu(title_of(menu), self._bar)
        made.setObjectName(f"menu {menu.value}")
        self._bar.addMenu(made)
        return made

    def _renew(self) -> None:
        from app.ui.kit.icons import icon

        self._mark.setPixmap(icon("baton", "agent", _MARK).pixmap(QSize(_MARK, _MARK), self.devicePixelRatioF()))
        self.search.setIcon(icon("magnifying-glass"))
        self.search.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)

    def _place(self) -> None:
        left, right = self._bar.geometry().right() + _SIDE, self.search.x() - _SIDE
        wide = min(self.name.sizeHint().width(), max(0, right - left))
        at = min(max((self.width() - wide) // 2, left), max(left, right - wide))
        self.name.setGeometry(at, 0, wide, self.height())


FIRST_SIZE = QSize(1600, 1000)
LEAST_SIZE = QSize(1024, 640)
_FRAME = QSize(8, 40)
_BAR_HEIGHT = 47


class WindowFrame(QMainWindow):
    """The empty main window: menus, bars, central pages and docks at their places. `changed` is called when a dock
    opens, closes or moves."""

    def __init__(self, looks: Looks, changed: Callable[[], None]) -> None:
        super().__init__()
        self.first_looks = looks
        self.setObjectName("window")
        self.setWindowTitle("Bandleader")
        self.setMinimumSize(LEAST_SIZE.boundedTo(self.screen().availableSize() - _FRAME))
        self.top = TitleBar()
        self.bars = QVBoxLayout()
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
        self.docks = Docks(self, changed)
        if looks.geometry:
            self.restoreGeometry(to_bytes(looks.geometry))
            self.come_into_sight()
            self.docks.arrange()
        self.docks.restore(looks.layout, looks.tab, looks.sizes)

    def come_forward(self) -> None:
        """Show, raise and activate the window; restores it if it is minimised."""
        if self.isMinimized():
            self.showNormal()
        self.show()
        self.raise_()
        self.activateWindow()

    def come_into_sight(self) -> None:
        """Move and shrink the window onto a screen if too little of it is on one."""
        screens = QGuiApplication.screens()
        places = [screen.availableGeometry() for screen in screens if screen is not None]
        wanted = fitted_to_screens(self.geometry(), places)
        if wanted != self.geometry() and not self.isFullScreen():
            self.setGeometry(wanted)

    def put_bar(self, bar: QWidget) -> None:
        """Show this transport bar in place of the one before."""
        before, self._bar = self._bar, Still(bar)
        self.bars.replaceWidget(before, self._bar)
        before.hide()
        before.deleteLater()

    def placing(self, bench: Workbench) -> Iterator[None]:
        """Generator that puts the views into the docks, one per step, and then shows the project's name."""
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
        """Show the song's name in the window's title and the chat's; no name if `draft`, an untouched draft."""
        self.setWindowTitle("Bandleader" if draft else f"{name} — Bandleader")
        self.top.show_name("Bandleader" if draft else name)
        self.docks.tell(CHAT, "" if draft else name)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Rearrange the docks for the new width."""
        super().resizeEvent(event)
        self.docks.arrange()

    def focusNextPrevChild(self, forward: bool) -> bool:  # noqa: N802 - Qt's
        """Skip widgets in a dock behind another one's tab: Qt only moves those out of the window, and Tab would reach
        them."""
        passed = {self.focusWidget()}
        while super().focusNextPrevChild(forward):
            now = self.focusWidget()
            if now is None or now in passed or not _is_behind(now):
                return True
            passed.add(now)
        return False

    def _head(self) -> QWidget:
        """Menus, transport bar and messages, one below the other."""
        head = QWidget()
        column = QVBoxLayout(head)
        column.setContentsMargins(0, 0, 0, 1)
        column.setSpacing(0)
        column.addWidget(self.top)
        column.addLayout(self.bars)
        self.bars.addWidget(self._bar)
        return head


def _empty_bar() -> QWidget:
    empty = QWidget()
    empty.setProperty("surface", "bar")
    empty.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    empty.setFixedHeight(_BAR_HEIGHT)
    return empty


_SEEN = QSize(160, 40)
"""Width and height (pixels) of the top of a window that must be on one screen, so that it can be dragged."""


def fitted_to_screens(frame: QRect, screens: Sequence[QRect]) -> QRect:
    """A rectangle for a window that is on a screen: `frame` itself if enough of its top is on one, else moved and
    shrunk to fit. The first screen is the main one; without screens `frame`."""
    if not screens:
        return frame
    top = QRect(frame.topLeft(), QSize(frame.width(), min(frame.height(), _SEEN.height())))
    for screen in screens:
        seen = screen.intersected(top)
        if seen.width() >= min(_SEEN.width(), frame.width()) and seen.height() >= top.height():
            return frame
    home = screens[0]
    size = frame.size().boundedTo(home.size())
    left = min(max(frame.left(), home.left()), home.right() - size.width() + 1)
    above = min(max(frame.top(), home.top()), home.bottom() - size.height() + 1)
    return QRect(left, above, size.width(), size.height())


def _is_behind(widget: QWidget) -> bool:
    """Whether a widget lies in a dock that is behind another dock's tab."""
    above: QWidget | None = widget
    while above is not None and not isinstance(above, QDockWidget):
        above = above.parentWidget()
    return above is not None and above.visibleRegion().isEmpty()
