"""From a request in the chat to a plan under review."""

from __future__ import annotations

import asyncio
from collections.abc import Collection

from msgspec.structs import replace

from agent.chat.messages import Refinement, Refusal
from agent.chat.reply import Answered, Reply, ToCarryOut, ToPlan
from agent.errors import BandleaderError, Blame
from agent.plan.document import Plan
from agent.plan.errors import NothingToDo, PlanError
from agent.plan.planning import ClarifyingChoice, ClarifyingQuestion, Revision
from agent.review.review import Review
from agent.song.locks import standing
from agent.song.palette import Palette
from app.i18n import lazy, tr
from app.studio.naming import project_name
from app.studio.projects import Projects
from app.studio.workspace import Workspace
from app.viewmodels.chat.approving import Approving
from app.viewmodels.chat.attaching import RequestScope, bound, fence_of, lock_text
from app.viewmodels.chat.clauses import clauses_of, clauses_said
from app.viewmodels.chat.conversation import Conversation
from app.viewmodels.chat.entries import Asked, MessageEntry, ProblemEntry, Queued, WorkEntry, now
from app.viewmodels.chat.progress import PlanningProgress
from app.viewmodels.chat.refined import refined
from app.viewmodels.chat.replying import Replying
from app.viewmodels.chat.showing import PlanPublisher
from app.viewmodels.chat.telling import nothing_words, plan_words
from app.viewmodels.chat.waiting import TAKEN_BACK, WAITS, Waiting
from app.viewmodels.chat.wanted import Remark, RequestPlanner, Wanted, refused, remarked
from app.viewmodels.plan.decisions import asked_again
from app.viewmodels.plan.draft_store import DraftStore
from app.viewmodels.plan.proposal import Proposal
from app.viewmodels.plan.replan_diff import changed_words, replan_diff, replan_words, steps_named
from app.viewmodels.plan.reviewing import Reviewing
from app.viewmodels.plan.running import Running
from app.viewmodels.texts.money import spent_words
from app.viewmodels.texts.troubles import Trouble, trouble_of
from app.viewmodels.watched import Watched

_LOOK_EVERY = 0.1
WHOLE = RequestScope()
TAKEN_IN, WAITS_REQUEST = lazy("Taken into account"), lazy("Waits for the request before it")


class Asking:
    """Turns requests into plans under review, one at a time; further ones wait. While a run holds the song they wait in
    the queue, which is stored."""

    def __init__(
        self, planning: RequestPlanner, projects: Projects, workspace: Workspace, conversation: Conversation,
        reviewing: Reviewing, running: Running, draft_store: DraftStore, palette: Palette | None = None,
        queue: Waiting | None = None, replying: Replying | None = None,
    ) -> None:
        self._planning = planning
        self._projects = projects
        self._workspace = workspace
        self._conversation = conversation
        self._reviewing = reviewing
        self._running = running
        self._palette = palette
        self._queue = queue
        self._replying = replying
        self._turn = asyncio.Lock()
        self._naming = asyncio.Lock()
        self._work: asyncio.Task[tuple[Review | ClarifyingQuestion, str]] | None = None
        self._stops = 0
        self._showing = PlanPublisher(workspace, conversation, reviewing, running)
        self.approving = Approving(conversation, reviewing, running, draft_store, queue)
        self._progress = progress = PlanningProgress()
        self.doing, self.rows, self.drafting = progress.doing, progress.rows, progress.drafting
        self.countdown, self.spent = progress.countdown, progress.spent
        self.refused: Watched[Trouble | None] = Watched(None)
        """Why the model did not answer the last request; None if it did, or was not asked."""
        self.waiting: Watched[tuple[str, ...]] = Watched(())
        """Requests that wait for the one before them, or for a run."""

    @property
    def busy(self) -> bool:
        """Whether a request is being planned."""
        return self._work is not None

    async def ask(self, request: str, scope: RequestScope = WHOLE) -> None:
        """Answer a message or plan it; the result is in the conversation and, if a plan, under review. Only what is in
        `scope` may change."""
        request = request.encode("utf-8", "replace").decode()
        if not request.strip():
            return
        if self._refuse(request):
            return
        async with self._naming:
            reply = await self._read(request)
            planned = reply is None or isinstance(reply, ToPlan)
            queued = planned and not self._workspace.draft and self._queues()
            if planned and self._workspace.draft:
                await self._workspace.keep((await self._projects.draft(project_name(request))).name)
            index = -1 if queued else await self._conversation.ask(
                request, scope, self._workspace.song, keep=not self._workspace.draft
            )
        if self._replying is not None and isinstance(reply, Answered | ToCarryOut):
            await self._replying.answer(reply)
        elif self._queue is not None and queued:
            await self._queue.ask(request, scope)
        else:
            await self._ask(self._wanted(request, scope, reply), index)

    async def _read(self, request: str) -> Reply | None:
        """What kind of saying it is; None where nobody tells, and for words whose fault planning tells of."""
        if self._replying is None:
            return None
        try:
            return await self._replying.read(request, await self._planning.stage(self._workspace.record))
        except PlanError:
            return None

    def _wanted(self, request: str, scope: RequestScope, reply: Reply | None) -> Wanted:
        proposal = self._reviewing.proposal.value
        if proposal is not None and isinstance(reply, ToPlan) and isinstance(reply.message, Refinement | Refusal):
            return remarked(proposal, reply.message, request, scope, self._workspace.song)
        return Wanted(bound(request, scope), request, scope=scope)

    async def _ask(self, wanted: Wanted, index: int) -> None:
        """Plan what is wanted in its turn, or give it to the planning that is under way."""
        scope, request = wanted.scope, wanted.said
        if scope.whole and self.busy and self._planning.steer(request):
            said = self._conversation.entries[index]
            assert isinstance(said, MessageEntry)
            self._conversation.put(index, replace(said, note=TAKEN_IN))
            return
        await self._take_turn(wanted, index)

    def take_back(self, index: int) -> None:
        """Take back the request of entry `index` that waits in this window."""
        entry = self._conversation.entries[index]
        if isinstance(entry, Queued) and entry.run is None:
            self._conversation.put(index, entry.ended(TAKEN_BACK))
            self._waits_no_more(entry.text)

    async def ask_again(self, steps: Collection[str], wish: str = "") -> None:
        """Have these rows of the plan under review proposed anew; the result replaces it under review. `wish` says what
        is wrong with them. Decisions on other rows stay."""
        proposal = self._reviewing.proposal.value
        if proposal is None:
            return
        asked = tuple(number for number, step in enumerate(proposal.plan.steps, 1) if step.id in steps)
        known = tuple(proposal.plan.steps[number - 1].id for number in asked)
        wish = wish.encode("utf-8", "replace").decode().strip()
        if not known or self._refuse(wish):
            return
        said = tr("Ask again for {steps}", steps=steps_named(asked)) + (f": {wish}" if wish else "")
        await self._conversation.say("you", said)
        plan = replace(proposal.whole.plan, hash=proposal.plan.hash)
        revision = Revision(plan, known, wish)
        await self._take_turn(Wanted(
            plan.request, said, fresh=True, revision=revision, asked=asked, locks=plan.locks, fence=plan.fence
        ))

    async def ask_afresh(self) -> None:
        """Have the whole request of the plan under review planned anew, ignoring cached answers."""
        proposal = self._reviewing.proposal.value
        if proposal is None or not proposal.plan.request:
            return
        said = tr("Ask again for the whole plan")
        self._conversation.add(WorkEntry(tr("Asking again for the whole plan")))
        plan = proposal.plan
        await self._take_turn(Wanted(plan.request, said, fresh=True, locks=plan.locks, fence=plan.fence))

    async def choose(self, index: int, choice: ClarifyingChoice) -> None:
        """Answer the question of entry `index`; a question that is answered already is ignored."""
        asked = self._conversation.entries[index]
        if not isinstance(asked, Asked) or asked.answered:
            return
        self._conversation.put(index, replace(asked, answered=choice.label))
        await self._conversation.say("you", choice.label)
        await self._take_turn(self._chosen(asked, choice.request))

    def _chosen(self, asked: Asked, request: str) -> Wanted:
        """An answer is about what the question was about: the plan that is still under review, or the song."""
        proposal = self._reviewing.proposal.value
        if proposal is not None and proposal.plan.hash == asked.about:
            return remarked(proposal, Refinement(request), request, asked.scope, self._workspace.song)
        return Wanted(request, request, scope=asked.scope)

    def stop(self) -> None:
        """Stop planning and drop waiting requests, at once; their entries stay in the conversation."""
        self._stops += 1
        self.waiting.set(())
        if self._work is not None:
            self._work.cancel()

    def close(self) -> None:
        """Stop, and end the subscription to runs."""
        self.stop()
        self.approving.close()

    async def _take_turn(self, wanted: Wanted, index: int | None = None) -> None:
        """Plan when everything before is done, unless a stop comes first, or entry number `index` is taken back."""
        stops, waits = self._stops, self._running.holds_song or self._turn.locked()
        if waits:
            self._wait(wanted, index)
        async with self._turn:
            while self._running.holds_song and stops == self._stops and not self._taken_back(waits, index):
                await asyncio.sleep(_LOOK_EVERY)
            if stops != self._stops:
                self._end_wait(index)
                self._say_stopped()
                return
            if self._taken_back(waits, index):
                return
            if waits:
                self._end_wait(index)
                self._waits_no_more(wanted.said)
            await self._plan(wanted, index)

    def _wait(self, wanted: Wanted, index: int | None) -> None:
        self.waiting.set((*self.waiting.value, wanted.said))
        if index is not None:
            said = self._conversation.entries[index]
            assert isinstance(said, MessageEntry)
            note = WAITS if self._running.holds_song else WAITS_REQUEST
            self._conversation.put(index, Queued(None, said.text, said.at, note, said.attached, said.scope))

    def _end_wait(self, index: int | None) -> None:
        entry = None if index is None else self._conversation.entries[index]
        if index is not None and isinstance(entry, Queued):
            self._conversation.put(index, entry.ended())

    def _taken_back(self, waited: bool, index: int | None) -> bool:
        return waited and index is not None and not isinstance(self._conversation.entries[index], Queued)

    def _waits_no_more(self, said: str) -> None:
        left = list(self.waiting.value)
        if said in left:
            left.remove(said)
        self.waiting.set(tuple(left))

    def _queues(self) -> bool:
        """Whether a request waits in the queue: for a run that holds the song, or for requests before it."""
        queue = self._queue
        return queue is not None and not self.busy and bool(self._running.holds_song or queue.requests)

    async def _plan(self, wanted: Wanted, index: int | None) -> None:
        task = asyncio.current_task()
        self._progress.begin(tr("Planning"))
        self.refused.set(None)
        silence = self._planning.events.listen(self._progress.hear)
        self._work = asyncio.ensure_future(self._propose(wanted))
        try:
            try:
                found, words = await self._work
            finally:
                silence()
                self._tell_spent()
            if isinstance(found, ClarifyingQuestion):
                await self._show_asked(found, wanted)
            elif wanted.remark is not None:
                await self._show_changed(found, wanted.remark, wanted.said, index)
            elif wanted.revision is None:
                await self._mark_clauses(index, wanted, found.plan)
                await self._show(found, words)
            else:
                await self._show_again(found, wanted.revision, wanted.asked)
        except asyncio.CancelledError:
            # Cancelled from outside, the window closes; else the person stopped the work.
            if task is not None and task.cancelling():
                raise
            self._say_stopped()
        except NothingToDo as nothing:
            await self._conversation.say("bandleader", nothing_words(nothing))
        except BandleaderError as error:
            # Rows that are asked for again are still there to ask for.
            again = wanted.said if wanted.revision is None and not wanted.fresh else ""
            trouble, model = trouble_of(error, "chat"), error.blame is Blame.PROVIDER
            self.refused.set(trouble if model else None)
            self._conversation.add(
                ProblemEntry(trouble, again, offline=model and bool(again), scope=wanted.scope)
            )
        finally:
            self._work = None
            self._progress.end()

    async def _propose(self, wanted: Wanted) -> tuple[Review | ClarifyingQuestion, str]:
        stage = await self._planning.stage(self._workspace.record)
        await self._showing.tell_read(stage.song, self._palette)
        if wanted.remark is not None:
            fence = fence_of(wanted.scope, stage.song)
            return await self._planning.refine(wanted.remark.plan, wanted.remark.message, stage, fence=fence), ""
        locks = tuple(map(lock_text, standing(wanted.locks, stage.song)))
        found = await self._planning.propose(
            wanted.request, stage, revision=wanted.revision, fresh=wanted.fresh, locks=locks,
            fence=wanted.fence or fence_of(wanted.scope, stage.song),
        )
        if isinstance(found, ClarifyingQuestion):
            return found, ""
        return found, await asyncio.to_thread(plan_words, found, stage.song)

    async def _mark_clauses(self, index: int | None, wanted: Wanted, plan: Plan) -> None:
        """Show in the person's own words what became of each clause."""
        said = None if index is None else self._conversation.entries[index]
        if index is not None and isinstance(said, MessageEntry):
            await self._conversation.mark(index, clauses_of(said.text, wanted.planned or said.text, plan))

    async def _show_asked(self, question: ClarifyingQuestion, wanted: Wanted) -> None:
        """A question; where it is about something else than the plan under review, the talk has left that behind."""
        about = "" if wanted.remark is None else wanted.remark.plan.hash
        self._conversation.add(Asked(question, scope=wanted.scope, about=about))
        await self._conversation.keep("bandleader", question.text)
        if not about and not wanted.fresh:
            await self.approving.leave()

    async def _show(self, judged: Review, words: str) -> None:
        self._showing.tell_written(judged)
        await self._conversation.say("bandleader", words)
        await self.approving.put_aside()
        await self._showing.put_up(judged)

    async def _show_again(self, judged: Review, revision: Revision, asked: tuple[int, ...]) -> None:
        """Put the plan with its new rows in the place of the one that they were asked of."""
        before = await self._still_reviewed(revision.plan)
        if before is None:
            return
        for one in asked_again(before, revision.steps, revision.wish):
            self.approving.verdicts.emit(one)
        self.approving.mark_discarded(before)
        self._showing.add_card(judged)
        found = await self._reviewing.renew(judged, revision)
        numbers = {step.id: number for number, step in enumerate(judged.plan.steps, 1)}
        await self._conversation.say("bandleader", replan_words(found, asked, numbers))

    async def _show_changed(self, judged: Review, remark: Remark, said: str, index: int | None) -> None:
        """Put the plan as a remark changed it in the place of the one that it is about, which is put aside with what
        was decided on it; decisions on rows that are as before stay."""
        before = await self._still_reviewed(remark.plan)
        if before is None:
            return
        if index is not None:
            await self._conversation.mark(index, clauses_said(said, judged.plan, len(remark.plan.request)))
        if before.run is None:
            await self.approving.put_aside()
        else:
            self.approving.mark_discarded(before)
        found = replan_diff(remark.plan, judged.plan)
        draft = self._conversation.draft_of(before.plan.hash) + 1
        self._conversation.add(refined(found, before.plan, judged.plan, before.changes, draft, back=before.run is None))
        self._showing.add_card(judged)
        await self._reviewing.renew(judged, Revision(remark.plan, (), said))
        numbers = {step.id: number for number, step in enumerate(judged.plan.steps, 1)}
        # the card shows it; kept in words it is there after a restart
        await self._conversation.keep("bandleader", changed_words(found, numbers))

    async def _still_reviewed(self, plan: Plan) -> Proposal | None:
        """What is under review, where that is this plan still; else it is told that what was written is put away."""
        proposal = self._reviewing.proposal.value
        if proposal is not None and proposal.plan.hash == plan.hash:
            return proposal
        too_late = tr("The plan is no longer under review; its new steps are put away.")
        await self._conversation.say("bandleader", too_late)
        return None

    def _tell_spent(self) -> None:
        spent = self.spent.value
        if spent is not None and spent.tokens:
            self._conversation.add(
                WorkEntry(tr("Asked {model}", model=spent.model or tr("the model")), spent_words(spent))
            )

    def _refuse(self, words: str) -> bool:
        """Say why words are not even kept, if they are not."""
        refusal = refused(words)
        if refusal is not None:
            self._conversation.add(ProblemEntry(refusal))
        return refusal is not None

    def _say_stopped(self) -> None:
        said = tr("Stopped. Nothing was changed, and your request is kept above.")
        self._conversation.add(MessageEntry("bandleader", said, now()))
