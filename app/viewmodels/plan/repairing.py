"""Asking the chosen model for other inputs of a step that failed; what comes of it is only a proposal."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Protocol

from agent.message import msg
from agent.plan.document import Plan
from agent.session.run_state import RunError
from agent.song.ids import RunId
from agent.song.song import Song
from app.studio.workspace import Workspace
from app.viewmodels.plan.running import Running
from app.viewmodels.watched import Watched

if TYPE_CHECKING:
    # Whoever asks no model need not wait for what one needs.
    from agent.session.repairing import Repair


class Repairer(Protocol):
    """A planner that proposes other inputs for a failed step."""

    async def repair(self, plan: Plan, step: str, reason: str, song: Song, *, run: RunId | None = None) -> Repair:
        """Ask for other inputs of `step`, which failed for `reason`; `song` is the song now, `run` the run it failed
        in. Raises a Bandleader error if there is no proposal."""
        ...


class Repairing:
    """Asks a planner for other inputs of failed steps, one step at a time; asking changes nothing and can be
    stopped."""

    def __init__(self, repairer: Repairer, running: Running, workspace: Workspace) -> None:
        self._repairer = repairer
        self._running = running
        self._workspace = workspace
        self._task: asyncio.Task[Repair] | None = None
        self.asking: Watched[str | None] = Watched(None)
        """The id of the step that a planner is asked about; None for none."""

    async def propose(self, step: str) -> Repair | None:
        """Other inputs for a failed step of the run that is shown; None if asking was stopped, or the run went on
        meanwhile. Raises `RunError` if the step has not failed or a planner is being asked already."""
        live = self._running.live.value
        if live is None or live.running or step not in live.failed:
            raise RunError(msg("this step has not failed"), fix=msg("look at the run again"))
        if self._task is not None:
            raise RunError(msg("the model is being asked already"), fix=msg("wait for its answer, or stop asking"))
        self._task = asyncio.ensure_future(
            self._repairer.repair(live.plan, step, live.rows[step].reason, self._workspace.song, run=live.run)
        )
        self.asking.set(step)
        try:
            repair = await self._task
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                self._task.cancel()
                raise
            return None
        finally:
            self._task = None
            self.asking.set(None)
        now = self._running.live.value
        same = now is not None and not now.running and now.run == live.run and step in now.failed
        return repair if same else None

    def stop(self) -> None:
        """Stop asking; `propose` returns None then."""
        if self._task is not None:
            self._task.cancel()
