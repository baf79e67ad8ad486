"""Who plans and who works on goals: the composer, or a model as it is chosen and set up."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from agent.composer.composer import Composer
from agent.message import msg
from agent.plan.document import Estimate, Plan
from agent.plan.plan import Clause
from agent.plan.planning import Brief, Planner
from agent.providers.provider import Usage
from agent.review.review import Review
from agent.services.registry import Registry
from agent.session.worker import Worker
from agent.song.ids import ProjectId, RunId
from agent.song.palette import Palette
from agent.song.song import Song
from app.storage.records import PlanningId
from app.studio.errors import StudioError
from app.studio.models import LOCAL, Chosen, Models

if TYPE_CHECKING:
    # Whoever plans offline need not wait for what a model needs.
    from agent.model_planner.estimate import SongTold
    from agent.model_planner.memory import AnswerMemory
    from agent.model_planner.prompt.prompts import Prompts
    from agent.model_planner.rounds.limits import PlanningLimits
    from agent.session.repairing import Repair


class Planners:
    """Makes planners and workers: the composer, or models as chosen and set up. `read` loads the prompts, on first use
    of a model."""

    def __init__(
        self, composer: Composer, models: Models, registry: Registry, palette: Palette, read: Callable[[], Prompts]
    ) -> None:
        self.composer = composer
        """The planner that needs no model; it alone refines plans."""
        self._models = models
        self._registry = registry
        self._palette = palette
        self._read = read
        self._memory: AnswerMemory | None = None
        self._told: SongTold | None = None

    async def choice(self, chosen: Chosen | None = None) -> Chosen:
        """Who plans: `chosen`, or if None the choice in the settings."""
        return await self._models.chosen() if chosen is None else chosen

    @asynccontextmanager
    async def planner(
        self, chosen: Chosen, project: ProjectId | None = None, planning: PlanningId | None = None
    ) -> AsyncIterator[Planner]:
        """Context with a planner; its use of models is counted to `planning`. Raises `ModelError` without key or model,
        `ProviderError` (cap) if the caps leave nothing, `StudioError` for an unknown provider."""
        if chosen.provider == LOCAL:
            yield self.composer
            return
        prompts = await self._prompts()
        from agent.model_planner.memory import AnswerMemory
        from agent.model_planner.planner import ModelPlanner

        limits, price = await self._limits(chosen), await self._price(chosen)
        self._memory = self._memory or AnswerMemory()
        provider = await self._models.provider(chosen, project=project, planning=planning)
        try:
            yield ModelPlanner(provider, prompts, self._registry, limits=limits, price=price, memory=self._memory)
        finally:
            await provider.close()

    @asynccontextmanager
    async def worker(self, plan: Plan, chosen: Chosen, run: RunId | None = None) -> AsyncIterator[Worker | None]:
        """Context with the model that works on the rows of a plan that have only a goal; None if there are none, or if
        the composer works on them."""
        if chosen.provider == LOCAL or all(step.by == "exact" for step in plan.steps):
            yield None
            return
        prompts = await self._prompts()
        from agent.session.tool_loop import ModelWorker

        price = await self._price(chosen)
        model = (await self._models.settings(chosen.provider)).model if not chosen.model else chosen.model
        project = ProjectId(plan.project) if plan.project else None
        provider = await self._models.provider(chosen, project=project, run=run, purpose="run")
        try:
            yield ModelWorker(provider, prompts.filled("goal"), self._palette, lambda usage: price(model, usage))
        finally:
            await provider.close()

    async def committed(self, brief: Brief, chosen: Chosen) -> Brief:
        """The brief for its planner: for a model, with the requirements that the composer reads from the words
        added."""
        return brief if chosen.provider == LOCAL else await asyncio.to_thread(self.composer.committed, brief)

    async def clauses(self, judged: Review, brief: Brief, chosen: Chosen) -> tuple[Clause, ...]:
        """The clauses of a request with what became of each; a model's statements about them are checked against its
        rows."""
        plan = judged.plan
        if chosen.provider == LOCAL or not plan.request:
            return plan.clauses
        if judged.preview is None:
            reason = "its rows cannot be looked at before they are mended"
            return (Clause(plan.request, 0, len(plan.request), "told", reason=reason),)
        return await asyncio.to_thread(self.composer.account, brief, plan, judged.preview)

    async def speaks_of_its_song(self, brief: Brief) -> bool:
        """Whether the words of a brief clearly ask for a change of its song rather than a new piece, as the composer
        reads them."""
        return await asyncio.to_thread(self.composer.speaks_of_its_song, brief)

    async def understands(self, brief: Brief, chosen: Chosen) -> bool:
        """Whether the planner can make anything of the words of a brief; always True if `chosen` is a model."""
        return chosen.provider != LOCAL or await asyncio.to_thread(self.composer.understands, brief)

    async def repair(
        self, plan: Plan, step: str, reason: str, song: Song, *, chosen: Chosen | None = None, run: RunId | None = None
    ) -> Repair:
        """Other inputs for the row `step`, which failed for `reason`, as the model proposes them; nothing is carried
        out. Raises `StudioError` for the composer, `PlanError` if the answer is no proposal, otherwise as `planner`."""
        choice = await self.choice(chosen)
        if choice.provider == LOCAL:
            raise StudioError(
                msg("the composer repairs no steps"), why=msg("it writes whole plans"),
                fix=msg("choose a model, edit the step, or skip it"),
            )
        prompts = await self._prompts()
        from agent.session.repairing import propose_repair

        project = ProjectId(plan.project) if plan.project else None
        provider = await self._models.provider(choice, project=project, run=run, purpose="run")
        try:
            return await propose_repair(
                provider, prompts.filled("repair"), plan, step, reason, song, self._registry
            )
        finally:
            await provider.close()

    async def estimate(self, brief: Brief, revision: str, chosen: Chosen | None = None) -> Estimate | None:
        """What planning a brief will use of the model; None for the composer. `revision` is that of the brief's song.
        Nothing is sent and no key is needed. Raises `PlanError` if the request does not fit into the model's context
        window."""
        choice = await self.choice(chosen)
        if choice.provider == LOCAL:
            return None
        prompts = await self._prompts()
        from agent.model_planner.estimate import SongTold, estimate_planning

        self._told = self._told or SongTold()
        limits = await self._limits(choice)
        read, written = await asyncio.to_thread(
            estimate_planning, brief, prompts, limits, None, self._told, revision
        )
        return await self._priced(Usage(read, written, calls=1), choice)

    async def running(self, plan: Plan, song: Song) -> Estimate:
        """The most that the rows of a plan may use of the model that works on them; nothing for the composer."""
        choice = await self.choice()
        if choice.provider == LOCAL or all(step.by == "exact" for step in plan.steps):
            return Estimate()
        from agent.session.goal_estimate import most_used

        return await self._priced(
            await asyncio.to_thread(most_used, plan, song, self._registry, self._palette), choice
        )

    async def preload(self) -> None:
        """Import in a thread what the first call of the chosen model needs; does nothing for the composer."""
        choice = await self.choice()
        if choice.provider == LOCAL:
            return
        from agent.providers.making import preload

        await self._prompts()
        await asyncio.to_thread(preload, (await self._models.settings(choice.provider)).kind)

    async def _priced(self, usage: Usage, choice: Chosen) -> Estimate:
        price = await self._price(choice)
        model = choice.model or (await self._models.settings(choice.provider)).model
        return Estimate(usage.total, await asyncio.to_thread(price, model, usage))

    async def probe(self, provider: str) -> tuple[str, ...]:
        """Sentences about whether the model of a provider is able to plan. Raises as `planner`."""
        if provider == LOCAL:
            raise StudioError(msg("the composer needs no probe"), fix=msg("choose a provider of models"))
        chosen, prompts = Chosen(provider), await self._prompts()
        from agent.model_planner.probe import can_plan

        made = await self._models.provider(chosen, purpose="test")
        try:
            found = await can_plan(made, prompts, self._palette, self._registry, await self._limits(chosen))
        finally:
            await made.close()
        return ("This model can plan." if found.ok else "This model does not plan well.", *found.findings)

    async def _prompts(self) -> Prompts:
        """The prompts as they are on disk now; with the first ones comes all that asking a model needs."""
        return await asyncio.to_thread(self._ready)

    def _ready(self) -> Prompts:
        # Imported here and not where it is used first: that would hold up the event loop.
        import agent.model_planner.estimate
        import agent.model_planner.planner
        import agent.model_planner.probe
        import agent.session.repairing
        import agent.session.tool_loop  # noqa: F401

        return self._read()

    async def _limits(self, chosen: Chosen) -> PlanningLimits:
        from agent.model_planner.rounds.limits import PlanningLimits

        settings = await self._models.settings(chosen.provider)
        return PlanningLimits(context=settings.context, small=True if settings.small else None)

    async def _price(self, chosen: Chosen) -> Callable[[str, Usage], float | None]:
        from agent.providers.prices import cost_of

        settings = await self._models.settings(chosen.provider)
        kind, address = settings.kind, await self._models.address(chosen.provider)
        return lambda model, usage: cost_of(model, kind, usage, address)
