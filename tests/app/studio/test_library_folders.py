"""The library over real folders, stored: scanned, searched, tagged, forgotten."""

from __future__ import annotations

import os
import shutil
import threading
from pathlib import Path

import pytest
from awaiting import awaited
from collections_of_files import a_collection, midi_file

from app.services.library.library_service import QueryLibrary
from app.storage import library_index
from app.studio.errors import StudioError
from app.studio.studio import Studio


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    a_collection(tmp_path / "Mine")
    return tmp_path / "Mine"


async def found(studio: Studio, **wanted: object) -> list[str]:
    """Names of the files that fit."""
    items = (await studio.library.find(QueryLibrary(**wanted))).items  # type: ignore[arg-type]
    return [item.name for item in items if item.kind in ("midi", "sample")]


@awaited
async def test_a_folder_is_looked_through_in_a_thread_and_searched(studio: Studio, mine: Path) -> None:
    threads: set[str] = set()
    await studio.library.add(mine)
    assert await found(studio) == []
    done = await studio.library.scan(progress=lambda _share, _what: threads.add(threading.current_thread().name))
    assert threading.current_thread().name not in threads
    assert [(scan.files, scan.read) for scan in done.folders] == [(6, 6)]
    assert [Path(fault.path).name for fault in done.faults] == ["broken.mid"]
    assert await found(studio, key="A minor") == ["Night riff.mid"]
    assert await found(studio, tempo_from=90.0, tempo_to=125.0) == ["Night riff.mid", "Kick_loop_120bpm_F#min.wav"]
    assert sorted(await found(studio, text="drums")) == ["Kick_loop_120bpm_F#min.wav", "Slow beat.mid"]
    [state] = await studio.library.folders()
    assert (state.midi, state.samples, state.faults) == (3, 2, 1)
    assert state.indexed is not None


@awaited
async def test_own_tags_stay_when_a_file_is_read_anew(studio: Studio, mine: Path) -> None:
    await studio.library.add(mine)
    await studio.library.scan()
    riff = mine / "Bass" / "Night riff.mid"
    assert await studio.library.tag(riff, "  For  The\nchorus ", "GOOD") == ("for the chorus", "good")
    assert await studio.library.tag(riff, "good") == ("for the chorus", "good")
    midi_file(riff, bpm=50)
    os.utime(riff, ns=(5, 5))
    assert (await studio.library.scan()).folders[0].read == 1
    assert await found(studio, tags=("good", "bass")) == ["Night riff.mid"]
    assert await studio.library.untag(riff, "good", "bass") == ("for the chorus",)
    assert await found(studio, tags=("good",)) == []
    assert await found(studio, tags=("bass",)) == ["Night riff.mid"]
    for path, tag in ((riff, " \n"), (mine / "none.mid", "good")):
        with pytest.raises(StudioError):
            await studio.library.tag(path, tag)


@awaited
async def test_what_vanished_is_dropped_but_not_with_the_whole_disk(studio: Studio, mine: Path) -> None:
    await studio.library.add(mine)
    await studio.library.scan()
    shutil.rmtree(mine / "Drums")
    assert len((await studio.library.scan()).folders[0].gone) == 2
    assert len(await found(studio)) == 3
    mine.rename(mine.parent / "Unplugged")
    done = await studio.library.scan()
    assert [trouble.path for trouble in done.troubles] == [str(mine)]
    assert len(await found(studio)) == 3


@awaited
async def test_a_scan_that_is_stopped_goes_on_the_next_time(studio: Studio, mine: Path) -> None:
    await studio.library.add(mine)
    seen: list[str] = []
    stopped = await studio.library.scan(
        progress=lambda _share, what: seen.append(what), cancelled=lambda: len(seen) >= 2
    )
    assert stopped.stopped
    assert (await studio.library.folders())[0].indexed is None
    assert (await studio.library.scan()).folders[0].read == 4
    assert len(await found(studio)) == 5


@awaited
async def test_folders_within_one_another_are_refused(studio: Studio, mine: Path) -> None:
    await studio.library.add(mine / "Drums")
    for other in (mine, mine / "Drums" / "Rock"):
        other.mkdir(exist_ok=True)
        with pytest.raises(StudioError, match="cannot be added"):
            await studio.library.add(other)
    assert (await studio.library.add(mine / "Drums")).path == str(mine / "Drums")
    await studio.library.add(mine / "Bass")
    assert len(await studio.library.folders()) == 2


@awaited
async def test_a_forgotten_folder_is_gone_from_the_index_and_not_from_the_disk(studio: Studio, mine: Path) -> None:
    await studio.library.add(mine)
    await studio.library.scan()
    riff = mine / "Bass" / "Night riff.mid"
    await studio.library.tag(riff, "good")
    assert await studio.library.forget(mine) == str(mine)
    assert await found(studio) == []
    assert riff.exists()
    with pytest.raises(StudioError, match="not in the library"):
        await studio.library.forget(mine)
    with pytest.raises(StudioError, match="not in the library"):
        await studio.library.scan(str(mine))
    await studio.library.add(mine)
    await studio.library.scan()
    assert await found(studio, tags=("good",)) == ["Night riff.mid"]


@awaited
async def test_a_folder_that_is_forgotten_during_its_scan_leaves_nothing(studio: Studio, mine: Path) -> None:
    folder = (await studio.library.add(mine)).path
    database = studio.store.database
    seen: list[str] = []

    def forget(_share: float, what: str) -> None:
        seen.append(what)
        if len(seen) == 1:
            database.write_now(lambda connection: library_index.forget_folder(connection, folder))

    await studio.library.scan(progress=forget)
    assert await found(studio) == []
    assert await studio.library.folders() == ()


@awaited
async def test_a_scan_stops_when_the_program_ends(studio: Studio, mine: Path) -> None:
    await studio.library.add(mine)
    seen: list[str] = []

    def end(_share: float, what: str) -> None:
        seen.append(what)
        studio.library.end()

    assert (await studio.library.scan(progress=end)).stopped
    assert len(seen) == 1
