"""The plan under review as a file, and a file as the plan under review."""

from __future__ import annotations

import asyncio
from pathlib import Path

from msgspec.structs import replace

from agent.message import msg
from agent.plan.document import Plan, without_records
from agent.review.review import Review
from agent.session.session import NotApproved
from agent.song.locks import standing
from app.i18n import tr, trn
from app.studio.plan_files import read_plan_file, write_plan_file
from app.viewmodels.chat.showing import PlanPublisher
from app.viewmodels.open_project import OpenProject

ENDING = ".plan.json"
_LONGEST = 60
_LETTERS = " -_"


def file_name(opened: OpenProject) -> str:
    """A valid file name for a plan of this project."""
    name = "".join(one for one in opened.workspace.name if one.isalnum() or one in _LETTERS).strip()[:_LONGEST]
    return f"{name or 'song'}{ENDING}"


async def save_plan(opened: OpenProject, path: Path) -> str:
    """Write the plan that would run now to a file, as `bandleader plan --out --replace` does; returns a message about
    it. Raises `NotApproved` without a plan, `ExportFolderError` if the file cannot be written."""
    proposal = opened.reviewing.proposal.value
    if proposal is None:
        raise NotApproved(msg("there is no plan"), fix=msg("write a request first"))
    plan = proposal.judged.plan
    await asyncio.to_thread(write_plan_file, plan, path, opened.studio.written, replace=True)
    return trn("Saved {count} step in {name}.", "Saved {count} steps in {name}.", len(plan.steps), name=path.name)


async def open_plan(opened: OpenProject, path: Path) -> str:
    """Review the plan in a file, checked against this song and this project's locks; returns a message about it. Raises
    `PlanError` for a file that is no plan, and `NotApproved` while a run holds the song. A plan that was under review
    is put aside."""
    plan = await asyncio.to_thread(read_plan_file, path)
    judged = await _put_up(opened, plan)
    elsewhere = bool(plan.song_revision) and plan.song_revision != judged.plan.song_revision
    said = trn("Opened {count} step from {name}.", "Opened {count} steps from {name}.", len(plan.steps), name=path.name)
    if elsewhere:
        said = f"{said} {tr('The plan was made for another song or version; it was checked on this one.')}"
    return said


async def plan_again(opened: OpenProject, plan: Plan) -> None:
    """Review the steps of an earlier plan again, checked against the current song. Raises as `open_plan` does."""
    judged = await _put_up(opened, without_records(plan))
    PlanPublisher(opened.workspace, opened.conversation, opened.reviewing, opened.running).add_card(judged)


async def _put_up(opened: OpenProject, plan: Plan) -> Review:
    workspace, running = opened.workspace, opened.running
    if running.holds_song:
        raise NotApproved(
            msg("the plan was not opened"), why=msg("a run holds the song"), fix=msg("open it when the run has ended"),
        )
    if workspace.draft:
        await workspace.keep(workspace.name)
    stage = await opened.studio.planning.stage(workspace.record)
    locks = tuple(dict.fromkeys((*standing(opened.locks.value, workspace.song), *plan.locks)))
    bound = replace(
        plan, project=workspace.record.id, song_revision=stage.revision, locks=locks, provider=plan.provider or "file",
    )
    judged = await opened.studio.planning.judge(bound, workspace.song)
    await opened.asking.approving.put_aside()
    running.clear()
    await opened.reviewing.put_up(judged)
    return judged
