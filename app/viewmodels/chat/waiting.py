"""Requests of the open project that wait: kept in the queue, planned when their turn has come, then shown for approval.

The window works on the queue of its project itself; other programs may work beside it, for everything goes through the
project's lease.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

from msgspec.structs import replace

from agent.message import msg
from agent.plan.document import Plan
from agent.session.run_state import RunState
from agent.session.session import NotApproved
from agent.song.ids import RunId
from app.i18n import lazy, tr
from app.studio.planning import Planning
from app.studio.running.proposing import SONG_CHANGED, store_proposal
from app.studio.running.queue import Deed, Job, QueueEntry
from app.studio.running.requests import Requests
from app.studio.running.run_options import RunOptions
from app.studio.running.run_view import RunView
from app.studio.running.runs import Runs
from app.studio.running.worker import QueueWorker
from app.studio.store import Store
from app.studio.workspace import Workspace
from app.viewmodels.chat.attaching import RequestScope, bound, fence_of, stored, told
from app.viewmodels.chat.conversation import Conversation
from app.viewmodels.chat.entries import PlanCard, Queued, now
from app.viewmodels.chat.showing import PlanPublisher
from app.viewmodels.chat.telling import plan_words
from app.viewmodels.plan.reviewing import Reviewing
from app.viewmodels.plan.running import Running
from app.viewmodels.unawaited import Begin
from app.viewmodels.watched import Watched

WAITS, PLANNED_NOW = lazy("Waits for the run before it"), lazy("Being planned")
PLANNED = lazy("Planned after the run before it")
TAKEN_BACK, NOT_PLANNED = lazy("Taken back"), lazy("Not planned")
AGAIN = lazy(
    "The song has changed since this plan was made. Here it is again with a fresh preview; nothing of it has run."
)
GONE = lazy("The plan under review was taken back by another program. Nothing of it has run.")
QUEUED = lazy("The plan under review was approved in another program. It runs when its turn has come.")
_WHOLE = RequestScope()
_TO_REVIEW = (RunState.DRAFT, RunState.PROPOSED)
_DECIDED = "a person has decided on its rows"


class Waiting:
    """The queue of one project, on which the window works itself. `begin` starts background work; `busy` says that
    something is planned outside of the queue."""

    def __init__(
        self, store: Store, requests: Requests, runs: Runs, planning: Planning, workspace: Workspace,
        conversation: Conversation, reviewing: Reviewing, running: Running,
        begin: Begin, *, busy: Callable[[], bool],
    ) -> None:
        self._store = store
        self._requests = requests
        self._runs = runs
        self._planning = planning
        self._workspace = workspace
        self._conversation = conversation
        self._reviewing = reviewing
        self._running = running
        self._showing = PlanPublisher(workspace, conversation, reviewing, running)
        self._begin = begin
        self._wanted = False
        self._looking = False
        self._closed = False
        self._worker = QueueWorker(store, runs, requests, workspace.project, self._takes)
        self._started = False
        self._reading = asyncio.Lock()
        self._put_away: set[RunId] = set()
        self._approving: RunId | None = None
        self._busy = busy
        self.entries: Watched[tuple[QueueEntry, ...]] = Watched(())
        """Queued requests and plans of this project, in the order in which they are worked on."""
        self._silencers = [
            runs.changed.listen(lambda _: self.look()),
            reviewing.proposal.changed.listen(lambda proposal: self.look() if proposal is None else None),
            running.unfinished.changed.listen(lambda _: self.look()),
        ]

    def start(self) -> None:
        """Begin to work on the queue."""
        self._started = True
        self._worker.start()
        self.look()

    async def close(self) -> None:
        """Stop working; any program may resume what was under way."""
        self._closed = True
        for silence in self._silencers:
            silence()
        if self._started:
            await self._worker.stop()

    @property
    def requests(self) -> tuple[QueueEntry, ...]:
        """Queued requests that have no plan yet."""
        return tuple(entry for entry in self.entries.value if entry.run.state == RunState.DRAFT)

    async def ask(self, request: str, scope: RequestScope = _WHOLE) -> None:
        """Queue a request. Raises `PlanError` for words that cannot be planned, and `SongError` for a scope that the
        song does not have."""
        song = self._workspace.song
        options, said = RunOptions(fence=fence_of(scope, song)), stored(request, scope, song)
        run = await self._requests.ask(bound(request, scope), self._workspace.record, options, said)
        self._conversation.add(Queued(run, request, now(), WAITS, told(said)[1], scope))
        await self._read()

    async def take_back(self, run: RunId) -> None:
        """Cancel a queued request or proposed plan; nothing of it has run."""
        if not (await self._runs.show(run)).state.ended:
            await self._runs.stopping.cancel(run)
        await self._read()

    def put_away(self, run: RunId) -> None:
        """Discard a plan of the queue that was under review."""
        self._put_away.add(run)
        self._begin(partial(self.take_back, run))

    async def approve(self, run: RunId, plan: Plan) -> None:
        """Store the person's approval of exactly this plan for a proposed run, which is queued then."""
        self._approving = run
        try:
            view = await self._runs.show(run)
            if view.plan.hash != plan.hash:
                store = partial(store_proposal, run=run, plan=plan, reason=_DECIDED)
                if not await self._store.write(store):
                    raise NotApproved(
                        msg("the plan was not approved"), why=msg("the song has changed, or the plan waits no more"),
                        fix=msg("look at it again"),
                    )
            await self._runs.approve(run, plan.hash)
        finally:
            self._approving = None

    def look(self) -> None:
        """Read the queue again soon."""
        self._wanted = True
        if not self._looking and not self._closed:
            self._looking = True
            self._begin(self._look)

    async def _look(self) -> None:
        try:
            while self._wanted and not self._closed:
                self._wanted = False
                await self._read()
        finally:
            self._looking = False

    async def _read(self) -> None:
        # What was read before a request came must not be told after it.
        async with self._reading:
            await self._follow()

    async def _follow(self) -> None:
        if self._workspace.draft:
            return
        found = await self._requests.entries(self._workspace.project)
        self.entries.set(found)
        for entry in found:
            self._note(entry.run.id, PLANNED_NOW if entry.waits_for == "plan" else WAITS, state=entry.run.state)
        waiting = {entry.run.id for entry in found}
        lines = [one for one in self._conversation.entries if isinstance(one, Queued)]
        for gone in [one.run for one in lines if one.run is not None and one.run not in waiting]:
            self._end(await self._runs.show(gone))
        await self._let_go()
        proposed = next((
            entry.run.id for entry in found
            if entry.run.state == RunState.PROPOSED and entry.run.id not in self._put_away
        ), None)  # fmt: skip
        if proposed is not None and self._free:
            await self._show(proposed)

    @property
    def _free(self) -> bool:
        """Whether a plan can be put under review."""
        reviewed = self._reviewing.proposal.value is not None
        return not (self._running.holds_song or reviewed or self._busy() or self._closed)

    def _takes(self, job: Job) -> bool:
        """Whether the window does this of the queue: its own project's, and nothing that a person is asked about."""
        if job.project != self._workspace.project or job.deed is Deed.RESUME:
            return False
        if job.deed is Deed.PLAN:
            return self._free
        live = self._running.live.value
        return live is None or live.run != job.run or not live.running

    async def _let_go(self) -> None:
        """A plan is under review no more once another program has approved it or taken it back."""
        reviewed = self._reviewing.proposal.value
        if reviewed is None or reviewed.run is None or reviewed.run in self._put_away:
            return
        state, now = (await self._runs.show(reviewed.run)).state, self._reviewing.proposal.value
        if state in _TO_REVIEW or now is None or now.run != reviewed.run or now.run == self._approving:
            return
        if state is RunState.CANCELLED:
            self._conversation.card(
                lambda card: card.proposed == reviewed.run, lambda card: replace(card, discarded=True)
            )
            self._conversation.tell("bandleader", tr(GONE))
        elif state is RunState.QUEUED:
            self._conversation.tell("bandleader", tr(QUEUED))
        self._reviewing.discard()

    def _note(self, run: RunId, note: str, *, state: str) -> None:
        """Bring the line of a request up to date; one that has its plan is an ordinary one."""
        for index, line in enumerate(self._conversation.entries):
            if isinstance(line, Queued) and line.run == run:
                if state != RunState.DRAFT:
                    self._conversation.put(index, line.ended(PLANNED))
                elif line.note != note:
                    self._conversation.put(index, replace(line, note=note))

    def _end(self, view: RunView) -> None:
        if view.state is RunState.DRAFT:
            self._wanted = True
            return
        note = TAKEN_BACK if view.state is RunState.CANCELLED else NOT_PLANNED if not view.planned else PLANNED
        for index, line in enumerate(self._conversation.entries):
            if isinstance(line, Queued) and line.run == view.record.id:
                self._conversation.put(index, line.ended(note))
                if note == NOT_PLANNED:
                    self._conversation.tell("bandleader", tr("This was not planned: {reason}", reason=view.reason))

    async def _show(self, run: RunId) -> None:
        """Put the plan of a run under review, judged on the song as it is now."""
        view, song, revision = await self._runs.show(run), self._workspace.song, self._workspace.revision
        judged = await self._planning.judge(replace(view.plan, song_revision=revision), song)
        words = await asyncio.to_thread(plan_words, judged, song)
        still = (await self._runs.show(run)).state is RunState.PROPOSED
        if not still or not self._free or self._workspace.revision != revision:
            self._wanted = True
            return
        if self._card_of(run) is not None or view.reason == SONG_CHANGED:
            self._conversation.tell("bandleader", tr(AGAIN))
        else:
            self._showing.tell_written(judged)
            self._conversation.tell("bandleader", words)
        await self._showing.put_up(judged, run)

    def _card_of(self, run: RunId) -> PlanCard | None:
        cards = [one for one in self._conversation.entries if isinstance(one, PlanCard)]
        return next((card for card in cards if card.proposed == run), None)
