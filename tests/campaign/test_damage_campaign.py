"""A database in which a bit was changed, or whose end was lost: what is read is right, or it is said that it is not."""

from __future__ import annotations

import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from campaign_plans import long_steps
from killing import Killing, dice

from agent.errors import BandleaderError
from agent.song.revision import song_revision
from app.storage import iterations
from app.storage.database import Database, Transaction
from app.storage.objects import SongObjects

FLIPS = 300
CUTS = 50


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    killing = Killing(tmp_path_factory.mktemp("damage"), long_steps())
    at = killing.home()
    assert killing.do(at, *killing.run_words()).status == 0
    return at.home


def flipped(data: bytearray, at: float) -> bytearray:
    place = int(at * len(data) * 8)
    data[place // 8] ^= 1 << place % 8
    return data


def cut(data: bytearray, at: float) -> bytearray:
    return data[: int(at * len(data))]


@pytest.mark.parametrize(("harm", "times"), [(flipped, FLIPS), (cut, CUTS)], ids=["flipped bits", "lost ends"])
def test_changed_songs_are_never_shown_as_if_they_were_whole(
    home: Path, tmp_path: Path, harm: Callable[[bytearray, float], bytearray], times: int, figures: Callable[..., None]
) -> None:
    whole = (home / "bandleader.db").read_bytes()
    ends: Counter[str] = Counter()
    faults = []
    shutil.copytree(home / "backups", tmp_path / "backups")
    chance, file = dice(5), tmp_path / "bandleader.db"
    for number in range(times):
        file.write_bytes(harm(bytearray(whole), chance.random()))
        end = read_all(file, tmp_path / "backups")
        ends[end if end != "all songs right" else beside(file, home / "bandleader.db")] += 1
        if end not in ("told", "all songs right"):
            faults.append(f"{number}: {end}")
        for other in tmp_path.glob("bandleader.db-*"):
            other.unlink()
    figures(f"a database with {harm.__name__} data", files=times, **ends)
    assert faults == []


def beside(file: Path, whole: Path) -> str:
    """Which table, beside the songs, holds something else now."""
    with closing(sqlite3.connect(file)) as one, closing(sqlite3.connect(whole)) as other:
        for connection in (one, other):
            connection.text_factory = bytes
        names = [name.decode() for (name,) in other.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for name in names:
            rows = f'SELECT * FROM "{name}"'
            if sorted(one.execute(rows), key=repr) != sorted(other.execute(rows), key=repr):
                return f"all songs right and another row of {name}"
    return "nothing changed that is read"


def read_all(file: Path, backups: Path) -> str:
    """How reading every version ends."""
    try:
        database = Database.open(file, backups)
    except BandleaderError as error:
        return "told" if error.fix else "told without advice"
    try:
        return database.read_now(_every_song)
    except BandleaderError as error:
        return "told" if str(error) else "told without a word"
    finally:
        database.close()


def _every_song(transaction: Transaction) -> str:
    objects, told = SongObjects(), False
    for (project, root) in transaction.exec_driver_sql("SELECT project, root FROM iteration").fetchall():
        found = iterations.history(transaction, project)
        told = told or bool(found.damaged)
        if song_revision(objects.load(transaction, root)) != root:
            return "a changed song was shown"
    return "told" if told else "all songs right"
