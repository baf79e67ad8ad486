"""The first page of the window."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from app.desktop.desktop import Desktop, Recent
from app.ui.kit.context import Kit
from app.ui.kit.icons import icon
from app.ui.kit.shortcuts import keyed_tip
from app.ui.kit.widgets.buttons import PlainButton
from app.ui.kit.widgets.labels import ElidedLabel, PlainLabel
from app.ui.kit.widgets.scrolling import name_scroll_bars
from app.ui.welcome.drawings import Drawing, Scene
from app.ui.welcome.offers import EXAMPLES, STEPS
from app.ui.welcome.rows import ExampleRow, PressRow, RecentRow, RowList
from app.words import tr

WIDTH = 680
_MARGIN = 32
_BETWEEN = 20
_MOST_RECENT = 6
_TALL_BUTTON = 32
_EDGE = 3
_SCENES: tuple[Scene, ...] = ("ask", "review", "keep")
_KEYS = (Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_3)


class WelcomePage(QScrollArea):
    """What to ask for, what to open, what was open before. Close it with `close_view`."""

    request_chosen = Signal(str)
    """A request for the chat."""
    open_wanted = Signal()
    """A MIDI file is to be chosen."""
    new_wanted = Signal()
    project_chosen = Signal(str)
    """The id of a project to open."""
    all_wanted = Signal()
    key_wanted = Signal()
    """A key of a provider is to be set up."""
    """The list of all projects is to be shown."""

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
        self._lay_out()
        self.setFocusProxy(self.examples.rows[0])
        self.loading = kit.tasks.start(self._load(), "window")

    def choose_example(self, at: int) -> None:
        """Take an example, counted from 0; the last asks for a file."""
        example = EXAMPLES[at]
        if example.request:
            self.request_chosen.emit(example.request)
        else:
            self.open_wanted.emit()

    def close_view(self) -> None:
        """Read no projects any more."""
        self.loading.cancel()

    def event(self, event: QEvent) -> bool:
        """Ctrl+1 … 3 are the examples here, whatever they are elsewhere."""
        asks = event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent)
        if asks and isinstance(event, QKeyEvent) and _example(event) is not None:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Take an example by its number."""
        at = _example(event)
        if at is not None:
            self.choose_example(at)
        else:
            super().keyPressEvent(event)

    # --- what it is made of

    def _lay_out(self) -> None:
        inside = QWidget()
        inside.setProperty("surface", "canvas")
        inside.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        around = QHBoxLayout(inside)
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
            column.addSpacing(_BETWEEN - 6)
            column.addWidget(part)
        column.addWidget(self.examples)
        for part in (self._buttons(), self._offline()):
            column.addSpacing(_BETWEEN - 8)
            column.addWidget(part)
        self._recents = QVBoxLayout()
        self._recents.setSpacing(6)
        column.addSpacing(_BETWEEN - 8)
        column.addLayout(self._recents)
        column.addStretch()
        self.setWidget(inside)

    def _steps(self) -> QWidget:
        made = QWidget()
        row = QHBoxLayout(made)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(16)
        for at, (step, scene) in enumerate(zip(STEPS, _SCENES, strict=True), 1):
            column = QVBoxLayout()
            column.setSpacing(2)
            column.addWidget(Drawing(self._kit, scene))
            column.addSpacing(4)
            column.addWidget(PlainLabel(f"{at}  {tr(step.title)}", size="strong"))
            about = PlainLabel(tr(step.about), tone="t2")
            about.setWordWrap(True)
            about.setAlignment(Qt.AlignmentFlag.AlignTop)
            column.addWidget(about, 1)
            row.addLayout(column, 1)
        return made

    def _examples(self) -> RowList:
        rows: list[PressRow] = []
        for at, example in enumerate(EXAMPLES):
            row = ExampleRow(self._kit, example, f"plan.example{at + 1}")
            row.clicked.connect(lambda _=False, at=at: self.choose_example(at))
            rows.append(row)
        return RowList(self._kit, tr("Three requests to start with"), rows)

    def _buttons(self) -> QWidget:
        made = QWidget()
        row = QHBoxLayout(made)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        self.open_button = PlainButton(tr("Open MIDI…"), icon="folder-open")
        self.new_button = PlainButton(tr("New empty song"), icon="file-plus")
        keyed_tip(self.open_button, "file.open_midi", tr("Open a MIDI file"))
        keyed_tip(self.new_button, "file.new", tr("Begin with nothing"))
        self.open_button.clicked.connect(lambda: self.open_wanted.emit())
        self.new_button.clicked.connect(lambda: self.new_wanted.emit())
        for button in (self.open_button, self.new_button):
            button.setMinimumHeight(_TALL_BUTTON)
            row.addWidget(button)
        drop = ElidedLabel(tr("or drop a .mid file anywhere in the window"), tone="t3")
        drop.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(drop, 1)
        return made

    def _offline(self) -> QFrame:
        strip = _Strip(self._kit)
        row = QHBoxLayout(strip)
        row.setContentsMargins(14, 10, 14, 10)
        row.setSpacing(14)
        row.addWidget(_Mark(self._kit, "wifi-slash", "ok"))
        said = QVBoxLayout()
        said.setSpacing(1)
        said.addWidget(PlainLabel(tr("Works offline. Add a key later."), size="strong"))
        about = tr("The built-in composer needs no account and no network. A key adds hosted models.")
        said.addWidget(ElidedLabel(about, tone="t2"))
        row.addLayout(said, 1)
        self.key_button = PlainButton(tr("Add a key…"), icon="key",
                                      tip=tr("Set up a model of a provider in the settings"))
        self.key_button.setMinimumHeight(_TALL_BUTTON)
        self.key_button.clicked.connect(lambda: self.key_wanted.emit())
        row.addWidget(self.key_button)
        return strip

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
        self._recents.addWidget(RowList(self._kit, tr("Recent projects"), list(self.recent)))


class _Strip(QFrame):
    """A frame with a green left edge."""

    def __init__(self, kit: Kit) -> None:
        super().__init__()
        self._kit = kit
        kit.theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802, ARG002 - Qt's name
        painter = QPainter(self)
        painter.setPen(self._kit.theme.color("line2"))
        painter.setBrush(self._kit.theme.color("panel"))
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.fillRect(0, 0, _EDGE, self.height(), self._kit.theme.color("ok"))
        painter.end()


class _Mark(QLabel):
    """An icon that takes the colours of another theme."""

    def __init__(self, kit: Kit, name: str, token: str) -> None:
        super().__init__()
        self._icon = icon(name, token, 18)
        kit.theme.changed.connect(self._renew)
        self._renew()

    def _renew(self) -> None:
        self.setPixmap(self._icon.pixmap(18, 18))


def _label(words: str) -> PlainLabel:
    return PlainLabel(words, tone="t3", size="small")


def _example(event: QKeyEvent) -> int | None:
    plain = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    if plain == Qt.KeyboardModifier.ControlModifier and event.key() in _KEYS:
        return _KEYS.index(Qt.Key(event.key()))
    return None
