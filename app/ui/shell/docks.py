"""The docks of the window: where they stand at first, in a narrow window, and as the person left them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QEvent, QObject, QSize, Qt
from PySide6.QtGui import QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QDockWidget, QMainWindow, QTabWidget, QWidget

from app.i18n import lazy, tr
from app.ui.kit.widgets.dock_title import TITLE_HEIGHT, DockTitle
from app.ui.kit.widgets.still import Still
from app.ui.shell.dock_names import CHAT, HISTORY, PLAN
from app.ui.shell.dock_sizes import DockSizes
from app.ui.shell.looks import to_bytes, to_text

if TYPE_CHECKING:
    # The first frame has no views yet.
    from app.ui.shell.dock_tabs import DockPage, DockTabs

DOCKS = (CHAT, HISTORY, PLAN)
LAYOUT_VERSION = 1
"""To be raised when docks are added or removed: a stored layout of another version is ignored."""
_TITLES = {CHAT: lazy("Chat"), HISTORY: lazy("History"), PLAN: lazy("Plan")}
_LEAST = {CHAT: (280, 0), HISTORY: (240, 0), PLAN: (0, 180)}
_AREAS = Qt.DockWidgetArea
_SIDES = _AREAS.LeftDockWidgetArea | _AREAS.RightDockWidgetArea
_NARROW = 1400
_LINE = "qt_qmainwindow_extended_splitter"
"""Object name of the widget that Qt lays over a splitter line between two docks."""


class Docks(QObject):
    """The three docks around the central widget; the plan's is there only while a song is shown.

    A dock that had to yield to a narrower window or to a central page that needs the room gets its own size back as
    soon as there is room for it. `changed` is called when a dock was shown or hidden."""

    def __init__(self, window: QMainWindow, changed: Callable[[], None]) -> None:
        super().__init__(window)
        self._window = window
        self._changed = changed
        self._narrow: bool | None = None
        self._working = False
        self.sizes = DockSizes()
        self._held = False
        """Whether the person has hold of a line between docks."""
        self._kept = QByteArray()
        """Where docks stand in a wide window with a song, while there is none."""
        self._plan_wanted = True
        self._away: tuple[str, ...] | None = None
        self._before = QByteArray()
        self.tab = ""
        """The view that is before the others of its dock; empty for the first."""
        window.setCorner(Qt.Corner.BottomRightCorner, _AREAS.BottomDockWidgetArea)
        window.setCorner(Qt.Corner.BottomLeftCorner, _AREAS.LeftDockWidgetArea)
        window.setTabPosition(_AREAS.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        window.installEventFilter(self)
        self.docks = {name: self._make(name) for name in DOCKS}
        self._titles: dict[str, FoldingTitle] = {}
        self._tabs: DockTabs | None = None
        self._frames: dict[str, Still] = {}
        for name in DOCKS:
            self._entitle(name, None)
        self.reset()

    def fill(self, name: str, widget: QWidget, bar: QWidget | None = None) -> None:
        """Put a view into dock `name` and its toolbar `bar`, if any, into the title, in place of those that were
        there."""
        self._put(name, widget)
        self._entitle(name, bar)

    def filling_tabs(self, name: str, pages: Sequence[DockPage]) -> Iterator[None]:
        """Generator that puts several views as tabs into dock `name`, in place of what was there, one view per step."""
        from app.ui.shell.dock_tabs import DockTabs

        tabs, self._tabs = DockTabs(pages), None
        self._put(name, tabs)
        self._put_title(name, tabs.title)
        yield
        yield from tabs.take()
        self._tabs = tabs
        self._choose_tab(self.tab)
        tabs.title.tabs.currentChanged.connect(self._note_tab)
        # While their views were exchanged the docks had nothing that kept them wide.
        self._settle()

    def tell(self, name: str, sub: str, *, bar: bool = True) -> None:
        """Write the secondary text `sub` in the title or on the tab of view `name` (empty: none), and show its toolbar
        only if `bar`."""
        if self._tabs is not None and name in self._tabs.names:
            self._tabs.tell(name, sub, bar=bar)
            return
        title = self._titles[name]
        title.set_sub(sub)
        if title.bar is not None:
            title.bar.setVisible(bar)

    def shown(self) -> frozenset[str]:
        """Names of the docks that are open, also of one that lies behind another's tab."""
        return frozenset(name for name, dock in self.docks.items() if not dock.isHidden())

    def toggle(self, name: str) -> None:
        """Open or close a dock."""
        dock = self.docks[name]
        dock.setVisible(dock.isHidden())
        if name == PLAN:
            self._plan_wanted = not dock.isHidden()
        self._settle()

    def bring(self, name: str) -> None:
        """Open the dock that holds view `name` and bring the view before those that share the dock."""
        if self._tabs is not None and name in self._tabs.names:
            self._tabs.choose(name)
            name = PLAN
        if name in self.docks:
            self.docks[name].show()
            self.docks[name].raise_()
        self._settle()

    def work(self, working: bool) -> None:
        """Show the plan's dock if there is a song to work on (`working`), hide it for the start page."""
        if working == self._working:
            return
        if not working and not self._narrow and self._away is None:
            self._kept = self._window.saveState(LAYOUT_VERSION)
        self._working = working
        self.docks[PLAN].setVisible(working and self._plan_wanted)
        if working and not self._kept.isEmpty() and not self._narrow:
            self._window.restoreState(self._kept, LAYOUT_VERSION)
            self._kept = QByteArray()
        self._settle()

    def make_room(self, wanted: bool) -> None:
        """If `wanted`, hide the docks of chat and plan for a central page that needs their room; else show those again
        that were open."""
        if wanted == (self._away is not None):
            return
        if wanted:
            self._before = QByteArray() if self._narrow else self._window.saveState(LAYOUT_VERSION)
            # In a narrow window the history shares the chat's place.
            aside = (PLAN,) if self._narrow else (CHAT, PLAN)
            self._away = tuple(name for name in aside if not self.docks[name].isHidden())
            for name in self._away:
                self.docks[name].hide()
            return
        away, self._away = self._away or (), None
        for name in away:
            self.docks[name].show()
        self._settle()

    def reset(self) -> None:
        """Put every dock back to its first place and size."""
        window, docks = self._window, self.docks
        self._plan_wanted = True
        self.sizes.restore("")
        self._kept = QByteArray()
        if self._away is not None:
            self._away, self._before = (), QByteArray()
        for dock in docks.values():
            dock.setFloating(False)
            window.removeDockWidget(dock)
        window.addDockWidget(_AREAS.LeftDockWidgetArea, docks[CHAT])
        window.addDockWidget(_AREAS.RightDockWidgetArea, docks[HISTORY])
        window.addDockWidget(_AREAS.BottomDockWidgetArea, docks[PLAN])
        for name, dock in docks.items():
            dock.setVisible(name != PLAN or self._working)
        self._narrow = None
        self.arrange()

    def arrange(self) -> None:
        """Fit places and sizes of the docks to the window's size; to be called whenever that changes."""
        narrow = self._window.width() < _NARROW
        if narrow != self._narrow:
            first, self._narrow = self._narrow is None, narrow
            self._fold(narrow, first=first)
        self._settle()

    def restore(self, layout: str, tab: str = "", sizes: str = "") -> None:
        """Restore a layout of `layout_now`, the tab that was shown and the sizes of `DockSizes.to_text`. A layout that
        is damaged or of another version changes nothing, nor does a tab that does not exist."""
        self._choose_tab(tab)
        self.sizes.restore(sizes)
        state = to_bytes(layout)
        if not state.isEmpty() and self._window.restoreState(state, LAYOUT_VERSION):
            self._kept = state
            self._plan_wanted = not self.docks[PLAN].isHidden()
            self.docks[PLAN].setVisible(self._working and self._plan_wanted)
            if self._narrow:
                self._fold(True, first=True)
        self._settle()

    def layout_now(self) -> str:
        """The layout for `restore`, empty if there is none yet. That of a narrow window, of a central page with all the
        room or of the start page is not stored; the one before it is returned."""
        if self._away is not None and not self._before.isEmpty():
            return to_text(self._before)
        if self._working and not self._narrow:
            return to_text(self._window.saveState(LAYOUT_VERSION))
        return "" if self._kept.isEmpty() else to_text(self._kept)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Report a dock that was shown or hidden, and note sizes that the person drags."""
        if watched is self._window:
            if event.type() is QEvent.Type.MouseButtonPress and isinstance(event, QMouseEvent):
                under = self._window.childAt(event.position().toPoint())
                between = under is None or under.objectName() == _LINE
                self._held = between and event.button() is Qt.MouseButton.LeftButton
            elif event.type() is QEvent.Type.MouseButtonRelease:
                self._held = False
        elif event.type() in (QEvent.Type.HideToParent, QEvent.Type.ShowToParent):
            self._changed()
        elif self._held and isinstance(event, QResizeEvent):
            self._note_size(watched.objectName(), event.oldSize(), event.size())
        return super().eventFilter(watched, event)

    def _note_size(self, name: str, before: QSize, now: QSize) -> None:
        old, new = (before.height(), now.height()) if name == PLAN else (before.width(), now.width())
        if old != new:
            self.sizes.choose(name, new, self._window.width(), self._window.height(), narrow=bool(self._narrow))

    def _fold(self, narrow: bool, *, first: bool) -> None:
        """History behind the chat in a narrow window; in a wide one all where they were."""
        window, docks = self._window, self.docks
        if narrow:
            if self._working and self._away is None and not first:
                self._kept = window.saveState(LAYOUT_VERSION)
            window.tabifyDockWidget(docks[CHAT], docks[HISTORY])
            docks[CHAT].raise_()
        elif not first:
            shown = self.shown()
            window.addDockWidget(_AREAS.RightDockWidgetArea, docks[HISTORY])
            window.restoreState(self._kept, LAYOUT_VERSION)
            for name, dock in docks.items():
                dock.setVisible(name in shown)
            if self._working:
                self._kept = QByteArray()
        for name in (CHAT, HISTORY):
            # A tab says which it is; the title would say it twice.
            self._titles[name].fold(narrow)

    def _choose_tab(self, tab: str) -> None:
        if self._tabs is not None and tab in self._tabs.names:
            self._tabs.choose(tab)
        self.tab = tab

    def _note_tab(self, at: int) -> None:
        if self._tabs is not None:
            self.tab = self._tabs.names[at]
            self._settle()

    def _make(self, name: str) -> QDockWidget:
        dock = QDockWidget(tr(_TITLES[name]), self._window)
        dock.setObjectName(name)
        dock.setAccessibleName(tr(_TITLES[name]))
        dock.setAllowedAreas(_AREAS.BottomDockWidgetArea | _AREAS.TopDockWidgetArea if name == PLAN else _SIDES)
        dock.setFeatures(
            QDockWidget.DockWidgetFeature.DockWidgetMovable | QDockWidget.DockWidgetFeature.DockWidgetClosable
        )
        empty = QWidget()
        empty.setMinimumSize(*_LEAST[name])
        dock.setWidget(empty)
        dock.installEventFilter(self)
        return dock

    def _put(self, name: str, widget: QWidget) -> None:
        least = _LEAST[name]
        widget.setMinimumSize(max(least[0], widget.minimumWidth()), max(least[1], widget.minimumHeight()))
        # What a view leaves unpainted would be the frame between the docks.
        widget.setProperty("surface", "panel")
        widget.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        before = self.docks[name].widget()
        self.docks[name].setWidget(widget)
        if before is not None:
            # A dock keeps what was in it as a child.
            before.deleteLater()

    def _entitle(self, name: str, bar: QWidget | None) -> None:
        title = FoldingTitle(tr(_TITLES[name]), bar)
        title.fold(bool(self._narrow) and name != PLAN)
        self._titles[name] = title
        self._put_title(name, title)

    def _put_title(self, name: str, title: QWidget) -> None:
        frame = Still(title)
        self.docks[name].setTitleBarWidget(frame)
        before = self._frames.pop(name, None)
        if before is not None:
            before.deleteLater()
        self._frames[name] = frame

    def _settle(self) -> None:
        """Give each dock its own size, as far as there is room."""
        width, height, narrow = self._window.width(), self._window.height(), bool(self._narrow)
        for names, across in (((CHAT,) if narrow else (CHAT, HISTORY), True), ((PLAN,), False)):
            docks = [self.docks[name] for name in names]
            sizes = [self.sizes.wanted(name, width, height, narrow=narrow) for name in names]
            if sizes != [dock.width() if across else dock.height() for dock in docks]:
                self._window.resizeDocks(docks, sizes, Qt.Orientation.Horizontal if across else Qt.Orientation.Vertical)


class FoldingTitle(DockTitle):
    """A dock's title with the toolbar of its view on the right; folded it has no height."""

    def __init__(self, title: str, bar: QWidget | None) -> None:
        super().__init__(title, buttons=() if bar is None else (bar,))
        self.bar = bar
        self._folded = False

    def fold(self, folded: bool) -> None:
        """Set the height to 0, or back to the usual one."""
        self._folded = folded
        self.setFixedHeight(0 if folded else TITLE_HEIGHT)
        frame = self.parentWidget()
        if frame is not None:
            frame.updateGeometry()

    def sizeHint(self) -> QSize:  # noqa: N802
        """The height 0 or the usual one: docks ask for this alone."""
        return QSize(super().sizeHint().width(), 0 if self._folded else TITLE_HEIGHT)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(0, self.sizeHint().height())
