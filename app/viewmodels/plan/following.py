"""Runs of the open project that this window does not carry out: seen to go on elsewhere, or left in the middle."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import TypeAlias

from msgspec.structs import replace

from agent.errors import BandleaderError
from agent.session.events import RunStarted
from agent.session.run_state import RunState
from agent.song.ids import RunId
from app.storage.records import Run
from app.studio.planning import Planning
from app.studio.running.run_view import RunView
from app.studio.running.runs import Runs
from app.studio.store import Store
from app.studio.workspace import Workspace
from app.viewmodels.plan.live_run import LiveRun, PacedRows, pace_of, rows_of
from app.viewmodels.plan.proposal import Proposal
from app.viewmodels.watched import Watched

_STARTED = str(RunStarted.__struct_config__.tag)
_MOST_LOOKED_AT = 20
"""Runs; a plan that was put away before it ran is none to be shown."""

Left: TypeAlias = Callable[[], Awaitable[tuple[Run, ...]]]
"""Tells which runs a program left in the middle when it died."""


class Following:
    """Shows runs that another program or the queue carries out in `live`, and in `unfinished` a run that holds the song
    while nobody carries it out.

    `take_over` shows a run as it is stored; `carrying` tells whether the window itself carries out a run; `left`
    returns the runs whose program died (None: not known)."""

    def __init__(
        self, runs: Runs, workspace: Workspace, live: Watched[LiveRun | None], unfinished: Watched[RunView | None],
        paced: PacedRows, *, take_over: Callable[[RunView], Awaitable[None]], carrying: Callable[[], bool],
        left: Left | None,
    ) -> None:
        self._runs = runs
        self._workspace = workspace
        self._live = live
        self._unfinished = unfinished
        self._paced = paced
        self._take_over = take_over
        self._carrying = carrying
        self._heard = False
        self._looking = asyncio.Lock()
        self._left = left

    def expect(self) -> None:
        """Note that a run has begun that the window does not carry out; the next `look` shows it, even if it has ended
        by then."""
        self._heard = True

    async def look_for_unfinished(self) -> None:
        """Find a run that was left in the middle or is paused, or that was approved for this song and never begun."""
        if self._workspace.draft:
            return
        for record in await self._runs.all(self._workspace.record):
            state = RunState(record.state)
            never_begun = state is RunState.APPROVED and record.base_revision == self._workspace.revision
            if (state.holds_song and not await self._elsewhere(record)) or never_begun:
                view = await self._runs.show(record.id)
                if state is RunState.WAITING_USER and self._live.value is None:
                    await self._take_over(view)
                self._found(view)
                return
        self._found(None)

    def _found(self, unfinished: RunView | None) -> None:
        # What was read before the window took it up itself is not so any more.
        if not self._carrying():
            self._unfinished.set(unfinished)

    async def show_last(self, wanted: Callable[[], bool]) -> None:
        """Show the newest run that has ended, as it is stored, if `wanted()` is still true once it has been read."""
        if self._workspace.draft:
            return
        known = await self._runs.all(self._workspace.record)
        for record in [one for one in known if RunState(one.state).ended and one.plan is not None][:_MOST_LOOKED_AT]:
            view = await self._runs.show(record.id)
            if not wanted():
                return
            if any(event.kind == _STARTED for event in view.events):
                await self._take_over(view)
                return

    async def look(self) -> None:
        """Follow a run of this project that the queue or another program carries out, and show how it has ended.
        Returns when there is nothing more to read."""
        async with self._looking:
            while not self._carrying() and not self._workspace.draft and not await self._looked():
                pass

    async def _looked(self) -> bool:
        """Look once; False where what is shown has changed meanwhile."""
        now, known = self._live.value, await self._runs.all(self._workspace.record)
        if now is not self._live.value:
            return False
        heard, self._heard = self._heard, False
        held = [one for one in known if RunState(one.state).holds_song]
        if held and held[0].state == RunState.RUNNING:
            if await self._elsewhere(held[0]) and await self._watch(held[0].id):
                return True
            if (await self._runs.show(held[0].id)).state is not RunState.RUNNING:
                self._heard = self._heard or heard
                return False
        if heard and not held and (ended := [one for one in known if RunState(one.state).ended]):
            # It was over before anyone could look.
            await self._take_over(await self._runs.show(ended[0].id))
        elif now is not None and await self._outdated(now):
            await self._catch_up(now.run)
        now = self._live.value
        if now is None or not now.running:
            await self.look_for_unfinished()
        return True

    async def _outdated(self, shown: LiveRun) -> bool:
        """Whether more is stored than is shown of a run that the window does not carry out."""
        if shown.running or shown.view is None:
            return shown.running
        last = max((event.number for event in shown.view.events), default=0)
        state, news = await self._runs.news(shown.run, last)
        return bool(news) or state is not shown.view.state

    async def _catch_up(self, run: RunId) -> None:
        """Show a run as it is stored; one that nobody carries out stands still, and is offered in `unfinished`."""
        view = await self._runs.show(run)
        if self._carrying():
            return
        if view.state in (RunState.APPROVED, RunState.RUNNING):
            self._paced.forget()
            self._live.set(None)
        else:
            await self._take_over(view)

    async def _elsewhere(self, record: Run) -> bool:
        if record.state != RunState.RUNNING:
            return False
        if self._runs.host.carries(record.id):
            return True
        return self._left is not None and record.id not in {one.id for one in await self._left()}

    async def _watch(self, run: RunId) -> bool:
        """Show a run that is carried out elsewhere as it is stored; what this program hears of it is added. False for
        one that has ended meanwhile."""
        view, now = await self._runs.show(run), self._live.value
        self._paced.forget()
        if self._carrying() or view.state is not RunState.RUNNING:
            return False
        known = now if now is not None and now.run == run else None
        if known is None or not known.running:
            self._paced.begin(pace_of(view))
        rows = rows_of(view, {} if known is None else known.rows)
        self._live.set(LiveRun(
            run, view.plan, view.state, rows, None if known is None else known.proposal,
            monotonic() if known is None or not known.began else known.began, elsewhere=True,
            stopping=known is not None and known.stopping, pausing=known is not None and known.pausing,
        ))
        self._unfinished.set(None)
        return True


async def repreview(
    shown: Watched[LiveRun | None], store: Store, planning: Planning, wanted: Callable[[], bool]
) -> None:
    """Preview the plan of the ended run in `shown`, if the run has no proposal and `wanted()` is still true afterwards.
    If its song or plan cannot be read any more it stays without one."""
    live = shown.value
    if live is None or live.proposal is not None or live.view is None or not live.view.state.ended:
        return
    try:
        song = await store.song(live.view.record.base_revision)
        judged = await planning.judge(live.plan, song)
    except BandleaderError:
        return
    if shown.value is live and wanted():
        shown.set(replace(live, proposal=Proposal(live.plan, judged, judged, song)))
