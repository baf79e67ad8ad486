"""What assistive programs are told about the painted timeline."""

from __future__ import annotations

from PySide6.QtGui import QAccessible, QAccessibleEvent
from PySide6.QtWidgets import QWidget

from app.desktop.clip_edits import clip_is_locked
from app.desktop.timeline_words import clip_in_words, ghost_in_words
from app.ui.timeline.stage import Stage
from app.words import tr, trn


class Voice:
    """Keeps the view's accessible description at the item that the keyboard is at."""

    def __init__(self, stage: Stage, view: QWidget) -> None:
        self._stage = stage
        self._view = view

    def describe(self) -> None:
        """Say it again if it has changed."""
        words = self.words()
        if words != self._view.accessibleDescription():
            self._view.setAccessibleDescription(words)
            QAccessible.updateAccessibility(QAccessibleEvent(self._view, QAccessible.Event.DescriptionChanged))

    def words(self) -> str:
        """The current item, else what there is at all."""
        stage = self._stage
        scene = stage.scene
        item = scene.find(stage.cursor, stage.overlay)
        if item is None:
            tracks, clips = len(scene.song.tracks), sum(len(track.clips) for track in scene.song.tracks)
            ghosts = len(scene.ghosts.clips) if stage.overlay else 0
            parts = [trn("{count} track", "{count} tracks", tracks), trn("{count} clip", "{count} clips", clips)]
            parts += [trn("{count} ghost clip", "{count} ghost clips", ghosts)] if ghosts else []
            return tr(", ").join(parts)
        if item.ghost is not None:
            return ghost_in_words(scene.song, item.track, item.ghost)
        return clip_in_words(
            scene.song, item.track, item.clip, selected=item.clip.id in stage.opened.focus.clips.value,
            locked=clip_is_locked(scene.locks, scene.song, item.track.id, item.clip),
        )
