"""Chords written, kept and taken out on the lane under the sections, by pointer and by keyboard."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from msgspec import structs
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QImage
from PySide6.QtTest import QTest
from timeline_hands import BAR, LEFT, NONE, SONG

from agent.song.chart import ChordSymbol
from agent.song.chord_symbols import chord
from agent.song.clip import Clip, Note, in_order
from agent.song.edits import ChordSpec, SetChords
from agent.song.ids import ClipId, NoteId, TrackId
from agent.song.song import Song
from agent.song.time import Ticks
from agent.song.track import Track
from app.ui.timeline.chord_actions import ChordLine
from app.ui.timeline.chord_reading import ChordScene

Run = Callable[..., None]
STATED = structs.replace(SONG, chords=(
    ChordSymbol(Ticks(0), Ticks(2 * BAR), "Dm7"), ChordSymbol(Ticks(2 * BAR), Ticks(BAR), "Bbmaj7"),
))


def struck(bar: int, symbol: str) -> list[Note]:
    return [Note(NoteId(f"n{bar}_{pc}"), 48 + pc, Ticks((bar - 1) * BAR), Ticks(BAR))
            for pc in chord(symbol).pitch_classes]


PLAYED = Song("Played", tracks=(Track(TrackId("tp"), "Keys", "piano_grand", clips=(Clip(
    ClipId("cp"), "Chords", Ticks(0), Ticks(4 * BAR),
    in_order([*struck(1, "Am"), *struck(2, "Am"), *struck(3, "F"), *struck(4, "G")]),
),)),))


def lane_of(one):
    return one.view.chords


def known(one) -> list[tuple[float, str, bool]]:
    return [(span.start / BAR + 1, span.symbol, span.heard) for span in lane_of(one).scene.spans if span.symbol]


async def listened(one) -> None:
    """Heard chords come from a thread, a moment after the song."""
    for _ in range(500):
        await asyncio.sleep(0.01)
        if any(heard for _, _, heard in known(one)):
            return


def at(one, bar: float) -> QPoint:
    return QPoint(round(one.view.stage.axis.x((bar - 1) * BAR)) + 4, 10)


def line_of(one) -> ChordLine:
    return next(line for line in lane_of(one).findChildren(ChordLine) if line.isVisible())


def write(one, text: str, key: Qt.Key = Qt.Key.Key_Return) -> None:
    line = line_of(one)
    line.setText(text)
    line.textEdited.emit(text)
    QTest.keyClick(line, key)


def stated(one) -> list[tuple[float, float, str]]:
    return [(one.start / BAR + 1, one.duration / BAR, one.symbol) for one in one.song.chords]


def entry(menu, words: str) -> QAction:
    return next(action for action in menu.actions() if action.text().startswith(words))


def test_two_chords_typed_over_a_bar_share_it_and_one_undo_takes_both_back(told: Run) -> None:
    async def story(one) -> None:
        QTest.mouseDClick(lane_of(one), LEFT, NONE, at(one, 3))
        assert line_of(one).text() == "Bbmaj7"
        write(one, "Am7 D7")
        await one.settle(lambda: len(one.song.chords) == 3)
        assert stated(one) == [(1, 2, "Dm7"), (3, 0.5, "Am7"), (3.5, 0.5, "D7")]
        assert lane_of(one).hasFocus()
        await one.opened.versions.refresh()
        assert one.opened.versions.iterations.value[0].label == "Chords Am7 D7, bar 3"
        await one.opened.versions.undo()
        assert one.song.chords == STATED.chords

    told(story, song=STATED)


def test_what_is_no_chord_stays_in_the_line_with_the_nearest_one_named(told: Run) -> None:
    async def story(one) -> None:
        QTest.mouseDClick(lane_of(one), LEFT, NONE, at(one, 1))
        write(one, "Am7 Gm7x")
        line = line_of(one)
        assert (line.text(), line.fault) == ("Am7 Gm7x", "“Gm7x” is no chord. Did you mean Gm7?")
        assert one.song.chords == STATED.chords
        write(one, "Gm7")
        await one.settle(lambda: one.song.chords[0].symbol == "Gm7")
        assert stated(one)[0] == (1, 2, "Gm7")
        assert not [one for one in lane_of(one).findChildren(ChordLine) if one.isVisible()]

    told(story, song=STATED)


def test_keys_go_from_chord_to_chord_write_them_and_take_them_out(told: Run) -> None:
    async def story(one) -> None:
        lane = lane_of(one)
        lane.setFocus(Qt.FocusReason.TabFocusReason)
        lane.describe()
        assert lane.accessibleDescription() == "Dm7, bars 1 to 2"
        QTest.keyClick(lane, Qt.Key.Key_Right)
        await one.settle()
        assert lane.accessibleDescription() == "B♭maj7, bar 3"
        QTest.keyClick(lane, Qt.Key.Key_Delete)
        await one.settle(lambda: len(one.song.chords) == 1)
        assert stated(one) == [(1, 2, "Dm7")]
        QTest.keyClick(lane, Qt.Key.Key_Return)
        write(one, "ii7", Qt.Key.Key_Tab)
        await one.settle(lambda: len(one.song.chords) == 2)
        assert stated(one)[1] == (3, 1, "Dm7")
        write(one, "G7")
        await one.settle(lambda: len(one.song.chords) == 3)
        assert stated(one)[2] == (4, 1, "G7")
        write_empty(one)
        await one.settle(lambda: len(one.song.chords) == 2)

    def write_empty(one) -> None:
        QTest.keyClick(lane_of(one), Qt.Key.Key_F2)
        write(one, "")

    told(story, song=STATED)


def test_esc_and_leaving_the_line_as_it_was_change_nothing(told: Run) -> None:
    async def story(one) -> None:
        QTest.mouseDClick(lane_of(one), LEFT, NONE, at(one, 1))
        line_of(one).setText("F")
        QTest.keyClick(line_of(one), Qt.Key.Key_Escape)
        await one.settle()
        QTest.mouseDClick(lane_of(one), LEFT, NONE, at(one, 1))
        one.view.setFocus()
        await one.settle()
        assert one.song is one.opened.workspace.song
        assert one.song.chords == STATED.chords

    told(story, song=STATED)


def test_chords_that_only_sound_are_said_to_be_heard_and_can_be_kept(told: Run) -> None:
    async def story(one) -> None:
        await listened(one)
        assert known(one) == [(1, "Am", True), (3, "F", True), (4, "G", True)]
        lane = lane_of(one)
        QTest.mouseClick(lane, LEFT, NONE, at(one, 1))
        assert lane.chord_actions.words() == "Am, bars 1 to 2, heard in the notes, 100% sure"
        lane.chord_actions.delete()
        assert one.opened.focus.refused.value.startswith("The song does not state this chord")
        entry(lane.menu(), "Keep all heard chords").trigger()
        await one.settle(lambda: len(one.song.chords) == 3)
        assert known(one) == [(1, "Am", False), (3, "F", False), (4, "G", False)]

    told(story, song=PLAYED)


def test_a_plan_s_chords_stand_as_ghosts_beside_the_original(told: Run) -> None:
    async def story(one) -> None:
        await one.opened.workspace.keep("Story")
        await one.plan("transpose the song up a whole tone")
        lane = lane_of(one)
        for _ in range(500):
            await asyncio.sleep(0.01)
            if lane.scene.ghosts:
                break
        assert one.opened.reviewing.proposal.value is not None
        first = lane.scene.ghosts[0]
        assert first.symbol != first.was
        shown = pixels(lane)
        one.opened.focus.overlay.set(not one.opened.focus.overlay.value)
        await one.settle()
        assert lane.scene.ghosts == ()
        assert pixels(lane) != shown

    told(story, song=structs.replace(PLAYED, chords=STATED.chords))


def pixels(lane) -> QImage:
    return lane.grab().toImage()


def test_a_screen_reader_finds_each_chord_with_how_it_is_known(told: Run) -> None:
    async def story(one) -> None:
        one.view.zoom_song()
        await listened(one)
        await one.settle()
        names = [part.name for part in lane_of(one)._parts()]
        assert names[:2] == ["F, bars 1 to 2", "F, bar 3, heard in the notes, 100% sure"]

    told(story, song=PLAYED, edits=(SetChords(
        start_time=Ticks(0), duration=Ticks(2 * BAR), chords=(ChordSpec("F", Ticks(0), Ticks(2 * BAR)),),
    ),))


def test_the_lane_of_an_empty_song_can_be_written_on(told: Run) -> None:
    async def story(one) -> None:
        assert isinstance(lane_of(one).scene, ChordScene)
        QTest.mouseDClick(lane_of(one), LEFT, NONE, at(one, 2))
        write(one, "n.c.")
        await one.settle(lambda: bool(one.song.chords))
        assert stated(one) == [(2, 1, "N.C.")]

    told(story)
