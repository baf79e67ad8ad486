"""The first page of the window."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QSizePolicy, QSpacerItem, QVBoxLayout, QWidget

from app.i18n import tr
from app.ui.kit.context import Kit
from app.ui.kit.shortcuts import keyed_tip
from app.ui.kit.widgets.buttons import PlainButton
from app.ui.kit.widgets.labels import ElidedLabel, PlainLabel
from app.ui.kit.widgets.scrolling import name_scroll_bars
from app.ui.welcome.drawings import HEIGHT, Drawing, Scene
from app.ui.welcome.offers import EXAMPLES, STEPS
from app.ui.welcome.offline_strip import OfflineStrip
from app.ui.welcome.rows import RECENT_HEIGHT, TALL_BUTTON, ExampleRow, FramedRows, PressRow, RecentRow
from app.viewmodels.desktop import Desktop, Recent

WIDTH = 680
_MARGIN, _MARGIN_LOW = 32, 14
_LESS = 8
"""Pixels by which the gaps are smaller in a window of little height."""
_BETWEEN = 20
_MOST_RECENT, _LOW_RECENT = 6, 4
_UNDER_DRAWING = 4
_SLACK = 16
"""Pixels that must be free before more is shown, so that it does not flicker in and out."""
_SCENES: tuple[Scene, ...] = ("ask", "review", "keep")
_KEYS = (Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_3)


class WelcomePage(QScrollArea):
    """The start page: example requests, ways to open something, recent projects. Close it with `close_view`.

    If the window is too low for all of it, the drawings and some of the recent projects are left out, so that nothing
    must be scrolled."""

    request_chosen = Signal(str)
    """Emitted with a request for the chat."""
    open_wanted = Signal(str)
    """Emitted when a MIDI file is to be chosen, with the request for the chat afterwards."""
    new_wanted = Signal()
    project_chosen = Signal(str)
    """Emitted with the id of a project to open."""
    all_wanted = Signal()
    """Emitted when the list of all projects is to be shown."""
    key_wanted = Signal()
    """Emitted when the person wants to set up a provider's key."""

    def __init__(self, desktop: Desktop, kit: Kit, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desktop, self._kit = desktop, kit
        self.setObjectName("welcome")
        self.setAccessibleName(tr("Welcome"))
        name_scroll_bars(self)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.examples = self._examples()
        self.recent: list[RecentRow] = []
        self._low = False
        self._drawings: list[Drawing] = []
        self._gaps: list[tuple[QSpacerItem, int]] = []
        self._lay_out()
        self.setFocusProxy(self.examples.rows[0])
        self.loading = kit.tasks.start(self._load(), "window")

    def choose_example(self, at: int) -> None:
        """Choose an example by its index, counted from 0; the last asks for a file."""
        example = EXAMPLES[at]
        (self.open_wanted if example.opens else self.request_chosen).emit(example.request)

    def close_view(self) -> None:
        """Stop reading recent projects."""
        self.loading.cancel()

    def event(self, event: QEvent) -> bool:
        """Claim Ctrl+1 to Ctrl+3 for the examples, before the window's shortcuts."""
        asks = event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent)
        if asks and isinstance(event, QKeyEvent) and _example(event) is not None:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Choose an example by Ctrl and its number."""
        at = _example(event)
        if at is not None:
            self.choose_example(at)
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Fit the content to the new height."""
        super().resizeEvent(event)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Fit the content to the height when its own size changes."""
        done = super().eventFilter(watched, event)
        if event.type() is QEvent.Type.LayoutRequest and watched is self.widget():
            self._fit()
        return done

    # --- what it is made of

    def _lay_out(self) -> None:
        inside = QWidget()
        inside.setProperty("surface", "canvas")
        inside.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._around = around = QHBoxLayout(inside)
        around.setContentsMargins(_MARGIN, _MARGIN, _MARGIN, _MARGIN)
        page = QWidget()
        page.setMaximumWidth(WIDTH)
        around.addStretch(1)
        around.addWidget(page, 1000)
        around.addStretch(1)
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(PlainLabel(tr("What shall we make?"), size="welcome"))
        said = PlainLabel(tr("Describe the music in your own words. Bandleader writes a plan; nothing changes until "
                          "you approve it."), tone="t2")
        said.setWordWrap(True)
        column.addWidget(said)
        for part in (self._steps(), _label(tr("Three requests to start with"))):
            self._add_gap(column, _BETWEEN - 6)
            column.addWidget(part)
        column.addWidget(self.examples)
        self._add_gap(column, _BETWEEN - 8)
        column.addWidget(self._buttons())
        self._recents = QVBoxLayout()
        self._recents.setSpacing(6)
        self._add_gap(column, _BETWEEN - 8)
        column.addLayout(self._recents)
        self._add_gap(column, _BETWEEN - 8)
        offline = OfflineStrip(self._kit)
        offline.key_wanted.connect(self.key_wanted)
        column.addWidget(offline)
        column.addStretch()
        self.setWidget(inside)

    def _add_gap(self, column: QVBoxLayout, height: int) -> None:
        gap = QSpacerItem(0, height, QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
        column.addItem(gap)
        self._gaps.append((gap, height))

    def _fit(self) -> None:
        """Leave out what there is no room for, or show it again."""
        needed = self._around.totalHeightForWidth(self.viewport().width())
        if self._low:
            rows = max(0, len(self.recent) - _LOW_RECENT)
            needed += HEIGHT + _UNDER_DRAWING + 2 * (_MARGIN - _MARGIN_LOW) + len(self._gaps) * _LESS
            needed += rows * (RECENT_HEIGHT + 1) + _SLACK
        self._be_low(needed > self.viewport().height())

    def _be_low(self, low: bool) -> None:
        if low == self._low:
            return
        self._low = low
        for drawing in self._drawings:
            drawing.setHidden(low)
        for row in self.recent[_LOW_RECENT:]:
            row.setHidden(low)
        for gap, height in self._gaps:
            gap.changeSize(0, height - _LESS if low else height, QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
        margin = _MARGIN_LOW if low else _MARGIN
        self._around.setContentsMargins(_MARGIN, margin, _MARGIN, margin)

    def _steps(self) -> QWidget:
        made = QWidget()
        row = QHBoxLayout(made)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(16)
        for at, (step, scene) in enumerate(zip(STEPS, _SCENES, strict=True), 1):
            column = QVBoxLayout()
            column.setSpacing(2)
            drawing = Drawing(self._kit, scene)
            self._drawings.append(drawing)
            column.addWidget(drawing)
            column.addSpacing(_UNDER_DRAWING)
            column.addWidget(PlainLabel(f"{at}  {tr(step.title)}", size="strong"))
            about = PlainLabel(tr(step.about), tone="t2")
            about.setWordWrap(True)
            about.setAlignment(Qt.AlignmentFlag.AlignTop)
            column.addWidget(about, 1)
            row.addLayout(column, 1)
        return made

    def _examples(self) -> FramedRows:
        rows: list[PressRow] = []
        for at, example in enumerate(EXAMPLES):
            row = ExampleRow(self._kit, example, f"plan.example{at + 1}")
            row.clicked.connect(lambda _=False, at=at: self.choose_example(at))
            rows.append(row)
        return FramedRows(self._kit, tr("Three requests to start with"), rows)

    def _buttons(self) -> QWidget:
        made = QWidget()
        row = QHBoxLayout(made)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        self.open_button = PlainButton(tr("Open MIDI…"), icon="folder-open")
        self.new_button = PlainButton(tr("New empty song"), icon="file-plus")
        keyed_tip(self.open_button, "file.open_midi", tr("Open a MIDI file"))
        keyed_tip(self.new_button, "file.new", tr("Begin with nothing"))
        self.open_button.clicked.connect(lambda: self.open_wanted.emit(""))
        self.new_button.clicked.connect(lambda: self.new_wanted.emit())
        for button in (self.open_button, self.new_button):
            button.setMinimumHeight(TALL_BUTTON)
            row.addWidget(button)
        drop = ElidedLabel(tr("or drop a .mid file anywhere in the window"), tone="t3")
        drop.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(drop, 1)
        return made

    # --- recent projects

    async def _load(self) -> None:
        self._show_recents(await self._desktop.recents())

    def _show_recents(self, found: tuple[Recent, ...]) -> None:
        if not found:
            return
        head = QHBoxLayout()
        head.addWidget(_label(tr("Recent projects")))
        head.addStretch()
        every = PlainButton(tr("Show all"), tip=tr("Show all projects"))
        every.setProperty("role", "plain")
        every.clicked.connect(lambda: self.all_wanted.emit())
        head.addWidget(every)
        self._recents.addLayout(head)
        for recent in found[:_MOST_RECENT]:
            row = RecentRow(self._kit, recent)
            row.clicked.connect(lambda _=False, recent=recent: self.project_chosen.emit(recent.project.id))
            self.recent.append(row)
        self._recents.addWidget(FramedRows(self._kit, tr("Recent projects"), list(self.recent)))
        for row in self.recent[_LOW_RECENT:]:
            row.setHidden(self._low)


def _label(words: str) -> PlainLabel:
    return PlainLabel(words, tone="t3", size="small")


def _example(event: QKeyEvent) -> int | None:
    plain = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    if plain == Qt.KeyboardModifier.ControlModifier and event.key() in _KEYS:
        return _KEYS.index(Qt.Key(event.key()))
    return None
