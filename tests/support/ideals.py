"""What a run must come to if nothing disturbs it: the song after each commit, the ends of its rows, its files."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import soundfile

from agent.plan.document import Plan
from agent.plan.ledger import StepState
from agent.session.cancellation import Cancellation
from agent.session.events import Event
from agent.session.executor import Executor
from agent.session.ports import Report
from agent.song.apply import apply_all
from agent.song.edits import Edit
from agent.song.revision import ContentHash, song_revision
from agent.song.song import Song
from app.bootstrap import open_studio
from app.paths import Paths, find_paths

Key = tuple[str, int]
"""A row and the place in its fan-out, or -1."""
World = Mapping[str, str]
"""Files by their place below the export folder, each with what stands for its content."""


@dataclass(frozen=True)
class Ideal:
    """What a run must come to: the song's revision after each commit, in order, the end of each row, and its files."""

    start: ContentHash
    commits: tuple[Key, ...]
    revisions: tuple[ContentHash, ...]
    states: Mapping[Key, str]
    world: World
    files: Mapping[Key, str]
    """The file that each row has left."""

    def after(self, commits: int) -> ContentHash:
        """The revision after so many commits."""
        return self.revisions[commits - 1] if commits else self.start


@dataclass
class _Memory:
    """The executor's ports without a store."""

    song: Song
    commits: list[Key] = field(default_factory=list)
    revisions: list[ContentHash] = field(default_factory=list)
    states: dict[Key, str] = field(default_factory=dict)
    files: dict[Key, str] = field(default_factory=dict)

    async def settled(self) -> None:
        """Nothing to wait for."""

    def tell(self, event: Event) -> None:
        """Nobody listens."""

    async def note(self, report: Report) -> None:
        """Keep the states, and the files that were told."""
        for row in report.rows:
            key = (row.step, row.item)
            self.states[key] = row.state.value
            if row.state is StepState.DONE and isinstance(row.result, dict) and "path" in row.result:
                self.files[key] = Path(row.result["path"]).name

    async def commit(self, edits: Sequence[Edit], report: Report) -> None:
        """Keep the song."""
        self.song = apply_all(self.song, edits)
        self.commits.append((report.rows[0].step, report.rows[0].item))
        self.revisions.append(song_revision(self.song))
        await self.note(report)


async def ideal_of(home: Path, plan: Plan) -> Ideal:
    """Carry the plan out with the services of a home, but without storing anything; its files are left there."""
    studio = open_studio(Paths(home, home / "cache", home / "logs", find_paths().resources))
    try:
        [project] = await studio.projects.all()
        stage = await studio.planning.stage(project)
        memory = _Memory(stage.song)
        executor = Executor("r", plan, plan.hash, studio.registry, memory, memory, Cancellation(), {})
        reports = await executor.execute()
        assert {report.state for report in reports} <= {StepState.DONE, StepState.SKIPPED}, reports
        world = world_of(home)
        return Ideal(
            stage.revision, tuple(memory.commits), tuple(memory.revisions), memory.states, world, memory.files
        )
    finally:
        await studio.close()


def world_of(home: Path) -> World:
    """The files that the export folder shows; the hidden drafts of files under way are none."""
    exports = home / "exports"
    return {
        str(path.relative_to(exports)): _content(path)
        for path in sorted(exports.rglob("*"))
        if path.is_file() and not path.name.startswith(".bandleader-")
    }


def _content(path: Path) -> str:
    """The SHA-256 of what is in a file; of OGG, which no encoder writes alike twice, the length of its sound."""
    if path.suffix == ".ogg":
        return f"{soundfile.info(path).frames} frames"
    return hashlib.sha256(path.read_bytes()).hexdigest()


def drafts_in(home: Path) -> int:
    """How many drafts of files were left by programs that were killed."""
    return sum(1 for _ in (home / "exports").rglob(".bandleader-*"))
