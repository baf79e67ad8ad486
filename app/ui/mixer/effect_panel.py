"""The parameters of one effect, with its switch and its presets."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QHBoxLayout, QInputDialog, QMenu, QScrollArea, QVBoxLayout, QWidget

from agent.song.ids import EffectId
from app.i18n import tr
from app.ui.kit.tasks import Coalesced
from app.ui.kit.widgets.buttons import PlainButton, ToggleButton
from app.ui.kit.widgets.labels import ElidedLabel, PlainLabel
from app.ui.mixer.board import Board
from app.ui.mixer.parameter_row import ParameterRow
from app.viewmodels.edits.effect_chain import Link, chain_of, switched, turned
from app.viewmodels.edits.effect_presets import MAX_NAME, Preset, factory_presets

HEAR_MS = 30
"""Milliseconds between two values of a drag that are played."""
REST_MS = 500
"""Milliseconds after the last key press until the values are stored in the song."""


class Turning(QObject):
    """Parameter values of one effect that the song does not have yet; `changed` is called when they change."""

    def __init__(self, board: Board, changed: Callable[[], None], parent: QObject) -> None:
        super().__init__(parent)
        self._board = board
        self._changed = changed
        self._link: Link | None = None
        self._values: dict[str, float] = {}
        self._hear = Coalesced(HEAR_MS, self._heard, self)
        self.rest = QTimer(self)
        """Once started, stores the values if no other follows for a moment."""
        self.rest.setSingleShot(True)
        self.rest.setInterval(REST_MS)
        self.rest.timeout.connect(self.keep)

    @property
    def values(self) -> dict[str, float]:
        """The pending values by parameter name."""
        return self._values

    def turn(self, link: Link, name: str, value: float) -> None:
        """Set a parameter and play with it; pending values of another effect are stored first."""
        if self._link is not None and self._link.effect.id != link.effect.id:
            self.keep()
        self._link = link
        self._values = {**self._values, name: value}
        self._hear.ask()
        self._changed()

    def keep(self) -> None:
        """Store the pending values in the song now."""
        link, values = self._link, self._values
        self.rest.stop()
        if link is None or not values:
            return
        self._hear.now()

        def settled() -> None:
            # Values that came meanwhile are heard on.
            if self._values is values:
                self.cancel()

        self._board.commit(turned(link, values), settled)

    def cancel(self) -> bool:
        """Discard pending values and play with the song's own; returns whether there were any."""
        link, self._link, turned_any = self._link, None, bool(self._values)
        self._values = {}
        self.rest.stop()
        self._hear.drop()
        if link is not None:
            self._board.opened.playback.preview_effect(link.effect.id, None)
        self._changed()
        return turned_any

    def close_view(self) -> None:
        """Store pending values and end the timers."""
        self.keep()
        self._hear.drop()

    def _heard(self) -> None:
        if self._link is not None:
            self._board.opened.playback.preview_effect(self._link.effect.id, self._values)


_SHOWN = 80
_LEAST = 292


class EffectPanel(QWidget):
    """The parameters, switch and presets of one effect."""

    def __init__(self, board: Board, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._board = board
        self._link: Link | None = None
        self.rows: dict[str, ParameterRow] = {}
        self.turning = Turning(board, self._refresh_rows, self)
        self.title = ElidedLabel("", self, size="strong")
        self.bypass = ToggleButton(tr("Bypass"), self)
        self.presets = PlainButton(tr("Presets"), self)
        self.note = PlainLabel("", self, tone="t3")
        self.note.setWordWrap(True)
        self.bypass.clicked.connect(self._switch)
        self.presets.clicked.connect(self._open_presets)
        self._body = QWidget()
        self._list = QVBoxLayout(self._body)
        self._list.setContentsMargins(0, 0, 6, 6)
        self._list.setSpacing(0)
        self.area = QScrollArea(self)
        self.area.setWidget(self._body)
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setMinimumWidth(_LEAST)
        self._lay_out()

    def show_link(self, link: Link | None) -> None:
        """Show an effect, or update the one shown; None shows none."""
        before, self._link = self._link, link
        if _shape(before) != _shape(link):
            self.turning.keep()
            self._build()
        if link is not None:
            self.bypass.setChecked(not link.effect.enabled)
            name = link.label[:_SHOWN]
            self.bypass.setAccessibleName(tr("Bypass {effect}", effect=name))
        self._refresh_rows()

    def made_menu(self) -> QMenu:
        """The menu of the effect's presets; it deletes itself when it is closed."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        link = self._link
        if link is None or link.kind is None:
            return menu
        name = link.effect.name
        kept = self._board.presets.of(name)
        menu.addAction(tr("Default")).triggered.connect(lambda: self._apply(Preset(name, "", {})))
        for preset in (one for one in factory_presets() if one.effect == name):
            menu.addAction(_plain(preset.name)).triggered.connect(lambda _=False, one=preset: self._apply(one))
        if kept:
            menu.addSection(tr("Your presets"))
            for preset in kept:
                menu.addAction(_plain(preset.name)).triggered.connect(lambda _=False, one=preset: self._apply(one))
        menu.addSeparator()
        menu.addAction(tr("Save as preset…")).triggered.connect(self._ask_name)
        if kept:
            away = menu.addMenu(tr("Delete preset"))
            for preset in kept:
                away.addAction(_plain(preset.name)).triggered.connect(lambda _=False, one=preset: self._forget(one))
        return menu

    def save_preset(self, name: str) -> None:
        """Store the effect's parameters as a preset of this name."""
        link = self._link
        if link is not None and name.strip():
            preset = Preset(link.effect.name, name, {**link.values, **self.turning.values})
            self._board.kit.tasks.start(self._board.presets.keep(preset), "timeline")

    def _apply(self, preset: Preset) -> None:
        link = self._link
        if link is not None and link.kind is not None:
            self.turning.cancel()
            defaults = {parameter.name: parameter.default for parameter in link.kind.params}
            self._board.commit(turned(link, {**defaults, **preset.values}))

    def _ask_name(self) -> None:
        dialog = QInputDialog(self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(tr("Save as preset"))
        dialog.setLabelText(tr("Name"))
        dialog.textValueSelected.connect(lambda name: self.save_preset(name[:MAX_NAME]))
        dialog.open()

    def _forget(self, preset: Preset) -> None:
        self._board.kit.tasks.start(self._board.presets.forget(preset), "timeline")

    def _open_presets(self) -> None:
        self.made_menu().popup(self.presets.mapToGlobal(self.presets.rect().bottomLeft()))

    def _switch(self) -> None:
        if self._link is not None:
            self.turning.keep()
            self._board.commit(switched(self._link))

    def _build(self) -> None:
        """Rows for another effect."""
        while self._list.count():
            item = self._list.takeAt(0)
            if item is not None and (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        self.rows = {}
        link = self._link
        known = link is not None and link.kind is not None
        for part in (self.title, self.bypass, self.area):
            part.setVisible(link is not None)
        self.presets.setVisible(known)
        if link is None:
            self.note.hide()
            return
        name = link.label[:_SHOWN]
        self.title.setText(name)
        self.presets.setAccessibleName(tr("Presets of {effect}", effect=name))
        self.note.setText(tr("This effect is not known here and cannot be heard.") if link.kind is None else "")
        self.note.setVisible(bool(self.note.text()))
        for parameter in () if link.kind is None else link.kind.params:
            row = ParameterRow(name, parameter, self._body)
            row.turned.connect(self._turn)
            row.kept.connect(self.turning.keep)
            row.keyed.connect(self.turning.rest.start)
            row.given_up.connect(self.turning.cancel)
            self.rows[parameter.name] = row
            self._list.addWidget(row)
        for strange, value in link.strange:
            self._list.addWidget(PlainLabel(tr("{name}: {value} (not known)", name=strange[:_SHOWN], value=value),
                                            self._body, tone="t3"))
        self._list.addStretch()

    def _refresh_rows(self) -> None:
        link = self._now()
        if link is not None:
            values = {**link.values, **self.turning.values}
            for name, row in self.rows.items():
                row.show_value(values[name], automated=name in link.automated)

    def _now(self) -> Link | None:
        """The effect as the song has it: what was turned may be in it before the list has followed."""
        link = self._link
        if link is None:
            return None
        board = self._board
        chain = chain_of(board.song, board.subject.value, board.palette)
        return next((one for one in chain if one.effect.id == link.effect.id and _shape(one) == _shape(link)), link)

    def _turn(self, name: str, value: float) -> None:
        if self._link is not None:
            self.turning.turn(self._link, name, value)

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(6)
        top.addWidget(self.title, 1)
        top.addWidget(self.presets)
        top.addWidget(self.bypass)
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 8, 4, 4)
        column.setSpacing(6)
        column.addLayout(top)
        column.addWidget(self.note)
        column.addWidget(self.area, 1)
        column.addStretch()
        self._build()


def _shape(link: Link | None) -> tuple[EffectId, str, tuple[str, ...]] | None:
    """What the rows depend on."""
    return None if link is None else (link.effect.id, link.effect.name, tuple(name for name, _ in link.strange))


def _plain(name: str) -> str:
    return name.replace("&", "&&")
