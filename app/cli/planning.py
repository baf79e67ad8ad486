"""`plan`, `run` and `compose`."""

from __future__ import annotations

import argparse
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from msgspec.structs import replace
from rich.console import Console

from agent.chat.messages import Refinement, Refusal
from agent.chat.reply import ToPlan
from agent.errors import BandleaderError
from agent.message import msg
from agent.plan.decision import Approval, Reject
from agent.plan.document import Plan
from agent.plan.errors import PlanError
from agent.plan.planning import ClarifyingQuestion
from agent.review.decide import decided
from agent.review.deletions import unasked
from agent.review.review import Review
from agent.session.cancellation import Cancellation
from agent.session.run_state import RunState
from agent.session.session import NotApproved, refuse_errors
from agent.song.fence import parse_fence
from agent.song.song import Song
from app.cli.asking import answered, show_answer
from app.cli.carrying import carried, status_of_run
from app.cli.chart_files import onto_song, over_chart
from app.cli.errors import NOT_APPROVED, OK, Declined, UsageError
from app.cli.output import Document, Output
from app.cli.proposing import checked, chosen_by, intensity_of, proposed, unclear
from app.cli.shapes import plan_shape, run_shape
from app.cli.stopping import asked, somebody_there
from app.cli.tables import print_ended, print_files, print_plan
from app.cli.ways import WAYS
from app.cli.worker import note_without_worker
from app.paths import named_path
from app.services.exporting import make_folder
from app.storage.errors import Busy
from app.studio.models import LOCAL, Chosen
from app.studio.naming import project_name
from app.studio.plan_files import read_plan_file, write_plan_file
from app.studio.planning import PlanningContext
from app.studio.replies import PendingPlan
from app.studio.running.run_options import RunOptions
from app.studio.running.run_view import RunView
from app.studio.studio import Studio


async def plan(arguments: argparse.Namespace, studio: Studio, output: Output, _: Cancellation) -> int:
    """Plan a request, or check a plan file, and print the result; no song changes. Words that are no request are
    answered. Returns the exit status.

    A plan is printed and written also if some rows cannot run: it may have been paid for, and can be corrected."""
    if (arguments.request is None) == (arguments.file is None):
        raise UsageError(
            msg("plan needs a request or --file"), fix=msg('bandleader plan "…", or plan --file PLAN.json'),
        )
    if arguments.base is not None:
        return await _refine(arguments, studio, output)
    if arguments.request is not None and await answered(arguments, arguments.request, studio, output):
        return OK
    _needs_request(arguments)
    if arguments.queue:
        return await _ask(arguments, studio, output)
    out = None if arguments.out is None else named_path(arguments.out)
    if out is not None and not arguments.replace:
        # A plan may cost money: what it would be refused for is looked at before.
        studio.written.refuse_others([out])
    if arguments.file is not None:
        _refuse_options_of_requests(arguments)
        written = read_plan_file(Path(arguments.file))
        project = await studio.projects.find(arguments.project or written.project or None)
        stage = await studio.planning.stage(project)
        judged = await checked(studio.planning.adopt(written, stage), stage, studio, output)
        _refuse_other_song(judged.plan, stage)
        refuse_errors(judged)
    else:
        project = await studio.projects.find_or_draft(arguments.project, project_name(arguments.request))
        stage = await studio.planning.stage(project)
        arguments.request = _over_chart(arguments, stage.song, studio, output)
        judged = await proposed(arguments, stage, studio, output)
        # The first plan of a home makes its project: else nobody could run it.
        await studio.projects.store(project)
    if out is not None:
        write_plan_file(judged.plan, out, studio.written, replace=arguments.replace)
    output.show(plan_shape(judged.plan), lambda console: print_plan(console, judged.plan, studio.registry.tools))
    try:
        refuse_errors(judged)
    except PlanError as problem:
        return output.error(problem, shown=True)
    return OK


def _needs_request(arguments: argparse.Namespace) -> None:
    if arguments.chart is not None and arguments.request is None:
        raise UsageError(msg("--chart belongs to a request"), fix=msg('bandleader plan "a pop song" --chart FILE'))


def _over_chart(arguments: argparse.Namespace, song: Song, studio: Studio, output: Output) -> str:
    """The request with the chart of `--chart` behind it, so that plan and song tell all that was asked for; what of
    the file is read otherwise than it stands is told. A song that has notes is asked to follow it."""
    request: str = arguments.request
    if arguments.chart is None:
        return request
    path = named_path(arguments.chart)
    if song.note_count:
        over = onto_song(request, path, song, studio.palette)
    else:
        over = over_chart(request, path, studio.palette)
    for remark in over.remarks:
        output.note(remark)
    return over.request


async def _refine(arguments: argparse.Namespace, studio: Studio, output: Output) -> int:
    """Change a plan file as words about it say; what they are else is answered or planned as ever."""
    if arguments.request is None or arguments.queue:
        raise UsageError(
            msg("--base needs words about that plan"), fix=msg('bandleader plan "no strings" --base PLAN.json'),
        )
    out = None if arguments.out is None else named_path(arguments.out)
    if out is not None and not arguments.replace:
        studio.written.refuse_others([out])
    written = read_plan_file(Path(arguments.base))
    project = await studio.projects.find(arguments.project or written.project or None)
    stage = await studio.planning.stage(project)
    base = studio.planning.adopt(written, stage)
    _refuse_other_song(base, stage)
    before = await checked(base, stage, studio, output)
    waiting = PendingPlan(before.plan, before.preview.song if before.preview is not None else None)
    reply = await studio.replies.reply(
        arguments.request, stage, ways=WAYS, waiting=waiting, chosen=chosen_by(arguments)
    )
    if not isinstance(reply, ToPlan):
        show_answer(reply.answer, output)
        return OK
    if isinstance(reply.message, Refinement | Refusal):
        judged = await studio.planning.refine(before.plan, reply.message, stage)
        if isinstance(judged, ClarifyingQuestion):
            raise unclear(judged)
    else:
        judged = await proposed(arguments, stage, studio, output)
    if out is not None:
        write_plan_file(judged.plan, out, studio.written, replace=arguments.replace)
    output.show(plan_shape(judged.plan), lambda console: print_plan(console, judged.plan, studio.registry.tools))
    refuse_errors(judged)
    return OK


def _refuse_options_of_requests(arguments: argparse.Namespace) -> None:
    """A plan file says itself what is to be done, with which seed and locks: an option that says otherwise would be
    passed over in silence."""
    given = {
        "--provider": arguments.provider is not None, "--model": arguments.model is not None,
        "--intensity": arguments.intensity is not None, "--seed": arguments.seed is not None,
        "--lock": bool(arguments.lock), "--only": bool(arguments.only), "--yes": arguments.yes,
    }
    names = [name for name, is_given in given.items() if is_given]
    if names:
        raise UsageError(
            msg("{names} cannot be used with --file", names=" and ".join(names)),
            why=msg("a plan file holds its own rows, seed and locks"),
            fix=msg("leave it out, or change the file: `seed` is a number, `locks` a list"),
        )


async def _ask(arguments: argparse.Namespace, studio: Studio, output: Output) -> int:
    """Store the request, to be planned in its turn by whoever works on the queue; waits for nothing."""
    if arguments.request is None or arguments.out is not None:
        raise UsageError(
            msg("--queue takes a request, and nothing is written yet"), fix=msg('bandleader plan "…" --queue'),
        )
    named = project_name(arguments.request)
    project = await studio.projects.find_or_draft(arguments.project, named)
    stage = await studio.planning.stage(project)
    # a song that has notes follows the chart as it is now: what is stored are words
    request = _over_chart(arguments, stage.song, studio, output)
    project = await studio.projects.store(project)
    run = await studio.requests.ask(request, project, await _wish(arguments, stage, studio))
    view = await studio.runs.show(run)
    document = {"run": run, "project": project.id, "state": view.state.value, "request": request}

    def human(console: Console) -> None:
        console.print(f"run {run} waits to be planned; bandleader runs show {run} tells its plan", soft_wrap=True)

    output.show(document, human)
    await note_without_worker(project.id, studio, output)
    return OK


async def _wish(arguments: argparse.Namespace, stage: PlanningContext, studio: Studio) -> RunOptions:
    """The options of a request, as they are stored with it. Raises `StudioError` for no provider, and `SongError` for
    parts that the song does not have."""
    chosen = chosen_by(arguments) or Chosen("")
    if chosen.provider not in ("", LOCAL):
        await studio.models.settings(chosen.provider)
    return RunOptions(
        chosen.provider, chosen.model, arguments.seed, intensity_of(arguments), tuple(arguments.lock),
        parse_fence(arguments.only, stage.song),
    )


async def run(arguments: argparse.Namespace, studio: Studio, output: Output, cancellation: Cancellation) -> int:
    """Run a plan file that the person approves by its hash; returns the exit status."""
    written = read_plan_file(Path(arguments.file))
    if not written.project or not written.song_revision:
        raise UsageError(
            msg("{file} is not bound to a song", file=arguments.file), why=msg("it names no project and revision"),
            fix=msg("bandleader plan --file {file} --out BOUND.json", file=arguments.file),
        )
    project = await studio.projects.find(arguments.project or written.project)
    if project.id != written.project:
        raise NotApproved(
            msg("the plan is for another project"), why=msg("it names {project}", project=written.project),
        )
    stage = await studio.planning.stage(project)
    _refuse_other_song(written, stage)
    judging = checked(written, stage, studio, output)
    judged = await _judged_as_approved(arguments.approve, cancellation.race(judging))
    if arguments.approve is None:
        raise NotApproved(
            msg("the plan is not approved"),
            fix=msg("look at it, then add --approve {hash}", hash=judged.plan.hash or "HASH"),
        )
    approval = studio.session.approve(judged, arguments.approve, stage.revision)
    chosen = chosen_by(arguments) or Chosen("")
    run_id = await studio.runs.start(
        judged.plan, approval, project, queued=arguments.queue, options=RunOptions(chosen.provider, chosen.model)
    )

    async def work() -> RunView:
        carry_out = studio.runs.queue.carry_out_in_turn if arguments.queue else studio.runs.host.carry_out
        return await carry_out(run_id, cancellation)

    try:
        view = await carried(studio, output, work, run_id)
    except Busy as problem:
        if (await studio.runs.show(run_id)).state is not RunState.APPROVED:
            raise
        fix = msg(
            "wait until it is done, then: bandleader runs resume {run_id}, or: bandleader runs cancel {run_id}",
            run_id=run_id,
        )
        raise Busy(
            problem.said.what,
            why=msg("{why}; run {run_id} is approved and waits", why=problem.said.why, run_id=run_id), fix=fix,
        ) from None
    output.show(run_shape(view, stage.song), lambda console: print_ended(console, view))
    return status_of_run(view.state)


async def _judged_as_approved(approved: str | None, judging: Coroutine[Any, Any, Review]) -> Review:
    """The plan judged again; one that is broken now cannot be the one that was approved."""
    try:
        judged = await judging
        if judged.plan.hash != approved:
            refuse_errors(judged)
    except PlanError as problem:
        if approved is None:
            raise
        raise NotApproved(
            msg("this approval is for another plan"), why=msg("the file has changed since: {problem}", problem=problem),
            fix=msg("plan again, or bring the file back as it was"),
        ) from None
    return judged


async def compose(
    arguments: argparse.Namespace, studio: Studio, output: Output, cancellation: Cancellation
) -> int:
    """Plan, ask for approval, run, save and export; words that are no request are answered, and make no project.
    Returns the exit status."""
    if await answered(arguments, arguments.request, studio, output):
        return OK
    if arguments.out is not None:
        make_folder(named_path(arguments.out))
    stage = await _stage_to_compose_on(arguments, studio, output)
    arguments.request = _over_chart(arguments, stage.song, studio, output)
    project = stage.project
    if arguments.yes:
        # Approved in advance, so it will be heard: another core makes the instruments ready while this one plans.
        studio.renderer.expect()
    judged = await cancellation.race(proposed(arguments, stage, studio, output))
    if arguments.yes:
        judged = await cancellation.race(_covered_by_yes(judged, stage, studio, output))
    refuse_errors(judged)
    if not output.json:
        print_plan(output.text, judged.plan, studio.registry.tools)
    approval = await cancellation.race(_approval(arguments, judged, stage, studio, output))
    if approval is None:
        return NOT_APPROVED
    run_id = await studio.runs.start(judged.plan, approval, project)
    view = await carried(studio, output, lambda: studio.runs.host.carry_out(run_id, cancellation), run_id)
    if not output.json:
        print_ended(output.text, view)
    files: Document = {}
    if view.state is not RunState.CANCELLED:
        files = await _export(arguments, view, studio, output, cancellation)
    document = {**run_shape(view, stage.song), "plan": plan_shape(judged.plan), "files": files}
    output.show(document, lambda console: print_files(console, {"project": f"{project.name} ({project.id})", **files}))
    return status_of_run(view.state)


async def _stage_to_compose_on(arguments: argparse.Namespace, studio: Studio, output: Output) -> PlanningContext:
    """The project that is named; else the one used last where the words are about its song, which is told; else a new
    one named after the request."""
    if arguments.project is not None:
        return await studio.planning.stage(await studio.projects.find(arguments.project))
    if (last := await studio.projects.last()) is not None:
        stage = await studio.planning.stage(last)
        if await studio.planning.speaks_of(arguments.request, stage):
            output.note(f"changes {last.name} ({last.id}), the song used last; --project NAME takes another", "cyan")
            return stage
    return await studio.planning.stage(await studio.projects.draft(project_name(arguments.request)))


async def _covered_by_yes(judged: Review, stage: PlanningContext, studio: Studio, output: Output) -> Review:
    """The plan without rows that take music away although nobody clearly asked for it; that is told with the plan."""
    left_out = unasked(judged.plan)
    if not left_out:
        return judged
    titles = [step.title or step.tool for step in judged.plan.steps if step.id in left_out]
    if len(left_out) == len(judged.plan.steps):
        raise PlanError(
            msg("nothing was changed"),
            why=msg("every row would take music away: {titles}", titles=", ".join(titles[:5])),
            fix=msg("say plainly what is to go, or look at the plan, then: bandleader run PLAN.json --approve HASH"),
        )
    for title in titles:
        output.note(f"left out, because it takes music away and was not plainly asked for: {title}", "yellow")
    rest = decided(judged.plan, [Reject(step) for step in left_out])
    told = tuple(f"{title} (takes music away, and was not plainly asked for)" for title in titles)
    return await checked(replace(rest, ignored=(*rest.ignored, *told)), stage, studio, output)


async def _approval(
    arguments: argparse.Namespace, judged: Review, stage: PlanningContext, studio: Studio, output: Output
) -> Approval | None:
    """A person's yes, or the one given in advance; None after showing the plan where there is neither."""
    if arguments.yes:
        return studio.session.approve_in_advance(judged)
    if output.json or not somebody_there():
        output.show(plan_shape(judged.plan), lambda _: None)
        output.note("not approved: add --yes, or save the plan and run it with --approve HASH", "yellow")
        return None
    answer = await asked(f"Run these {len(judged.plan.steps)} rows? [y/N] ")
    if answer.casefold() not in ("y", "yes"):
        raise Declined(msg("the plan was not approved"), why=msg("you said no"), fix=msg("nothing has changed"))
    return studio.session.approve(judged, judged.plan.hash, stage.revision)


async def _export(
    arguments: argparse.Namespace, view: RunView, studio: Studio, output: Output, cancellation: Cancellation
) -> Document:
    """MIDI, WAV and plan of the song as it is after the run."""
    try:
        return await _written(arguments, view, studio, output, cancellation)
    except BandleaderError:
        output.note(f"run {view.record.id} is {view.state} and stored all the same; `bandleader export` writes it")
        raise


async def _written(
    arguments: argparse.Namespace, view: RunView, studio: Studio, output: Output, cancellation: Cancellation
) -> Document:
    project = await studio.projects.find(view.record.project)
    song = (await studio.open(project)).song
    own = await studio.projects.export_folder(project)
    folder = named_path(arguments.out).absolute() if arguments.out else None
    files: Document = {}
    if song.note_count:
        midi = (await studio.exporter.export_new(song, "mid", own, song.name, folder)).path
        files["mid"] = str(midi)
        sound = await studio.exporter.export_new(
            song, "wav", own, midi.stem, folder, progress=output.progress, cancelled=cancellation.requested
        )
        files["wav"] = str(sound.path)
        for remark in sound.remarks:
            output.note(remark)
        plan_file = studio.exporter.free_path(own, song.name, "plan.json", folder)
        write_plan_file(view.plan, plan_file, studio.written)
        files["plan"] = str(plan_file)
    return files


def _refuse_other_song(plan: Plan, stage: PlanningContext) -> None:
    if plan.project != stage.project.id or plan.song_revision != stage.revision:
        raise NotApproved(
            msg("the song has changed since this plan was made"),
            why=msg("the plan names another project or revision of the song than the one of today"),
            fix=msg("plan again; a plan written by hand is bound anew without its `project` and `song_revision`"),
        )
