"""Doors to files: what they open, what they refuse, and what a failed write leaves."""

from __future__ import annotations

import errno
import os
import shutil
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest

from app.services.files.door import Door, read_whole
from app.services.files.errors import ExistsAlready, FileError, NotThere
from app.services.files.path_door import PathDoor
from app.services.files.places import Grant, Place
from app.services.files.posix_door import PosixDoor

pytestmark = pytest.mark.skipif("sys.platform == 'win32'", reason="needs pipes and links that anyone may make")


@pytest.fixture(params=[PosixDoor, PathDoor])
def door(request: pytest.FixtureRequest) -> Door:
    made: Door = request.param()
    return made


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "allowed"
    (folder / "inner").mkdir(parents=True)
    (folder / "song.txt").write_bytes(b"la la")
    (tmp_path / "secret.txt").write_bytes(b"secret")
    return folder


def at(root: Path, *parts: str) -> Place:
    return Place(Grant(str(root), write=True), parts)


def put(door: Door, place: Place, data: bytes = b"new", *, replace: bool = False) -> int:
    return door.write(place, lambda file: file.write(data), replace=replace)


def test_a_file_is_read_to_its_cap_and_no_further(door: Door, root: Path) -> None:
    assert read_whole(door, at(root, "song.txt"), 5) == b"la la"
    with pytest.raises(FileError, match="too large"):
        read_whole(door, at(root, "song.txt"), 4)


def test_a_file_that_grows_while_it_is_read_is_still_capped(door: Door, root: Path) -> None:
    with door.reading(at(root, "song.txt")) as file:
        (root / "song.txt").write_bytes(b"la" * 100_000)
        assert len(file.read(10)) == 10


def test_links_lead_nowhere(door: Door, root: Path) -> None:
    (root / "file").symlink_to(root.parent / "secret.txt")
    (root / "folder").symlink_to(root.parent)
    (root / "back").symlink_to(root / "inner")
    (root / "lost").symlink_to(root / "nothing")
    for parts in (("file",), ("folder", "secret.txt"), ("back", "song.txt"), ("lost",)):
        with pytest.raises(FileError):
            read_whole(door, at(root, *parts), 100)
    for parts in (("file",), ("folder", "new.txt"), ("back", "new.txt"), ("lost",)):
        with pytest.raises(FileError):
            put(door, at(root, *parts), replace=True)
    with pytest.raises(FileError):
        door.entries(at(root, "folder"))
    assert (root.parent / "secret.txt").read_bytes() == b"secret"
    assert sorted(os.listdir(root.parent)) == ["allowed", "secret.txt"]
    assert os.listdir(root / "inner") == []


def test_an_allowed_folder_that_became_a_link_is_refused(door: Door, root: Path) -> None:
    root.rename(root.parent / "elsewhere")
    root.symlink_to(root.parent / "elsewhere")
    with pytest.raises(FileError, match="link"):
        read_whole(door, at(root, "song.txt"), 100)


def test_what_is_no_file_is_never_opened(door: Door, root: Path) -> None:
    os.mkfifo(root / "pipe")
    for parts in (("pipe",), ("inner",), ()):
        with pytest.raises(FileError):
            read_whole(door, at(root, *parts), 100)
        with pytest.raises(FileError):
            put(door, at(root, *parts), replace=True)
    with pytest.raises(FileError):
        read_whole(door, Place(Grant("/dev"), ("zero",)), 100)
    assert stat.S_ISFIFO((root / "pipe").lstat().st_mode)


def test_what_is_not_there_is_said(door: Door, root: Path) -> None:
    for parts in (("none.txt",), ("none", "song.txt")):
        with pytest.raises(NotThere):
            read_whole(door, at(root, *parts), 100)
    with pytest.raises(NotThere):
        put(door, at(root, "none", "new.txt"))
    assert door.look(at(root, "none.txt")) is None
    with pytest.raises(NotThere):
        door.look(at(root, "none", "song.txt"))


def test_a_new_file_appears_whole_and_an_old_one_only_goes_if_that_is_said(door: Door, root: Path) -> None:
    assert put(door, at(root, "inner", "new.txt")) == 3
    assert (root / "inner" / "new.txt").read_bytes() == b"new"
    with pytest.raises(ExistsAlready):
        put(door, at(root, "song.txt"))
    assert (root / "song.txt").read_bytes() == b"la la"
    assert put(door, at(root, "song.txt"), b"newer", replace=True) == 5
    assert (root / "song.txt").read_bytes() == b"newer"
    assert sorted(os.listdir(root)) == ["inner", "song.txt"]


def test_replacing_leaves_the_other_name_of_a_file_alone(door: Door, root: Path) -> None:
    os.link(root.parent / "secret.txt", root / "twin.txt")
    put(door, at(root, "twin.txt"), b"mine", replace=True)
    assert (root.parent / "secret.txt").read_bytes() == b"secret"


def test_replacing_keeps_the_rights_of_a_private_file(root: Path) -> None:
    (root / "song.txt").chmod(0o600)
    put(PosixDoor(), at(root, "song.txt"), replace=True)
    assert stat.S_IMODE((root / "song.txt").stat().st_mode) == 0o600


def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(door: Door, root: Path) -> None:
    def full(file: IO[bytes]) -> None:
        file.write(b"half")
        raise OSError(errno.ENOSPC, "no space")

    for name, replace in (("song.txt", True), ("new.txt", False)):
        with pytest.raises(FileError, match="disk is full"):
            door.write(at(root, name), full, replace=replace)
    assert (root / "song.txt").read_bytes() == b"la la"
    assert sorted(os.listdir(root)) == ["inner", "song.txt"]


def test_a_name_that_is_taken_while_the_file_is_filled_is_not_overwritten(door: Door, root: Path) -> None:
    def slow(file: IO[bytes]) -> None:
        file.write(b"ours")
        (root / "new.txt").write_bytes(b"theirs")

    with pytest.raises(ExistsAlready):
        door.write(at(root, "new.txt"), slow, replace=False)
    assert (root / "new.txt").read_bytes() == b"theirs"


def test_a_folder_that_is_renamed_while_it_is_written_to_keeps_the_file(root: Path) -> None:
    def swap(file: IO[bytes]) -> None:
        file.write(b"new")
        (root / "inner").rename(root / "moved")
        (root / "inner").symlink_to(root.parent)

    PosixDoor().write(at(root, "inner", "new.txt"), swap, replace=False)
    assert (root / "moved" / "new.txt").read_bytes() == b"new"
    assert not (root.parent / "new.txt").exists()


def test_a_disk_without_hard_links_overwrites_nothing_either(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_links(*_: object, **__: object) -> None:
        raise OSError(errno.EPERM, "no links here")

    monkeypatch.setattr(os, "link", no_links)
    assert put(PosixDoor(), at(root, "new.txt")) == 3
    with pytest.raises(ExistsAlready):
        put(PosixDoor(), at(root, "new.txt"), b"other")
    assert (root / "new.txt").read_bytes() == b"new"


@pytest.mark.parametrize("name", ["a:b", "con", "NUL.txt", "dot.", " lead", "tail ", "q?", "x" * 256, "ü" * 128])
def test_names_that_some_system_cannot_keep_are_not_given(door: Door, root: Path, name: str) -> None:
    with pytest.raises(FileError):
        put(door, at(root, name))
    assert sorted(os.listdir(root)) == ["inner", "song.txt"]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    if os.geteuid() != 0 or shutil.which("mount") is None:
        pytest.skip("only root may mount a small disk")
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", str(disk)], capture_output=True).returncode:
        pytest.skip("no small disk can be mounted here")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


def test_a_full_disk_leaves_the_old_file(door: Door, small_disk: Path) -> None:
    put(door, at(small_disk, "song.txt"), b"old")
    for replace, name in ((True, "song.txt"), (False, "new.txt")):
        with pytest.raises(FileError, match="disk is full"):
            put(door, at(small_disk, name), b"x" * 100_000, replace=replace)
    assert (small_disk / "song.txt").read_bytes() == b"old"
    assert os.listdir(small_disk) == ["song.txt"]
    put(door, at(small_disk, "song.txt"), b"there is room again", replace=True)
