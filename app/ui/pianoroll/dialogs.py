"""Small dialogs that ask how far an operation is to go."""

from __future__ import annotations

import secrets
from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from agent.song.time import PPQ
from app.i18n import tr
from app.ui.kit.widgets.buttons import FlatButton, MainButton
from app.ui.kit.widgets.labels import PlainLabel
from app.ui.pianoroll.actions import RollActions
from app.ui.pianoroll.scene import RollScene
from app.viewmodels.pianoroll.grid import SNAPS

_GRIDS = tuple(one for one in SNAPS if one != "off")
_SEEDS = 999_999


class Choices(QDialog):
    """A form of labelled fields with one main button `verb`, which calls `act` and closes the dialog."""

    def __init__(
        self, title: str, rows: list[tuple[str, QWidget]], verb: str, act: Callable[[], None], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        column = QVBoxLayout(self)
        form = QFormLayout()
        for text, field in rows:
            field.setAccessibleName(text)
            label = PlainLabel(text, self)
            label.setBuddy(field)
            form.addRow(label, field)
        column.addLayout(form)
        buttons = QHBoxLayout()
        self.cancel = FlatButton(tr("Cancel"), self)
        self.main = MainButton(verb, self)
        self.main.setDefault(True)
        self.cancel.clicked.connect(self.reject)
        self.main.clicked.connect(self.accept)
        self.accepted.connect(act)
        buttons.addStretch(1)
        buttons.addWidget(self.cancel)
        buttons.addWidget(self.main)
        column.addLayout(buttons)


def ask_quantize(scene: RollScene, actions: RollActions, parent: QWidget) -> Choices:
    """Ask for grid and strength, then quantize; both are remembered."""
    how = scene.settings.value
    grid = QComboBox()
    grid.addItems([_grid_name(one) for one in _GRIDS])
    grid.setCurrentIndex(_GRIDS.index(how.quantize))
    strength = _number(0, 100, round(how.strength * 100), tr("%"))

    def act() -> None:
        scene.set(quantize=_GRIDS[grid.currentIndex()], strength=strength.value() / 100)
        actions.quantize()

    rows: list[tuple[str, QWidget]] = [(tr("Grid"), grid), (tr("Strength"), strength)]
    return _opened(Choices(tr("Quantize notes"), rows, tr("Quantize notes"), act, parent))


def ask_humanize(scene: RollScene, actions: RollActions, parent: QWidget) -> Choices:
    """Ask for the limits of time (ticks) and velocity and for a seed, then humanize; the same seed gives the same
    result."""
    how = scene.settings.value
    timing = _number(0, 240, how.timing, tr(" ticks"))
    timing.setToolTip(tr("A beat has {count} ticks", count=PPQ))
    louder = _number(0, 60, how.louder, "")
    seed = _number(0, _SEEDS, secrets.randbelow(_SEEDS), "")
    seed.setToolTip(tr("The same number always gives the same result"))

    def act() -> None:
        scene.set(timing=timing.value(), louder=louder.value())
        actions.humanize(seed.value())

    rows: list[tuple[str, QWidget]] = [
        (tr("Timing, up to"), timing), (tr("Velocity, up to"), louder), (tr("Variation"), seed),
    ]
    return _opened(Choices(tr("Humanize notes"), rows, tr("Humanize notes"), act, parent))


def ask_velocity(actions: RollActions, parent: QWidget) -> Choices:
    """Ask for a percentage, then scale velocities."""
    percent = _number(1, 400, 100, tr("%"))
    rows: list[tuple[str, QWidget]] = [(tr("Velocity"), percent)]

    def act() -> None:
        actions.scale_velocity(percent.value() / 100)

    return _opened(Choices(tr("Scale velocity"), rows, tr("Scale velocity"), act, parent))


def _number(low: int, high: int, value: int, unit: str) -> QSpinBox:
    made = QSpinBox()
    made.setRange(low, high)
    made.setValue(value)
    made.setSuffix(unit)
    return made


def _grid_name(snap: str) -> str:
    return tr("{length} triplet", length=snap[:-1]) if snap.endswith("T") else snap


def _opened(dialog: Choices) -> Choices:
    dialog.open()
    return dialog
