"""Painting a large song: the timeline against a QGraphicsView with an item for each clip, and pyqtgraph if it is there.

64 tracks, 2,000 clips, 100,000 notes, 1600 × 900 pixels, raster. Each figure is the time of one synchronous
repaint: median and least of several, in milliseconds; of a hit test, which finds the clip under a place, in
microseconds.
"""

from __future__ import annotations

import asyncio
import random
import tempfile
from pathlib import Path

import qasync
from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import (
    QApplication,
    QGraphicsItem,
    QGraphicsScene,
    QGraphicsView,
    QStyleOptionGraphicsItem,
    QWidget,
)

from agent.song.clip import Clip, Note, in_order
from agent.song.colors import COLORS
from agent.song.ids import ClipId, NoteId, TrackId
from agent.song.song import Song
from agent.song.time import PPQ, Ticks
from agent.song.track import Track
from app.bootstrap import open_studio
from app.paths import Paths, find_paths
from app.services.playing import PlaybackEngine
from app.ui.kit.context import Kit
from app.ui.kit.tasks import Tasks
from app.ui.kit.theme import Theme
from app.ui.timeline.note_rects import note_rects
from app.ui.timeline.view import TimelineView
from app.viewmodels.open_project import OpenProject
from app.viewmodels.texts.troubles import ErrorReporter
from app.viewmodels.transport.playback import Playback
from tests.benchmarks.repainting import HIT, TIMES, Figures, report, timed

WIDTH, HEIGHT = 1600, 900
TRACKS, CLIPS, NOTES = 64, 2_000, 100_000
CLIP_BEATS = 16
LANE = 40
NEAR = 12.0
HITS = 1_000


def large_song() -> Song:
    """The song of the figures."""
    draw = random.Random(1)
    tracks = []
    for number in range(TRACKS):
        count = CLIPS // TRACKS + (number < CLIPS % TRACKS)
        clips = []
        for place in range(count):
            notes = [
                Note(
                    NoteId(f"n{number}_{place}_{n}"), draw.randrange(36, 84),
                    Ticks(draw.randrange(0, CLIP_BEATS * PPQ - 480)), Ticks(draw.randrange(120, 480)),
                )
                for n in range(NOTES // CLIPS)
            ]
            start, length = Ticks(place * CLIP_BEATS * PPQ), Ticks(CLIP_BEATS * PPQ)
            clips.append(Clip(ClipId(f"c{number}_{place}"), f"Clip {place}", start, length, in_order(notes)))
        tracks.append(Track(TrackId(f"t{number}"), f"Track {number}", "pad_warm", color=COLORS[number % 12],
                            clips=tuple(clips)))
    return Song("Large", tracks=tuple(tracks))


def of_timeline(view: TimelineView) -> Figures:
    """The timeline with its ruler and chords; down, with its headers instead, as the ruler does not move then."""
    parts: tuple[QWidget, ...] = (view.viewport(), view.ruler, view.chords)
    axis = view.stage.axis

    def paint() -> None:
        for part in parts:
            part.repaint()

    def paint_down() -> None:
        view.viewport().repaint()
        view.headers.repaint()

    def scroll_down(turn: int) -> None:
        view.verticalScrollBar().setValue(turn * 37)

    def scroll(turn: int) -> None:
        view.horizontalScrollBar().setValue(turn * 37)

    def zoom(turn: int) -> None:
        view.navigator.zoom(axis.per_beat * (1.1 if turn < TIMES // 2 else 1 / 1.1), WIDTH / 2)

    figures: Figures = {}
    view.navigator.zoom(NEAR, 0)
    figures["scroll, first"] = timed(scroll, paint)
    figures["scroll"] = timed(scroll, paint)
    figures["scroll down"] = timed(scroll_down, paint_down)
    figures["zoom step"] = timed(zoom, paint)
    axis.row_height = 13
    view.navigator.sync()
    view.zoom_song()
    figures["whole song, first"] = timed(lambda _: None, paint, 1)
    figures["whole song, filling"] = timed(lambda _: None, paint, 60)
    figures["whole song"] = timed(lambda _: None, paint)
    axis.row_height = LANE
    view.navigator.sync()
    view.navigator.zoom(NEAR, 0)
    strip = view.viewport()
    figures["playhead strip"] = timed(lambda _: None, lambda: strip.repaint(QRect(700, 0, 5, HEIGHT)))
    places = places_to_hit()

    def hit() -> None:
        scene, overlay = view.stage.scene, view.stage.overlay
        for x, y in places:
            scene.item_at(axis.row_at(y), axis.at(x), overlay)

    figures[HIT] = [one * 1000 / HITS for one in timed(lambda _: None, hit)]
    return figures


def places_to_hit() -> list[tuple[float, float]]:
    """Places all over the view."""
    draw = random.Random(2)
    return [(draw.uniform(0, WIDTH), draw.uniform(0, HEIGHT)) for _ in range(HITS)]


class ClipItem(QGraphicsItem):
    """A clip with its rectangles built beforehand."""

    def __init__(self, clip: Clip, color: str) -> None:
        super().__init__()
        self._clip, self._color = clip, QColor(color)
        self._rects = note_rects(clip, LANE - 15, 0.1)
        self._box = QRectF(0, 0, clip.duration / PPQ, LANE - 3)
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemUsesExtendedStyleOption, False)

    def boundingRect(self) -> QRectF:  # noqa: N802
        """The clip's place."""
        return self._box

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        """Body, strip and notes."""
        painter.fillRect(self._box, self._color.darker(250))
        painter.fillRect(QRectF(0, 0, self._box.width(), 12), self._color)
        painter.translate(0, 12)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._color)
        painter.drawRects(self._rects)


def of_graphics_view(song: Song) -> Figures:
    """The usual way: an item for each clip."""
    scene = QGraphicsScene()
    for lane, track in enumerate(song.tracks):
        for clip in track.clips:
            item = ClipItem(clip, track.color)
            item.setPos(clip.start / PPQ, lane * LANE)
            scene.addItem(item)
    view = QGraphicsView(scene)
    view.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
    view.resize(WIDTH, HEIGHT)
    view.scale(NEAR, 1)
    view.show()
    QApplication.processEvents()
    paint = view.viewport().repaint
    figures: Figures = {"scroll": timed(lambda turn: view.horizontalScrollBar().setValue(turn * 37), paint)}
    figures["zoom step"] = timed(lambda turn: view.scale(1.1 if turn < TIMES // 2 else 1 / 1.1, 1), paint)
    box = scene.sceneRect()
    view.resetTransform()
    view.scale((WIDTH - 30) / box.width(), (HEIGHT - 30) / box.height())
    figures["whole song"] = timed(lambda _: None, paint, 8)
    figures["playhead strip"] = timed(
        lambda _: None, lambda: view.viewport().repaint(QRect(700, 0, 5, HEIGHT))
    )
    view.resetTransform()
    view.scale(NEAR, 1)
    places = [QPoint(int(x), int(y)) for x, y in places_to_hit()]

    def hit() -> None:
        for place in places:
            view.itemAt(place)

    hit()
    figures[HIT] = [one * 1000 / HITS for one in timed(lambda _: None, hit)]
    view.close()
    return figures


def of_pyqtgraph(song: Song) -> Figures | None:
    """All notes as bars of a plot."""
    try:
        import pyqtgraph
    except ImportError:
        return None
    plot = pyqtgraph.PlotWidget()
    plot.resize(WIDTH, HEIGHT)
    places = [
        ((clip.start + note.start) / PPQ, lane * 128 + note.pitch, note.duration / PPQ)
        for lane, track in enumerate(song.tracks) for clip in track.clips for note in clip.notes
    ]
    plot.addItem(pyqtgraph.BarGraphItem(
        x0=[one[0] for one in places], y0=[one[1] for one in places], width=[one[2] for one in places], height=1
    ))
    plot.show()
    QApplication.processEvents()
    whole = plot.getViewBox().viewRect()
    near = QRectF(0, 0, WIDTH / NEAR, HEIGHT / LANE * 128)
    paint = plot.viewport().repaint

    def look(box: QRectF) -> None:
        plot.setRange(box, padding=0)

    figures: Figures = {"scroll": timed(lambda turn: look(near.translated(QPointF(turn * 3, 0))), paint)}
    figures["zoom step"] = timed(lambda turn: look(QRectF(0, 0, near.width() * 1.1**turn, near.height())), paint)
    look(whole)
    figures["whole song"] = timed(lambda _: None, paint, 8)
    plot.close()
    return figures


async def work(app: QApplication) -> None:
    """Measure all ways in one run."""
    song = large_song()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        studio = open_studio(Paths(home, home / "cache", home / "logs", find_paths().resources))
        troubles = ErrorReporter(studio.paths)
        workspace = await studio.open(await studio.projects.draft("Large"))
        engine = PlaybackEngine(Path(folder), studio.palette, ahead=False)
        opened = OpenProject(studio, workspace, Playback(engine, troubles), troubles)
        workspace.show(song, workspace.revision)
        view = TimelineView(opened, Kit(Theme(app, "dark"), Tasks(troubles), troubles))
        view.resize(WIDTH, HEIGHT)
        view.show()
        await asyncio.sleep(0.5)
        ours = of_timeline(view)
        report("Timeline (lanes and ruler; lanes and headers where it scrolls down)", ours, ours, "timeline")
        view.close_view()
        view.close()
        report("QGraphicsView, an item for each clip", of_graphics_view(song), ours, "timeline")
        plotted = of_pyqtgraph(song)
        if plotted is not None:
            report("pyqtgraph, notes as bars", plotted, ours, "timeline")
        await opened.close()
        await studio.close()


def main() -> None:
    """Run on a qasync loop, as the window does."""
    app = QApplication([])
    loop = qasync.QEventLoop(app)
    asyncio.set_event_loop(loop)
    with loop:
        loop.run_until_complete(work(app))


if __name__ == "__main__":
    main()
