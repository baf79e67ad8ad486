"""A project as it is open in the window: its song, its plan, its run and what the person looks at."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress

from agent.errors import BandleaderError
from agent.plan.document import Estimate
from agent.plan.planning import Verdict
from agent.song.changes import Changes
from agent.song.edits import Edit
from agent.song.locks import Lock
from app.storage import locks as stored_locks
from app.storage.errors import Gone, StorageError
from app.studio.studio import Studio
from app.studio.workspace import Workspace
from app.viewmodels.chat.asking import Asking
from app.viewmodels.chat.choosing import Choosing
from app.viewmodels.chat.conversation import Conversation
from app.viewmodels.chat.performing import Performing
from app.viewmodels.chat.replying import Replying
from app.viewmodels.chat.showing import PlanPublisher
from app.viewmodels.chat.waiting import Waiting
from app.viewmodels.events.event_log import EventLog
from app.viewmodels.history.versions import Versions
from app.viewmodels.plan.draft_store import DraftStore
from app.viewmodels.plan.following import repreview
from app.viewmodels.plan.repairing import Repairing
from app.viewmodels.plan.reviewing import Reviewing
from app.viewmodels.plan.running import Running
from app.viewmodels.texts.troubles import ErrorReporter
from app.viewmodels.transport.focus import Focus
from app.viewmodels.transport.listening import ABComparison, Other
from app.viewmodels.transport.loudness import as_loud_as
from app.viewmodels.transport.playback import Playback
from app.viewmodels.watched import Watched

_LOOK_EVERY = 1.0
_FIRST_SIGHT = 0.5


class OpenProject:
    """An open project: what its views share. Call `begin` after the views have subscribed, and `close` at the end."""

    def __init__(
        self, studio: Studio, workspace: Workspace, playback: Playback, troubles: ErrorReporter,
        choosing: Choosing | None = None,
    ) -> None:
        self.studio = studio
        self.choosing = choosing or Choosing(studio.models, studio.spending, studio.planners.probe)
        self.workspace = workspace
        self.playback = playback
        self.troubles = troubles
        self.focus = Focus()
        self.conversation = Conversation(studio.store, workspace.project)
        self.reviewing = Reviewing(studio.session, studio.planning, workspace, studio.palette, self._begin)
        self.draft_store = DraftStore(studio.kept_plans, studio.planning, workspace, self.reviewing, self._begin)
        self.running = Running(studio.runs, workspace, self._begin, studio.requests.left)
        self.repairing = Repairing(studio.planners, self.running, workspace)
        self._showing = PlanPublisher(workspace, self.conversation, self.reviewing, self.running)
        self.listening = ABComparison(self.reviewing, self.running, self.focus)
        self.versions = Versions(studio.history, workspace)
        self.waiting = Waiting(
            studio.store, studio.requests, studio.runs, studio.planning, workspace, self.conversation,
            self.reviewing, self.running, self._begin,
            busy=lambda: self.asking.busy or bool(self.asking.waiting.value),
        )
        self.locks: Watched[tuple[Lock, ...]] = Watched(())
        self.replying = Replying(
            studio.replies, self.conversation, self.reviewing,
            Performing(
                workspace, playback, self.focus, self.listening, self.versions, self.locks, self.edit, self.lock
            ),
            self.focus, workspace,
        )
        self.asking = Asking(
            studio.planning, studio.projects, workspace, self.conversation, self.reviewing, self.running,
            self.draft_store, studio.palette, self.waiting, self.replying,
        )
        self._verdicts: list[Verdict] = []
        self._hand = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()
        self.events = EventLog(studio.runs, self.running, self._begin)
        self._silencers = [
            workspace.changed.listen(self._song_changed),
            workspace.saved.listen(lambda _: self._begin(self.versions.refresh)),
            self.listening.other.changed.listen(self._other_changed),
            self.focus.side.changed.listen(playback.listen_to),
            self.asking.doing.changed.listen(self._doing_changed),
            self.asking.approving.verdicts.listen(self._verdict),
        ]
        # A view that breaks must not break the run or the edit that it was told of.
        self._unguarded = [
            told.guard(lambda fault: troubles.tell(fault, "window"))
            for told in (workspace.changed, workspace.saved, studio.runs.events)
        ]

    async def begin(self) -> None:
        """Load what is stored beside the song, and follow changes by other programs."""
        if not self.workspace.draft:
            await self.conversation.load()
            await self.versions.refresh()
            await self.running.following.look_for_unfinished()
            for plan in await self.draft_store.aside():
                self._showing.add_aside(plan)
            self.locks.set(await self.studio.store.read(
                lambda transaction: stored_locks.all_of(transaction, self.workspace.project)
            ))
        self.playback.show(self.workspace.song)
        self.events.look()
        self.waiting.start()
        taken_up = self._begun(self._take_up_plan)
        self._begin(self._follow)
        # What is under review belongs to the first sight of a project; one that is long in judging comes after it.
        await asyncio.wait((taken_up,), timeout=_FIRST_SIGHT)

    async def _take_up_plan(self) -> None:
        """The plan that was under review when the project was open last, else its last run, unless something else has
        come up by now."""
        def nothing_else() -> bool:
            reviewed, live = self.reviewing.proposal.value, self.running.live.value
            return not (reviewed or live or self.running.holds_song or self.asking.busy)

        taken_up = await self.draft_store.take_up(nothing_else)
        if taken_up is None and nothing_else():
            await self.running.following.show_last(nothing_else)
            self._begin(self._foresee_last)
        if taken_up is not None:
            self._showing.add_card(taken_up)

    async def _foresee_last(self) -> None:
        """What the rows of the last run were foreseen to do; that takes a while where they are many."""
        studio, reviewed = self.studio, self.reviewing.proposal
        await repreview(self.running.live, studio.store, studio.planning, lambda: reviewed.value is None)

    async def estimate(self, request: str) -> Estimate | None:
        """What planning a request would use of the chosen model; None for the composer."""
        await self.choosing.begin_day()
        if self.choosing.chosen.value.local:
            return None
        planning = self.studio.planning
        return await planning.estimate(request, await planning.stage(self.workspace.record))

    async def edit(self, edits: Sequence[Edit], label: str) -> None:
        """Commit edits made by hand, as one version named `label` in the undo history. Raises `SongError`, and
        `RunError` while a run holds the song."""
        # In the order in which the gestures came: each edit is applied to what the one before it left.
        async with self._hand:
            await self.workspace.commit(edits, label=label)

    async def lock(self, locks: Sequence[Lock]) -> None:
        """Store these as the project's locks, for all later plans."""
        await self.workspace.keep(self.workspace.name)
        kept = tuple(dict.fromkeys(locks))
        await self.studio.store.write(
            lambda transaction: stored_locks.put(transaction, self.workspace.project, kept)
        )
        self.locks.set(kept)

    async def leave(self) -> None:
        """Close the project because another one is opened: a plan under review is put aside."""
        # A disk that refuses keeps nothing from closing; the plan is under review at the next start then.
        with suppress(StorageError):
            await self.asking.approving.leave()
        await self.close()

    async def close(self) -> None:
        """Stop playing, planning and following. A run under way is left so that it can be resumed."""
        for silence in self._silencers:
            silence()
        self.asking.close()
        await self.draft_store.close()
        self.repairing.stop()
        self.listening.close()
        self.events.close()
        self.reviewing.close()
        await self.running.close()
        await self.waiting.close()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.playback.close()
        for unguarded in self._unguarded:
            unguarded()

    def _song_changed(self, _: Changes) -> None:
        self.playback.show(self.workspace.song)

    def _other_changed(self, other: Other | None) -> None:
        if other is None or other.kind == "compared":
            # Whether those are equally loud is chosen where they are compared.
            self.playback.show_plan(None if other is None else other.song)
        else:
            self.playback.show_plan(as_loud_as(other.song, self.workspace.song))

    def _doing_changed(self, doing: str) -> None:
        # What planning has cost is known once it has ended.
        if not doing and self.asking.spent.value is not None:
            self._begin(self.choosing.count)

    def _verdict(self, verdict: Verdict) -> None:
        self._verdicts.append(verdict)
        if len(self._verdicts) == 1:
            self._begin(self._keep_verdicts)

    async def _keep_verdicts(self) -> None:
        """What the person thought of rows, for later plans; a draft that is not stored has no later ones."""
        told, self._verdicts = tuple(self._verdicts), []
        if told and not self.workspace.draft:
            await self.studio.verdicts.keep(self.workspace.project, *told)

    def _begin(self, work: Callable[[], Coroutine[None, None, None]]) -> None:
        self._begun(work)

    def _begun(self, work: Callable[[], Coroutine[None, None, None]]) -> asyncio.Task[None]:
        task = asyncio.ensure_future(self._told(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _told(self, work: Callable[[], Coroutine[None, None, None]]) -> None:
        try:
            await work()
        except Exception as error:
            self.troubles.tell(error, "window")

    async def _follow(self) -> None:
        """Take over what other programs commit, looking once a second; a database that is gone is told once."""
        known, gone = -1, False
        while True:
            await asyncio.sleep(_LOOK_EVERY)
            try:
                now = await self.studio.store.database.version()
                if now != known and await self._taken_over():
                    known = now
                elif self.running.watches_another:
                    # One that dies stores nothing.
                    await self.running.following.look()
                gone = False
            except Gone as error:
                if not gone:
                    self.troubles.tell(error, "window")
                gone = True
            except BandleaderError:
                continue

    async def _taken_over(self) -> bool:
        """Whether all could be shown that others have stored; while a run goes here, its song is shown by the run."""
        self.events.look()
        if not self.workspace.draft:
            # What was asked comes before what became of it.
            await self.conversation.follow()
        self.waiting.look()
        await self.running.following.look()
        if self.running.here:
            return False
        await self.workspace.reload()
        await self.versions.refresh()
        return True
