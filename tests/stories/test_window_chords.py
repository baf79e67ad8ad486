"""A chord typed into the lane of a composed song by hand, and the parts that are asked to play it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from people import Person, at_window
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from qt_fixtures import Loop, garbage, qloop, theme

from agent.plan.ledger import StepState
from agent.session.run_state import RunState
from agent.song.song import Song
from agent.theory.harmony import bar_chords
from agent.theory.sounding import kit_tracks
from app.ui.kit.theme import Theme
from app.ui.timeline.chord_actions import ChordLine
from app.ui.timeline.chord_lane import ChordLane

__all__ = ["garbage", "qloop", "theme"]
COMPOSE = "a calm lofi beat in D minor at 82 bpm, 8 bars"
BAR, STEP = 3840, 240
Sounds = tuple[int, str, int]


@pytest.fixture
def at_the_window(theme: Theme, tmp_path: Path, qloop: Loop) -> Callable[..., None]:
    """Runs a story of a person at the real window."""

    def tell(story) -> None:  # type: ignore[no-untyped-def]
        qloop.run(at_window(theme, tmp_path / "home", story))

    return tell


def lane_of(one: Person) -> ChordLane:
    return one.window.findChild(ChordLane)


def line_of(one: Person) -> ChordLine:
    return next(line for line in lane_of(one).findChildren(ChordLine) if line.isVisible())


def chords(song: Song) -> list[tuple[int, str]]:
    return [(one.start // BAR + 1, one.symbol) for one in song.chords]


def sounds(song: Song, bar: int) -> tuple[set[Sounds], set[Sounds]]:
    """What sounds in the middle of each sixteenth of a bar, and of all other bars: tick, track, pitch."""
    found = {
        (at, track.id, note.pitch)
        for track in song.tracks for clip in track.clips for note in clip.notes
        for at in range(STEP // 2, song.end, STEP)
        if clip.start + note.start <= at < clip.start + note.end
    }
    inside = {one for one in found if one[0] // BAR + 1 == bar}
    return inside, found - inside


async def approved(one: Person) -> None:
    running = one.room.opened.running
    before = running.live.value
    one.approve()
    await one.room.until(lambda: running.live.value is not before and running.live.value.state is RunState.COMPLETED)
    await one.room.still()


def test_a_chord_that_is_typed_in_the_lane_is_played_where_it_stands_and_nowhere_else(at_the_window) -> None:  # type: ignore[no-untyped-def]
    async def story(one: Person) -> None:
        opened = one.room.opened
        await one.ask(COMPOSE)
        await approved(one)
        before, lane = opened.workspace.song, lane_of(one)
        was = dict(chords(before))
        assert was[3] not in ("Bb", "Bbmaj7")
        place = QPoint(round(lane.stage.axis.x(2 * BAR)) + 4, lane.height() // 2)
        QTest.mouseDClick(lane, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
        line = line_of(one)
        assert line.text() == was[3]
        line.selectAll()
        QTest.keyClicks(line, "Bbmaj7")
        QTest.keyClick(line, Qt.Key.Key_Return)
        await one.room.until(lambda: opened.workspace.song != before)
        await one.room.still()
        written = opened.workspace.song
        assert chords(written) == [(bar, "Bbmaj7" if bar == 3 else symbol) for bar, symbol in chords(before)]
        assert written.tracks == before.tracks
        await one.ask("play Bbmaj7 in bar 3")
        proposal = opened.reviewing.proposal.value
        titles = [step.title for step in proposal.plan.steps]
        assert titles
        assert all(step.id in proposal.approved for step in proposal.plan.steps)
        assert opened.workspace.song == written
        await approved(one)
        live = opened.running.live.value
        assert {row.state for row in live.rows.values()} == {StepState.DONE}
        after = opened.workspace.song
        assert chords(after) == chords(written)
        (was_there, was_elsewhere), (there, elsewhere) = sounds(before, 3), sounds(after, 3)
        assert there != was_there
        assert elsewhere == was_elsewhere
        kits = kit_tracks(after, one.room.desktop.studio.palette)
        assert bar_chords(after, kits)[2].root == 10

    at_the_window(story)
