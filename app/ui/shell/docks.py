"""The docks of the window: where they stand at first, in a narrow window, and as the person left them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QEvent, QObject, QSize, Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow, QTabWidget, QWidget

from app.ui.kit.widgets.dock_title import TITLE_HEIGHT, DockTitle
from app.ui.kit.widgets.still import Still
from app.ui.shell.looks import to_bytes, to_text
from app.words import later, tr

if TYPE_CHECKING:
    # The first frame has no views yet.
    from app.ui.shell.dock_tabs import DockPage, DockTabs

CHAT, HISTORY, PLAN, PIANOROLL, MIXER, EVENTS = "chat", "history", "plan", "pianoroll", "mixer", "events"
DOCKS = (CHAT, HISTORY, PLAN)
LAYOUT_VERSION = 1
"""Raise it when docks come or go: a layout of another version is ignored."""
_TITLES = {CHAT: later("Chat"), HISTORY: later("History"), PLAN: later("Plan")}
_LEAST = {CHAT: (280, 0), HISTORY: (240, 0), PLAN: (0, 180)}
_AREAS = Qt.DockWidgetArea
_SIDES = _AREAS.LeftDockWidgetArea | _AREAS.RightDockWidgetArea
_NARROW = 1400
_WIDE = 1900
_LOW = 800
_PLAN_SHARE = 0.503
"""Height of the plan as a share of the window's."""
_PLAN_LOW = 260


class Docks(QObject):
    """Three docks around the central widget. The plan's is there only while there is a song to plan for."""

    def __init__(self, window: QMainWindow, changed: Callable[[], None]) -> None:
        super().__init__(window)
        self._window = window
        self._changed = changed
        self._narrow: bool | None = None
        self._working = False
        self._kept = QByteArray()
        self._plan_wanted = True
        self._away: tuple[str, ...] | None = None
        self._before = QByteArray()
        self.tab = ""
        """The view that is before the others of its dock; empty for the first."""
        window.setCorner(Qt.Corner.BottomRightCorner, _AREAS.BottomDockWidgetArea)
        window.setCorner(Qt.Corner.BottomLeftCorner, _AREAS.LeftDockWidgetArea)
        window.setTabPosition(_AREAS.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        self.docks = {name: self._make(name) for name in DOCKS}
        self._titles: dict[str, _Title] = {}
        self._tabs: DockTabs | None = None
        self._frames: dict[str, Still] = {}
        for name in DOCKS:
            self._entitle(name, None)
        self.reset()

    def fill(self, name: str, widget: QWidget, bar: QWidget | None = None) -> None:
        """Put a view into its dock, and its bar into the title, in place of those that were there."""
        least = _LEAST[name]
        widget.setMinimumSize(max(least[0], widget.minimumWidth()), max(least[1], widget.minimumHeight()))
        # What a view leaves unpainted would be the frame between the docks.
        widget.setProperty("surface", "panel")
        widget.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.docks[name].setWidget(widget)
        self._entitle(name, bar)

    def fill_tabs(self, name: str, pages: Sequence[DockPage]) -> None:
        """Put several views into one dock, one before the other, in place of those that were there."""
        from app.ui.shell.dock_tabs import DockTabs

        tabs = DockTabs(pages)
        self.fill(name, tabs)
        self._tabs = tabs
        self._put_title(name, tabs.title)
        self._choose_tab(self.tab)
        tabs.title.tabs.currentChanged.connect(self._note_tab)

    def tell(self, name: str, sub: str, *, bar: bool = True) -> None:
        """The quiet word in a dock's title or tab, and whether its bar is of use now."""
        if self._tabs is not None and name in self._tabs.names:
            self._tabs.tell(name, sub, bar=bar)
            return
        title = self._titles[name]
        title.set_sub(sub)
        if title.bar is not None:
            title.bar.setVisible(bar)

    def shown(self) -> frozenset[str]:
        """The docks that are open; one behind another's tab is."""
        return frozenset(name for name, dock in self.docks.items() if not dock.isHidden())

    def toggle(self, name: str) -> None:
        """Open or close a dock."""
        dock = self.docks[name]
        dock.setVisible(dock.isHidden())
        if name == PLAN:
            self._plan_wanted = not dock.isHidden()

    def bring(self, name: str) -> None:
        """Open the dock of a view and put it before those that share its place."""
        if self._tabs is not None and name in self._tabs.names:
            self._tabs.choose(name)
            name = PLAN
        if name in self.docks:
            self.docks[name].show()
            self.docks[name].raise_()

    def work(self, working: bool) -> None:
        """Whether there is a song to work on; the start page has no plan under it."""
        if working == self._working:
            return
        self._working = working
        self.docks[PLAN].setVisible(working and self._plan_wanted)
        if working and not self._kept.isEmpty() and not self._narrow:
            self._window.restoreState(self._kept, LAYOUT_VERSION)
            self._kept = QByteArray()

    def make_room(self, wanted: bool) -> None:
        """Put chat and plan aside for a page that needs their room, or bring back those that were open."""
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

    def reset(self) -> None:
        """Everything where it stands at first."""
        window, docks = self._window, self.docks
        self._plan_wanted = True
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
        """Take the places that fit the window's size; called whenever that changes."""
        narrow = self._window.width() < _NARROW
        if narrow == self._narrow:
            return
        first, self._narrow = self._narrow is None, narrow
        if narrow:
            self._window.tabifyDockWidget(self.docks[CHAT], self.docks[HISTORY])
            self.docks[CHAT].raise_()
        elif not first:
            self._window.addDockWidget(_AREAS.RightDockWidgetArea, self.docks[HISTORY])
        for name in (CHAT, HISTORY):
            # A tab says which it is; the title would say it twice.
            self._titles[name].fold(narrow)
        self._sizes()

    def restore(self, layout: str, tab: str = "") -> None:
        """As the person left it; a layout that is damaged or of another version changes nothing, nor does a tab that
        is gone."""
        self._choose_tab(tab)
        state = to_bytes(layout)
        if state.isEmpty() or self._narrow or not self._window.restoreState(state, LAYOUT_VERSION):
            return
        self._kept = state
        self._plan_wanted = not self.docks[PLAN].isHidden()
        self.docks[PLAN].setVisible(self._working and self._plan_wanted)

    def layout_now(self) -> str:
        """What to restore next time. A narrow window's own places are not kept, nor those without a plan."""
        if self._away is not None and not self._before.isEmpty():
            return to_text(self._before)
        if self._working and not self._narrow:
            return to_text(self._window.saveState(LAYOUT_VERSION))
        return "" if self._kept.isEmpty() else to_text(self._kept)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Tell when a dock was shown or hidden."""
        if event.type() in (QEvent.Type.HideToParent, QEvent.Type.ShowToParent):
            self._changed()
        return super().eventFilter(watched, event)

    def _choose_tab(self, tab: str) -> None:
        if self._tabs is not None and tab in self._tabs.names:
            self._tabs.choose(tab)
        self.tab = tab

    def _note_tab(self, at: int) -> None:
        if self._tabs is not None:
            self.tab = self._tabs.names[at]

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

    def _entitle(self, name: str, bar: QWidget | None) -> None:
        title = _Title(tr(_TITLES[name]), bar)
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

    def _sizes(self) -> None:
        width, height = self._window.width(), self._window.height()
        chat = 280 if width < _NARROW else 360 if width >= _WIDE else 336
        history = 320 if width >= _WIDE else 292
        across = Qt.Orientation.Horizontal
        if self._narrow:
            self._window.resizeDocks([self.docks[CHAT]], [chat], across)
        else:
            self._window.resizeDocks([self.docks[CHAT], self.docks[HISTORY]], [chat, history], across)
        plan = _PLAN_LOW if height < _LOW else round(height * _PLAN_SHARE)
        self._window.resizeDocks([self.docks[PLAN]], [plan], Qt.Orientation.Vertical)


class _Title(DockTitle):
    """A dock's title, with the bar of its view on the right; folded it takes no room."""

    def __init__(self, title: str, bar: QWidget | None) -> None:
        super().__init__(title, buttons=() if bar is None else (bar,))
        self.bar = bar
        self._folded = False

    def fold(self, folded: bool) -> None:
        """Take no room, or the usual height."""
        self._folded = folded
        self.setFixedHeight(0 if folded else TITLE_HEIGHT)
        frame = self.parentWidget()
        if frame is not None:
            frame.updateGeometry()

    def sizeHint(self) -> QSize:  # noqa: N802
        """Docks ask for this alone."""
        return QSize(super().sizeHint().width(), 0 if self._folded else TITLE_HEIGHT)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(0, self.sizeHint().height())
