"""The versions service: comparing, restoring and branching iterations as steps of a plan."""

from __future__ import annotations

import asyncio
from typing import Protocol

import msgspec
from msgspec import Struct

from agent.plan.plan import Json
from agent.plan.tool import ToolSpec
from agent.services.schemas import input_schema, result_schema, taken
from agent.services.service import Call, Outcome
from agent.song.changes import compare
from agent.song.difference import edits_between
from agent.song.song import Song

SAVE, COMPARE, RESTORE, BRANCH = "save_iteration", "compare", "restore", "branch"
"""The names of the tools. How a run ends depends on two: `SAVE` and `BRANCH` name the iteration that it saves."""


class VersionSource(Protocol):
    """Provides the stored iterations."""

    def song_of(self, project: str, iteration: str) -> Song:
        """The song of an iteration of the project; blocks until the database has answered. Raises a
        `BandleaderError`."""
        ...


class SaveIteration(Struct, frozen=True, forbid_unknown_fields=True):
    """The label of the iteration that this run saves at its end."""

    label: str


class CompareIterations(Struct, frozen=True, forbid_unknown_fields=True):
    """Two iterations; without `b` the song as it is now."""

    a: str
    b: str | None = None


class RestoreIteration(Struct, frozen=True, forbid_unknown_fields=True):
    """Which iteration to restore."""

    iteration: str


class BranchIteration(Struct, frozen=True, forbid_unknown_fields=True):
    """From which iteration to branch, and the branch's name."""

    iteration: str
    name: str


class Saved(Struct, frozen=True):
    """The label under which the run's iteration will be saved."""

    label: str


class TrackDifference(Struct, frozen=True):
    """How one track differs: added, removed or changed, and how many notes."""

    track: str
    change: str
    notes_added: int
    notes_removed: int
    notes_moved: int


class Compared(Struct, frozen=True):
    """Differences by track; `song` are other differences in words."""

    items: tuple[TrackDifference, ...]
    song: tuple[str, ...]


class Restored(Struct, frozen=True):
    """The iteration whose song is the working one now."""

    iteration: str


class VersionsService:
    """The tools `save_iteration`, `compare`, `restore` and `branch`. Restoring consists of edits, so it can be
    previewed like other edits."""

    name = "versions"
    limit = 1

    def __init__(self, source: VersionSource) -> None:
        self._source = source
        self.tools = (
            ToolSpec(SAVE, self.name, "1", "Name the iteration that this run saves.",
                     input_schema(SaveIteration), result_schema(Saved), reads_song=True, safe_to_repeat=True),
            ToolSpec(COMPARE, self.name, "1", "What differs between two iterations, or between one and now.",
                     input_schema(CompareIterations), result_schema(Compared), reads_song=True, safe_to_repeat=True),
            ToolSpec(RESTORE, self.name, "1", "Bring the song of an iteration back as the newest one.",
                     input_schema(RestoreIteration), result_schema(Restored), changes_song=True, replaces_song=True,
                     effect="song", safe_to_repeat=True),
            ToolSpec(BRANCH, self.name, "1", "Go on from an earlier iteration under a name of its own.",
                     input_schema(BranchIteration), result_schema(Restored), changes_song=True, replaces_song=True,
                     effect="song", safe_to_repeat=True),
        )

    async def call(self, call: Call) -> Outcome:
        """As `foresee`, in a thread: edits have no effect until they are committed."""
        return await asyncio.to_thread(self.foresee, call)

    def foresee(self, call: Call) -> Outcome:
        """The outcome of a call: for `compare` the differences, for `restore` and `branch` the edits that restore the
        iteration, for `save_iteration` the label."""
        if call.tool == SAVE:
            return Outcome(msgspec.to_builtins(Saved(taken(call.inputs, SaveIteration).label)))
        if call.tool == COMPARE:
            return Outcome(self._compare(call))
        back = call.tool == RESTORE
        wanted = (taken(call.inputs, RestoreIteration) if back else taken(call.inputs, BranchIteration)).iteration
        old = self._source.song_of(call.project, wanted)
        return Outcome(msgspec.to_builtins(Restored(wanted)), edits_between(call.song, old))

    def _compare(self, call: Call) -> Json:
        wanted = taken(call.inputs, CompareIterations)
        before = self._source.song_of(call.project, wanted.a)
        after = call.song if wanted.b is None else self._source.song_of(call.project, wanted.b)
        changes = compare(before, after)
        items = tuple(
            TrackDifference(one.name, one.change, one.notes_added, one.notes_removed, one.notes_moved)
            for one in changes.tracks
        )
        song = tuple(f"{one.field}: {one.before} → {one.after}" for one in changes.song)
        return msgspec.to_builtins(Compared(items, song))
