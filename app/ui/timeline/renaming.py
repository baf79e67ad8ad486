"""Lines over names: where they lie, and what becomes of what is typed."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRect
from PySide6.QtWidgets import QWidget

from agent.song.ids import SectionId, TrackId
from app.i18n import tr
from app.ui.kit.widgets.in_place import InPlaceLine
from app.ui.timeline.commands import Reveal, RevealLane
from app.ui.timeline.measures import CLIP_TOP, NAME_AT, RULER_HEIGHT, SECTION_HEIGHT
from app.ui.timeline.stage import TimelineContext
from app.viewmodels.edits.clip_edits import MAX_NAME, find_track, renamed, renamed_track
from app.viewmodels.edits.frame_edits import find_section, renamed_section

LEAST_WIDTH, _MOST_WIDTH = 140, 320


class Renaming:
    """Opens inline text fields for names over the lanes, the headers or the ruler."""

    def __init__(self, stage: TimelineContext, lanes: QWidget, headers: QWidget, ruler: QWidget) -> None:
        self._stage = stage
        self._lanes, self._headers, self._ruler = lanes, headers, ruler

    def section(self, section_id: SectionId) -> RenameLine | None:
        """Open a field over a section's name; None if there is no such section."""
        stage = self._stage
        section = find_section(stage.song, section_id)
        if section is None:
            return None
        place = QRect(max(0, round(stage.axis.x(section.start))), 0, LEAST_WIDTH, SECTION_HEIGHT)
        words = tr("section {name}", name=section.name)
        return RenameLine(self._ruler, place, section.name, words, lambda name: (
            stage.commit(renamed_section(stage.song, section_id, name))
        ))

    def selected(self) -> RenameLine | None:
        """Open a field over the current clip's name, or over the current track's if no clip is current or the headers
        have the keyboard; None if there is neither."""
        stage, axis = self._stage, self._stage.axis
        item = stage.scene.find(stage.cursor, overlay=False)
        if item is None or self._headers.hasFocus():
            track = find_track(stage.song, stage.opened.focus.track.value)
            return None if track is None else self.track(track.id)
        stage.asked.emit(Reveal(item.clip.start, item.clip.end, item.lane))
        left = max(0, round(axis.x(item.clip.start)))
        width = max(LEAST_WIDTH, round(axis.x(item.clip.end)) - left)
        place = QRect(left, axis.row_top(item.lane), min(width, _MOST_WIDTH), RULER_HEIGHT)
        clip_id, words = item.clip.id, tr("clip {name}", name=item.clip.name)
        return RenameLine(self._lanes, place, item.clip.name, words, lambda name: (
            stage.commit(renamed(stage.song, clip_id, name))
        ))

    def track(self, track_id: TrackId) -> RenameLine | None:
        """Open a field over a track's name; None if there is no such track."""
        stage = self._stage
        track, lane = find_track(stage.song, track_id), stage.scene.lane_of(track_id)
        if track is None or lane is None:
            return None
        stage.asked.emit(RevealLane(lane))
        place = QRect(NAME_AT - 4, stage.axis.row_top(lane) + CLIP_TOP, LEAST_WIDTH, RULER_HEIGHT)
        words = tr("track {name}", name=track.name)
        return RenameLine(self._headers, place, track.name, words, lambda name: (
            stage.commit(renamed_track(stage.song, track_id, name))
        ))


class RenameLine(InPlaceLine):
    """An inline text field for a name; any text is accepted. `what` says in the accessible name whose name it is."""

    def __init__(self, parent: QWidget, place: QRect, name: str, what: str, keep: Callable[[str], None]) -> None:
        def kept(text: str) -> bool:
            keep(text)
            return True

        super().__init__(parent, place, name, tr("New name of {what}", what=what), kept, longest=MAX_NAME)
        self.selectAll()
