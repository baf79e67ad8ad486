"""Ghosts on the timeline: lit, chosen, hidden, gone when their row is rejected; and pictures that show them."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QImage, QRegion
from PySide6.QtTest import QTest

from agent.song.clip import Clip, Note
from agent.song.edits import SetTimeSignature
from agent.song.ids import ClipId, NoteId, TrackId
from agent.song.song import Song
from agent.song.time import MeterChange, TempoChange, Ticks
from agent.song.track import Track
from app.ui.timeline.header_places import words_at

BAR = 3840
AMBIENT = "Recompose this sequence to be more ambient and atmospheric"
Run = Callable[..., None]


def notes(count: int) -> tuple[Note, ...]:
    return tuple(Note(NoteId(f"n{n}"), 60 + n % 12, Ticks(n * 240), Ticks(240)) for n in range(count))


SONG = Song("Story", tracks=(
    Track(TrackId("ta"), "Pad", "pad_warm", clips=(Clip(ClipId("ca"), "Chords", Ticks(0), Ticks(8 * BAR), notes(90)),)),
    Track(TrackId("tb"), "Drums", "kit_standard", color="#E8735C",
          clips=(Clip(ClipId("cb"), "Beat", Ticks(0), Ticks(8 * BAR), notes(60)),)),
))


def picture(told) -> QImage:
    return told.view.grab().toImage()


def count(image: QImage, color: str) -> int:
    wanted = QColor(color).rgb()
    return sum(
        image.pixel(x, y) == wanted for x in range(0, image.width(), 2) for y in range(0, image.height(), 2)
    )


def test_a_click_on_a_ghost_lights_its_step_and_the_words_say_so(told: Run) -> None:
    async def story(one) -> None:
        await one.plan(AMBIENT)
        scene = one.view.stage.scene
        lane = next(n for n, row in enumerate(scene.lanes) if row.ghosts)
        ghost = scene.lanes[lane].ghosts[-1]
        axis = one.view.stage.axis
        at = QPoint(round(axis.x(ghost.clip.start)) + 30, axis.row_top(lane) + 25)
        QTest.mouseClick(one.view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
        assert one.opened.focus.step.value == ghost.cause.step
        assert one.opened.focus.clips.value == {ghost.clip.id}
        await one.settle()
        assert one.view.accessibleDescription().startswith(f"Ghost clip, step {ghost.cause.number}, {ghost.clip.name}")

    told(story, song=SONG)


def test_rejected_rows_lose_their_ghosts_at_once(told: Run) -> None:
    async def story(one) -> None:
        review = await one.plan(AMBIENT)
        before = one.view.stage.scene.ghosts
        assert before.clips
        rows = [step.id for step in review.plan.steps]
        task = one.kit.tasks.start(one.opened.reviewing.reject(rows), "plan")
        await one.settle(lambda: not one.view.stage.scene.ghosts.clips)
        ghosts = one.view.stage.scene.ghosts
        assert (ghosts.clips, ghosts.tracks, ghosts.tempos, dict(ghosts.marks)) == ((), (), (), {})
        await task

    told(story, song=SONG)


def test_the_overlay_switch_hides_ghosts_and_proposed_tracks(told: Run) -> None:
    async def story(one) -> None:
        await one.plan(AMBIENT)
        await one.settle()
        badge = one.kit.theme.tokens.agent_fill
        assert count(picture(one), badge) > 20
        one.opened.focus.overlay.set(not one.opened.focus.overlay.value)
        await one.settle()
        assert not one.view.corner.overlay.isChecked()
        assert count(picture(one), badge) == 0
        assert len(one.view.stage.scene.lanes) == 2
        one.view.corner.overlay.click()
        assert one.opened.focus.overlay.value

    told(story, song=SONG)


def test_keyboard_reaches_ghosts_of_new_tracks(told: Run) -> None:
    async def story(one) -> None:
        await one.plan(AMBIENT)
        one.view.setFocus()
        seen = set()
        for _ in range(len(one.view.stage.scene.lanes) + 1):
            QTest.keyClick(one.view, Qt.Key.Key_Down)
            item = one.view.stage.scene.find(one.view.stage.cursor, overlay=True)
            seen.add(item.lane)
        with_ghosts = {n for n, row in enumerate(one.view.stage.scene.lanes) if row.ghosts or row.clips}
        assert seen == with_ghosts

    told(story, song=SONG)


def test_a_lit_step_is_scrolled_into_view(told: Run) -> None:
    async def story(one) -> None:
        await one.plan(AMBIENT)
        one.view.resize(600, 90)
        await one.settle()
        last = one.view.stage.scene.lanes[-1].ghosts[-1]
        assert one.view.verticalScrollBar().value() == 0
        one.opened.focus.step.set(last.cause.step)
        assert one.view.verticalScrollBar().value() > 0

    told(story, song=SONG)


def test_during_a_run_only_what_is_still_to_come_is_a_ghost(told: Run) -> None:
    async def story(one) -> None:
        await one.plan(AMBIENT)
        counts = []
        one.opened.running.live.watch(
            lambda live: counts.append(len(one.view.stage.scene.ghosts.clips)) if live and live.running else None
        )
        one.view.stage.outdated()
        review = one.opened.reviewing.proposal.value.judged
        await one.opened.asking.approving.run(review.plan.hash)
        assert counts[0] > 0
        assert counts == sorted(counts, reverse=True)
        assert one.view.stage.scene.ghosts.clips == ()
        assert len(one.view.stage.scene.lanes) == len(one.song.tracks)

    told(story, song=SONG)


def test_names_are_plain_text_and_strange_songs_are_drawn(told: Run) -> None:
    wild = Song(
        "Wild",
        tempos=(TempoChange(Ticks(0), 120.0), TempoChange(Ticks(5000), 61.5)),
        meters=(MeterChange(Ticks(0)), MeterChange(Ticks(5000), 7, 8), MeterChange(Ticks(9000), 1, 32)),
        tracks=tuple(
            Track(TrackId(f"t{n}"), "<img src=file:///x>\n" * (n % 3 + 1) or "x", "no such instrument",
                  clips=(Clip(ClipId(f"c{n}"), "<b>x</b>\u202e" * 9, Ticks(n * 10**6), Ticks(240 + n * 10**5), notes(1)
                              if n else ()),))
            for n in range(256)
        ),
    )

    async def story(one) -> None:
        one.view.zoom_song()
        picture(one)
        for _ in range(60):
            one.view.do("zoom in")
        one.view.verticalScrollBar().setValue(one.view.verticalScrollBar().maximum())
        one.view.horizontalScrollBar().setValue(one.view.horizontalScrollBar().maximum())
        image = picture(one)
        assert image.width() == one.view.width()
        tip = words_at(one.view.stage, one.view.stage.scene.lanes[0], 60, 8)
        assert "<img" not in tip
        one.view.do("select all")
        assert len(one.opened.focus.clips.value) == 256

    told(story, song=wild)


def test_an_empty_song_says_what_to_do(told: Run) -> None:
    async def story(one) -> None:
        text = one.kit.theme.tokens.t3
        assert count(picture(one), text) > 5
        for action in ("delete", "duplicate", "split", "rename", "zoom song", "delete track", "loop", "mute", "solo"):
            one.view.do(action)
        one.view.song_actions.nudge(1)
        await one.settle()
        assert one.opened.versions.iterations.value == ()
        assert one.troubles == []

    told(story)


def test_the_timer_runs_only_while_something_plays_and_the_view_follows(told: Run) -> None:
    async def story(one) -> None:
        from msgspec.structs import replace
        frames, playback = one.view.frames, one.opened.playback
        assert not frames.isActive()
        one.view.navigator.zoom(60, 0)
        playback.state.set(replace(playback.state.value, playing=True))
        assert frames.isActive()
        playback._at = Ticks(6 * BAR)
        one.view.frame()
        assert 0 <= one.view.stage.axis.x(6 * BAR) <= one.view.viewport().width()
        one.opened.focus.follow.set(False)
        playback._at = Ticks(0)
        one.view.frame()
        assert one.view.stage.axis.x(0) < 0
        playback.state.set(replace(playback.state.value, playing=False))
        await one.settle(lambda: not frames.isActive())
        assert not frames.isActive()

    told(story, song=SONG)


def test_both_themes_draw_and_a_closed_view_hears_nothing_more(told: Run) -> None:
    async def story(one) -> None:
        await one.plan(AMBIENT)
        canvases = []
        for choice in ("dark", "light"):
            one.kit.theme.choose(choice)
            await one.settle()
            canvases.append(count(picture(one), one.kit.theme.tokens.canvas))
        one.kit.theme.choose("dark")
        assert min(canvases) > 1000
        one.view.close_view()
        scene = one.view.stage.scene
        await one.opened.edit((SetTimeSignature(beats=3, unit=4),), "meter")
        assert one.view.stage.scene is scene
        one.view.stage.kit.theme.changed.connect(one.view._themed)
        await one.settle(lambda: not one.opened.reviewing.pending.value)

    told(story, song=SONG)


def different(a: QImage, b: QImage) -> list[tuple[int, int]]:
    return [(x, y) for x in range(a.width()) for y in range(a.height()) if a.pixel(x, y) != b.pixel(x, y)]


def test_a_strip_that_is_painted_again_looks_as_it_did(told: Run) -> None:
    """The playhead has only its own strip painted again, many times a second."""

    async def story(one) -> None:
        await one.plan(AMBIENT)
        whole = one.view.viewport().grab().toImage()
        strips = whole.copy()
        for x in (3, 14, 30, 200):
            one.view.viewport().render(strips, QPoint(x, 0), QRegion(x, 0, 9, whole.height()))
        assert different(strips, whole) == []

    told(story, song=SONG)
