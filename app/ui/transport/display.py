"""The number display: position, time, tempo, meter, key and loop in one row of cells."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.i18n import tr
from app.ui.kit.context import Kit
from app.ui.kit.widgets.number_cell import NumberCell
from app.ui.transport.tempo_cell import TempoCell


class Display(QWidget):
    """Six cells of numbers; the transport bar sets their values. `commit_tempo` is called with a tempo that the person
    typed."""

    def __init__(self, kit: Kit, commit_tempo: Callable[[float], None]) -> None:
        super().__init__()
        self.setAccessibleName(tr("Numbers"))
        self.position = NumberCell(kit, tr("Position"), "888.4.888", large=True)
        self.time = NumberCell(kit, tr("Time"), "88:88.88", token="t2")  # noqa: S106 - a colour
        self.tempo = TempoCell(kit, commit_tempo)
        self.meter = NumberCell(kit, tr("Meter"), "4 / 4")
        self.key = NumberCell(kit, tr("Key"), "B♭ major")
        self.loop = NumberCell(kit, tr("Loop"), "88 – 88")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for cell in (self.position, self.time, self.tempo, self.meter, self.key, self.loop):
            row.addWidget(cell)

