"""Painting sixty-four strips of the mixer, and their meters, against a strip of ordinary widgets for each track.

Raster. Each figure is the time of one synchronous repaint: median and least of several, in milliseconds.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import qasync
from PySide6.QtCore import Qt
from PySide6.QtGui import QRegion
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QSlider,
    QVBoxLayout,
    QWidget,
)

from agent.song.ids import TrackId
from agent.song.song import Song
from agent.song.track import Track
from app.bootstrap import open_studio
from app.paths import Paths, find_paths
from app.services.playing import PlaybackEngine
from app.ui.kit.context import Kit
from app.ui.kit.tasks import Tasks
from app.ui.kit.theme import Theme
from app.ui.mixer.board import Board
from app.ui.mixer.strip_layout import STRIP_WIDTH
from app.ui.mixer.strips_view import StripsView
from app.viewmodels.open_project import OpenProject
from app.viewmodels.texts.troubles import ErrorReporter
from app.viewmodels.transport.playback import Playback

TRACKS, HEIGHT = 64, 440
TIMES = 40
_FRAME = 1 / 30


def _song() -> Song:
    return Song(tracks=tuple(
        Track(TrackId(f"t{n}"), f"Track {n}", "piano_grand", volume_db=-n / 4, pan=n / 64 - 0.5, mute=n % 5 == 0)
        for n in range(TRACKS)
    ))


def _timed(paint: Callable[[int], None]) -> list[float]:
    took = []
    for turn in range(TIMES):
        began = perf_counter()
        paint(turn)
        took.append((perf_counter() - began) * 1000)
    return took


async def _strips(theme: Theme, home: Path) -> dict[str, list[float]]:
    paths = Paths(home, home / "cache", home / "logs", find_paths().resources)
    studio, troubles = open_studio(paths), ErrorReporter(paths)
    engine = PlaybackEngine(home / "cache", studio.palette, ahead=False)
    workspace = await studio.open(await studio.projects.draft("Bench"))
    opened = OpenProject(studio, workspace, Playback(engine, troubles), troubles)
    kit = Kit(theme, Tasks(troubles), troubles)
    await opened.begin()
    await workspace.replace(_song(), "edit", "bench")
    board = Board(opened, kit)
    strips = StripsView(board)
    strips.resize(TRACKS * STRIP_WIDTH, HEIGHT)
    strips.show()
    await asyncio.sleep(0.2)
    bars = QRegion()
    for at in range(TRACKS):
        bars = bars.united(QRegion(strips.scene.bars_of(at)))

    def meters(turn: int) -> None:
        levels = {track.id: (-5.0 - turn % 7, -9.0) for track in workspace.song.tracks}
        strips.scene.levels.take(levels, _FRAME, 1e9 + turn * _FRAME)
        strips.viewport().repaint(bars)

    figures = {
        "all strips": _timed(lambda _: strips.viewport().repaint()), "all meters": _timed(meters),
    }
    strips.close_view()
    board.close()
    strips.close()
    await kit.tasks.close()
    await opened.close()
    await studio.close()
    return figures


def _widgets() -> dict[str, list[float]]:
    window = QWidget()
    row = QHBoxLayout(window)
    row.setSpacing(0)
    meters = []
    for track in _song().tracks:
        column = QVBoxLayout()
        choice = QComboBox()
        choice.addItem(track.instrument)
        fader, meter = QSlider(Qt.Orientation.Vertical), QProgressBar()
        meter.setOrientation(Qt.Orientation.Vertical)
        meters.append(meter)
        middle = QHBoxLayout()
        middle.addWidget(fader)
        middle.addWidget(meter)
        buttons = QHBoxLayout()
        for letter in "MS":
            buttons.addWidget(QPushButton(letter))
        for part in (QLabel(track.name), choice, QSlider(Qt.Orientation.Horizontal)):
            column.addWidget(part)
        column.addLayout(middle, 1)
        column.addWidget(QLabel(f"{track.volume_db:.1f}"))
        column.addLayout(buttons)
        row.addLayout(column)
    window.resize(TRACKS * STRIP_WIDTH, HEIGHT)
    window.show()
    QApplication.processEvents()

    def levels(turn: int) -> None:
        for meter in meters:
            meter.setValue(40 + turn % 50)
        window.repaint(_region(window, meters))

    figures = {"all strips": _timed(lambda _: window.repaint()), "all meters": _timed(levels)}
    window.close()
    return figures


def _region(window: QWidget, meters: list[QProgressBar]) -> QRegion:
    region = QRegion()
    for meter in meters:
        region = region.united(QRegion(meter.geometry().translated(window.contentsRect().topLeft())))
    return region


def main() -> None:
    """Print both, side by side."""
    app = QApplication([])
    app.setQuitOnLastWindowClosed(False)
    theme = Theme(app, "dark")
    loop = qasync.QEventLoop(app)
    asyncio.set_event_loop(loop)
    with tempfile.TemporaryDirectory() as home, loop:
        ours = loop.run_until_complete(_strips(theme, Path(home)))
        peers = _widgets()
    for name, took in ours.items():
        print(f"{name} of {TRACKS}: {median(took):6.2f} ms (least {min(took):.2f}),"
              f" as widgets {median(peers[name]):6.2f} ms (least {min(peers[name]):.2f})")


if __name__ == "__main__":
    main()
