"""A planner at work on a goal: it plans the goal as a request, and the rows within the limits are carried out."""

from __future__ import annotations

from agent.errors import BandleaderError
from agent.message import msg
from agent.plan.errors import PlanError
from agent.plan.normalise import normalise
from agent.plan.plan import Draft, Json, Step
from agent.plan.planning import Brief, ClarifyingQuestion, DraftReady, Planner, Spent
from agent.plan.request import RequestText
from agent.providers.provider import Usage
from agent.services.binding import bind, gathered
from agent.services.goal_service import SubStep
from agent.session.cancellation import Cancellation, WorkCancelled
from agent.session.ghost import GhostSong
from agent.session.spending import Spending
from agent.session.worker import Goal, Worked, one_line
from agent.song.fence import locks_outside
from agent.song.locks import TrackLock
from agent.song.palette import Palette


class PlannerWorker:
    """Works on goals by planning them as requests and carrying out the rows within the limits; with the composer this
    needs no model. `seed` makes it repeatable."""

    def __init__(self, planner: Planner, palette: Palette, seed: int) -> None:
        self._planner = planner
        self._palette = palette
        self._seed = seed

    @property
    def name(self) -> str:
        """The planner's name."""
        return self._planner.name

    async def work(self, goal: Goal, ghost: GhostSong, cancellation: Cancellation, spending: Spending) -> Worked:
        """Plan the goal once and carry out its rows. Rows outside of the limits are left out, with those that depend on
        them, and named in the result."""
        tools = tuple(ghost.tools.values())
        # To the planner a track that may not change is a locked one, so that it plans around it.
        kept = ghost.kept
        outside = locks_outside(kept.fence, ghost.song)
        locks = (*kept.locks, *outside, *(TrackLock(track) for track in ghost.closed_tracks))
        distinct = tuple(dict.fromkeys(locks))
        brief = Brief(RequestText(goal.words), ghost.song, self._palette, tools, self._seed, distinct, fence=kept.fence)
        try:
            answer = await cancellation.race(self._planned(brief, spending))
        except WorkCancelled:
            raise
        except BandleaderError as problem:
            return Worked(failed=one_line(str(problem)))
        except Exception as fault:
            return Worked(failed=one_line(f"{self.name} broke: {type(fault).__name__}: {fault}"))
        if isinstance(answer, ClarifyingQuestion):
            return Worked(failed=one_line(f"the goal is unclear: {answer.text}"))
        left_out = await self._carry_out(normalise(answer.steps, ghost.tools).steps, ghost, cancellation)
        rows = len(answer.steps)
        words = one_line(answer.analysis, 1000)
        if left_out:
            words = f"{words}. {left_out} of {rows} rows lie outside of the limits and were left out".lstrip(". ")
        if left_out and ghost.full:
            return Worked(words, stopped=f"{rows} rows need more edits than were approved")
        return Worked(words)

    async def _planned(self, brief: Brief, spending: Spending) -> Draft | ClarifyingQuestion:
        spent = Spent(0, 0.0)
        try:
            async for event in self._planner.plan(brief):
                match event:
                    case Spent():
                        spent = event
                    case ClarifyingQuestion():
                        return event
                    case DraftReady(draft=draft):
                        return draft
        finally:
            spending.add(Usage(output=spent.tokens), spent.cost)
        raise PlanError(msg("the planner ended without a plan"), why=msg("{name} gave no rows", name=self.name))

    async def _carry_out(self, steps: tuple[Step, ...], ghost: GhostSong, cancellation: Cancellation) -> int:
        """Carry the rows out in order; how many were left out."""
        results: dict[str, Json] = {}
        left_out = 0
        for step in steps:
            try:
                bound = bind(step, results)
            except BandleaderError as problem:
                await ghost.refuse(step.tool, one_line(str(problem)))
                left_out += 1
                continue
            done: list[SubStep] = []
            for inputs in bound.calls:
                if cancellation.requested():
                    raise WorkCancelled
                done.append(await ghost.call(step.tool, inputs))
            if all(call.ok for call in done):
                if not bound.skipped:
                    results[step.id] = gathered(bound, [call.result for call in done])
            else:
                left_out += 1
        return left_out
