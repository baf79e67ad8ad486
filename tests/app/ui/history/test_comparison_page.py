"""The comparison as a person uses it: by mouse, by keys and by ear, over a real studio."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from html import escape
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QAbstractButton, QWidget
from rooms import Room, in_room
from wording import painted, shown_in, texts_of, untranslated

from agent.song.edits import CreateMidiClip, CreateTrack, ModifyClip, NoteSpec, SetLoudness, SetTempo, UpdateTrack
from agent.song.ids import ClipId, NoteId, TrackId
from agent.song.time import Ticks
from app.i18n import speaking
from app.languages import pseudo
from app.ui.history.comparison_page import ComparisonPage
from app.ui.history.difference_layers import box_of
from app.ui.kit.theme import Theme

Story = Callable[[Room, ComparisonPage], Awaitable[None]]
PAD, BASS, HOSTILE = TrackId("tpad"), TrackId("tbass"), TrackId("thostile")
NONE, SHIFT, CTRL = (
    Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
)


def note(name: str, pitch: int, beat: float, velocity: int = 100) -> NoteSpec:
    return NoteSpec(pitch, Ticks(int(beat * 960)), Ticks(960), velocity, NoteId(name))


async def two_versions(room: Room) -> None:
    """A pad with chords, a bass and a track with an odd name; then the pad rewritten, the bass quieter."""
    await room.opened.edit([
        CreateTrack(track_id=PAD, name="Pad", instrument="pad_warm"),
        CreateTrack(track_id=BASS, name="Bass", instrument="bass_finger"),
        CreateTrack(track_id=HOSTILE, name="<img src=x>" + "x" * 60, instrument="pad_warm"),
        CreateMidiClip(clip_id=ClipId("c1"), track_id=PAD, start_time=Ticks(0), duration=Ticks(7680), notes=(
            note("n1", 60, 0), note("n2", 64, 1), note("n3", 67, 2), note("n4", 72, 3),
        )),
    ], "Three tracks")
    await room.opened.edit([
        ModifyClip(clip_id=ClipId("c1"), notes=(
            note("n1", 60, 0), note("n2", 52, 1, 64), note("n5", 76, 4), note("n4", 72, 3),
        )),
        UpdateTrack(track_id=BASS, volume_db=-9.0, pan=-0.3), UpdateTrack(track_id=HOSTILE, mute=True),
        SetTempo(bpm=90),
    ], "Other chords")
    await room.still()
    await room.until(lambda: len(room.opened.versions.iterations.value) == 3)


@pytest.fixture
def comparison(qloop: Any, theme: Theme, tmp_path: Path) -> Callable[[Story], None]:
    def run(story: Story) -> None:
        async def work(room: Room) -> None:
            await two_versions(room)
            page = ComparisonPage(room.opened, room.kit)
            room.views.append(page)
            tester = QAbstractItemModelTester(
                page.side.list.rows, QAbstractItemModelTester.FailureReportingMode.Fatal
            )
            page.resize(1200, 760)
            page.show()
            b, a, _ = room.opened.versions.iterations.value
            await page.compare(a, b)
            await room.still()
            await story(room, page)
            tester.deleteLater()

        qloop.run(in_room(theme, tmp_path, work))

    return run


def box(page: ComparisonPage, pitch: int) -> QPointF:
    """The middle of the mark that stands at a pitch now."""
    mark = next(one for one in page.roll.scene.notes.marks if one.shown.pitch == pitch)
    return box_of(page.roll.scene, mark.shown).center()


def mark_at(page: ComparisonPage, pitch: int) -> int | None:
    place = box(page, pitch)
    return page.roll.scene.mark_at(place.x(), place.y())


def click(widget: QWidget, at: QPoint | QPointF) -> None:
    place = at.toPoint() if isinstance(at, QPointF) else at
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton, NONE, place)


def test_what_differs_is_told_and_shown(comparison: Callable[[Story], None]) -> None:
    async def story(room: Room, page: ComparisonPage) -> None:
        found = page.comparison
        assert found is not None
        assert (found.counts.added, found.counts.removed, found.counts.moved, found.counts.same) == (1, 1, 1, 2)
        titles = [row.title for row in page.side.list.rows.rows]
        assert titles[:3] == ["Song", "Pad", "Bass"]
        assert page.side.headline.text() == "3 tracks differ"
        assert page.legend.name.text() == "Pad"
        assert [box.text() for box in page.legend.boxes.values()] == [
            "Same  2", "Added  1", "Removed  1", "Moved  1"
        ]
        assert page.side.list.rows.row(page.side.list.currentIndex()).track == PAD  # type: ignore[union-attr]
        for button in page.findChildren(QAbstractButton):
            assert button.accessibleName() or button.text()
        accessible = page.side.list.rows.data(page.side.list.rows.index(2), Qt.ItemDataRole.AccessibleTextRole)
        assert accessible == "Bass, Volume: 0.0 → −9.0 dB, Pan: centre → 30% left"

    comparison(story)


def test_n_walks_through_every_change_and_round(comparison: Callable[[Story], None]) -> None:
    async def story(room: Room, page: ComparisonPage) -> None:
        assert page.comparison is not None
        count = len(page.comparison.changes)
        assert count == 1 + 3 + 2 + 1
        places = []
        for _ in range(count + 1):
            QTest.keyClick(page.side.list, Qt.Key.Key_N)
            places.append((page.roll.scene.notes.track and page.roll.scene.notes.track.id, page.roll.scene.current))
        marks = page.comparison.tracks[0].marks
        assert places[0] == (None, None)
        assert [marks[at].kind for track, at in places if track == PAD and at is not None] == [
            "moved", "removed", "added"
        ]
        assert places[-1] == places[0]
        assert page.head.place.text() == f"Change 1 of {count}"
        QTest.keyClick(page.side.list, Qt.Key.Key_N, SHIFT)
        assert page.head.place.text() == f"Change {count} of {count}"
        assert page.side.list.rows.row(page.side.list.currentIndex()).track == HOSTILE  # type: ignore[union-attr]

    comparison(story)


def test_a_click_on_a_note_goes_to_its_change(comparison: Callable[[Story], None]) -> None:
    async def story(room: Room, page: ComparisonPage) -> None:
        click(page.roll.viewport(), box(page, 52))
        at = page.roll.scene.current
        assert at is not None
        assert page.roll.scene.notes.marks[at].kind == "moved"
        assert page.roll.accessibleDescription() == "E4 → E3, an octave down, Bar 1, velocity 100 → 64"
        click(page.roll.viewport(), box(page, 60))
        assert page.roll.scene.current == at
        click(page.roll.ruler, QPoint(page.roll.ruler.width() - 60, 8))
        assert room.opened.playback.position() > 0

    comparison(story)


def test_the_legend_hides_kinds(comparison: Callable[[Story], None]) -> None:
    async def story(room: Room, page: ComparisonPage) -> None:
        shown = mark_at(page, 67)
        assert shown is not None
        before = page.roll.viewport().grab().toImage()
        click(page.legend.boxes["removed"], QPoint(7, page.legend.boxes["removed"].height() // 2))
        assert mark_at(page, 67) is None
        assert page.roll.viewport().grab().toImage() != before

    comparison(story)


def test_one_two_three_are_heard_and_the_song_stays(comparison: Callable[[Story], None]) -> None:
    async def story(room: Room, page: ComparisonPage) -> None:
        opened = room.opened
        song, head = opened.workspace.song, opened.workspace.head
        other, side = opened.listening.other, opened.focus.side
        # B is the working song, and is heard on its own side.
        assert (side.value, page.listen.buttons["b"].isChecked()) == ("song", True)
        QTest.keyClick(page.side.list, Qt.Key.Key_1)
        await room.still()
        assert (side.value, other.value.song.tempos[0].bpm) == ("plan", 120)  # type: ignore[union-attr]
        QTest.keyClick(page.side.list, Qt.Key.Key_3)
        await room.until(lambda: other.value is not None and other.value.song.note_count == 3)
        click(page.legend.boxes["added"], QPoint(7, 12))
        await room.until(lambda: other.value is not None and other.value.song.note_count == 2)
        QTest.keyClick(page.side.list, Qt.Key.Key_2)
        await room.still()
        assert side.value == "song"
        assert (opened.workspace.song, opened.workspace.head) == (song, head)
        page.close_view()
        assert other.value is None or other.value.kind != "compared"
        assert side.value == "song"

    comparison(story)


def test_a_track_is_heard_alone_and_its_bars_again_and_again(comparison: Callable[[Story], None]) -> None:
    async def story(room: Room, page: ComparisonPage) -> None:
        playback, listen = room.opened.playback, page.listen
        assert (listen.loop.text(), listen.solo.text()) == ("Bars 1–2", "Solo Pad")
        click(listen.loop, listen.loop.rect().center())
        assert (playback.state.value.loop, playback.state.value.looping) == ((0, 7680), True)
        click(listen.solo, QPoint(8, listen.solo.height() // 2))
        assert PAD in playback.solo.value
        # What was removed sounds on a track of its own, where only what differs is heard.
        page.hear("difference")
        other = room.opened.listening.other
        await room.until(lambda: other.value is not None and other.value.song.note_count == 3)
        assert {one.id for one in other.value.song.tracks if one.clips} <= playback.solo.value  # type: ignore[union-attr]
        page.side.choose(BASS)
        assert (listen.solo.text(), listen.solo.isChecked()) == ("Solo Bass", True)
        assert PAD not in playback.solo.value
        page.close_view()
        assert playback.solo.value == frozenset()
        assert (playback.state.value.loop, playback.state.value.looping) == (None, False)

    comparison(story)


def test_how_loudness_is_matched_is_told_and_heard(comparison: Callable[[Story], None]) -> None:
    async def story(room: Room, page: ComparisonPage) -> None:
        side, by = room.opened.focus.side, page.listen.by
        assert by.text() == "both −14 LUFS"
        await room.opened.edit((SetLoudness(target=-18.0),), "Quieter")
        await room.until(lambda: len(room.opened.versions.iterations.value) == 4)
        b, a, *_ = room.opened.versions.iterations.value
        await page.compare(a, b)
        page.hear("a")
        await room.still()

        def target() -> float:
            song = room.opened.playback._songs[side.value]
            assert song is not None
            return song.loudness_target

        assert (by.text(), target()) == ("A −4.0 dB", -18.0)
        click(page.listen.match, QPoint(8, page.listen.match.height() // 2))
        await room.still()
        assert (by.text(), target()) == ("", -14.0)

    comparison(story)


def test_picked_tracks_go_into_a_branch(comparison: Callable[[Story], None]) -> None:
    async def story(room: Room, page: ComparisonPage) -> None:
        made: list[str] = []
        page.branch_made.connect(made.append)
        assert not page.side.make.isEnabled()
        QTest.keyClick(page.side.list, Qt.Key.Key_Return, CTRL)
        await room.still()
        assert not made
        rows = page.side.list.rows
        click(page.side.list.viewport(), page.side.list.visualRect(rows.index_of(BASS)).topLeft() + QPoint(16, 16))
        assert page.side.picks == {BASS}
        assert page.side.list.currentIndex() == rows.index_of(PAD)
        QTest.keyClick(page.side.list, Qt.Key.Key_X)
        assert page.side.picks == {BASS, PAD}
        QTest.keyClick(page.side.list, Qt.Key.Key_X)
        assert page.side.make.text() == "Make branch from 1 picked track"
        QTest.keyClick(page.side.list, Qt.Key.Key_Return, CTRL)
        await room.until(lambda: made)
        song = room.opened.workspace.song
        assert (song.track(BASS).volume_db, song.tempos[0].bpm) == (-9.0, 120)
        assert [one.id for one in song.track(PAD).clips[0].notes] == ["n1", "n2", "n3", "n4"]
        newest, _, old, _ = room.opened.versions.iterations.value
        assert (newest.id, newest.parent, newest.source) == (made[0], old.id, "merge")

    comparison(story)


def test_esc_closes_swap_turns_round_and_both_looks_are_painted(
    comparison: Callable[[Story], None], theme: Theme
) -> None:
    async def story(room: Room, page: ComparisonPage) -> None:
        closed: list[bool] = []
        page.closed.connect(lambda: closed.append(True))
        page.head.swap.click()
        await room.until(lambda: page.versions is not None and page.versions[0].number == 3)
        await room.still()
        assert page.comparison is not None
        assert page.comparison.song[0].text == "Tempo: 90 BPM → 120 BPM"
        for look in ("light", "dark"):
            theme.choose(look)  # type: ignore[arg-type]
            assert not page.grab().isNull()
        page.resize(760, 520)
        for key in (Qt.Key.Key_Plus, Qt.Key.Key_Minus, Qt.Key.Key_0):
            QTest.keyClick(page.roll, key)
            assert not page.grab().isNull()
        first, last = page.roll.span
        assert (first, last >= page.overview.end - 1) == (0, True)
        click(page.overview, QPoint(page.overview.width() // 2, 60))
        QTest.keyClick(page.roll, Qt.Key.Key_Escape)
        assert closed == [True]

    comparison(story)


def test_the_comparison_is_read_in_the_persons_language(qloop: Any, theme: Theme, tmp_path: Path) -> None:
    async def story(room: Room) -> None:
        await two_versions(room)
        page = ComparisonPage(room.opened, room.kit)
        room.views.append(page)
        page.resize(1200, 760)
        b, a, _ = room.opened.versions.iterations.value
        with painted() as seen:
            page.show()
            await page.compare(a, b)
            for _ in range(8):
                page.next_change()
                await room.still()
        data = texts_of(room.opened.workspace.song) | {a.label, b.label, "x" * 60}
        data |= {escape(text) for text in data}
        read = [*shown_in(page), *seen]
        assert len(read) > 40
        assert [one for one in read if one.room.startswith("app.ui.history") and untranslated(one.text, data)] == []

    with speaking(pseudo()):
        qloop.run(in_room(theme, tmp_path, story))
