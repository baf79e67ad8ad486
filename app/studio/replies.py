"""The one door for what a person says: its kind, and the answer to what needs no plan. Nothing here has effects."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from agent.chat.answering.history import compared
from agent.chat.answering.plans import touched
from agent.chat.context import (
    ComparedVersions,
    Context,
    PlanFacts,
    ProgramFacts,
    RowOfRun,
    RunFacts,
    StyleInfo,
    Version,
    Way,
)  # fmt: skip
from agent.chat.messages import Action, Message, Question, Request, Several, Topic
from agent.chat.reading.language import Language
from agent.chat.reading.not_understood import not_understood
from agent.chat.reading.reading import read_message
from agent.chat.reply import Reply, replied
from agent.composer.styles import StyleBook
from agent.plan.document import Plan
from agent.plan.request import parse_request
from agent.session.run_state import RunState
from agent.song.locks import describe, standing
from agent.song.palette import Palette
from agent.song.song import Song
from app.paths import Paths
from app.services.exporting import SOUND_ENDS, SOUND_FILES
from app.services.formats import FORMATS
from app.storage import locks as stored_locks
from app.storage.records import Iteration, stamp
from app.studio.history import History
from app.studio.kept_plans import KeptPlans
from app.studio.models import LOCAL, Chosen
from app.studio.planners import Planners
from app.studio.planning import Planning, PlanningContext
from app.studio.projects import Projects
from app.studio.running.run_view import RunView
from app.studio.running.runs import Runs
from app.studio.spending import SpendingRecord
from app.studio.store import Store
from app.studio.undo import steps

Ways = Mapping[Action, Way]
_OF_RUNS: frozenset[Topic] = frozenset({"why", "row"})
_OF_PAST: frozenset[Topic] = frozenset({"author"})
_FURTHEST = 40
"""Versions back to which a question who wrote something looks."""
_OF_FILES: frozenset[Topic] = frozenset({"files", "backup"})
_OF_PLANS: frozenset[Topic] = frozenset({"plan", "row"})


class PendingPlan(Struct, frozen=True):
    """The plan under review, with the song that it would make if known. `in_front`: messages now refer to it."""

    plan: Plan
    after: Song | None = None
    in_front: bool = True


class Replies:
    """Replies to messages, reading only the facts that an answer needs."""

    def __init__(
        self, store: Store, paths: Paths, palette: Palette, styles: StyleBook, language: Language, projects: Projects,
        planning: Planning, planners: Planners, runs: Runs, history: History, kept_plans: KeptPlans,
        spending: SpendingRecord,
    ) -> None:
        self._store = store
        self._paths = paths
        self._palette = palette
        self._styles = tuple(StyleInfo(one.name, one.label, tuple(one.words), one.tempo) for one in styles.styles)
        self._language = language
        self._projects = projects
        self._planning = planning
        self._planners = planners
        self._runs = runs
        self._history = history
        self._kept_plans = kept_plans
        self._spending = spending

    async def reply(
        self, text: str, stage: PlanningContext, *, ways: Ways, waiting: PendingPlan | None = None,
        chosen: Chosen | None = None,
    ) -> Reply:
        """The reply to a message about a project. `ways` describe how things are done in the interface in use (window
        or command line).

        Without `waiting`, a plan stored as under review or a proposed run is only mentioned; the message does not refer
        to it. `chosen` is who would plan: a model understands every language. Raises `PlanError` for a text that cannot
        be read."""
        request = parse_request(text)
        who = await self._planners.choice(chosen)
        context = await self._context(stage, waiting, who, ways)
        # In a thread, as the first message asks for all words, and a long one for each of its own.
        message = await asyncio.to_thread(read_message, text, context, self._language)
        if isinstance(message, Request) and not await self._planning.is_understood(request, stage, who):
            message = await asyncio.to_thread(not_understood, message, context, self._language)
        facts = await self._with_facts(context, message, stage)
        return await asyncio.to_thread(replied, message, facts, self._language)

    async def _context(self, stage: PlanningContext, waiting: PendingPlan | None, who: Chosen, ways: Ways) -> Context:
        """What a message is read with."""
        versions = (await self._history.of(stage.project)).iterations
        walk = steps(versions, stage.project.head)
        left = await self._left(stage) if waiting is None else PlanFacts(waiting.plan, waiting.after)
        planner = "the offline composer" if who.provider == LOCAL else who.model or who.provider
        program = ProgramFacts(
            styles=self._styles, exports=tuple(FORMATS), imports=("mid",),
            sound_files=SOUND_FILES, sound_ends=SOUND_ENDS, planner=planner, offline=who.provider == LOCAL, ways=ways,
        )
        return Context(
            song=stage.song, palette=self._palette, program=program, plan=left,
            in_front=waiting is not None and waiting.in_front, versions=tuple(_version(one) for one in versions),
            undo=None if walk.undo is None else walk.undo.number, redo=None if walk.redo is None else walk.redo.number,
            today=stamp()[:10], project=stage.project.name if stage.project.head is not None else "",
            any_language=who.provider != LOCAL,
        )

    async def _left(self, stage: PlanningContext) -> PlanFacts | None:
        """The plan that waits for this song: under review in a window, else proposed by the queue."""
        kept = await self._kept_plans.find(stage.project.id)
        if kept is not None and kept.plan.song_revision == stage.revision:
            return PlanFacts(kept.plan)
        for run in await self._runs.all(stage.project):
            if run.state == RunState.PROPOSED:
                return PlanFacts((await self._runs.show(run.id)).plan)
        return None

    async def _with_facts(self, context: Context, message: Message, stage: PlanningContext) -> Context:
        """The context with what takes longer to gather, as far as the questions in the message need it."""
        parts = message.parts if isinstance(message, Several) else (message,)
        questions = [part for part in parts if isinstance(part, Question)]
        topics = {question.topic for question in questions}
        if "changed" in topics:
            asked = next(question for question in questions if question.topic == "changed")
            context = await self._with_versions(context, asked, stage)
        if topics & _OF_PAST:
            context = replace(context, past=await self._past(context.versions, stage))
        if topics & _OF_RUNS:
            context = replace(context, run=await self._last_run(stage))
        if topics & _OF_PLANS and context.plan is not None and context.plan.after is None:
            context = replace(context, plan=await self._previewed(context.plan, stage))
        return replace(context, program=await self._program(context.program, topics, stage))

    async def _with_versions(self, context: Context, question: Question, stage: PlanningContext) -> Context:
        pair = compared(question, context.versions)
        if pair is None:
            return context
        found = [await self._history.find(stage.project, str(number)) for number in pair]
        before, after = [await self._history.song(one) for one in found]
        return replace(context, compared=ComparedVersions(*pair, before, after))

    async def _past(self, versions: tuple[Version, ...], stage: PlanningContext) -> tuple[tuple[int, Song], ...]:
        """The songs of the versions from which the song came, the oldest first."""
        known = {one.id: one for one in versions}
        one = known.get(stage.project.head) if stage.project.head is not None else None
        found: list[tuple[int, Song]] = []
        while one is not None and len(found) < _FURTHEST:
            iteration = await self._history.find(stage.project, str(one.number))
            found.append((one.number, await self._history.song(iteration)))
            one = known.get(one.parent) if one.parent is not None else None
        return tuple(reversed(found))

    async def _last_run(self, stage: PlanningContext) -> RunFacts | None:
        """The last run that did something."""
        for run in await self._runs.all(stage.project):
            view = await self._runs.show(run.id)
            if view.ledger.done:
                before = await self._store.song(run.base_revision)
                after = await self._store.song(run.revision)
                return RunFacts(run.id, run.request, run.state, _rows(view, before, after), before)
        return None

    async def _previewed(self, waiting: PlanFacts, stage: PlanningContext) -> PlanFacts:
        if waiting.plan.song_revision != stage.revision:
            return waiting
        judged = await self._planning.judge(waiting.plan, stage.song)
        return waiting if judged.preview is None else PlanFacts(waiting.plan, judged.preview.song)

    async def _program(self, program: ProgramFacts, topics: set[Topic], stage: PlanningContext) -> ProgramFacts:
        if topics & _OF_FILES:
            folder = self._paths.exports / await self._projects.export_folder(stage.project)
            program = replace(program, data=str(self._paths.data), export_folder=str(folder))
        if "cost" in topics:
            program = replace(program, spent=(await self._spending.month()).cost)
        if "state" in topics:
            stored = await self._store.read(lambda connection: stored_locks.all_of(connection, stage.project.id))
            named = tuple(describe(lock, stage.song) for lock in standing(stored, stage.song))
            program = replace(program, locks=named)
        return program


def _version(one: Iteration) -> Version:
    request = one.message if one.source == "ai_iteration" else ""
    return Version(one.id, one.number, one.label, one.source, one.created, request, one.parent, one.run)


def _rows(view: RunView, before: Song, after: Song) -> tuple[RowOfRun, ...]:
    """The rows as they were carried out; what they touch is looked for in the song before and after."""
    return tuple(
        RowOfRun(
            step.id, number, step.title or step.tool, step.why, row.state, row.reason,
            tuple(sorted(touched(row.inputs, before) | touched(row.inputs, after) | touched(row.result, after))),
        )
        for number, (step, row) in enumerate(zip(view.plan.steps, view.rows, strict=True), 1)
    )
