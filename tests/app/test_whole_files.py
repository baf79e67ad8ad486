"""A file that is written is whole, or as it was before."""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO

import pytest

from app.atomic_write import write_whole


def test_a_file_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "song.mid"
    for content in (b"first", b"second"):
        write_whole(path, lambda file, content=content: file.write(content))  # type: ignore[misc]
        assert path.read_bytes() == content
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("fault", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_what_cannot_be_finished_leaves_nothing_behind(tmp_path: Path, fault: BaseException) -> None:
    path = tmp_path / "song.mid"
    path.write_bytes(b"old")

    def fill(file: IO[bytes]) -> None:
        file.write(b"half of it")
        raise fault

    with pytest.raises(type(fault)):
        write_whole(path, fill)
    assert [(file.name, file.read_bytes()) for file in tmp_path.iterdir()] == [("song.mid", b"old")]


def test_what_is_no_file_is_never_replaced(tmp_path: Path) -> None:
    pipe, folder = tmp_path / "song.mid", tmp_path / "folder.mid"
    os.mkfifo(pipe)
    folder.mkdir()
    for path in (pipe, folder):
        with pytest.raises(OSError, match="is not a file"):
            write_whole(path, lambda file: file.write(b"x"))
    assert pipe.is_fifo()
    assert sorted(tmp_path.iterdir()) == [folder, pipe]


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        write_whole(tmp_path / "nowhere" / "song.mid", lambda file: file.write(b"x"))
