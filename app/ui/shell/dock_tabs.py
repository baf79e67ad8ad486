"""Several views in one dock: tabs with their counts in its title, and on the right the bar of the one that is shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QTabBar, QWidget

from app.ui.kit.widgets.dock_title import TITLE_HEIGHT

_RIGHT = 6


@dataclass(frozen=True)
class DockPage:
    """One view in a dock of several; `bar` is its toolbar, in the dock's title while the view is shown."""

    name: str
    title: str
    widget: QWidget
    bar: QWidget | None = None


class DockTabs(QStackedWidget):
    """A stack of views with a tab bar; `title` is the title widget for the dock. The views are added by `take`."""

    def __init__(self, pages: Sequence[DockPage]) -> None:
        super().__init__()
        self._pages = tuple(pages)
        self._wanted = {page.name: True for page in pages}
        self.title = TabTitle(self._pages)
        self.title.tabs.currentChanged.connect(self._show)
        self._show(0)

    def take(self) -> Iterator[None]:
        """Generator that adds one view per step."""
        for page in self._pages:
            self.addWidget(page.widget)
            yield
        self._show(self.title.tabs.currentIndex())

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the views, in the order of the tabs."""
        return tuple(page.name for page in self._pages)

    def choose(self, name: str) -> None:
        """Show the view of this name; raises `ValueError` if there is none."""
        self.title.tabs.setCurrentIndex(self.names.index(name))

    def tell(self, name: str, sub: str, *, bar: bool = True) -> None:
        """Write `sub`, such as a count, on the tab of view `name` (empty: none), and show the view's toolbar only if
        `bar`."""
        at = self.names.index(name)
        text = f"{self._pages[at].title}  {sub}" if sub else self._pages[at].title
        if self.title.tabs.tabText(at) != text:
            self.title.tabs.setTabText(at, text)
        self._wanted[name] = bar
        self._show_bars()

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """The minimum of the view that is shown; the dock limits its own size."""
        current = self.currentWidget()
        return QSize(0, 0) if current is None else current.minimumSizeHint()

    def _show(self, at: int) -> None:
        self.setCurrentIndex(at)
        self._show_bars()

    def _show_bars(self) -> None:
        for at, page in enumerate(self._pages):
            if page.bar is not None:
                page.bar.setVisible(at == self.currentIndex() and self._wanted[page.name])


class TabTitle(QWidget):
    """The dock's title with its tabs and the toolbar of the view that is shown; 30 px high, as other docks' titles."""

    def __init__(self, pages: Sequence[DockPage]) -> None:
        super().__init__()
        self.setProperty("surface", "bar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(TITLE_HEIGHT)
        self.tabs = QTabBar()
        self.tabs.setObjectName("bottom-tabs")
        self.tabs.setAccessibleName(", ".join(page.title for page in pages))
        self.tabs.setExpanding(False)
        self.tabs.setDrawBase(False)
        self.tabs.setUsesScrollButtons(False)
        self.tabs.setFixedHeight(TITLE_HEIGHT)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, _RIGHT, 0)
        row.setSpacing(0)
        row.addWidget(self.tabs)
        row.addStretch(1)
        for page in pages:
            self.tabs.addTab(page.title)
            if page.bar is not None:
                row.addWidget(page.bar)
