"""Moving clips in time and between tracks, or copying them."""

from __future__ import annotations

from PySide6.QtGui import QPainter

from agent.song.ids import ClipId
from agent.song.time import Ticks
from app.i18n import tr
from app.ui.canvas.tool import DRAG_FROM, PointerSpot
from app.ui.timeline.scene import SceneItem
from app.ui.timeline.stage import TimelineContext
from app.ui.timeline.tones import Look
from app.ui.timeline.tools.clips import paint_places
from app.ui.timeline.tools.drag import TimelineDrag
from app.viewmodels.edits.clip_edits import HandEdit, chosen, moved, reach
from app.viewmodels.timeline.words import drop_in_words


class MoveClips(TimelineDrag):
    """Drags the selected clips by one of them; Alt copies them, Ctrl ignores the grid."""

    settles = True

    def __init__(self, stage: TimelineContext, grabbed: SceneItem, spot: PointerSpot) -> None:
        self._stage = stage
        self._grabbed = grabbed
        self._from = spot
        # The song's own place, so that scrolling takes the clips along.
        self._at, self._row = stage.axis.at(spot.x), stage.axis.row_at(spot.y)
        self._clips: frozenset[ClipId] = stage.opened.focus.clips.value
        self._by, self._lanes, self._copy = 0, 0, False
        self._begun = False

    @property
    def lifted(self) -> frozenset[ClipId]:
        """Clips to be painted dimmed during the drag; none while copying."""
        return self._clips if self._begun and not self._copy else frozenset()

    def move(self, spot: PointerSpot) -> None:
        """Find the nearest position that the grid and the song allow."""
        far = abs(spot.x - self._from.x) + abs(spot.y - self._from.y)
        self._begun = self._begun or far >= DRAG_FROM
        if not self._begun:
            return
        axis, song = self._stage.axis, self._stage.song
        start = self._grabbed.clip.start
        wanted = start + axis.at(spot.x) - self._at
        by = self._stage.snap(wanted, spot.free) - start
        self.reason = self._refusal(spot)
        rows = self._rows()
        lane = max(0, min(len(rows) - 1, axis.row_at(spot.y)))
        lanes = rows[lane] - rows[self._row] if rows else 0
        self._by, self._lanes = reach(song, self._clips, by, lanes)
        self._copy = spot.copy
        self.words = drop_in_words(song.bar_map, Ticks(start + self._by), self._grabbed.clip.duration)
        self._stage.repaint()

    def release(self, spot: PointerSpot) -> None:
        """Move the clips there."""
        self.move(spot)
        self._stage.commit(self.edit(), self._settled)

    def edit(self) -> HandEdit:
        """The edit that a release would make; empty if it would do nothing."""
        if not self._begun or self.reason:
            return HandEdit()
        return moved(self._stage.song, self._clips, self._by, self._lanes, copy=self._copy)

    def paint(self, painter: QPainter, look: Look) -> None:
        """Paint the clips' outlines at their new position."""
        tones, fonts = look
        if not self._begun:
            return
        scene = self._stage.scene
        places = []
        tracks = [track.id for track in scene.song.tracks]
        for track, clip in chosen(scene.song, self._clips):
            lane = scene.lane_of(tracks[tracks.index(track.id) + self._lanes])
            if lane is not None:
                places.append((lane, Ticks(clip.start + self._by), clip.duration))
        paint_places(painter, self._stage, places, tones, fonts, self.reason)

    def _refusal(self, spot: PointerSpot) -> str:
        """Why the clips cannot be let go here; empty if they can."""
        lanes, lane = self._stage.scene.lanes, self._stage.axis.row_at(spot.y)
        if lane >= len(lanes):
            return tr("There is no track here")
        if lane >= 0 and not lanes[lane].in_song:
            return tr("This track is only proposed")
        return ""

    def _settled(self) -> None:
        self._begun = False
        self._clips = frozenset()

    def _rows(self) -> list[int]:
        """For each lane the number of the song's track there; a proposed track counts as the one above it."""
        rows, number = [], -1
        for lane in self._stage.scene.lanes:
            number += lane.in_song and not lane.curve
            rows.append(max(0, number))
        return rows
