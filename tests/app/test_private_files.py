"""What Bandleader keeps for itself is the user's alone; what a person asked for follows the umask."""

from __future__ import annotations

import asyncio
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from studio_parts import a_song
from studios import approved, paths_in, tracks

from agent.session.cancellation import Cancellation
from app.bootstrap import open_studio
from app.crash import reported
from app.paths import Paths
from app.private_files import close_to_others, make_private_folder
from app.services.mcp_servers.server_log import ServerLog
from app.sound.dry_cache import DryCache
from app.storage.keyring import Keys
from app.studio.archive import close_installation
from app.studio.doctor import Check, examine
from app.ui.shell.looks import Looks
from app.window.first_looks import write_looks

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such rights")


@contextmanager
def umask(mask: int) -> Iterator[None]:
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def rights(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


async def _used(paths: Paths) -> Path:
    """An installation that has stored, run, failed, and written files for a person; returns the export."""
    studio = open_studio(paths, environment={})
    project = await studio.projects.create("One")
    await studio.runs.host.carry_out(await approved(studio, project, tracks(2)), Cancellation())
    studio.store.presence.tell(b"{}")
    assert studio.store.database.path.with_name("bandleader.db-wal").exists()
    _look_at(paths)
    exported = studio.exporter.free_path("One", "song", "mid")
    await studio.exporter.export(a_song(), "mid", exported)
    reported(ValueError("x"), paths.logs)
    log = ServerLog(paths.logs / "mcp-one.log", lambda line: line)
    log.take(b"hello\n")
    log.end()
    write_looks(paths, Looks())
    DryCache(paths.cache).write("ab" * 20, np.zeros((2, 64), dtype=np.float32))
    await studio.close()
    return exported


def _look_at(paths: Paths) -> None:
    for path in sorted(paths.data.rglob("*")):
        if not path.is_relative_to(paths.exports):
            assert rights(path) & 0o077 == 0, f"{path}: {rights(path):o}"


@pytest.mark.parametrize("mask", [0, 0o022, 0o077])
def test_only_the_user_may_read_what_is_stored(tmp_path: Path, mask: int) -> None:
    paths = paths_in(tmp_path / "not" / "there" / "home")
    with umask(mask):
        exported = asyncio.run(_used(paths))
    _look_at(paths)
    assert rights(paths.data) == rights(tmp_path / "not") == 0o700
    names = {path.name.split("-")[0].split(".")[0] for path in paths.data.rglob("*") if path.is_file()}
    assert names >= {"bandleader", "crash", "mcp", "window", "song"}
    assert list(paths.backups.iterdir())
    assert rights(exported) == 0o666 & ~mask
    assert rights(exported.parent) == 0o777 & ~mask


def _opened_up(paths: Paths) -> list[Path]:
    """An installation whose folders and files anyone may change."""
    asyncio.run(open_studio(paths, environment={}).close())
    reported(ValueError("x"), paths.logs)
    places = [paths.data, *paths.data.rglob("*")]
    for place in places:
        place.chmod(0o777 if place.is_dir() else 0o666)
    return places


@pytest.mark.parametrize("chosen", [False, True])
def test_an_installation_that_others_could_read_is_closed_when_it_is_opened(tmp_path: Path, chosen: bool) -> None:
    paths = replace(paths_in(tmp_path / "home"), chosen=chosen)
    places = _opened_up(paths)
    mine = [paths.data / "my songs", paths.data / "notes.txt", paths.styles]
    for place in mine:
        place.touch(0o666) if place.suffix else place.mkdir(0o755)
        place.chmod(0o755)
    asyncio.run(open_studio(paths, environment={}).close())
    for place in places[1:]:
        assert not place.exists() or rights(place) & 0o077 == 0, place
    assert rights(paths.data) == (0o777 if chosen else 0o700), "a folder that a person named is theirs"
    assert [rights(place) for place in mine] == [0o755] * len(mine)


def test_links_and_what_is_not_there_are_left(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.touch()
    other.chmod(0o644)
    (tmp_path / "link").symlink_to(other)
    close_to_others(tmp_path / "link")
    close_to_others(tmp_path / "nothing")
    assert rights(other) == 0o644
    other.unlink()
    with pytest.raises(OSError, match="exists"):
        make_private_folder(tmp_path / "link")


def _privacy(paths: Paths) -> Check:
    [found] = [check for check in examine(paths, Keys(), {}).checks if check.name == "privacy"]
    return found


def test_the_doctor_says_nothing_of_an_installation_that_is_closed(tmp_path: Path) -> None:
    paths = replace(paths_in(tmp_path / "home"), chosen=True)
    assert _privacy(paths).ok
    asyncio.run(open_studio(paths, environment={}).close())
    paths.data.chmod(0o755)
    assert _privacy(paths).ok, "names alone may be seen in a folder that a person chose"


@pytest.mark.parametrize(
    ("place", "mode", "right"), [("", 0o777, "change"), ("bandleader.db", 0o644, "read"), ("backups", 0o750, "read")]
)
def test_the_doctor_tells_what_others_may_do_and_its_advice_helps(
    tmp_path: Path, place: str, mode: int, right: str
) -> None:
    paths = replace(paths_in(tmp_path / "a home"), chosen=True)
    asyncio.run(open_studio(paths, environment={}).close())
    (paths.data / place).chmod(mode)
    check = _privacy(paths)
    assert not check.ok
    assert f"can {right} {paths.data / place}" in check.detail
    assert os.system(check.fix) == 0
    assert _privacy(paths).ok
    assert examine(paths, Keys(), {}).ok


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root may give a file away")
def test_what_belongs_to_another_user_is_told_and_not_touched(tmp_path: Path) -> None:
    paths = paths_in(tmp_path / "home")
    asyncio.run(open_studio(paths, environment={}).close())
    os.chown(paths.backups, 65534, 65534)
    paths.backups.chmod(0o755)
    close_installation(paths)
    assert rights(paths.backups) == 0o755
    check = _privacy(paths)
    assert not check.ok
    assert str(paths.backups) in check.detail
    assert "another user" in check.detail
