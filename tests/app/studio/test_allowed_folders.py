"""Allowing folders: stored by project, and never more than a person means to share."""

from __future__ import annotations

from pathlib import Path

import pytest
from awaiting import awaited

from app.paths import Paths
from app.services.files.places import Grant
from app.studio.errors import StudioError
from app.studio.studio import Studio


@pytest.fixture
def music(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with music in it."""
    home = tmp_path / "person"
    for name in ("Music/MIDI", ".ssh", ".config/program", "Documents"):
        (home / name).mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    return home / "Music"


@awaited
async def test_a_folder_is_allowed_for_one_project_until_it_is_forgotten(studio: Studio, music: Path) -> None:
    one, two = await studio.projects.create("One"), await studio.projects.create("Two")
    made = await studio.folders.allow(one, "~/Music")
    assert (made.path, made.access) == (str(music), "read")
    assert await studio.folders.allow(one, music / "MIDI" / "..", "write") != made
    [kept] = (await studio.folders.of(one)).allowed
    assert (kept.path, kept.access) == (str(music), "write")
    assert (await studio.folders.of(two)).allowed == ()
    assert studio.folders.allowed(one.id).folders == (Grant(str(music), write=True),)
    music.rename(music.parent / "Gone")
    assert await studio.folders.forget(one, "~/Music") == str(music)
    assert studio.folders.allowed(one.id).folders == ()
    with pytest.raises(StudioError, match="not allowed"):
        await studio.folders.forget(one, music)


@awaited
async def test_the_export_folder_can_always_be_written_to(studio: Studio, paths: Paths) -> None:
    one = await studio.projects.create("One: more/less")
    home = studio.folders.allowed(one.id).home
    assert home == Grant(str(paths.exports / "One- more-less"), write=True)
    assert (await studio.folders.of(one)).exports == home.path
    assert not paths.exports.exists()


@awaited
async def test_what_holds_too_much_is_not_shared(studio: Studio, music: Path, paths: Paths) -> None:
    one = await studio.projects.create("One")
    (music / "file.mid").touch()
    (music / "link").symlink_to(music.parent / ".ssh")
    refused = {
        "/": "whole disk", str(music.parent): "home folder", str(music.parent.parent): "home folder is in it",
        str(music.parent / ".ssh"): "keys", "~/.config/program": "keys", str(music / "link"): "keys",
        str(paths.data): "own data", str(paths.backups): "own data", str(paths.data.parent): "",
        "/proc/self": "operating system", str(music / "none"): "no such folder",
        str(music / "file.mid"): "not a folder",
        "a\0b": "",
    }  # fmt: skip
    for path, why in refused.items():
        with pytest.raises(StudioError) as refusal:
            await studio.folders.allow(one, path)
        assert why in refusal.value.why, path
        assert refusal.value.advice, path
        with pytest.raises(StudioError):
            await studio.library.add(path)
    assert (await studio.folders.of(one)).allowed == ()


@awaited
async def test_a_link_is_stored_as_where_it_leads(studio: Studio, music: Path) -> None:
    one = await studio.projects.create("One")
    (music / "short").symlink_to(music / "MIDI")
    assert (await studio.folders.allow(one, music / "short")).path == str(music / "MIDI")
    assert await studio.folders.forget(one, music / "short") == str(music / "MIDI")


@awaited
async def test_folders_of_the_library_may_be_read_by_every_project(studio: Studio, music: Path) -> None:
    one = await studio.projects.create("One")
    await studio.library.add(music)
    assert Grant(str(music)) in studio.folders.allowed(one.id).folders
    assert (await studio.folders.of(one)).library == (str(music),)
    await studio.library.forget(music)
    assert studio.folders.allowed(one.id).folders == ()
