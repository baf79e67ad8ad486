"""A copy of the song that a goal is worked on: it carries out calls within the limits and gathers their edits."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

import msgspec
from msgspec.structs import replace

from agent.errors import BandleaderError
from agent.message import msg
from agent.plan.plan import Inputs, Json
from agent.plan.tool import ToolSpec
from agent.review.fenced import Closed
from agent.services.goal_service import SONG, Limits, SubStep
from agent.services.registry import Registry, unknown_tool
from agent.services.service import Call, Origin, Outcome, ServiceError, called
from agent.song.apply import apply_all
from agent.song.edits import Edit
from agent.song.ids import MASTER, TrackId
from agent.song.song import Song

MAX_CALLS = 400
"""Most calls for one goal, including those that only read."""
_LONGEST_NAME = 120


class GhostSong:
    """A copy of the song on which a worker's calls are carried out within limits; the working song is not changed.

    `edits` are those of all calls that were carried out, in order; `calls` are all calls. `heard` is awaited for every
    call before the next one begins."""

    def __init__(
        self, song: Song, limits: Limits, max_edits: int, registry: Registry, kept: Closed, origin: Origin,
        project: str, heard: Callable[[SubStep], Awaitable[None]],
    ) -> None:
        self.song = song
        self.edits: list[Edit] = []
        self.calls: list[SubStep] = []
        self.kept = kept
        self.tools: Mapping[str, ToolSpec] = {
            name: tool for name, tool in registry.tools.items() if tool.service == SONG and _offered(tool, limits)
        }
        self._registry = registry
        self._tracks = set(limits.tracks)
        self._max_edits = max_edits
        self._origin = origin
        self._project = project
        self._heard = heard

    @property
    def full(self) -> bool:
        """Whether the worker has made as many edits as were approved at most."""
        return len(self.edits) >= self._max_edits

    @property
    def closed_tracks(self) -> tuple[TrackId, ...]:
        """Ids of the tracks that the worker may not change."""
        return tuple(track.id for track in self.song.tracks if track.id not in self._tracks)

    async def call(self, tool: str, inputs: Inputs) -> SubStep:
        """Carry out one call, or record why it was refused or failed; invalid inputs raise nothing."""
        number = len(self.calls) + 1
        kept = _as_kept(inputs)
        try:
            if kept is None:
                raise ServiceError(
                    msg("its arguments cannot be kept"), why=msg("they hold what no text or number can be"),
                )
            outcome, after = await self._carried_out(tool, kept, number)
        except BandleaderError as problem:
            advice = f"{problem}. {problem.advice}" if problem.fix else str(problem)
            return await self._recorded(SubStep(number, _named(tool), kept or {}, False, reason=advice))
        self._tracks |= {track.id for track in after.tracks} - {track.id for track in self.song.tracks}
        self.song = after
        self.edits += outcome.edits
        return await self._recorded(SubStep(number, tool, kept, True, outcome.result))

    async def refuse(self, tool: str, reason: str) -> SubStep:
        """Record a call that could not be parsed, with the `tool` that it named and the `reason`."""
        return await self._recorded(SubStep(len(self.calls) + 1, _named(tool), {}, False, reason=reason))

    async def _recorded(self, call: SubStep) -> SubStep:
        tool = self.tools.get(call.tool)
        # Answers of tools that read can be as large as the song, and are of no use once the work has ended.
        self.calls.append(call if tool is not None and tool.changes_song else replace(call, result=None))
        await self._heard(call)
        return call

    async def _carried_out(self, tool: str, inputs: Inputs, number: int) -> tuple[Outcome, Song]:
        if number > MAX_CALLS:
            raise ServiceError(
                msg("{max_calls} calls were made already", max_calls=MAX_CALLS), why=msg("a goal may take no more"),
            )
        spec = self.tools.get(tool)
        if spec is None:
            if tool in self._registry.tools:
                raise ServiceError(msg("the tool {tool} was not approved for this goal", tool=tool), fix=self._advice())
            raise unknown_tool(tool, self.tools)
        # The number of the call stands for the item, so that two calls never make things with one id.
        origin = replace(self._origin, item=number)
        outcome = await called(self._registry.owner(tool), Call(tool, inputs, self.song, origin, self._project))
        if len(self.edits) + len(outcome.edits) > self._max_edits:
            raise ServiceError(
                msg("the {max_edits} edits that were approved are made", max_edits=self._max_edits),
                fix=msg("end here"),
            )
        after = apply_all(self.song, outcome.edits)
        self._refuse_other_tracks(after)
        refusal = self.kept.refusal(self.song, after)
        if refusal:
            raise ServiceError(msg("it would change {refusal}", refusal=refusal))
        return outcome, after

    def _advice(self) -> str:
        return f"use one of {', '.join(self.tools)}"

    def _refuse_other_tracks(self, after: Song) -> None:
        """By what differs, not by what the call names: no tool can reach a track in another way."""
        there = {track.id: track for track in after.tracks}
        for track in self.song.tracks:
            now = there.get(track.id)
            if track.id not in self._tracks and now is not track and now != track:
                raise ServiceError(
                    msg(
                        "it would change the track {track} ({track_2}), which this goal may not change",
                        track=track.name, track_2=track.id,
                    ),
                    fix=msg(
                        "it may change {tracks}",
                        tracks=", ".join(sorted(self._tracks)) or "only tracks that it makes itself",
                    ),
                )
        if MASTER not in self._tracks and after.master_effects != self.song.master_effects:
            raise ServiceError(msg("it would change the master effects, which this goal may not change"))


def _offered(tool: ToolSpec, limits: Limits) -> bool:
    """Whether a tool of the song was approved, or only reads."""
    return tool.name in limits.tools or tool.effect == "none"


def _named(tool: str) -> str:
    """A name that a model wrote, as it can be stored."""
    return tool[:_LONGEST_NAME].encode("utf-8", "replace").decode()


def _as_kept(inputs: Json) -> Inputs | None:
    """The arguments as they will come out of store; None for what JSON cannot hold."""
    try:
        kept = msgspec.json.decode(msgspec.json.encode(inputs))
    except (msgspec.MsgspecError, ValueError, OverflowError, TypeError, RecursionError):
        return None
    return kept if isinstance(kept, dict) else None
