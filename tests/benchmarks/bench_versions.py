"""Saving a version against the raw floor and against git: `python tests/benchmarks/bench_versions.py`."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import msgspec
from msgspec.structs import replace
from sqlalchemy import Connection

from agent.song.clip import Clip, Note
from agent.song.ids import ClipId, IterationId, Kind, NoteId, ProjectId, TrackId, derive
from agent.song.song import Song
from agent.song.time import Ticks
from agent.song.track import Track
from app.storage import iterations, leases, projects
from app.storage.database import Database
from app.storage.driver import Synchronous, raw
from app.storage.objects import SongObjects
from app.storage.records import Iteration, Lease

TRACKS, CLIPS, NOTES, CHANGED, ROUNDS = 16, 200, 10_000, 3, 40


def make_song() -> Song:
    """16 tracks, 200 clips, 10,000 notes."""
    per_clip = NOTES // CLIPS
    tracks: list[list[Clip]] = [[] for _ in range(TRACKS)]
    for number in range(CLIPS):
        notes = tuple(
            Note(
                NoteId(derive(Kind.NOTE, number, note)),
                36 + (number * 7 + note * 5) % 60,
                Ticks(note * 240 + (number + note) % 17),
                Ticks(200 + note % 40),
                40 + (number + note * 3) % 80,
            )
            for note in range(per_clip)
        )
        track = tracks[number % TRACKS]
        start = Ticks(len(track) * 240 * per_clip)
        track.append(Clip(ClipId(derive(Kind.CLIP, number)), f"Clip {number}", start, Ticks(13_000), notes))
    return Song(
        tracks=tuple(
            Track(TrackId(derive(Kind.TRACK, number)), f"Track {number}", "pad_warm", clips=tuple(clips))
            for number, clips in enumerate(tracks)
        )
    )


def change(song: Song, number: int) -> tuple[Song, list[Clip]]:
    """The song with three changed clips, and those clips."""
    tracks, changed = list(song.tracks), []
    for offset in range(CHANGED):
        at = (number * CHANGED + offset * 5) % TRACKS
        track = tracks[at]
        place = (number + offset) % len(track.clips)
        clip = track.clips[place]
        notes = tuple(replace(note, velocity=1 + (note.velocity + number) % 126) for note in clip.notes)
        clips = [*track.clips]
        clips[place] = replace(clip, notes=notes)
        tracks[at] = replace(track, clips=tuple(clips))
        changed.append(clips[place])
    return replace(song, tracks=tuple(tracks)), changed


class Store:
    """Our store, as the studio uses it: song, version and head in one transaction."""

    def __init__(self, folder: Path, synchronous: Synchronous, song: Song) -> None:
        self.database = Database.open(folder / f"{synchronous}.db", folder / "backups", synchronous=synchronous)
        self.objects = SongObjects()
        self.project = ProjectId("p1")
        self.head: Iteration | None = None
        self.lease: Lease = self.database.write_now(self._begin)
        self.save(song, 0)
        self.database.expect_writing()
        self._first = self._size()

    def grown(self) -> int:
        """Bytes that the versions after the first have come to on the disk."""
        return self._size() - self._first

    def _size(self) -> int:
        pages, size = (self.database.read_now(partial(_number, name)) for name in ("page_count", "page_size"))
        return pages * size

    def _begin(self, connection: Connection) -> Lease:
        projects.create(connection, self.project, "Bench")
        return leases.acquire(connection, self.project, "bench", 60)

    def save(self, song: Song, number: int) -> None:
        """Store a version."""
        self.head = self.database.write_now(lambda connection: self._save(connection, song, number))

    def _save(self, connection: Connection, song: Song, number: int) -> Iteration:
        before = self.head
        root = self.objects.put(connection, song)
        new = Iteration(
            IterationId(f"i{number}"),
            self.project,
            root,
            "edit",
            "me",
            parent=before.id if before else None,
            message=f"version {number}",
            actions=CHANGED,
        )
        stored = iterations.append(connection, new)
        projects.move(connection, self.lease, before.root if before else None, root, stored.id)
        return stored


def _number(name: str, connection: Connection) -> int:
    return int(raw(connection).execute(f"PRAGMA {name}").fetchone()[0])


class Floor:
    """What no store can beat: the changed clips' bytes appended and synced."""

    def __init__(self, folder: Path) -> None:
        self._file = os.open(folder / "raw", os.O_CREAT | os.O_WRONLY | os.O_APPEND)

    def grown(self) -> int:
        """Bytes that were appended."""
        return os.fstat(self._file).st_size

    def save(self, changed: list[Clip]) -> None:
        """Append and sync."""
        os.write(self._file, b"".join([msgspec.json.encode(clip) for clip in changed]))
        os.fdatasync(self._file)


class Git:
    """The same song as one JSON file, committed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "git"
        self._folder.mkdir()
        self._run("init", "-q")
        self._run("config", "user.email", "bench@localhost")
        self._run("config", "user.name", "bench")

    def save(self, song: Song, number: int) -> None:
        """Write, add and commit."""
        text = msgspec.json.format(msgspec.json.encode(song), indent=1)
        (self._folder / "song.json").write_bytes(text)
        self._run("add", "song.json")
        self._run("commit", "-q", "-m", f"version {number}")

    def _run(self, *arguments: str) -> None:
        subprocess.run(["git", *arguments], cwd=self._folder, check=True, stdout=subprocess.DEVNULL)


def _time(work: Callable[[], None]) -> float:
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1000


def measure(folder: Path, rounds: int = ROUNDS) -> tuple[dict[str, list[float]], float]:
    """Milliseconds of each save, the kinds interleaved and in turning order; and the bytes that versions take in the
    database, as a multiple of the raw ones."""
    song = make_song()
    full, normal = Store(folder, "FULL", song), Store(folder, "NORMAL", song)
    floor, git = Floor(folder), Git(folder)
    git.save(song, 0)
    taken: dict[str, list[float]] = {"raw append + fdatasync": [], "FULL": [], "NORMAL": [], "git commit": []}
    for number in range(1, rounds + 1):
        song, changed = change(song, number)
        kinds: list[tuple[str, Callable[[], None]]] = [
            ("raw append + fdatasync", lambda changed=changed: floor.save(changed)),  # type: ignore[misc]
            ("FULL", lambda song=song, number=number: full.save(song, number)),  # type: ignore[misc]
            ("NORMAL", lambda song=song, number=number: normal.save(song, number)),  # type: ignore[misc]
            ("git commit", lambda song=song, number=number: git.save(song, number)),  # type: ignore[misc]
        ]
        turn = number % len(kinds)
        for name, work in kinds[turn:] + kinds[:turn]:
            taken[name].append(_time(work))
    size = full.grown() / floor.grown()
    for store in (full, normal):
        store.database.close()
    return taken, size


def main() -> None:
    """Print the table; the targets are at most 1.5 times raw, in time and in bytes, and at least 15 times faster than
    git."""
    with tempfile.TemporaryDirectory() as folder:
        taken, size = measure(Path(folder))
    raw = statistics.median(taken["raw append + fdatasync"])
    git = statistics.median(taken["git commit"])
    print(f"saving a version: {TRACKS} tracks, {CLIPS} clips, {NOTES} notes, {CHANGED} clips changed")
    print(f"{'':24} {'median ms':>10} {'p95 ms':>8} {'x raw':>7} {'x faster than git':>18}")
    for name, times in taken.items():
        middle, late = statistics.median(times), statistics.quantiles(times, n=20)[-1]
        print(f"{name:24} {middle:10.2f} {late:8.2f} {middle / raw:7.2f} {git / middle:18.1f}")
    print(f"bytes on the disk: {size:.2f} x raw")


if __name__ == "__main__":
    sys.exit(main())
