"""Painting a clip of many notes: the piano roll against a QGraphicsScene with an item for each note.

50,000 notes over 400 bars, 1600 × 500 pixels, raster. Each figure is the time of one synchronous repaint: median
and least of several, in milliseconds; of a hit test in microseconds.
"""

from __future__ import annotations

import asyncio
import random
import tempfile
from pathlib import Path
from time import perf_counter

import qasync
from PySide6.QtCore import QPointF, QRect
from PySide6.QtGui import QColor, QPen, QTransform
from PySide6.QtWidgets import QApplication, QGraphicsRectItem, QGraphicsScene, QGraphicsView

from agent.song.clip import Clip, Note, in_order
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
from app.ui.pianoroll.view import RollView
from app.viewmodels.open_project import OpenProject
from app.viewmodels.texts.troubles import ErrorReporter
from app.viewmodels.transport.playback import Playback
from tests.benchmarks.repainting import HIT, Figures, report, timed

WIDTH, HEIGHT = 1600, 500
BARS, NOTES = 400, 50_000
BAR = 4 * PPQ
USUAL = 50.0
"""Pixels for a quarter note at the usual zoom: eight bars in sight."""
ROW = 12
HITS = 20_000


def large_clip() -> Clip:
    """The clip of the figures."""
    draw = random.Random(1)
    length = BARS * BAR
    notes = [
        Note(
            NoteId(f"n{number}"), draw.randrange(36, 84), Ticks(draw.randrange(0, length - 960) // 120 * 120),
            Ticks(draw.randrange(1, 8) * 120), draw.randrange(20, 127),
        )
        for number in range(NOTES)
    ]
    return Clip(ClipId("c"), "Large", Ticks(0), Ticks(length), in_order(notes))


def of_roll(view: RollView) -> Figures:
    """The notes with keys, ruler and velocities."""
    scene, axis = view.scene, view.scene.axis
    # What else of the window has to be painted again is painted with it.
    paint = view.viewport().repaint

    def scroll(turn: int) -> None:
        view.horizontalScrollBar().setValue(turn * 211)

    def select(turn: int) -> None:
        scroll(turn)
        scene.selected.set(frozenset(note.id for note in scene.index.notes[turn:]))

    view.navigator.zoom(USUAL, 0)
    figures: Figures = {"scroll, first": timed(scroll, paint), "scroll": timed(scroll, paint)}
    figures["zoom step"] = timed(
        lambda turn: view.navigator.zoom(axis.per_beat * (1.1 if turn % 2 else 1 / 1.1), 400), paint
    )
    view.navigator.zoom(USUAL, 0)
    figures["selecting and scroll"] = timed(select, paint, 10)
    figures["all selected, scroll"] = timed(scroll, paint)
    scene.selected.set(frozenset())
    view.navigator.show(0, axis.length)
    figures["whole clip, first"] = timed(lambda _: None, paint, 1)
    figures["whole clip, filling"] = timed(lambda _: None, paint, 60)
    figures["whole clip"] = timed(lambda _: None, paint, 8)
    view.navigator.zoom(USUAL, 0)
    strip = view.viewport()
    figures["playhead strip"] = timed(lambda _: None, lambda: strip.repaint(QRect(700, 0, 3, HEIGHT)))
    draw = random.Random(2)
    spots = [(draw.random() * WIDTH, draw.random() * HEIGHT) for _ in range(HITS)]
    began = perf_counter()
    for x, y in spots:
        scene.note_at(x, y)
    figures[HIT] = [(perf_counter() - began) / HITS * 1e6]
    return figures


def of_graphics_view(clip: Clip) -> Figures:
    """The usual way: an item for each note."""
    scene = QGraphicsScene()
    edge, fill = QPen(QColor("#ECEDEF"), 0), QColor("#5B93E8")
    for note in clip.notes:
        item = QGraphicsRectItem(note.start / PPQ, (127 - note.pitch) * ROW, note.duration / PPQ, ROW - 1)
        item.setPen(edge)
        item.setBrush(fill)
        scene.addItem(item)
    view = QGraphicsView(scene)
    view.resize(WIDTH, HEIGHT)
    view.scale(USUAL, 1)
    view.show()
    QApplication.processEvents()
    paint = view.viewport().repaint
    bar = view.horizontalScrollBar()

    def scroll(turn: int) -> None:
        bar.setValue(bar.minimum() + turn * 211)

    figures: Figures = {"scroll": timed(scroll, paint)}
    figures["zoom step"] = timed(lambda turn: view.scale(1.1 if turn % 2 else 1 / 1.1, 1), paint)
    box = scene.sceneRect()
    view.resetTransform()
    view.scale((WIDTH - 30) / box.width(), 1)
    figures["whole clip"] = timed(lambda _: None, paint, 4)
    view.resetTransform()
    view.scale(USUAL, 1)
    figures["playhead strip"] = timed(lambda _: None, lambda: view.viewport().repaint(QRect(700, 0, 3, HEIGHT)))
    draw = random.Random(2)
    spots = [view.mapToScene(int(draw.random() * WIDTH), int(draw.random() * HEIGHT)) for _ in range(500)]
    began = perf_counter()
    for spot in spots:
        scene.itemAt(QPointF(spot), QTransform())
    figures[HIT] = [(perf_counter() - began) / len(spots) * 1e6]
    view.close()
    return figures


async def work(app: QApplication) -> None:
    """Measure both ways in one run."""
    clip = large_clip()
    song = Song("Large", tracks=(Track(TrackId("t"), "Large", "pad_warm", color="#5B93E8", clips=(clip,)),))
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        studio = open_studio(Paths(home, home / "cache", home / "logs", find_paths().resources))
        troubles = ErrorReporter(studio.paths)
        workspace = await studio.open(await studio.projects.draft("Large"))
        engine = PlaybackEngine(Path(folder), studio.palette, ahead=False)
        opened = OpenProject(studio, workspace, Playback(engine, troubles), troubles)
        workspace.show(song, workspace.revision)
        kit = Kit(Theme(app, "dark"), Tasks(troubles), troubles)
        view = RollView(opened, kit)
        view.scene.set(chords=False)
        view.resize(WIDTH, HEIGHT)
        view.show()
        opened.focus.clip.set(clip.id)
        await asyncio.sleep(0.5)
        ours = of_roll(view)
        report("Piano roll with keys, ruler and velocities (milliseconds)", ours, ours, "piano roll")
        view.close_view()
        view.close()
        other = of_graphics_view(clip)
        report("QGraphicsScene, an item for each note, without keys, ruler and velocities", other, ours, "piano roll")
        await kit.tasks.close()
        await opened.close()
        await studio.close()
        engine.close()


def main() -> None:
    """Run on a qasync loop, as the window does."""
    app = QApplication([])
    loop = qasync.QEventLoop(app)
    asyncio.set_event_loop(loop)
    with loop:
        loop.run_until_complete(work(app))


if __name__ == "__main__":
    main()
