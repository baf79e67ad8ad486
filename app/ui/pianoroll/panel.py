"""The piano roll: the notes of the clip that is chosen."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QHBoxLayout,
    QMenu,
    QStackedLayout,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from agent.song.ids import ClipId
from app.i18n import tr, trn
from app.ui.kit.context import Kit
from app.ui.kit.icons import icon
from app.ui.kit.shortcuts import keyed_tip
from app.ui.kit.subscriptions import Subscriptions
from app.ui.kit.widgets.badge import NumberBadge
from app.ui.kit.widgets.buttons import FlatButton, IconButton
from app.ui.kit.widgets.empty_state import EmptyState
from app.ui.kit.widgets.labels import ElidedLabel, PlainLabel, plain_tip
from app.ui.pianoroll.menus import NotesMenu, OthersMenu, ScaleMenu
from app.ui.pianoroll.scene import RollScene
from app.ui.pianoroll.view import RollView
from app.viewmodels.open_project import OpenProject
from app.viewmodels.pianoroll.grid import SNAPS, Snap
from app.viewmodels.pianoroll.roll_words import clip_in_words
from app.viewmodels.pianoroll.settings import TOOLS, Tool

_GAP = 2
_BREAK = 8
_SNAP_WIDTH = 74


class RollBar(QWidget):
    """The piano roll's toolbar; `show_state` updates it from the scene."""

    def __init__(self, scene: RollScene, notes: NotesMenu) -> None:
        super().__init__()
        self._scene = scene
        self.setAccessibleName(tr("Tools of the piano roll"))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(_GAP)
        self.tools = self._make_tools(row)
        self.stepping = self._toggle("keyboard", tr("Step input"), tr(
            "Step input: letters A to P put notes at the step cursor, R is a rest, Z and X change the octave,"
            " Shift keeps the place for a chord"
        ), lambda on: scene.set(stepping=on))
        self.snap = QComboBox(self)
        self.snap.setAccessibleName(tr("Grid"))
        self.snap.setToolTip(tr("Grid that notes keep to; hold Ctrl to ignore it"))
        self.snap.setFixedWidth(_SNAP_WIDTH)
        for one in SNAPS:
            self.snap.addItem(_snap_name(one), one)
        self.snap.activated.connect(lambda at: scene.set(snap=SNAPS[at]))
        self.scale = self._menu_button("music-note", tr("Scale"), ScaleMenu(scene, self))
        self.others = self._menu_button("stack", tr("Notes of other tracks"), OthersMenu(scene, self))
        self.chords = self._toggle(
            "text-aa", tr("Chord names"), tr("Names of the chords above the bars"), lambda on: scene.set(chords=on)
        )
        self.grid = self._toggle(
            "dots-nine", tr("Drum grid"), tr("Drum grid: a lane for each piece of the kit"),
            lambda on: scene.set(grid_for_kits=on),
        )
        self.follow = self._toggle(
            "arrows-left-right", tr("Follow"), tr("Follow: the notes turn their page with the playhead"),
            scene.opened.focus.follow.set,
        )
        keyed_tip(self.follow, "transport.follow", tr("Follow: the notes turn their page with the playhead"))
        self.notes = self._menu_button("sliders-horizontal", tr("Change notes"), notes)
        for part in (
            self.stepping, self.snap, self.scale, self.others, self.chords, self.grid, self.follow, self.notes,
        ):
            row.addWidget(part)
            if part in (self.stepping, self.snap, self.follow):
                row.addSpacing(_BREAK)
        self.show_state()

    def show_state(self) -> None:
        """Update check marks, texts and enabled states from the scene."""
        scene, how = self._scene, self._scene.settings.value
        for name, button in self.tools.items():
            button.setChecked(how.tool == name)
            button.setEnabled(scene.editable)
        self.stepping.setChecked(how.stepping)
        self.stepping.setEnabled(scene.editable)
        self.snap.setCurrentIndex(SNAPS.index(how.snap))
        self.chords.setChecked(how.chords)
        self.follow.setChecked(scene.opened.focus.follow.value)
        self.grid.setVisible(scene.shown is not None and scene.shown.kit)
        self.grid.setChecked(how.grid_for_kits)
        self.scale.setChecked(how.light_scale or how.keep_to_scale)
        self.scale.setToolTip(plain_tip(tr("Scale: {key}", key=scene.key)))
        self.others.setChecked(how.others)
        for part in (self.scale, self.others, self.notes):
            part.setEnabled(scene.shown is not None)

    def sizeHint(self) -> QSize:  # noqa: N802
        """The width of its buttons."""
        return QSize(super().sizeHint().width(), 24)

    def _make_tools(self, row: QHBoxLayout) -> dict[Tool, IconButton]:
        words = {
            "select": (
                "cursor", tr("Select notes"), tr("Select, move and resize notes; double click draws or deletes")
            ),
            "draw": ("pencil-simple", tr("Draw notes"), tr("Draw notes; the right button deletes")),
            "erase": ("eraser", tr("Erase notes"), tr("Erase notes")),
        }
        group = QButtonGroup(self)
        made: dict[Tool, IconButton] = {}
        for tool in TOOLS:
            image, name, tip = words[tool]
            button = IconButton(image, name, tip, parent=self, checkable=True)
            button.clicked.connect(lambda _=False, tool=tool: self._scene.set(tool=tool))
            group.addButton(button)
            row.addWidget(button)
            made[tool] = button
        row.addSpacing(_BREAK)
        return made

    def _toggle(self, image: str, name: str, tip: str, act: Callable[[bool], None]) -> IconButton:
        button = IconButton(image, name, tip, parent=self, checkable=True)
        button.clicked.connect(act)
        return button

    def _menu_button(self, image: str, name: str, menu: QMenu) -> QToolButton:
        button = IconButton(image, name, parent=self, checkable=True)
        button.setMenu(menu)
        button.setIcon(icon(image, "t2", 16))
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        # A menu's button is down while its switches are on, not because it was pressed.
        button.clicked.connect(lambda: self.show_state())
        menu.aboutToHide.connect(self.show_state, Qt.ConnectionType.QueuedConnection)
        return button


def _snap_name(snap: Snap) -> str:
    """A grid in words, such as "1/8 triplet"."""
    if snap == "off":
        return tr("Off")
    return tr("{length} triplet", length=snap[:-1]) if snap.endswith("T") else snap


HEIGHT = 24
_SWATCH = 8


class ClipHeader(QWidget):
    """The line above the notes; `show_state` updates it from the scene."""

    def __init__(self, scene: RollScene, kit: Kit) -> None:
        super().__init__()
        self._scene = scene
        self.setProperty("surface", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(HEIGHT)
        row = QHBoxLayout(self)
        row.setContentsMargins(24, 0, 6, 0)
        row.setSpacing(8)
        self.name = ElidedLabel("", self, size="small", tone="t2")
        self.badge = NumberBadge(kit, 1, self)
        self.proposed = PlainLabel("", self, size="small", tone="agent")
        self.lock = PlainLabel("", self, size="small", tone="t3")
        self._lock_icon = icon("lock-simple", "t3", 12)
        self._lock_mark = PlainLabel("", self)
        self.chosen = PlainLabel("", self, size="small", tone="t3")
        self.switch = FlatButton(
            "", self, icon="swap", tip=tr("Show this clip as it is now, or as the plan would make it")
        )
        self.switch.setMinimumHeight(HEIGHT - 2)
        self.switch.clicked.connect(lambda: scene.set(planned=not scene.settings.value.planned))
        row.addWidget(self.name, 1)
        for part in (self._lock_mark, self.lock, self.badge, self.proposed, self.switch, self.chosen):
            row.addWidget(part)
        kit.theme.changed.connect(self.show_state)

    def show_state(self) -> None:
        """Update name, badge and notes about the clip."""
        shown = self._scene.shown
        if shown is None:
            return
        self.name.setText(clip_in_words(shown.clip, shown.track, self._scene.bars))
        self.setAccessibleName(self.name.text())
        ghost = shown.ghost
        self.badge.setVisible(ghost is not None)
        self.proposed.setVisible(ghost is not None)
        if ghost is not None:
            self.badge.set_number(ghost.cause.number)
            self.proposed.setText({
                "added": tr("New, proposed: read only"), "changed": tr("Change proposed: read only"),
                "removed": tr("Removal proposed: read only"),
            }[ghost.kind])
        both = shown.planned and (ghost is None or ghost.kind != "added")
        self.switch.setVisible(both)
        if both:
            self.switch.say(tr("Show it as it is now") if ghost is not None else tr("Show what is proposed"))
        for part in (self.lock, self._lock_mark):
            part.setVisible(bool(shown.locked))
        self._lock_mark.setPixmap(self._lock_icon.pixmap(12, 12))
        self.lock.setText(shown.locked.split(":")[0].split(".")[0])
        self.lock.setToolTip(shown.locked)
        self.lock.setAccessibleName(shown.locked)
        self.show_chosen()
        self.update()

    def show_chosen(self) -> None:
        """Update the number of selected notes."""
        count, how = len(self._scene.selected.value), self._scene.settings.value
        words = trn("{count} selected", "{count} selected", count, count=f"{count:,}") if count else ""
        if how.stepping and self._scene.editable:
            words = tr("Step input, octave {octave}: letters put notes, R rests, Esc ends", octave=how.octave)
        self.chosen.setVisible(bool(words))
        self.chosen.setText(words)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Paint the track's colour beside the name."""
        super().paintEvent(event)
        shown = self._scene.shown
        if shown is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(shown.track.color))
        painter.drawRoundedRect(QRectF(10, (HEIGHT - _SWATCH) / 2, _SWATCH, _SWATCH), 2, 2)
        painter.end()


class PianoRollPanel(QWidget):
    """The piano roll for the clip in focus, or a single selected clip. `bar` is its toolbar, for the dock's title."""

    def __init__(self, opened: OpenProject, kit: Kit) -> None:
        super().__init__()
        self.setObjectName("pianoroll")
        self.setAccessibleName(tr("Piano roll"))
        self._opened = opened
        self.view = RollView(opened, kit, self.isVisible)
        scene = self.view.scene
        self.bar = RollBar(scene, self.view.menu)
        self.header = ClipHeader(scene, kit)
        self.empty = EmptyState(tr("No clip chosen"), tr("Select a clip to see its notes."))
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addWidget(self.view, 1)
        self._page = page
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self.empty)
        self._pages.addWidget(page)
        self._subscriptions = Subscriptions()
        for silence in (
            opened.focus.clips.watch(self._clips_selected),
            opened.focus.follow.changed.listen(lambda _: self.bar.show_state()),
            scene.selected.changed.listen(lambda _: self.header.show_chosen()),
            scene.renewed.listen(lambda _: self._renewed()),
            scene.settings.changed.listen(lambda _: self._renewed()),
        ):
            self._subscriptions.add(silence)
        self._renewed()

    def take_keyboard(self) -> None:
        """Give the notes the keyboard."""
        # The clip may have been chosen a moment ago.
        self.view.scene.renew()
        if self.view.scene.shown is None:
            self.setFocus()
        else:
            self.view.setFocus()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Update what has changed while the panel was hidden."""
        super().showEvent(event)
        self.view.catch_up()

    def close_view(self) -> None:
        """End all subscriptions and close the view."""
        self._subscriptions.close()
        self.view.close_view()

    def _renewed(self) -> None:
        """Something else is shown, or works otherwise."""
        self._pages.setCurrentWidget(self.empty if self.view.scene.shown is None else self._page)
        self.header.show_state()
        self.bar.show_state()

    def _clips_selected(self, clips: frozenset[ClipId]) -> None:
        if len(clips) == 1:
            self._opened.focus.clip.set(next(iter(clips)))
