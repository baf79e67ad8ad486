"""What stands in the title of the piano roll: tools, grid, scale, what is shown beside, and the menu of operations."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QButtonGroup, QComboBox, QHBoxLayout, QMenu, QToolButton, QWidget

from app.i18n import tr
from app.ui.kit.icons import icon
from app.ui.kit.shortcuts import keyed_tip
from app.ui.kit.widgets.buttons import IconButton
from app.ui.kit.widgets.labels import plain_tip
from app.ui.pianoroll.menus import NotesMenu, OthersMenu, ScaleMenu
from app.ui.pianoroll.scene import RollScene
from app.viewmodels.pianoroll.grid import SNAPS, Snap
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
            self.snap.addItem(snap_name(one), one)
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


def snap_name(snap: Snap) -> str:
    """A grid in words, such as "1/8 triplet"."""
    if snap == "off":
        return tr("Off")
    return tr("{length} triplet", length=snap[:-1]) if snap.endswith("T") else snap
