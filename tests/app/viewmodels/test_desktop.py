"""The desktop: one project open at any time, others at hand, and a clean end."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import mido
import pytest
from studios import approved, crashed, paths_in, tracks

from agent.song.edits import SetTempo
from app.bootstrap import open_studio
from app.exchange.errors import ExchangeError
from app.services.playing import PlaybackEngine
from app.storage.errors import Gone
from app.studio.errors import StudioError
from app.viewmodels.desktop import Desktop
from app.viewmodels.texts.troubles import ErrorReporter, Trouble
from app.viewmodels.transport.playback import Playback


class Told(list[Trouble]):
    """What a person was told, and how often the desktop ended."""

    ends = 0


def at_desktop(home: Path, story: Callable[[Desktop, Told], Awaitable[None]]) -> None:
    """Run a story at a desktop over a home; it is closed at the end, and again, which does nothing."""

    async def run() -> None:
        studio = open_studio(paths_in(home))
        troubles, told = ErrorReporter(studio.paths), Told()
        troubles.told.listen(told.append)
        engine = PlaybackEngine(home / "cache", studio.palette, ahead=False)

        def end() -> None:
            told.ends += 1
            engine.close()

        desktop = Desktop(studio, lambda: Playback(engine, troubles), troubles, end)
        await desktop.begin()
        try:
            await story(desktop, told)
        finally:
            await desktop.close()
            await desktop.close()
        assert told.ends == 1
        assert desktop.opened.value is None

    asyncio.run(run())


def midi(path: Path) -> Path:
    """A MIDI file of one note."""
    file = mido.MidiFile()
    file.tracks.append(mido.MidiTrack([
        mido.Message("note_on", note=60, velocity=80), mido.Message("note_off", note=60, time=480),
    ]))
    file.save(path)
    return path


def test_it_begins_with_a_draft_that_is_stored_with_its_first_change(tmp_path: Path) -> None:
    async def story(desktop: Desktop, _: Told) -> None:
        opened = desktop.opened.value
        assert opened is not None
        assert opened.workspace.draft
        assert not await desktop.studio.projects.all()
        await opened.edit((SetTempo(bpm=90),), "Tempo 90 BPM")
        assert [one.id for one in await desktop.studio.projects.all()] == [opened.workspace.project]

    at_desktop(tmp_path, story)


def test_a_run_that_was_left_in_the_middle_is_there_at_the_next_start(tmp_path: Path) -> None:
    async def leave() -> None:
        studio = open_studio(paths_in(tmp_path))
        project = await studio.projects.create("Night Ferry")
        await crashed(studio, await approved(studio, project, tracks(3)), 1)
        await studio.close()

    async def again(desktop: Desktop, _: Told) -> None:
        opened = desktop.opened.value
        assert opened is not None
        assert opened.workspace.name == "Night Ferry"
        left = opened.running.unfinished.value
        assert left is not None
        await opened.running.resume(left.record.id)

    async def third(desktop: Desktop, _: Told) -> None:
        assert desktop.opened.value is not None
        assert desktop.opened.value.workspace.draft

    asyncio.run(leave())
    at_desktop(tmp_path, again)
    at_desktop(tmp_path, third)


def test_a_project_that_is_not_there_leaves_the_open_one(tmp_path: Path) -> None:
    async def story(desktop: Desktop, _: Told) -> None:
        before = desktop.opened.value
        with pytest.raises(StudioError, match="no project"):
            await desktop.open("No such song")
        assert desktop.opened.value is before

    at_desktop(tmp_path, story)


def test_a_file_that_cannot_be_read_leaves_the_open_one(tmp_path: Path) -> None:
    async def story(desktop: Desktop, _: Told) -> None:
        before = desktop.opened.value
        broken = tmp_path / "broken.mid"
        broken.write_bytes(b"MThd")
        with pytest.raises(ExchangeError):
            await desktop.bring_in(broken)
        assert desktop.opened.value is before
        assert not await desktop.studio.projects.all()

    at_desktop(tmp_path / "home", story)


def test_a_file_is_always_opened_as_a_new_song(tmp_path: Path) -> None:
    async def story(desktop: Desktop, _: Told) -> None:
        project = await desktop.studio.projects.create("Mine")
        opened = await desktop.open(project.id)
        await desktop.bring_in(midi(tmp_path / "one.mid"))
        assert desktop.opened.value is not opened
        assert desktop.opened.value is not None
        assert desktop.opened.value.workspace.song.note_count == 1
        assert [one.name for one in await desktop.studio.projects.all()] == ["Mine", "one"]
        assert not (await desktop.open("Mine")).workspace.song.tracks

    at_desktop(tmp_path / "home", story)


def test_a_file_is_added_to_the_open_song_as_one_version(tmp_path: Path) -> None:
    async def story(desktop: Desktop, _: Told) -> None:
        opened = await desktop.open((await desktop.studio.projects.create("Mine")).id)
        file = midi(tmp_path / "one.mid")
        await desktop.add_file(file)
        [track] = opened.workspace.song.tracks
        await opened.edit((SetTempo(bpm=77),), "tempo")
        await desktop.add_file(file)
        assert desktop.opened.value is opened
        first, second = opened.workspace.song.tracks
        assert (first, second.id != first.id, second.clips[0].notes[0].pitch) == (
            track, True, track.clips[0].notes[0].pitch
        )
        assert opened.workspace.song.tempos[0].bpm == 77
        await opened.versions.undo()
        assert opened.workspace.song.tracks == (track,)

    at_desktop(tmp_path / "home", story)


def test_recents_are_newest_first_and_pass_over_damaged_ones(tmp_path: Path) -> None:
    async def story(desktop: Desktop, _: Told) -> None:
        for name in ("One", "Two", "Three"):
            await desktop.studio.projects.create(name)
            opened = await desktop.open(name)
            await opened.edit((SetTempo(bpm=60 + len(name)),), "tempo")
        assert [one.project.name for one in await desktop.recents()] == ["Three", "Two", "One"]
        root = (await desktop.studio.projects.find("Two")).working
        await desktop.studio.store.write(lambda transaction: transaction.exec_driver_sql(
            "UPDATE object SET bytes = x'00' WHERE hash = ?", (root,)
        ))

    async def again(desktop: Desktop, _: Told) -> None:
        assert [one.project.name for one in await desktop.recents()] == ["Three", "One"]

    at_desktop(tmp_path, story)
    at_desktop(tmp_path, again)


def test_settings_are_kept_and_are_the_windows_own(tmp_path: Path) -> None:
    async def keep(desktop: Desktop, _: Told) -> None:
        assert await desktop.setting("theme") is None
        await desktop.set("theme", "light")

    async def read(desktop: Desktop, _: Told) -> None:
        assert await desktop.setting("theme") == "light"

    at_desktop(tmp_path, keep)
    at_desktop(tmp_path, read)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps an open file where it is")
def test_data_that_is_gone_is_told_once_and_no_edit_passes_for_saved(tmp_path: Path) -> None:
    home = tmp_path / "home"

    async def story(desktop: Desktop, told: Told) -> None:
        opened = desktop.opened.value
        assert opened is not None
        home.rename(tmp_path / "elsewhere")
        while not told:
            await asyncio.sleep(0.05)
        with pytest.raises(Gone):
            await opened.edit((SetTempo(bpm=99),), "Tempo")
        await asyncio.sleep(1.2)
        assert [one.what.endswith("is gone") for one in told] == [True]
        (tmp_path / "elsewhere").rename(home)
        await opened.edit((SetTempo(bpm=98),), "Tempo")

    at_desktop(home, story)
