"""kill -9 while versions are written: none half stored, none lost that was reported as stored."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from agent.song.ids import ProjectId
from app.storage import iterations, messages, projects
from app.storage.database import Database
from app.storage.objects import SongObjects

PROJECT = ProjectId("pone")
KILLS = 15
WRITER = Path(__file__).with_name("writer_that_dies.py")


@pytest.mark.slow
def test_a_killed_writer_leaves_whole_versions_only(tmp_path: Path) -> None:
    dice, told = random.Random(4), 0
    for _ in range(KILLS):
        child = subprocess.Popen([sys.executable, WRITER, tmp_path], stdout=subprocess.PIPE, text=True)
        assert child.stdout
        assert child.stdout.readline() == "ready\n"
        stored = [child.stdout.readline() for _ in range(dice.randrange(4))]
        time.sleep(dice.random() * 0.03)
        child.kill()
        lines = (*stored, *child.stdout.read().split("\n"))
        told = max([told, *(int(line) for line in lines if line.strip().isdigit())])
        child.wait()
        check(tmp_path, told)
    assert told > KILLS


def check(folder: Path, told: int) -> None:
    database = Database.open(folder / "b.db", folder / "backups")
    found = database.read_now(lambda c: iterations.history(c, PROJECT))
    project = database.read_now(lambda c: projects.find(c, PROJECT))
    said = database.read_now(lambda c: messages.all_of(c, PROJECT, 10_000))
    assert found.damaged == ()
    if project is None:  # killed before the first version
        assert (told, list(found.iterations), list(said)) == (0, [], [])
        database.close()
        return
    assert [one.number for one in found.iterations] == list(range(len(found.iterations), 0, -1))
    assert len(found.iterations) >= told
    assert [message.text for message in said] == [one.message for one in reversed(found.iterations)]
    if found.iterations:
        newest = found.iterations[0]
        assert (project.head, project.working) == (newest.id, newest.root)
    objects = SongObjects()
    for one in found.iterations[:20]:
        song = database.read_now(lambda c, root=one.root: objects.load(c, root))
        assert song.name == one.message
    database.close()
