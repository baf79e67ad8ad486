"""The piano roll: the notes of the clip that is chosen."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget

from agent.song.ids import ClipId
from app.i18n import tr, trn
from app.ui.kit.context import Kit
from app.ui.kit.icons import icon
from app.ui.kit.subscriptions import Subscriptions
from app.ui.kit.widgets.badge import NumberBadge
from app.ui.kit.widgets.buttons import FlatButton
from app.ui.kit.widgets.empty_state import EmptyState
from app.ui.kit.widgets.labels import ElidedLabel, PlainLabel
from app.ui.pianoroll.scene import RollScene
from app.ui.pianoroll.toolbar import RollBar
from app.ui.pianoroll.view import RollView
from app.viewmodels.open_project import OpenProject
from app.viewmodels.pianoroll.roll_words import clip_in_words

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
