"""What a row that is left to a model must say before it can be approved: a goal and limits that hold."""

from __future__ import annotations

from collections.abc import Mapping

from agent.errors import BandleaderError
from agent.message import msg
from agent.plan.document import Finding
from agent.plan.errors import PlanError
from agent.plan.plan import Json, Step
from agent.plan.references import is_reference
from agent.plan.tool import ToolSpec
from agent.review.rule import Rule
from agent.services.binding import bind
from agent.services.goal_service import SONG, WORK_ON, Limits
from agent.services.registry import unknown_tool
from agent.services.schemas import taken
from agent.song.ids import MASTER, TrackId
from agent.song.song import Song


def goal_fault(where: str, step: Step) -> Finding | None:
    """The first error in a row with a goal, or in a row that uses `work_on` without one; None if there is none. `where`
    names the row at the beginning of the message."""
    if step.by != "model":
        if step.tool != WORK_ON:
            return None
        return _fault(step, f"{where} uses {WORK_ON} but is not left to a model", 'add "by": "model"')
    if not step.goal.strip():
        return _fault(step, f"{where} is left to a model without a goal", "write its goal")
    if step.tool != WORK_ON:
        return _fault(
            step, f"{where} is left to a model, but names the tool {step.tool}",
            f'name {WORK_ON}, and the tools that may be used in its inputs: {{"tools": ["{step.tool}"]}}',
        )
    if step.max_edits is None:
        return _fault(step, f"{where} is left to a model without a limit", "add max_edits, from 1 to 200")
    if step.for_each is not None:
        return _fault(step, f"{where} is left to a model once for each item", "name all its tracks in one goal")
    return None


def refuse_other_tools(step: Step, tools: Mapping[str, ToolSpec]) -> None:
    """Raise `PlanError` where a goal is given a tool that does not exist or is not of the song, or where a result
    would decide what only a person may."""
    if step.by != "model":
        return
    if is_reference(step.inputs.get("accept")):
        raise PlanError(msg("inputs.accept holds a reference"), why=msg("only a person can accept in advance"))
    given = [name for name in _listed(step.inputs.get("tools")) if not is_reference(name)]
    if len(given) < len(_listed(step.inputs.get("tools"))):
        raise PlanError(msg("inputs.tools holds a reference"), why=msg("tools are approved by their names"))
    for name in given:
        if name not in tools:
            raise unknown_tool(str(name), tools)
        if tools[name].service != SONG:
            raise PlanError(
                msg("inputs.tools names {name}", name=name),
                why=msg("it belongs to the service {service}", service=tools[name].service),
                fix=msg("a goal may only be given tools of the song; make this a row of its own"),
            )
    if not any(tools[name].changes_song for name in given):
        raise PlanError(
            msg("inputs.tools names no tool that changes the song"), fix=msg("name one, such as modify_clip"),
        )


def goal_problem(step: Step, song: Song, results: Mapping[str, Json]) -> BandleaderError | None:
    """Why the row's goal could not be begun on this song, as far as it can be known; None if it can. `results` are
    those of earlier rows, by step id."""
    try:
        bound = bind(step, results)
        if not bound.skipped:
            refuse_unknown_tracks(taken(bound.calls[0], Limits), song)
    except BandleaderError as problem:
        return problem
    return None


def refuse_unknown_tracks(limits: Limits, song: Song) -> None:
    """Raise `SongError` for a track that the song does not have."""
    for name in limits.tracks:
        if name != MASTER:
            song.track(TrackId(name))


def _listed(value: Json) -> list[Json]:
    return list(value) if isinstance(value, list | tuple) else [value]


def _fault(step: Step, message: str, fix: str) -> Finding:
    return Finding(step.id, Rule.GOAL, message, fix, "error")
