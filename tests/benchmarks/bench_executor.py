"""What the executor costs per step beside one raw fsync: `python tests/benchmarks/bench_executor.py`.

A plan of cheap song edits runs through the real desk on a real database, in NORMAL and in FULL, while raw
4 KiB appends with fdatasync are measured in turn on the same disk. The last rows tell where the time goes.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from agent.plan.decision import Approval
from agent.plan.document import Plan
from agent.plan.plan import Step
from agent.services.registry import Registry
from agent.services.song_service import SongService
from agent.session.cancellation import Cancellation
from agent.session.events import Event
from agent.session.executor import Executor
from agent.session.ports import Report
from agent.song import edits as e
from agent.song.apply import apply_all
from agent.song.ids import ClipId, NoteId, TrackId
from agent.song.song import Song
from agent.song.time import Ticks
from app.paths import find_paths
from app.services.library_files import read_palette
from app.storage.database import Database, Synchronous
from app.storage.objects import SongObjects
from app.storage.presence import Presence
from app.studio.desk import Desk
from app.studio.history import History
from app.studio.observable import Observable
from app.studio.projects import Projects
from app.studio.runs import Runs
from app.studio.store import Store
from app.studio.workspace import Workspace

STEPS, TRACKS, ROUNDS = 1000, 8, 5
BLOCK = b"x" * 4096


def the_song(name: str) -> Song:
    """Eight tracks with a clip of 64 notes each."""
    notes = [e.NoteSpec(60, Ticks(i * 240), Ticks(240), 90, NoteId(f"n{i}")) for i in range(64)]
    made: list[e.Edit] = []
    for number in range(TRACKS):
        track = TrackId(f"t{number}")
        made.append(e.CreateTrack(track_id=track, name=f"Track {number}", instrument="pad_warm"))
        made.append(e.CreateMidiClip(
            clip_id=ClipId(f"c{number}"), track_id=track, start_time=Ticks(0), duration=Ticks(64 * 240),
            notes=tuple(notes),
        ))
    return apply_all(Song(name=name), made)


def the_steps() -> tuple[Step, ...]:
    """A thousand changes of a volume: about the least that an edit can be."""
    return tuple(
        Step(f"s{n}", "update_track", {"track_id": f"t{n % TRACKS}", "volume_db": -(n % 600) / 10 - 0.05})
        for n in range(STEPS)
    )


class Memory:
    """Ports that keep nothing: what is left is the executor itself and the edit."""

    def __init__(self, song: Song) -> None:
        self.song = song

    async def note(self, report: Report) -> None:
        """Nothing."""

    async def settled(self) -> None:
        """All is kept at once."""

    def tell(self, event: Event) -> None:
        """Nothing."""

    async def commit(self, edits: Sequence[e.Edit], report: Report) -> None:
        """The edit."""
        self.song = apply_all(self.song, edits)


class Bench:
    """A project on a database of its own."""

    def __init__(self, folder: Path, synchronous: Synchronous, registry: Registry) -> None:
        home = folder / synchronous
        database = Database.open(home / "b.db", home / "backups", synchronous=synchronous)
        self.store = Store(database, SongObjects(), Presence.begin(home / "running"))
        self.runs = Runs(self.store, None, History(self.store))  # type: ignore[arg-type]
        self.registry = registry
        self._number = 0

    async def run(self, steps: tuple[Step, ...]) -> float:
        """Seconds for one run of all steps, without what comes before and after them."""
        self._number += 1
        project = await Projects(self.store).create(f"bench {self._number}")
        workspace = await Workspace.open(self.store, project)
        await workspace.replace(the_song("bench"), "import", "start")
        plan = Plan(steps, project.id, workspace.revision, hash="0" * 64)
        approval = Approval(plan.hash, workspace.revision, "person", "")
        project = replace(project, working=workspace.revision, head=workspace.head)
        run = await self.runs.start(plan, approval, project)
        cancellation = Cancellation()
        async with Desk(self.store, workspace, run, Observable(), cancellation) as desk:
            executor = Executor(run, plan, plan.hash, self.registry, desk, desk, cancellation, {})
            began = time.perf_counter()
            reports = await executor.execute()
            seconds = time.perf_counter() - began
        assert all(report.state == "done" for report in reports)
        return seconds

    def hops(self, count: int) -> float:
        """Seconds for so many empty transactions in turn: the way to the database's thread and back."""

        async def there_and_back() -> float:
            began = time.perf_counter()
            for _ in range(count):
                await self.store.read(lambda _: None)
            return time.perf_counter() - began

        return asyncio.run(there_and_back())


async def in_memory(steps: tuple[Step, ...], registry: Registry) -> float:
    """Seconds for a run that stores nothing."""
    memory = Memory(the_song("bench"))
    executor = Executor("r", Plan(steps), "0" * 64, registry, memory, memory, Cancellation(), {})
    began = time.perf_counter()
    await executor.execute()
    return time.perf_counter() - began


def raw_syncs(folder: Path, count: int) -> float:
    """Seconds for so many appends of 4 KiB, each followed by fdatasync."""
    file = os.open(folder / "raw", os.O_CREAT | os.O_WRONLY | os.O_APPEND)
    began = time.perf_counter()
    for _ in range(count):
        os.write(file, BLOCK)
        os.fdatasync(file)
    seconds = time.perf_counter() - began
    os.close(file)
    return seconds


def measure(folder: Path) -> dict[str, list[float]]:
    """Microseconds per step of each kind, in interleaved rounds of turning order."""
    registry = Registry((SongService(read_palette(find_paths().resources)),))
    steps = the_steps()
    normal, full = Bench(folder, "NORMAL", registry), Bench(folder, "FULL", registry)
    kinds = {
        "one raw fsync (4 KiB append + fdatasync)": lambda: raw_syncs(folder, 300) / 300,
        "step, FULL": lambda: asyncio.run(full.run(steps)) / STEPS,
        "step, NORMAL": lambda: asyncio.run(normal.run(steps)) / STEPS,
        "  of it: executor and edit, nothing stored": lambda: asyncio.run(in_memory(steps, registry)) / STEPS,
        "  of it: an empty transaction on its thread": lambda: normal.hops(1000) / 1000,
    }
    taken: dict[str, list[float]] = {name: [] for name in kinds}
    for turn in range(ROUNDS):
        names = list(kinds)
        for name in names[turn % len(names) :] + names[: turn % len(names)]:
            taken[name].append(kinds[name]() * 1e6)
    for bench in (normal, full):
        bench.store.database.close()
    return taken


def main() -> None:
    """Print the table; the targets are at most 100 µs in NORMAL and 1.5 fsyncs in FULL."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder:
        taken = measure(Path(folder))
    sync = statistics.median(taken["one raw fsync (4 KiB append + fdatasync)"])
    print(f"a run of {STEPS} cheap song edits, state stored per step; median of {ROUNDS} rounds")
    print(f"{'':46} {'µs':>8} {'worst':>8} {'x fsync':>8}")
    for name, times in taken.items():
        middle = statistics.median(times)
        print(f"{name:46} {middle:8.0f} {max(times):8.0f} {middle / sync:8.2f}")


if __name__ == "__main__":
    sys.exit(main())
